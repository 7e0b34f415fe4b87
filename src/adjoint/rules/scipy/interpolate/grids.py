"""Values on a grid of several dimensions: linear between its corners, that of the nearest one, or by splines."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import itertools

import numpy as np
from scipy.interpolate import PchipInterpolator, RectBivariateSpline, RegularGridInterpolator, interpn

from ...fields import assembled, field_of, settings_of
from ...numpy.lifting import composed
from ...registry import non_differentiable
from .cubic import pchip_slopes
from .piecewise import interval_of
from .tensor import tensor_at, tensor_through

FIELDS = ("grid", "values", "fill_value")
DEGREES = {"slinear": 1, "cubic": 3, "quintic": 5}


def descending(points):
    """The axes of a grid that run downwards."""
    return tuple([i for i, axis in enumerate(points) if np.asarray(axis)[-1] < np.asarray(axis)[0]])


def cells(grid, points):
    """In which cell each point lies, by each axis; and which points lie outside of the grid."""
    lows = [np.clip(np.searchsorted(a, p) - 1, 0, max(len(a) - 2, 0)) for a, p in zip(grid, points.T, strict=True)]
    beyond = np.zeros(len(points), bool)
    for a, p in zip(grid, points.T, strict=True):
        beyond = beyond | (p < a[0]) | (p > a[-1])
    return lows, beyond


non_differentiable(descending, cells)


def points_of(xi, ndim):
    """The points as an array whose last axis runs over the coordinates."""
    if isinstance(xi, tuple):
        return np.stack(np.broadcast_arrays(*[np.asarray(x) * 1.0 for x in xi]), axis=-1)
    points = np.asarray(xi) * 1.0
    return np.expand_dims(points, -1) if ndim == 1 and points.ndim == 1 else points


def between(grid, values, points, method, bounds_error, fill_value, nu=None):
    """The values at the rows of `points`."""
    ndim = len(grid)
    lows, beyond = cells(grid, points)
    trailing = (len(points), *(1,) * (values.ndim - ndim))
    if method not in ("linear", "nearest"):
        result = by_splines(grid, values, points, method, nu)
    else:
        result = by_corners(grid, values, points, lows, method)
    if not bounds_error and fill_value is not None:
        result = np.where(np.reshape(beyond, trailing), fill_value, result)
    return result


def by_corners(grid, values, points, lows, method):
    """The values linear between the corners of the cells, or those of the nearest corners."""
    ndim = len(grid)
    shares = [
        (points[:, i] - grid[i][low]) / (grid[i][low + 1] - grid[i][low]) if len(grid[i]) > 1 else points[:, i] * 0.0
        for i, low in enumerate(lows)
    ]
    trailing = (len(points), *(1,) * (values.ndim - ndim))
    if method == "nearest":
        return values[tuple([np.where(shares[i] <= 0.5, lows[i], lows[i] + 1) for i in range(ndim)])]
    result = np.zeros((len(points), *values.shape[ndim:]))
    for corner in itertools.product((0, 1), repeat=ndim):
        weight = np.ones(len(points))
        for i in range(ndim):
            weight = weight * (shares[i] if corner[i] else 1.0 - shares[i])
        place = tuple([np.minimum(lows[i] + corner[i], len(grid[i]) - 1) for i in range(ndim)])
        result = result + np.reshape(weight, trailing) * values[place]
    return result


def by_splines(grid, values, points, method, nu):
    """The spline through all values, or monotone cubics by one axis after the other, the last one first."""
    ndim = len(grid)
    if method != "pchip":
        degrees = (DEGREES[method.removesuffix("_legacy")],) * ndim
        knots, c = tensor_through(grid, values, degrees)
        return tensor_at(knots, c, degrees, points, (0,) * ndim if nu is None else tuple(nu))
    rows = np.moveaxis(PchipInterpolator(grid[-1], values, axis=ndim - 1)(points[:, -1]), ndim - 1, 0)
    for axis in range(ndim - 2, -1, -1):
        rows = monotone(grid[axis], np.moveaxis(rows, axis + 1, 0), points[:, axis])
    return rows


def monotone(x, y, at):
    """The monotone cubic through y[:, i] at the i-th point, for each i."""
    slopes = pchip_slopes(x, y)
    k, _ = interval_of(at, x, True)
    each = np.arange(len(at))
    trailing = (len(at), *(1,) * (y.ndim - 2))
    h, s = np.reshape(x[k + 1] - x[k], trailing), np.reshape((at - x[k]) / (x[k + 1] - x[k]), trailing)
    rise = y[k + 1, each] - y[k, each]
    bend = h * (slopes[k, each] + slopes[k + 1, each]) - 2 * rise
    return y[k, each] + s * (h * slopes[k, each] + s * (rise - h * slopes[k, each] - (1 - s) * bend))


def ascending(points, values):
    """The grid and its values with all axes running upwards."""
    down = descending(points)
    axes = tuple([np.flip(np.asarray(a) * 1.0) if i in down else np.asarray(a) * 1.0 for i, a in enumerate(points)])
    numbers = np.asarray(values) * 1.0
    return axes, np.flip(numbers, axis=down) if down else numbers


@composed(RegularGridInterpolator)
def grid_of(points, values, method="linear", bounds_error=True, fill_value=np.nan, *, solver=None, solver_args=None):
    """The grid and its values."""
    return assembled(RegularGridInterpolator, FIELDS, *ascending(points, values), fill_value)


@composed(RegularGridInterpolator.__call__)
def evaluate(self, xi, method=None, *, nu=None):
    """The value at each point."""
    default, bounds_error = settings_of(self, "method", "bounds_error")
    fill_value = field_of(self, "fill_value")
    chosen = default if method is None else method
    grid, values = field_of(self, "grid"), field_of(self, "values")
    points = points_of(xi, len(grid))
    flat = np.reshape(points, (-1, len(grid)))
    result = between(grid, values, flat, chosen, bounds_error, fill_value, nu)
    return np.reshape(result, (*points.shape[:-1], *values.shape[len(grid) :]))


@composed(interpn)
def interpn_at(points, values, xi, method="linear", bounds_error=True, fill_value=np.nan):
    """The value at each point."""
    grid, numbers = ascending(points, values)
    where = points_of(xi, len(grid))
    if method == "splinef2d":
        flat = np.reshape(where, (-1, 2))
        _, beyond = cells(grid, flat)
        inside = RectBivariateSpline(*grid, numbers).ev(flat[:, 0], flat[:, 1])
        return np.reshape(np.where(beyond, fill_value, inside), where.shape[:-1])
    result = between(grid, numbers, np.reshape(where, (-1, len(grid))), method, bounds_error, fill_value)
    return np.reshape(result, (*where.shape[:-1], *numbers.shape[len(grid) :]))
