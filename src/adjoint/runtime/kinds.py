"""Kinds of values: what one quick look tells of them, and what fields and items hold that a call can reach.

Of a tree the types of the branches are known only when it runs: an object, another one, or None. A call that is given
a branch is split by its kind (`transforms/splitting`). Which kinds there may be, the arguments of a call show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ..cells import held_by
from ..ir.types import NONE, UNKNOWN, Dict, Inert, List, Record, Tuple, Type
from ..origin import is_read_class
from ..tangents import plain_tuple
from ..tangents.fields import record_fields
from ..transforms.infer import is_known
from .typeof import SCALARS, type_of_objects, typeof

MAX_KINDS = 8
"""Kinds by which one call is split."""
MAX_OBJECTS = 2000
"""Objects that are looked at for what fields and items hold."""
MAX_ITEMS = 8

Place = tuple[Any, ...]
"""A field of a class, or the items of containers: by their numbers in tuples, by their keys in dicts."""


def kind_of(value: Any) -> Type:
    """The kind of a value: of a container without its items, of an object without its fields."""
    cls = type(value)
    if (number := SCALARS.get(cls)) is not None:
        return number
    if value is None:
        return NONE
    if cls is str:
        return Inert(str)
    if cls is list:
        return List(UNKNOWN)
    if cls is dict:
        return Dict(UNKNOWN)
    if isinstance(value, tuple):
        short = len(value) <= MAX_ITEMS and (cls is tuple or hasattr(cls, "_fields") and plain_tuple(cls) is cls)
        return Tuple((UNKNOWN,) * len(value), cls) if short else UNKNOWN
    if cls is np.ndarray or issubclass(cls, np.generic):
        return typeof(value)
    return type_of_objects(cls) if is_read_class(cls) else UNKNOWN


def limits_of(types_: Iterable[Type], nested: int, cycle: int) -> tuple[int, int]:
    """The number of times that a function may be open that is called with such arguments, and how far from there: of
    objects by their classes alone there are no more programs than kinds."""
    by_class = any([isinstance(t, Record) and not is_known(t) for t in types_])
    return (MAX_KINDS, MAX_KINDS) if by_class else (nested, cycle)


class Held:
    """Kinds of what is held at each place that can be reached from some values."""

    def __init__(self, roots: Sequence[Any]) -> None:
        self._at: dict[Place, list[Type]] = {}
        seen = set[int]()
        todo: list[tuple[Any, Place]] = [(root, ()) for root in roots]
        while todo and len(seen) < MAX_OBJECTS:
            x, holder = todo.pop()
            if id(x) in seen:
                continue
            seen.add(id(x))
            for place, value in _parts_of(x, holder):
                kinds = self._at.setdefault(place, [])
                if (kind := kind_of(value)) not in kinds:
                    kinds.append(kind)
                if type(value) not in SCALARS and kind not in _CLOSED:
                    todo.append((value, place if _is_field(place) else ()))

    def at(self, place: Place | None) -> Iterable[Type]:
        """The kinds of what such places hold; nothing where one of them says nothing, or where there are many."""
        kinds = self._at.get(place, ()) if place is not None else ()
        return () if UNKNOWN in kinds or len(kinds) > MAX_KINDS else kinds


_CLOSED = (NONE, UNKNOWN, Inert(str))


def _named(code: CodeType, scope: dict[str, Any]) -> Iterator[Any]:
    """The values of the global names in code, and in that of inner functions."""
    yield from [scope[name] for name in code.co_names if name in scope]
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _named(inner, scope)


def _is_field(place: Place) -> bool:
    return len(place) == 2 and type(place[1]) is str and place[0] is not dict


def _parts_of(x: Any, holder: Place) -> Iterator[tuple[Place, Any]]:
    """The parts of a value that a field holds, if `holder` is one, each with its place."""
    cls = type(x)
    if cls is FunctionType:
        held = (*held_by(x), *_named(x.__code__, x.__globals__))
        yield from [((), value) for value in held if type(value) is not ModuleType]
    elif cls is list:
        yield from [((*holder, list), item) for item in x]
    elif cls is dict:
        yield from [((*holder, dict, key), item) for key, item in x.items() if type(key) is str]
        yield from [((*holder, dict), item) for item in x.values()]
    elif isinstance(x, tuple):
        yield from [((cls, len(x), i), item) for i, item in enumerate(tuple.__iter__(x))]
    elif (fields := record_fields(x)) is not None:
        yield from [((cls, name), value) for name, value in fields.items()]
