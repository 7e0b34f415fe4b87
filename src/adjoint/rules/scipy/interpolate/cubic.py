"""Cubic interpolants: each is the cubic of Hermite between two points, by the slopes that it has there."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy.interpolate import Akima1DInterpolator, CubicHermiteSpline, CubicSpline, PchipInterpolator, pchip_interpolate
from scipy.linalg import solve_banded

from ....ops import Alloc, Returns, each
from ...fields import assembled
from ...numpy.lifting import composed
from ...registry import rule
from ..precision import in_doubles
from .piecewise import FIELDS


def first_axis(y, axis):
    """An array with this axis first."""
    values = in_doubles(y)
    return np.moveaxis(values, axis, 0) if axis else values


def column(h, y):
    """A vector to multiply the rows of an array with."""
    return np.reshape(h, (-1, *(1,) * (y.ndim - 1)))


def hermite(cls, x, y, slopes):
    """The cubics with these values and slopes at the points."""
    h = column(np.diff(x), y)
    rise = np.diff(y, axis=0) / h
    bend = (slopes[:-1] + slopes[1:] - 2 * rise) / h
    c = np.stack((bend / h, (rise - slopes[:-1]) / h - bend, slopes[:-1], y[:-1]))
    return assembled(cls, FIELDS, c, x)


@composed(CubicHermiteSpline)
def hermite_spline(x, y, dydx, axis=0, extrapolate=None):
    """Values and slopes are given."""
    values = first_axis(y, axis)
    return hermite(CubicHermiteSpline, in_doubles(x), values, first_axis(dydx, axis))


# The spline: slopes for which the second derivative is continuous


def tridiagonal(lower, diagonal, upper, b):
    """T⁻¹ b for the rows of `b`; `lower` and `upper` have one entry less than the diagonal.

    >>> tridiagonal(np.zeros(1), np.array([2.0, 4.0]), np.zeros(1), np.ones(2))
    array([0.5 , 0.25])
    """
    bands = np.zeros((3, len(diagonal)))
    bands[0, 1:], bands[1], bands[2, :-1] = upper, diagonal, lower
    rows = np.reshape(b, (len(b), -1))
    return np.reshape(solve_banded((1, 1), bands, rows, check_finite=False), b.shape)


def tridiagonal_along(dots, y, lower, diagonal, upper, b):
    """T y = b, so T ẏ = ḃ - Ṫ y."""
    lower_dot, diagonal_dot, upper_dot, b_dot = dots
    change = np.zeros(b.shape) if b_dot is None else b_dot
    none = np.zeros((1, *y.shape[1:]))
    if diagonal_dot is not None:
        change = change - column(diagonal_dot, y) * y
    if lower_dot is not None:
        change = change - np.concatenate((none, column(lower_dot, y) * y[:-1]))
    if upper_dot is not None:
        change = change - np.concatenate((column(upper_dot, y) * y[1:], none))
    return tridiagonal(lower, diagonal, upper, change)


@rule(tridiagonal, forward=tridiagonal_along)
def tridiagonal_rule(lower, diagonal, upper, b):
    """y = T⁻¹ b, so b̄ = T⁻ᵀ ȳ and T̄ = -b̄ yᴴ, of which there are three diagonals."""
    y = tridiagonal(lower, diagonal, upper, b)

    def tridiagonal_back(y_bar):
        b_bar = tridiagonal(upper, diagonal, lower, y_bar)
        others = tuple(range(1, y.ndim))
        of_lower = np.sum(np.real(b_bar[1:] * np.conj(y[:-1])), axis=others)
        of_upper = np.sum(np.real(b_bar[:-1] * np.conj(y[1:])), axis=others)
        return -of_lower, -np.sum(np.real(b_bar * np.conj(y)), axis=others), -of_upper, b_bar

    return y, tridiagonal_back


def spline_slopes(x, y, start, end):
    """The slopes of the spline with these conditions at its ends."""
    n = len(x)
    dx = np.diff(x)
    h = column(dx, y)
    rise = np.diff(y, axis=0) / h
    if n == 2:
        start = (1, rise[0]) if start == "not-a-knot" else start
        end = (1, rise[0]) if end == "not-a-knot" else end
    both = isinstance(start, str) and isinstance(end, str)
    if n == 3 and both:  # the parabola through three points
        curvature = (rise[1] - rise[0]) / (x[2] - x[0])
        return np.stack((rise[0] - curvature * h[0], rise[0] + curvature * h[0], rise[1] + curvature * h[1]))
    inner = 3 * (h[1:] * rise[:-1] + h[:-1] * rise[1:])
    first, first_upper, first_b = at_end(start, dx[:2], h[:2], rise[:2], y[1] - y[0], 1)
    last, last_lower, last_b = at_end(end, dx[::-1][:2], h[::-1][:2], rise[::-1][:2], y[-1] - y[-2], -1)
    diagonal = np.concatenate((np.stack((first,)), 2 * (dx[:-1] + dx[1:]), np.stack((last,))))
    upper = np.concatenate((np.stack((first_upper,)), dx[:-1]))
    lower = np.concatenate((dx[1:], np.stack((last_lower,))))
    return tridiagonal(lower, diagonal, upper, np.concatenate((first_b[None], inner, last_b[None])))


def at_end(condition, dx, h, rise, step, sign):
    """The equation at one end: what multiplies the slope there and the next one, and the right-hand side."""
    if isinstance(condition, str):
        d = dx[0] + dx[1]
        return dx[1], d, ((h[0] + 2 * d) * h[1] * rise[0] + h[0] ** 2 * rise[1]) / d
    order, value = condition
    given = np.asarray(value) + np.zeros(np.shape(step))
    if order == 1:
        return dx[0] * 0.0 + 1.0, dx[0] * 0.0, given
    return 2 * dx[0], dx[0], 3 * step - sign * 0.5 * given * h[0] ** 2


def periodic_slopes(x, y):
    """The slopes of the spline that goes on as it began: a tridiagonal matrix with two more corners.

    Source: J. Sherman, W. J. Morrison, Adjustment of an inverse matrix, Ann. Math. Stat. 21 (1950), 124-127.
    """
    n = len(x)
    dx = np.diff(x)
    h = column(dx, y)
    rise = np.diff(y, axis=0) / h
    if n == 2:
        return np.stack((rise[0], rise[0]))
    if n == 3:
        slope = np.sum(rise / h, axis=0) / np.sum(1.0 / h, axis=0)
        return np.stack((slope, slope, slope))
    before, h_before, rise_before = np.roll(dx, 1), np.roll(h, 1, axis=0), np.roll(rise, 1, axis=0)
    diagonal = 2 * (before + dx)
    b = 3 * (h * rise_before + h_before * rise)
    top, bottom, pivot = dx[0], before[-1], -diagonal[0]
    changed = np.concatenate((diagonal[:1] - pivot, diagonal[1:-1], diagonal[-1:] - top * bottom / pivot))
    corner = np.concatenate((np.stack((pivot,)), np.zeros(n - 3), np.stack((bottom,))))
    straight = tridiagonal(dx[1:], changed, before[:-1], b)
    bent = tridiagonal(dx[1:], changed, before[:-1], corner)
    part = (straight[0] + straight[-1] * top / pivot) / (1 + bent[0] + bent[-1] * top / pivot)
    slopes = straight - column(bent, y) * part
    return np.concatenate((slopes, slopes[:1]))


def condition_of(name):
    """A boundary condition by its name as an order and a value; "not-a-knot" stays as it is."""
    if isinstance(name, str):
        return {"natural": (2, 0.0), "clamped": (1, 0.0)}.get(name, name)
    return name


@composed(CubicSpline)
def cubic_spline(x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
    """The slopes are those of the spline."""
    points, values = in_doubles(x), first_axis(y, axis)
    if isinstance(bc_type, str):
        if bc_type == "periodic":
            return hermite(CubicSpline, points, values, periodic_slopes(points, values))
        start = end = condition_of(bc_type)
    else:
        start, end = condition_of(bc_type[0]), condition_of(bc_type[1])
    return hermite(CubicSpline, points, values, spline_slopes(points, values, start, end))


# Slopes from the neighbours


def pchip_slopes(x, y):
    """Harmonic means of the slopes on both sides, 0 where these have different signs.

    Source: F. N. Fritsch, J. Butland, A method for constructing local monotone piecewise cubic interpolants, SIAM J.
    Sci. Stat. Comput. 5 (1984), 300-304.
    """
    h = column(np.diff(x), y)
    rise = np.diff(y, axis=0) / h
    if len(x) == 2:
        return np.concatenate((rise, rise))
    after, before = rise[1:], rise[:-1]
    flat = (np.sign(after) != np.sign(before)) | (after == 0) | (before == 0)
    w1, w2 = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    mean = (w1 + w2) / (w1 / np.where(flat, 1.0, before) + w2 / np.where(flat, 1.0, after))
    inner = np.where(flat, 0.0, mean)
    first, last = shape_preserving(h[0], h[1], rise[0], rise[1]), shape_preserving(h[-1], h[-2], rise[-1], rise[-2])
    return np.concatenate((first[None], inner, last[None]))


def shape_preserving(h0, h1, m0, m1):
    """The slope at an end: of the parabola through three points, unless that has another sign or is too steep."""
    d = np.asarray(((2 * h0 + h1) * m0 - h0 * m1) / (h0 + h1))
    against = np.sign(d) != np.sign(m0)
    steep = (np.sign(m0) != np.sign(m1)) & (np.abs(d) > 3.0 * np.abs(m0))
    return np.where(against, 0.0, np.where(steep, 3.0 * m0, d))


@composed(PchipInterpolator)
def pchip(x, y, axis=0, extrapolate=None):
    """The slopes are monotone where the data are."""
    points, values = in_doubles(x), first_axis(y, axis)
    return hermite(PchipInterpolator, points, values, pchip_slopes(points, values))


@composed(pchip_interpolate)
def pchip_at(xi, yi, x, der=0, axis=0):
    """The value of the interpolant, or derivatives of it."""
    spline = PchipInterpolator(xi, yi, axis=axis)
    if isinstance(der, list | tuple | np.ndarray):
        return [spline(x) if nu == 0 else spline.derivative(nu)(x) for nu in der]
    return spline(x) if der == 0 else spline.derivative(der)(x)


def akima_slopes(x, y, method):
    """Means of the slopes on both sides, each weighted by how much those beyond the other one differ.

    Source: H. Akima, A new method of interpolation and smooth curve fitting based on local procedures, J. ACM 17
    (1970), 589-602.
    """
    rise = np.diff(y, axis=0) / column(np.diff(x), y)
    if len(x) == 2:
        return np.concatenate((rise, rise))
    if len(rise) == 2:
        left1 = 2.0 * rise[0] - rise[1]
        right1 = 2.0 * rise[1] - rise[0]
    else:
        left1, right1 = 2.0 * rise[0] - rise[1], 2.0 * rise[-1] - rise[-2]
    left2, right2 = 2.0 * left1 - rise[0], 2.0 * right1 - rise[-1]
    m = np.concatenate((left2[None], left1[None], rise, right1[None], right2[None]))
    change = np.abs(np.diff(m, axis=0))
    f1, f2 = change[2:], change[:-2]
    if method == "makima":
        size = np.abs(m[1:] + m[:-1])
        f1, f2 = f1 + 0.5 * size[2:], f2 + 0.5 * size[:-2]
    both = f1 + f2
    defined = both > 1e-9 * np.max(both)
    share = f2 / np.where(defined, both, 1.0)
    return np.where(defined, m[1:-2] + share * (m[2:-1] - m[1:-2]), 0.5 * (m[3:] + m[:-3]))


@composed(Akima1DInterpolator)
def akima(x, y, axis=0, *, method="akima", extrapolate=None):
    """The slopes follow those of the neighbours."""
    points, values = in_doubles(x), first_axis(y, axis)
    return hermite(Akima1DInterpolator, points, values, akima_slopes(points, values, method))


each((Alloc(), Returns("x", "view")), Akima1DInterpolator, CubicHermiteSpline, CubicSpline, PchipInterpolator)
