"""`__init__` as a function from a new object to that object with its fields.

The object is one that nobody else has seen, so that its stores are values that flow, not changes.
"""

from __future__ import annotations

import types
from typing import Any

from ..ir import intrinsics
from ..rules.registry import Back, non_differentiable
from ..tangents import tangent
from .dispatch import call_pullback
from .identity import IdentityMap
from .spec import ORIGINALS
from .targets import chosen

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


@chosen(intrinsics.initialise)
def initialise(method: Any, *args: Any) -> Any:
    """`super().__init__(...)` within an `__init__`."""
    return _by_function if isinstance(getattr(method, "__func__", None), types.FunctionType) else _by_builtin


def _by_function(f: Any, method: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    y, back = call_pullback(initialiser(method.__func__), method.__self__, *args, **kwargs)

    def initialise_back(y_bar: Any) -> tuple[Any, ...]:
        _, self_bar, *bars = back(y_bar)
        return (None, None if self_bar is None else tangent(method, ("__self__",), self_bar), *bars)

    return y, initialise_back


def _by_builtin(f: Any, method: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    n = len(args) + len(kwargs)
    called(method, *args, **kwargs)

    def initialise_back(y_bar: Any) -> tuple[Any, ...]:
        return (None, None if y_bar is None else tangent(method, ("__self__",), y_bar), *(None,) * n)

    return method.__self__, initialise_back


def called(method: Any, *args: Any, **kwargs: Any) -> None:
    """`method(*args, **kwargs)`, through which nothing flows."""
    method(*args, **kwargs)


non_differentiable(called)
