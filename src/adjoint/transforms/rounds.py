"""The rounds of loops that are written out, and what the element of each is: a few records or other items of a display,
each of a type of its own, the keys of a dict that are known, and what is in virtual lists and tuples."""

from __future__ import annotations

import builtins
import operator
import types
from collections.abc import Callable, Collection, Sized
from typing import TYPE_CHECKING, Any

from ..ir import changes, checks, intrinsics
from ..ir.nodes import Atom, Call, Const, Loop, Span, Star, Statement, Var
from ..ir.types import Array, Fn, Keyed, Known, List, Located, Record, Tuple, Type, Unknown, Variadic
from ..ops.arithmetic import join_all
from ..origin import is_read_class
from .facts import Items, Path, RunThrough, Source
from .few import of_few
from .infer import type_of
from .located_keys import known_keys
from .objects_at import rows_in
from .options import texts_in
from .texts import FOLDS
from .uses import calls_of, is_call_of
from .virtual_sequences import items_at

if TYPE_CHECKING:
    from .resolve import Resolver
    from .specialise import Specialiser

MAX_UNROLLED = 8
MAX_WRITTEN = 300
"""Calls of all rounds over keys."""
MAX_OBJECTS = 24
MAX_OF_OBJECTS = 1200
"""Rounds over objects, and calls in these and in those of the loops around that are written out as well."""
VIEWS = ("keys", "values", "items")

Rounds = list[Callable[[], Atom]]
"""What gives the element of each round, at its time."""


def rounds_of(sp: Specialiser, s: Loop, sequence: Any) -> Rounds | None:
    """The rounds of a loop over a sequence, if they are to be written out."""
    if s.cond is not None:
        return None
    found = _of_virtual(sp, s, sequence) or of_few(sp, s, sequence)
    if found is not None or s.exit_flag is not None:
        return found
    for find in (_of_records, _of_keys, _of_names, _of_display, _of_objects, _of_functions, _of_tuples):
        if (found := find(sp, s, sequence)) is not None:
            return found
    return None


def virtual_parts(sp: Specialiser, sequence: Any) -> tuple[Any, ...]:
    """The virtual lists and tuples that a loop runs through."""
    fact = sp.facts.get(sequence)
    parts = fact.atoms if isinstance(fact, Source) and fact.kind == "zip" else (sequence,)
    return tuple([a for a in parts if items_at(sp.resolver, a) is not None])


def _of_virtual(sp: Specialiser, s: Loop, sequence: Any) -> Rounds | None:
    """The items of virtual lists and tuples, alone or beside others that are known; the places in one."""
    r, fact = sp.resolver, sp.facts.get(sequence)
    virtual, size = virtual_parts(sp, sequence), len([*calls_of(s.body.statements)])
    if s.exit_flag is not None and (r.stores_items or not virtual):
        return None
    if not virtual:
        return _of_places(sp, s, sequence, size)
    if isinstance(fact, Source):
        columns = [_known(sp, a) for a in fact.atoms]
        n = min([len(c) for c in columns if c is not None])
        if None in columns or not _is_short(range(n), size, sp):
            return None
        return [lambda i=i: _row(sp, s, fact.atoms, i) for i in range(n)]  # type: ignore[misc]
    n = len(items_at(r, sequence) or ())
    return [lambda i=i: _item(r, sequence, i) for i in range(n)] if _is_short(range(n), size, sp) else None  # type: ignore[misc]


def _item(r: Resolver, sequence: Any, i: int) -> Atom:
    items = items_at(r, sequence)
    assert items is not None
    return items[i]


