"""Derivatives, integrals and interpolation of sampled functions."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import bisect

import numpy as np

from ...tangents import unbroadcast
from ..knots import call_pullback
from ..registry import non_differentiable, rule
from .lifting import array_rule, composed
from .linear import axes_of, bring_back, cast, nested, scatter

# Derivatives of a function that is known at points


@array_rule(np.gradient, linear="f")
def gradient_rule(f: np.ndarray, *varargs, axis=None, edge_order=1):
    """Along each axis y = D f with a banded matrix D of the steps, so f̄ = Σ Dᵀ ȳ."""
    y = np.gradient(f, *varargs, axis=axis, edge_order=edge_order)
    _, back = call_pullback(slopes_along, f, axes_of(axis, f.ndim), edge_order, *varargs)

    def gradient_back(y_bar):
        _, f_bar, _, _, *bars = back(y_bar if isinstance(y, tuple | list) else (y_bar,))
        return cast(f_bar, f.dtype), *bars

    return y, gradient_back


def slopes_along(f, axes, edge_order, *varargs):
    """The slopes of `f` along each of the axes, for steps or for coordinates."""
    slopes = []
    for i, along in enumerate(axes):
        spacing = 1.0 if len(varargs) == 0 else varargs[0] if len(varargs) == 1 else varargs[i]
        rows = np.moveaxis(f, along, 0)
        if np.ndim(spacing) == 0:
            slope = slope_of_even(rows, spacing, edge_order)
        else:
            slope = slope_of_uneven(rows, np.reshape(spacing, (-1,) + (1,) * (f.ndim - 1)), edge_order)
        slopes.append(np.moveaxis(slope, 0, along))
    return tuple(slopes)


def slope_of_even(f, h, edge_order):
    """The slope along the first axis, for equal steps h.

    >>> slope_of_even(np.array([0.0, 1.0, 4.0, 9.0]), 1.0, 2)
    array([0., 2., 4., 6.])
    """
    middle = (f[2:] - f[:-2]) / (2 * h)
    if edge_order == 1:
        first, last = (f[1:2] - f[:1]) / h, (f[-1:] - f[-2:-1]) / h
    else:
        first = (-1.5 * f[:1] + 2 * f[1:2] - 0.5 * f[2:3]) / h
        last = (1.5 * f[-1:] - 2 * f[-2:-1] + 0.5 * f[-3:-2]) / h
    return np.concatenate((first, middle, last))


def slope_of_uneven(f, x, edge_order):
    """The slope along the first axis at the points x, of the parabolas through three neighbours.

    >>> slope_of_uneven(np.array([0.0, 1.0, 9.0]), np.array([0.0, 1.0, 3.0]), 2)
    array([0., 2., 6.])
    """
    h = x[1:] - x[:-1]
    s = (f[1:] - f[:-1]) / h
    middle = (h[1:] * s[:-1] + h[:-1] * s[1:]) / (h[:-1] + h[1:])
    if edge_order == 1:
        return np.concatenate((s[:1], middle, s[-1:]))
    return np.concatenate((2 * s[:1] - middle[:1], middle, 2 * s[-1:] - middle[-1:]))


# Integrals and interpolation


@array_rule(np.trapezoid, linear="y x")
def trapezoid_rule(y: np.ndarray, x=None, dx=1.0, axis=-1):
    """z = Σ hᵢ (yᵢ + y_{i+1}) / 2 with hᵢ = x_{i+1} - xᵢ or dx."""
    (along,) = axes_of(axis, y.ndim)
    left = tuple(slice(-1) if i == along else slice(None) for i in range(y.ndim))
    right = tuple(slice(1, None) if i == along else slice(None) for i in range(y.ndim))
    grid = None if x is None else np.asarray(x)
    z = np.trapezoid(y, x, dx, axis)
    if not y.shape[along]:
        return z, lambda z_bar: (np.zeros(y.shape, y.dtype),)

    def trapezoid_back(z_bar):
        d = np.expand_dims(z_bar, along) / 2
        if grid is None:
            h = dx
        elif grid.ndim == 1:
            h = np.reshape(np.diff(grid), tuple(-1 if i == along else 1 for i in range(y.ndim)))
        else:
            h = np.diff(grid, axis=along)
        middle = d * np.conj(h) + np.zeros(y[left].shape)
        ends = [(0, 1) if i == along else (0, 0) for i in range(y.ndim)]
        starts = [(1, 0) if i == along else (0, 0) for i in range(y.ndim)]
        y_bar = cast(np.pad(middle, ends) + np.pad(middle, starts), y.dtype)
        h_bar = d * np.conj(y[left] + y[right])
        if grid is None:
            return y_bar, None, unbroadcast(h_bar, dx)
        if grid.ndim == 1:
            h_bar = np.sum(h_bar, axis=tuple(i for i in range(y.ndim) if i != along))
            return y_bar, nested(-np.diff(np.pad(h_bar, 1)), x)
        widened = np.pad(h_bar, [(1, 1) if i == along else (0, 0) for i in range(y.ndim)])
        return y_bar, nested(unbroadcast(-np.diff(widened, axis=along), grid), x)

    return z, trapezoid_back


if "trapz" in vars(np):  # until NumPy 2.3

    @composed(vars(np)["trapz"])
    def trapz(y, x=None, dx=1.0, axis=-1):
        """The name that `trapezoid` had."""
        return np.trapezoid(y, x, dx, axis)


def interp_tangent(dots, y, x, xp, fp, left=None, right=None, period=None):
    """ẏ = (ẋ - (1 - t) ẋᵢ - t ẋ_{i+1}) s + (1 - t) ḟᵢ + t ḟ_{i+1} with the slope s."""
    x_dot, xp_dot, fp_dot = dots[:3]
    if xp_dot is None and fp_dot is None and isinstance(y, float) and _are_plain(x, xp, fp):
        return x_dot * slope_at(x, xp, fp)
    points, grid, values = np.asarray(x), in_double(xp), in_double(fp)
    i, j, inside, below, _ = intervals(points, grid)
    h = np.where(i == j, 1.0, grid[j] - grid[i])
    slope = np.where(inside, (values[j] - values[i]) / h, 0.0)
    t = np.where(inside, (points - grid[i]) / h, np.where(below, 0.0, 1.0))
    d = 0.0 if x_dot is None else x_dot * slope
    if xp_dot is not None:
        moved = np.asarray(xp_dot)
        d = d - ((1 - t) * moved[i] + t * moved[j]) * slope
    if fp_dot is not None:
        moved = np.asarray(fp_dot)
        d = d + (1 - t) * moved[i] + t * moved[j]
    return unbroadcast(d, y)


def is_between_points(dots, x, xp, fp, left=None, right=None, period=None):
    """Tell whether values outside of the points are those of the ends, and all that moves are floats in one piece."""
    moving = [a for d, a in zip(dots, (x, xp, fp), strict=False) if d is not None]
    return left is None and right is None and period is None and all([_is_of_floats(a) for a in moving])


def _is_of_floats(a):
    return type(a) is float or isinstance(a, (np.ndarray, np.generic)) and a.dtype.kind in "fc"


@rule(np.interp, forward=interp_tangent, forward_for=is_between_points)
def interp_rule(x, xp, fp, left=None, right=None, period=None, *, needs=None):
    """y = fᵢ + t (f_{i+1} - fᵢ) with t = (x - xᵢ) / (x_{i+1} - xᵢ); `left` and `right` outside."""
    y = np.interp(x, xp, fp, left, right, period)
    if period is not None:
        _, of_one = call_pullback(interp_within, x, xp, fp, period, np.argsort(np.asarray(xp) % abs(period)))

        def periodic_back(y_bar):
            _, x_bar, xp_bar, fp_bar, period_bar, _ = of_one(y_bar)
            return x_bar, xp_bar, fp_bar, None, None, period_bar

        return y, periodic_back
    of_x = needs is not None and needs[0] and not any(needs[1:]) and left is None and right is None
    if of_x and _are_plain(x, xp, fp) and isinstance(y, float):
        slope = slope_at(x, xp, fp)

        def number_back(y_bar):
            return (unbroadcast(y_bar * slope, x), *(None for _ in needs[1:]))

        return y, number_back
    points, grid, values = np.asarray(x), in_double(xp), in_double(fp)
    i, j, inside, below, above = intervals(points, grid)

    def interp_back(y_bar):
        h = np.where(i == j, 1.0, grid[j] - grid[i])
        t = np.where(inside, (points - grid[i]) / h, np.where(below, 0.0, 1.0))
        slope = np.where(inside, (values[j] - values[i]) / h, 0.0)
        d = y_bar
        if left is not None:
            d = np.where(below, 0.0, d)
        if right is not None:
            d = np.where(above, 0.0, d)
        x_bar = np.real(np.conj(slope) * y_bar)
        xp_bar = scatter(-x_bar * (1 - t), i, grid.shape, grid.dtype)
        xp_bar = xp_bar + scatter(-x_bar * t, j, grid.shape, grid.dtype)
        f_bar = scatter(d * (1 - t), i, values.shape, values.dtype)
        f_bar = f_bar + scatter(d * t, j, values.shape, values.dtype)
        left_bar = None if left is None else unbroadcast(np.where(below, y_bar, 0.0), left)
        right_bar = None if right is None else unbroadcast(np.where(above, y_bar, 0.0), right)
        return bring_back(x_bar, x), nested(xp_bar, xp), nested(f_bar, fp), left_bar, right_bar

    return y, interp_back


def _are_plain(x, *points):
    """Tell whether `x` is a number, and the points are in sequences that are read by their places."""
    return isinstance(x, float) and all([type(p) in (list, tuple, np.ndarray) for p in points])


def slope_at(x, xp, fp):
    """The slope of the interpolation of real values at a number, 0 outside of the points.

    >>> slope_at(0.5, [0.0, 2.0], [0.0, 1.0]), slope_at(2.5, [0.0, 2.0], [0.0, 1.0])
    (0.5, 0.0)
    """
    i = interval_at(x, xp)
    if i < 0:
        return 0.0
    h, rise = float(xp[i + 1]) - float(xp[i]), float(fp[i + 1]) - float(fp[i])
    return rise / h if h else np.divide(rise, h)


def interval_at(x, xp):
    """Behind which point of several a number lies, -1 outside of them.

    >>> [interval_at(x, [0.0, 1.0, 2.0]) for x in (-0.5, 0.0, 1.0, 1.5, 2.0, 2.5)]
    [-1, 0, 1, 1, 1, -1]
    """
    if len(xp) < 2 or x < xp[0] or x > xp[-1]:
        return -1
    return min(max(bisect.bisect_right(xp, x) - 1, 0), len(xp) - 2)


def in_double(points):
    """Points as NumPy interpolates between them: in double precision.

    >>> in_double([1, 2])
    array([1., 2.])
    """
    points = np.asarray(points)
    return points.astype(np.complex128 if np.iscomplexobj(points) else np.float64)


def intervals(x, grid):
    """Between which two points of a grid each `x` lies, and whether it lies inside of the grid, below and above it.

    >>> intervals(np.array([0.5, 2.0]), np.array([0.0, 1.0]))
    (array([0, 0]), array([1, 1]), array([ True, False]), array([False, False]), array([False,  True]))
    """
    last = len(grid) - 1
    i = np.clip(np.searchsorted(grid, x, side="right") - 1, 0, max(last - 1, 0))
    below, above = x < grid[0], x > grid[-1]
    return i, np.minimum(i + 1, last), ~(below | above), below, above


def interp_within(x, xp, fp, period, order):
    """The interpolation of a periodic function: of its points within one period, and one more on each side."""
    width = abs(period)
    grid = np.asarray(xp)[order]
    grid = grid - width * np.floor(grid / width)
    values = np.asarray(fp)[order]
    x = np.asarray(x)
    x = x - width * np.floor(x / width)
    grid = np.concatenate((grid[-1:] - width, grid, grid[:1] + width))
    values = np.concatenate((values[-1:], values, values[:1]))
    return np.interp(x.astype(np.float64), in_double(grid), in_double(values))


non_differentiable(intervals, interval_at, _are_plain)
