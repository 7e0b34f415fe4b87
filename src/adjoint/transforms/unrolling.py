"""Loops over a few records, each of a type of its own: written out round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir import intrinsics
from ..ir.nodes import Atom, Loop, Var
from ..ir.types import Record, Tuple
from .facts import Path

if TYPE_CHECKING:
    from .specialise import Specialiser

MAX_UNROLLED = 8


def short_tuple(sp: Specialiser, s: Loop) -> Var | None:
    """The tuple of records that a loop runs through, if it can be unrolled."""
    sequence = sp.atom(s.sequences[0]) if len(s.sequences) == 1 else None
    if s.exit_flag is not None or not isinstance(sequence, Var) or not isinstance(sequence.type, Tuple):
        return None
    items = sequence.type.items
    records = any(isinstance(t, Record) for t in items) and len(items) <= MAX_UNROLLED
    return sequence if records and isinstance(sp.facts.get(sequence), Path) else None


def unroll(sp: Specialiser, s: Loop, inits: list[Atom], sequence: Var) -> None:
    """Write a loop over such a tuple out."""
    assert isinstance(sequence.type, Tuple)
    values, lists = inits, [list[Atom]() for _ in s.outs[s.carried :]]
    for i in range(len(sequence.type.items)):
        item = sp.resolver.item(sequence, i, s.span, s.body.params[-1].name)
        sp.env.update(zip(s.body.params, [*values, item], strict=True))
        sp.block(s.body)
        results = [sp.atom(r) for r in s.body.results]
        values = results[: s.carried]
        for collected, value in zip(lists, results[s.carried :], strict=True):
            collected.append(value)
    made = [sp.resolver.emit_call(intrinsics.make_list, items, s.span) for items in lists]
    sp.env.update(zip(s.outs, [*values, *made], strict=True))
