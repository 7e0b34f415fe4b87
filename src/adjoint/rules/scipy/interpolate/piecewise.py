"""Piecewise polynomials in the power basis: Σ cₘ (x - xᵢ)ᵐ on each interval, by c, by the breakpoints and by x."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import inspect
import math

import numpy as np
from scipy.interpolate import BPoly, PPoly

from ...fields import assembled, declare_properties, field_of, settings_of
from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable

FIELDS = ("c", "x")
declare_properties(PPoly, *FIELDS)
if inspect.getattr_static(BPoly, "c", None) is not inspect.getattr_static(PPoly, "c", None):
    declare_properties(BPoly, *FIELDS)


def interval_of(x, breaks, extrapolate):
    """The interval that each x lies in, and a mask of the x that lie in none.

    >>> interval_of(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0]), False)
    (array([0, 1, 1, 1]), array([False, False, False,  True]))
    """
    sign = 1.0 if breaks[-1] >= breaks[0] else -1.0
    side = "right" if sign > 0 else "left"
    k = np.clip(np.searchsorted(sign * breaks, sign * x, side=side) - 1, 0, len(breaks) - 2)
    outside = (sign * x < sign * breaks[0]) | (sign * x > sign * breaks[-1])
    return k, outside if not extrapolate else np.zeros(x.shape, bool)


def falling(n, nu):
    """n (n - 1) ... over nu factors: what the nu-th derivative of xⁿ is multiplied with.

    >>> falling(3, 2)
    6
    """
    return math.perm(n, nu)


non_differentiable(interval_of, falling)


def wrapped(x, breaks):
    """x brought back into one period."""
    return breaks[0] + (x - breaks[0]) % (breaks[-1] - breaks[0])


def values_at(c, breaks, x, nu, extrapolate):
    """The nu-th derivative at a vector of points, one row for each."""
    if extrapolate == "periodic":
        x, extrapolate = wrapped(x, breaks), False
    k, outside = interval_of(x, breaks, extrapolate)
    rows = c[:, k]
    degree = c.shape[0] - 1
    trailing = (len(x), *(1,) * (c.ndim - 2))
    d = np.reshape(x - breaks[k], trailing)
    value = np.zeros(rows.shape[1:])
    for m in range(degree - nu + 1):
        value = value * d + falling(degree - m, nu) * rows[m]
    return np.where(np.reshape(outside, trailing), np.nan, value) if np.any(outside) else value


def in_place_of_axis(values, x, axis):
    """Rows of values for points of any shape, which stand in the place of the axis of interpolation."""
    shape = np.shape(x)
    result = np.reshape(values, (*shape, *values.shape[1:]))
    return np.moveaxis(result, range(len(shape)), range(axis, axis + len(shape))) if axis and shape else result


def column_of(breaks, c):
    """The widths of the intervals, to multiply the coefficients of one order with."""
    return np.reshape(np.diff(breaks), (-1, *(1,) * (c.ndim - 2)))


def powers_of(c, breaks):
    """Coefficients of powers from those of Bernstein's polynomials: the s-th is C(k, s) Δˢb₀ / hˢ."""
    h, k = column_of(breaks, c), c.shape[0] - 1
    return np.stack([math.comb(k, s) * np.diff(c, s, axis=0)[0] / h**s for s in range(k, -1, -1)])


@composed(*dict.fromkeys((PPoly.__call__, BPoly.__call__)))
def evaluate(self, x, nu=0, extrapolate=None):
    """S(x), or a derivative of it."""
    if not isinstance(self, PPoly | BPoly):
        why = "the basis of its polynomials is not known"
        refuse(f"scipy.interpolate.{type(self).__name__}", why, "make it a `PPoly`")
    axis, default = settings_of(self, "axis", "extrapolate")
    points = np.ravel(np.asarray(x))
    chosen = default if extrapolate is None else extrapolate
    c, breaks = field_of(self, "c"), field_of(self, "x")
    if isinstance(self, BPoly):
        c = powers_of(c, breaks)
    return in_place_of_axis(values_at(c, breaks, points, nu, chosen), x, axis)


@composed(PPoly)
def power_polynomials(c, x, extrapolate=None, axis=0):
    """The coefficients and breakpoints as they are."""
    coefficients = np.asarray(c)
    if axis:
        coefficients = np.moveaxis(coefficients, (axis, axis + 1), (0, 1))
    return assembled(PPoly, FIELDS, coefficients * 1.0, np.asarray(x) * 1.0)


@composed(*dict.fromkeys((PPoly.construct_fast.__func__, BPoly.construct_fast.__func__)))
def made_of(cls, c, x, extrapolate=None, axis=0):
    """The coefficients and breakpoints as they are."""
    return assembled(cls, FIELDS, np.asarray(c), np.asarray(x))


def derivative_of(c, nu):
    """The coefficients of the nu-th derivative."""
    n = c.shape[0]
    if nu >= n:
        return c[:1] * 0.0
    factors = [falling(n - 1 - m, nu) for m in range(n - nu)]
    return c[: n - nu] * np.reshape(np.array(factors, float), (-1, *(1,) * (c.ndim - 1)))


def antiderivative_of(c, breaks):
    """The coefficients of the integral from the first breakpoint on."""
    n = c.shape[0]
    powers = np.reshape(np.arange(n, 0, -1.0), (-1, *(1,) * (c.ndim - 1)))
    rising = c / powers
    h = np.reshape(np.diff(breaks), (-1, *(1,) * (c.ndim - 2)))
    total = np.zeros(c.shape[1:])
    for m in range(n):
        total = (total + rising[m]) * h
    start = np.concatenate((np.zeros((1, *c.shape[2:])), np.cumsum(total[:-1], axis=0)))
    return np.concatenate((rising, start[None]))


@composed(PPoly.derivative)
def derivative(self, nu=1):
    """S' as a piecewise polynomial."""
    c, x = field_of(self, "c"), field_of(self, "x")
    return assembled(type(self), FIELDS, integrated(c, x, -nu) if nu < 0 else derivative_of(c, nu), x)


@composed(PPoly.antiderivative)
def antiderivative(self, nu=1):
    """∫ S as a piecewise polynomial, 0 at the first breakpoint."""
    c, x = field_of(self, "c"), field_of(self, "x")
    return assembled(type(self), FIELDS, integrated(c, x, nu) if nu > 0 else derivative_of(c, -nu), x)


def integrated(c, breaks, nu):
    """The coefficients of the nu-th antiderivative."""
    for _ in range(nu):
        c = antiderivative_of(c, breaks)
    return c


@composed(PPoly.integrate)
def integrate(self, a, b, extrapolate=None):
    """∫ S from a to b."""
    c, breaks = field_of(self, "c"), field_of(self, "x")
    (default,) = settings_of(self, "extrapolate")
    chosen = default if extrapolate is None else extrapolate
    whole = antiderivative_of(c, breaks)
    if chosen != "periodic":
        ends = values_at(whole, breaks, np.stack((a * 1.0, b * 1.0)), 0, chosen)
        return ends[1] - ends[0]
    sign = 1.0
    if b < a:
        a, b, sign = b, a, -1.0
    first, period = breaks[0], breaks[-1] - breaks[0]
    count, left = (b - a) // period, (b - a) % period
    start = wrapped(a, breaks)
    end = start + left
    over = end > breaks[-1]
    points = np.stack((first, breaks[-1], start, end - period if over else end))
    at = values_at(whole, breaks, points, 0, True)
    part = at[3] - at[2] + (at[1] - at[0] if over else 0.0)
    return sign * (count * (at[1] - at[0]) + part)
