"""`__init__` as a function from a new object to that object with its fields.

The object is one that nobody else has seen, so that its stores are values that flow, not changes.
"""

from __future__ import annotations

import types
from typing import Any

from ..ir import intrinsics
from ..rules.registry import non_differentiable
from ..tangents import Tangent
from .dispatch import Back, call_pullback, special
from .identity import IdentityMap
from .spec import ORIGINALS

_MADE: IdentityMap[types.FunctionType] = IdentityMap()


def initialiser(init: types.FunctionType) -> types.FunctionType:
    """The function `(self, *args) -> self` of an `__init__`."""
    made = _MADE.get(init)
    if made is None:
        code = init.__code__.replace(co_name=f"{init.__name__}_of")
        ORIGINALS[code] = init.__code__
        made = types.FunctionType(code, init.__globals__, init.__name__, init.__defaults__, init.__closure__)
        made.__kwdefaults__ = init.__kwdefaults__
        made.__qualname__ = init.__qualname__
        _MADE[init] = made
    return made


non_differentiable(initialiser)


@special(intrinsics.initialise)
def initialise(method: Any, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """`super().__init__(...)` within an `__init__`."""
    owner = method.__self__
    function = getattr(method, "__func__", None)
    if not isinstance(function, types.FunctionType):
        method(*args, **kwargs)
        n = len(args) + len(kwargs)
        return owner, lambda y_bar: (None, _of_method(y_bar), *(None,) * n)
    y, back = call_pullback(initialiser(function), owner, *args, **kwargs)

    def initialise_back(y_bar: Any) -> tuple[Any, ...]:
        _, self_bar, *bars = back(y_bar)
        return (None, _of_method(self_bar), *bars)

    return y, initialise_back


def _of_method(bar: Any) -> Any:
    return None if bar is None else Tangent(types.MethodType, {"__self__": bar})
