"""Declaring rules for arrays: written for arrays alone, they hold for numbers and for nested lists of numbers too."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ...errors import MutationError, NoRuleError, calling_place
from ..registry import Back, rule
from .linear import nested

R = TypeVar("R", bound=Callable[..., Any])

Liftable = list | tuple | int | float | complex | np.generic  # type: ignore[type-arg]
"""What NumPy makes an array of before it computes."""


def array_rule(*functions: Any, returns: str | None = None) -> Callable[[R], R]:
    """`rule` for functions of an array, which NumPy also takes as a number or as a nested sequence.

    The first parameter is annotated `np.ndarray`. For anything else that NumPy turns into an array the rule is lifted:
    its cotangent has the structure of what was passed.

    Examples
    --------
    >>> from adjoint.rules.registry import find_rules
    >>> y, back = find_rules(np.sum).select((list,)).call([1.0, 2.0])
    >>> back(3.0)
    ([3.0, 3.0],)
    """

    def register(call: R) -> R:
        rule(*functions, returns=returns)(call)
        rule(*functions)(lifted(call))
        return call

    return register


def lifted(call: Callable[..., tuple[Any, Back]], types: Any = Liftable) -> Callable[..., tuple[Any, Back]]:
    """The rule `call(a: np.ndarray, ...)` as a rule for numbers and sequences, or for those of these types."""

    def lifted_rule(a: Any, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
        y, back = call(np.asarray(a), *args, **kwargs)

        def lifted_back(y_bar: Any) -> tuple[Any, ...]:
            bars = back(y_bar)
            return (nested(bars[0], a), *bars[1:])

        return y, lifted_back

    signature = inspect.signature(call)
    first = next(iter(signature.parameters))
    lifted_rule.__name__ = lifted_rule.__qualname__ = call.__name__
    lifted_rule.__doc__ = call.__doc__
    lifted_rule.__annotations__ = {first: types}
    lifted_rule.__signature__ = signature  # type: ignore[attr-defined]
    return lifted_rule


def refuse_out(out: Any) -> None:
    """Raise if a result is to be written into an array of the caller's.

    >>> refuse_out(None)
    """
    if out is not None:
        why = "it writes into an array that others can see"
        raise MutationError("cannot differentiate through out=", why, "use the result of the call", calling_place())


def refuse(function: str, why: str, way_out: str) -> None:
    """Raise: this use of a function has no rule."""
    raise NoRuleError(f"{function} has no rule for this use", why, way_out, calling_place())
