"""Splines through points or by least squares, as FITPACK gives them: the knots, the coefficients and the degree."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import inspect

import numpy as np
from scipy.interpolate import (
    BSpline,
    InterpolatedUnivariateSpline,
    LSQUnivariateSpline,
    UnivariateSpline,
    make_lsq_spline,
    make_smoothing_spline,
    splev,
    splrep,
)
from scipy.linalg import solveh_banded

from ....tangents.fields import carry
from ...fields import assembled, field_of, settings_of
from ...numpy.lifting import composed, refuse
from ..precision import in_doubles
from .collocation import knots_for, solved, spline_through
from .cubic import column, first_axis
from .splines import FIELDS, beyond, de_boor, derived, filled, risen, spline_at

OF_FITPACK = ("_eval_args",)
SMOOTHING = "the fit stops where its residual is within a thousandth of `s`, and goes in jumps with the data"
for _cls in (UnivariateSpline, InterpolatedUnivariateSpline, LSQUnivariateSpline):
    carry(_cls, OF_FITPACK)  # they hold the same arrays a second time, for what fits them again
WAY_OUT = "give s=0, or knots, or use `make_smoothing_spline(..., lam=)`"


def least_squares_fit(points, values, knots, k, w):
    """The coefficients c for which W (B c - y) is shortest."""
    basis = de_boor(knots, np.eye(len(knots) - k - 1), k, points)
    weights = np.ones((len(points), 1)) if w is None else np.reshape(np.asarray(w) * 1.0, (-1, 1))
    rows = np.reshape(values, (len(points), -1))
    c = np.linalg.solve(basis.T @ (weights**2 * basis), basis.T @ (weights**2 * rows))
    return np.reshape(c, (basis.shape[1], *values.shape[1:]))


@composed(make_lsq_spline)
def least_squares(x, y, t, k=3, w=None, axis=0, check_finite=True, *, method="qr"):
    """The spline with these knots that is nearest."""
    points, knots, values = np.asarray(x) * 1.0, np.asarray(t) * 1.0, first_axis(y, axis) * 1.0
    return assembled(BSpline, FIELDS, knots, least_squares_fit(points, values, knots, k, w))


# What FITPACK gives


def through_all(x, y, k, low, high):
    """The knots and coefficients of the spline through all points, with its ends where they are given."""
    points = in_doubles(x)
    knots = widened(knots_for(points, k), k, low, high)
    return knots, filled(solved(knots, points, in_doubles(y), k, (), (), False), len(knots)), k


def widened(knots, k, low, high):
    """The knots with other ends."""
    n = k + 1
    first = knots[:n] if low is None else np.full(n, 1.0) * low
    last = knots[len(knots) - n :] if high is None else np.full(n, 1.0) * high
    return np.concatenate((first, knots[n : len(knots) - n], last))


def nearest(x, y, t, w, k, low, high):
    """The knots and coefficients of the spline with these inner knots that is nearest."""
    points, inner = in_doubles(x), in_doubles(t)
    ends = np.full(k + 1, 1.0)
    knots = np.concatenate((ends * points[0], inner, ends * points[-1]))
    knots = widened(knots, k, low, high)
    return knots, filled(least_squares_fit(points, in_doubles(y), knots, k, w), len(knots)), k


@composed(splrep)
def splrep_through(x, y, w=None, xb=None, xe=None, k=3, task=0, s=None, t=None, full_output=0, per=0, quiet=1):
    """The spline through all points, which `s=0` asks for, or that with these knots which is nearest."""
    if full_output or per or task == 1:
        why = "with `full_output`, `per` or `task=1` it is not followed"
        refuse("scipy.interpolate.splrep", why, "leave them out, or use `make_interp_spline`")
    if t is not None:
        return nearest(x, y, t, w, k, xb, xe)
    if s is not None and s > 0 or s is None and w is not None:
        refuse("scipy.interpolate.splrep(s > 0)", SMOOTHING, WAY_OUT)
    return through_all(x, y, k, xb, xe)


@composed(UnivariateSpline)
def univariate(x, y, w=None, bbox=(None, None), k=3, s=None, ext=0, check_finite=False):
    """The spline through all points."""
    if s is None or s > 0:
        refuse("scipy.interpolate.UnivariateSpline(s > 0)", SMOOTHING, WAY_OUT)
    return assembled(UnivariateSpline, OF_FITPACK, through_all(x, y, k, bbox[0], bbox[1]))


@composed(InterpolatedUnivariateSpline)
def interpolated(x, y, w=None, bbox=(None, None), k=3, ext=0, check_finite=False):
    """The spline through all points."""
    return assembled(UnivariateSpline, OF_FITPACK, through_all(x, y, k, bbox[0], bbox[1]))


@composed(LSQUnivariateSpline)
def with_knots(x, y, t, w=None, bbox=(None, None), k=3, ext=0, check_finite=False):
    """The spline with these knots that is nearest."""
    return assembled(UnivariateSpline, OF_FITPACK, nearest(x, y, t, w, k, bbox[0], bbox[1]))


def fitted_at(t, c, k, x, nu, ext):
    """A derivative of the spline; beyond its ends 0, or what it is at them, or as it goes on."""
    points = np.asarray(x) * 1.0
    flat = np.ravel(points)
    n = len(t) - k - 1
    if ext in (3, "const") and nu == 0:  # derivatives go on
        flat = np.clip(flat, t[k], t[n])
    values = spline_at(t, c, k, flat, nu, True)
    if ext in (1, "zeros"):
        values = np.where(beyond(flat, t, k, n), 0.0, values)
    return np.reshape(values, points.shape)


@composed(splev)
def splev_at(x, tck, der=0, ext=0):
    """The spline that `splrep` gave, or a derivative of it."""
    if isinstance(tck, BSpline):
        if ext not in (0, False):
            refuse("scipy.interpolate.splev(ext=)", "a `BSpline` has its own `extrapolate`", "call the spline")
        return tck(x, der)
    t, c, k = tck
    if np.ndim(c) > 1:
        refuse("scipy.interpolate.splev", "a curve has several splines", "use `BSpline` with coefficients of rows")
    return fitted_at(np.asarray(t) * 1.0, np.asarray(c) * 1.0, k, x, der, ext)


@composed(UnivariateSpline.__call__)
def evaluate(self, x, nu=0, ext=None):
    """The spline, or a derivative of it."""
    t, c, k = field_of(self, "_eval_args")
    (default,) = settings_of(self, "ext")
    return fitted_at(t, c, k, x, nu, default if ext is None else ext)


@composed(UnivariateSpline.get_knots)
def inner_knots(self):
    """The knots, the ends once."""
    t, _, k = field_of(self, "_eval_args")
    return t[k : len(t) - k] * 1.0


@composed(UnivariateSpline.get_coeffs)
def coefficients(self):
    """The coefficients, without the zeros at the end."""
    t, c, k = field_of(self, "_eval_args")
    return c[: len(t) - k - 1] * 1.0


@composed(UnivariateSpline.derivative)
def derivative(self, n=1):
    """S' as a spline."""
    t, c, k = field_of(self, "_eval_args")
    knots, bars, degree = derived(t, c, k, n)
    return assembled(UnivariateSpline, OF_FITPACK, (knots, filled(bars, len(knots)), degree))


