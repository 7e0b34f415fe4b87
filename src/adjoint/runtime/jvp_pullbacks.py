"""The programs of forward mode over derivatives: tangents of gradients and of pullbacks, by reverse over forward."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..rules.registry import Back, non_differentiable, rule
from ..tangents import accumulate, densify, one_like, tangent, zeros_like
from ..tangents.sweep import in_sweep
from ..tangents.unknown import check_known
from .dispatch import call_pullback
from .jvp import Names, Values, call_pushforward, split


def gradient_along(plan: Any, f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """The value and the gradient of a function, and their tangents: ẏ = ⟨∇f, ẋ⟩ has the gradients ∇f by ẋ and
    H ẋ by x.

    Source: Griewank and Walther, Evaluating Derivatives, 2nd ed., section 5.4 (there by forward over reverse).
    """
    function, needs, component, takes_self = plan
    known, moving = (args, dots[1:]) if takes_self else ((function, *args), (None, *dots[1:]))
    (y, grads), (y_dot, grads_dot) = with_gradient(known, moving, (), needs)
    if component is not None:
        x = known[component]
        return densify(grads[component], x), densify(grads_dot[component], x)
    return (y, grads), (y_dot, grads_dot)


def with_gradient(known: Values, moving: Values, names: Names, needs: tuple[bool, ...]) -> tuple[Any, Any]:
    """Value and gradient of a function and its arguments, and the tangents of both."""
    (y, y_dot), back = call_pullback(call_pushforward, known[0], known[1:], filled(moving, known, needs), names)
    _, f_bar, args_bar, dots_bar, *_ = in_sweep(back, (None, one_like(y)))
    grads, grads_dot = picked(dots_bar, needs), picked(joined(f_bar, args_bar, needs), needs)
    check_all_known((*grads, *grads_dot), (*known, *known))
    return (y, grads), (y_dot, grads_dot)


def check_all_known(bars: Values, xs: Values) -> None:
    """Refuse gradients of which nothing is known: they are about to be handed out."""
    for bar, x in zip(bars, xs, strict=True):
        check_known(bar, x)


non_differentiable(check_all_known)


def filled(dots: Values, xs: Values, needs: tuple[bool, ...]) -> Values:
    """Tangents, with zeros for those that are asked for."""
    return tuple([zeros_like(x) if d is None and asked else d for d, x, asked in zip(dots, xs, needs, strict=True)])


@rule(filled, linear="dots | xs needs")
def filled_rule(dots: Values, xs: Values, needs: tuple[bool, ...]) -> tuple[Values, Back]:
    """The zeros are constants."""
    return filled(dots, xs, needs), lambda y_bar: (y_bar, None, None)


def joined(first: Any, rest: Any, needs: tuple[bool, ...]) -> Values:
    """Cotangents of a function and of its arguments in one tuple; None stands for none."""
    return (first, *((None,) * (len(needs) - 1) if rest is None else rest))


@rule(joined, linear="first+rest | needs")
def joined_rule(first: Any, rest: Any, needs: tuple[bool, ...]) -> tuple[Values, Back]:
    """Both parts again."""
    return joined(first, rest, needs), lambda y_bar: (y_bar[0], y_bar[1:], None)


def picked(bars: Any, needs: tuple[bool, ...]) -> Values:
    """The cotangents that are asked for."""
    bars = (None,) * len(needs) if bars is None else bars
    return tuple([bar if asked else None for bar, asked in zip(bars, needs, strict=True)])


@rule(picked, linear="bars | needs")
def picked_rule(bars: Any, needs: tuple[bool, ...]) -> tuple[Values, Back]:
    """The others get nothing."""
    return picked(bars, needs), lambda y_bar: (picked(y_bar, needs), None)


def made_of_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """Tangent of a function that makes one of another, `_f`."""
    positional, keywords = split(args, names)
    y = f(*positional, **keywords)
    return y, tangent(y, ("_f",), dots[1])


@dataclass(frozen=True)
class BackDot:
    """The tangent of a pullback that moves with what it was taken at: ȳ ↦ d/dt Jᵀ ȳ = ∂⟨ȳ, J ẋ⟩/∂x."""

    both: Any
    n: int

    def __call__(self, y_bar: Any) -> Values:
        _, f_bar, args_bar, *_ = in_sweep(self.both, (None, y_bar))
        return (f_bar, *(args_bar or (None,) * self.n))


def pulled_back_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """The value and the pullback of a call, and their tangents."""
    function, *given = args
    positional, keywords = split(tuple(given), names)
    _, back = call_pullback(function, *positional, **keywords)
    (y, y_dot), both = call_pullback(call_pushforward, function, tuple(given), (*dots[1:],), names)
    return (y, back), (y_dot, BackDot(both, len(given)))


def back_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A run of a pullback that moves: d/dt (Jᵀ ȳ) = (d/dt Jᵀ) ȳ + Jᵀ (d/dt ȳ)."""
    (y_bar,) = args
    bars_dot = dots[0](y_bar)
    return f(y_bar), bars_dot if dots[1] is None else accumulate(bars_dot, f(dots[1]))
