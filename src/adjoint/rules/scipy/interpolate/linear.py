"""`interp1d`, by the points, the values and where it is asked: linear, by neighbours, or through a spline."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy.interpolate import BarycentricInterpolator, KroghInterpolator, interp1d, make_interp_spline

from ...fields import assembled, field_of, settings_of
from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable
from .cubic import first_axis
from .piecewise import in_place_of_axis
from .polynomials import newton_of

FIELDS = ("x", "y", "_fill_value_orig")
DEGREES = {"zero": 0, "slinear": 1, "quadratic": 2, "cubic": 3}


def order_of(x):
    """The order that sorts the points."""
    return np.argsort(x, kind="mergesort")


def picked(self, x_new):
    """The place of the value that `interp1d` takes for each point; -1 beyond the ends."""
    places = interp1d(self.x, np.arange(len(self.x)), self._kind, bounds_error=False, fill_value=-1.0)
    inside = np.clip(x_new, self.x[0], self.x[-1]) if self._extrapolate else x_new
    return places(inside).astype(int)


def intervals(x, x_new):
    """The end of the interval that each point lies in."""
    return np.clip(np.searchsorted(x, x_new), 1, len(x) - 1)


def fills(self):
    """Tell whether values beyond the ends are filled in, and whether another one on either side."""
    return not self._extrapolate, isinstance(self._fill_value_orig, tuple) and len(self._fill_value_orig) == 2


def spline_degree(self):
    """The degree of the spline that is behind it."""
    return self._spline.k


non_differentiable(order_of, picked, intervals, fills, spline_degree)


@composed(interp1d)
def interpolant_of(x, y, kind="linear", axis=-1, copy=True, bounds_error=None, fill_value=np.nan, assume_sorted=False):
    """The points and values in order."""
    points, values = np.asarray(x) * 1.0, np.asarray(y) * 1.0
    if not assume_sorted:
        order = order_of(points)
        points, values = points[order], np.take(values, order, axis=axis)
    if isinstance(fill_value, str) and kind == "previous":
        return assembled(interp1d, FIELDS, points, values, (np.nan, np.take(values, -1, axis)))
    if isinstance(fill_value, str) and kind == "next":
        return assembled(interp1d, FIELDS, points, values, (np.take(values, 0, axis), np.nan))
    return assembled(interp1d, FIELDS, points, values, fill_value)


@composed(interp1d.__call__)
def evaluate(self, x):
    """The value at x."""
    if isinstance(self, KroghInterpolator | BarycentricInterpolator):
        return newton_of(self, x)
    if not isinstance(self, interp1d):
        refuse(f"scipy.interpolate.{type(self).__name__}", "it is of a class that is not known", "use `interp1d`")
    axis, kind = settings_of(self, "axis", "_kind")
    points, values = field_of(self, "x"), first_axis(field_of(self, "y"), axis)
    flat = np.ravel(np.asarray(x) * 1.0)
    trailing = (len(flat), *(1,) * (values.ndim - 1))
    if kind == "linear":
        high = intervals(points, flat)
        low = high - 1
        share = np.reshape((flat - points[low]) / (points[high] - points[low]), trailing)
        result = values[low] + share * (values[high] - values[low])
    elif kind == "spline":
        result = make_interp_spline(points, values, spline_degree(self))(flat)
    else:
        result = values[picked(self, flat)]
    filled, two = fills(self)
    if filled:
        fill = field_of(self, "_fill_value_orig")
        below, above = (fill[0], fill[1]) if two else (fill, fill)
        under, over = np.reshape(flat < points[0], trailing), np.reshape(flat > points[-1], trailing)
        result = np.where(under, below, np.where(over, above, result))
    return in_place_of_axis(result, x, axis)
