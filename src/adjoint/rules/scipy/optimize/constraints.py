"""Minima with constraints: where the conditions of Karush, Kuhn and Tucker hold.

Of the constraints, those that hold the minimum count as equations, and all others as none:

    ∇f(x, p) - Σ λⱼ ∇cⱼ(x, p) = 0,   cⱼ(x, p) = 0 for the active j,

which is a system for x and the multipliers λ. It has a derivative where each active constraint has a multiplier other
than zero, and where their gradients are independent. Anything else is refused.

Source: A. V. Fiacco, Introduction to Sensitivity and Stability Analysis in Nonlinear Programming, Academic Press, 1983,
theorem 2.3.1.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.optimize
import scipy.sparse

from ....errors import ImplicitError, calling_place
from ....tangents import one_like
from ....tangents.sweep import in_sweep
from ...fields import assembled
from ...knots import call_pullback
from ...numpy.lifting import composed
from ...registry import non_differentiable
from .calls import objective, scalar

NEAR, TOUCHING, PUSHING = 1e-4, 1e-6, 1e-4
"""How near to its limit an active constraint is, and one that is active or not; how large a multiplier is at least,
relative to the slope and its change."""


@composed(scipy.optimize.LinearConstraint)
def linear_constraint(A, lb=-np.inf, ub=np.inf, keep_feasible=False):  # noqa: N803
    """A linear constraint, as the parts of which its conditions are made."""
    if scipy.sparse.issparse(A):
        return assembled(scipy.optimize.LinearConstraint, ("A", "lb", "ub"), A, np.atleast_1d(lb), np.atleast_1d(ub))
    matrix = np.atleast_2d(np.asarray(A, dtype=float))
    low, high = np.atleast_1d(np.asarray(lb, dtype=float)), np.atleast_1d(np.asarray(ub, dtype=float))
    return assembled(scipy.optimize.LinearConstraint, ("A", "lb", "ub"), matrix, low, high)


@composed(scipy.optimize.NonlinearConstraint)
def nonlinear_constraint(
    fun, lb, ub, jac="2-point", hess=None, keep_feasible=False, finite_diff_rel_step=None, finite_diff_jac_sparsity=None
):
    """A nonlinear constraint, as the parts of which its conditions are made."""
    return assembled(scipy.optimize.NonlinearConstraint, ("fun", "lb", "ub"), fun, lb, ub)


# What is constrained


def constraints_of(constraints):
    """Constraints as a sequence: SciPy takes a single one as it is."""
    return list(constraints) if isinstance(constraints, list | tuple) else [constraints]


def has_constraints(constraints):
    """Tell whether there are any.

    >>> has_constraints(()), has_constraints({"type": "eq", "fun": max})
    (False, True)
    """
    return constraints is not None and not (isinstance(constraints, list | tuple) and len(constraints) == 0)


def function_of(constraint):
    """The function whose values a constraint limits, and its further arguments."""
    if isinstance(constraint, dict):
        return constraint["fun"], as_operands(constraint.get("args", ()))
    if isinstance(constraint, scipy.optimize.LinearConstraint):
        return multiplied, (constraint.A,)
    return (unchanged, ()) if isinstance(constraint, scipy.optimize.Bounds) else (constraint.fun, ())


def multiplied(x, matrix):
    """The values that a linear constraint limits."""
    return matrix @ x


def unchanged(x):
    """The values that bounds limit."""
    return x


def values_of(x, f, args):
    """The numbers that a constraint limits."""
    return np.ravel(np.asarray(f(x, *args)))


def as_operands(args):
    """The further arguments of a constraint."""
    return args if isinstance(args, tuple | list) else (args,)


def limits_of(constraint, n):
    """Between what numbers it holds them."""
    if isinstance(constraint, dict):
        return np.zeros(n), np.full(n, 0.0 if constraint["type"].lower() == "eq" else np.inf)
    low, high = np.asarray(constraint.lb, dtype=float), np.asarray(constraint.ub, dtype=float)
    return np.broadcast_to(low, (n,)), np.broadcast_to(high, (n,))


def held_equal(constraints, active):
    """Active constraints as equations: functions and their arguments, which of their numbers are held, and at what."""
    found = []
    for constraint, (at_low, at_high, n) in zip(constraints_of(constraints), active, strict=True):
        if len(at_low) or len(at_high):
            low, high = limits_of(constraint, n)
            f, args = function_of(constraint)
            found.append((f, args, np.concatenate((at_low, at_high)), np.concatenate((low[at_low], high[at_high]))))
    return found


def excess(x, equations):
    """The differences between the constrained values and what they are held at."""
    return np.concatenate([np.ravel(np.asarray(f(x, *args)))[rows] - held for f, args, rows, held in equations])


def lagrangian(x, multipliers, fun, args, equations):
    """f - Σ λⱼ cⱼ."""
    return scalar(objective(x, fun, args)) - multipliers @ excess(x, equations)


def conditions(solution, low, high, at_low, at_high, fun, args, equations):
    """The optimality conditions of a minimum with constraints, which are zero at it."""
    x, multipliers = solution
    y, back = call_pullback(lagrangian, x, multipliers, fun, args, equations)
    slope = in_sweep(back, one_like(y))[1]
    slope = np.where(at_low, x - low, np.where(at_high, x - high, slope))
    return slope, excess(x, equations)


# Which constraints are active


def rows_of(x, constraint):
    """The numbers that a constraint limits, and their gradients."""
    values, back = call_pullback(values_of, x, *function_of(constraint))
    rows = [gradient_of(back, unit, x) for unit in np.eye(len(values))]
    return values, np.array(rows).reshape(len(values), len(x))


def multipliers_of(x, slope, free, equations):
    """λ from ∇f = Σ λⱼ ∇cⱼ by least squares, for the variables that no bound holds: so it moves as x does."""
    values, back = call_pullback(excess, x, equations)
    rows = np.stack([gradient_of(back, unit, x) for unit in np.eye(len(values))]) * free
    products = rows @ np.transpose(rows)
    check_independent(products)
    return np.linalg.solve(products, rows @ slope)


def gradient_of(back, unit, x):
    """One row, of zeros where nothing flows."""
    row = in_sweep(back, unit)[1]
    return np.zeros(np.shape(x)) if row is None else row


def check_independent(products):
    """Raise unless the gradients of the active constraints are linearly independent, for their products."""
    size = np.sqrt(np.diag(products))
    if not np.all(size) or np.linalg.cond(products / np.outer(size, size)) > 1e12:
        raise ImplicitError(
            "the constraints that hold the minimum have gradients that depend on each other linearly",
            "which of them hold it is not determined, and the minimum need not move smoothly",
            "leave off those that follow from others",
            calling_place(),
        )


def steepness(slope, x, bend):
    """The size of the slope and of its change over the variables' own size, which multipliers are compared with."""
    change = bend(np.cos(np.arange(len(x)) + 1.0))
    return np.max(np.abs(slope), initial=0.0) + (0.0 if change is None else np.max(np.abs(change), initial=0.0))