def _of_places(sp: Specialiser, s: Loop, sequence: Any, size: int) -> Rounds | None:
    """The numbers of a range, where they are places in a virtual list."""
    numbers, place = _numbers(sp.resolver, sequence), s.body.params[-1]
    if numbers is None or not _is_short(numbers, size, sp):
        return None
    reads = [c for c in calls_of(s.body.statements) if is_call_of(c, (operator.getitem, changes.set_item))]
    held = {c.out: c.args for c in calls_of(s.body.statements) if is_call_of(c, (builtins.getattr,))}
    if not any([c.args[1] is place and _is_virtual(sp, c.args[0], held) for c in reads]):
        return None
    return [lambda i=i: Const(i) for i in numbers]  # type: ignore[misc]


def _is_virtual(sp: Specialiser, v: Any, held: dict[Any, Any]) -> bool:
    """Tell whether a variable of the body is a virtual list, or the field of a virtual object that is one."""
    if v not in held:
        return items_at(sp.resolver, sp.env.get(v)) is not None
    base, name = held[v]
    owner: Any = sp.env.get(base)
    if not isinstance(name, Const) or not sp.heap.is_object(owner) or name.value not in sp.heap.objects.get(owner, ()):
        return False
    return items_at(sp.resolver, sp.heap.get(owner, name.value)) is not None


def _known(sp: Specialiser, sequence: Any) -> Sized | None:
    """The items that are known of a sequence."""
    if (items := items_at(sp.resolver, sequence)) is not None:
        return items
    fact = sp.facts.get(sequence)
    return fact.atoms if isinstance(fact, Items) else _numbers(sp.resolver, sequence)


def _numbers(r: Resolver, sequence: Any) -> range | None:
    """A range of numbers that are known."""
    made = r.made.get(sequence)
    if not is_call_of(made, (range,)) or made.kwargs:  # type: ignore[union-attr]
        return None
    given: list[Any] = [a.value if isinstance(a, Const) else None for a in made.args]  # type: ignore[union-attr]
    if not given or len(given) > 3 or not all([type(i) is int for i in given]) or given[2:] == [0]:
        return None
    return range(*given)


def _row(sp: Specialiser, s: Loop, parts: tuple[Atom, ...], i: int) -> Atom:
    """The tuple that `zip` gives in a round."""
    row = [_known(sp, a)[i] for a in parts]  # type: ignore[index]
    row = [Const(a) if isinstance(a, int) else a for a in row]
    return sp.resolver.emit_call(intrinsics.make_tuple, row, s.span, s.body.params[-1].name)


def _of_records(sp: Specialiser, s: Loop, sequence: Any) -> Rounds | None:
    """The items of a tuple of records."""
    if not isinstance(sequence, Var) or not isinstance(sequence.type, Tuple):
        return None
    items = sequence.type.items
    if not any(isinstance(t, Record) for t in items) or len(items) > MAX_UNROLLED:
        return None
    if not isinstance(sp.facts.get(sequence), Path):
        return None
    name = s.body.params[-1].name
    return [lambda i=i: sp.resolver.item(sequence, i, s.span, name) for i in range(len(items))]  # type: ignore[misc]


def _of_keys(sp: Specialiser, s: Loop, sequence: Any) -> Rounds | None:
    """The keys, values or items of a dict with known keys; texts of a display, where they are keys."""
    r, fact = sp.resolver, sp.facts.get(sequence)
    if r.context.plain or r.generation.only_primal:
        return None
    part, d = part_of(fact, sequence)
    keys = keys_of(r, d)
    if keys is None and isinstance(fact, Items) and _are_keys(s, fact.atoms):
        keys = [a.value for a in fact.atoms]  # type: ignore[union-attr]
    if keys is None or len(keys) > MAX_UNROLLED:
        return None
    if len([*calls_of(s.body.statements)]) * len(keys) > MAX_WRITTEN:
        return None
    return [lambda key=key: _element(r, s, d, part, key) for key in keys]  # type: ignore[misc]


