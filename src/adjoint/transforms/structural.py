"""Reverses of calls that only move values: tuples, items, fields, captures, stores."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Call, Const, Star, Statement, Var
from ..ir.types import FLOAT, INT, UNKNOWN, List, Scalar, Tuple, Variadic
from ..ops.arithmetic import is_number
from ..tangents import (
    add_at_location,
    add_in,
    add_in_row,
    append_back,
    field_bar,
    item_bar,
    locate,
    put_in,
    read_in,
    set_attribute_back,
    set_in_row_back,
    set_item_back,
    spread,
    take_at_location,
    take_in,
    unbroadcast,
    unsorted,
)
from .components import conjugate_back, imag_back
from .cotangent_map import Cotangent, CotangentMap, bar_name, bar_type
from .each import like_a_deque, to_each
from .facts import Structural
from .infer import is_immutable, type_of
from .joined import joined_back, packed_back, repeated_back
from .rows import array_back, entry_back
from .shadowed import load_field_back, store_field_back
from .shadowed_items import (
    STORES_OF_ITEMS,
    load_item_back,
    load_whole_back,
)
from .uses import calls_of
from .versions import is_counts, is_element, is_loose, is_row, names_once

Handler = Callable[[Call, Cotangent, CotangentMap], None]


def object_back(s: Call, B: CotangentMap) -> None:
    """The fields of a new object."""
    values = zip(s.how.extra, (*s.args, *(v for _, v in s.kwargs)), strict=True)
    parts_back(s, B, "field", field_bar, [(name, value) for name, value in values if name is not None])


def tuple_back(s: Call, B: CotangentMap) -> None:
    """The items of a tuple."""
    parts_back(s, B, "item", item_bar, [*enumerate(s.args)])


def dict_back(s: Call, B: CotangentMap) -> None:
    """The values of a dict with known keys."""
    keys = [key.value for key in s.args[::2]]  # type: ignore[union-attr]
    parts_back(s, B, "key", item_bar, [*zip(keys, s.args[1::2], strict=True)])


def parts_back(s: Call, B: CotangentMap, kind: str, read: Any, values: list[tuple[Any, Any]]) -> None:
    """A part of what is made here has what came for it by itself, and its part of what came for the whole."""
    parts, whole = B.take_parts(s.out)
    for name, value in values:
        if not isinstance(value, Var) or not value.active:
            continue
        if (part := parts.get((kind, name))) is not None:
            B.add(value, *part)
        if whole is not None:
            B.add(value, B.builder.call(read, whole.atom, Const(name), name=bar_name(value)), False)


def list_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    whole = B.is_whole(d.atom, s.out) and not is_loose(s.out)
    for i, arg in enumerate(s.args):
        if isinstance(arg, Var) and arg.active:
            read, t = (operator.getitem, bar_type(arg)) if whole else (item_bar, UNKNOWN)
            part = B.builder.call(read, d.atom, Const(i), name=bar_name(arg), type=t)
            if whole and isinstance(arg.type, List):
                B.dense.add(part)
            B.add(arg, part, whole)


def total_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    items, *start = s.args
    assert isinstance(items, Var)
    for x in start:
        B.add(x, *d)  # type: ignore[arg-type]
    if isinstance(items.type, Variadic):
        one, n = B.builder.call(intrinsics.make_tuple, B.definite(d)), B.builder.call(len, items, type=INT)
        return B.add(items, B.builder.call(operator.mul, one, n, name=bar_name(items), type=items.type))
    if not isinstance(items.type, Tuple):
        return each_back(s, items, d, B)
    for i in range(len(items.type.items)):
        B.add_part(items, ("item", i), d.atom, d.definite)


def each_back(s: Call, items: Var, d: Cotangent, B: CotangentMap) -> None:
    """Each item of a list has the cotangent of their sum."""
    if items in B.versions and (bar := B.sums.get(items)) is not None and B.is_whole(bar.atom, items):
        B.sums[items] = B.as_whole(to_each(B.builder, bar.atom, B.definite(d), items))
        return
    n = B.lengths[items].ask() if items in B.lengths else s.how.extra
    if n is None:
        d_items = B.builder.call(spread, d.atom, items, name=bar_name(items), type=items.type)
    else:  # the list has another length now
        one = B.builder.call(intrinsics.make_list, B.definite(d), type=List(FLOAT))
        d_items = B.builder.call(operator.mul, one, n, name=bar_name(items), type=List(FLOAT))
        d_items = like_a_deque(B.builder, d_items, items)
    B.uniform[d_items] = d
    if n is not None and items in B.versions:
        return B.add_whole(items, d_items)
    return B.add(items, d_items, d.definite or n is not None)


def sorted_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    items: Any = s.args[0]
    bar = B.builder.call(unsorted, d.atom, items, name=bar_name(items), type=items.type)
    if B.is_whole(d.atom, s.out):
        B.dense.add(bar)
    B.add(items, bar, d.definite)


def part_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    container, index = s.args
    assert isinstance(container, Var) and isinstance(container.type, Tuple) and isinstance(index, Const)
    B.add_part(container, ("item", index.value % len(container.type.items)), d.atom, d.definite)


def element_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    container, index = s.args
    B.add_element(container, index, d.atom, d.definite)  # type: ignore[arg-type]


def columns_back(s: Call, B: CotangentMap) -> None:
    """An item or a slice of a list of records hands on the cotangents of fields by themselves."""
    container, index = s.args
    if not B.has_columns(container) or not names_once(type_of(index)):  # type: ignore[arg-type]
        return
    of_item = isinstance(type_of(index), Scalar)  # type: ignore[arg-type]
    for (_, name), bar in (B.take_fields(s.out) if of_item else B.take_columns(s.out)).items():
        B.add_column(container, ("column", name), index, bar.atom)  # type: ignore[arg-type]


def rows_read(statements: Sequence[Statement]) -> dict[Var, Call]:
    """The lists and tuples of numbers that are read as items of a list of such, with the calls that read them."""
    reads = [s for s in calls_of(statements) if s.how == Structural("element") and is_row(s.out.type)]
    return {s.out: s for s in reads if type_of(s.args[0]) == List(s.out.type)}  # type: ignore[arg-type]


def key_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    container, key = s.args
    B.add_part(container, ("key", key.value), d.atom, d.definite)  # type: ignore[union-attr, arg-type]


def field_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    record, name = s.args
    B.add_part(record, ("field", name.value), d.atom, d.definite)  # type: ignore[union-attr,arg-type]


def capture_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    B.add_part(s.args[0], ("field", s.args[1].value), d.atom, d.definite)  # type: ignore[union-attr,arg-type]


def function_back(s: Call, B: CotangentMap) -> None:
    """The captures of a function, and its defaults."""
    template: Any = s.args[0].value  # type: ignore[union-attr]
    values = s.args[2:]
    is_cell = (*template.cells, *[False] * (len(values) - len(template.code.co_freevars)))
    named = zip(template.labels, values, is_cell, strict=True)
    parts_back(s, B, "field", field_bar, [(name, value) for name, value, cell in named if not cell])


def append_back_(s: Call, d: Cotangent, B: CotangentMap) -> None:
    items, value = s.args
    if d.atom in B.uniform:
        B.add(items, *d)  # type: ignore[arg-type]
        return B.add(value, *B.uniform[d.atom])  # type: ignore[arg-type]
    items_bar, value_bar = Var(bar_name(items), active=True), Var(bar_name(value), active=True)  # type: ignore[arg-type]
    place = () if s.how.extra is None else (s.how.extra,)
    B.builder.unpack(Const(append_back), (d.atom, *place), (items_bar, value_bar))
    B.add(items, items_bar, d.definite)  # type: ignore[arg-type]
    B.add(value, value_bar, False)  # type: ignore[arg-type]


def set_item_back_(s: Call, d: Cotangent, B: CotangentMap) -> None:
    target, index, value = s.args
    if s.out in B.versions:
        version_back(s, B.whole(s.out, d), B)
        return
    target_bar, value_bar = Var("", active=True), Var("", active=True)
    B.builder.unpack(Const(set_item_back), (d.atom, index, value), (target_bar, value_bar))  # type: ignore[arg-type]
    B.add(target, target_bar, False)  # type: ignore[arg-type]
    B.add(value, value_bar, False)  # type: ignore[arg-type]


def version_back(s: Call, whole: Atom, B: CotangentMap) -> None:
    """A store into an array of which there are versions: what is stored takes its part out of the cotangent."""
    target, index, value = s.args
    assert not isinstance(target, Star) and not isinstance(index, Star) and not isinstance(value, Star)
    rest = Var(bar_name(target), s.out.type, True)
    active = isinstance(value, Var) and value.active
    if is_counts(s.out.type):
        number = Var("", FLOAT, True)
        B.builder.emit(
            Call((number, rest), Const(changes.changed), (whole, Const("pop"), index, Const(0.0)), (), s.span)
        )
        B.add(value, number)
    elif is_loose(s.out):
        value_bar = Var("", UNKNOWN, True)
        B.builder.unpack(Const(set_item_back), (whole, index, value), (rest, value_bar))
        B.add(value, value_bar, False)
    elif is_element(s.out, index) and is_immutable(type_of(value)):
        if active:
            B.add(value, B.builder.call(operator.getitem, whole, index, name=bar_name(value), type=FLOAT))
        B.builder.emit(Call((rest,), Const(changes.stored), (whole, index, Const(0.0)), (), s.span))
    else:
        value_bar = Var("", bar_type(value) if isinstance(value, Var) else UNKNOWN, True)
        B.builder.unpack(Const(set_item_back), (whole, index, value), (rest, value_bar))
        B.add(value, value_bar, is_number(type_of(value)))
    B.add_whole(target, rest)


def in_row_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    rows, i, j = s.args
    B.add_to_row(rows, (i, j), d.atom, d.definite)  # type: ignore[arg-type]


def set_in_row_back_(s: Call, d: Cotangent, B: CotangentMap) -> None:
    """A store into a row takes the cotangent of what is stored out of that of the rows."""
    rows, i, j, value = s.args
    assert not isinstance(rows, Star)
    if s.out in B.versions:
        whole = B.whole(s.out, d)
        if isinstance(value, Var) and value.active:
            B.add(value, B.builder.call(intrinsics.item_in_row, whole, i, j, name=bar_name(value), type=FLOAT))  # type: ignore[arg-type]
        rest = Var(bar_name(rows), s.out.type, True)
        B.builder.emit(Call((rest,), Const(changes.stored_in_row), (whole, i, j, Const(0.0)), (), s.span))
        return B.add_whole(rows, rest)
    rows_bar, value_bar = Var("", active=True), Var("", active=True)
    B.builder.unpack(Const(set_in_row_back), (d.atom, i, j), (rows_bar, value_bar))  # type: ignore[arg-type]
    B.add(rows, rows_bar, False)
    B.add(value, value_bar, False)  # type: ignore[arg-type]


def added_in_row_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    """`added_in_row(rows, i, j, value)` passes all on to the rows, and its part to the value."""
    rows, i, j, value = s.args
    whole = B.whole(s.out, d)
    if is_loose(s.out):  # of a row to which nothing came there is none
        row = B.builder.call(item_bar, whole, i)  # type: ignore[arg-type]
        B.add(value, B.builder.call(item_bar, row, j), False)  # type: ignore[arg-type]
    else:
        item = B.builder.call(intrinsics.item_in_row, whole, i, j, type=FLOAT)  # type: ignore[arg-type]
        B.add(value, B.builder.call(unbroadcast, item, value, type=bar_type(value)))  # type: ignore[arg-type]
    B.add_whole(rows, whole)  # type: ignore[arg-type]


def added_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    """`added(target, index, value)` passes all on to the target, and its part to the value."""
    target, index, value = s.args
    whole = B.whole(s.out, d)
    if is_loose(s.out):
        B.add(value, B.builder.call(item_bar, whole, index), False)  # type: ignore[arg-type]
    else:
        item = B.builder.call(operator.getitem, whole, index)  # type: ignore[arg-type]
        B.add(value, B.builder.call(unbroadcast, item, value, type=bar_type(value)))  # type: ignore[arg-type]
    B.add_whole(target, whole)  # type: ignore[arg-type]


def set_attribute_back_(s: Call, d: Cotangent, B: CotangentMap) -> None:
    target, name, value = s.args
    target_bar, value_bar = Var("", active=True), Var("", active=True)
    B.builder.unpack(Const(set_attribute_back), (d.atom, name), (target_bar, value_bar))  # type: ignore[arg-type]
    B.add(target, target_bar, False)  # type: ignore[arg-type]
    B.add(value, value_bar, False)  # type: ignore[arg-type]


def load_cell_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    B.builder.effect(add_at_location, s.args[0], d.atom)  # type: ignore[arg-type]


def store_cell_back(s: Call, B: CotangentMap) -> None:
    """A store takes the cotangent of the variable: what was there before gets none of it."""
    _, value = s.args
    B.add(value, B.builder.call(take_at_location, s.args[0]), False)  # type: ignore[arg-type]


def slot_back(s: Call, kind: str, d: Cotangent | None, B: CotangentMap) -> None:
    """Adding to a slot reverses to reading its own, taking to putting what came in its place; and the other way
    round."""
    slot = B.builder.call(locate, s.args[0])  # type: ignore[arg-type]
    match kind:
        case "add_in":
            B.add(s.args[1], B.builder.call(read_in, slot), False)  # type: ignore[arg-type]
        case "put_in":
            B.add(s.args[1], B.builder.call(take_in, slot), False)  # type: ignore[arg-type]
        case "read_in" if d is not None:
            B.builder.effect(add_in, slot, d.atom)
        case "take_in":
            B.builder.effect(put_in, slot, Const(None) if d is None else d.atom)


SLOTS = ("add_in", "take_in", "read_in", "put_in")
STORES: dict[str, Callable[[Call, CotangentMap], None]] = {
    "store_cell": store_cell_back,
    "store_field": store_field_back,
    **STORES_OF_ITEMS,
}
"""Stores into memory, which take the cotangent that is there even where none enters."""


def none_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    """A location carries no cotangent itself."""


def reversed_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    B.add(s.args[0], *B.backwards(d, s.args[0]))  # type: ignore[arg-type]


def same_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    B.add(s.args[0], *d)  # type: ignore[arg-type]


def both_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    B.add(s.args[0], *d)  # type: ignore[arg-type]
    B.add(s.args[1], *d)  # type: ignore[arg-type]


WHOLES: dict[str, Callable[[Call, CotangentMap], None]] = {
    **{"new": object_back, "tuple": tuple_back, "dict": dict_back, "function": function_back},
}
"""How what is made of values hands on the cotangents of its parts."""

HANDLERS: dict[str, Handler] = {
    "list": list_back,
    "total": total_back,
    "sorted": sorted_back,
    "packed": packed_back,
    "joined": joined_back,
    "repeated": repeated_back,
    "part": part_back,
    "key": key_back,
    "element": element_back,
    "field": field_back,
    "capture": capture_back,
    "append": append_back_,
    "set_item": set_item_back_,
    "added": added_back,
    "in_row": in_row_back,
    "set_in_row": set_in_row_back_,
    "added_in_row": added_in_row_back,
    "set_attribute": set_attribute_back_,
    "load_cell": load_cell_back,
    "load_field": load_field_back,
    "load_item": load_item_back,
    "load_whole": load_whole_back,
    "make_cell": none_back,
    "capture_cell": none_back,
    "buffer": none_back,
    "reversed": reversed_back,
    "array": array_back,
    "entry": entry_back,
    "same": same_back,
    "real": same_back,
    "imag": imag_back,
    "conjugate": conjugate_back,
    "both": both_back,
}


def add_item_back(s: Call, B: CotangentMap) -> None:
    """`buffer[index] += d` in a program that is itself a reverse one: d̄ is the item of the buffer's cotangent."""
    buffer, *path, d = s.args if s.fn.value is not add_in_row else (*s.args[:2], *s.args[3:])  # type: ignore[union-attr]
    bar = B.peek(buffer)  # type: ignore[arg-type]
    if bar is not None:
        for index in path:
            read = operator.getitem if bar.definite else item_bar
            bar = Cotangent(B.builder.call(read, bar.atom, index), False)  # type: ignore[arg-type]
        B.add(d, *bar)  # type: ignore[arg-type]
