"""`__init__` as a function from a new object to that object with its fields.

The object is one that nobody else has seen, so that its stores are values that flow, not changes.
"""

from __future__ import annotations

import functools
import types
from typing import Any

from ..errors import UnsupportedSyntaxError, calling_place
from ..identity import IdentityMap
from ..ir import changes
from ..rules.registry import Back, non_differentiable, rule
from ..tangents import accumulate, set_attribute_back, tangent
from .dispatch import call_pullback
from .spec import ORIGINALS
from .targets import chosen

check_none = changes.check_none

_MADE: dict[bool, IdentityMap[types.FunctionType]] = {False: IdentityMap(), True: IdentityMap()}
"""By whether it constructs, and by the function that it was made of, which may have been given other code since."""


def initialiser(init: types.FunctionType, constructs: bool = False) -> types.FunctionType:
    """The function `(self, *args) -> self` of an `__init__`; one that `constructs` may return nothing itself."""
    made = _MADE[constructs].get(init)
    if not init.__code__.co_argcount:
        raise UnsupportedSyntaxError(
            f"`{init.__qualname__}` takes the object that it makes among others",
            "what becomes of the object is followed by the name of the first parameter",
            "give that a name of its own: `def __init__(self, *args)`",
            calling_place(),
        )
    if made is None or not _is_of(made, init):
        code = init.__code__.replace(co_name=f"{init.__name__}_of")
        ORIGINALS[code] = init.__code__, constructs
        made = types.FunctionType(code, init.__globals__, init.__name__, init.__defaults__, init.__closure__)
        made.__kwdefaults__ = init.__kwdefaults__
        made.__qualname__ = init.__qualname__
        _MADE[constructs][init] = made
    return made


def _is_of(made: types.FunctionType, init: types.FunctionType) -> bool:
    """Tell whether an initialiser is that of a function as it is now."""
    original = ORIGINALS.get(made.__code__)
    return (
        original is not None
        and original[0] is init.__code__
        and made.__defaults__ is init.__defaults__
        and made.__kwdefaults__ is init.__kwdefaults__
    )


def initialiser_among(functions: Any) -> types.FunctionType:
    """`initialiser` of a function in a tuple, where it is not taken for one that is going to be called as it is."""
    return initialiser(functions[0])


non_differentiable(initialiser, initialiser_among)


@chosen(changes.initialise)
def initialise(function: Any, new: Any, *args: Any) -> Any:
    """Go on with an object within its `__init__`: functions of Python as what they make of the object."""
    if function is setattr or function is object.__setattr__:
        return by_store
    if function is functools.update_wrapper and args and args[0] is new:
        return by_wrapping
    own = getattr(function, "__self__", None) is new
    inner = getattr(function, "__func__", None) if own else function
    named = isinstance(inner, types.FunctionType) and inner.__code__.co_argcount > 0
    if named and (own or len(args) > 0 and args[0] is new):
        return by_method if own else by_function
    return _by_nothing if getattr(function, "__objclass__", None) is object and _is_init(function) else _by_effect


def by_method(f: Any, method: Any, new: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    y, back = call_pullback(initialiser(method.__func__), new, *args, **kwargs)
    check_same(y, new)
    return y, lambda y_bar: (None, None, *back(y_bar)[1:])


def by_function(f: Any, function: Any, new: Any, first: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    y, back = call_pullback(initialiser_among((function,)), new, *args, **kwargs)
    check_same(y, new)

    def initialise_back(y_bar: Any) -> tuple[Any, ...]:
        _, new_bar, *bars = back(y_bar)
        return (None, None, new_bar, None, *bars)

    return y, initialise_back


def by_store(f: Any, function: Any, new: Any, target: Any, name: str, value: Any, /) -> tuple[Any, Back]:
    check_plain_store(function, target, name)
    y, back = call_pullback(with_fields, target, (name,), (value,))

    def store_back(y_bar: Any) -> tuple[Any, ...]:
        _, new_bar, _, bars = back(y_bar)
        return (None, None, new_bar, None, None, None if bars is None else bars[0])

    return y, store_back


def by_wrapping(f: Any, function: Any, new: Any, target: Any, wrapped: Any, /, *args: Any, **kw: Any) -> Any:
    """The object keeps what it wraps, and whatever that holds."""
    y = f(function, new, target, wrapped, *args, **kw)
    names, n = fields_wrapped(target, wrapped), len(args) + len(kw)

    def wrapping_back(y_bar: Any) -> tuple[Any, ...]:
        y_bar, wrapped_bar = set_attribute_back(y_bar, "__wrapped__")
        for name in names:
            y_bar, bar = set_attribute_back(y_bar, name)
            if bar is not None:
                wrapped_bar = accumulate(wrapped_bar, tangent(wrapped, (name,), bar))
        return (None, None, y_bar, None, wrapped_bar, *(None,) * n)

    return y, wrapping_back


def fields_wrapped(target: Any, wrapped: Any) -> list[str]:
    """Fields that an object has taken over from what it wraps."""
    own, held = vars(target), getattr(wrapped, "__dict__", {})
    return [name for name in held if name in own and own[name] is held[name] and name != "__wrapped__"]


def with_fields(new: Any, names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    """A new object with these fields, which are stored as they are."""
    for name, value in zip(names, values, strict=True):
        object.__setattr__(new, name, value)
    return new


@rule(with_fields)
def with_fields_rule(new: Any, names: tuple, values: tuple) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """The cotangents of the fields, and what is left of that of the object."""

    def with_fields_back(y_bar: Any) -> tuple[Any, ...]:
        bars = []
        for name in names:
            y_bar, bar = set_attribute_back(y_bar, name)
            bars.append(bar)
        return y_bar, None, tuple(bars)

    return with_fields(new, names, values), with_fields_back


def _is_init(function: Any) -> bool:
    return bool(function.__name__ == "__init__")


def _by_nothing(f: Any, method: Any, new: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    n = len(args) + len(kwargs)
    called(method, *args, **kwargs)
    return new, lambda y_bar: (None, None, y_bar, *(None,) * n)


def _by_effect(f: Any, function: Any, new: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    n = len(args) + len(kwargs)
    call_pullback(function, *args, **kwargs)
    return new, lambda y_bar: (None, None, y_bar, *(None,) * n)


def called(method: Any, /, *args: Any, **kwargs: Any) -> None:
    """`method(*args, **kwargs)`, through which nothing flows."""
    method(*args, **kwargs)


def check_same(y: Any, new: Any) -> None:
    """Refuse a function that binds the name of its object to another one."""
    if y is not new:
        raise UnsupportedSyntaxError(
            f"the first parameter of a function that makes a {type(new).__name__} is bound again",
            "what becomes of the object is followed by this name",
            "give the other value another name",
            calling_place(),
        )


def check_plain_store(function: Any, target: Any, name: str) -> None:
    """Refuse a store that does more than keep the value."""
    if function is setattr or not changes.is_plain_field(type(target), name):
        changes.check_store(target, name)


non_differentiable(called, fields_wrapped, check_same, check_plain_store)
