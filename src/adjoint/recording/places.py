"""The places of a value at one moment, by which structured cotangents are gathered from a sweep and given back to it.

Rules know nothing of places: they take and give cotangents with the structure of values. Between the two stands the
`place` of a value: None for what has its cotangent by value, an array for itself, a `Held` for what holds others, and a
tuple of places for a tuple. It is taken when an operation runs, for the structure may be another one afterwards.
"""

from __future__ import annotations

import functools
import types
import weakref
from collections import deque
from collections.abc import Iterator
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from ..classify import kind_of
from ..errors import UnsupportedSyntaxError, calling_place
from ..origin import is_users_class
from ..rules.registry import non_differentiable
from ..runtime.generated import generated_ir
from ..runtime.owners import is_namespace
from ..runtime.wrapped import check_special
from ..tangents import Tangent, Unknown, own_dict, tuple_like
from ..tangents.fields import all_fields, carried, fields_besides, is_carried_whole, record_fields
from ..tangents.structural import fields_of, owner_of
from ..tangents.unknown import unknown_field
from ..wrappers import CALLEES, stands_for_another
from .captures import variables_of
from .program import Program
from .sweep import Sweep, add

LEAVES = frozenset(
    [float, int, complex, bool, str, bytes, type(None), range, slice, type, types.ModuleType, np.float64, np.float32]
    + [Program]
)
"""Classes of values that hold nothing else; their cotangents, if any, are values. What a program reads of the names of
its module has none."""


class Held(NamedTuple):
    """The slots of something that can change, and the places of what is in them."""

    holder: Any
    kind: str
    """"list", "dict", "fields" or "cells"."""
    slots: tuple[Any, ...]
    places: tuple[Any, ...]


class Placed(NamedTuple):
    """The places of the items of a tuple, and its class."""

    cls: type
    places: tuple[Any, ...]


class Extended(NamedTuple):
    """The place of a container or an array with fields besides what it holds: of what it holds, and of the fields."""

    cls: type
    place: Any
    slots: tuple[Any, ...]
    places: tuple[Any, ...]


class Row(NamedTuple):
    """The place of `a.flat`: the entries of an array in one row."""

    array: Any


FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, functools.partial, type)


def is_proxy(x: Any) -> bool:
    """Tell whether an object is one of C code that stands for another one, and that is no function."""
    if isinstance(x, FUNCTIONS) or type(x) in CALLEES:  # of those it is known what they call
        return False
    return type(x) in (weakref.ProxyType, weakref.CallableProxyType) or stands_for_another(x)


def check_proxy(x: Any) -> None:
    """Raise `UnsupportedSyntaxError` for an object that stands for one of another class, and is no function."""
    if is_proxy(x):
        raise of_proxy(type(x))


def of_proxy(cls: type) -> UnsupportedSyntaxError:
    """The refusal of an object that stands for one of another class."""
    return UnsupportedSyntaxError(
        f"`{cls.__module__}.{cls.__qualname__}` stands for an object of another class",
        "what is stored into one of the two is seen in the other, which is not followed",
        "hand over the object itself",
        calling_place(),
    )


def place(x: Any, seen: dict[int, Any] | None = None) -> Any:
    """The place of a value, as it is now."""
    cls = type(x)
    if cls in LEAVES:
        return None
    if cls is np.ndarray:
        return x
    check_proxy(x)
    besides = fields_besides(x)
    return _extended(x, besides, {} if seen is None else seen) if besides else _place(x, seen)


def _extended(x: Any, besides: dict[str, Any], seen: dict[int, Any]) -> Any:
    if id(besides) in seen:
        return None
    seen[id(besides)] = besides  # what holds itself is walked through once
    slots = tuple([(name, *field_slot(x, name)) for name in besides])
    return Extended(type(x), _place(x, seen), slots, tuple([place(item, seen) for item in besides.values()]))


