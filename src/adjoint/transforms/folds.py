"""Calls whose meaning specialisation knows: names, functions, tuples, items; `attributes` and `stores` have the others.

Each fold gets the resolver, the statement and its new arguments; it writes out what remains of the call and returns
the atoms of its outs, or None where the call is to be resolved like any other.
"""

from __future__ import annotations

import builtins
import copy
import functools
import importlib
import itertools
import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import changes, checks, intrinsics
from ..ir.made_classes import finished, plain_attribute
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import (
    INT,
    NONE,
    UNKNOWN,
    Array,
    Dict,
    Fn,
    Inert,
    Keyed,
    Known,
    List,
    Record,
    Scalar,
    Tuple,
    Type,
    Variadic,
)
from ..ir.unbound import read_name
from ..ops.arithmetic import element_of, is_number, join_all
from ..tangents import (
    add_at_location,
    add_in,
    locate,
    put_in,
    read_in,
    take_at_location,
    take_in,
)
from . import attempts, containers, cotangents, deciding, groups, partials, sorting, texts, thrown, virtual_sequences
from .attributes import Folded, fold_annotated, fold_attribute
from .cells import fold_cell, fold_delete_cell, fold_locate, fold_location, fold_slot
from .closures import fold_capture, fold_default, fold_function
from .components import fold_conjugate
from .cotangent_map import BACKWARDS
from .dicts import fold_keys
from .displays import (
    fold_dict,
    fold_dict_display,
    fold_extreme,
    fold_len,
    fold_listed,
    fold_sorted,
    fold_sum,
    fold_view,
    known_part,
    note_items,
)
from .effects import PLAIN
from .facts import Items, Path, Rows, Structural, is_active
from .global_counters import fold_next
from .global_names import fold_global, fold_store_global
from .imports import fold_import, fold_import_from
from .infer import certain, is_immutable, type_of
from .inner_classes import fold_plain
from .lookups import fold_contains, fold_get
from .mapping import fold_accumulate, fold_map, fold_reduce
from .objects import fold_length, fold_object_of
from .remembered import check_read
from .replacing import listed
from .rows import fold_listing, fold_made, fold_number, fold_read, part_of, read
from .snapshots import fold_present, fold_read_name, snapshot
from .sources import fold_enumerate, fold_iter, fold_pairwise, fold_reversed, fold_zip
from .stores import (
    fold_in_place,
    fold_in_place_again,
    fold_initialise,
    fold_set_attribute,
    fold_set_in_row,
    fold_set_item,
)
from .variadic import fold_tupled, is_of_values
from .virtual import fold_set_plainly, real

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


def fold_tuple(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    args = [real(r, a) for a in args]  # which may be of another type than what is its fields
    active = any(map(is_active, args))
    out = Var(s.out.name, Tuple(tuple(type_of(a) for a in args)), active)
    r.sp.facts[out] = Items(tuple(args))
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("tuple") if active else None))
    return [out]


def fold_list(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    if (own := groups.of_display(r, s, args) or virtual_sequences.of_list(r, s, args)) is not None:
        return [own]
    args = [real(r, a) for a in args]  # of a dict that is its items, the type
    out = Var(s.out.name, List(join_all([*map(type_of, args)])), active := any(map(is_active, args)))
    note_items(r, s, out, tuple(args))
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("list") if active else None))
    return [out]


