"""New instances of the user's classes."""

from __future__ import annotations

import dataclasses
import inspect
import types
from typing import Any

from ..errors import UnsupportedSyntaxError, calling_place
from ..identity import IdentityMap
from ..ir import changes
from ..origin import is_made_up, is_missing
from ..rules.libraries import on_change
from ..rules.registry import Back, non_differentiable
from ..tangents import field_bar, plain_tuple
from .dispatch import call_pullback
from .implicit_calls import check_class
from .initialise import check_same, initialiser, with_fields
from .layouts import Layout, layout_of
from .refusing import no_rule
from .targets import plainly

_CHOSEN: IdentityMap[tuple[Layout, Any, Any]] = IdentityMap()
"""The handlers of classes, each with the layout and the code of `__init__` that it was found for."""


def constructor_of(cls: type) -> Any:
    """The handler of `cls(*args, **kwargs)`: fields by the generated `__init__` of a dataclass, else by what `__init__`
    stores."""
    if cls.__module__ == "builtins":
        return _constructor_of(cls)
    layout, code = layout_of(cls), getattr(getattr(cls, "__init__", None), "__code__", None)
    known = _CHOSEN.get(cls)
    if known is None or known[0] is not layout or known[1] is not code:
        known = _CHOSEN[cls] = layout, code, _constructor_of(cls)
    return known[2]


on_change.append(_CHOSEN.clear)


def _constructor_of(cls: type) -> Any:
    check_class(cls)
    meta_call = type(cls).__call__
    by_metaclass = meta_call is not type.__call__ and isinstance(meta_call, types.FunctionType)
    if issubclass(cls, BaseException):
        return exception
    if by_metaclass and "enum" in type(cls).__module__:
        return plainly
    if by_metaclass:
        return by_call_of_metaclass
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        if plain_tuple(cls) is not cls:
            raise no_rule(cls)  # its own `__new__` says what the fields are, or what reads them says it
        return named_tuple
    init: Any = cls.__init__
    if dataclasses.is_dataclass(cls) and _generated_init(cls):
        _check_fields(cls)
        return with_post_init if changes.runs_post_init(cls) else dataclass
    if isinstance(init, types.FunctionType) and cls.__new__ is object.__new__:
        return by_init
    if cls.__new__ is object.__new__ and init is object.__init__:
        return plainly
    raise no_rule(cls)


def _check_fields(cls: Any) -> None:
    """Refuse a dataclass where a store into a field runs code of the class."""
    own_store = not cls.__dataclass_params__.frozen and cls.__setattr__ is not object.__setattr__
    for field in dataclasses.fields(cls):
        if own_store or not changes.is_plain_field(cls, field.name):
            raise UnsupportedSyntaxError(
                f"storing the field `{field.name}` of `{cls.__name__}` runs code of the class",
                "what it does there is not looked into",
                "use plain fields, or a function that makes the object",
                calling_place(),
            )


def _generated_init(cls: Any) -> bool:
    """Tell whether `__init__` is the one that `dataclass` wrote, and stores the arguments as they are."""
    init = cls.__init__
    return isinstance(init, types.FunctionType) and is_made_up(init)


def exception(cls: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """An exception: what it carries is followed in recorded programs only."""
    n, error = 1 + len(args) + len(kwargs), no_rule(cls)

    def exception_back(y_bar: Any) -> tuple[Any, ...]:
        if y_bar is not None:
            raise error
        return (None,) * n

    return cls(*args, **kwargs), exception_back


def dataclass(cls: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """Each argument is a field, or goes nowhere."""
    given = fields_given(cls, len(args), tuple(kwargs))

    def dataclass_back(y_bar: Any) -> tuple[Any, ...]:
        return (None, *[field_bar(y_bar, name) for name in given])

    return cls(*args, **kwargs), dataclass_back


def with_post_init(cls: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """A dataclass whose `__post_init__` goes on where the generated `__init__` ends."""
    names = _names_of_fields(cls, args, kwargs)
    new = with_fields(_with_defaults(cls), names, (*args, *kwargs.values()))
    y, back = call_pullback(initialiser_of(cls, "__post_init__"), new)

    def post_init_back(y_bar: Any) -> tuple[Any, ...]:
        _, new_bar = back(y_bar)
        return (None, *[field_bar(new_bar, name) for name in names])

    return y, post_init_back


def fields_given(cls: Any, n: int, names: tuple[str, ...]) -> tuple[str, ...]:
    """The fields that `n` arguments by position and those of these names are."""
    return (*(_positional(cls) if dataclasses.is_dataclass(cls) else cls._fields)[:n], *names)


def _positional(cls: Any) -> tuple[str, ...]:
    return tuple(f.name for f in dataclasses.fields(cls) if f.init and not f.kw_only)


def _names_of_fields(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[str, ...]:
    """The fields that the arguments of a dataclass are."""
    inspect.signature(cls).bind(*args, **kwargs)
    if set(inspect.signature(cls).parameters) != {f.name for f in dataclasses.fields(cls) if f.init}:
        raise no_rule(cls)  # an `InitVar` goes to `__post_init__` alone
    return (*_positional(cls)[: len(args)], *kwargs)


def initialiser_of(cls: Any, name: str) -> Any:
    """`__init__` or `__post_init__` as a function that gives the object."""
    return initialiser(getattr(cls, name), constructs=name == "__init__")


def blank(cls: Any) -> Any:
    """A new object, not initialised."""
    return cls.__new__(cls)


def _with_defaults(cls: Any) -> Any:
    """A new dataclass object that has only its defaults."""
    new = blank(cls)
    for f in dataclasses.fields(cls):
        make: Any = f.default_factory
        if not is_missing(f.default):
            object.__setattr__(new, f.name, f.default)
        elif not is_missing(make):
            object.__setattr__(new, f.name, make())
    return new


non_differentiable(_positional, fields_given, _names_of_fields, initialiser_of, blank, _with_defaults)


def by_call_of_metaclass(cls: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """A class whose class says what calling it means."""
    y, back = call_pullback(type(cls).__call__, cls, *args, **kwargs)
    return y, lambda y_bar: back(y_bar)[1:]


def named_tuple(cls: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """Each argument is a field."""
    given = fields_given(cls, len(args), tuple(kwargs))

    def named_tuple_back(y_bar: Any) -> tuple[Any, ...]:
        return (None, *[field_bar(y_bar, name) for name in given])

    return cls(*args, **kwargs), named_tuple_back


def by_init(cls: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """An ordinary `__init__`: run as a function from a new object to that object with its fields."""
    new = blank(cls)
    y, back = call_pullback(initialiser_of(cls, "__init__"), new, *args, **kwargs)
    check_same(y, new)

    def init_back(y_bar: Any) -> tuple[Any, ...]:
        _, _, *bars = back(y_bar)
        return (None, *bars)

    return y, init_back