def _place(x: Any, seen: dict[int, Any] | None) -> Any:
    cls = type(x)
    if isinstance(x, np.generic | int | float | complex):
        return None
    if isinstance(x, np.ndarray):
        return x
    if cls is np.flatiter:
        return Row(x.base) if x.base.dtype.kind in "fc" else None
    if isinstance(x, tuple):
        items = list(tuple.__iter__(x))  # whatever the class makes of iteration
        if all([type(item) in LEAVES for item in items]):
            return None
        seen = {} if seen is None else seen
        places = [place(item, seen) for item in items]
        return Placed(cls, tuple(places)) if any(p is not None for p in places) else None
    seen = {} if seen is None else seen
    if id(x) not in seen:
        seen[id(x)] = None  # what holds itself is walked through once
        seen[id(x)] = _held(x, seen)
    return seen[id(x)]


def _held(x: Any, seen: dict[int, Any]) -> Any:
    if carried(type(x)) is not None:
        return _fields(x, seen)
    if isinstance(x, list | deque):
        items = list((list if isinstance(x, list) else deque).__iter__(x))  # type: ignore[arg-type]
        slots = tuple(range(len(items)))
        if LEAVES.issuperset(map(type, items)):
            return Held(x, "list", slots, (None,) * len(slots))
        return Held(x, "list", slots, tuple([place(item, seen) for item in items]))
    if isinstance(x, dict):
        if len(seen) > 1 and is_namespace(x):
            return None  # a step of a recorded program has it; all that a module reaches may be much
        keys = tuple(dict.__iter__(x))
        return Held(x, "dict", keys, tuple([place(dict.__getitem__(x, key), seen) for key in keys]))
    if type(x) is types.FunctionType and generated_ir(x.__code__) is not None and (x.__closure__ or x.__defaults__):
        raise UnsupportedSyntaxError(
            f"`{x.__name__}`, a derivative that was not recorded, in a program that is",
            "its cotangent has another form",
            "call the function that it is of directly, not by a function that is not looked into",
            calling_place(),
        )
    if type(x) in (types.FunctionType, types.CellType):
        held = variables_of(x)
        at = tuple([(holder, slot, place(value, seen)) for _, holder, slot, value in held])
        return Held(x, "cells", tuple([name for name, *_ in held]), at)
    return _called(x, seen) if callable(x) else _fields(x, seen)


def _called(x: Any, seen: dict[int, Any]) -> Any:
    """The place of what is called, and is no function in Python."""
    kind = kind_of(x)
    if kind == "bound" or kind == "method" and is_carried_whole(x.__self__):
        return Held(x, "bound", ("__self__",), (place(x.__self__, seen),))
    if kind == "class" and type(x) is not type and is_users_class(type(x)):
        check_special(type(x))
    if kind in _IN_C:
        return None
    return _partial(x, seen) if isinstance(x, functools.partial) else _fields(x, seen)


def _partial(x: Any, seen: dict[int, Any]) -> Any:
    held, fields = {"func": x.func, "args": x.args, "keywords": x.keywords}, record_fields(x) or {}
    slots = [*[(name, x, f".{name}") for name in held], *[(name, *field_slot(x, name)) for name in fields]]
    return Held(x, "fields", tuple(slots), tuple([place(part, seen) for part in (*held.values(), *fields.values())]))


_IN_C = frozenset(["builtin", "method", "ufunc", "dispatcher", "descriptor", "class"])


def _fields(x: Any, seen: dict[int, Any]) -> Any:
    fields = record_fields(x)
    if fields is None:
        return None
    slots = tuple([(name, *field_slot(x, name)) for name in fields])
    own = -id(type(x))  # once for all objects of a class
    if own not in seen and is_users_class(type(x)):
        check_special(type(x))
        seen[own] = None
    elif own not in seen:  # what a library's object holds is its own matter
        fields = {name: None if is_proxy(item) else item for name, item in fields.items()}
    return Held(x, "fields", slots, tuple([place(item, seen) for item in fields.values()]))


def field_slot(x: Any, name: str) -> tuple[Any, Any]:
    """Holder and slot of a field of an object: in its dict, which may be met by itself, or in the object; in a cell,
    where its variable is."""
    if type(x) is types.CellType:
        return x, 0
    own = fields_of(x) if type(x) is Tangent else fields_dict(x)
    return (own, name) if own is not None and name in own else (x, f".{name}")