def _of_display(sp: Specialiser, s: Loop, sequence: Any) -> Rounds | None:
    """The items of a display that have no type in common: functions, or tuples of several lengths."""
    r, fact = sp.resolver, sp.facts.get(sequence)
    size = len([*calls_of(s.body.statements)])
    if not isinstance(fact, Items) or r.context.plain or r.generation.only_primal or sequence in sp.heap:
        return None
    types = [type_of(a) for a in fact.atoms]
    if len(types) < 2 or not _is_short(types, size) or all(map(_is_vague, types)) or not _is_vague(join_all(types)):
        return None
    return [lambda a=a: a for a in fact.atoms]  # type: ignore[misc]


def _of_objects(sp: Specialiser, s: Loop, sequence: Any) -> Rounds | None:
    """The objects in a list that is an argument, or found from one or from a global name on."""
    r, fact = sp.resolver, sp.facts.get(sequence)
    n, size = len(rows_in(r, sequence, fact)), len([*calls_of(s.body.statements)])
    if not 0 < n <= MAX_UNROLLED or size * n > MAX_WRITTEN:
        return None
    r.context.rely(fact.param, fact.names, range(n, n + 1))  # type: ignore[union-attr]
    name = s.body.params[-1].name
    return [lambda i=i: r.emit_call(operator.getitem, [sequence, Const(i)], s.span, name) for i in range(n)]  # type: ignore[misc]


def _of_names(sp: Specialiser, s: Loop, sequence: Any) -> Rounds | None:
    """Texts that are keys or names of fields, each with what `zip` gives beside it."""
    r, fact = sp.resolver, sp.facts.get(sequence)
    if r.context.plain or r.generation.only_primal or not isinstance(fact, Source) or fact.kind != "zip":
        return None
    places = [i for i, a in enumerate(fact.atoms) if texts_in(r, a) is not None]
    if not places or not _take_names(sp, s, places):
        return None
    columns = [items_of(r, a, s.span) for a in fact.atoms]
    n = min([len(column) for column in columns if column is not None])
    if n > MAX_OBJECTS or len([*calls_of(s.body.statements)]) * n > MAX_WRITTEN:
        return None
    if not all([column is not None or _is_list(r, a) for a, column in zip(fact.atoms, columns, strict=True)]):
        return None
    rows: list[list[Atom]] = []

    def row(i: int) -> Atom:
        if not i:
            found = [beside(r, n, a, s.span) or [] for a in fact.atoms]
            rows[:] = [[*items] for items in zip(*found, strict=True)]
        return r.emit_call(intrinsics.make_tuple, rows[i], s.span, s.body.params[-1].name)

    return [lambda i=i: row(i) for i in range(n)]  # type: ignore[misc]


def beside(r: Resolver, n: int, a: Atom, span: Any) -> list[Atom] | None:
    """The first `n` items of a sequence, or as many as are known of it; of a list or an array it is asked whether there
    are so many. None of anything else."""
    if (items := items_of(r, a, span)) is not None:
        return [item() for item in items[:n]]
    if not _is_list(r, a):
        return None
    short = r.emit_call(operator.sub, [r.emit_call(len, [a], span), Const(n)], span)
    r.append(Call((), Const(intrinsics.check), (short, Const(checks.check_enough)), (), span))
    return [r.emit_call(operator.getitem, [a, Const(i)], span) for i in range(n)]


def named_pairs(r: Resolver, names: Atom, values: Atom, span: Any) -> list[Atom] | None:
    """Texts that are known, each followed by what is beside it in a sequence; None of anything else."""
    texts = None if r.context.plain or r.generation.only_primal else texts_in(r, names)
    found = None if texts is None else beside(r, len(texts), values, span)
    if texts is None or found is None:
        return None
    return [a for pair in zip(map(Const, texts), found, strict=False) for a in pair]


def _is_list(r: Resolver, a: Atom) -> bool:
    """Tell whether something is a list or an array with items, to which nothing is added meanwhile."""
    t = type_of(a)
    t = t.of if isinstance(t, Located) else t
    return isinstance(t, Array) and bool(t.ndim) or type(t) is List and a not in r.unsteady and not r.grows