def active_set(x, slope, scale, low, high, constraints):
    """The variables that are held by their lower and upper bounds, the numbers of each constraint that are at their
    lower and upper limits, and how many there are. The slope is the sum of the gradients of what holds it, with
    positive multipliers where a limit is the lower one."""
    n, near, touching = len(x), NEAR * (1.0 + np.abs(x)), TOUCHING * (1.0 + np.abs(x))
    items = []  # (constraint, number, sign, gradient, whether at its limit to the last digits)
    for i in range(n):
        unit = np.eye(n)[i]
        if low[i] == high[i]:
            items.append((-1, i, 0, unit, True))
            continue
        for gap, sign in ((x[i] - low[i], 1), (high[i] - x[i], -1)):
            if gap <= near[i]:
                items.append((-1, i, sign, unit, gap <= touching[i]))
    size, counts = 1.0 + np.max(np.abs(x), initial=0.0), []
    for k, constraint in enumerate(constraints_of(constraints)):
        values, rows = rows_of(x, constraint)
        counts.append(len(values))
        floor, ceiling = limits_of(constraint, len(values))
        for j, (value, row) in enumerate(zip(values, rows, strict=True)):
            unit = size * max(np.linalg.norm(row), np.finfo(float).tiny)
            if floor[j] == ceiling[j]:
                items.append((k, j, 0, row, True))
                continue
            for gap, sign in ((value - floor[j], 1), (ceiling[j] - value, -1)):
                if gap <= NEAR * unit:
                    items.append((k, j, sign, row, gap <= TOUCHING * unit))
    weights = held_by(items, slope)
    held = []
    for item, weight in zip(items, weights, strict=True):
        if item[2] == 0 or abs(weight) * np.max(np.abs(item[3]), initial=0.0) > PUSHING * scale:
            held.append(item)
        elif item[4]:
            raise degenerate(item, constraints)
    return sorted_out(held, n, counts)


def held_by(items, slope):
    """The multipliers of gradients that together are the slope, as nearly as can be: those of limits push one way."""
    if not items:
        return []
    columns, owners = [], []
    for number, (_, _, sign, row, _) in enumerate(items):
        for way in (1, -1) if sign == 0 else (sign,):
            columns.append(way * row)
            owners.append((number, way))
    found, _ = scipy.optimize.nnls(np.stack(columns, axis=1), slope)
    weights = np.zeros(len(items))
    for (number, way), value in zip(owners, found, strict=True):
        weights[number] += way * value
    return weights


def sorted_out(held, n, counts):
    """The active set as `conditions` takes it."""
    at_low, at_high = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    for k, j, sign, *_ in held:
        if k < 0:
            (at_high if sign < 0 else at_low)[j] = True
    ends = [[np.array([j for i, j, sign, *_ in held if i == k and (sign >= 0) is lower], dtype=int)
             for lower in (True, False)] for k in range(len(counts))]  # fmt: skip
    return at_low, at_high, [(*pair, count) for pair, count in zip(ends, counts, strict=True)]


def degenerate(item, constraints):
    """The error for a constraint that just touches."""
    k, j, *_ = item
    name = f"the bound of x[{j}]" if k < 0 else f"the constraint constraints[{k}]"
    return ImplicitError(
        f"{name} just touches the minimum: its multiplier is zero, and so is its distance",
        "to one side the minimum goes along it and to the other side away from it: there is a kink",
        "leave the constraint off, or tighten it",
        calling_place(),
    )


non_differentiable(active_set, check_independent, has_constraints, steepness)