def fields_dict(x: Any) -> Any:
    """The dict of an object, if it has one; a dict can be its own (`self.__dict__ = self`)."""
    own = None if isinstance(x, type) else own_dict(x)
    return own if type(own) is dict or own is x else None


def gather_cotangent(sweep: Sweep, at: Any, d: Any, seen: set[int] | None = None) -> Any:
    """The whole cotangent of what is at a place: `d`, the part by value, with what the sweep has, which it loses. What
    is shared is withdrawn where it is `seen` first."""
    if at is None:
        return d
    if isinstance(at, np.ndarray):
        return sweep.take_array(at)
    if isinstance(at, Row):
        d = sweep.take_array(at.array)
        return None if d is None else d.reshape(-1)
    seen = set() if seen is None else seen
    if isinstance(at, Placed):
        items = [gather_cotangent(sweep, p, None if d is None else d[i], seen) for i, p in enumerate(at.places)]
        if all(item is None for item in items):
            return None
        return tuple_like(at.cls, items)
    if isinstance(at, Extended):
        d = gather_cotangent(sweep, at.place, d, seen)
        pairs = zip(at.slots, at.places, strict=True)
        own = [gather_cotangent(sweep, p, sweep.take(*slot[1:]), seen) for slot, p in pairs]
        asked = next((slot[0] for slot, bar in zip(at.slots, own, strict=True) if bar is not None), None)
        return d if asked is None else unknown_field(at.cls, asked)
    if id(at) in seen:
        return None
    seen.add(id(at))
    bars: Any
    if at.kind in ("list", "dict") and {type(None)}.issuperset(map(type, at.places)):  # numbers, and there may be many
        bars = sweep.take_each(at.holder, at.slots)
    else:
        bars = [_taken(sweep, at, slot, p, seen) for slot, p in zip(at.slots, at.places, strict=True)]
    if all([bar is None for bar in bars]):
        return None
    if at.kind == "list":
        return bars
    if at.kind == "dict":
        return {slot: bar for slot, bar in zip(at.slots, bars, strict=True) if bar is not None}
    names = [slot[0] for slot in at.slots] if at.kind == "fields" else at.slots
    return Tangent(owner_of(at.holder), dict(zip(names, bars, strict=True)))


def _taken(sweep: Sweep, at: Held, slot: Any, p: Any, seen: set[int]) -> Any:
    if at.kind == "cells":
        return gather_cotangent(sweep, p[2], sweep.take(p[0], p[1]), seen)
    if at.kind == "bound":
        return gather_cotangent(sweep, p, sweep.take(at.holder, ".__self__"), seen)
    if at.kind == "fields":
        return gather_cotangent(sweep, p, sweep.take(slot[1], slot[2]), seen)
    return gather_cotangent(sweep, p, sweep.take(at.holder, slot), seen)


def scatter_cotangent(sweep: Sweep, at: Any, d: Any, seen: set[int] | None = None) -> Any:
    """Give a cotangent to the sweep, but for the part by value, which is the result. One that is not known is given
    once to what is shared, where it is `seen` first."""
    if at is None or d is None:
        return d
    if isinstance(at, np.ndarray):
        sweep.add_array(at, d)
        return None
    if isinstance(at, Row):
        sweep.add_array(at.array, np.reshape(d, at.array.shape))
        return None
    seen = set() if seen is None and isinstance(d, Unknown) else seen
    if isinstance(at, Placed):
        ds = [d] * len(at.places) if isinstance(d, Unknown) else d
        items = [scatter_cotangent(sweep, p, ds[i], seen) for i, p in enumerate(at.places)]
        if all(item is None for item in items):
            return None
        return tuple_like(at.cls, items)
    if isinstance(at, Extended):
        return scatter_cotangent(sweep, at.place, d, seen)
    if seen is not None and isinstance(d, Unknown):
        if id(at) in seen:
            return None
        seen.add(id(at))
    for i, (slot, p) in enumerate(zip(at.slots, at.places, strict=True)):
        _give(sweep, at, slot, p, _part(d, i if at.kind == "list" else slot[0] if at.kind == "fields" else slot), seen)
    return None


