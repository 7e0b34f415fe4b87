"""Linear programs, whose solution is a corner, and monotone regression, whose solution is made of means.

Which limits meet in the corner, and which points have one mean, counts as constant.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.optimize
import scipy.sparse

from ....errors import ImplicitError, calling_place
from ...knots import call_pullback
from ...numpy.lifting import refuse
from ...registry import non_differentiable, rule
from .calls import of_result


def is_pair(bounds):
    """Tell whether bounds of a linear program are one pair for all variables."""
    return len(bounds) == 2 and np.ndim(bounds[0]) == 0


def ends_of(bounds, n):
    """The lower and upper bounds of the variables of a linear program."""
    if bounds is None:
        return np.zeros(n), np.full(n, np.inf)
    pairs = [bounds] * n if is_pair(bounds) else bounds
    pairs = pairs * n if len(pairs) == 1 and n > 1 else pairs
    low = np.stack([np.asarray(-np.inf if pair[0] is None else pair[0]) for pair in pairs])
    return low, np.stack([np.asarray(np.inf if pair[1] is None else pair[1]) for pair in pairs])


def dense(a):
    """A matrix of coefficients as an array of two axes."""
    if a is None:
        return None
    return a.toarray() if scipy.sparse.issparse(a) else np.atleast_2d(np.asarray(a, dtype=float))


def meeting(c, a_ub, b_ub, a_eq, b_eq, bounds, corner):
    """The equations of the limits that meet in a corner: their matrix and right-hand side."""
    at_low, at_high, held = corner
    low, high = ends_of(bounds, len(at_low))
    unit = np.eye(len(at_low))
    rows, right = [unit[at_low], unit[at_high]], [low[at_low], high[at_high]]
    if a_ub is not None:
        rows.append(dense(a_ub)[held])
        right.append(np.ravel(np.asarray(b_ub, dtype=float))[held])
    if a_eq is not None:
        rows.append(dense(a_eq))
        right.append(np.ravel(np.asarray(b_eq, dtype=float)))
    return np.concatenate(rows), np.concatenate(right)


def at_corner(c, a_ub, b_ub, a_eq, b_eq, bounds, corner):
    """The corner, the value there, and what is left of the limits."""
    matrix, right = meeting(c, a_ub, b_ub, a_eq, b_eq, bounds, corner)
    x = np.linalg.solve(matrix, right)
    slack = np.zeros(0) if a_ub is None else np.ravel(np.asarray(b_ub)) - dense(a_ub) @ x
    left = np.zeros(0) if a_eq is None else np.ravel(np.asarray(b_eq)) - dense(a_eq) @ x
    return x, np.ravel(np.asarray(c)) @ x, slack, left


def corner_of(x, c, a_ub, b_ub, a_eq, b_eq, bounds):
    """The limits that meet in the solution: lower bounds, upper bounds, inequalities. As many as there are
    variables."""
    low, high = ends_of(bounds, len(x))
    near = 1e-7 * (1.0 + np.abs(x))
    at_low = x - low <= near
    held = np.zeros(0, dtype=bool)
    if a_ub is not None:
        limit = np.ravel(np.asarray(b_ub))
        held = limit - dense(a_ub) @ x <= 1e-7 * (1.0 + np.abs(limit))
    corner = at_low, (high - x <= near) & ~at_low, held
    matrix, _ = meeting(c, a_ub, b_ub, a_eq, b_eq, bounds, corner)
    if len(matrix) > len(x) or np.linalg.matrix_rank(matrix) < len(matrix):
        raise _ambiguous(f"{len(matrix)} limits meet where {len(x)} make a corner: which of them is decided by chance")
    costs = np.ravel(np.asarray(c, dtype=float))
    if len(matrix) < len(x) or np.min(np.abs(np.linalg.solve(matrix.T, costs))) <= 1e-9 * np.max(np.abs(costs)):
        raise _ambiguous("other points have the same value, so that the solution jumps")
    return corner


def _ambiguous(why):
    return ImplicitError(
        "the solution of a linear program is not one corner",
        why,
        "leave off limits that follow from others, or cut the derivative with `adjoint.stop_gradient`",
        calling_place(),
    )


def check_continuous(integrality):
    """Refuse integers."""
    if integrality is not None and np.any(integrality):
        what = "scipy.optimize.linprog(integrality=)"
        refuse(what, "integers stay, and jump", "cut the derivative with `adjoint.stop_gradient`")


non_differentiable(corner_of, check_continuous, is_pair)


@rule(scipy.optimize.linprog)
def linprog_rule(
    c, A_ub=None, b_ub=None, A_eq=None, b_eq=None, bounds=(0, None), *others, integrality=None, **options,  # noqa: N803
):  # fmt: skip
    """B x = b of the limits that meet in the corner, which c does not move."""
    check_continuous(integrality if len(others) < 4 else others[3])
    result = scipy.optimize.linprog(c, A_ub, b_ub, A_eq, b_eq, bounds, *others, integrality=integrality, **options)
    if result["x"] is None:
        return result, lambda y_bar: (None,)
    corner = corner_of(result["x"], c, A_ub, b_ub, A_eq, b_eq, bounds)
    _, back = call_pullback(at_corner, c, A_ub, b_ub, A_eq, b_eq, bounds, corner)

    def linprog_back(y_bar):
        x_bar, fun_bar, slack_bar, con_bar = of_result(y_bar, ("x", "fun", "slack", "con"), "linprog")
        return back((x_bar, fun_bar, slack_bar, con_bar))[1:7]

    return result, linprog_back


def means_of(y, weights, blocks):
    """The mean of each block, and its weight."""
    y = np.asarray(y)
    each = np.ones(len(y)) if weights is None else np.asarray(weights)
    totals = np.add.reduceat(each, blocks[:-1])
    return np.repeat(np.add.reduceat(each * y, blocks[:-1]) / totals, np.diff(blocks)), totals


@rule(scipy.optimize.isotonic_regression)
def isotonic_regression_rule(y, *, weights=None, increasing=True):
    """The weighted mean of each block of points that have one value."""
    result = scipy.optimize.isotonic_regression(y, weights=weights, increasing=increasing)
    _, back = call_pullback(means_of, y, weights, result["blocks"])

    def isotonic_regression_back(y_bar):
        x_bar, totals_bar = of_result(y_bar, ("x", "weights"), "isotonic_regression")
        return back((x_bar, totals_bar))[1:3]

    return result, isotonic_regression_back
