"""Splines in the basis of B-splines, by their knots, their coefficients and the points.

Source: C. de Boor, A Practical Guide to Splines (1978), X.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy.interpolate import BSpline

from ...fields import assembled, declare_properties, field_of, settings_of
from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable
from .piecewise import in_place_of_axis, wrapped

FIELDS = ("t", "c")
declare_properties(BSpline, *FIELDS)


def knot_before(x, t, k, n):
    """The knot at which the interval begins that each x lies in, of the n intervals' worth of the basis.

    >>> knot_before(np.array([0.5, 2.0]), np.array([0.0, 0.0, 1.0, 2.0, 2.0]), 1, 3)
    array([1, 2])
    """
    inner = t[k : n + 1]
    return k + np.clip(np.searchsorted(inner, x, side="right") - 1, 0, n - 1 - k)


def beyond(x, t, k, n):
    """A mask of the x outside of the interval of the basis."""
    return (x < t[k]) | (x > t[n])


def window(start, first, last):
    """The indices from so many after each start on, one column for each start.

    >>> window(np.array([3, 5]), 0, 1)
    array([[3, 5],
           [4, 6]])
    """
    return start + np.arange(first, last + 1)[:, None]


non_differentiable(knot_before, beyond, window)


def de_boor(t, c, k, x):
    """The spline at a vector of points, one row for each, by averages of neighbouring coefficients."""
    place = knot_before(x, t, k, len(t) - k - 1)
    return averaged(t, k, x, place, c[window(place - k, 0, k)])


def averaged(t, k, x, place, d):
    """The averages of the k + 1 coefficients at each of these knots, along the first axis."""
    for r in range(1, k + 1):
        low, high = t[window(place - k, r, k)], t[window(place + 1 - r, r, k)]
        share = np.reshape((x - low) / (high - low), (k + 1 - r, len(x), *(1,) * (d.ndim - 2)))
        d = (1.0 - share) * d[:-1] + share * d[1:]
    return d[0]


def derived(t, c, k, nu):
    """The knots, coefficients and degree of the nu-th derivative."""
    n = len(t) - k - 1
    c = c[:n]
    for _ in range(nu):
        if k == 0:
            return t, c * 0.0, k
        gap = t[k + 1 : -1] - t[1 : -k - 1]
        step = k / np.where(gap == 0, 1.0, gap)
        c = np.diff(c, axis=0) * np.reshape(np.where(gap == 0, 0.0, step), (-1, *(1,) * (c.ndim - 1)))
        t, k = t[1:-1], k - 1
    return t, c, k


def risen(t, c, k):
    """The knots, coefficients and degree of the antiderivative that is 0 at the first knot."""
    n = len(t) - k - 1
    widths = np.reshape((t[k + 1 :] - t[:n]) / (k + 1), (-1, *(1,) * (c.ndim - 1)))
    sums = np.cumsum(c[:n] * widths, axis=0)
    knots = np.concatenate((t[:1], t, t[-1:]))
    return knots, np.concatenate((np.zeros((1, *c.shape[1:])), sums)), k + 1


def spline_at(t, c, k, x, nu, extrapolate):
    """A derivative of the spline at a vector of points."""
    n = len(t) - k - 1
    if extrapolate == "periodic":
        x, extrapolate = wrapped(x, t[k : n + 1]), False
    outside = beyond(x, t, k, n)
    knots, coefficients, degree = derived(t, c, k, nu)
    value = de_boor(knots, coefficients, degree, x)
    if extrapolate or not np.any(outside):
        return value
    return np.where(np.reshape(outside, (-1, *(1,) * (c.ndim - 1))), np.nan, value)


@composed(BSpline)
def spline_of(t, c, k, extrapolate=True, axis=0):
    """The knots and coefficients as they are."""
    coefficients = np.asarray(c) * 1.0
    place = axis % coefficients.ndim
    return assembled(BSpline, FIELDS, np.asarray(t) * 1.0, np.moveaxis(coefficients, place, 0))


@composed(BSpline.construct_fast.__func__)
def spline_made_of(cls, t, c, k, extrapolate=True, axis=0):
    """The knots and coefficients as they are."""
    return assembled(cls, FIELDS, np.asarray(t), np.asarray(c))


@composed(BSpline.basis_element.__func__)
def basis_element_of(cls, t, extrapolate=True):
    """One element of a basis: knots beyond its own on both sides, and one coefficient."""
    inner = np.asarray(t) * 1.0
    k = len(inner) - 2
    knots = np.concatenate((np.repeat(inner[:1] - 1.0, k), inner, np.repeat(inner[-1:] + 1.0, k)))
    return assembled(cls, FIELDS, knots, np.where(np.arange(len(knots)) == k, 1.0, 0.0))


@composed(BSpline.__call__)
def evaluate(self, x, nu=0, extrapolate=None):
    """S(x), or a derivative of it."""
    axis, k, default = settings_of(self, "axis", "k", "extrapolate")
    chosen = default if extrapolate is None else extrapolate
    points = np.ravel(np.asarray(x) * 1.0)
    values = spline_at(field_of(self, "t"), field_of(self, "c"), k, points, nu, chosen)
    return in_place_of_axis(values, x, axis)


def filled(c, n):
    """Coefficients with zeros at the end, as many as there are knots: SciPy's derivatives of splines have them.

    >>> filled(np.ones(1), 3)
    array([1., 0., 0.])
    """
    return np.concatenate((c, np.zeros((n - len(c), *c.shape[1:]))))


@composed(BSpline.derivative)
def derivative(self, nu=1):
    """S' as a spline."""
    (k,) = settings_of(self, "k")
    t, c = field_of(self, "t"), field_of(self, "c")
    if nu < 0:
        refuse("scipy.interpolate.BSpline.derivative(nu < 0)", "it is an antiderivative", "use `.antiderivative()`")
    knots, coefficients, degree = derived(t, c, k, nu)
    return assembled(BSpline, FIELDS, knots, filled(coefficients, len(knots)))


@composed(BSpline.antiderivative)
def antiderivative(self, nu=1):
    """∫ S as a spline."""
    (k,) = settings_of(self, "k")
    t, c = field_of(self, "t"), field_of(self, "c")
    for _ in range(nu):
        t, c, k = risen(t, c, k)
    n = len(t) - k - 1
    flat = np.concatenate((c, np.repeat(c[-1:], len(t) - n, axis=0)))
    return assembled(BSpline, FIELDS, t, flat)


@composed(BSpline.integrate)
def integrate(self, a, b, extrapolate=None):
    """∫ S from a to b; without extrapolation S is 0 outside."""
    k, default = settings_of(self, "k", "extrapolate")
    t, c = field_of(self, "t"), field_of(self, "c")
    chosen = default if extrapolate is None else extrapolate
    if chosen == "periodic":
        why, way_out = "the periods are counted", "integrate over one period, and over the rest"
        refuse("scipy.interpolate.BSpline.integrate(extrapolate='periodic')", why, way_out)
    n = len(t) - k - 1
    sign = 1.0
    if b < a:
        a, b, sign = b, a, -1.0
    if not chosen:
        a, b = (a if a > t[k] else t[k]), (b if b < t[n] else t[n])
    knots, coefficients, degree = risen(t, c, k)
    ends = de_boor(knots, coefficients, degree, np.stack((a * 1.0, b * 1.0)))
    return sign * (ends[1] - ends[0])
