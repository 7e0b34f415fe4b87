"""Splines of FITPACK that have been fitted before: by the points at which they are evaluated."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy.interpolate import BivariateSpline, BSpline, UnivariateSpline, make_lsq_spline

from ....tangents import unknown
from ...fields import assembled
from ...numpy.lifting import composed
from ...numpy.linear import bring_back
from ...registry import non_differentiable, rule
from .cubic import first_axis
from .splines import FIELDS, de_boor


def degree_of(spline):
    """The degree of a spline of one variable."""
    return spline._data[5]


def clamped(spline, x, ext):
    """Which points lie where the spline goes on as a constant."""
    mode = spline.ext if ext is None else ext
    ends = spline._data[3:5]
    return (mode in (3, "const")) & ((x < ends[0]) | (x > ends[1]))


non_differentiable(degree_of, clamped)


@rule(UnivariateSpline.__call__)
def evaluate_rule(self, x, nu=0, ext=None):
    """y = s⁽ⁿ⁾(x), so x̄ = ȳ s⁽ⁿ⁺¹⁾(x)."""

    def evaluate_back(y_bar):
        points = np.asarray(x) * 1.0
        if nu >= degree_of(self):
            return unknown("the spline"), bring_back(np.zeros(points.shape), x)
        slope = np.where(clamped(self, points, ext), 0.0, self(points, nu + 1, ext))
        return unknown("the spline"), bring_back(y_bar * slope, x)

    return self(x, nu, ext), evaluate_back


def is_steep(spline, dx, dy):
    """Whether the next derivatives by x and by y are among those that FITPACK evaluates: of lower order than the
    degree."""
    kx, ky = spline.degrees
    return dx + 1 < kx, dy + 1 < ky


non_differentiable(is_steep)


@rule(BivariateSpline.__call__)
def on_grid_rule(self, x, y, dx=0, dy=0, grid=True):
    """z = s(x, y), on the grid of all x and y or at pairs of them."""

    def on_grid_back(z_bar):
        x_bar, y_bar = unknown("x, of a spline that is not smooth enough"), unknown("y, of such a spline")
        by_x, by_y = is_steep(self, dx, dy)
        if by_x:
            along = z_bar * self(x, y, dx + 1, dy, grid)
            x_bar = bring_back(np.reshape(np.sum(along, axis=1), np.shape(x)) if grid else along, x)
        if by_y:
            along = z_bar * self(x, y, dx, dy + 1, grid)
            y_bar = bring_back(np.reshape(np.sum(along, axis=0), np.shape(y)) if grid else along, y)
        return unknown("the spline"), x_bar, y_bar

    return self(x, y, dx, dy, grid), on_grid_back


@rule(BivariateSpline.ev)
def at_pairs_rule(self, xi, yi, dx=0, dy=0):
    """z = s(x, y) at pairs."""
    return on_grid_rule(self, xi, yi, dx, dy, False)


@composed(make_lsq_spline)
def least_squares(x, y, t, k=3, w=None, axis=0, check_finite=True, *, method="qr"):
    """The coefficients c for which W (B c - y) is shortest."""
    points, knots, values = np.asarray(x) * 1.0, np.asarray(t) * 1.0, first_axis(y, axis) * 1.0
    basis = de_boor(knots, np.eye(len(knots) - k - 1), k, points)
    weights = np.ones((len(points), 1)) if w is None else np.reshape(np.asarray(w) * 1.0, (-1, 1))
    rows = np.reshape(values, (len(points), -1))
    c = np.linalg.solve(basis.T @ (weights**2 * basis), basis.T @ (weights**2 * rows))
    return assembled(BSpline, FIELDS, knots, np.reshape(c, (basis.shape[1], *values.shape[1:])))
