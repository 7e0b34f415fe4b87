"""Fixed points with the gradient of the implicit function theorem: `autograd.misc.fixed_points`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....directional import vjp
from ....rules.registry import Back, rule
from ....tangents import accumulate, unknown


def fixed_point(
    f: Callable[[Any], Callable[[Any], Any]],
    a: Any,
    x0: Any,
    distance: Callable[[Any, Any], Any],
    tol: float,
) -> Any:
    """The fixed point x = f(a)(x) of a contraction, found by iteration from `x0`.

    Its derivative is by `a` alone: with w = ȳ + (∂F/∂x)ᵀ w, found in the same way, ā = (∂F/∂a)ᵀ w.

    Parameters
    ----------
    f : gives for parameters a function of x, which contracts.
    a : the parameters: numbers, arrays, or structures of these.
    x0 : where the iteration begins.
    distance : of two iterates, and of two cotangents; the iteration ends where it is `tol` or less.
    tol : how near they have to come.

    Returns
    -------
    x, in the structure of `x0`.

    Raises
    ------
    NoRuleError
        Where the derivative by what `f` captures is asked for: pass it in `a`.

    References
    ----------
    A. Griewank and A. Walther, "Evaluating Derivatives", 2nd ed., SIAM, 2008, ch. 15.

    Examples
    --------
    >>> from adjoint.compat.autograd import grad
    >>> def newton(a): return lambda x: 0.5 * (x + a / x)
    >>> def root(a): return fixed_point(newton, a, 1.0, lambda x, y: abs(x - y), 1e-12)
    >>> round(root(2.0), 6), round(grad(root)(2.0), 6), round(grad(grad(root))(2.0), 6)
    (1.414214, 0.353553, -0.088388)
    """
    step = f(a)
    before, x = x0, step(x0)
    while distance(x, before) > tol:
        before, x = x, step(x)
    return x


@rule(fixed_point)
def fixed_point_rule(
    f: Callable[[Any], Callable[[Any], Any]],
    a: Any,
    x0: Any,
    distance: Callable[[Any, Any], Any],
    tol: float,
) -> tuple[Any, Back]:
    """ā = (∂F/∂a)ᵀ w with w = x̄ + (∂F/∂x)ᵀ w, again a fixed point."""
    x = fixed_point(f, a, x0, distance, tol)

    def fixed_point_back(x_bar: Any) -> tuple[Any, ...]:
        w = fixed_point(cotangents(f), (a, x, x_bar), x_bar, distance, tol)
        _, back = vjp(lambda a: f(a)(x), a)
        return captured(), back(w)[0], None, None, None

    return x, fixed_point_back


def cotangents(f: Callable[[Any], Callable[[Any], Any]]) -> Callable[[Any], Callable[[Any], Any]]:
    """The contraction w ↦ x̄ + (∂F/∂x)ᵀ w, as `fixed_point` takes it: of (a, x, x̄)."""

    def of_parameters(given: Any) -> Callable[[Any], Any]:
        a, x, x_bar = given

        def step(w: Any) -> Any:
            _, back = vjp(f(a), x)
            return accumulate(x_bar, back(w)[0])

        return step

    return of_parameters


def captured() -> Any:
    """The cotangent of what the function of a fixed point captures."""
    return unknown(
        "what the function of `fixed_point` captures",
        "the implicit function theorem is applied to the parameters that are passed",
        "pass it in `a`",
    )


__all__ = ["fixed_point"]
