"""Other functions that find minima: the global ones, and the older ones, which return the point alone.

What they find is a local minimum in any case, which is differentiated as that of `minimize`: a point from which a
Newton step would go further than `calls.TOLERANCE` is refused.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import inspect

import numpy as np
import scipy.optimize

from ....tangents import accumulate
from ...knots import call_pullback
from ...registry import rule
from .calls import as_args, as_given, check_nothing, first_of, of_result
from .constraints import has_constraints
from .minima import at_minimum

_O = scipy.optimize


def found_by(*solvers, fun="func", bounds=None, value_at=None):
    """Declare solvers whose parameters have these names for the function and the bounds; `value_at` is where in their
    result the value is, of those that may give more than the point."""
    for solver in solvers:
        rule(solver, calls=True)(_finding(solver, fun, bounds, value_at))


def _finding(solver, fun, bounds, value_at):
    name, signature = solver.__name__, inspect.signature(solver)
    order = tuple(signature.parameters)

    def finding_rule(*given, **options):
        result = solver(*given, **options)
        call = {**dict(zip(order, given, strict=False)), **options}
        x = result["x"] if isinstance(result, dict) else first_of(result)
        constraints = call.get("constraints")
        bars_of = at_minimum(x, call[fun], call.get("args", ()), box(call.get(bounds)), constraints)

        def finding_back(y_bar):
            x_bar, value_bar = of_found(y_bar, result, value_at, name)
            f_bar, args_bar, bounds_bar, held_bar = bars_of(x_bar, value_bar)
            bars = {"args": args_bar, "constraints": held_bar, bounds: bounds_bar, fun: f_bar}
            return tuple([bars.get(key) for key in order])

        return result, finding_back

    finding_rule.__name__ = finding_rule.__qualname__ = f"{name}_rule"
    finding_rule.__doc__ = "As `minimize`: the minimum that was found is a local one."
    finding_rule.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[p.replace(annotation=p.empty) for p in signature.parameters.values()]
    )
    return finding_rule


def box(bounds):
    """Bounds as `minimize` takes them: older functions take an empty sequence for none."""
    return bounds if has_constraints(bounds) else None


def of_found(y_bar, result, value_at, name):
    """The cotangents of the point and of the value."""
    if isinstance(result, dict):
        return of_result(y_bar, ("x", "fun"), name)
    if not isinstance(result, tuple):
        return y_bar, None
    for i, bar in enumerate(y_bar):
        if i not in (0, value_at):
            check_nothing(bar, name, f"[{i}]")
    return y_bar[0], None if value_at is None else y_bar[value_at]


found_by(_O.fmin, _O.fmin_powell, value_at=1)
found_by(_O.fmin_bfgs, _O.fmin_cg, _O.fmin_ncg, fun="f", value_at=1)
found_by(_O.fmin_l_bfgs_b, bounds="bounds", value_at=1)
found_by(_O.fmin_tnc, bounds="bounds")
found_by(_O.brent, _O.golden, _O.brute, value_at=1)
found_by(_O.differential_evolution, _O.dual_annealing, _O.shgo, _O.direct, bounds="bounds")


@rule(_O.basinhopping, calls=True)
def basinhopping_rule(func, x0, niter=100, T=1.0, stepsize=0.5, minimizer_kwargs=None, *others, **options):  # noqa: N803
    """As `minimize`, with the arguments and the limits that are handed to it."""
    result = _O.basinhopping(func, x0, niter, T, stepsize, minimizer_kwargs, *others, **options)
    local = {} if minimizer_kwargs is None else minimizer_kwargs
    limits = local.get("bounds"), local.get("constraints")
    bars_of = at_minimum(result["x"], func, local.get("args", ()), *limits)

    def basinhopping_back(y_bar):
        f_bar, args_bar, bounds_bar, held_bar = bars_of(*of_result(y_bar, ("x", "fun"), "basinhopping"))
        bars = {"args": args_bar, "bounds": bounds_bar, "constraints": held_bar}
        local_bar = {key: bar for key, bar in bars.items() if bar is not None}
        return f_bar, None, None, None, None, local_bar if local_bar else None

    return result, basinhopping_back


@rule(_O.fminbound, calls=True)
def fminbound_rule(func, x1, x2, args=(), *others, **options):
    """As `minimize_scalar` within bounds."""
    result = _O.fminbound(func, x1, x2, args, *others, **options)
    bars_of = at_minimum(first_of(result), func, args, (x1, x2))

    def fminbound_back(y_bar):
        f_bar, args_bar, bounds_bar, _ = bars_of(*of_found(y_bar, result, 1, "fminbound"))
        x1_bar, x2_bar = (None, None) if bounds_bar is None else bounds_bar
        return f_bar, x1_bar, x2_bar, args_bar

    return result, fminbound_back


# Constraints as functions


def limited(functions, args, kind):
    """Functions as constraints of `minimize`."""
    every = functions if isinstance(functions, list | tuple) else [functions]
    return [{"type": kind, "fun": f, "args": args} for f in every]


def limited_both(eqcons, f_eqcons, ieqcons, f_ieqcons, args):
    """The constraints of `fmin_slsqp`: of the lists none is taken where there is a function for all."""
    equal = limited(eqcons, args, "eq") if f_eqcons is None else limited(f_eqcons, args, "eq")
    return equal + (limited(ieqcons, args, "ineq") if f_ieqcons is None else limited(f_ieqcons, args, "ineq"))


@rule(_O.fmin_slsqp, calls=True)
def fmin_slsqp_rule(
    func, x0, eqcons=(), f_eqcons=None, ieqcons=(), f_ieqcons=None, bounds=(), fprime=None, fprime_eqcons=None,
    fprime_ieqcons=None, args=(), *others, **options,
):  # fmt: skip
    """As `minimize` with constraints."""
    result = _O.fmin_slsqp(
        func, x0, eqcons, f_eqcons, ieqcons, f_ieqcons, bounds, fprime, fprime_eqcons, fprime_ieqcons, args,
        *others, **options,
    )  # fmt: skip
    constraints, of_constraints = call_pullback(limited_both, eqcons, f_eqcons, ieqcons, f_ieqcons, as_args(args))
    bars_of = at_minimum(first_of(result), func, args, box(bounds), constraints)

    def fmin_slsqp_back(y_bar):
        f_bar, args_bar, bounds_bar, held_bar = bars_of(*of_found(y_bar, result, 1, "fmin_slsqp"))
        if held_bar is None:
            return f_bar, None, None, None, None, None, bounds_bar, None, None, None, args_bar
        _, *bars, more_bar = of_constraints(held_bar)
        total = accumulate(args_bar, as_given(more_bar, args))
        return f_bar, None, *bars, bounds_bar, None, None, None, total

    return result, fmin_slsqp_back


@rule(_O.fmin_cobyla, calls=True)
def fmin_cobyla_rule(func, x0, cons, args=(), consargs=None, *others, **options):
    """As `minimize` with constraints."""
    result = _O.fmin_cobyla(func, x0, cons, args, consargs, *others, **options)
    given = args if consargs is None else consargs
    constraints, of_constraints = call_pullback(limited, cons, as_args(given), "ineq")
    bars_of = at_minimum(np.asarray(result), func, args, None, constraints)

    def fmin_cobyla_back(y_bar):
        f_bar, args_bar, _, held_bar = bars_of(y_bar, None)
        if held_bar is None:
            return f_bar, None, None, args_bar
        _, cons_bar, more_bar, _ = of_constraints(held_bar)
        more_bar = as_given(more_bar, given)
        if consargs is None:
            return f_bar, None, cons_bar, accumulate(args_bar, more_bar)
        return f_bar, None, cons_bar, args_bar, more_bar

    return result, fmin_cobyla_back
