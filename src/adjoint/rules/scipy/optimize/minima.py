"""Minima: the slope is zero there, but for variables that lie on a bound."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.optimize

from ....tangents import accumulate, one_like, tangent
from ....tangents.sweep import in_sweep
from ...numpy.lifting import refuse
from ...registry import call_pullback, non_differentiable, rule
from .calls import as_args, as_given, at_solution, check_nothing, first_of, of_result


def objective(x, fun, args):
    """The value at a point."""
    y = fun(x, *args)
    return y[0] if isinstance(y, tuple) else y


def scalar(y):
    """One number, also out of an array that holds it."""
    return np.reshape(y, ())[()] if isinstance(y, np.ndarray) else y


def stationary(x, low, high, at_low, at_high, fun, args):
    """What is zero at a minimum: the slope, or how far a variable is from the bound that it lies on."""
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
    """Which variables lie on a lower, and which on an upper bound, where the slope `d` pushes them against it."""
    low, high = limits(bounds, x)
    near = 1e-6 * (1.0 + np.abs(x))
    at_low = (x - low <= near) & (d > 0) | (low == high)
    return at_low, (high - x <= near) & (d < 0) & ~at_low


def of_limits(low_bar, high_bar, bounds):
    """The cotangent of `bounds`, in the form in which they were given."""
    if bounds is None:
        return None
    if isinstance(bounds, scipy.optimize.Bounds):
        shapes = np.shape(bounds.lb), np.shape(bounds.ub)
        bars = [np.sum(d) if s == () else d for d, s in zip((low_bar, high_bar), shapes, strict=True)]
        return tangent(bounds, ("lb", "ub"), *bars)
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


def at_minimum(x, fun, args, bounds):
    """The function that gives f̄, the cotangents of `args` and of `bounds`, from those of the point and of the value.

    What flows to the value goes by the slope alone, for that to x is zero at a minimum (but for what lies on a bound).
    """
    given = as_args(args)
    y, back = call_pullback(objective, x, fun, given)
    d = in_sweep(back, one_like(y))[1]
    at_low, at_high = held(bounds, x, np.zeros(np.shape(x)) if d is None else d)
    low, high = limits(bounds, x)
    bars_of = at_solution(stationary, x, low, high, at_low, at_high, fun, given)
    fixed = at_low | at_high

    def minimum_bars(x_bar, fun_bar):
        f_bar = args_bar = None
        total = np.zeros(np.shape(x)) if x_bar is None else x_bar
        if fun_bar is not None:
            _, along, f_bar, args_bar = back(fun_bar)
            total = total + np.where(fixed, np.zeros(np.shape(x)) if along is None else along, 0.0)
        if x_bar is None and not np.any(fixed):
            return f_bar, as_given(args_bar, args), None
        bars = bars_of(total)
        f_bar, args_bar = accumulate(f_bar, bars[4]), accumulate(args_bar, bars[5])
        return f_bar, as_given(args_bar, args), of_limits(bars[0], bars[1], bounds)

    return minimum_bars


non_differentiable(held)


def check_unconstrained(constraints, name):
    """Refuse constraints."""
    if constraints is not None and not (isinstance(constraints, tuple | list) and len(constraints) == 0):
        refuse(
            f"scipy.optimize.{name} with constraints",
            "only minima without constraints, or with bounds, have a rule",
            "write its optimality conditions as the residual of `adjoint.implicit`",
        )


non_differentiable(check_unconstrained)


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
    check_unconstrained(constraints, "minimize")
    result = scipy.optimize.minimize(
        fun, x0, args, method, jac, hess, hessp, bounds, constraints, tol, callback, options
    )
    bars_of = at_minimum(result["x"], fun, args, bounds)

    def minimize_back(y_bar):
        f_bar, args_bar, bounds_bar = bars_of(*of_result(y_bar, ("x", "fun"), "minimize"))
        return f_bar, None, args_bar, None, None, None, None, bounds_bar

    return result, minimize_back


@rule(scipy.optimize.minimize_scalar, calls=True)
def minimize_scalar_rule(fun, bracket=None, bounds=None, args=(), method=None, tol=None, options=None):
    """f'(x, p) = 0, or a bound."""
    result = scipy.optimize.minimize_scalar(fun, bracket, bounds, args, method, tol, options)
    bars_of = at_minimum(scalar(result["x"]), fun, args, bounds)

    def minimize_scalar_back(y_bar):
        f_bar, args_bar, bounds_bar = bars_of(*of_result(y_bar, ("x", "fun"), "minimize_scalar"))
        return f_bar, None, bounds_bar, args_bar

    return result, minimize_scalar_back


@rule(scipy.optimize.differential_evolution, calls=True)
def differential_evolution_rule(func, bounds, args=(), *others, constraints=(), **options):
    """As `minimize`: the minimum that was found is a local one."""
    check_unconstrained(constraints, "differential_evolution")
    result = scipy.optimize.differential_evolution(func, bounds, args, *others, constraints=constraints, **options)
    return result, _of_global(result, func, bounds, args, "differential_evolution")


