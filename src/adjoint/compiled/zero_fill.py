"""Memory that need not begin as zeros: the first that is done with it is to add something to all of its entries.

Until then the shadow of a parameter lies idle, and holds what the forward sweep keeps for that very loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .elementary import MAXIMUM, NE
from .kernel import (
    Atom,
    Block,
    Buf,
    Check,
    For,
    If,
    Lit,
    Load,
    New,
    Op,
    Reg,
    Size,
    Statement,
    Store,
    While,
    blocks_of,
    bufs_of,
    walk,
)
from .privatisation import nest_around


def filled_first(body: Block, outs: Sequence[Any], shadows: dict[Buf, Buf]) -> tuple[Block, set[Buf]]:
    """The same program, which stores where it added to zeros; and which `shadows` of parameters may hold anything."""
    equal = _Equal(body)
    shapes: dict[Buf, Sequence[Atom | None]] = {
        shadow: [equal.sizes.get((p, k)) for k in range(p.ndim)] for p, shadow in shadows.items()
    }
    found: dict[Buf, Store] = {}
    lent: dict[Buf, Buf] = {}
    returned = {x for x in outs if isinstance(x, Buf)}
    seen: set[Buf] = set()
    for s in body.statements:
        if isinstance(s, New) and s.zero:
            shapes[s.buf] = s.shape
        for buf in _touched(s) - seen:
            seen.add(buf)
            store = _filling(s, buf, shapes[buf], equal) if buf in shapes and isinstance(s, For) else None
            if store is not None and isinstance(s, For):
                found[buf] = store
                kept = _kept_for(body, s, store, equal, {*lent, *returned}) if buf in shadows.values() else None
                lent.update({} if kept is None else {kept: buf})
    return _renamed(_stored(body, found), lent), {b for b in shadows.values() if b in found}


def _kept_for(body: Block, loop: For, store: Store, equal: _Equal, others: set[Buf]) -> Buf | None:
    """A buffer of which a loop reads just the entry in whose place it then stores, and which nobody reads else."""
    inside: list[Any] = list(walk(loop.body))
    before = inside[: inside.index(store)]
    later = body.statements[body.statements.index(loop) :]
    filled = {s.buf for t in later for s in (t, *(u for b in blocks_of(t) for u in walk(b))) if isinstance(s, Store)}
    handed = {b for s in walk(body) for b in bufs_of(s)}
    for made in body.statements:
        if (
            not isinstance(made, New)
            or made.zero
            or made.buf.kind != "f"
            or made.buf.ndim != 1
            or made.buf in {*others, *filled, *handed}
        ):
            continue
        loads: list[Any] = [s for s in walk(body) if isinstance(s, Load | Size) and s.buf is made.buf]
        here = all(s in before and isinstance(s, Load) and s.index == store.index for s in loads)
        if loads and here and len(store.index) == 1 and equal.one(made.shape[0]) == equal.one(loop.stop):
            return made.buf
    return None


def _renamed(block: Block, others: dict[Buf, Buf]) -> Block:
    """A block with other buffers, which are there already."""
    if not others:
        return block
    statements: list[Any] = []
    for s in block.statements:
        match s:
            case New() if s.buf in others:
                continue
            case Store() | Load() if s.buf in others:
                s = replace(s, buf=others[s.buf])
            case If():
                s = replace(s, then=_renamed(s.then, others), orelse=_renamed(s.orelse, others))
            case For():
                s = replace(s, body=_renamed(s.body, others))
            case While():
                s = replace(s, cond=_renamed(s.cond, others), body=_renamed(s.body, others))
        statements.append(s)
    return replace(block, statements=tuple(statements))


class _Equal:
    """Scalars that are the same number: lengths of one axis, and what a check has compared."""

    def __init__(self, body: Block) -> None:
        self.sizes: dict[tuple[Buf, int], Reg] = {}
        self.of: dict[Atom, Atom] = {}
        compared = {s.out: s.args for s in body.statements if isinstance(s, Op) and s.fn is NE}
        for s in body.statements:
            match s:
                case Size(out, buf, axis):
                    self.of[out] = self.sizes.setdefault((buf, axis), out)
                case Op(out, fn, (Reg() as n, Lit(0))) if fn is MAXIMUM and n in self.of:
                    self.of[out] = n  # a length is never negative
                case Check(bad) if bad in compared:
                    a, b = [self.one(x) for x in compared[bad]]
                    self.of[b] = a

    def one(self, a: Atom) -> Atom:
        """The one that stands for all that are the same."""
        while (b := self.of.get(a, a)) is not a:
            a = b
        return a


def _touched(s: Statement) -> set[Buf]:
    inner: list[Any] = [s, *(t for b in blocks_of(s) for t in walk(b))]
    return {t.buf for t in inner if isinstance(t, Load | Store)} | {b for t in inner for b in bufs_of(t)}


def _filling(loop: For, buf: Buf, shape: Sequence[Atom | None], equal: _Equal) -> Store | None:
    """The store of a loop that adds to all entries of a buffer, before anything else is done with this entry."""
    body = Block((loop,))
    uses: list[Any] = [s for s in walk(body) if isinstance(s, Load | Store) and s.buf is buf]
    first = uses[0] if uses else None
    if (
        any(buf in bufs_of(s) for s in walk(body))
        or not isinstance(first, Store)
        or not first.adds
        or any(s.index != first.index for s in uses)
    ):
        return None
    nest = nest_around(body, first)
    if nest is None or len(nest) != len(shape) or len(set(first.index)) != len(shape):
        return None
    stops: dict[Atom, Atom] = {inner.index: equal.one(inner.stop) for inner in nest}
    if any(n is None or stops.get(i) != equal.one(n) for i, n in zip(first.index, shape, strict=True)):
        return None
    return first


def _stored(block: Block, found: dict[Buf, Store]) -> Block:
    """A block whose first additions are stores."""
    statements: list[Any] = []
    for s in block.statements:
        match s:
            case New() if s.buf in found:
                s = replace(s, zero=False)
            case Store() if found.get(s.buf) is s:
                s = replace(s, adds=False)
            case For():
                s = replace(s, body=_stored(s.body, found))
        statements.append(s)
    return replace(block, statements=tuple(statements))
