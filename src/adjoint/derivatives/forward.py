"""Forward mode from outside: ẏ = J ẋ of any call, and the linear map itself, to be used for many tangents.

What has no forward form of its own is transposed: the pullback ȳ ↦ Jᵀ ȳ is linear, and its own pullback is ẋ ↦ J ẋ.
Of a program that is recorded the rows of J are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..rules.registry import Back
from ..runtime.dispatch import call_pullback
from ..runtime.targets import special
from ..tangents import zeros_like
from ..tangents.sweep import in_pass, in_sweep
from ..tangents.vectors import Vector, dimension, ravel, unravel
from . import begin
from .choice import DEBUGGER, REFUSALS, is_structured, is_to_be_recorded

Values = tuple[Any, ...]
Push = Callable[[Values], Any]
"""From the tangents of the function, of each argument, then of each keyword, to that of the result (None for zero)."""


def transposed(f: Any, args: Values, kwargs: dict[str, Any]) -> tuple[Any, Push]:
    """The value of a call and ẋ ↦ J ẋ, as the pullback of its pullback."""
    y, back = call_pullback(f, *args, **kwargs)
    _, again = call_pullback(in_sweep, back, zeros_like(y))
    return y, lambda dots: again(dots)[2]


def pushed(f: Any, args: Values, kwargs: dict[str, Any], dots: Values) -> tuple[Any, Any]:
    """The value of a call and the tangent of its result."""
    y, push = transposed(f, args, kwargs)
    return y, push(dots)


def linear_map(f: Any, args: Values, kwargs: dict[str, Any]) -> tuple[Any, Push]:
    """The value of an outermost call and ẋ ↦ J ẋ, which may be called any number of times."""
    if DEBUGGER.get() is None and not is_to_be_recorded(f, args):
        try:
            if is_structured(f, args, kwargs, None):
                return in_pass(transposed, f, args, kwargs)  # type: ignore[no-any-return]
        except REFUSALS:
            pass  # said again, if it cannot be recorded either
    return _by_rows(*begin(None, f, args, kwargs))


MAX_KEPT = 1_000_000
"""How many numbers of the rows of a Jacobian are kept for further tangents."""


def _by_rows(y: Any, back: Any, given: Values) -> tuple[Any, Push]:
    """ẋ ↦ J ẋ by the rows of J, one run of the pullback each: recording the reverse of a record takes far longer."""
    n = dimension(y)
    kept: list[Vector] = []

    def rows() -> Iterator[Vector]:
        for i in range(n):
            unit = np.zeros(n)
            unit[i] = 1.0
            yield ravel(in_sweep(back, unravel(unit, y)), given)

    def push(dots: Values) -> Any:
        direction = ravel(dots, given)
        if not kept and n * len(direction) <= MAX_KEPT:
            kept[:] = rows()
        return unravel(np.array([row @ direction for row in kept or rows()]), y)

    return y, push


def pushforward_of(f: Any, args: Values, kwargs: dict[str, Any], dots: Values) -> tuple[Any, Any]:
    """The value of an outermost call and the tangent of its result."""
    y, push = linear_map(f, args, kwargs)
    return y, push(dots)


@special(pushforward_of)
def pushforward_of_rule(
    f: Any, function: Any, args: Values, kwargs: dict[str, Any], dots: Values, /
) -> tuple[Any, Back]:
    """The derivative of taking a tangent."""
    return call_pullback(pushed, function, args, kwargs, dots)


@special(linear_map)
def linear_map_rule(f: Any, function: Any, args: Values, kwargs: dict[str, Any], /) -> tuple[Any, Back]:
    """The derivative of taking a linear map."""
    return call_pullback(transposed, function, args, kwargs)
