"""Splines of two variables, as FITPACK gives them: their knots, their coefficients and the points."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy.interpolate import BivariateSpline, RectBivariateSpline, bisplev

from ...fields import assembled, field_of, settings_of
from ...numpy.lifting import composed, refuse
from ..precision import in_doubles
from .collocation import knots_for, solved
from .fitted import SMOOTHING, integral_of, widened
from .splines import de_boor
from .tensor import derived_along, tensor_at

FIELDS = ("tck",)
BASE = BivariateSpline.__mro__[1]


@composed(RectBivariateSpline)
def through_grid(x, y, z, bbox=(None, None, None, None), kx=3, ky=3, s=0, maxit=20):
    """The spline through all values."""
    if s > 0:
        refuse("scipy.interpolate.RectBivariateSpline(s > 0)", SMOOTHING, "give s=0")
    at_x, at_y = in_doubles(x), in_doubles(y)
    tx, ty = widened(knots_for(at_x, kx), kx, *bbox[:2]), widened(knots_for(at_y, ky), ky, *bbox[2:])
    rows = solved(tx, at_x, in_doubles(z), kx, (), (), False)
    c = solved(ty, at_y, rows.T, ky, (), (), False).T
    return assembled(RectBivariateSpline, FIELDS, (tx, ty, np.ravel(c)))


def surface_at(tx, ty, c, degrees, x, y, orders, grid):
    """A partial derivative of the surface, which goes on as it is at its edges."""
    kx, ky = degrees
    n, m = len(tx) - kx - 1, len(ty) - ky - 1
    table = np.reshape(c[: n * m], (n, m))
    at_x, at_y = np.clip(np.asarray(x) * 1.0, tx[kx], tx[n]), np.clip(np.asarray(y) * 1.0, ty[ky], ty[m])
    if not grid:
        at_x, at_y = np.broadcast_arrays(at_x, at_y)
        points = np.stack((np.ravel(at_x), np.ravel(at_y)), axis=-1)
        return np.reshape(tensor_at((tx, ty), table, degrees, points, orders), at_x.shape)
    by_x, rows, degree = derived_along(tx, table, kx, orders[0], 0)
    rows = de_boor(by_x, rows, degree, np.ravel(at_x))
    by_y, columns, degree = derived_along(ty, rows, ky, orders[1], 1)
    return de_boor(by_y, columns.T, degree, np.ravel(at_y)).T


@composed(BASE.__call__)
def evaluate(self, x, y, dx=0, dy=0, grid=True):
    """z = s(x, y), on the grid of all x and y or at pairs of them."""
    tx, ty, c = field_of(self, "tck")
    (degrees,) = settings_of(self, "degrees")
    return surface_at(tx, ty, c, degrees, x, y, (dx, dy), grid)


@composed(BivariateSpline.ev)
def at_pairs(self, xi, yi, dx=0, dy=0):
    """z = s(x, y) at pairs."""
    tx, ty, c = field_of(self, "tck")
    (degrees,) = settings_of(self, "degrees")
    return surface_at(tx, ty, c, degrees, xi, yi, (dx, dy), False)


@composed(BASE.get_knots)
def knots(self):
    """The knots by both variables."""
    tx, ty, _ = field_of(self, "tck")
    return tx * 1.0, ty * 1.0


@composed(BASE.get_coeffs)
def coefficients(self):
    """The coefficients in one row."""
    return field_of(self, "tck")[2] * 1.0


@composed(BASE.partial_derivative)
def partial_derivative(self, dx, dy):
    """A partial derivative as a spline."""
    tx, ty, c = field_of(self, "tck")
    (degrees,) = settings_of(self, "degrees")
    table = np.reshape(c, (len(tx) - degrees[0] - 1, len(ty) - degrees[1] - 1))
    tx, table, _ = derived_along(tx, table, degrees[0], dx, 0)
    ty, table, _ = derived_along(ty, table, degrees[1], dy, 1)
    return assembled(BASE, FIELDS, (tx, ty, np.ravel(table)))


@composed(BivariateSpline.integral)
def integral(self, xa, xb, ya, yb):
    """∫∫ s dy dx, where s is 0 beyond its edges."""
    tx, ty, c = field_of(self, "tck")
    (degrees,) = settings_of(self, "degrees")
    kx, ky = degrees
    n, m = len(tx) - kx - 1, len(ty) - ky - 1
    rows = integral_of(tx, np.reshape(c, (n, m)), kx, xa, xb)
    return integral_of(ty, rows, ky, ya, yb)


@composed(bisplev)
def bisplev_at(x, y, tck, dx=0, dy=0):
    """z = s(x, y) on the grid; a number or a row where x or y is a number."""
    tx, ty, c, kx, ky = tck
    by_x, by_y, table = np.asarray(tx) * 1.0, np.asarray(ty) * 1.0, np.asarray(c) * 1.0
    z = surface_at(by_x, by_y, table, (kx, ky), x, y, (dx, dy), True)
    if z.shape[0] > 1 and z.shape[1] > 1:
        return z
    return z[0] if z.shape[1] > 1 else z[:, 0] if z.shape[0] > 1 else z[0, 0]
