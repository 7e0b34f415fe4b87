"""Items: `x[i]`, `x[i] = v`, `del x[i]`, of arrays, lists, tuples, dicts and the user's own containers."""

from __future__ import annotations

import operator
import types
from collections import deque
from typing import Any

import numpy as np

from ...tangents import accumulate, unbroadcast
from ..memory import DIFFERENTIABLE, check_order, check_store, owner_of
from ..places import deposit, place, tuple_of
from ..sweep import Sweep, is_valued
from .base import HANDLERS, METHODS, NOTHING, Back, Record, Result, nothing, read_slot, with_first
from .calls import invoke, invoke_as
from .conversions import check_numbers, converted, is_converted
from .native import PLAIN, check_key, check_part
from .ruled import by_rule, plain, snapshot

ONCE = (int, slice, np.integer, type(None), type(...))
"""Indices that name no place of an array twice."""


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


def indexed_by(record: Record, k: int, owner: Any, index: Any) -> Any:
    """An index as a number, where an object is one and is asked for it."""
    if isinstance(owner, dict):
        check_key(index)
    if isinstance(owner, list | tuple | deque | str | bytes | range | np.ndarray):
        from .special import indexed

        return indexed(record, k, index)
    return index


def own_method(owner: Any, name: str) -> Any:
    """A method that the class of an object defines in Python."""
    found = getattr(type(owner), name, None)
    return found if isinstance(found, types.FunctionType) else None


def read_item(record: Record, k: int, owner: Any, index: Any) -> Result:
    """An item, and its `back`."""
    cls = type(owner)
    if cls is np.ndarray:
        return of_array(owner, index)
    if cls is list:
        return _of_list(owner, index)
    own = own_method(owner, "__getitem__")
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
        return _of_flat(owner.base, index)
    handler = METHODS.get((cls, "__getitem__"))
    if handler is not None:
        return handler(record, k, owner, (index,), {})  # type: ignore[no-any-return]
    y = owner[index]
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
        return None, tuple_of(cls, bars)

    return y, of_tuple_back


def _of_dict(record: Record, k: int, owner: Any, key: Any) -> Result:
    if type(owner) is dict:
        return read_slot(owner[key], owner, key)
    return METHODS[dict, "__getitem__"](record, k, owner, (key,), {})  # type: ignore[no-any-return]


def names_once(index: Any) -> bool:
    """Whether an index names each place of an array once."""
    if isinstance(index, tuple):
        return all([isinstance(i, ONCE) or isinstance(i, np.ndarray) and i.dtype == bool for i in index])
    return isinstance(index, ONCE) or isinstance(index, np.ndarray) and index.dtype == bool


def _kept(index: Any) -> Any:
    """An index as it is now."""
    return snapshot(index) if not isinstance(index, ONCE) else index


def of_array(owner: Any, index: Any) -> Result:
    """An item or a part of an array, whatever its class makes of items."""
    y = np.ndarray.__getitem__(owner, index)
    if type(y) is np.float64 and type(index) is int:
        return y, _of_element(owner, index)
    if owner.dtype.kind not in DIFFERENTIABLE:
        return y, nothing
    if isinstance(y, np.ndarray):
        if owner_of(y) is owner_of(owner):
            return y, nothing  # a view
        chosen = _kept(index)

        def copied_back(sweep: Sweep, y_bar: Any) -> Any:
            d = sweep.take_array(y)
            if d is not None:
                add_at(sweep.made_shadow(owner), chosen, d)
            return NOTHING

        return y, copied_back

    at = index if type(index) is int else _kept(index)

    def element_back(sweep: Sweep, y_bar: Any) -> Any:
        if y_bar is not None:
            shadow = sweep.made_shadow(owner)
            shadow[at] += y_bar.real if shadow.dtype.kind != "c" else y_bar
        return NOTHING

    return y, element_back