def _part(d: Any, which: Any) -> Any:
    """One of the cotangents in a structured one; of one that is not known, no part is."""
    if isinstance(d, Unknown):
        return d
    if isinstance(d, list | tuple):
        return d[which] if which < len(d) else None
    if isinstance(d, dict):
        return d.get(which)
    return fields_of(d).get(which) if isinstance(d, Tangent) else None


def _give(sweep: Sweep, at: Held, slot: Any, p: Any, d: Any, seen: set[int] | None) -> None:
    if at.kind == "cells":
        sweep.add(p[0], p[1], scatter_cotangent(sweep, p[2], d, seen))
    elif at.kind == "bound":
        sweep.add(at.holder, ".__self__", scatter_cotangent(sweep, p, d, seen))
    elif at.kind == "fields":
        sweep.add(slot[1], slot[2], scatter_cotangent(sweep, p, d, seen))
    else:
        sweep.add(at.holder, slot, scatter_cotangent(sweep, p, d, seen))


def parts_of(at: Any) -> Iterator[tuple[Any, Any]]:
    """Slots to which an unknown cotangent of a place goes: single slots and arrays, each with its identity."""
    if isinstance(at, np.ndarray):
        yield (id(at),), at
    elif isinstance(at, Row):
        yield ("row", id(at.array)), at
    elif isinstance(at, Placed):
        for p in at.places:
            yield from parts_of(p)
    elif isinstance(at, Extended):
        yield from parts_of(at.place)
    elif isinstance(at, Held):
        for slot, p in zip(at.slots, at.places, strict=True):
            inside = p[2] if at.kind == "cells" else p
            if inside is None or isinstance(inside, Placed):
                yield _identity(at, slot, p), Held(at.holder, at.kind, (slot,), (p,))
            else:
                yield from parts_of(inside)


def _identity(at: Held, slot: Any, p: Any) -> Any:
    if at.kind == "cells":
        return id(p[0]), p[1]
    if at.kind == "fields":
        return id(slot[1]), slot[2]
    return id(at.holder), ".__self__" if at.kind == "bound" else slot


def template(x: Any, seen: dict[int, Any] | None = None) -> Any:
    """A copy that keeps the structure of a value as it is now: the same arrays and numbers, in new containers."""
    cls = type(x)
    if cls in LEAVES or isinstance(x, np.ndarray | np.generic | type | Enum) or hasattr(cls, "__code__"):
        return x
    seen = {} if seen is None else seen
    if id(x) in seen:
        return _met_again(seen[id(x)])
    if isinstance(x, tuple):
        return tuple_like(cls, [template(item, seen) for item in tuple.__iter__(x)])
    seen[id(x)] = None
    if isinstance(x, list | deque):
        found = list((list if isinstance(x, list) else deque).__iter__(x))  # type: ignore[arg-type]
        if not LEAVES.issuperset(map(type, found)):
            found[:] = [template(item, seen) for item in found]
        seen[id(x)] = found
        return found
    if isinstance(x, dict):
        seen[id(x)] = {key: template(dict.__getitem__(x, key), seen) for key in dict.__iter__(x)}
        return seen[id(x)]
    fields = None if hasattr(cls, "__next__") else all_fields(x)
    seen[id(x)] = x if fields is None else Tangent(owner_of(x), {n: template(v, seen) for n, v in fields.items()})
    return seen[id(x)]


_MET_AGAIN = 100
"""Number of parts that a record or a dict may have whose second place gets zeros, too: records that know each other
would be walked through on all ways from one to the next."""


def _met_again(found: Any) -> Any:
    """The template of what stands in a second place."""
    todo: list[Any] = [found] if isinstance(found, Tangent | dict) else []
    parts = 0
    while todo:
        x = todo.pop()
        parts += 1
        if parts > _MET_AGAIN:
            return None
        if isinstance(x, Tangent | dict):
            todo += (fields_of(x) if isinstance(x, Tangent) else x).values()
        elif isinstance(x, list | tuple):
            todo += x
    return found


__all__ = ["Held", "Placed", "add", "gather_cotangent", "parts_of", "place", "scatter_cotangent", "template"]

# They say where cotangents are, and have none themselves.
non_differentiable(place, template, field_slot, fields_dict)
