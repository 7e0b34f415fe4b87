"""Results of single lanes as one with lanes."""

from __future__ import annotations

import contextlib
import copy
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..origin import is_users_class
from ..tangents.fields import record_fields
from ..tangents.lane_runs import joined_tangents
from ..tangents.lanes import Lanes, NoLanes, current, note_kind
from ..tangents.structural import Tangent, class_of, fields_of
from ..tangents.tuples import tuple_like
from .values import NUMBERS, lane_of


@contextlib.contextmanager
def single_lanes() -> Iterator[None]:
    """Run code on single lanes, which may have lanes of its own."""
    count, within = current.count, current.within
    current.count, current.within = None, False
    try:
        yield
    finally:
        current.count, current.within = count, within


def joined_values(items: Sequence[Any]) -> Any:
    """Values of one structure as one with lanes; what is the same object in all is that object.

    Raises
    ------
    NoLanes
        If they differ in more than their numbers.
    """
    if not items:
        raise NoLanes
    first = items[0]
    if all([x is first for x in items]):
        return first
    cls = type(first)
    if any([type(x) is not cls for x in items]):
        raise NoLanes
    if isinstance(first, NUMBERS):
        return _numbers(items)
    if isinstance(first, (tuple, list)):
        if any([len(x) != len(first) for x in items]):
            raise NoLanes
        columns = [joined_values(column) for column in zip(*items, strict=True)]
        return columns if isinstance(first, list) else tuple_like(cls, columns)
    if cls is dict or cls is Tangent:
        fields = [fields_of(x) if cls is Tangent else x for x in items]
        if any([x.keys() != fields[0].keys() for x in fields]) or cls is Tangent and _classes_differ(items):
            raise NoLanes
        found = {key: joined_values([x[key] for x in fields]) for key in fields[0]}
        return Tangent(class_of(first), found) if cls is Tangent else found
    if is_users_class(cls) and (own := record_fields(first)) is not None and not callable(first):
        return _record(items, own)
    if isinstance(first, types.FunctionType) or cls.__module__.startswith("adjoint.") and callable(first):
        return BackAlong(items)
    if isinstance(first, (str, bytes, slice, range)) and all([x == first for x in items]):
        return first
    raise NoLanes


def _record(items: Sequence[Any], fields: dict[str, Any]) -> Any:
    """Objects of one class as one whose fields have lanes."""
    of_each = [record_fields(x) or {} for x in items]
    if any([x.keys() != fields.keys() for x in of_each]):
        raise NoLanes
    made = copy.copy(items[0])
    for name in fields:
        object.__setattr__(made, name, joined_values([x[name] for x in of_each]))
    return made


def _classes_differ(items: Sequence[Any]) -> bool:
    return any([class_of(x) is not class_of(items[0]) for x in items])


def _numbers(items: Sequence[Any]) -> Any:
    if type(items[0]) in (int, bool):
        if any([x != items[0] for x in items]):
            raise NoLanes("whole numbers of Python, which have as many digits as they need")
        return items[0]
    if type(items[0]) in (float, complex):
        note_kind(plain=True)
    if isinstance(items[0], np.ndarray) and (not items[0].ndim or type(items[0]) is not np.ndarray):
        raise NoLanes("an array without axes, or of a class of its own")
    return _stacked([np.asarray(x) for x in items])


def _stacked(arrays: list[Any]) -> Lanes:
    first = arrays[0]
    if any([a.shape != first.shape or a.dtype != first.dtype for a in arrays]) or first.dtype.kind not in "biufc":
        raise NoLanes
    return Lanes(np.stack(arrays))


class BackAlong:
    """Functions of single lanes, as the pullbacks of calls that were made one by one: called, each gets its lane."""

    __slots__ = ("each",)

    def __init__(self, each: Sequence[Callable[..., Any]]) -> None:
        self.each = each

    def __call__(self, *args: Any) -> Any:
        with single_lanes():
            return joined_tangents([f(*lane_of(args, i)) for i, f in enumerate(self.each)])
