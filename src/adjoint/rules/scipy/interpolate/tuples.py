"""FITPACK's functions of a spline: integrals, derivatives, roots, and knots that are put in."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy.interpolate import BSpline, UnivariateSpline, insert, spalde, splantider, splder, splint, sproot

from ...fields import assembled, field_of, settings_of
from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable
from .fitted import all_derivatives, flat_after, integral_of
from .splines import FIELDS, derived, filled, knot_before, risen, spline_at


def taken_apart(tck, function):
    """The knots, the coefficients and the degree."""
    if isinstance(tck, BSpline):
        refuse(f"scipy.interpolate.{function} of a `BSpline`", "the spline has methods for it", "use these")
    t, c, k = tck
    if np.ndim(c) > 1:
        refuse(f"scipy.interpolate.{function} of a curve", "a curve has several splines", "take one after the other")
    return np.asarray(t) * 1.0, np.asarray(c) * 1.0, k


@composed(splint)
def integral(a, b, tck, full_output=0):
    """∫ S from a to b."""
    t, c, k = taken_apart(tck, "splint")
    value = integral_of(t, c, k, a, b)
    if full_output:
        refuse("scipy.interpolate.splint(full_output=1)", "the integrals of the basis are not followed", "leave it out")
    return value


@composed(spalde)
def derivatives(x, tck):
    """S(x), S'(x) and so on, for each x."""
    t, c, k = taken_apart(tck, "spalde")
    points = np.reshape(np.asarray(x) * 1.0, (-1,))
    if len(points) == 1:
        return all_derivatives(t, c, k, points[0])
    return [all_derivatives(t, c, k, point) for point in points]


@composed(splder)
def derivative(tck, n=1):
    """S' as a spline."""
    t, c, k = taken_apart(tck, "splder")
    knots, bars, degree = derived(t, c, k, n)
    return knots, filled(bars, len(knots)), degree


@composed(splantider)
def antiderivative(tck, n=1):
    """∫ S as a spline."""
    t, c, k = taken_apart(tck, "splantider")
    for _ in range(n):
        t, c, k = risen(t, c, k)
    return t, flat_after(c, len(t)), k


def with_knot(t, c, k, x):
    """The knots and coefficients of the same spline, which has one knot more.

    Source: W. Boehm, Inserting new knots into B-spline curves, Computer-Aided Design 12 (1980), 199-201.
    """
    n = len(t) - k - 1
    at = int(knot_before(np.reshape(x, (1,)), t, k, n)[0])
    low, high = t[at - k + 1 : at + 1], t[at + 1 : at + k + 1]
    share = np.reshape((x - low) / (high - low), (-1, *(1,) * (c.ndim - 1)))
    mixed = share * c[at - k + 1 : at + 1] + (1.0 - share) * c[at - k : at]
    knots = np.concatenate((t[: at + 1], np.reshape(x, (1,)), t[at + 1 :]))
    return knots, np.concatenate((c[: at - k + 1], mixed, c[at:n]))


def with_knots(t, c, k, x, m):
    """`with_knot` for m times the same knot."""
    where = np.asarray(x) * 1.0
    for _ in range(m):
        t, c = with_knot(t, c, k, where)
    return t, c


@composed(insert)
def inserted(x, tck, m=1, per=0):
    """The same spline with one knot more, or m."""
    if per:
        refuse("scipy.interpolate.insert(per=1)", "its ends are tied together, and are not followed", "leave it out")
    t, c, k = taken_apart(tck, "insert")
    knots, more = with_knots(t, c, k, x, m)
    return knots, filled(more, len(knots)), k


if hasattr(BSpline, "insert_knot"):

    @composed(BSpline.insert_knot)
    def insert_knot(self, x, m=1):
        """The same spline with one knot more, or m."""
        k, extrapolate = settings_of(self, "k", "extrapolate")
        if extrapolate == "periodic":
            refuse("scipy.interpolate.BSpline.insert_knot", "a periodic spline has two ends to change", "use another")
        knots, more = with_knots(field_of(self, "t"), field_of(self, "c"), k, x, m)
        return assembled(BSpline, FIELDS, knots, filled(more, len(field_of(self, "c")) + m))


# Roots


def places_of_roots(t, c, k, most):
    """The roots."""
    return np.asarray(sproot((t, c, k), most))


def roots_of_fitted(spline):
    """The roots."""
    return np.asarray(spline.roots())


non_differentiable(places_of_roots, roots_of_fitted)


def corrected(t, c, k, roots):
    """Three steps of Newton from the roots, which leave them where they are, and have their derivatives up to the
    seventh."""
    for _ in range(3):
        roots = roots - spline_at(t, c, k, roots, 0, True) / spline_at(t, c, k, roots, 1, True)
    return roots


@composed(sproot)
def roots_of(tck, mest=10):
    """S(x) = 0, so ẋ = -Ṡ(x) / S'(x)."""
    t, c, k = taken_apart(tck, "sproot")
    return corrected(t, c, k, places_of_roots(t, c, k, mest))


@composed(UnivariateSpline.roots)
def roots(self):
    """S(x) = 0, so ẋ = -Ṡ(x) / S'(x)."""
    t, c, k = field_of(self, "_eval_args")
    return corrected(t, c, k, roots_of_fitted(self))
