"""Objects: attributes, dataclasses, named tuples, and what only asks about them or prints them."""

from __future__ import annotations

import builtins
import dataclasses
import logging
import time
import warnings
from typing import Any

from ...ir import intrinsics
from ...tangents import Tangent, tangent
from ..registry import Back, call_pullback, non_differentiable, rule

# Attributes. Reading them is the business of the runtime: descriptors, methods and fields all look alike.


@rule(vars)
def vars_rule(object: Any) -> tuple[Any, Back]:
    """`vars(x)`: the fields as a dict."""

    def vars_back(y_bar: Any) -> tuple[Any, ...]:
        return (tangent(object, tuple(y_bar), *y_bar.values()),)

    return vars(object), vars_back


# Dataclasses


@rule(dataclasses.replace)
def replace_rule(obj: Any, /, **changes: Any) -> tuple[Any, Back]:
    """`replace(x, a=y)`: the class is called again; the cotangents of the changes follow."""
    cls = type(obj)
    kept = {f.name: getattr(obj, f.name) for f in dataclasses.fields(obj) if f.init and f.name not in changes}
    n_kept = len(kept)
    y, back = call_pullback(cls, **kept, **changes)

    def replace_back(y_bar: Any) -> tuple[Any, ...]:
        _, *bars = back(y_bar)
        return Tangent(cls, dict(zip(kept, bars[:n_kept], strict=True))), *bars[n_kept:]

    return y, replace_back


@rule(dataclasses.asdict)
def asdict_rule(obj: Any) -> tuple[Any, Back]:
    """`asdict(x)`: dataclasses become dicts, also those inside."""

    def asdict_back(y_bar: Any) -> tuple[Any, ...]:
        return (_restored(obj, y_bar, False),)

    return dataclasses.asdict(obj), asdict_back


@rule(dataclasses.astuple)
def astuple_rule(obj: Any) -> tuple[Any, Back]:
    """`astuple(x)`: dataclasses become tuples, also those inside."""

    def astuple_back(y_bar: Any) -> tuple[Any, ...]:
        return (_restored(obj, y_bar, True),)

    return dataclasses.astuple(obj), astuple_back


def _restored(x: Any, bar: Any, by_place: bool) -> Any:
    """The cotangent of `x` from that of its `asdict` or `astuple`."""
    if bar is None:
        return None
    if dataclasses.is_dataclass(x):
        names = [f.name for f in dataclasses.fields(x)]
        bars = bar if by_place else [bar.get(name) for name in names]
        return Tangent(
            type(x),
            {name: _restored(getattr(x, name), b, by_place) for name, b in zip(names, bars, strict=True)},
        )
    if isinstance(x, tuple):
        items = [_restored(item, b, by_place) for item, b in zip(x, bar, strict=True)]
        return type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    if isinstance(x, list):
        return [_restored(item, b, by_place) for item, b in zip(x, bar, strict=True)]
    if isinstance(x, dict):
        return {key: _restored(x[key], b, by_place) for key, b in bar.items()}
    return bar


# Named tuples. Each class has functions of its own; what they do is told here once, as functions that have rules.


def replace_in_tuple(point: Any, /, **changes: Any) -> Any:
    """`point._replace(x=v)`."""
    return point._replace(**changes)


def tuple_as_dict(point: Any) -> dict[str, Any]:
    """`point._asdict()`."""
    fields: dict[str, Any] = point._asdict()
    return fields


@rule(replace_in_tuple)
def replace_in_tuple_rule(point: Any, /, **changes: Any) -> tuple[Any, Back]:
    """The cotangents of the changes follow."""
    cls, names = type(point), list(changes)

    def replace_in_tuple_back(y_bar: Any) -> tuple[Any, ...]:
        kept = [None if name in names else bar for name, bar in zip(cls._fields, y_bar, strict=True)]
        return cls(*kept), *[getattr(y_bar, name) for name in names]

    return point._replace(**changes), replace_in_tuple_back


@rule(tuple_as_dict)
def tuple_as_dict_rule(point: Any) -> tuple[Any, Back]:
    """The fields as a dict."""
    cls = type(point)

    def tuple_as_dict_back(y_bar: Any) -> tuple[Any, ...]:
        return (cls(*[y_bar.get(name) for name in cls._fields]),)

    return point._asdict(), tuple_as_dict_back


# What asks, prints, waits


def _methods(cls: type) -> list[Any]:
    """The public methods of a builtin class."""
    return [getattr(cls, name) for name in dir(cls) if not name.startswith("_") and callable(getattr(cls, name))]


non_differentiable(isinstance, issubclass, callable, hasattr, returns="bool")
non_differentiable(hash, id, returns="int")
non_differentiable(repr, str, format, ascii, input, returns="str")
non_differentiable(type, print, dir, open, bytes, builtins.object, dataclasses.is_dataclass, dataclasses.fields)
non_differentiable(intrinsics.raise_)
non_differentiable(*_methods(str), *_methods(bytes))
for _level in ("debug", "info", "warning", "error", "exception", "critical", "log"):
    non_differentiable(getattr(logging, _level), getattr(logging.Logger, _level))
non_differentiable(warnings.warn, time.sleep, time.localtime, time.gmtime, time.strftime, time.ctime)
