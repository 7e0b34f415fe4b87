"""Minima: the slope is zero there, but for variables that lie on a bound."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import copy
from typing import Any

import numpy as np
import scipy.optimize

from ....tangents import accumulate, one_like, tangent, unbroadcast
from ....tangents.sweep import in_sweep
from ...knots import call_pullback
from ...registry import non_differentiable, rule
from .calls import as_args, as_given, at_solution, objective, of_result, scalar
from .constraints import active_set, conditions, has_constraints, held_equal, multipliers_of, steepness


def stationary(x, low, high, at_low, at_high, fun, args):
    """The optimality conditions, which are zero at a minimum: the slope, or how far a variable is from the bound that
    it lies on."""
    y, back = call_pullback(objective, x, fun, args)
    d = in_sweep(back, one_like(y))[1]
    d = np.zeros(np.shape(x)) if d is None else d
    return np.where(at_low, x - low, np.where(at_high, x - high, d))


def limits(bounds, x):
    """The lower and upper bounds of every variable, as SciPy takes them."""
    if bounds is None:
        return np.full(np.shape(x), -np.inf), np.full(np.shape(x), np.inf)
    if isinstance(bounds, scipy.optimize.Bounds):
        low, high = bounds.lb, bounds.ub
    elif np.ndim(x) == 0:
        low, high = bounds
    else:
        low = [-np.inf if pair[0] is None else pair[0] for pair in bounds]
        high = [np.inf if pair[1] is None else pair[1] for pair in bounds]
    return tuple([np.broadcast_to(np.asarray(b, dtype=float), np.shape(x)) for b in (low, high)])


def held(bounds, x, d):
    """Masks of the variables on a lower, and of those on an upper bound, where the slope `d` pushes them against it."""
    low, high = limits(bounds, x)
    near = 1e-6 * (1.0 + np.abs(x))
    at_low = (x - low <= near) & (d > 0) | (low == high)
    return at_low, (high - x <= near) & (d < 0) & ~at_low


def of_limits(low_bar, high_bar, bounds):
    """The cotangent of `bounds`, in the form in which they were given."""
    if bounds is None:
        return None
    if isinstance(bounds, scipy.optimize.Bounds):
        return tangent(bounds, ("lb", "ub"), unbroadcast(low_bar, bounds.lb), unbroadcast(high_bar, bounds.ub))
    if np.ndim(low_bar) == 0:
        return in_form_of(bounds, [low_bar, high_bar])
    pairs = [
        in_form_of(pair, [None if pair[0] is None else low_bar[i], None if pair[1] is None else high_bar[i]])
        for i, pair in enumerate(bounds)
    ]
    return in_form_of(bounds, pairs)


def in_form_of(like, items):
    """Items as an array, a list or a tuple."""
    if isinstance(like, np.ndarray):
        return np.stack([np.asarray(item) for item in items])
    return items if isinstance(like, list) else tuple(items)


def at_minimum(x, fun, args, bounds, constraints=()):
    """The function that gives f̄, the cotangents of `args`, `bounds` and `constraints`, from those of the point and of
    the value.

    What flows to the value goes by the slope alone, for that to x is zero at a minimum (but for what holds it there).
    """
    given = as_args(args)
    y, back = call_pullback(objective, x, fun, given)
    d = in_sweep(back, one_like(y))[1]
    d = np.zeros(np.shape(x)) if d is None else d
    low, high = limits(bounds, x)
    equations: Any = []
    of_equations: Any = None
    if has_constraints(constraints):
        scale = steepness(d, x, bending(x, fun, given))
        at_low, at_high, active = active_set(x, d, scale, low, high, constraints)
        equations, of_equations = call_pullback(held_equal, constraints, active)
    else:
        at_low, at_high = held(bounds, x, d)
    if equations:
        multipliers = multipliers_of(x, d, ~(at_low | at_high), equations)
        bars_of = at_solution(conditions, (x, multipliers), low, high, at_low, at_high, fun, given, equations)
        fixed = np.ones(np.shape(x), dtype=bool)
    else:
        bars_of = at_solution(stationary, x, low, high, at_low, at_high, fun, given)
        fixed = at_low | at_high

    def minimum_bars(x_bar, fun_bar):
        f_bar = args_bar = held_bar = None
        total = np.zeros(np.shape(x)) if x_bar is None else x_bar
        if fun_bar is not None:
            _, along, f_bar, args_bar = back(fun_bar)
            total = total + np.where(fixed, np.zeros(np.shape(x)) if along is None else along, 0.0)
        if x_bar is None and not np.any(fixed):
            return f_bar, as_given(args_bar, args), None, None
        bars = bars_of((total, np.zeros(len(multipliers))) if equations else total)
        f_bar, args_bar = accumulate(f_bar, bars[4]), accumulate(args_bar, bars[5])
        if equations and bars[6] is not None:
            held_bar = of_equations(bars[6])[1]
        return f_bar, as_given(args_bar, args), of_limits(bars[0], bars[1], bounds), held_bar

    return minimum_bars


def bending(x, fun, args):
    """The products of the second derivative with vectors."""
    low = high = np.zeros(np.shape(x))
    free = np.zeros(np.shape(x), dtype=bool)
    _, back = call_pullback(stationary, x, low, high, free, free, fun, args)
    return lambda v: in_sweep(back, v)[1]


non_differentiable(held)


def own_bounds(bounds):
    """A copy, as `minimize` stores the broadcast limits in the object that it is given."""
    return copy.copy(bounds) if isinstance(bounds, scipy.optimize.Bounds) else bounds


non_differentiable(own_bounds)


@rule(scipy.optimize.minimize, calls=True)
def minimize_rule(
    fun,
    x0,
    args=(),
    method=None,
    jac=None,
    hess=None,
    hessp=None,
    bounds=None,
    constraints=(),
    tol=None,
    callback=None,
    options=None,
):
    """∇f(x, p) = 0, so p̄ = -(∂∇f/∂p)ᵀ λ with ∇²f λ = x̄; and of the value, ∂f/∂p at the minimum."""
    box = own_bounds(bounds)
    result = scipy.optimize.minimize(fun, x0, args, method, jac, hess, hessp, box, constraints, tol, callback, options)
    bars_of = at_minimum(result["x"], fun, args, bounds, constraints)

    def minimize_back(y_bar):
        f_bar, args_bar, bounds_bar, held_bar = bars_of(*of_result(y_bar, ("x", "fun"), "minimize"))
        return f_bar, None, args_bar, None, None, None, None, bounds_bar, held_bar

    return result, minimize_back


@rule(scipy.optimize.minimize_scalar, calls=True)
def minimize_scalar_rule(fun, bracket=None, bounds=None, args=(), method=None, tol=None, options=None):
    """f'(x, p) = 0, or a bound."""
    result = scipy.optimize.minimize_scalar(fun, bracket, bounds, args, method, tol, options)
    bars_of = at_minimum(scalar(result["x"]), fun, args, bounds)

    def minimize_scalar_back(y_bar):
        f_bar, args_bar, bounds_bar, _ = bars_of(*of_result(y_bar, ("x", "fun"), "minimize_scalar"))
        return f_bar, None, bounds_bar, args_bar

    return result, minimize_scalar_back
