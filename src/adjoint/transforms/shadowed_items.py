"""Reverses of reads and stores of lists, dicts and arrays that others may have: what they do with the shadows."""

from __future__ import annotations

import operator
from typing import Any

from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import BOTTOM, FLOAT, UNKNOWN, Array, Default, Keyed, List, Type
from ..ops.arithmetic import is_number, is_real
from ..tangents.located import (
    add_number_to_cell,
    add_number_to_window,
    add_to_cell,
    add_to_cells,
    add_to_whole,
    add_to_window,
    bring_back,
    cells_of,
    close_gap,
    come_back,
    forget_window,
    open_gap,
    put_back,
    take_cell,
    take_cells,
    take_entries,
    take_from_window,
    take_part,
    take_whole,
    what_came,
    what_came_at,
    window_of,
)
from .cotangent_map import Cotangent, CotangentMap, bar_name
from .infer import is_immutable, type_of
from .memory import held_by
from .shadowed import all_shadows, found_once
from .versions import is_element, names_once


def load_item_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    """A read adds to what has come to its item."""
    target, key = s.args[:2]
    of = _held_by(target)
    if isinstance(of, Array):
        add: Any = add_number_to_window if d.definite and names_once(type_of(key)) else add_to_window  # type: ignore[arg-type]
        B.builder.effect(add, _shadow(target, B), key, d.atom)  # type: ignore[arg-type]
    else:
        add = add_number_to_cell if d.definite and is_real(item_of(of, key)) else add_to_cell
        B.builder.effect(add, _shadow(target, B), key, d.atom)  # type: ignore[arg-type]


def load_whole_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    """The same of all items."""
    target = s.args[0]
    add = add_to_whole if isinstance(_held_by(target), Array) else add_to_cells
    B.builder.effect(add, _shadow(target, B), d.atom)


def store_item_back(s: Call, B: CotangentMap) -> None:
    """A store takes what has come to its item: what was there before gets none of it."""
    target, key, value = s.args
    of = _held_by(target)
    active = isinstance(value, Var) and value.active
    if not isinstance(of, Array):
        return _cell_back(target, key, value, B)
    if active and of.kind == "f" and is_element(Var("", of), key) and is_immutable(type_of(value)):  # type: ignore[arg-type]
        shadow = _shadow(target, B)
        d = B.builder.call(operator.getitem, shadow, key, name=bar_name(value), type=FLOAT)  # type: ignore[arg-type]
        B.builder.effect(forget_window, shadow, key)  # type: ignore[arg-type]
        B.add(value, d, is_number(type_of(value)))  # type: ignore[arg-type]
    elif active and of.kind in "fc":
        shadow = _shadow(target, B)
        d = B.builder.call(take_from_window, shadow, key, value, name=bar_name(value))  # type: ignore[arg-type]
        B.add(value, d, True)  # type: ignore[arg-type]
    else:
        B.builder.effect(forget_window, _shadow(target, B), key)  # type: ignore[arg-type]


def add_in_place_back(s: Call, B: CotangentMap) -> None:
    """Pass what has come to an array, which stays, to what is added to it."""
    target, value = s.args
    if isinstance(value, Var) and value.active:
        own = B.builder.call(what_came, _shadow(target, B), value, name=bar_name(value))
        B.add(value, B.builder.call(operator.neg, own) if s.how.extra else own, True)


def append_item_back(s: Call, B: CotangentMap) -> None:
    """The same of an item that is new, at the place that `extra` of the call names."""
    target, value = s.args
    _cell_back(target, s.how.extra, value, B)


def extend_items_back(s: Call, B: CotangentMap) -> None:
    """The same of several; what is replaced by them gets nothing."""
    target, values = s.args
    cells = _shadow(target, B)
    d = B.builder.call(take_cells, cells, *s.how.extra, name=bar_name(values))  # type: ignore[arg-type]
    if isinstance(values, Var) and values.active:
        B.add(values, d, False)


def insert_item_back(s: Call, B: CotangentMap) -> None:
    """The same of one that is put in before others."""
    target, place, value = s.args
    _cell_back(target, place, value, B)
    B.builder.effect(close_gap, _shadow(target, B), place, s.how.extra)  # type: ignore[arg-type]


