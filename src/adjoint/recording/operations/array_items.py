"""Items of arrays, as they are read and stored into."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tangents import Unknown
from ...tangents.windows import DIFFERENTIABLE, owner_of
from ..memory import check_order, check_store
from ..sweep import Sweep
from .base import (
    HANDLERS,
    NOTHING,
    Back,
    Record,
    Result,
    nothing,
)
from .calls import invoke
from .conversions import SEQUENCES, check_numbers, is_array, is_converted, keeps_items
from .functions import written
from .native import check_part
from .opaque import found_in
from .outputs import Operand, operand, places_stored, seen_by_all
from .partly import store_items
from .ruled import snapshot

ONCE = (int, slice, np.integer, type(None), type(...))
"""Indices that name no place of an array twice."""


def names_once(index: Any) -> bool:
    """Tell whether an index names each place of an array once."""
    if isinstance(index, tuple):
        return all([isinstance(i, ONCE) or isinstance(i, np.ndarray) and i.dtype == bool for i in index])
    return isinstance(index, ONCE) or isinstance(index, np.ndarray) and index.dtype == bool


def _names_all(index: Any) -> bool:
    """Tell whether an index names all of an array: nothing of what was there before is left."""
    parts = index if isinstance(index, tuple) else (index,)
    return all([part is ... or isinstance(part, slice) and part == slice(None) for part in parts])


def _kept(index: Any) -> Any:
    """An index as it is now."""
    return snapshot(index) if not isinstance(index, ONCE) else index


def of_array(owner: Any, index: Any) -> Result:
    """An item or a part of an array, whatever its class makes of items."""
    y = np.ndarray.__getitem__(owner, index)
    if type(y) is np.float64 and type(index) is int:
        return y, _of_element(owner, index)
    if owner.dtype.kind not in DIFFERENTIABLE:
        return y, found_in(y, (owner,)) or nothing
    if isinstance(y, np.ndarray):
        if owner_of(y) is owner_of(owner):
            return y, nothing  # a view
        chosen = _kept(index)

        def copied_back(sweep: Sweep, y_bar: Any) -> Any:
            d = sweep.take_array(y)
            if type(d) is Unknown:
                sweep.add_array(owner, d)
            elif d is not None:
                add_at(sweep.made_shadow(owner), chosen, d)
            return NOTHING

        return y, copied_back

    at = index if type(index) is int else _kept(index)

    def element_back(sweep: Sweep, y_bar: Any) -> Any:
        if type(y_bar) is Unknown:
            sweep.add_array(owner, y_bar)
        elif y_bar is not None:
            shadow = sweep.made_shadow(owner)
            shadow[at] += y_bar.real if shadow.dtype.kind != "c" else y_bar
        return NOTHING

    return y, element_back


def _of_element(owner: Any, at: int) -> Back:
    """The reverse of reading a float of a row."""

    def float_back(sweep: Sweep, y_bar: Any) -> Any:
        if type(y_bar) is Unknown:
            sweep.add_array(owner, y_bar)
        elif y_bar is not None:
            shadow = sweep.made_shadow(owner)
            shadow[at] += y_bar.real
        return NOTHING

    return float_back


def of_flat(base: Any, index: Any) -> Result:
    """An item of `a.flat`; a part of it is a copy."""
    if base.flags.c_contiguous and isinstance(index, int | np.integer):
        return of_array(base.reshape(-1), index)
    places = np.arange(base.size).flat[index]
    if base.ndim == 0:
        return of_array(base.reshape(1), places)
    return of_array(base, np.unravel_index(places, base.shape))


def add_at(shadow: Any, index: Any, d: Any) -> None:
    """`shadow[index] += d`, each place as often as it is named."""
    if np.iscomplexobj(d) and shadow.dtype.kind != "c":
        d = d.real
    if names_once(index):
        shadow[index] += d
    else:
        np.add.at(shadow, index, d)


def write_flat(base: Any, index: Any, value: Any) -> Any:
    """A store by `flat`: the values are repeated as often as need be."""
    try:
        places = np.ravel(np.arange(base.size)[index])
    except IndexError:
        store_items(base, lambda target: target.flat.__setitem__(index, value))
        raise
    back = HANDLERS[np.put](None, 0, np.put, (base, places, value), {})[1]
    return lambda sweep, y_bar: (None, back(sweep, None)[3])


def write_array(owner: Any, index: Any, value: Any) -> Any:
    """`owner[index] = value`; gives its `back`."""
    stored = places_stored(owner, index)
    return seen_by_all(owner, stored, _write_array(owner, index, value))


def _write_array(owner: Any, index: Any, value: Any) -> Any:
    number = type(value) is float or type(value) is np.float64 or type(value) is int
    check_store(owner, seen=True)
    if type(owner) is not np.ndarray:
        check_part(owner, index)
    to = Operand(None, value) if number else operand(value)
    if not number and names_once(index):
        check_order(np.ndarray.__getitem__(owner, index), value)
    part = np.ndarray.__getitem__(owner, index) if isinstance(value, SEQUENCES) else None
    if isinstance(part, np.ndarray) and owner_of(part) is owner_of(owner):
        store_items(part, lambda target: np.ndarray.__setitem__(target, ..., value))
    else:
        np.ndarray.__setitem__(owner, index, value)
    if owner.dtype.kind not in "fc":
        return _forgotten(owner, index)
    if number and type(index) is int and owner.ndim == 1:

        def element_back(sweep: Sweep, y_bar: Any) -> Any:
            shadow = sweep.shadow(owner)
            if shadow is None or type(shadow) is Unknown:
                return NOTHING if shadow is None else (None, shadow)
            d = shadow[index]
            shadow[index] = 0
            return None, d.real if d.dtype.kind == "c" else d

        return element_back
    chosen = _kept(index)
    whole = _names_all(index)

    def store_back(sweep: Sweep, y_bar: Any) -> Any:
        shadow = sweep.take_array(owner) if whole else sweep.shadow(owner)
        if shadow is None or type(shadow) is Unknown:
            return NOTHING if shadow is None or to is None else (None, to.give(sweep, shadow))
        if whole:
            return NOTHING if to is None else (None, to.give(sweep, shadow))
        d = np.array(shadow[chosen])
        if d.ndim and not names_once(chosen):
            d *= last_stores(shadow.shape, chosen, d.shape)
        shadow[chosen] = 0
        return NOTHING if to is None else (None, to.give(sweep, d))

    return store_back


def _forgotten(owner: Any, index: Any) -> Any:
    """A store into integers: what was there before has no influence any more, and the value none at all."""
    chosen = _kept(index)

    def forgotten_back(sweep: Sweep, y_bar: Any) -> Any:
        shadow = sweep.shadow(owner) if owner.dtype.kind in DIFFERENTIABLE else None
        if shadow is not None and type(shadow) is not Unknown:
            shadow[chosen] = 0
        return NOTHING

    return forgotten_back


def last_stores(shape: tuple[int, ...], index: Any, of: tuple[int, ...]) -> Any:
    """One where `target[index] = values` keeps the value, zero where a later one for the same place replaces it."""
    order = np.arange(int(np.prod(of))).reshape(of)
    places = np.empty(shape, dtype=np.intp)
    places[index] = order
    return places[index] == order


def converted(record: Record, k: int, x: Any, dtype: Any) -> tuple[Any, Any]:
    """Value that is stored for another: by its methods, which are recorded; and what makes of the cotangent of that the
    cotangent of the value."""
    if isinstance(x, list | tuple) and keeps_items(x):
        pairs = [converted(record, k, item, dtype) if is_converted(item) else (item, None) for item in x]

        def items_back(sweep: Sweep, d: Any) -> Any:
            bars = [None] * len(pairs) if d is None else list(d)
            for i in reversed(range(len(pairs))):
                turn = pairs[i][1]
                bars[i] = bars[i] if turn is None else turn(sweep, bars[i])
            if isinstance(x, tuple):
                return tuple(bars)
            for i, bar in enumerate(bars):
                sweep.add(x, i, bar)
            return None

        return tuple([y for y, _ in pairs]), items_back
    name = "__complex__" if dtype.kind == "c" and written(type(x), "__complex__") is not None else "__float__"
    if is_array(type(x)) or written(type(x), name) is None:
        check_numbers(x)
    y, back = invoke(record, k, written(type(x), name), (x,), {})
    return y, lambda sweep, d: back(sweep, d)[1]
