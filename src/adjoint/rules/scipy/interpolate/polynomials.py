"""The polynomial through all points, in the form of Newton."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy.interpolate import (
    BarycentricInterpolator,
    KroghInterpolator,
    barycentric_interpolate,
    krogh_interpolate,
)

from ...fields import assembled, field_of, settings_of
from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable
from .cubic import first_axis
from .piecewise import in_place_of_axis

FIELDS = ("xi", "yi")


def check_apart(points):
    """Refuse points of which one is repeated: SciPy takes the values there for those of derivatives."""
    if len(set(points.tolist())) < len(points):
        refuse("scipy.interpolate.KroghInterpolator", "points that are repeated stand for derivatives", "use others")


non_differentiable(check_apart)


def newton(points, values, x):
    """The polynomial at a vector of points, one row for each: divided differences, then the scheme of Horner."""
    check_apart(points)
    rows = [values[i] for i in range(len(points))]
    coefficients = [rows[0]]
    for order in range(1, len(points)):
        gaps = [points[i + order] - points[i] for i in range(len(rows) - 1)]
        rows = [(rows[i + 1] - rows[i]) / gap for i, gap in enumerate(gaps)]
        coefficients.append(rows[0])
    trailing = (len(x), *(1,) * (values.ndim - 1))
    result = np.zeros((len(x), *values.shape[1:])) + coefficients[-1]
    for i in range(len(points) - 2, -1, -1):
        result = result * np.reshape(x - points[i], trailing) + coefficients[i]
    return result


def flattened_rows(y, axis):
    """Values with the axis of interpolation first, the others in one."""
    values = first_axis(y, axis) * 1.0
    return np.reshape(values, (values.shape[0], -1))


@composed(BarycentricInterpolator)
def barycentric(xi, yi=None, axis=0, *, wi=None, rng=None, random_state=None):
    """The points and values as they are."""
    if yi is None or wi is not None:
        refuse(
            "scipy.interpolate.BarycentricInterpolator",
            "values that are given later, and weights, are not followed",
            "give y",
        )
    return assembled(BarycentricInterpolator, FIELDS, np.asarray(xi) * 1.0, flattened_rows(yi, axis))


@composed(KroghInterpolator)
def krogh(xi, yi, axis=0):
    """The points and values as they are."""
    points = np.asarray(xi) * 1.0
    check_apart(points)
    return assembled(KroghInterpolator, FIELDS, points, flattened_rows(yi, axis))


def newton_of(self, x):
    """The polynomial through all points."""
    axis, shape = settings_of(self, "_y_axis", "_y_extra_shape")
    values = newton(field_of(self, "xi"), field_of(self, "yi"), np.ravel(np.asarray(x) * 1.0))
    return in_place_of_axis(np.reshape(values, (len(values), *shape)), x, axis)


if "__call__" in vars(BarycentricInterpolator):
    composed(BarycentricInterpolator.__call__)(newton_of)


def _through(xi, yi, x, axis, der):
    if not isinstance(der, int) or der != 0:
        refuse(
            "the polynomial through points, asked for derivatives,",
            "only its values are followed",
            "use `make_interp_spline`",
        )
    values = first_axis(yi, axis) * 1.0
    return in_place_of_axis(newton(np.asarray(xi) * 1.0, values, np.ravel(np.asarray(x) * 1.0)), x, axis)


@composed(barycentric_interpolate)
def barycentric_at(xi, yi, x, axis=0, *, der=0, rng=None):
    """The polynomial through all points."""
    return _through(xi, yi, x, axis, der)


@composed(krogh_interpolate)
def krogh_at(xi, yi, x, der=0, axis=0):
    """The polynomial through all points."""
    return _through(xi, yi, x, axis, der)
