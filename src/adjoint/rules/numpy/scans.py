"""Running sums, products and extrema, differences, and the numerical calculus made of them."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np

from ...tangents import unbroadcast
from ..registry import rule
from .lifting import array_rule, refuse, refuse_out
from .linear import axes_of, cast, nested, scatter

# Running sums and products


@array_rule(np.cumsum, np.ndarray.cumsum, np.generic.cumsum, returns="array flattened")
def cumsum_rule(a: np.ndarray, axis=None, dtype=None, out=None):
    """yₖ = Σ_{i ≤ k} aᵢ, so āᵢ = Σ_{k ≥ i} ȳₖ."""
    refuse_out(out)
    shape, kind = a.shape, a.dtype

    def cumsum_back(y_bar):
        along = 0 if axis is None else axis
        a_bar = np.flip(np.cumsum(np.flip(y_bar, axis=along), axis=along), axis=along)
        return (cast(np.reshape(a_bar, shape), kind),)

    return np.cumsum(a, axis, dtype), cumsum_back


@array_rule(np.cumprod, np.ndarray.cumprod, np.generic.cumprod, returns="array flattened")
def cumprod_rule(a: np.ndarray, axis=None, dtype=None, out=None):
    """yₖ = Π_{i ≤ k} aᵢ, so āᵢ = y_{i-1} gᵢ with gᵢ = ȳᵢ + a_{i+1} g_{i+1}: no division, so zeros are no trouble."""
    refuse_out(out)
    y = np.cumprod(a, axis, dtype)

    def cumprod_back(y_bar):
        rows = np.conj(np.ravel(a) if axis is None else np.moveaxis(a, axis, 0))
        d = y_bar if axis is None else np.moveaxis(y_bar, axis, 0)
        results = np.conj(y if axis is None else np.moveaxis(y, axis, 0))
        if np.all(rows):
            bars = np.flip(np.cumsum(np.flip(d * results, axis=0), axis=0), axis=0) / rows
        elif len(rows) == 0:
            bars = d
        else:
            bars = results * 0
            g = d[-1]
            reverse = []
            for i in range(len(rows) - 1, 0, -1):
                reverse.append(results[i - 1] * g)
                g = d[i - 1] + rows[i] * g
            reverse.append(g)
            bars = np.flip(np.stack(reverse), axis=0)
        return (cast(np.reshape(bars, a.shape) if axis is None else np.moveaxis(bars, 0, axis), a.dtype),)

    return y, cumprod_back


@array_rule(np.add.accumulate)
def add_accumulate_rule(array: np.ndarray, axis=0, dtype=None, out=None):
    """`np.add.accumulate` is `np.cumsum`, along the first axis by default."""
    return cumsum_rule(array, axis, dtype, out)


@array_rule(np.multiply.accumulate)
def multiply_accumulate_rule(array: np.ndarray, axis=0, dtype=None, out=None):
    """`np.multiply.accumulate` is `np.cumprod`, along the first axis by default."""
    return cumprod_rule(array, axis, dtype, out)


@array_rule(np.maximum.accumulate)
def maximum_accumulate_rule(array: np.ndarray, axis=0, dtype=None, out=None):
    """yₖ = the largest aᵢ with i ≤ k; of equal ones the last."""
    refuse_out(out)
    return _running_extremum(array, np.maximum.accumulate(array, axis, dtype), axis)


@array_rule(np.minimum.accumulate)
def minimum_accumulate_rule(array: np.ndarray, axis=0, dtype=None, out=None):
    """yₖ = the smallest aᵢ with i ≤ k; of equal ones the last."""
    refuse_out(out)
    return _running_extremum(array, np.minimum.accumulate(array, axis, dtype), axis)


def _running_extremum(a, y, axis):
    shape, kind = a.shape, a.dtype
    (along,) = axes_of(axis, a.ndim)
    positions = np.reshape(np.arange(shape[along]), tuple(-1 if i == along else 1 for i in range(a.ndim)))
    source = np.maximum.accumulate(np.where(a == y, positions, 0), axis)

    def running_extremum_back(y_bar):
        return (cast(scatter(y_bar, along_axis(source, along), shape, kind), kind),)

    return y, running_extremum_back


def along_axis(indices, axis):
    """The full index that `np.take_along_axis` means by `indices`."""
    grids = np.ogrid[tuple(slice(n) for n in indices.shape)]
    return tuple(indices if i == axis else grid for i, grid in enumerate(grids))


# Differences


@array_rule(np.diff, returns="array")
def diff_rule(a: np.ndarray, n=1, axis=-1, prepend=None, append=None):
    """yᵢ = a_{i+1} - aᵢ, so āᵢ = ȳ_{i-1} - ȳᵢ; n times."""
    if prepend is not None or append is not None:
        refuse("np.diff(prepend=, append=)", "only the plain form has a rule", "concatenate before the call")
    (along,) = axes_of(axis, a.ndim)
    kind = a.dtype

    def diff_back(y_bar):
        d = y_bar
        for _ in range(n):
            d = -np.diff(np.pad(d, [(1, 1) if i == along else (0, 0) for i in range(d.ndim)]), axis=along)
        return (cast(d, kind),)

    return np.diff(a, n, axis), diff_back


@array_rule(np.ediff1d)
def ediff1d_rule(ary: np.ndarray, to_end=None, to_begin=None):
    """`np.diff` of the flattened array."""
    if to_end is not None or to_begin is not None:
        refuse("np.ediff1d(to_end=, to_begin=)", "only the plain form has a rule", "concatenate after the call")
    shape, kind = ary.shape, ary.dtype

    def ediff1d_back(y_bar):
        return (cast(np.reshape(-np.diff(np.pad(y_bar, 1)), shape), kind),)

    return np.ediff1d(ary), ediff1d_back


@array_rule(np.gradient)
def gradient_rule(f: np.ndarray, *varargs, axis=None, edge_order=1):
    """Along each axis y = D f with a banded matrix D, so f̄ = Σ Dᵀ ȳ; for a step h, y ∝ 1/h, so h̄ = -Σ ȳ y / h."""
    y = np.gradient(f, *varargs, axis=axis, edge_order=edge_order)
    axes = axes_of(axis, f.ndim)
    steps = varargs * len(axes) if len(varargs) == 1 else varargs or (1.0,) * len(axes)
    shape, kind = f.shape, f.dtype

    def gradient_back(y_bar):
        results, bars = (y, y_bar) if isinstance(y, tuple | list) else ((y,), (y_bar,))
        f_bar = np.zeros(shape)
        step_bars: list[Any] = []
        for result, d, along, step in zip(results, bars, axes, steps, strict=True):
            if d is None:
                step_bars.append(None)
                continue
            operator = np.gradient(np.eye(shape[along]), step, axis=0, edge_order=edge_order)
            f_bar = f_bar + np.moveaxis(np.tensordot(operator, d, axes=((0,), (along,))), 0, along)
            step_bars.append(None if np.ndim(step) else unbroadcast(-(d * np.conj(result)) / step, step))
        if len(varargs) == 1 and len(axes) > 1:
            step_bars = [sum(step_bar for step_bar in step_bars if step_bar is not None)]
        return (cast(f_bar, kind), *step_bars[: len(varargs)])

    return y, gradient_back


# Integrals and interpolation


@array_rule(np.trapezoid)
def trapezoid_rule(y: np.ndarray, x=None, dx=1.0, axis=-1):
    """z = Σ hᵢ (yᵢ + y_{i+1}) / 2 with hᵢ = x_{i+1} - xᵢ or dx."""
    (along,) = axes_of(axis, y.ndim)
    left = tuple(slice(-1) if i == along else slice(None) for i in range(y.ndim))
    right = tuple(slice(1, None) if i == along else slice(None) for i in range(y.ndim))
    grid = None if x is None else np.asarray(x)
    z = np.trapezoid(y, x, dx, axis)

    def trapezoid_back(z_bar):
        d = np.expand_dims(z_bar, along) / 2
        if grid is None:
            h = dx
        elif grid.ndim == 1:
            h = np.reshape(np.diff(grid), tuple(-1 if i == along else 1 for i in range(y.ndim)))
        else:
            h = np.diff(grid, axis=along)
        middle = d * h + np.zeros(y[left].shape)
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


@rule(np.interp)
def interp_rule(x, xp, fp, left=None, right=None, period=None):
    """y = fᵢ + t (f_{i+1} - fᵢ) with t = (x - xᵢ) / (x_{i+1} - xᵢ); constant outside."""
    if left is not None or right is not None or period is not None:
        refuse("np.interp(left=, right=, period=)", "only the plain form has a rule", "use np.where around it")
    grid, values = np.asarray(xp), np.asarray(fp)
    y = np.interp(x, grid, values)
    i = np.clip(np.searchsorted(grid, x, side="right") - 1, 0, len(grid) - 2)
    inside = (np.asarray(x) >= grid[0]) & (np.asarray(x) <= grid[-1])
    below = np.asarray(x) < grid[0]

    def interp_back(y_bar):
        h = grid[i + 1] - grid[i]
        t = np.where(inside, (x - grid[i]) / h, np.where(below, 0.0, 1.0))
        slope = np.where(inside, (values[i + 1] - values[i]) / h, 0.0)
        d = np.conj(slope) * y_bar
        x_bar = np.real(d)
        xp_bar = scatter(-x_bar * (1 - t), i, grid.shape, grid.dtype)
        xp_bar = xp_bar + scatter(-x_bar * t, i + 1, grid.shape, grid.dtype)
        f_bar = scatter(y_bar * (1 - t), i, values.shape, values.dtype)
        f_bar = f_bar + scatter(y_bar * t, i + 1, values.shape, values.dtype)
        return nested(x_bar, x), nested(xp_bar, xp), nested(f_bar, fp)

    return y, interp_back
