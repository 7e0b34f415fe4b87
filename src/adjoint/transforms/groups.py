"""Lists of objects that a program makes for itself and changes: a list of each field.

A list whose items are virtual objects of one class, each made for it, is a virtual object as well: its fields are
lists, one for each field of the items. An item is a place in them: to read a field of it is to read an item of a list,
to store into one is to store there. Items never change places: whatever would move them, or show the list to others,
makes it a list of objects from the start.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Block, Call, Const, Span, Var
from ..ir.types import INT, List, Record
from .facts import Structural
from .heap import VERSION, Heap
from .infer import is_immutable, type_of
from .uses import is_call_of

if TYPE_CHECKING:
    from .resolve import Resolver
    from .specialise import Specialiser


@dataclass(frozen=True)
class Item:
    """The object at a place of a list of objects."""

    group: Var
    place: Atom


Form = tuple[type, tuple[str, ...]]
"""The class of objects, and the names of their fields."""


OF_ITEMS: Form = (object, ())
"""In place of a form: a list that is its items, which `virtual_sequences` says."""


def form_of(sp: Specialiser, a: Any) -> Form | None:
    """The form of a virtual object that can be an item: it has been made in this block, and its fields hold what cannot
    change."""
    heap: Heap = sp.heap
    if not heap.is_from(a, sp.here) or a in heap.items or not isinstance(a.type, Record) or a not in heap.objects:
        return None
    fields = heap.objects[a]
    flat = all([value not in heap and is_immutable(type_of(value)) for value in fields.values()])
    return (a.type.cls, tuple(fields)) if fields and flat else None


def group(sp: Specialiser, site: Var, form: Form, columns: Sequence[Atom]) -> Var:
    """A list of objects, by the list of each field."""
    cls, names = form
    heap: Heap = sp.heap
    own = Var(site.name, List(Record(cls)), True)
    heap.made(own, site, sp.here)
    for name, column in zip(names, columns, strict=True):
        heap.track(column, own)  # type: ignore[arg-type]
        heap.set(own, name, column)
    heap.groups[own] = form
    sp.context.caller.is_virtual = True
    return own


def of_display(r: Resolver, s: Call, objects: Sequence[Any]) -> Var | None:
    """`[A(...), A(...)]` of virtual objects; None of any other display."""
    heap: Heap = r.sp.heap
    if heap.real is None or s.out in heap.real or r.context.groups.get(s.out) == OF_ITEMS:
        return None
    forms = {form_of(r.sp, a) for a in objects}
    if len(forms) != 1 or len({*objects}) < len(objects):
        return None
    (form,) = forms
    if form is None:
        return None
    columns = [
        r.emit_call(intrinsics.make_list, [heap.get(a, name) for a in objects], s.span, name) for name in form[1]
    ]
    own = group(r.sp, s.out, form, columns)
    for i, a in enumerate(objects):
        become_item(heap, a, own, Const(i))
    return own


def become_item(heap: Heap, a: Var, own: Var, place: Atom) -> None:
    """Let an object be the item that it has become, under all of its names."""
    heap.items = {**heap.items, a: Item(own, place)}
    heap.objects = {b: fields for b, fields in heap.objects.items() if b is not a}


def of_rounds(
    sp: Specialiser, block: Block, n: int, outs: Sequence[Var], kept: set[Any]
) -> tuple[dict[int, Form], list[Atom]]:
    """Results of the rounds of a loop, the first `n` of which it carries, those that are `kept` as virtual objects;
    where a round collects an object, its fields. Tells of which results that is so."""
    forms: dict[int, Form] = {}
    results: list[Atom] = []
    collected = {r for r, out in zip(block.results[n:], outs[n:], strict=True) if _may_be(sp, r, out)}
    given = sp.results(block, kept | collected)
    for i, a in enumerate(given):
        if i >= n and a in sp.heap and (form := form_of(sp, a)) is not None:
            forms[i] = form
            results += [sp.heap.get(a, name) for name in form[1]]  # type: ignore[arg-type]
        else:
            results.append(a)
    return forms, results


def _may_be(sp: Specialiser, r: Any, out: Var) -> bool:
    """Tell whether what a round collects is an object of its own."""
    return sp.heap.real is not None and out not in sp.heap.real and form_of(sp, sp.env.get(r)) is not None


def item(r: Resolver, s: Call, own: Var, index: Atom) -> Var:
    """`objects[i]`."""
    heap: Heap = r.sp.heap
    if type_of(index) != INT:
        raise heap.escape(own)
    if not (index in r.counted or isinstance(index, Const) and index.value >= 0):
        index = r.emit_call(intrinsics.position, [first(heap, own), index], s.span)
    r.emit_call(operator.getitem, [first(heap, own), index], s.span)  # there may be none
    return at(heap, own, index, s.out.name)


def at(heap: Heap, own: Var, place: Atom, name: str) -> Var:
    """The item at a place."""
    found = Var(name, Record(heap.groups[own][0]), True)
    heap.sites[found] = heap.sites[own]
    heap.items = {**heap.items, found: Item(own, place)}
    return found


def members(r: Resolver, own: Any) -> list[Atom] | None:
    """The objects of a list whose places are all known; None of anything else."""
    heap: Heap = r.sp.heap
    if own not in heap.groups or own not in heap:
        return None
    display = r.made.get(first(heap, own))
    if not is_call_of(display, (intrinsics.make_list,)) or not any([s is display for s in r.sp.statements]):
        return None
    found = {
        item.place.value: a for a, item in heap.items.items() if item.group is own and isinstance(item.place, Const)
    }
    n = len(display.args)  # type: ignore[union-attr]
    return [found[i] for i in range(n)] if found.keys() >= {*range(n)} else None


def first(heap: Heap, own: Var) -> Atom:
    """One of the lists, for their length."""
    return heap.get(own, heap.groups[own][1][0])


def store(r: Resolver, a: Var, name: str, value: Atom, span: Span | None) -> None:
    """Store into a field of an item."""
    heap: Heap = r.sp.heap
    own, place = heap.items[a].group, heap.items[a].place
    if name not in heap.objects[own] or value in heap or not is_immutable(type_of(value)):
        raise heap.escape(a)
    column = heap.get(own, name)
    stored = Call((Var(name),), Const(changes.set_item), (), (), span)
    heap.set(heap.objects[own][name], VERSION, r.call(stored, stored.fn, [column, place, value], [])[0])


def append(r: Resolver, s: Call, own: Var, a: Atom, span: Span | None) -> None:
    """`objects.append(A(...))`."""
    heap: Heap = r.sp.heap
    if form_of(r.sp, a) != heap.groups[own] or own in (*r.sp.iterated, *r.sp.pinned):
        if a in heap and heap.is_from(own, r.sp.here) and heap.sites[own][0] not in (heap.real or ()):
            r.context.begin([heap.sites[own][0]], OF_ITEMS, anew=True)
        raise heap.escape(own)
    place = _appended_at_once(r, own, a, span)
    if place is None:
        r.sp.appended.add(own)
        place = r.emit_call(len, [first(heap, own)], span)
        for name in heap.groups[own][1]:
            append_to(r, own, name, heap.get(a, name), span)  # type: ignore[arg-type]
    become_item(heap, a, own, place)  # type: ignore[arg-type]


def _appended_at_once(r: Resolver, own: Var, a: Any, span: Span | None) -> Atom | None:
    """Append to a list that the same block has made, as a longer display; tells the place."""
    heap: Heap = r.sp.heap
    names = heap.groups[own][1]
    displays: Any = [r.made.get(heap.get(own, name)) for name in names]
    if not all(
        [is_call_of(s, (intrinsics.make_list,)) and any([s is made for made in r.sp.statements]) for s in displays]
    ):
        return None
    for name, made in zip(names, displays, strict=True):
        longer = r.emit_call(intrinsics.make_list, [*made.args, heap.get(a, name)], span, name)
        heap.set(heap.objects[own][name], VERSION, longer)
    return Const(len(displays[0].args))


def append_to(r: Resolver, own: Var, name: str, value: Atom, span: Span | None = None) -> None:
    """Append to a list that a virtual object has as a field."""
    heap: Heap = r.sp.heap
    longer = Call((Var(name),), Const(changes.list_append), (), (), span)
    version = r.call(longer, longer.fn, [heap.get(own, name), value], [])[0]
    heap.set(heap.objects[own][name], VERSION, version)


def settle(sp: Specialiser, own: Var) -> None:
    """Go on with copies of lists that a loop has let grow: these do not, and their items are replaced in place."""
    heap: Heap = sp.heap
    for name in heap.groups[own][1]:
        column: Any = heap.get(own, name)
        copy = Var(name, column.type, column.active)
        how = Structural("same") if column.active else None
        sp.statements.append(Call((copy,), Const(changes.copied), (column,), (), None, how))
        heap.set(heap.objects[own][name], VERSION, copy)


def same(r: Resolver, s: Call, a: Var, b: Var, fn: Any, other: Any) -> Atom:
    """Tell whether two virtual objects are one: for items, whether their places are."""
    heap: Heap = r.sp.heap
    heap.check_own(a, b)
    one, two = heap.items.get(a), heap.items.get(b)
    if one is not None and two is not None and one.group is two.group and a is not b:
        return r.emit_call(fn, [one.place, two.place], s.span, s.out.name)
    return Const((a is b) == other)
