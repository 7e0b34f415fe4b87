"""Loops written out round by round: over a few records or other items of a display, each of a type of its own, and over
the keys of dicts that are known, so that each item is read and stored under a key that is known. So are those over
tuples of known length of which another tuple is made: its length is known then, too."""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..ir import changes, intrinsics
from ..ir import located as ops
from ..ir.nodes import Atom, Call, Const, Loop, Star, Statement, Var
from ..ir.types import Dict, Keyed, Located, Record, Tuple, Type, Unknown, Variadic
from ..ops.arithmetic import join_all
from ..origin import is_read_class
from .facts import Callee, Items, Path, RunThrough, Source
from .infer import type_of
from .located_keys import known_keys
from .locating import held, is_located
from .memory import takes_references
from .objects_at import classes_in
from .uses import calls_of, is_call_of
from .virtual import real

if TYPE_CHECKING:
    from .resolve import Resolver
    from .specialise import Specialiser

MAX_UNROLLED = 8
MAX_WRITTEN = 300
"""Calls of all rounds over keys."""
VIEWS = ("keys", "values", "items")

Rounds = list[Callable[[], Atom]]
"""What gives the element of each round, at its time."""


def unrolled(sp: Specialiser, s: Loop) -> bool:
    """Write a loop out, if it is one of these; tells whether it is."""
    if len(s.sequences) != 1:
        return False
    sequence, rounds = sp.atom(s.sequences[0]), None
    if isinstance(fact := sp.facts.get(sequence), Source) and fact.kind == "iter":
        sequence = fact.atoms[0]
    if s.exit_flag is None and s.cond is None:
        rounds = _of_records(sp, s, sequence) or _of_keys(sp, s, sequence) or _of_display(sp, s, sequence)
        rounds = rounds or _of_objects(sp, s, sequence) or _of_tuples(sp, s, sequence)
    if rounds is None:
        _show(sp, s, sequence)
        return False
    start, heap, pending = len(sp.statements), sp.heap.state, {**sp.resolver.pending}
    if _written_out(sp, s, rounds, _dict_of(sp, sequence)):
        sp.resolver.pending.pop(sequence, None)  # type: ignore[arg-type]
        return True
    del sp.statements[start:]
    sp.heap.state = heap
    sp.resolver.pending.clear()
    sp.resolver.pending.update(pending)
    _show(sp, s, sequence)
    return False


def _dict_of(sp: Specialiser, sequence: Any) -> Any:
    """The dict whose keys, values or items a loop runs through; None of anything else."""
    fact = sp.facts.get(sequence)
    d = _part_of(fact, sequence)[1]
    return d if keys_of(sp.resolver, d) is not None else None


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
    part, d = _part_of(fact, sequence)
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
    if not isinstance(fact, Items) or r.context.plain or r.generation.only_primal or sequence in sp.heap:
        return None
    types, size = [type_of(a) for a in fact.atoms], len([*calls_of(s.body.statements)])
    if not 1 < len(types) <= MAX_UNROLLED or size * len(types) > MAX_WRITTEN:
        return None
    if all(map(_is_vague, types)) or not _is_vague(join_all(types)):
        return None
    return [lambda a=a: a for a in fact.atoms]  # type: ignore[misc]


def _of_objects(sp: Specialiser, s: Loop, sequence: Any) -> Rounds | None:
    """The objects in a list that is an argument, or found from one or from a global name on."""
    r, fact = sp.resolver, sp.facts.get(sequence)
    n, size = len(classes_in(r, sequence, fact)), len([*calls_of(s.body.statements)])
    if not 0 < n <= MAX_UNROLLED or size * n > MAX_WRITTEN:
        return None
    r.context.rely(fact.param, fact.names, range(n, n + 1))  # type: ignore[union-attr]
    name = s.body.params[-1].name
    return [lambda i=i: r.emit_call(operator.getitem, [sequence, Const(i)], s.span, name) for i in range(n)]  # type: ignore[misc]


def _of_tuples(sp: Specialiser, s: Loop, sequence: Any) -> Rounds | None:
    """The items of tuples of known length, of which the loop makes another one."""
    r = sp.resolver
    if r.context.plain or r.generation.only_primal or not _are_packed(sp, s) or sequence in sp.heap:
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
    """What gives each item of a tuple, a display or a range of known length; None of anything else."""
    fact, t, made = r.sp.facts.get(a), type_of(a), r.made.get(a)
    if isinstance(fact, Items):
        return [lambda item=item: item for item in fact.atoms]  # type: ignore[misc]
    if isinstance(t, Tuple):
        return [lambda i=i: r.item(a, i, span) for i in range(len(t.items))]  # type: ignore[misc]
    ends: Any = [getattr(x, "value", None) for x in made.args] if is_call_of(made, (range,)) else []  # type: ignore[union-attr]
    if ends and all([type(x) is int for x in ends]) and 0 not in ends[2:]:
        return [lambda i=i: Const(i) for i in range(*ends)] if len(range(*ends)) <= MAX_UNROLLED else None  # type: ignore[misc]
    return None


