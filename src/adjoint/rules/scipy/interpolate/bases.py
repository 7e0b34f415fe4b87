"""Piecewise polynomials from one basis to another: of Bernstein, of B-splines, of powers; and of several variables."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import math

import numpy as np
from scipy.interpolate import BPoly, BSpline, NdPPoly, PPoly, lagrange

from ...fields import assembled, field_of, settings_of
from ...numpy.lifting import composed
from .piecewise import FIELDS, antiderivative_of, column_of, falling, interval_of, powers_of, values_at
from .splines import spline_at


def bernstein_of(c, breaks):
    """Coefficients of Bernstein's polynomials from those of powers: bⱼ = Σ C(j, s) / C(k, s) hˢ cₛ."""
    h, k = column_of(breaks, c), c.shape[0] - 1
    rows = [c[k - s] * h**s / math.comb(k, s) for s in range(k + 1)]
    sums = [np.stack([math.comb(j, s) * rows[s] for s in range(j + 1)]) for j in range(k + 1)]
    return np.stack([np.sum(terms, axis=0) for terms in sums])


@composed(BPoly)
def bernstein_polynomials(c, x, extrapolate=None, axis=0):
    """The coefficients and breakpoints as they are."""
    coefficients = np.asarray(c)
    if axis:
        coefficients = np.moveaxis(coefficients, (axis, axis + 1), (0, 1))
    return assembled(BPoly, FIELDS, coefficients * 1.0, np.asarray(x) * 1.0)


@composed(PPoly.from_bernstein_basis.__func__)
def from_bernstein_basis(cls, bp, extrapolate=None):
    """The same polynomials by powers."""
    x = field_of(bp, "x")
    return assembled(cls, FIELDS, powers_of(field_of(bp, "c"), x), x * 1.0)


@composed(BPoly.from_power_basis.__func__)
def from_power_basis(cls, pp, extrapolate=None):
    """The same polynomials in the basis of Bernstein."""
    x = field_of(pp, "x")
    return assembled(cls, FIELDS, bernstein_of(field_of(pp, "c"), x), x * 1.0)


@composed(PPoly.from_spline.__func__)
def from_spline(cls, tck, extrapolate=None):
    """The derivatives of the spline at its knots."""
    if isinstance(tck, BSpline):
        t, c, k = field_of(tck, "t"), field_of(tck, "c"), settings_of(tck, "k")[0]
    else:
        t, c, k = tck
        t, c = np.asarray(t) * 1.0, np.asarray(c) * 1.0
    rows = [spline_at(t, c, k, t[:-1], m, True) / math.factorial(m) for m in range(k, -1, -1)]
    return assembled(cls, FIELDS, np.stack(rows), t * 1.0)


@composed(BPoly.derivative)
def derivative(self, nu=1):
    """S' in the same basis: the differences of the coefficients."""
    c, x = field_of(self, "c"), field_of(self, "x")
    for _ in range(nu):
        c = np.diff(c, axis=0) * (c.shape[0] - 1) / column_of(x, c) if c.shape[0] > 1 else c * 0.0
    for _ in range(-nu):
        c = risen(c, x)
    return assembled(BPoly, FIELDS, c, x * 1.0)


@composed(BPoly.antiderivative)
def antiderivative(self, nu=1):
    """∫ S in the same basis, 0 at the first breakpoint."""
    c, x = field_of(self, "c"), field_of(self, "x")
    for _ in range(nu):
        c = risen(c, x)
    return assembled(BPoly, FIELDS, c, x * 1.0)


def risen(c, x):
    """The coefficients of the antiderivative: sums, and those of the intervals before."""
    parts = np.cumsum(c, axis=0) * column_of(x, c) / c.shape[0]
    own = np.concatenate((np.zeros((1, *c.shape[1:])), parts))
    before = np.concatenate((np.zeros((1, *c.shape[2:])), np.cumsum(parts[-1], axis=0)[:-1]))
    return own + before


@composed(BPoly.integrate)
def integrate(self, a, b, extrapolate=None):
    """∫ S from a to b."""
    if extrapolate == "periodic" or extrapolate is None and settings_of(self, "extrapolate")[0] == "periodic":
        return PPoly.from_bernstein_basis(self).integrate(a, b, "periodic")
    x = field_of(self, "x")
    whole = antiderivative_of(powers_of(field_of(self, "c"), x), x)
    ends = values_at(whole, x, np.stack((a * 1.0, b * 1.0)), 0, extrapolate is None or extrapolate)
    return ends[1] - ends[0]


# Of several variables


@composed(NdPPoly)
def tensor_polynomials(c, x, extrapolate=None):
    """The coefficients and breakpoints as they are."""
    return assembled(NdPPoly, FIELDS, np.asarray(c) * 1.0, tuple([np.asarray(v) * 1.0 for v in x]))


@composed(NdPPoly.__call__)
def evaluate(self, x, nu=None, extrapolate=None):
    """S(x), or a partial derivative of it."""
    c, breaks = field_of(self, "c"), field_of(self, "x")
    (default,) = settings_of(self, "extrapolate")
    chosen = default if extrapolate is None else extrapolate
    ndim = len(breaks)
    where = np.asarray(x) * 1.0
    points = np.reshape(where, (-1, ndim))
    orders = (0,) * ndim if nu is None else tuple(nu)
    cells = [interval_of(points[:, i], breaks[i], bool(chosen)) for i in range(ndim)]
    every = (slice(None),) * ndim
    rows = c[(*every, *[cell for cell, _ in cells])]
    outside = np.zeros(len(points), bool)
    for i in range(ndim):
        cell, beyond = cells[i]
        d = np.reshape(points[:, i] - breaks[i][cell], (-1, *(1,) * (c.ndim - 2 * ndim)))
        rows = of_powers(rows, d, orders[i])
        outside = outside | beyond
    result = np.where(np.reshape(outside, (-1, *(1,) * (rows.ndim - 1))), np.nan, rows) if np.any(outside) else rows
    return np.reshape(result, (*where.shape[:-1], *c.shape[2 * ndim :]))


def of_powers(c, d, nu):
    """Σ cₘ dᵐ by the first axis of c, or a derivative of it."""
    degree = c.shape[0] - 1
    value = np.zeros(c.shape[1:])
    for m in range(degree - nu + 1):
        value = value * d + falling(degree - m, nu) * c[m]
    return value


@composed(lagrange)
def through(x, w):
    """The polynomial through all points: Σ wⱼ Π (p - xₖ) / (xⱼ - xₖ)."""
    points, values = np.asarray(x) * 1.0, np.asarray(w) * 1.0
    n = len(points)
    total = np.zeros(n)
    for j in range(n):
        c = np.reshape(values[j], (1,))
        for k in range(n):
            if k != j:
                gap = points[j] - points[k]
                c = np.convolve(c, np.stack((1.0 / gap, -points[k] / gap)))
        total = total + c
    return np.poly1d(total)