def _take_names(sp: Specialiser, s: Loop, places: Collection[int]) -> bool:
    """Tell whether a loop uses what stands at some places of its rows as keys, or makes a dict of it."""
    row, names = s.body.params[-1], set[Any]()
    for c in calls_of(s.body.statements):
        if is_call_of(c, (intrinsics.unpack,)) and c.args[0] is row:
            names |= {c.outs[i] for i in places if i < len(c.outs)}
        if is_call_of(c, (operator.getitem,)) and c.args[0] is row and getattr(c.args[1], "value", None) in places:
            names.add(c.out)
    uses = sp.resolver.uses.displays.uses
    collected = [out for out, v in zip(s.outs[s.carried :], s.body.results[s.carried :], strict=True) if v in names]
    made = [is_call_of(use, (intrinsics.dict_from_items,)) for out in collected for use in uses.get(out, ())]
    return are_used_as_keys(s, names) or bool(made) and all(made)


def _of_functions(sp: Specialiser, s: Loop, sequence: Any) -> Rounds | None:
    """The items of a tuple of functions."""
    r, t, size = sp.resolver, type_of(sequence), len([*calls_of(s.body.statements)])
    if not isinstance(t, Tuple) or r.context.plain or r.generation.only_primal:
        return None
    if t.items and not _is_short(t.items, size) or not all([isinstance(item, (Fn, Known)) for item in t.items]):
        return None
    return [lambda i=i: function_at(r, sequence, i, s.span) for i in range(len(t.items))]  # type: ignore[misc]


def function_at(r: Resolver, functions: Any, i: int, span: Span | None) -> Atom:
    """A function in a tuple of functions."""
    t = type_of(functions).items[i]  # type: ignore[attr-defined]
    return Const(t.value) if isinstance(t, Known) else r.item(functions, i, span)


def _of_tuples(sp: Specialiser, s: Loop, sequence: Any) -> Rounds | None:
    """The items of tuples of known length, of which the loop makes another one."""
    r = sp.resolver
    if r.context.plain or r.generation.only_primal or not are_packed(sp, s) or sequence in sp.heap:
        return None
    fact, name = sp.facts.get(sequence), s.body.params[-1].name
    zipped = isinstance(fact, Source) and fact.kind == "zip"
    parts = [items_of(r, a, s.span) for a in (fact.atoms if zipped else (sequence,))]  # type: ignore[union-attr]
    known = [part for part in parts if part is not None]
    n = min(map(len, known), default=0)
    if len(known) < len(parts) or n > MAX_UNROLLED or len([*calls_of(s.body.statements)]) * n > MAX_WRITTEN:
        return None
    if not zipped:
        return known[0]
    rows = zip(*known, strict=False)
    return [lambda row=row: r.emit_call(intrinsics.make_tuple, [item() for item in row], s.span, name) for row in rows]  # type: ignore[misc]


def items_of(r: Resolver, a: Atom, span: Any) -> Rounds | None:
    """The functions that give each item of a tuple, a display or a range of known length; None of anything else."""
    fact, t = r.sp.facts.get(a), type_of(a)
    if isinstance(fact, Items):
        return [lambda item=item: item for item in fact.atoms]  # type: ignore[misc]
    if (texts := texts_in(r, a)) is not None:
        return [lambda text=text: Const(text) for text in texts]  # type: ignore[misc]
    if isinstance(t, Tuple):
        return [lambda i=i: r.item(a, i, span) for i in range(len(t.items))]  # type: ignore[misc]
    numbers = _numbers(r, a)
    if numbers is None or len(numbers) > MAX_UNROLLED:
        return None
    return [lambda i=i: Const(i) for i in numbers]  # type: ignore[misc]


