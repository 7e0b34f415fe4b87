"""Solvers as functions with a derivative: by the equation that is solved."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from .derivatives.named import Importable
from .errors import NotDifferentiableError, calling_place, check_callable
from .rules.holding import held
from .rules.implicit import implicit_bars
from .rules.knots import call_pullback
from .rules.registry import Back, non_differentiable, rule
from .tangents import tangent, unknown


def implicit(residual: Callable[..., Any], *, tolerance: float = 1e-4) -> Callable[[Callable[..., Any]], Solver]:
    """Make a differentiable function of any solver, by the equation that it solves.

    `@implicit(residual)` goes over `solve(*params) -> x`, where `residual(x, *params)` is zero at the solution.
    Parameters may be passed by name; keywords that the residual does not take are the solver's own. How the solver
    finds it (NumPy, SciPy, compiled code, a loop) does not matter: it is run as it is. The derivative is that of
    the implicit function theorem: one linear system with the linearised residual, which is differentiated as any other
    function, by the parameters and by what it captures. Derivatives of higher order go through the theorem again.

    Parameters
    ----------
    residual : as many real numbers as the solution has, in numbers, arrays, or tuples, lists and dicts of these.
    tolerance : how far from a solution, relative to 1 + |x|, the solver may stop: Newton's next step from there is
        compared with it when the derivative is taken.

    Returns
    -------
    A decorator; what it gives has the name and signature of the solver.

    Raises
    ------
    ImplicitError
        When differentiated: what the solver gave is not a solution, the linearised residual is singular there, or
        residual and solution are of different sizes.

    References
    ----------
    A. Griewank, A. Walther, "Evaluating Derivatives", 2nd ed., SIAM, 2008, ch. 15.

    Examples
    --------
    >>> import adjoint
    >>> def residual(x, a): return x * x - a
    >>> @adjoint.calculus.implicit(residual)
    ... def root(a):
    ...     x = 1.0
    ...     for _ in range(40): x = (x + a / x) / 2
    ...     return x
    >>> adjoint.gradient(root, 4.0)
    (0.25,)
    >>> round(adjoint.grad(adjoint.grad(root))(4.0), 6)
    -0.03125
    """
    if not callable(residual):
        raise NotDifferentiableError(
            f"{residual!r} is not callable",
            "`implicit` is given the equation, not the solver",
            "write `@implicit(residual)` over the solver",
            calling_place(),
        )

    def decorate(solve: Callable[..., Any]) -> Solver:
        check_callable(solve)
        return Solver(solve, residual, tolerance)

    return decorate


class Solver(Importable):
    """A solver that is differentiated by its equation; what `implicit` gives."""

    def __init__(self, solve: Callable[..., Any], residual: Callable[..., Any], tolerance: float) -> None:
        self.solve = solve
        self.residual = residual
        self.options = constants(tolerance=tolerance)
        functools.update_wrapper(self, solve, updated=())

    def __reduce__(self) -> Any:
        return Solver, (self.solve, self.residual, self.options["tolerance"])

    def __call__(self, /, *params: Any, **options: Any) -> Any:
        return self.solve(*params, **options)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"implicit({getattr(self.solve, '__name__', self.solve)})"


@rule(Solver.__call__)
def solver_rule(self: Solver, /, *params: Any, **options: Any) -> tuple[Any, Back]:
    """F(x, p) = 0, so p̄ = -(∂F/∂p)ᴴ λ with (∂F/∂x)ᴴ λ = x̄; keywords that F does not take are the solver's own."""
    x = self(*params, **options)
    residual, of_residual = call_pullback(held, self.residual)
    named = taken_by_name(self.residual, len(params), tuple(options))
    bars_of = implicit_bars(residual, x, (*params, *[options[name] for name in named]), tolerance_of(self))

    def solver_back(x_bar: Any) -> tuple[Any, ...]:
        held_bar, bars = bars_of(x_bar)
        _, residual_bar = of_residual(held_bar)
        by_name = dict(zip(named, bars[len(params) :], strict=True))
        own = "the keyword `{}` of an implicit solver, which its equation does not take"
        others = [by_name[name] if name in by_name else unknown(own.format(name)) for name in options]
        return tangent(self, ("residual",), residual_bar), *bars[: len(params)], *others

    return x, solver_back


def taken_by_name(residual: Callable[..., Any], n: int, keywords: tuple[str, ...]) -> tuple[str, ...]:
    """The keywords of a call that are parameters of the equation, in its order, where `n` come by position.

    >>> taken_by_name(lambda x, a, b, c: x - a - b - c, 1, ("steps", "c", "b"))
    ('b', 'c')
    """
    try:
        parameters = inspect.signature(residual).parameters.values()
    except (TypeError, ValueError):
        return ()
    only = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.name in keywords]
    if only:
        raise NotDifferentiableError(
            f"an implicit solver is given `{only[0]}`, which its equation takes by keyword only",
            "the equation takes its parameters in their order",
            f"let `{only[0]}` be an ordinary parameter of the equation",
            calling_place(),
        )
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    found = tuple([name for name in names[1 + n :] if name in keywords])
    if found != tuple(names[1 + n : 1 + n + len(found)]):
        left_out = next(name for name in names[1 + n :] if name not in keywords)
        raise NotDifferentiableError(
            f"an implicit solver is given `{found[-1]}` and not `{left_out}`",
            "the equation takes its parameters in their order",
            f"pass `{left_out}` too",
            calling_place(),
        )
    return found


def tolerance_of(solver: Solver) -> float:
    """The tolerance that its solutions have to meet."""
    return float(solver.options["tolerance"])


def constants(**options: Any) -> Any:
    """Options that nothing is differentiated by, and that nobody can change."""
    return MappingProxyType(options)


non_differentiable(tolerance_of, constants, taken_by_name)

__all__ = ["implicit"]