def _of_element(owner: Any, at: int) -> Back:
    """The reverse of reading a float of a row."""

    def float_back(sweep: Sweep, y_bar: Any) -> Any:
        if y_bar is not None:
            shadow = sweep.made_shadow(owner)
            shadow[at] += y_bar.real
        return NOTHING

    return float_back


def _of_flat(base: Any, index: Any) -> Result:
    """An item of `a.flat`; a part of it is a copy."""
    if base.flags.c_contiguous and not isinstance(index, slice | np.ndarray | list):
        return of_array(base.reshape(-1), index)
    places = np.arange(base.size).reshape(base.shape).flat[index]
    return of_array(base, np.unravel_index(places, base.shape))


def add_at(shadow: Any, index: Any, d: Any) -> None:
    """`shadow[index] += d`, each place as often as it is named."""
    if np.iscomplexobj(d) and shadow.dtype.kind != "c":
        d = d.real
    if names_once(index):
        shadow[index] += d
    else:
        np.add.at(shadow, index, d)


# ---- stores


def set_item(record: Record, k: int, owner: Any, index: Any, value: Any) -> None:
    """`owner[index] = value`; the operand is the value."""
    cls = type(owner)
    if type(index) not in PLAIN:
        index = indexed_by(record, k, owner, index)
    elif cls is np.ndarray and type(value) in PLAIN or cls is list or cls is dict:
        record((k, write_item(owner, index, value)))
        return
    own = own_method(owner, "__setitem__")
    if own is not None:
        _, back = invoke_as(_of_value, record, k, own, (owner, index, value), {})
        record((k, back))
        return
    if isinstance(owner, np.ndarray) and is_converted(value):
        value, turn = converted(record, k, value, owner.dtype)
        back = write_item(owner, index, value)
        record((k, lambda sweep, y_bar: (None, turn(sweep, back(sweep, None)[1]))))
        return
    record((k, write_item(owner, index, value)))


def _of_value(back: Any) -> Any:
    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, y_bar)
        return d[0], d[3]

    return reverse


def size(x: Any) -> int:
    """How many items a sequence has, whatever its class says."""
    base: Any = next((c for c in (list, tuple, deque) if isinstance(x, c)), None)
    return 0 if base is None else int(base.__len__(x))


def write_item(owner: Any, index: Any, value: Any) -> Any:
    """A store into an item; gives its `back`, with the value as operand."""
    if type(index) is int and type(owner) is list:
        owner[index] = value
        return _stored(owner, index if index >= 0 else index + len(owner))
    if isinstance(owner, np.ndarray):
        return _write_array(owner, index, value)
    if isinstance(owner, np.flatiter):
        return write_flat(owner.base, index, value)
    if isinstance(owner, list) and isinstance(index, slice):
        from .lists import set_slice

        return set_slice(owner, index, value)
    slot = index
    if isinstance(owner, list | deque):
        slot = operator.index(index)
        slot += size(owner) if slot < 0 else 0
    owner[index] = value
    return _stored(owner, slot)


def _stored(owner: Any, slot: Any) -> Back:
    def store_back(sweep: Sweep, y_bar: Any) -> Any:
        return None, sweep.take(owner, slot)

    return store_back


def write_flat(base: Any, index: Any, value: Any) -> Any:
    """A store by `flat`: the values are repeated as often as need be."""
    places = np.ravel(np.arange(base.size)[index])
    back = HANDLERS[np.put](None, 0, np.put, (base, places, value), {})[1]
    return lambda sweep, y_bar: (None, back(sweep, None)[3])


