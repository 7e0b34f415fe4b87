"""Objects: attributes, dataclasses, named tuples, and what only asks about them or prints them."""

from __future__ import annotations

import builtins
import collections
import dataclasses
import logging
import time
import warnings
from typing import Any, NamedTuple

from ...ir import exceptions, intrinsics
from ...ops.library import CLOCKS, COUNTERS
from ...ops.logs import ASKING, LOGGING
from ...tangents import Tangent, tangent, tuple_like
from ..knots import call_pullback
from ..registry import Back, non_differentiable, rule

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

    template = template_of(obj)

    def asdict_back(y_bar: Any) -> tuple[Any, ...]:
        return (restored(template, y_bar, False),)

    return dataclasses.asdict(obj), asdict_back


@rule(dataclasses.astuple)
def astuple_rule(obj: Any) -> tuple[Any, Back]:
    """`astuple(x)`: dataclasses become tuples, also those inside."""

    template = template_of(obj)

    def astuple_back(y_bar: Any) -> tuple[Any, ...]:
        return (restored(template, y_bar, True),)

    return dataclasses.astuple(obj), astuple_back


def template_of(x: Any) -> Any:
    """The structure of an object as it is now: `asdict` and `astuple` give a copy, and the object may change."""
    if dataclasses.is_dataclass(x):
        return Fields(type(x), {f.name: template_of(getattr(x, f.name)) for f in dataclasses.fields(x)})
    if isinstance(x, tuple):
        return tuple_like(type(x), [template_of(item) for item in x])
    if isinstance(x, list):
        return [template_of(item) for item in x]
    return {key: template_of(item) for key, item in x.items()} if isinstance(x, dict) else None


class Fields(NamedTuple):
    """The structure of a dataclass object."""

    cls: type
    fields: dict[str, Any]


def restored(template: Any, bar: Any, by_place: bool) -> Any:
    """The cotangent of an object of this structure from that of its `asdict` or `astuple`."""
    if bar is None:
        return None
    if isinstance(template, Fields):
        bars = bar if by_place else [bar.get(name) for name in template.fields]
        pairs = zip(template.fields.items(), bars, strict=True)
        return Tangent(template.cls, {name: restored(inner, b, by_place) for (name, inner), b in pairs})
    if isinstance(template, tuple):
        items = [restored(inner, b, by_place) for inner, b in zip(template, bar, strict=True)]
        return tuple_like(type(template), items)
    if isinstance(template, list):
        return [restored(inner, b, by_place) for inner, b in zip(template, bar, strict=True)]
    if isinstance(template, dict):
        return {key: restored(template[key], b, by_place) for key, b in bar.items()}
    return bar


non_differentiable(template_of)


# Named tuples. Each class has functions of its own; what they do is told here once, as functions that have rules.


def replace_in_tuple(point: Any, /, **changes: Any) -> Any:
    """`point._replace(x=v)`, by the method that `namedtuple` wrote."""
    return _written(point, "_replace")(point, **changes)


def tuple_as_dict(point: Any) -> dict[str, Any]:
    """`point._asdict()`, by the method that `namedtuple` wrote."""
    fields: dict[str, Any] = _written(point, "_asdict")(point)
    return fields


def _written(point: Any, name: str) -> Any:
    """The method that `namedtuple` wrote, which a class may have behind one of its own."""
    methods = [vars(cls)[name] for cls in type(point).__mro__ if name in vars(cls)]
    return next(f for f in methods if getattr(f, "__globals__", None) is vars(collections))


@rule(replace_in_tuple)
def replace_in_tuple_rule(point: Any, /, **changes: Any) -> tuple[Any, Back]:
    """The cotangents of the changes follow."""
    cls, names = type(point), list(changes)

    def replace_in_tuple_back(y_bar: Any) -> tuple[Any, ...]:
        kept = [None if name in names else bar for name, bar in zip(cls._fields, y_bar, strict=True)]
        return tuple_like(cls, kept), *[y_bar[cls._fields.index(name)] for name in names]

    return replace_in_tuple(point, **changes), replace_in_tuple_back


@rule(tuple_as_dict)
def tuple_as_dict_rule(point: Any) -> tuple[Any, Back]:
    """The fields as a dict."""
    cls = type(point)

    def tuple_as_dict_back(y_bar: Any) -> tuple[Any, ...]:
        return (tuple_like(cls, [y_bar.get(name) for name in cls._fields]),)

    return tuple_as_dict(point), tuple_as_dict_back


# What asks, prints, waits


def _methods(cls: type) -> list[Any]:
    """The public methods of a builtin class."""
    return [getattr(cls, name) for name in dir(cls) if not name.startswith("_") and callable(getattr(cls, name))]


non_differentiable(isinstance, issubclass, callable, hasattr)
non_differentiable(hash, id)
non_differentiable(repr, str, format, ascii, input)
non_differentiable(type, print, dir, open, bytes, builtins.object, dataclasses.is_dataclass, dataclasses.fields)
non_differentiable(intrinsics.raise_)
for _function in (
    *(exceptions.caught, exceptions.matches, exceptions.swallows, exceptions.raise_again, exceptions.told_of),
    *(exceptions.enter, exceptions.leave, exceptions.give_up, exceptions.let_go, exceptions.lets_pass),
    *(exceptions.opened, exceptions.missing),
):
    non_differentiable(_function)
non_differentiable(*_methods(str), *_methods(bytes))
non_differentiable(*LOGGING, *ASKING, logging.getLogger)
non_differentiable(*CLOCKS, *COUNTERS)
non_differentiable(warnings.warn, time.sleep, time.localtime, time.gmtime, time.strftime, time.ctime)
