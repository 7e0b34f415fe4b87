"""Sums: what loops carry and only add to, stores that add to what is there, and loops that add to one entry."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .elementary import ADD, AND, LE, LT, PLUS, SUB
from .kernel import (
    Atom,
    Block,
    Buf,
    For,
    If,
    Lit,
    Load,
    Op,
    Reg,
    Set,
    Statement,
    Store,
    blocks_of,
    outs_of,
    reads_of,
    walk,
)
from .writer import Writer

if TYPE_CHECKING:
    from .activity import Layout


def added_by(layout: Layout, s: Store) -> tuple[Atom, bool] | None:
    """The number that a store adds to the entry that it stores into, and whether it subtracts it; None if it replaces
    it."""
    op = layout.origin.get(s.value) if isinstance(s.value, Reg) else None
    if not isinstance(op, Op) or op.fn not in (ADD, SUB):
        return None
    there = _there(layout, s)
    a, b = op.args
    if a in there:
        return b, op.fn is SUB
    return (a, False) if b in there and op.fn is ADD else None


def _there(layout: Layout, s: Store) -> set[Atom]:
    """The registers that hold what is in the entry, just before the store."""
    found: set[Atom] = set()
    for t in layout.block_of[s].statements:
        match t:
            case Store() if t is s:
                return found
            case Store() if t.buf is s.buf:
                found = {t.value} if t.index == s.index and not t.adds and isinstance(t.value, Reg) else set()
            case Load() if t.buf is s.buf and t.index == s.index:
                found.add(t.out)
            case _ if _stores_into(t, s.buf):
                found = set()
    raise AssertionError("unreachable")


def _stores_into(s: Statement, buf: Buf) -> bool:
    return any(isinstance(t, Store) and t.buf is buf for b in blocks_of(s) for t in walk(b))


def in_registers(w: Writer, loop: For) -> list[Statement]:
    """The loop, where what its rounds add to one entry is summed in a register, and added when it is over: where rounds
    need not add anything, if there is such an entry."""
    inside = {r for s in walk(loop.body) for r in (*outs_of(s), *_bound_by(s))} | {loop.index}
    sums: dict[tuple[Buf, tuple[Atom, ...]], Reg] = {}
    in_each_round: set[Reg] = set()
    others = {s.buf for s in walk(loop.body) if isinstance(s, Load) or isinstance(s, Store) and not s.adds}

    def again(block: Block, is_sure: bool = False) -> Block:
        statements: list[Statement] = []
        for s in block.statements:
            match s:
                case Store() if s.adds and s.buf not in others and not inside.intersection(s.index):
                    total = sums.setdefault((s.buf, s.index), Reg("sum", "f", True))
                    in_each_round.update([total] if is_sure else [])
                    with w.region() as written:
                        w.set(total, w.add(total, s.value))
                    statements += written
                case If():
                    statements.append(If(s.outs, s.cond, again(s.then), again(s.orelse)))
                case _:
                    statements.append(s)
        return Block(tuple(statements), block.params, block.results)

    body = again(loop.body, is_sure=True)
    if not sums or not isinstance(loop.step, Lit):
        return [loop]
    with w.region() as after:
        runs = w.op(LT, loop.start, loop.stop) if loop.step.value > 0 else w.op(LT, loop.stop, loop.start)
        with w.region() as written:
            for (buf, index), total in sums.items():
                with w.region() as added:
                    w.store(buf, index, total, adds=True)
                if total not in in_each_round:
                    added = [If((), _has(w, buf, index), Block(tuple(added)), Block(()))]
                w.statements += added
        if runs == Lit(True):
            w.statements += written
        else:
            w.emit(If((), runs, Block(tuple(written)), Block(())))
    first: Sequence[Any] = [Set(total, Lit(0.0)) for total in sums.values()]
    summed = replace(loop, body=body)
    return [*first, summed, *after]


def _has(w: Writer, buf: Buf, index: tuple[Atom, ...]) -> Atom:
    """Tell whether there is such an entry: nobody has looked, where no round has come so far."""
    tests = [w.op(LE, 0, i) for i in index if not isinstance(i, Lit)]
    tests += [w.op(LT, i, w.size(buf, axis)) for axis, i in enumerate(index)]
    return functools.reduce(lambda a, b: w.op(AND, a, b), tests)


def _bound_by(s: Statement) -> tuple[Reg, ...]:
    """The registers that a loop binds in its rounds, and what is assigned."""
    index = (s.index,) if isinstance(s, For) else ()
    assigned = (s.reg,) if isinstance(s, Set) else ()
    return (*index, *assigned, *(p for b in blocks_of(s) for p in b.params))


def is_sum(loop: For, k: int) -> bool:
    """Tell whether what is carried is a sum of terms, which no round looks at."""
    origin = {r: s for s in walk(loop.body) for r in outs_of(s)}
    steps = Counter[Any]()
    """How often the sum reads what is carried, and partial sums of it."""

    def reaches(r: Atom, start: Reg) -> bool:
        """Tell whether an atom is `start` and terms."""
        steps[r] += 1
        if r is start or steps[r] > 1:
            return True
        s = origin.get(r) if isinstance(r, Reg) else None
        match s:
            case Op(_, fn, (a, _)) if fn in (ADD, PLUS):
                return reaches(a, start)
            case If():
                at = s.outs.index(r)
                return reaches(s.then.results[at], start) and reaches(s.orelse.results[at], start)
            case For():
                at = s.outs.index(r)
                return reaches(s.body.results[at], s.body.params[at]) and reaches(s.inits[at], start)
        return False

    param, result = loop.body.params[k], loop.body.results[k]
    if loop.outs[k].kind == "b" or not reaches(result, param):
        return False
    reads = reads_in(loop.body)
    return all(reads[r] == n for r, n in steps.items())


def reads_in(block: Block) -> Counter[Any]:
    """The number of times that the statements of a block, and the results of its regions, read each register."""
    found = Counter[Any](block.results)
    for s in walk(block):
        found.update([*reads_of(s), *[a for b in blocks_of(s) for a in b.results]])
    return found
