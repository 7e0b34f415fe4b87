"""Values on a grid of several dimensions: linear between its corners, or that of the nearest one."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import itertools

import numpy as np
from scipy.interpolate import RegularGridInterpolator, interpn

from ...fields import assembled, field_of, settings_of
from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable

FIELDS = ("grid", "values", "fill_value")


def descending(points):
    """Which axes of a grid run downwards."""
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


def between(grid, values, points, method, bounds_error, fill_value):
    """The values at the rows of `points`."""
    ndim = len(grid)
    lows, beyond = cells(grid, points)
    shares = [
        (points[:, i] - grid[i][low]) / (grid[i][low + 1] - grid[i][low]) if len(grid[i]) > 1 else points[:, i] * 0.0
        for i, low in enumerate(lows)
    ]
    trailing = (len(points), *(1,) * (values.ndim - ndim))
    if method == "nearest":
        result = values[tuple([np.where(share <= 0.5, low, low + 1) for low, share in zip(lows, shares, strict=True)])]
    else:
        result = np.zeros((len(points), *values.shape[ndim:]))
        for corner in itertools.product((0, 1), repeat=ndim):
            weight = np.ones(len(points))
            for share, high in zip(shares, corner, strict=True):
                weight = weight * (share if high else 1.0 - share)
            sizes = [len(axis) for axis in grid]
            place = tuple([np.minimum(low + high, n - 1) for low, high, n in zip(lows, corner, sizes, strict=True)])
            result = result + np.reshape(weight, trailing) * values[place]
    if not bounds_error and fill_value is not None:
        result = np.where(np.reshape(beyond, trailing), fill_value, result)
    return result


def ascending(points, values):
    """The grid and its values with all axes running upwards."""
    down = descending(points)
    axes = tuple([np.flip(np.asarray(a) * 1.0) if i in down else np.asarray(a) * 1.0 for i, a in enumerate(points)])
    numbers = np.asarray(values) * 1.0
    return axes, np.flip(numbers, axis=down) if down else numbers


def check_method(function, method):
    """Raise unless the method is one that has a rule."""
    if method not in ("linear", "nearest"):
        why = f"method={method!r} is made of splines along each axis"
        refuse(f"scipy.interpolate.{function}", why, "use method='linear', or `make_interp_spline` along each axis")


@composed(RegularGridInterpolator)
def grid_of(points, values, method="linear", bounds_error=True, fill_value=np.nan, *, solver=None, solver_args=None):
    """The grid and its values."""
    check_method("RegularGridInterpolator", method)
    return assembled(RegularGridInterpolator, FIELDS, *ascending(points, values), fill_value)


@composed(RegularGridInterpolator.__call__)
def evaluate(self, xi, method=None, *, nu=None):
    """The value at each point."""
    default, bounds_error = settings_of(self, "method", "bounds_error")
    fill_value = field_of(self, "fill_value")
    chosen = default if method is None else method
    check_method("RegularGridInterpolator", chosen)
    grid, values = field_of(self, "grid"), field_of(self, "values")
    points = points_of(xi, len(grid))
    flat = np.reshape(points, (-1, len(grid)))
    result = between(grid, values, flat, chosen, bounds_error, fill_value)
    return np.reshape(result, (*points.shape[:-1], *values.shape[len(grid) :]))


@composed(interpn)
def interpn_at(points, values, xi, method="linear", bounds_error=True, fill_value=np.nan):
    """The value at each point."""
    check_method("interpn", method)
    grid, numbers = ascending(points, values)
    where = points_of(xi, len(grid))
    result = between(grid, numbers, np.reshape(where, (-1, len(grid))), method, bounds_error, fill_value)
    return np.reshape(result, (*where.shape[:-1], *numbers.shape[len(grid) :]))
