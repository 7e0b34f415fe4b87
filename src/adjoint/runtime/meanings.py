"""What the frontend writes and Python does itself: stores, calls with stars, iteration, attributes, `super`."""

from __future__ import annotations

import builtins
import functools
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import MutationError, calling_place
from ..ir import intrinsics
from ..rules.registry import find_rules
from ..tangents import Tangent, field_bar
from .dispatch import Back, call_pullback, special


def _store(target: Any, *args: Any) -> tuple[Any, Back]:
    raise MutationError(
        f"a store changes a {type(target).__name__} that others can see",
        "whoever else holds it would see the change, and its derivative cannot follow yet",
        "change a copy that is made here, or build a new value instead",
        calling_place(),
    )


for _store_function in ("set_item", "delete_item", "set_attribute", "delete_attribute", "stored", "call_method"):
    special(getattr(intrinsics, _store_function))(_store)


@special(intrinsics.invoke)
def invoke(target: Any, name: str, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    method = getattr(target, name)
    y, back = call_pullback(method, *args, **kwargs)
    bound = getattr(method, "__self__", None) is target or isinstance(target, super)

    def invoke_back(y_bar: Any) -> tuple[Any, ...]:
        f_bar, *bars = back(y_bar)
        if bound:
            target_bar = f_bar
            if not isinstance(target, super):
                target_bar = field_bar(f_bar, "__self__")
        else:
            target_bar = None if f_bar is None else Tangent(type(target), {name: f_bar})
        return (None, target_bar, None, *bars)

    return y, invoke_back


@special(intrinsics.spread)
def spread(stars: tuple[bool, ...], names: tuple[str | None, ...], values: tuple[Any, ...]) -> tuple[Any, Back]:
    """Arguments laid out for a call; needed where `apply` is itself differentiated."""
    args, kwargs = intrinsics.spread(stars, names, values)
    lengths = [len(list(v)) if star else 1 for star, v in zip(stars, values, strict=False)]

    def spread_back(y_bar: Any) -> tuple[Any, ...]:
        args_bar, kwargs_bar = (None, None) if y_bar is None else y_bar
        args_bar = [None] * len(args) if args_bar is None else args_bar
        kwargs_bar = {} if kwargs_bar is None else kwargs_bar
        starts = [sum(lengths[:i]) for i in range(len(lengths))]
        parts = [args_bar[at : at + n] for at, n in zip(starts, lengths, strict=True)]
        positional = [tuple(part) if star else part[0] for star, part in zip(stars, parts, strict=True)]
        named = [
            {k: kwargs_bar.get(k) for k in value} if name is None else kwargs_bar.get(name)
            for name, value in zip(names, values[len(stars) :], strict=True)
        ]
        return (None, None, None, (*positional, *named))

    return (args, kwargs), spread_back


@special(intrinsics.apply)
def apply(f: Any, stars: tuple[bool, ...], names: tuple[str | None, ...], *values: Any) -> tuple[Any, Back]:
    args, kwargs = intrinsics.spread(stars, names, values)
    y, back = call_pullback(f, *args, **kwargs)
    lengths = [len(list(v)) if star else 1 for star, v in zip(stars, values, strict=False)]

    def apply_back(y_bar: Any) -> tuple[Any, ...]:
        f_bar, *bars = back(y_bar)
        out, at = [], 0
        for star, value, n in zip(stars, values, lengths, strict=False):
            part = bars[at : at + n]
            at += n
            out.append(_like_starred(part, value) if star else part[0])
        by_name = dict(zip(kwargs, bars[at:], strict=True))
        for name, value in zip(names, values[len(stars) :], strict=True):
            out.append({k: by_name[k] for k in value} if name is None else by_name[name])
        return (None, f_bar, None, None, *out)

    return y, apply_back


def _like_starred(bars: list[Any] | tuple[Any, ...], value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return np.stack(bars)
    return bars if isinstance(value, list) else tuple(bars)


@special(intrinsics.iterate)
def iterate(x: Any) -> tuple[Any, Back]:
    """What a loop runs through: the user's own containers by their `__iter__`."""
    method = getattr(type(x), "__iter__", None)
    if isinstance(method, types.FunctionType) and not isinstance(x, Iterator):
        y, back = call_pullback(method, x)
        return y, lambda y_bar: (None, back(y_bar)[1])
    if method is None and isinstance(getattr(type(x), "__getitem__", None), types.FunctionType):
        raise MutationError("iteration by `__getitem__` alone is not supported", "", "give the class an `__iter__`")
    rules = find_rules(intrinsics.iterate)
    rule = None if rules is None else rules.select((type(x),))
    if rule is None:
        return x, lambda y_bar: (None, y_bar)
    y, back = rule.call(x)
    return y, lambda y_bar: (None, *back(y_bar))


@special(builtins.getattr)
def get_attribute(x: Any, name: str, *default: Any) -> tuple[Any, Back]:
    """An attribute: properties by their function, bound methods, fields."""
    if name == "__dict__":
        y, back = call_pullback(vars, x)
        return y, lambda y_bar: (None, back(y_bar)[1], None)
    static = _static(type(x), name)
    if isinstance(static, property) and isinstance(static.fget, types.FunctionType):
        y, back = call_pullback(static.fget, x)
        return y, lambda y_bar: (None, back(y_bar)[1], None, *(None for _ in default))
    getter = getattr(type(static), "__get__", None)
    if isinstance(getter, types.FunctionType) and not isinstance(static, types.FunctionType):
        stored = name in getattr(x, "__dict__", {}) and not hasattr(type(static), "__set__")
        if not stored and not isinstance(static, functools.cached_property):
            y, back = call_pullback(getter, static, x, type(x))
            return y, lambda y_bar: (None, back(y_bar)[2], None, *(None for _ in default))
    if isinstance(static, functools.cached_property) and name not in vars(x):
        y, back = call_pullback(static.func, x)
        return y, lambda y_bar: (None, back(y_bar)[1], None, *(None for _ in default))
    getter = getattr(type(x), "__getattr__", None)
    if isinstance(getter, types.FunctionType) and static is None and name not in getattr(x, "__dict__", {}):
        y, back = call_pullback(getter, x, name)
        return y, lambda y_bar: (None, back(y_bar)[1], None, *(None for _ in default))
    if isinstance(x, np.ndarray | np.generic | int | float | complex):
        from ..rules.numpy.shaping import ATTRIBUTES

        if name in ATTRIBUTES:
            y, back = ATTRIBUTES[name](x)
            return y, lambda y_bar: (None, back(y_bar)[0], None)
    y = getattr(x, name, *default)

    def attribute_back(y_bar: Any) -> tuple[Any, ...]:
        rest = (None,) * (1 + len(default))
        if y_bar is None:
            return (None, None, *rest)
        if default and y is default[0] and not hasattr(x, name):
            return (None, None, None, y_bar)
        if isinstance(x, super):
            return (None, y_bar, *rest)
        if getattr(y, "__self__", None) is x and isinstance(y_bar, Tangent):
            return (None, y_bar["__self__"], *rest)
        if isinstance(x, tuple) and hasattr(x, "_fields"):
            cls: Any = type(x)
            return (None, cls(*(y_bar if f == name else None for f in x._fields)), *rest)
        if isinstance(x, types.ModuleType | type):
            return (None, None, *rest)
        return (None, Tangent(type(x), {name: y_bar}), *rest)

    return y, attribute_back


@special(super)
def super_(*args: Any) -> tuple[Any, Back]:
    """`super()`: its cotangent is that of the bound method read from it."""
    return super(*args), lambda y_bar: (None, None, field_bar(y_bar, "__self__"))


def _static(cls: type, name: str) -> Any:
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return None