def _are_packed(sp: Specialiser, s: Loop) -> bool:
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


def _is_vague(t: Type) -> bool:
    """Tell whether only the run shows what a value of a type is, or something in it."""
    return isinstance(t, (Unknown, Variadic)) or isinstance(t, Tuple) and any(map(_is_vague, t.items))


def _part_of(fact: Any, sequence: Any) -> tuple[str, Any]:
    """What of which dict a loop runs through, if it is one."""
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
    by_key = (operator.getitem, changes.set_item, changes.delete_item)
    calls, key = [*calls_of(s.body.statements)], s.body.params[-1]
    named = [c for c in calls if is_call_of(c, (intrinsics.load_global,))]
    readers = [c.out for c in named if getattr(c.args[1], "value", None) == "getattr"]
    return any(
        (is_call_of(c, by_key) or c.fn in readers)
        and key in c.args[1:2]
        or is_call_of(c, (changes.call_with,))
        and key in c.args[2:3]
        for c in calls
    )


def _element(r: Resolver, s: Loop, d: Atom, part: str, key: str) -> Atom:
    name = s.body.params[-1].name
    if part == "keys":
        return Const(key)
    value = r.emit_call(operator.getitem, [d, Const(key)], s.span, name if part == "values" else "")
    return value if part == "values" else r.emit_call(intrinsics.make_tuple, [Const(key), value], s.span, name)


def _show(sp: Specialiser, s: Loop, sequence: Any) -> None:
    """Make the dict, or the view of one, that a loop runs through after all."""
    fact = sp.facts.get(sequence)
    if sequence in sp.heap.dicts:
        real(sp.resolver, sequence)
    if isinstance(fact, Source) and fact.kind in VIEWS and sequence in sp.resolver.pending:
        _, args, _ = sp.resolver.pending.pop(sequence)
        args = [real(sp.resolver, a) for a in args]
        made = Call((Var(sequence.name),), Const(getattr(dict, fact.kind)), (), (), sp.span(s))
        sp.env[s.sequences[0]] = sp.resolver.general(made, made.fn, args, [])  # type: ignore[index]


def _written_out(sp: Specialiser, s: Loop, rounds: Rounds, d: Any) -> bool:
    """Write the rounds; False where a round changes which keys there are in the dict `d` that it runs through, or their
    order: Python says what comes of that."""
    keys, removals = keys_of(sp.resolver, d), sp.heap.removals
    carried = next((i for i, a in enumerate(s.inits) if d is not None and sp.atom(a) is d), None)
    values, lists = [sp.atom(a) for a in s.inits], [list[Atom]() for _ in s.outs[s.carried :]]
    watched, start = _Keys(sp, s, d, keys), len(sp.statements)
    for element in rounds:
        if len(sp.statements) - start > MAX_WRITTEN:
            return False
        watched.check()
        item = element()
        sp.env.update(zip(s.body.params, [*values, item], strict=True))
        sp.block(s.body)
        results = [sp.atom(r) for r in s.body.results]
        values = results[: s.carried]
        now = d if carried is None else values[carried]
        if keys is not None and (keys_of(sp.resolver, now) != keys or sp.heap.removals != removals):
            return False
        for collected, value in zip(lists, results[s.carried :], strict=True):
            collected.append(value)
    watched.check()
    made = [sp.resolver.emit_call(intrinsics.make_list, items, s.span) for items in lists]
    packed = _are_packed(sp, s)
    for out, own, items in zip(s.outs[s.carried :], made, lists, strict=True):
        uses = sp.resolver.uses.displays.uses.get(out, [])
        read = packed or all([is_call_of(use, (intrinsics.dict_from_items,)) for use in uses])
        if isinstance(own, Var) and read:
            sp.facts[own] = Items(tuple(items))
    sp.env.update(zip(s.outs, [*values, *made], strict=True))
    return True


class _Keys:
    """The keys of a dict that others may have, while the rounds of a loop over them are written out."""

    def __init__(self, sp: Specialiser, s: Loop, d: Any, keys: list[str] | None) -> None:
        self.sp, self.s, self.d, self.keys = sp, s, d, keys
        self.known: int | None = None

    def check(self) -> None:
        """Where a round asks for the next key, look whether they are the same; unless nothing may have changed them."""
        statements = self.sp.statements
        if not is_located(self.d) or self.keys is None:
            return
        if self.known is None or not all(map(self._are_kept, calls_of(statements[self.known :]))):
            given = (self.d, Const(tuple(self.keys)))
            statements.append(Call((), Const(ops.check_keys), given, (), self.sp.span(self.s)))
        self.known = len(statements)

    def _are_kept(self, s: Call) -> bool:
        """Whether a call leaves the keys as they are."""
        if isinstance(s.how, Callee):
            return not takes_references(s.args)
        if is_call_of(s, (ops.store_item,)) and isinstance(s.args[1], Const) and s.args[1].value in (self.keys or ()):
            return True
        return not (is_call_of(s, _CHANGING) and isinstance(held(s.args[0]), Dict))  # type: ignore[arg-type]


_CHANGING = (*ops.CHANGING, ops.pop_item)