def _write_array(owner: Any, index: Any, value: Any) -> Any:
    number = type(value) is float or type(value) is np.float64 or type(value) is int
    check_store(owner)
    check_numbers(value)
    if type(owner) is not np.ndarray:
        check_part(owner, index)
    if not number and names_once(index):
        check_order(np.ndarray.__getitem__(owner, index), value)
    like = value if number else np.asarray(value) if isinstance(value, list | tuple) else value
    np.ndarray.__setitem__(owner, index, value)
    if owner.dtype.kind not in "fc":
        return _forgotten(owner, index)
    if number and type(index) is int and owner.ndim == 1:

        def element_back(sweep: Sweep, y_bar: Any) -> Any:
            shadow = sweep.shadow(owner)
            if shadow is None:
                return NOTHING
            d = shadow[index]
            shadow[index] = 0
            return None, d.real if d.dtype.kind == "c" else d

        return element_back
    chosen, at = _kept(index), place(value)
    rows = snapshot(value) if isinstance(value, list | tuple) else None
    shape = np.shape(like)
    model = np.empty(shape, getattr(like, "dtype", None) or np.asarray(like).dtype) if not number else like

    def store_back(sweep: Sweep, y_bar: Any) -> Any:
        shadow = sweep.shadow(owner)
        if shadow is None:
            return NOTHING
        d = np.array(shadow[chosen])
        if d.ndim and not names_once(chosen):
            d *= last_stores(shadow.shape, chosen, d.shape)
        shadow[chosen] = 0
        return None, given(sweep, at, rows, model, d)

    return store_back


def given(sweep: Sweep, at: Any, rows: Any, model: Any, d: Any) -> Any:
    """What `d`, the cotangent of a stored value as broadcast, gives that value: an array, a number, a list."""
    if getattr(model, "dtype", None) is not None and model.dtype.kind not in DIFFERENTIABLE:
        return None
    d = unbroadcast(d, model)
    if rows is not None:
        d = _as_rows(d, rows)
    return deposit(sweep, at, d)


def _as_rows(d: Any, value: Any) -> Any:
    rows = [_as_rows(d[i], v) if isinstance(v, list | tuple) else d[i] for i, v in enumerate(value)]
    return tuple(rows) if isinstance(value, tuple) else rows


def _forgotten(owner: Any, index: Any) -> Any:
    """A store into integers: what was there before has no influence any more, and the value none at all."""
    chosen = _kept(index)

    def forgotten_back(sweep: Sweep, y_bar: Any) -> Any:
        shadow = sweep.shadow(owner) if owner.dtype.kind in DIFFERENTIABLE else None
        if shadow is not None:
            shadow[chosen] = 0
        return NOTHING

    return forgotten_back


def last_stores(shape: tuple[int, ...], index: Any, of: tuple[int, ...]) -> Any:
    """One where `target[index] = values` keeps the value, zero where a later one for the same place replaces it."""
    order = np.arange(int(np.prod(of))).reshape(of)
    places = np.empty(shape, dtype=np.intp)
    places[index] = order
    return places[index] == order


def delete_item(record: Record, k: int, owner: Any, index: Any) -> None:
    """`del owner[index]`."""
    if type(index) not in PLAIN:
        index = indexed_by(record, k, owner, index)
    own = own_method(owner, "__delitem__")
    if own is not None:
        _, back = invoke(record, k, own, (owner, index), {})
        record((k, back))
    elif isinstance(owner, list):
        from .lists import set_slice

        at = index if isinstance(index, slice) else operator.index(index)
        if not isinstance(at, slice):
            at = at + list.__len__(owner) if at < 0 else at
            list.__getitem__(owner, at)
            at = slice(at, at + 1)
        if at.step not in (None, 1):
            from .lists import delete_steps

            record((k, delete_steps(owner, at)))
        else:
            record((k, set_slice(owner, at, [])))
    else:
        from .lists import delete_in_deque

        back = delete_in_deque(owner, index) if isinstance(owner, deque) else nothing
        if not isinstance(owner, deque):
            del owner[index]
        record((k, back))


__all__ = [
    "accumulate",
    "add_at",
    "delete_item",
    "item",
    "last_stores",
    "read_item",
    "set_item",
    "with_first",
    "write_item",
]