def take_items_back(s: Call, B: CotangentMap) -> None:
    """Put what came to each item back where it was."""
    target, order = s.args
    B.builder.effect(put_back, _shadow(target, B), order)  # type: ignore[arg-type]


def replace_part_back(s: Call, B: CotangentMap) -> None:
    """Pass what has come to the place of a part of a list to what is put there; the part gets nothing."""
    target, places, values = s.args
    shadow, n = _shadow(target, B), s.how.extra
    d = B.builder.call(take_part, shadow, places, n, name=bar_name(values))  # type: ignore[arg-type]
    if isinstance(values, Var) and values.active:
        B.add(values, d, False)


def delete_part_back(s: Call, B: CotangentMap) -> None:
    """Put back what stays."""
    target, _, kept = s.args
    B.builder.effect(put_back, _shadow(target, B), kept)  # type: ignore[arg-type]


def take_out_back(s: Call, B: CotangentMap) -> None:
    """Put back what is taken out."""
    target, place = s.args
    d = B.take(s.out)
    B.builder.effect(open_gap, _shadow(target, B), place, s.how.extra)  # type: ignore[arg-type]
    if d is not None:
        load_item_back(s, d, B)


def in_form_back(s: Call, B: CotangentMap) -> None:
    """Bring what has come to a copy in another form to the array that it was made from."""
    target, out = s.args[1], s.out
    B.builder.effect(bring_back, _shadow(target, B), _shadow(out, B), target, out)  # type: ignore[arg-type]


def copied_back(s: Call, B: CotangentMap) -> None:
    """Cotangents of copies come to what they were made of."""
    B.builder.effect(come_back, all_shadows(B), s.outs[1])


def add_at_back(s: Call, B: CotangentMap) -> None:
    """Pass what has come to items of an array, which stays, to what is added to them."""
    target, key, value = s.args
    if isinstance(value, Var) and value.active:
        own = B.builder.call(what_came_at, _shadow(target, B), key, value, name=bar_name(value))  # type: ignore[arg-type]
        B.add(value, own, True)


def located_back(s: Call, B: CotangentMap) -> None:
    """Pass what has come to all items to what becomes a list, a dict or an array that others may have."""
    value, out = s.args[0], s.out
    if not isinstance(value, Var) or not value.active:
        return
    shadow = _shadow(out, B)
    match _held_by(out):
        case Array():
            B.add(value, B.builder.call(take_whole, shadow, name=bar_name(value)), False)
        case List():
            n: Any = s.how.extra
            B.add(value, B.builder.call(take_cells, shadow, n, name=bar_name(value)), False)
        case _:
            B.add(value, B.builder.call(take_entries, shadow, name=bar_name(value)), False)


def _cell_back(target: Any, key: Any, value: Any, B: CotangentMap) -> None:
    real = is_real(item_of(_held_by(target), key))
    none = Const(0.0 if real else None)
    t = FLOAT if real else UNKNOWN
    active = isinstance(value, Var) and value.active
    d = B.builder.call(take_cell, _shadow(target, B), key, none, name=bar_name(value) if active else "", type=t)
    if active:
        B.add(value, d, real)


def _held_by(target: Any) -> Type:
    return held_by(type_of(target))  # type: ignore[no-any-return]


def item_of(of: Any, key: Any) -> Type:
    """The type of an item of a list or a dict: that of none under a name that a dict never has."""
    named = isinstance(of, Keyed) or isinstance(of, Default) and of.entries
    if named and isinstance(key, Const) and type(key.value) is str:
        entries: dict[str, Type] = dict(of.entries)
        return entries.get(key.value, BOTTOM)
    t: Type = of.item
    return t


def _shadow(target: Any, B: CotangentMap) -> Atom:
    return found_once(B, window_of if isinstance(_held_by(target), Array) else cells_of, target)


STORES_OF_ITEMS = {
    "store_item": store_item_back,
    "append_item": append_item_back,
    "located": located_back,
    "add_in_place": add_in_place_back,
    "add_at": add_at_back,
    "in_form": in_form_back,
    "copied_memory": copied_back,
    "extend_items": extend_items_back,
    "insert_item": insert_item_back,
    "take_items": take_items_back,
    "replace_part": replace_part_back,
    "delete_part": delete_part_back,
    "take_out": take_out_back,
}
"""What takes the cotangent that is there even where none enters."""