@composed(UnivariateSpline.antiderivative)
def antiderivative(self, n=1):
    """∫ S as a spline."""
    t, c, k = field_of(self, "_eval_args")
    for _ in range(n):
        t, c, k = risen(t, c, k)
    return assembled(UnivariateSpline, OF_FITPACK, (t, flat_after(c, len(t)), k))


def flat_after(c, n):
    """The coefficients, the last one repeated up to n."""
    return np.concatenate((c, np.repeat(c[-1:], n - len(c), axis=0)))


def integral_of(t, c, k, a, b):
    """∫ S from a to b, where S is 0 beyond its ends."""
    n = len(t) - k - 1
    knots, whole, degree = risen(t, c, k)
    ends = de_boor(knots, whole, degree, np.clip(np.stack((a * 1.0, b * 1.0)), t[k], t[n]))
    return ends[1] - ends[0]


def all_derivatives(t, c, k, x):
    """S(x), S'(x) and so on, up to the degree."""
    point = np.reshape(np.asarray(x) * 1.0, (1,))
    return np.concatenate([spline_at(t, c, k, point, nu, True) for nu in range(k + 1)])


@composed(UnivariateSpline.integral)
def integral(self, a, b):
    """∫ S from a to b."""
    t, c, k = field_of(self, "_eval_args")
    return integral_of(t, c, k, a, b)


@composed(UnivariateSpline.derivatives)
def derivatives(self, x):
    """S(x), S'(x) and so on."""
    t, c, k = field_of(self, "_eval_args")
    return all_derivatives(t, c, k, x)


# Smoothing by a penalty


def smoothed(x, y, w, lam):
    """The values g at the points of the f for which Σ wᵢ (yᵢ - f(xᵢ))² + λ ∫ f''² is least: g = y - λ W⁻¹ Q γ, where
    (R + λ Qᵀ W⁻¹ Q) γ = Qᵀ y.

    Source: C. H. Reinsch, Smoothing by spline functions, Numer. Math. 10 (1967), 177-183.
    """
    h = np.diff(x)
    before, middle, after = 1.0 / h[:-1], -1.0 / h[:-1] - 1.0 / h[1:], 1.0 / h[1:]
    v = lam / w
    n = len(h) - 1
    beside = after[:-1] * v[2:-1] * middle[1:]
    bands = np.stack((
        np.concatenate((np.zeros(2), after[:-2] * v[2:-2] * before[2:])),
        np.concatenate((np.zeros(1), h[1:-1] / 6 + middle[:-1] * v[1:-2] * before[1:] + beside)),
        (h[:-1] + h[1:]) / 3 + before**2 * v[:-2] + middle**2 * v[1:-1] + after**2 * v[2:],
    ))  # fmt: skip
    bends = np.diff(np.diff(y, axis=0) / column(h, y), axis=0)
    gamma = np.reshape(solveh_banded(bands, np.reshape(bends, (n, -1))), bends.shape)
    none = np.zeros((1, *y.shape[1:]))
    first = np.concatenate((column(before, y) * gamma, none, none))
    second = np.concatenate((none, column(middle, y) * gamma, none))
    third = np.concatenate((none, none, column(after, y) * gamma))
    return y - column(v, y) * (first + second + third)


def smoothing_along(x, y, w, lam, axis):
    """The natural spline through the smoothed values."""
    if lam is None:
        why = "`lam` is found by a search that stops early"
        refuse("scipy.interpolate.make_smoothing_spline(lam=None)", why, "give `lam`")
    points, values = in_doubles(x), first_axis(y, axis)
    weights = np.ones(len(points)) if w is None else in_doubles(w)
    return spline_through(points, smoothed(points, values, weights, lam), 3, None, "natural")


def smoothing_spline(x, y, w=None, lam=None):
    """The natural spline through the smoothed values."""
    return smoothing_along(x, y, w, lam, 0)


def smoothing_spline_along(x, y, w=None, lam=None, *, axis=0):
    """The natural spline through the smoothed values."""
    return smoothing_along(x, y, w, lam, axis)


HAS_AXIS = "axis" in inspect.signature(make_smoothing_spline).parameters
composed(make_smoothing_spline)(smoothing_spline_along if HAS_AXIS else smoothing_spline)
