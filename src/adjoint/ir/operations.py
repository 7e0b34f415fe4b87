"""Memory effects and result types of the functions that the IR calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import check_iterable
from ..ops.arithmetic import STR, element_of, is_number, join_all
from ..ops.cotangent_types import of_second, of_store
from ..ops.effects import Alloc, Effects, Keeps, Returns, World, Write
from ..ops.given import Given
from ..ops.python import RESULT
from ..ops.python_types import mapped
from ..ops.registry import each, find_op, gives, op, parameters_of
from ..tangents import (
    Tangent,
    along_partials,
    dense_deque,
    dense_entries,
    dense_list,
    densify,
    has_besides,
    set_item_back,
    unbroadcast,
    zeros_like,
)
from . import changes, checks, counters, exceptions, heaps, intrinsics, ordered, runs
from .lattice import join, keyed, of_items, variadic
from .types import (
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    MIXED,
    NONE,
    UNKNOWN,
    Array,
    Default,
    Deque,
    Dict,
    Inert,
    Keyed,
    List,
    Record,
    Scalar,
    Tuple,
    Type,
    Variadic,
)

VERSION = "version"
"""Of a store that gives the changed object as a new version of what it was."""

_STORE: Effects = (Write("target", VERSION), Keeps("value", "target"))
each(_STORE, changes.set_item, changes.stored, changes.stored_unseen, changes.set_attribute, changes.hold_field)
op(changes.store_global, effects=(World("set"), Keeps("value")))
each((Write("rows", VERSION),), changes.set_in_row, changes.stored_in_row)
op(changes.list_append, effects=(Write("items", VERSION), Keeps("item", "items")))
op(changes.extended, effects=(Write("target", VERSION), Keeps("items", "target")))
op(changes.updated, effects=(Write("target", VERSION), Keeps("others", "target")))
each((Write("target", VERSION),), changes.delete_item, changes.deleted, changes.delete_attribute)
op(changes.changed, effects=(Write("target", VERSION), Keeps("args", "target")))
op(changes.call_with, effects=(Write("target", VERSION), Keeps("args", "target")))
op(changes.call_method, effects=(Write("target", VERSION), Keeps("args", "target")))
op(changes.change_set, effects=(Write("target", VERSION), Keeps("other", "target")))
op(changes.in_place, effects=(Write("target", VERSION), Keeps("value", "target")))
op(changes.initialise, effects=(Write("new", VERSION), Keeps("args", "new")))
op(changes.snapshot, effects=(Alloc("x"), Returns("x")))
op(changes.copied, effects=(Alloc(),))
each(
    (),
    changes.check_store,
    changes.check_none,
    checks.check_bound,
    checks.check_extends,
    checks.check_length,
    checks.check_size,
)
each((), changes.item_in_place, changes.written, changes.insertion, changes.end_key)

HOLDS: Effects = (Alloc(), Keeps("*", RESULT))
each(HOLDS, intrinsics.make_list, intrinsics.make_dict, intrinsics.make_set, changes.object_of)
op(intrinsics.make_tuple, effects=(Keeps("*", RESULT),))  # it never changes: who has it does not count
each((Alloc("*"),), intrinsics.merge_dicts, intrinsics.dict_from_items)
op(intrinsics.item_in_row, effects=(Returns("rows", "item"),))
op(intrinsics.unpack, effects=(Returns("iterable", "item"),))
each((), intrinsics.not_contains, intrinsics.position, intrinsics.format_value, intrinsics.fstring)
each((), intrinsics.is_sequence, intrinsics.is_mapping, intrinsics.raise_)
each((), exceptions.caught, exceptions.matches, exceptions.swallows)
each((), exceptions.raise_again, exceptions.give_up, exceptions.missing)
each(
    (),
    exceptions.opened,
    exceptions.enter,
    exceptions.leave,
    exceptions.let_go,
    exceptions.lets_pass,
    exceptions.told_of,
)
each((Alloc("d"),), dense_list, dense_deque)
op(dense_entries, effects=(Alloc("d"), Alloc("x")))
each((Alloc(), Returns("d")), densify, unbroadcast)
each((Alloc(),), zeros_like, along_partials, set_item_back)
each(
    (),
    heaps.place_of,
    heaps.place_of_push,
    heaps.place_of_pop,
    heaps.order_of_heapify,
    heaps.order_of_sort,
    *ordered.ASKING,
)
each((), runs.runs_of)
each((), intrinsics.argmax, intrinsics.argmin)
op(intrinsics.columns, effects=(Alloc(),))
op(counters.count_on, effects=(World("set"),))
each((), intrinsics.observe, intrinsics.expect, intrinsics.check, checks.check_lengths, check_iterable)
each((), checks.check_given, checks.check_several, checks.check_unpacks)


def changed_by(f: Any) -> int | None:
    """The place of the argument of which a store of the IR gives a new version; None of any other function."""
    row = find_op(f)
    if row is None or callable(row.effects):
        return None
    stores = [e for e in row.effects if isinstance(e, Write) and e.how == VERSION]
    return parameters_of(f, row).place(stores[0].ref) if stores else None


# ---- result types


def _dict_made(given: Given) -> Type:
    """`{"a": x, "b": y}`: with known keys, where these are all texts."""
    keys = [key for key in given.values[::2] if type(key) is str]
    if not keys or len(keys) != len(given.types) // 2:
        return Dict(join_all(given.types[1::2]))
    return keyed(dict(zip(keys, given.types[1::2], strict=True)))


def _updated(given: Given) -> Type:
    """A dict with the items of others besides."""
    known = [t for t in given.types if isinstance(t, Keyed)]
    if len(known) == len(given.types):
        return keyed({name: u for t in known for name, u in t.entries})
    return Dict(join_all([t.item if isinstance(t, Dict) else UNKNOWN for t in given.types]))


def _extended(given: Given) -> Type:
    """A list with the items of another besides."""
    return List(join(element_of(given.types[0]), element_of(given.types[1])))


def _stored(given: Given) -> Type:
    """A container after a store of one item."""
    container, _, value = given.types
    if isinstance(container, Default):
        return Default(join(container.item, value), container.cls, container.missing)
    if isinstance(container, (List, Dict)):
        item = join(container.item, value)
        return of_items(container, item) if isinstance(container, List) else Dict(item)
    return container if isinstance(container, Array) else UNKNOWN


def _cotangent(given: Given) -> Type:
    """A cotangent that is surely there."""
    t = given.types[1]
    if isinstance(t, Scalar):
        return FLOAT if t.kind == "int" else t
    if isinstance(t, Array):
        return t if t.kind in "fc" else Array("f", "float64", t.ndim, t.scalar)
    return UNKNOWN


def zeros_of(t: Type) -> Type:
    """The type of the zero cotangent of a value: None of what has none."""
    match t:
        case Scalar(kind):
            return {"bool": NONE, "int": FLOAT, "complex": MIXED}.get(kind, t)
        case Array(kind) if kind in "fc":
            return t
        case Array(kind, _, ndim, scalar) if kind in "iu" and scalar is not None:
            return FLOAT if scalar else Array("f", "float64", ndim, False)
        case Deque() | Default():
            return UNKNOWN
        case List(item):
            return List(zeros_of(item))
        case Tuple(items, cls) if cls is tuple:
            return Tuple(tuple(map(zeros_of, items)))
        case Variadic(item):
            return variadic(zeros_of(item))
        case Keyed(_, entries):
            return keyed({name: zeros_of(entry) for name, entry in entries})
        case Dict(item):
            return Dict(zeros_of(item))
        case Record(cls, fields) if type(t) is Record and fields is not None and has_besides(cls) is False:
            return tangent_type({name: zeros_of(field) for name, field in fields})
        case Inert():
            return NONE
    return UNKNOWN


def tangent_type(fields: Mapping[str, Type]) -> Record:
    """The type of the tangent of a record, by the types of those of its fields."""
    return Record(Tangent, tuple(sorted(fields.items())))


gives(lambda given: zeros_of(given.types[0]), zeros_like)
gives(lambda given: zeros_of(given.types[4]) if is_number(given.types[4]) else UNKNOWN, along_partials)
gives(STR, intrinsics.format_value, intrinsics.fstring)
gives(BOOL, intrinsics.not_contains, intrinsics.is_sequence, intrinsics.is_mapping)
gives(BOOL, exceptions.matches, exceptions.swallows)
gives(INT, intrinsics.argmax, intrinsics.argmin)
gives(lambda given: INT if given.types[1] == INT else UNKNOWN, intrinsics.position, changes.insertion)
gives(INT, heaps.place_of, heaps.place_of_push, heaps.place_of_pop, ordered.place_of_push, ordered.place_of_pop)
gives(List(Tuple((INT, INT))), runs.runs_of)
gives(List(INT), heaps.order_of_heapify, heaps.order_of_sort, ordered.order_of_heapify)
gives(BOTTOM, intrinsics.raise_, exceptions.raise_again, exceptions.give_up)
gives(Inert(BaseException), exceptions.caught)
gives(lambda given: Inert(Exception) if given.types[0] == Inert(BaseException) else UNKNOWN, exceptions.opened)
gives(lambda given: Tuple(given.types), intrinsics.make_tuple)
gives(lambda given: List(join_all(given.types)), intrinsics.make_list)
gives(INT, counters.count_on)
gives(lambda given: List(List(element_of(element_of(given.types[0])))), intrinsics.columns)
gives(mapped, intrinsics.merge_dicts)
gives(_dict_made, intrinsics.make_dict)
gives(lambda given: Dict(element_of(given.types[1])), intrinsics.dict_from_items)
gives(_updated, changes.updated)
gives(_extended, changes.extended)
gives(_stored, changes.stored)
gives(lambda given: List(FLOAT if given.values[2] == 0.0 else UNKNOWN), dense_list)
gives(_cotangent, densify)
gives(of_store, set_item_back)
gives(of_second, unbroadcast)
