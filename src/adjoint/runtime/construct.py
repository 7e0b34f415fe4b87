"""New instances of the user's classes."""

from __future__ import annotations

import dataclasses
import inspect
import types
from typing import Any

from ..tangents import field_bar
from .dispatch import Back, call_pullback, no_rule


def construct(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Back]:
    """`cls(*args, **kwargs)` and the way back from its fields to the arguments."""
    meta_call = type(cls).__call__
    by_metaclass = meta_call is not type.__call__ and isinstance(meta_call, types.FunctionType)
    if by_metaclass and (not isinstance(cls, type) or "enum" in type(cls).__module__):
        return _opaque(cls, args, kwargs)
    if issubclass(cls, BaseException):
        return _opaque(cls, args, kwargs)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return _named_tuple(cls, args, kwargs)
    init = cls.__init__
    if dataclasses.is_dataclass(cls) and _generated_init(cls):
        if hasattr(cls, "__post_init__"):
            return _with_post_init(cls, args, kwargs)
        return _dataclass(cls, args, kwargs)
    if isinstance(init, types.FunctionType) and cls.__new__ is object.__new__:
        return _by_init(cls, init, args, kwargs)
    if cls.__new__ is object.__new__ and init is object.__init__:
        return _opaque(cls, args, kwargs)
    raise no_rule(cls)


def _opaque(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Back]:
    return cls(*args, **kwargs), lambda y_bar: (None,) * (1 + len(args) + len(kwargs))


def _generated_init(cls: Any) -> bool:
    """Whether `__init__` is the one that `dataclass` wrote, and stores the arguments as they are."""
    init = cls.__init__
    return isinstance(init, types.FunctionType) and init.__code__.co_filename == "<string>"


def _dataclass(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Back]:
    y = cls(*args, **kwargs)
    names = [f.name for f in dataclasses.fields(cls) if f.init]
    positional = [f.name for f in dataclasses.fields(cls) if f.init and not f.kw_only]
    given = (*positional[: len(args)], *kwargs)

    def dataclass_back(y_bar: Any) -> tuple[Any, ...]:
        return (None, *(field_bar(y_bar, name) if name in names else None for name in given))

    return y, dataclass_back


def _with_post_init(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Back]:
    """A dataclass whose `__post_init__` goes on where the generated `__init__` ends."""
    from .initialise import initialiser

    fields = [f for f in dataclasses.fields(cls) if f.init]
    bound = inspect.signature(cls).bind(*args, **kwargs).arguments
    if set(inspect.signature(cls).parameters) != {f.name for f in fields}:
        raise no_rule(cls)  # an `InitVar` goes to `__post_init__` alone
    new = cls.__new__(cls)
    for f in dataclasses.fields(cls):
        if f.name in bound:
            object.__setattr__(new, f.name, bound[f.name])
        elif f.default is not dataclasses.MISSING:
            object.__setattr__(new, f.name, f.default)
        elif f.default_factory is not dataclasses.MISSING:
            object.__setattr__(new, f.name, f.default_factory())
    y, back = call_pullback(initialiser(cls.__post_init__), new)
    positional = [f.name for f in fields if not f.kw_only]
    given = (*positional[: len(args)], *kwargs)

    def post_init_back(y_bar: Any) -> tuple[Any, ...]:
        new_bar = back(y_bar)[1]
        return (None, *(field_bar(new_bar, name) for name in given))

    return y, post_init_back


def _named_tuple(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Back]:
    y = cls(*args, **kwargs)
    given = (*cls._fields[: len(args)], *kwargs)

    def named_tuple_back(y_bar: Any) -> tuple[Any, ...]:
        return (None, *(None if y_bar is None else y_bar[cls._fields.index(name)] for name in given))

    return y, named_tuple_back


def _by_init(cls: Any, init: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Back]:
    """An ordinary `__init__`: run as a function from a new object to that object with its fields."""
    from .initialise import initialiser

    new = cls.__new__(cls)
    y, back = call_pullback(initialiser(init), new, *args, **kwargs)

    def init_back(y_bar: Any) -> tuple[Any, ...]:
        _, _, *bars = back(y_bar)
        return (None, *bars)

    return y, init_back


__all__ = ["construct"]
