"""Splines of several variables, whose basis is made of products of those of one: by knots, coefficients and points.

Source: C. de Boor, A Practical Guide to Splines (1978), XVII.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy.interpolate import NdBSpline

from ...fields import assembled, field_of, settings_of
from ...numpy.lifting import composed
from .collocation import knots_for, solved
from .splines import averaged, beyond, derived, knot_before


def shares_of(t, k, x, n):
    """The first coefficient that counts at each x, and the shares of that and of the k next."""
    place = knot_before(x, t, k, n)
    return place - k, averaged(t, k, x, place, np.eye(k + 1)[:, None] + np.zeros((1, len(x), 1)))


def derived_along(t, c, k, nu, axis):
    """The knots, coefficients and degree of a derivative by one of the variables."""
    if nu == 0:
        return t, c, k
    knots, coefficients, degree = derived(t, np.moveaxis(c, axis, 0), k, nu)
    return knots, np.moveaxis(coefficients, 0, axis), degree


def tensor_at(knots, c, degrees, points, orders):
    """A partial derivative of the spline at the rows of `points`."""
    ndim = len(knots)
    places, weight = [], np.ones((len(points), *(1,) * ndim))
    for axis, (t, k, nu) in enumerate(zip(knots, degrees, orders, strict=True)):
        t, c, k = derived_along(t, c, k, nu, axis)
        start, share = shares_of(t, k, points[:, axis], len(t) - k - 1)
        shape = (len(points), *(1,) * axis, k + 1, *(1,) * (ndim - 1 - axis))
        places.append(np.reshape(start[:, None] + np.arange(k + 1), shape))
        weight = weight * np.reshape(share, shape)
    trailing = (*weight.shape, *(1,) * (c.ndim - ndim))
    return np.sum(np.reshape(weight, trailing) * c[tuple(places)], axis=tuple(range(1, ndim + 1)))


def tensor_through(grid, values, degrees):
    """The knots and coefficients of the spline through values on a grid."""
    knots, c = [], values
    for axis, (x, k) in enumerate(zip(grid, degrees, strict=True)):
        t = knots_for(x, k)
        knots.append(t)
        if k > 1:
            c = np.moveaxis(solved(t, x, np.moveaxis(c, axis, 0), k, (), (), False), 0, axis)
    return knots, c


@composed(NdBSpline)
def spline_of(t, c, k, *, extrapolate=None):
    """The knots and coefficients as they are."""
    return assembled(NdBSpline, ("t", "c"), tuple([np.asarray(knots) * 1.0 for knots in t]), np.asarray(c) * 1.0)


@composed(NdBSpline.__call__)
def evaluate(self, xi, *, nu=None, extrapolate=None):
    """S(x), or a partial derivative of it."""
    degrees, default = settings_of(self, "k", "extrapolate")
    knots, c = field_of(self, "t"), field_of(self, "c")
    chosen = default if extrapolate is None else extrapolate
    points = np.asarray(xi) * 1.0
    flat = np.reshape(points, (-1, len(knots)))
    result = tensor_at(knots, c, degrees, flat, (0,) * len(knots) if nu is None else tuple(nu))
    if not chosen:
        outside = np.zeros(len(flat), bool)
        for axis, (t, k) in enumerate(zip(knots, degrees, strict=True)):
            outside = outside | beyond(flat[:, axis], t, k, len(t) - k - 1)
        result = np.where(np.reshape(outside, (-1, *(1,) * (result.ndim - 1))), np.nan, result)
    return np.reshape(result, (*points.shape[:-1], *c.shape[len(knots) :]))