def are_packed(sp: Specialiser, s: Loop) -> bool:
    """Tell whether all that a loop collects is made into tuples, or fills what a function of the user's packs."""
    lists, uses = s.outs[s.carried :], sp.resolver.uses.displays.uses
    of_tuple = [out in sp.packed or uses.get(out) and all([_packs(sp, use, out) for use in uses[out]]) for out in lists]
    return bool(lists) and all(of_tuple)


def _packs(sp: Specialiser, s: Statement | None, v: Var) -> bool:
    if not isinstance(s, Call):
        return False
    function = sp.resolver.uses.displays.functions.get(s.fn)
    if function is tuple and s.args == (v,) and not s.kwargs:
        return True
    of_users = isinstance(function, types.FunctionType) or isinstance(function, type) and is_read_class(function)
    return of_users and any([isinstance(a, Star) and a.value is v for a in s.args])


def _is_short(items: Sized, size: int, sp: Specialiser | None = None) -> bool:
    """Tell whether there are few items for a body of so many calls; where `sp` is given, of objects."""
    n = len(items)
    if sp is not None:
        return 0 < n <= MAX_OBJECTS and size * n * sp.unrolled <= MAX_OF_OBJECTS
    return 0 < n <= MAX_UNROLLED and size * n <= MAX_WRITTEN


def _is_vague(t: Type) -> bool:
    """Tell whether only the run shows what a value of a type is, or something in it."""
    return isinstance(t, (Unknown, Variadic)) or isinstance(t, Tuple) and any(map(_is_vague, t.items))


def part_of(fact: Any, sequence: Any) -> tuple[str, Any]:
    """The part of a dict that a loop runs through, and the dict, if it is one."""
    if isinstance(fact, Source) and fact.kind in VIEWS:
        return fact.kind, fact.atoms[0]
    if isinstance(fact, RunThrough) and fact.part in VIEWS:
        return fact.part, fact.target
    return "keys", sequence


def keys_of(r: Resolver, d: Any) -> list[str] | None:
    """The keys of a dict, in order, if they are known."""
    if d in r.sp.heap.dicts and d in r.sp.heap:
        return [*r.sp.heap.names(d)]
    t = type_of(d)
    if isinstance(t, Located):
        return known_keys(r.generation.memory, t)
    return [key for key, _ in t.entries] if isinstance(t, Keyed) else None


def _are_keys(s: Loop, atoms: tuple[Atom, ...]) -> bool:
    """Tell whether a loop uses texts to read or store items by them, or fields."""
    if not atoms or not all([isinstance(a, Const) and type(a.value) is str for a in atoms]):
        return False
    return are_used_as_keys(s, {s.body.params[-1]})


def are_used_as_keys(s: Loop, keys: Collection[Any]) -> bool:
    """Tell whether the body of a loop reads or stores items by some variables, or fields."""
    by_key = (operator.getitem, changes.set_item, changes.delete_item)
    calls, keys = [*calls_of(s.body.statements)], {*keys}
    for c in calls:  # texts that are made of them
        if is_call_of(c, (*FOLDS,)) and not keys.isdisjoint(c.args):
            keys.add(c.out)
    named = [c for c in calls if is_call_of(c, (intrinsics.load_global,))]
    readers = [c.out for c in named if getattr(c.args[1], "value", None) == "getattr"]
    return any(
        (is_call_of(c, by_key) or c.fn in readers)
        and any([a in keys for a in c.args[1:2]])
        or is_call_of(c, (changes.call_with,))
        and any([a in keys for a in c.args[2:3]])
        for c in calls
    )


def _element(r: Resolver, s: Loop, d: Atom, part: str, key: str) -> Atom:
    name = s.body.params[-1].name
    if part == "keys":
        return Const(key)
    value = r.emit_call(operator.getitem, [d, Const(key)], s.span, name if part == "values" else "")
    return value if part == "values" else r.emit_call(intrinsics.make_tuple, [Const(key), value], s.span, name)
