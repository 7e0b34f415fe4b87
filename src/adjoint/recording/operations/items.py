"""Items: `x[i]`, `x[i] = v`, `del x[i]`, of arrays, lists, tuples, dicts and the user's own containers."""

from __future__ import annotations

import operator
import types
from collections import deque
from typing import Any

import numpy as np

from ...errors import INEXACT_SLICE, NoRuleError, calling_place
from ...runtime.wrapped import special_method
from ...tangents import tuple_like
from ..cuts import noted
from ..places import place
from ..reached import note_stored
from ..sweep import Sweep, is_valued
from .array_items import converted, of_array, of_flat, write_array, write_flat
from .base import (
    METHODS,
    NOTHING,
    WAYS,
    Back,
    Record,
    Result,
    adapting,
    nothing,
    only_result,
    read_slot,
    with_first,
    without_first,
)
from .calls import invoke, invoke_as
from .contents import is_out_of_sight
from .conversions import is_converted
from .entries import read_entry
from .functions import written
from .native import PLAIN, check_asked, check_key
from .opaque import note_views, plain, read_in, shared_with, stored_out_of_sight
from .ruled import by_rule


def slice_of(start: Any, stop: Any, step: Any) -> slice:
    """A slice; the ends of a grid, which are not whole, would be lost in it."""
    if isinstance(start, _REAL) or isinstance(stop, _REAL) or isinstance(step, _REAL):
        raise NoRuleError(*INEXACT_SLICE, calling_place())
    return slice(start, stop, step)


_REAL = (float, np.floating)


def item(record: Record, k: int, owner: Any, index: Any) -> Any:
    """`owner[index]`; the operand is the owner."""
    if type(index) not in PLAIN:
        index = indexed_by(record, k, owner, index)
    elif type(index) is int and type(owner) is list:
        y, back = read_slot(owner[index], owner, index if index >= 0 else index + len(owner))
        record((k, back))
        return y
    y, back = read_item(record, k, owner, index)
    record((k, back))
    return y


def item_at(record: Record, k: int, owner: Any, index: Any) -> Any:
    """The same where the index may be a number that is differentiated; the operands are the owner and the index."""
    own = _of_users(owner, "__getitem__")
    if own is None and isinstance(owner, dict):
        check_key(index)
        if dict.__contains__(owner, index):
            y, back = read_entry(dict.__getitem__(owner, index), owner, index)
            record((k, back))
            return y
        own = own_method(owner, "__missing__")  # which is given the key
    if own is None:
        return item(adapting(record, _without_index), k, owner, index)
    y, back = invoke(record, k, own, (owner, index), {})
    record((k, back))
    return y


def _of_users(owner: Any, name: str) -> Any:
    """The function of the user's behind `owner[...]`."""
    if type(owner) in PLAIN_OWNERS:
        return None
    own = own_method(owner, name)
    if own is None and isinstance(owner, type) and name == "__getitem__":
        made = getattr(owner, "__class_getitem__", None)
        own = made.__func__ if isinstance(made, types.MethodType) else None
    return own


PLAIN_OWNERS = frozenset([list, dict, tuple, np.ndarray, str])


def _without_index(back: Any) -> Any:
    """The same of an operand and an index to which nothing flows."""
    return lambda sweep, y_bar: (*back(sweep, y_bar)[:2], None)


def indexed_by(record: Record, k: int, owner: Any, index: Any) -> Any:
    """An index as a number, where an object is one and is asked for it."""
    if isinstance(owner, dict):
        check_key(index)
    if isinstance(owner, list | tuple | deque | str | bytes | bytearray | memoryview | range | np.ndarray):
        own = None if isinstance(index, int) else written(type(index), "__index__")
        if own is not None:
            y, back = invoke(record, k, own, (index,), {})
            record((k, lambda sweep, y_bar: (y_bar, *with_first(back)(sweep, None)[1:2], None, None)))
            return y
        if isinstance(index, slice):
            check_asked(slice, (index.start, index.stop, index.step))
    return index


def own_method(owner: Any, name: str) -> Any:
    """A method that the class of an object defines in Python."""
    return special_method(type(owner), name)


def read_item(record: Record, k: int, owner: Any, index: Any) -> Result:
    """An item, and its `back`."""
    cls = type(owner)
    if cls is np.ndarray:
        return of_array(owner, index)
    if cls is list:
        return _of_list(owner, index)
    own = _of_users(owner, "__getitem__")
    if own is not None:
        return invoke(record, k, own, (owner, index), {})
    if isinstance(owner, dict):
        return _of_dict(record, k, owner, index)
    if isinstance(owner, tuple):
        return of_tuple(owner, index)
    if isinstance(owner, list):
        return _of_list(owner, index)
    if isinstance(owner, deque):
        y, at = deque.__getitem__(owner, index), operator.index(index)
        return read_slot(y, owner, at + deque.__len__(owner) if at < 0 else at)
    if isinstance(owner, np.ndarray):
        return of_array(owner, index)
    if isinstance(owner, np.flatiter):
        return of_flat(owner.base, index)
    handler = METHODS.get((cls, "__getitem__"))
    if handler is not None:
        return handler(record, k, owner, (index,), {})  # type: ignore[no-any-return]
    if cls is memoryview:
        note_views((owner,))
    y = owner[index]
    if (found := read_in(y, (owner,))) is not None:
        return y, found
    if isinstance(owner, memoryview) and is_valued(y):
        return plain(operator.getitem, (owner, index), {})
    if not isinstance(owner, str | bytes | range | type | memoryview) and (is_valued(y) or place(y) is not None):
        return by_rule(operator.getitem, (owner, index), {})
    return y, nothing


