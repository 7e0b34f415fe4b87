"""Values at scattered points: linear in the simplex that a point lies in, or that of the nearest one.

The triangulation is constant piece by piece; the shares of its corners move with them and with the point.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import inspect

import numpy as np
from scipy.interpolate import LinearNDInterpolator, NearestNDInterpolator, griddata, interp1d
from scipy.spatial import Delaunay

from ....tangents import Tangent, field_bar
from ...fields import assembled, field_of, settings_of
from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable, rule

FIELDS = ("points", "values")
BASE = LinearNDInterpolator.__mro__[1]


def coordinates(xi, ndim=None):
    """Points as an array whose last axis runs over the coordinates, from that or from one array for each of them."""
    if isinstance(xi, tuple) and len(xi) == 1:
        xi = xi[0]
    if isinstance(xi, tuple):
        return np.stack(np.broadcast_arrays(*[np.asarray(x) * 1.0 for x in xi]), axis=-1)
    points = np.asarray(xi) * 1.0
    if points.ndim > 1:
        return points
    return np.expand_dims(points, -1) if ndim in (None, 1) else np.reshape(points, (-1, ndim))


def corners(interpolator, points):
    """The corners of the simplex that each point lies in, and which points lie in none."""
    scaled = interpolator._scale_x(np.ascontiguousarray(points, dtype=float))
    simplex = interpolator.tri.find_simplex(scaled)
    return interpolator.tri.simplices[simplex], simplex < 0


def nearest(interpolator, points, options):
    """The index of the nearest point, and for which points there is none."""
    distance, index = interpolator.tree.query(interpolator._scale_x(points), **options)
    none = ~np.isfinite(distance)
    return np.where(none, 0, index), none


non_differentiable(corners, nearest)


def places_of(interpolator):
    """The points, as they were before they were scaled."""
    points, scale = interpolator.points, interpolator.scale
    return np.asarray(points) if scale is None else points * scale + interpolator.offset


def places_along(dots, y, interpolator):
    """The field of the tangent."""
    return field_bar(dots[0], "points")


@rule(places_of, forward=places_along)
def places_of_rule(interpolator):
    """One field of the cotangent."""

    def places_of_back(y_bar):
        return (Tangent(type(interpolator), {"points": y_bar}),)

    return places_of(interpolator), places_of_back


@composed(LinearNDInterpolator)
def linear_interpolator(points, values, fill_value=np.nan, rescale=False):
    """The points, and the values as rows."""
    places = settings_of(points, "points")[0] if isinstance(points, Delaunay) else coordinates(points)
    numbers = np.asarray(values) * 1.0
    return assembled(LinearNDInterpolator, FIELDS, places, np.reshape(numbers, (len(numbers), -1)))


@composed(BASE.__call__)
def linear_at(self, *args, **options):
    """Σ wᵢ vᵢ, where the shares w of the corners pᵢ solve Σ wᵢ pᵢ = x, Σ wᵢ = 1."""
    if not isinstance(self, LinearNDInterpolator):
        why = "the slopes at its points come from an iteration that stops early, and are not followed"
        refuse(f"scipy.interpolate.{type(self).__name__}", why, "use `LinearNDInterpolator` or `RBFInterpolator`")
    places, values = places_of(self), field_of(self, "values")
    shape, fill_value = settings_of(self, "values_shape", "fill_value")
    ndim = places.shape[1]
    points = coordinates(args, ndim)
    flat = np.reshape(points, (-1, ndim))
    vertices, outside = corners(self, flat)
    at = places[vertices]
    sides = at[:, :-1] - at[:, -1:]
    shares = np.linalg.solve(np.moveaxis(sides, 1, 2), np.expand_dims(flat - at[:, -1], -1))
    last = values[vertices[:, -1]]
    rises = values[vertices[:, :-1]] - np.expand_dims(last, 1)
    result = np.where(np.expand_dims(outside, -1), fill_value, last + np.sum(shares * rises, axis=1))
    return np.reshape(result, (*points.shape[:-1], *shape))


@composed(NearestNDInterpolator)
def nearest_interpolator(x, y, rescale=False, tree_options=None):
    """The values as they are; which is the nearest carries no derivative."""
    return assembled(NearestNDInterpolator, FIELDS, coordinates(x), np.asarray(y) * 1.0)


@composed(NearestNDInterpolator.__call__)
def nearest_at(self, *args, **query_options):
    """The value of the nearest point."""
    values = field_of(self, "values")
    (places,) = settings_of(self, "points")
    points = coordinates(args, places.shape[1])
    index, none = nearest(self, np.reshape(points, (-1, places.shape[1])), query_options)
    trailing = (len(index), *(1,) * (values.ndim - 1))
    result = np.where(np.reshape(none, trailing), np.nan, values[index])
    return np.reshape(result, (*points.shape[:-1], *values.shape[1:]))


def griddata_at(points, values, xi, method="linear", fill_value=np.nan, rescale=False):
    """The interpolator of this name, at the points."""
    return scattered(points, values, xi, method, fill_value, rescale, {})


def griddata_within(points, values, xi, method="linear", fill_value=np.nan, rescale=False, simplex_tolerance=1.0):
    """The interpolator of this name, at the points."""
    return scattered(points, values, xi, method, fill_value, rescale, {"simplex_tolerance": simplex_tolerance})


def scattered(points, values, xi, method, fill_value, rescale, options):
    """As `griddata`."""
    places = coordinates(points)
    if places.shape[-1] == 1:
        at = xi[0] if isinstance(xi, tuple) else xi
        fill = "extrapolate" if method == "nearest" else fill_value
        ends = {"bounds_error": False, "fill_value": fill}
        return interp1d(np.ravel(places), np.asarray(values), kind=method, axis=0, **ends)(at)
    if method == "nearest":
        return NearestNDInterpolator(places, values, rescale=rescale)(xi)
    if method != "linear":
        why = "the slopes at its points come from an iteration that stops early, and are not followed"
        refuse(f"scipy.interpolate.griddata(method={method!r})", why, "use method='linear', or `RBFInterpolator`")
    return LinearNDInterpolator(places, values, fill_value=fill_value, rescale=rescale)(xi, **options)


composed(griddata)(griddata_within if "simplex_tolerance" in inspect.signature(griddata).parameters else griddata_at)
