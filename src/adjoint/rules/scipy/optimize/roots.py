"""Roots and fixed points."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.optimize

from ....tangents import unbroadcast
from ....tangents.sweep import in_sweep
from ...implicit import check_solved
from ...knots import call_pullback
from ...numpy.lifting import refuse
from ...registry import non_differentiable, rule
from .calls import TOLERANCE, as_args, as_given, at_solution, check_nothing, first_of, in_form_of, of_result


def value(x, f, args):
    """The value of the function, which is zero at a root."""
    return f(x, *args)


def first_value(x, f, args):
    """The same, where the function gives its derivative with it."""
    return f(x, *args)[0]


def array_value(x, f, args):
    """The same of what may come as a list."""
    return np.reshape(np.asarray(f(x, *args)), np.shape(x))


def first_array_value(x, f, args):
    """The same of what comes with its derivative."""
    return np.reshape(np.asarray(f(x, *args)[0]), np.shape(x))


def step(x, f, args):
    """The step of the iteration, which is zero at a fixed point."""
    return f(x, *args) - x


def elementwise(residual, x, f, args):
    """The function that gives f̄ and the cotangent of `args`, where f is elementwise: λ = x̄ / conj(f'(x))."""
    r, back = call_pullback(residual, x, f, args)

    def bars_of(x_bar):
        slope = in_sweep(back, np.ones(np.shape(r), np.result_type(r)))[1]
        check_isolated(slope)
        check_solved(x_bar / slope, r, x, x_bar, TOLERANCE)
        return back(unbroadcast(-x_bar / slope, r))[2:]

    return bars_of


def check_isolated(slope):
    """Refuse roots where the derivative is zero."""
    if not np.all(slope):
        why = "its derivative is zero there, so that it does not depend smoothly on the parameters"
        refuse("a multiple root", why, "cut the derivative with `adjoint.stop_gradient`")


non_differentiable(check_isolated)


def _bracketed(solver):
    name = solver.__name__

    def bracketed_rule(f, a, b, args=(), *others, **options):
        result = solver(f, a, b, args, *others, **options)
        bars_of = at_solution(value, first_of(result), f, as_args(args))

        def bracketed_back(y_bar):
            x_bar = y_bar
            if isinstance(result, tuple):
                x_bar = total_of_root(y_bar, name)
            f_bar, args_bar = bars_of(x_bar)
            return f_bar, None, None, as_given(args_bar, args)

        return result, bracketed_back

    bracketed_rule.__name__ = f"{name}_rule"
    bracketed_rule.__doc__ = "f(x, p) = 0, so p̄ = -(∂f/∂p)ᴴ x̄ / f'(x); the bracket is where the search starts."
    return bracketed_rule


def total_of_root(y_bar, name):
    """The cotangent of a root that comes as a number and in a result."""
    x_bar, result_bar = y_bar
    (root_bar,) = of_result(result_bar, ("root",), name)
    return sum([d for d in (x_bar, root_bar) if d is not None])


for _solver in (
    scipy.optimize.brentq,
    scipy.optimize.brenth,
    scipy.optimize.bisect,
    scipy.optimize.ridder,
):
    rule(_solver)(_bracketed(_solver))


@rule(scipy.optimize.toms748, calls=True)
def toms748_rule(f, a, b, args=(), k=1, *others, **options):
    """As `brentq`."""
    result = scipy.optimize.toms748(f, a, b, args, k, *others, **options)
    bars_of = at_solution(value, first_of(result), f, as_args(args))

    def toms748_back(y_bar):
        x_bar = total_of_root(y_bar, "toms748") if isinstance(result, tuple) else y_bar
        f_bar, args_bar = bars_of(x_bar)
        return f_bar, None, None, as_given(args_bar, args)

    return result, toms748_back


@rule(scipy.optimize.newton, calls=True)
def newton_rule(func, x0, fprime=None, args=(), *others, **options):
    """f(x, p) = 0; of arrays it is elementwise. The start and the derivatives decide only how it gets there."""
    result = scipy.optimize.newton(func, x0, fprime, args, *others, **options)
    x, whole = first_of(result), isinstance(result, tuple)
    bars_of = (elementwise if np.ndim(x) else at_solution)(value, x, func, tuple(args))

    def newton_back(y_bar):
        x_bar = y_bar
        if whole and np.ndim(x) == 0:
            x_bar = total_of_root(y_bar, "newton")
        elif whole:
            x_bar = y_bar[0]
            check_nothing(y_bar[2], "newton", "zero_der")
        if x_bar is None:
            return (None,)
        f_bar, args_bar = bars_of(x_bar)
        return f_bar, None, None, in_form_of(args_bar, args)

    return result, newton_back


@rule(scipy.optimize.root_scalar, calls=True)
def root_scalar_rule(f, args=(), method=None, bracket=None, fprime=None, *others, **options):
    """f(x, p) = 0, so p̄ = -(∂f/∂p)ᴴ x̄ / f'(x)."""
    result = scipy.optimize.root_scalar(f, args, method, bracket, fprime, *others, **options)
    residual = first_value if fprime is True else value
    bars_of = at_solution(residual, result["root"], f, as_args(args))

    def root_scalar_back(y_bar):
        (x_bar,) = of_result(y_bar, ("root",), "root_scalar")
        if x_bar is None:
            return (None,)
        f_bar, args_bar = bars_of(x_bar)
        return f_bar, as_given(args_bar, args)

    return result, root_scalar_back


@rule(scipy.optimize.fixed_point, calls=True)
def fixed_point_rule(func, x0, args=(), *others, **options):
    """f(x, p) - x = 0."""
    x = scipy.optimize.fixed_point(func, x0, args, *others, **options)
    bars_of = at_solution(step, x, func, tuple(args))

    def fixed_point_back(x_bar):
        f_bar, args_bar = bars_of(x_bar)
        return f_bar, None, in_form_of(args_bar, args)

    return x, fixed_point_back


# Of several variables


@rule(scipy.optimize.root, calls=True)
def root_rule(fun, x0, args=(), method="hybr", jac=None, *others, **options):
    """F(x, p) = 0, so p̄ = -(∂F/∂p)ᴴ λ with (∂F/∂x)ᴴ λ = x̄; the residual at the root is zero for all p."""
    result = scipy.optimize.root(fun, x0, args, method, jac, *others, **options)
    residual = first_array_value if jac is True else array_value
    bars_of = at_solution(residual, result["x"], fun, as_args(args))

    def root_back(y_bar):
        (x_bar,) = of_result(y_bar, ("x",), "root", ("fun",))
        if x_bar is None:
            return (None,)
        f_bar, args_bar = bars_of(x_bar)
        return f_bar, None, as_given(args_bar, args)

    return result, root_back


@rule(scipy.optimize.fsolve, calls=True)
def fsolve_rule(func, x0, args=(), *others, **options):
    """As `root`."""
    result = scipy.optimize.fsolve(func, x0, args, *others, **options)
    whole = isinstance(result, tuple)
    bars_of = at_solution(array_value, first_of(result), func, as_args(args))

    def fsolve_back(y_bar):
        x_bar = y_bar[0] if whole else y_bar
        if whole:
            check_nothing(y_bar[1], "fsolve", "infodict")
        if x_bar is None:
            return (None,)
        f_bar, args_bar = bars_of(x_bar)
        return f_bar, None, as_given(args_bar, args)

    return result, fsolve_back


def _nonlinear(solver):
    def nonlinear_rule(F, xin, *others, **options):  # noqa: N803
        x = solver(F, xin, *others, **options)
        bars_of = at_solution(array_value, x, F, ())

        def nonlinear_back(x_bar):
            return bars_of(x_bar)[:1]

        return x, nonlinear_back

    nonlinear_rule.__name__ = f"{solver.__name__}_rule"
    nonlinear_rule.__doc__ = "As `root`."
    return nonlinear_rule


for _solver in (
    scipy.optimize.broyden1,
    scipy.optimize.broyden2,
    scipy.optimize.anderson,
    scipy.optimize.newton_krylov,
    scipy.optimize.diagbroyden,
    scipy.optimize.linearmixing,
    scipy.optimize.excitingmixing,
):
    rule(_solver)(_nonlinear(_solver))
