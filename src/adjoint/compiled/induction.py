"""Integers that a loop moves by the same step in each round: computed from the round, in place of being carried."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .activity import Layout, layout_of
from .elementary import ABS, ADD, FLOAT, GE, MAXIMUM, MUL
from .kernel import Atom, Block, Check, For, If, Lit, Op, Reg, Statement, While
from .memory import affine
from .writer import Writer


def straightened(body: Block) -> Block:
    """The same program, whose loops carry no such integers."""
    layout, w = layout_of(body), Writer()

    def block(b: Block) -> Block:
        return Block(tuple([t for s in b.statements for t in again(s)]), b.params, b.results)

    def again(s: Statement) -> list[Statement]:
        match s:
            case If():
                return [If(s.outs, s.cond, block(s.then), block(s.orelse))]
            case While():
                return [While(s.outs, s.inits, block(s.cond), block(s.body))]
            case For():
                return loop(s)
        return [s]

    def loop(s: For) -> list[Statement]:
        inner = block(s.body)
        carried = zip(inner.params, inner.results, strict=True)
        steps = [step_of(layout, p, r) if s.step == Lit(1) else None for p, r in carried]
        places = [i for i, step in enumerate(steps) if step is None]
        with w.region() as first:
            for p, init, step in zip(inner.params, s.inits, steps, strict=True):
                if step is not None:
                    moved(w, p, init, w.sub(s.index, s.start), step)
        gone = {p for p, step in zip(inner.params, steps, strict=True) if step is not None}
        with w.region() as last:
            for out, init, step in zip(s.outs, s.inits, steps, strict=True):
                if step is not None:
                    moved(w, out, init, w.op(MAXIMUM, w.sub(s.stop, s.start), 0), step)
                    found = [t for t in inner.statements if isinstance(t, Check) and overflow_of(layout, t) in gone]
                    w.emit(Check(w.op(GE, w.op(ABS, w.op(FLOAT, out)), 2.0**62), found[0].status if found else -1))
        checked = [t for t in inner.statements if not (isinstance(t, Check) and overflow_of(layout, t) in gone)]
        kept = Block(
            (*first, *checked),
            tuple([inner.params[i] for i in places]),
            tuple([inner.results[i] for i in places]),
        )
        outs, inits = tuple([s.outs[i] for i in places]), tuple([s.inits[i] for i in places])
        return [replace(s, outs=outs, inits=inits, body=kept), *last]

    return block(body)


def step_of(layout: Layout, p: Reg, r: Atom) -> int | None:
    """By how much what is carried moves in a round, if that is a number."""
    if p.kind != "i" or r is p:
        return None
    base, k = affine(layout, r)
    return k if base is p else None


def overflow_of(layout: Layout, check: Check) -> Atom | None:
    """The integer that a check guards, if it asks whether the next step makes that too large; the last step tells it of
    all."""
    parts: Any = check.bad
    for fn in (GE, ABS, ADD, FLOAT):
        s = layout.origin.get(parts) if isinstance(parts, Reg) else None
        if not isinstance(s, Op) or s.fn is not fn:
            return None
        parts = s.args[0]
    return parts  # type: ignore[no-any-return]


def moved(w: Writer, out: Reg, init: Atom, rounds: Atom, step: int) -> None:
    """`out = init + rounds * step`."""
    w.emit(Op(out, ADD, (w.op(MUL, rounds, step), init)))