def _of_list(owner: Any, index: Any) -> Result:
    y, n = list.__getitem__(owner, index), list.__len__(owner)
    if not isinstance(index, slice):
        at = operator.index(index)
        return read_slot(y, owner, at + n if at < 0 else at)
    places = range(*index.indices(n))

    def slice_back(sweep: Sweep, y_bar: Any) -> Any:
        for i, d in sweep.take_slots(y).items():
            sweep.add(owner, places[i], d)
        return NOTHING

    return y, slice_back


def of_tuple(owner: Any, index: Any) -> Result:
    """An item or a slice of a tuple."""
    y, n, cls = tuple.__getitem__(owner, index), tuple.__len__(owner), type(owner)
    places = range(n)[index]
    if not is_valued(y):
        return y, nothing

    def of_tuple_back(sweep: Sweep, y_bar: Any) -> Any:
        if y_bar is None:
            return NOTHING
        bars: list[Any] = [None] * n
        if isinstance(places, range):
            for i, d in zip(places, y_bar, strict=True):
                bars[i] = d
        else:
            bars[places] = y_bar
        return None, tuple_like(cls, bars)

    return y, of_tuple_back


def _of_dict(record: Record, k: int, owner: Any, key: Any) -> Result:
    if type(owner) is dict:
        return read_entry(owner[key], owner, key)
    return METHODS[dict, "__getitem__"](record, k, owner, (key,), {})  # type: ignore[no-any-return]


# ---- stores


def set_item(record: Record, k: int, owner: Any, index: Any, value: Any) -> None:
    """`owner[index] = value`; the operand is the value."""
    cls = type(owner)
    if noted.open:
        note_stored((owner,), (index, value))
    if type(index) not in PLAIN:
        index = indexed_by(record, k, owner, index)
    elif cls is np.ndarray and type(value) in PLAIN or cls is list or cls is dict:
        record((k, write_item(owner, index, value)))
        return
    own = own_method(owner, "__setitem__")
    if own is not None:
        _, back = invoke_as(of_value, record, k, own, (owner, index, value), {})
        record((k, back))
        return
    if isinstance(owner, np.ndarray) and is_converted(value):
        value, turn = converted(record, k, value, owner.dtype)
        back = write_item(owner, index, value)
        record((k, lambda sweep, y_bar: (None, turn(sweep, back(sweep, None)[1]))))
        return
    record((k, write_item(owner, index, value, record, k)))


def set_item_at(record: Record, k: int, owner: Any, index: Any, value: Any) -> None:
    """The same where the index may be a number that is differentiated; the operands are the value and the index."""
    own = _of_users(owner, "__setitem__")
    if own is None:
        return set_item(adapting(record, _without_index), k, owner, index, value)
    _, back = invoke_as(_of_value_and_index, record, k, own, (owner, index, value), {})
    record((k, back))


def _of_value_and_index(back: Any) -> Any:
    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, y_bar)
        return d[0], d[3], d[2]

    return reverse


def of_value(back: Any) -> Any:
    """Of a store as a call of an owner, a place and a value: the last one is the operand."""

    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, y_bar)
        return d[0], d[3]

    return reverse


def size(x: Any) -> int:
    """Number of items of a sequence, whatever its class says."""
    base: Any = next((c for c in (list, tuple, deque) if isinstance(x, c)), None)
    return 0 if base is None else int(base.__len__(x))


def write_item(owner: Any, index: Any, value: Any, *noted_by: Any) -> Any:
    """A store into an item; gives its `back`, with the value as operand. A value that gives items one by one, and
    raises, is `noted_by` a record as an operation."""
    if type(index) is int and type(owner) is list:
        owner[index] = value
        return _stored(owner, index if index >= 0 else index + len(owner))
    if isinstance(owner, np.ndarray):
        return write_array(owner, index, value)
    if isinstance(owner, np.flatiter):
        return write_flat(owner.base, index, value)
    if isinstance(owner, list) and isinstance(index, slice):
        return WAYS["set slice"](owner, index, value, *noted_by)
    shared = shared_with(owner)
    owner[index] = value
    if not isinstance(owner, list | deque | dict) and is_out_of_sight(owner):
        return stored_out_of_sight(operator.setitem, owner, value, shared)
    slot = index
    if isinstance(owner, list | deque):
        slot = operator.index(index)
        slot += size(owner) if slot < 0 else 0
    return _stored(owner, slot)


def _stored(owner: Any, slot: Any) -> Back:
    def store_back(sweep: Sweep, y_bar: Any) -> Any:
        return None, sweep.take(owner, slot)

    return store_back


def delete_item_at(record: Record, k: int, owner: Any, index: Any) -> None:
    """The same where the index may be a number that is differentiated: the operand."""
    own = _of_users(owner, "__delitem__")
    if own is None:
        return delete_item(adapting(record, only_result), k, owner, index)
    _, back = invoke_as(without_first, record, k, own, (owner, index), {})
    record((k, back))


def delete_item(record: Record, k: int, owner: Any, index: Any) -> None:
    """`del owner[index]`."""
    if type(index) not in PLAIN:
        index = indexed_by(record, k, owner, index)
    own = own_method(owner, "__delitem__")
    if own is not None:
        _, back = invoke(record, k, own, (owner, index), {})
        record((k, back))
    elif isinstance(owner, list | deque):
        base = list if isinstance(owner, list) else deque
        record((k, METHODS[base, "__delitem__"](record, k, owner, (index,), {})[1]))
    else:
        del owner[index]
        record((k, nothing))


__all__ = [
    "delete_item",
    "delete_item_at",
    "item",
    "item_at",
    "read_item",
    "set_item",
    "set_item_at",
    "write_item",
]