def fold_item(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    container, index = args
    check_read(r, s, container, index)
    if container in r.sp.heap.groups:
        return [groups.item(r, s, container, index)]
    fact = r.sp.facts.get(container)
    place = index.value if isinstance(index, Const) and type(index.value) is int else None
    if (known := known_part(r, s, fact, container, index)) is not None:
        return [known]
    if not is_active(container) or is_active(index) and not isinstance(type_of(index), Scalar):
        return texts.fold_texts(r, s, args, kwargs)
    t = type_of(container)
    u = r.result(operator.getitem, args)
    within = part_of(r, fact, index) if isinstance(fact, Rows) else None
    if within is not None and not isinstance(within, tuple):
        return [read(r, s, args, within, u)]
    if isinstance(t, List) and isinstance(index, Const) and index.value == BACKWARDS:
        kind, u = "reversed", t
    elif isinstance(t, Tuple) and place is not None:
        kind = "part"
    elif isinstance(t, Keyed) and isinstance(index, Const) and index.value in [*dict(t.entries)]:
        kind = "key"
    elif isinstance(t, Array | Dict) or (isinstance(t, List) or is_of_values(t)) and _is_place(r, index):
        kind = "element"
    else:
        return None
    active = u.differentiable
    out = Var(s.out.name, u, active)
    index = snapshot(r, index, s)
    if kind == "element" and type(t) is List and r.grows and container not in r.given:
        index = index if _is_from_front(r, index) else r.emit_call(intrinsics.position, [container, index], s.span)
    if isinstance(u, Known) and kind == "part":
        return [Const(u.value)]
    if (
        isinstance(fact, Path)
        and kind == "part"
        and place is not None
        and place in range(-len(fact.example), len(fact.example))
    ):
        r.sp.facts[out] = Path(fact.param, (*fact.names, place), fact.example[place])
    if within is not None:
        r.sp.facts[out] = Rows(within)
    if container in r.given:
        r.given.add(out)
    r.append(Call((out,), s.fn, (container, index), (), s.span, Structural(kind) if active else None))
    return [out]


def fold_in_row(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`rows[i][j]`, in a program that is differentiated once more."""
    t = element_of(element_of(type_of(args[0])))
    active = is_active(args[0]) and t.differentiable
    return [r.emit(s, s.fn, args, [], Structural("in_row") if active else None, t, active)]


def fold_range(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """A `range` that begins at no negative number and goes up: its items are places from the front."""
    start, step = args[0] if len(args) > 1 else Const(0), args[2] if len(args) > 2 else Const(1)
    moves = any(is_active(a) and type_of(a) != INT for a in args)
    if not isinstance(start, Const) or not isinstance(step, Const) or moves or kwargs:
        return None
    if type(start.value) is not int or type(step.value) is not int or start.value < 0 or step.value < 1:
        return None
    out = r.emit(s, s.fn, args, [], None, Inert(range), False)
    r.counted.add(out)
    return [out]


def _is_place(r: Resolver, index: Atom) -> bool:
    """Tell whether an index surely says which items of a list it is of, now and when all is reversed."""
    return isinstance(type_of(index), Scalar) or type_of(index) == Inert(slice) and not r.grows and not r.resizes


def _is_from_front(r: Resolver, index: Atom) -> bool:
    return index in r.counted or isinstance(index, Const) and index.value >= 0


def fold_unpack(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    if not all(isinstance(a, Const) for a in args[1:]):
        return None
    value, before = args[0], args[1].value  # type: ignore[union-attr]
    t = type_of(value)
    fact = r.sp.facts.get(value)
    if len(s.outs) == 1:
        if isinstance(t, Tuple) and len(args) == 2 and len(t.items) == before:
            return [value]
        return None
    if len(args) == 2:
        if isinstance(fact, Items) and len(fact.atoms) == before:
            return list(fact.atoms)
        if isinstance(t, Tuple) and len(t.items) == before:
            return [r.item(value, i, s.span, out.name) for i, out in enumerate(s.outs)]
        if isinstance(t, Inert) and isinstance(value, Const):
            return None
    elif isinstance(fact, Items) and len(fact.atoms) >= before + (after := args[2].value):  # type: ignore[union-attr]
        n = len(fact.atoms) - after
        rest = listed(r, s, s.outs[before], fact.atoms[before:n])
        return [*fact.atoms[:before], rest, *fact.atoms[n:]]
    if not is_active(value):
        item = element_of(t)
        outs = [Var(o.name, List(item) if len(args) == 3 and i == before else item) for i, o in enumerate(s.outs)]
        r.append(Call(tuple(outs), s.fn, tuple(args), (), s.span))
        return list(outs)
    of_items = isinstance(t, (List, Variadic)) and r.generation.memory is None
    if of_items and len(args) == 2 and not r.generation.only_primal:
        r.append(Call((), Const(checks.check_unpacks), tuple(args), (), s.span))
        return [r.item(value, i, s.span, out.name) for i, out in enumerate(s.outs)]
    whole = Call((Var(""),), s.fn, s.args, (), s.span)
    packed = r.general(whole, s.fn, args, [])
    items = element_of(t)
    parts: list[Type] = [items] * len(s.outs)
    if len(args) == 3:
        parts[before] = List(items)
    packed = _retyped(r, packed, Tuple(tuple(parts)))
    return [r.item(packed, i, s.span, out.name) for i, out in enumerate(s.outs)]


def _retyped(r: Resolver, atom: Atom, t: Type) -> Atom:
    """The call just written, with a better type for its out."""
    last = r.sp.statements.pop()
    assert isinstance(last, Call) and isinstance(atom, Var)
    out = Var(atom.name, t, atom.active and t.differentiable)
    r.append(Call((out,), last.fn, last.args, last.kwargs, last.span, last.how))
    return out


def fold_same(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`is` and `is not` against None, where the type decides."""
    if all([a in r.sp.heap for a in args]):
        is_same = s.fn.value is operator.is_  # type: ignore[union-attr]
        return [groups.same(r, s, args[0], args[1], operator.eq if is_same else operator.ne, is_same)]  # type: ignore[arg-type]
    if all([isinstance(a, Const) and (a.value is None or type(a.value) is bool) for a in args]):
        return [Const((args[0].value is args[1].value) == (s.fn.value is operator.is_))]  # type: ignore[union-attr]
    if isinstance(args[1], Const) and args[1].value is None and isinstance(args[0], Var):
        none = (t := type_of(args[0])) == Inert(type(None))
        if none or isinstance(t, (Scalar, Array, List, Dict, Tuple, Variadic, Record, Fn)):
            return [Const(none == (s.fn.value is operator.is_))]  # type: ignore[union-attr]
    return None


def fold_not(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`not x` of what is surely None, or of which is known whether it counts as true."""
    known = False if type_of(args[0]) == NONE else certain(args[0])
    return None if known is None else [Const(not known)]


def fold_repeated(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`xs * n` of numbers in a list: nothing flows to how often they are repeated."""
    lists = [a for a in args if isinstance(type_of(a), List) and is_number(element_of(type_of(a)))]
    counts = [a for a in args if type_of(a) == INT]
    if len(lists) != 1 or len(counts) != 1 or not any(map(is_active, args)):
        return None
    how = Structural("repeated") if (active := is_active(lists[0])) else None
    return [r.emit(s, s.fn, args, [], how, r.result(operator.mul, args), active)]


def fold_settled(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """Containers are as they were; only of what is not known the items are taken at once."""
    return [args[0]] if isinstance(type_of(args[0]), (List, Tuple, Variadic, Array, Dict)) else None


def fold_entries(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """A dict is as it is, and so is what nothing flows through."""
    return [args[0]] if isinstance(type_of(args[0]), Dict) or not is_active(args[0]) else None


def fold_copy(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """A copy of an array, or of a list or a dict of what cannot change, has its cotangent."""
    t: Any = type_of(args[0]) if args else UNKNOWN
    again = s.fn.value is changes.copied  # type: ignore[union-attr]
    if len(args) != 1 and not again or kwargs or not is_active(args[0]):
        return None
    flat = type(t) in (List, Dict) and is_immutable(t.item)
    if not flat and not (isinstance(t, Array) and t.scalar is False):
        return None
    by_rows = [Const("C")] if s.fn.value is np.ndarray.copy and getattr(t, "ndim", 1) != 1 else []  # type: ignore[union-attr]
    out = Var(s.out.name, t, True)
    r.append(Call((out,), Const(changes.copied), (*args, *by_rows), (), s.span, Structural("same")))
    return [out]


def fold_finished(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """An object of a class made inside the function, once it has its fields: where it escapes later, it is made now."""
    heap, a = r.sp.heap, args[0]
    return [real(r, a) if a in heap and heap.sites[a][0] in (heap.real or ()) else a]  # type: ignore[index]


def _fold_len(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`len(x)` of a display, or of an object that says it."""
    return texts.fold_texts(r, s, args, kwargs) or fold_length(r, s, args, kwargs) or fold_len(r, s, args, kwargs)


FOLDS: dict[Any, Any] = {
    **partials.FOLDS,
    intrinsics.load_global: fold_global,
    intrinsics.present: fold_present,
    read_name: fold_read_name,
    intrinsics.read_from: fold_read,
    intrinsics.capture: fold_capture,
    intrinsics.default: fold_default,
    intrinsics.make_function: fold_function,
    intrinsics.annotated: fold_annotated,
    builtins.getattr: fold_attribute,
    object.__setattr__: fold_set_plainly,
    **attempts.FOLDS,
    **thrown.FOLDS,
    importlib.import_module: fold_import,
    intrinsics.import_from: fold_import_from,
    intrinsics.make_tuple: fold_tuple,
    intrinsics.make_list: fold_list,
    operator.getitem: fold_item,
    intrinsics.unpack: fold_unpack,
    intrinsics.settled: fold_settled,
    intrinsics.entries: fold_entries,
    operator.mul: fold_repeated,
    operator.is_: fold_same,
    operator.is_not: fold_same,
    operator.not_: fold_not,
    **deciding.FOLDS,
    **sorting.FOLDS,
    **dict.fromkeys(PLAIN, fold_in_place),
    changes.set_item: fold_set_item,
    changes.stored: fold_set_item,
    changes.stored_in_row: fold_set_in_row,
    intrinsics.item_in_row: fold_in_row,
    changes.stored_unseen: fold_set_item,
    changes.in_place: fold_in_place_again,
    changes.set_attribute: fold_set_attribute,
    changes.store_global: fold_store_global,
    changes.hold_field: fold_set_attribute,
    changes.initialise: fold_initialise,
    changes.object_of: fold_object_of,
    builtins.next: fold_next,
    plain_attribute: fold_plain,
    finished: fold_finished,
    intrinsics.make_cell: fold_cell,
    intrinsics.capture_cell: fold_cell,
    intrinsics.load_cell: fold_cell,
    intrinsics.delete_cell: fold_delete_cell,
    intrinsics.store_cell: fold_cell,
    add_at_location: fold_location,
    take_at_location: fold_location,
    locate: fold_locate,
    **dict.fromkeys((add_in, take_in, read_in, put_in), fold_slot),
    **dict.fromkeys((np.array, np.asarray), fold_made),
    np.ndarray.item: fold_number,
    np.ndarray.tolist: fold_listing,
    np.ndarray.copy: fold_copy,
    np.copy: fold_copy,
    **dict.fromkeys((list.copy, copy.copy, copy.deepcopy), fold_copy),
    changes.copied: fold_copy,
    complex.conjugate: fold_conjugate,
    intrinsics.captured: fold_capture,
    intrinsics.make_dict: fold_dict_display,
    builtins.dict: fold_dict,
    dict.values: fold_view("values"),
    dict.items: fold_view("items"),
    dict.keys: fold_view("keys"),
    dict.get: fold_get,
    **dict.fromkeys((operator.contains, intrinsics.not_contains), fold_contains),
    builtins.sum: fold_sum,
    math.fsum: fold_sum,
    builtins.sorted: fold_keys(fold_sorted),
    builtins.len: _fold_len,
    builtins.max: fold_extreme,
    builtins.min: fold_extreme,
    builtins.list: fold_keys(fold_listed),
    builtins.tuple: fold_tupled,
    builtins.map: fold_map,
    functools.reduce: fold_reduce,
    itertools.accumulate: fold_accumulate,
    itertools.pairwise: fold_pairwise,
    builtins.range: fold_range,
    builtins.zip: fold_zip,
    builtins.enumerate: fold_enumerate,
    builtins.reversed: fold_reversed,
    builtins.iter: fold_iter,
    **containers.FOLDS,
    **cotangents.FOLDS,
}
