"""Splines through points: with the values of the basis at the points as rows of a matrix B, B c = y.

From B(x, t) c = y it follows that ȳ = B⁻ᵀ c̄, and that the points and the knots have the cotangents that the spline with
the coefficients c, evaluated at them, has for -ȳ.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy.interpolate import BSpline, make_interp_spline
from scipy.sparse import csc_array, vstack
from scipy.sparse.linalg import splu

from ...fields import assembled
from ...knots import call_pullback, call_pushforward
from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable, rule
from ..precision import in_doubles
from .cubic import first_axis
from .splines import FIELDS, de_boor, derived


def rows_of(t, x, c, k, left, right):
    """The rows for what a spline is asked for: derivatives of some orders at the first point, its values, and at the
    last point."""
    first = [spline_row(t, c, k, x[:1], nu) for nu in left]
    last = [spline_row(t, c, k, x[-1:], nu) for nu in right]
    return np.concatenate((*first, de_boor(t, c, k, x), *last))


def spline_row(t, c, k, x, nu):
    """A derivative at one point."""
    knots, coefficients, degree = derived(t, c, k, nu)
    return de_boor(knots, coefficients, degree, x)


def matrix_of(t, x, k, left, right):
    """The matrix of `rows_of`."""
    n = len(t) - k - 1
    parts = [csc_array(BSpline.design_matrix(x, t, k))]
    if left:
        first = rows_of(t, x[:1], np.eye(n), k, left, ())[:-1]
        parts.insert(0, csc_array(first))
    if right:
        parts.append(csc_array(rows_of(t, x[-1:], np.eye(n), k, (), right)[1:]))
    return csc_array(vstack(parts))


def solved(t, x, b, k, left, right, transposed):
    """B⁻¹ b, or B⁻ᵀ b, for the rows of b."""
    lu = splu(matrix_of(t, x, k, left, right))
    rows = np.reshape(b, (len(b), -1))
    mode = "T" if transposed else "N"
    if np.iscomplexobj(rows):
        parts = lu.solve(rows.real, mode) + 1j * lu.solve(rows.imag, mode)
    else:
        parts = lu.solve(np.asarray(rows, float), mode)
    return np.reshape(parts, b.shape)


non_differentiable(matrix_of)


def solved_along(dots, y, t, x, b, k, left, right, transposed):
    """B y = b, so B ẏ = ḃ - Ḃ y, where Ḃ y is the tangent of the spline with the coefficients y."""
    t_dot, x_dot, b_dot = dots[:3]
    change = np.zeros(b.shape) if b_dot is None else b_dot
    if t_dot is not None or x_dot is not None:
        moving = (None, t_dot, x_dot, None, None, None, None)
        change = change - call_pushforward(rows_of, (t, x, y, k, left, right), moving)[1]
    return solved(t, x, change, k, left, right, transposed)


def is_solved_forward(dots, t, x, b, k, left, right, transposed):
    """Tell whether the matrix stays where it is transposed."""
    return not transposed or dots[0] is None and dots[1] is None


@rule(solved, forward=solved_along, forward_for=is_solved_forward)
def solved_rule(t, x, b, k, left, right, transposed):
    """y = B⁻¹ b, so b̄ = B⁻ᵀ ȳ and B̄ = -b̄ yᵀ; transposed, the two have changed places."""
    y = solved(t, x, b, k, left, right, transposed)

    def solved_back(y_bar):
        b_bar = solved(t, x, y_bar, k, left, right, not transposed)
        coefficients, weights = (b_bar, y) if transposed else (y, b_bar)
        _, back = call_pullback(rows_of, t, x, coefficients, k, left, right)
        _, t_bar, x_bar, _, _, _, _ = back(-weights)
        return t_bar, x_bar, b_bar, None, None, None, None

    return y, solved_back


def knots_for(x, k):
    """The knots of the interpolating spline "not-a-knot": the points but a few, or the middles between them."""
    ends = (np.full(k + 1, 1.0) * x[0], np.full(k + 1, 1.0) * x[-1])
    if k == 0:
        return np.concatenate((x, x[-1:]))
    inner = x if k % 2 else (x[1:] + x[:-1]) / 2
    margin = (k + 1) // 2
    return np.concatenate((ends[0], inner[margin : len(inner) - margin], ends[1]))


def conditions_of(given):
    """The orders of the derivatives that are given at one end, and their values."""
    if given is None or isinstance(given, str):
        named = {"natural": ((2,), [0.0]), "clamped": ((1,), [0.0])}
        return named.get(given, ((), []))
    return tuple([int(order) for order, _ in given]), [value for _, value in given]


@composed(make_interp_spline)
def spline_through(x, y, k=3, t=None, bc_type=None, axis=0, check_finite=True):
    """The coefficients with which B c = y."""
    if isinstance(bc_type, str) and bc_type == "periodic":
        why, way_out = "its knots go on periodically", "use `CubicSpline(..., bc_type='periodic')`"
        refuse("scipy.interpolate.make_interp_spline(bc_type='periodic')", why, way_out)
    points, values = in_doubles(x), first_axis(y, axis)
    both = bc_type is None or isinstance(bc_type, str)
    left, left_values = conditions_of(bc_type if both else bc_type[0])
    right, right_values = conditions_of(bc_type if both else bc_type[1])
    if t is not None:
        knots = in_doubles(t)
    elif k < 2 or not (left or right):
        knots = knots_for(points, k)
    else:
        knots = np.concatenate((np.full(k, 1.0) * points[0], points, np.full(k, 1.0) * points[-1]))
    if k == 0 or k == 1 and t is None:
        return assembled(BSpline, FIELDS, knots, values)
    first = [(np.asarray(v) + np.zeros(values.shape[1:]))[None] for v in left_values]
    last = [(np.asarray(v) + np.zeros(values.shape[1:]))[None] for v in right_values]
    b = np.concatenate((*first, values, *last))
    return assembled(BSpline, FIELDS, knots, solved(knots, points, b, k, left, right, False))
