"""Loops written out round by round, so that each item is read and stored under a key or at a place that is known:
`rounds` says which these are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..ir import intrinsics
from ..ir import located as ops
from ..ir.nodes import Atom, Block, Call, Const, If, Loop, Var
from ..ir.types import Dict
from .facts import Callee, Items, Source
from .few import rest_of
from .infer import certain
from .locating import held, is_located
from .memory import takes_references
from .rounds import MAX_WRITTEN, VIEWS, Rounds, are_packed, keys_of, part_of, rounds_of, virtual_parts
from .uses import calls_of, is_call_of
from .virtual import real
from .virtual_sequences import items_at, tuple_at

if TYPE_CHECKING:
    from .specialise import Specialiser


def unrolled(sp: Specialiser, s: Loop) -> bool:
    """Write a loop out, if it is one of these; tells whether it is."""
    if len(s.sequences) != 1:
        return False
    sequence = sp.atom(s.sequences[0])
    if isinstance(fact := sp.facts.get(sequence), Source) and fact.kind == "iter":
        sequence = fact.atoms[0]
    rounds = rounds_of(sp, s, sequence)
    if rounds is None:
        _show(sp, s, sequence)
        return False
    start, heap, pending = len(sp.statements), sp.heap.state, {**sp.resolver.pending}
    around, sp.unrolled = sp.unrolled, sp.unrolled * max(len(rounds), 1)
    try:
        done = _written_out(sp, s, rounds, _dict_of(sp, sequence))
    finally:
        sp.unrolled = around
    if done:
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
    d = part_of(fact, sequence)[1]
    return d if keys_of(sp.resolver, d) is not None else None


def _show(sp: Specialiser, s: Loop, sequence: Any) -> None:
    """Make the dict, or the view of one, or the list, that a loop runs through after all."""
    fact, own = sp.facts.get(sequence), virtual_parts(sp, sequence)
    for a in own:
        real(sp.resolver, a)
    if sequence in sp.heap.dicts:
        real(sp.resolver, sequence)
    if own and isinstance(fact, Source):
        sp.facts[sequence] = replace(fact, atoms=tuple([sp.heap.now(a) for a in fact.atoms]))
    if isinstance(fact, Source) and fact.kind in VIEWS and sequence in sp.resolver.pending:
        _, args, _ = sp.resolver.pending.pop(sequence)
        args = [real(sp.resolver, a) for a in args]
        made = Call((Var(sequence.name),), Const(getattr(dict, fact.kind)), (), (), sp.span(s))
        sp.env[s.sequences[0]] = sp.resolver.general(made, made.fn, args, [])  # type: ignore[index]


def _written_out(sp: Specialiser, s: Loop, rounds: Rounds, d: Any) -> bool:
    """Write the rounds; False where a round changes which keys there are in the dict `d` that it runs through, or their
    order: Python says what comes of that; or how many items a list has, or shows it to others."""
    own = virtual_parts(sp, sp.atom(s.sequences[0]))
    sizes = [len(items_at(sp.resolver, a) or ()) for a in own]
    keys, removals = keys_of(sp.resolver, d), sp.heap.removals
    carried = next((i for i, a in enumerate(s.inits) if d is not None and sp.atom(a) is d), None)
    values, lists = [sp.atom(a) for a in s.inits], [list[Atom]() for _ in s.outs[s.carried :]]
    watched, start = _Keys(sp, s, d, keys), len(sp.statements)
    for i, element in enumerate(rounds, 1):
        if not own and len(sp.statements) - start > MAX_WRITTEN:
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
        if [len(items) if (items := items_at(sp.resolver, a)) is not None else -1 for a in own] != sizes:
            return False
        if s.exit_flag is not None and (ended := certain(values[s.exit_flag])) is not False:
            values = values if ended else _unless_left(sp, s, values, own, [element() for element in rounds[i:]])
            break
        for collected, value in zip(lists, results[s.carried :], strict=True):
            collected.append(value)
    watched.check()
    made = [sp.resolver.emit_call(intrinsics.make_list, items, s.span) for items in lists]
    packed = are_packed(sp, s)
    for out, listed, items in zip(s.outs[s.carried :], made, lists, strict=True):
        uses = sp.resolver.uses.displays.uses.get(out, [])
        read = packed or all([is_call_of(use, (intrinsics.dict_from_items,)) for use in uses])
        if isinstance(listed, Var) and read:
            sp.facts[listed] = Items(tuple(items))
    sp.env.update(zip(s.outs, [*values, *made], strict=True))
    return True


def _unless_left(sp: Specialiser, s: Loop, values: list[Atom], own: Sequence[Any], items: list[Atom]) -> list[Atom]:
    """The other rounds of a loop that a round may leave: a loop over the rest, on the other side of a branch."""
    if not items:
        return values
    inits, rest = [Var(v.name) for v in s.body.params[: s.carried]], Var()
    sp.env.update(zip(inits, values, strict=True))
    sp.env[rest] = tuple_at(sp.resolver, sp.heap.sites[own[0]][0], items) if own else rest_of(sp, items, s.span)
    later = Loop(tuple(map(_again, inits)), tuple(inits), (rest,), None, s.body, s.exit_flag, s.span)
    outs = tuple(map(_again, inits))
    sides = Block((), (), tuple(inits)), Block((), (later,), later.outs)
    sp.statement(If(outs, inits[s.exit_flag], *sides, s.span))  # type: ignore[index]
    return [sp.atom(out) for out in outs]


def _again(v: Var) -> Var:
    return Var(v.name)


class _Keys:
    """The keys of a dict that others may have, while the rounds of a loop over them are written out."""

    def __init__(self, sp: Specialiser, s: Loop, d: Any, keys: list[str] | None) -> None:
        self.sp, self.s, self.d, self.keys = sp, s, d, keys
        self.known: int | None = None

    def check(self) -> None:
        """Look, where a round asks for the next key, whether the keys are the same; unless nothing may have changed
        them."""
        statements = self.sp.statements
        if not is_located(self.d) or self.keys is None:
            return
        if self.known is None or not all(map(self._are_kept, calls_of(statements[self.known :]))):
            given = (self.d, Const(tuple(self.keys)))
            statements.append(Call((), Const(ops.check_keys), given, (), self.sp.span(self.s)))
        self.known = len(statements)

    def _are_kept(self, s: Call) -> bool:
        """Tell whether a call leaves the keys as they are."""
        if isinstance(s.how, Callee):
            return not takes_references(s.args)
        if is_call_of(s, (ops.store_item,)) and isinstance(s.args[1], Const) and s.args[1].value in (self.keys or ()):
            return True
        return not (is_call_of(s, _CHANGING) and isinstance(held(s.args[0]), Dict))  # type: ignore[arg-type]


_CHANGING = (*ops.CHANGING, ops.pop_item)
