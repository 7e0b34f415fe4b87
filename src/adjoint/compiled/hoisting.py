"""Loop-invariant code motion: computed, read and checked before a loop is what is the same in all its rounds.

A check of an index that moves with the loop is one of its first or last value. To leave earlier than the plain program
would raise is no harm: it runs in any case. Numba does none of this, as it cannot know that buffers are apart.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .dce import replaced_in
from .dependence import moved_by
from .elementary import ADD, CHEAP, GE, LT, SUB
from .kernel import (
    Atom,
    Back,
    Block,
    Check,
    For,
    If,
    Lit,
    Load,
    Op,
    Pop,
    Reg,
    Set,
    Size,
    Statement,
    Store,
    blocks_of,
    made_by,
    outs_of,
    reads_of,
    walk,
)
from .writer import Writer

ZEROS: dict[str, Atom] = {"f": Lit(0.0), "i": Lit(0), "b": Lit(False)}


def hoisted(block: Block) -> Block:
    """The same program."""
    found: list[Statement] = []
    for s in block.statements:
        s = replaced_in(s, lambda a: a, hoisted)
        found += _apart(s) if isinstance(s, For) else [s]
    return Block(tuple(found), block.params, block.results)


def _apart(loop: For) -> list[Statement]:
    """The statements that can stand before a loop, and the loop."""
    body = loop.body
    inside = {loop.index, *body.params}
    for s in walk(body):
        inside.update(outs_of(s), [p for b in blocks_of(s) for p in b.params])
        inside.update([s.index] if isinstance(s, For) else [s.reg] if isinstance(s, Set) else [])
    written = {b for s in walk(body) for b in _written(s)}
    origin = {s.out: s for s in body.statements if isinstance(s, Op)}
    w = Writer()
    kept: list[Statement] = []
    guarded: list[Statement] = []
    with w.region() as first:
        for s in body.statements:
            same = all(a not in inside for a in reads_of(s))
            cheap = isinstance(s, Op) and s.fn in CHEAP or isinstance(s, Size) and s.buf not in written
            if isinstance(s, Op | Size) and same and cheap:
                w.emit(s)
                inside.discard(s.out)
            elif isinstance(s, Load) and same and s.buf not in written:
                guarded.append(s)
            elif isinstance(s, Check) and (bad := _before(w, loop, inside, origin, s.bad)) is not None:
                guarded.append(Check(bad, s.status))
            else:
                kept.append(s)
    rest = Block(tuple(kept), body.params, body.results)
    shorter = replace(loop, body=rest)
    with w.region() as runs:
        goes = w.op(LT, loop.start, loop.stop) if _upwards(loop) else Lit(False)
    if not guarded or goes == Lit(True):
        return [*first, *guarded, shorter]
    if goes == Lit(False):
        return [loop]
    loads = [s for s in guarded if isinstance(s, Load)]
    again = [Load(Reg(s.out.name, s.out.kind), s.buf, s.index) for s in loads]
    into: dict[Any, Statement] = dict(zip(loads, again, strict=True))
    then = Block(tuple([into.get(s, s) for s in guarded]), (), tuple([s.out for s in again]))
    orelse = Block((), (), tuple([ZEROS[s.out.kind] for s in loads]))
    guard = If(tuple([s.out for s in loads]), goes, then, orelse)
    return [*first, *runs, guard, shorter]


def _written(s: Statement) -> tuple[Any, ...]:
    """The buffers that a statement makes or changes."""
    match s:
        case Store():
            return (s.buf,)
        case Back():
            return s.shadows
        case Pop():
            return s.outs
    return made_by(s)


def _upwards(loop: For) -> bool:
    return isinstance(loop.step, Lit) and loop.step.value > 0


def _before(w: Writer, loop: For, inside: set[Any], origin: dict[Reg, Op], bad: Atom) -> Atom | None:
    """The condition of a check for all rounds at once."""
    if bad not in inside:
        return bad
    s = origin.get(bad) if isinstance(bad, Reg) else None
    if s is None or s.fn not in (GE, LT) or s.args[1] in inside or loop.step != Lit(1):
        return None
    steps = moved_by(loop.index, {**dict.fromkeys(inside), **origin}, s.args[0])
    if steps is None:
        return None
    value = w.sub(loop.stop, 1) if s.fn is GE else loop.start
    for fn, a in steps:
        assert fn in (ADD, SUB)
        value = w.op(fn, value, a)
    return w.op(s.fn, value, s.args[1])
