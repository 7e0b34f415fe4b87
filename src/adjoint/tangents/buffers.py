"""Buffers: cotangents of arrays and lists that the running reverse pass adds to, and takes from, where they lie."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from ..errors import NoRuleError
from .accumulate import accumulate, instantiate_zeros
from .lane_functions import lane_zeros
from .lane_runs import lane_count
from .lanes import Lanes, NoLanes, behind, beside
from .project import unbroadcast
from .tuples import tuple_like


def buffer_like(x: Any) -> Any:
    """A zero buffer to add the cotangents of the items of `x` into: a list for lists, an array for arrays."""
    if type(x) is list:
        return [None] * len(x)
    if type(x) is dict:
        return {}
    if isinstance(x, (np.ndarray, np.generic, Lanes)):
        return lane_zeros(x.shape, x.dtype if x.dtype.kind in "fc" else np.float64)
    if isinstance(x, int | float | complex):
        return 0.0  # what has items in one branch may be a number in another
    if isinstance(x, dict):
        return {}
    if x is None:
        return None  # a variable that has no value on this way
    return deque([None] * len(x)) if isinstance(x, deque) else [None] * len(x)


_ONCE = (int, slice, np.integer, type(None), type(...))


def names_once(index: Any) -> bool:
    """Tell whether an index of an array surely names no position twice."""
    if isinstance(index, _ONCE):
        return True
    if isinstance(index, tuple):
        for i in index:  # noqa: SIM110
            if not isinstance(i, _ONCE):
                return False
        return True
    return isinstance(index, np.ndarray) and index.dtype == bool


def row_buffer(x: list[Any]) -> list[Any]:
    """A buffer for additions to the items of the lists or tuples that `x` holds: a row is made where something comes
    to it."""
    return [None] * len(x) if x is not None else []


def add_in_row(buffer: list[Any], row: int, n: int, index: int, d: Any) -> None:
    """`buffer[row][index] += d`, where the row has the cotangents of `n` numbers."""
    bars = buffer[row]
    if bars is None:
        bars = buffer[row] = [0.0] * n
    bars[index] += d


def add_item_in_row(buffer: list[list[Any]], row: int, index: int, d: Any) -> None:
    """`buffer[row][index] += d`, where all rows are there."""
    buffer[row][index] += d


def added_in_row(rows: list[list[Any]], row: int, index: int, d: Any) -> list[list[Any]]:
    """The same, as a function of the old cotangent: a new one with what it would hold."""
    rows = rows.copy()
    rows[row] = added(rows[row], index, d)
    return rows


def set_in_row_back(d: Any, row: int, index: int) -> tuple[Any, Any]:
    """The cotangents of `rows` and `value`, from that of `rows` after `rows[row][index] = value`."""
    if d is None:
        return None, None
    rest = d.copy()
    rest[row], value_bar = set_item_back(d[row], index, None)
    return rest, value_bar


def freeze_tuples(buffer: list[Any]) -> list[Any]:
    """Such a buffer as the cotangent of a list of tuples."""
    return [row if row is None else tuple(row) for row in buffer]


def element_buffer(x: Any) -> Any:
    """A zero buffer for one-by-one additions to the items of a list or a tuple of floats, or of an array with one axis:
    a list, which is quicker, unless that is long."""
    if isinstance(x, list | deque | tuple):
        return [0.0] * len(x)
    if x is None:
        return None
    return [0.0] * len(x) if len(x) < 100_000 and x.dtype == np.float64 else buffer_like(x)


def freeze_elements(buffer: Any, x: Any) -> Any:
    """Such a buffer as the cotangent of `x`."""
    if not isinstance(buffer, list):
        return buffer
    if lane_count() is not None:
        return unbroadcast(np.stack(buffer), x) if buffer else buffer_like(x)
    return np.array(buffer, x.dtype)


def add_at(buffer: Any, index: Any, d: Any) -> Any:
    """`buffer[index] += d`, in place, giving the buffer. The buffer belongs to the running reverse pass."""
    if d is None:
        return buffer
    if type(index) is int and (type(buffer) is list or type(buffer) is OwnedList):
        before = buffer[index]
        if type(before) is float and type(d) is float:
            buffer[index] = before + d
        else:
            buffer[index] = d if before is None else accumulate(before, d)
    elif type(buffer) is dict:
        buffer[index] = accumulate(buffer.get(index), d)
    elif isinstance(buffer, (np.ndarray, Lanes)):
        if names_once(index):
            add_item(buffer, index, d)
        elif type(buffer) is Lanes:
            np.add.at(buffer.behind, beside(index), behind(d))
        else:
            np.add.at(buffer, index, d)
    elif isinstance(index, slice):
        places = range(*index.indices(len(buffer)))
        if type(buffer) is OwnedList:  # of a list that was shorter, or has zeros for what is not there any more
            n = len(places)
            d = [*d[:n], *[None] * (n - len(d)), *[x for x in d[n:] if x is not None]]
        for i, item in zip(places, d, strict=True):
            buffer[i] = accumulate(buffer[i], item)
    else:
        buffer[index] = accumulate(buffer[index], d)
    return buffer


def add_item(buffer: Any, index: Any, d: Any) -> None:
    """`buffer[index] += d` for one item of an array."""
    try:
        buffer[index] += d
    except ValueError as error:  # NumPy's, around what an unknown derivative says when it has to be a number
        raise error.__cause__ if isinstance(error.__cause__, NoRuleError) else error from None


def add_to_key(buffer: dict[Any, Any], key: Any, d: Any) -> None:
    """`buffer[key] += d`, in a dict of numbers that may not have the key."""
    buffer[key] = buffer.get(key, 0.0) + d


ADDITIONS = (add_at, add_item, add_in_row, add_item_in_row)
"""Calls that add to a buffer, their first argument."""


def as_dense(d: Any, like: Any) -> Any:
    """The cotangent `d` of an array, of a list of floats or of a list of such as a new one of its shape, to which more
    can be added."""
    if isinstance(like, deque):
        return dense_deque(d, len(like), 0.0)
    if isinstance(like, list):
        if like and type(like[0]) is list:
            return [as_dense(item, row) for item, row in zip(d or [None] * len(like), like, strict=True)]
        return [0.0] * len(like) if d is None else [instantiate_zeros(item) for item in d]
    buffer = buffer_like(like)
    if d is not None:
        buffer[...] = unbroadcast(d, like)
    return buffer


def dense_list(d: Any, n: int, zero: Any) -> list[Any]:
    """The cotangent `d` of a list of `n` items as a new one, with `zero` for each to which nothing has come."""
    return [zero] * n if d is None else [zero if item is None else item for item in d]


def dense_deque(d: Any, n: int, zero: Any) -> deque[Any]:
    """The same of a deque."""
    return deque(dense_list(d, n, zero))


def as_dense_items(d: Any, like: Any) -> Any:
    """The cotangent `d` of a list or a dict of anything as a new one, to which more can be added: None, or nothing,
    where nothing has come."""
    if d is None:
        return buffer_like(like)
    return {key: bar for key, bar in d.items() if bar is not None} if isinstance(d, dict) else d.copy()


def added(target: Any, index: Any, d: Any) -> Any:
    """`target[index] += d`, as a function of the old cotangent: a new one with what it would hold."""
    return add_at(target.copy(), index, d)


def added_if_any(target: Any, index: Any, d: Any) -> Any:
    """`added`, or the old cotangent if nothing flowed."""
    return target if d is None else added(target, index, d)


def append_back(d: Any, place: int | None = None) -> tuple[Any, Any]:
    """The cotangents of `xs` and `v`, from that of `xs` after `xs.append(v)`; `place` is where `v` went, if `d` may be
    of another length than the list was then."""
    if type(d) is OwnedList and (place is None or place == len(d) - 1):
        return d, d.pop()
    if d is None:
        return None, None
    if place is not None and place != len(d) - 1:
        return (d[:place], d[place]) if place < len(d) else (d, None)
    if type(d) is not OwnedList:
        d = OwnedList(d)
    return d, d.pop()


def owned_list(d: Any, like: Any = ()) -> Any:
    """The cotangent `d` of the list `like` as one that the running reverse pass adds to."""
    return d if type(d) is OwnedList else OwnedList([None] * len(like) if d is None else d)


class OwnedList(list[Any]):
    """A list of cotangents that only the running reverse pass holds."""

    __slots__ = ()


def _last_stores(shape: tuple[int, ...], index: Any, of: tuple[int, ...]) -> Any:
    """One where `target[index] = values` keeps the value, zero where a later one for the same place replaces it."""
    if isinstance(index, tuple) and all(isinstance(i, slice | int) or i is None or i is Ellipsis for i in index):
        return 1
    places = np.empty(shape, dtype=np.intp)
    order = np.arange(int(np.prod(of))).reshape(of)
    places[index] = order
    return places[index] == order


def _of_stored(d: Any, like: Any) -> Any:
    """The cotangent of what was stored into a part of an array: also of a list or tuple of numbers."""
    if not isinstance(like, list | tuple):
        return unbroadcast(d, like)
    if type(d) is Lanes:
        raise NoLanes
    shape = np.shape(like)
    d = unbroadcast(d, np.empty(shape, d.dtype))
    items = [_of_stored(d[i], item) for i, item in enumerate(like)]
    return items if isinstance(like, list) else tuple(items)


def take_item(d: Any, index: Any, like: Any) -> Any:
    """The cotangent of what was stored by `target[index] = like`, taken out of that of `target`."""
    if type(d) is dict:
        return d.pop(index, None)
    if type(d) is list:
        taken = d[index]
        d[index] = 0.0 if isinstance(taken, float) else None
        return taken
    value_bar = d[index].copy() if type(d) is Lanes else np.array(d[index])
    if value_bar.ndim and isinstance(index, list | tuple | np.ndarray):
        value_bar *= _last_stores(d.shape, index, value_bar.shape)
    d[index] = 0
    return _of_stored(value_bar, like)


def set_item_back(d: Any, index: Any, like: Any) -> tuple[Any, Any]:
    """The cotangents of `target` and `value`, from that of `target` after `target[index] = value`."""
    if d is None:
        return None, None
    if type(d) is Lanes:
        d = d.copy()
        return d, take_item(d, index, like)
    if isinstance(d, np.ndarray | np.number | float | complex):
        d = np.array(d)  # of an array without axes it may be a number
        return d, take_item(d, index, like)
    rest = dict(d) if isinstance(d, dict) else list(d)
    return rest, take_item(rest, index, like)


def sequence_bar(sequence: Any, bars: list[Any]) -> Any:
    """The cotangent of what a loop ran through, from those of its elements, the last round first."""
    items = bars[::-1]
    if type(sequence) is list:
        return items + [None] * (len(sequence) - len(items))
    if isinstance(sequence, np.ndarray | Lanes):
        out = buffer_like(sequence)
        for i, item in enumerate(items):
            if item is not None:
                out[i] = item
        return out
    if isinstance(sequence, dict):
        return None
    if hasattr(sequence, "__len__"):
        items += [None] * (len(sequence) - len(items))
    if isinstance(sequence, tuple):
        return tuple_like(type(sequence), items)
    return items