@rule(scipy.optimize.dual_annealing, calls=True)
def dual_annealing_rule(func, bounds, args=(), *others, **options):
    """As `minimize`: the minimum that was found is a local one."""
    result = scipy.optimize.dual_annealing(func, bounds, args, *others, **options)
    return result, _of_global(result, func, bounds, args, "dual_annealing")


def _of_global(result, func, bounds, args, name):
    bars_of = at_minimum(result["x"], func, args, bounds)

    def global_back(y_bar):
        f_bar, args_bar, bounds_bar = bars_of(*of_result(y_bar, ("x", "fun"), name))
        return f_bar, bounds_bar, args_bar

    return global_back


@rule(scipy.optimize.basinhopping, calls=True)
def basinhopping_rule(func, x0, *others, minimizer_kwargs=None, **options):
    """As `minimize`; the arguments of the function are among those of the minimiser, and captured ones only flow."""
    check_captured(minimizer_kwargs)
    result = scipy.optimize.basinhopping(func, x0, *others, minimizer_kwargs=minimizer_kwargs, **options)
    bars_of = at_minimum(result["x"], func, (), None)

    def basinhopping_back(y_bar):
        return bars_of(*of_result(y_bar, ("x", "fun"), "basinhopping"))[:1]

    return result, basinhopping_back


def check_captured(minimizer_kwargs):
    """Refuse what would be passed on to `minimize`."""
    if any(key in (minimizer_kwargs or {}) for key in ("args", "bounds", "constraints")):
        what = "scipy.optimize.basinhopping with `args`, `bounds` or `constraints` for the minimiser"
        refuse(what, "only what the function captures is differentiated", "capture the arguments in the function")


non_differentiable(check_captured)


# The older functions, which return the point alone


def _at_older(result, f, args, name):
    bars_of, whole = at_minimum(first_of(result), f, args, None), isinstance(result, tuple)
    return lambda y_bar: bars_of(*of_older(y_bar, whole, name))


@rule(scipy.optimize.fmin, calls=True)
def fmin_rule(func, x0, args=(), *others, **options):
    """As `minimize`."""
    result = scipy.optimize.fmin(func, x0, args, *others, **options)
    bars_of = _at_older(result, func, args, "fmin")

    def fmin_back(y_bar):
        f_bar, args_bar, _ = bars_of(y_bar)
        return f_bar, None, args_bar

    return result, fmin_back


@rule(scipy.optimize.fmin_powell, calls=True)
def fmin_powell_rule(func, x0, args=(), *others, **options):
    """As `minimize`."""
    result = scipy.optimize.fmin_powell(func, x0, args, *others, **options)
    bars_of = _at_older(result, func, args, "fmin_powell")

    def fmin_powell_back(y_bar):
        f_bar, args_bar, _ = bars_of(y_bar)
        return f_bar, None, args_bar

    return result, fmin_powell_back


@rule(scipy.optimize.fmin_bfgs, calls=True)
def fmin_bfgs_rule(f, x0, fprime=None, args=(), *others, **options):
    """As `minimize`."""
    result = scipy.optimize.fmin_bfgs(f, x0, fprime, args, *others, **options)
    bars_of = _at_older(result, f, args, "fmin_bfgs")

    def fmin_bfgs_back(y_bar):
        f_bar, args_bar, _ = bars_of(y_bar)
        return f_bar, None, None, args_bar

    return result, fmin_bfgs_back


@rule(scipy.optimize.fmin_cg, calls=True)
def fmin_cg_rule(f, x0, fprime=None, args=(), *others, **options):
    """As `minimize`."""
    result = scipy.optimize.fmin_cg(f, x0, fprime, args, *others, **options)
    bars_of = _at_older(result, f, args, "fmin_cg")

    def fmin_cg_back(y_bar):
        f_bar, args_bar, _ = bars_of(y_bar)
        return f_bar, None, None, args_bar

    return result, fmin_cg_back


@rule(scipy.optimize.fmin_ncg, calls=True)
def fmin_ncg_rule(f, x0, fprime, fhess_p=None, fhess=None, args=(), *others, **options):
    """As `minimize`."""
    result = scipy.optimize.fmin_ncg(f, x0, fprime, fhess_p, fhess, args, *others, **options)
    bars_of = _at_older(result, f, args, "fmin_ncg")

    def fmin_ncg_back(y_bar):
        f_bar, args_bar, _ = bars_of(y_bar)
        return f_bar, None, None, None, None, args_bar

    return result, fmin_ncg_back


def of_older(y_bar, whole, name):
    """The cotangents of the point and, with `full_output`, of the value."""
    if not whole:
        return y_bar, None
    for i, bar in enumerate(y_bar[2:]):
        check_nothing(bar, name, f"[{i + 2}]")
    return y_bar[0], y_bar[1]
