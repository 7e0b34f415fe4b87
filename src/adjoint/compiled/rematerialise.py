"""Rematerialisation of a round's values in the reverse sweep: computed, or read where memory still holds them.

What is neither is kept. Where that is what was read of a buffer that each round makes anew, the buffer is made once,
with an entry for each round, so that it can be read again; its shadow stays that of one round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .elementary import ADD, MAXIMUM
from .kernel import Atom, Block, Buf, For, If, Lit, Load, New, Op, Reg, Size, Statement, Store, While
from .memory import overwrites
from .privatisation import loops_of
from .residual_buffers import bound_of
from .versions import Versions, versions_of
from .writer import Writer

if TYPE_CHECKING:
    from .activity import Layout
    from .reverse import Reverse


def recovery(reverse: Reverse, r: Reg) -> Statement | None:
    """The statement that gives a register of a round again; None if it is to be kept."""
    if r not in reverse.recovered:
        reverse.recovered[r] = _recovery(reverse.layout, r)
    return reverse.recovered[r]


def _recovery(layout: Layout, r: Reg) -> Statement | None:
    s = layout.origin.get(r)
    match s:
        case Op():
            return s if not s.fn.dear else _stored(layout, r)
        case Load():
            return s if not layout.in_loop(s.buf) and not overwrites(layout, s) else None
        case Size():
            return s if not layout.in_loop(s.buf) else None
    return None


def _stored(layout: Layout, r: Reg) -> Load | None:
    """The load that reads a register where it was stored, if it stays there."""
    for stores in layout.stores.values():
        for s in stores:
            known = all(_comes_before(layout, i, r) for i in s.index)
            if known and s.value is r and not s.adds and not layout.in_loop(s.buf) and s.buf.kind == r.kind:
                found = Load(r, s.buf, s.index)
                layout.order[found], layout.block_of[found] = layout.order[s], layout.block_of[s]
                if layout.block_of[s] is layout.home[r] and not overwrites(layout, found):
                    return found
    return None


def _comes_before(layout: Layout, a: Atom, r: Reg) -> bool:
    """Tell whether an atom is known where a register is computed."""
    s = layout.origin.get(a) if isinstance(a, Reg) else None
    return s is None or layout.order[s] < layout.order[layout.origin[r]]


# ---- buffers that rounds make anew


class Rounds:
    """The versions of a buffer of which each round of some loops has one for itself."""

    def __init__(self, reverse: Reverse, made: New) -> None:
        self.reverse, self.made = reverse, made
        self.loops = loops_of(reverse.layout, made.buf)
        self.larger = Buf(made.buf.name, made.buf.kind, made.buf.ndim + len(self.loops))

    def can_be(self) -> bool:
        """Tell whether it is known before the outermost loop how many there will be, and how large."""
        layout, body = self.reverse.layout, self.reverse.body
        if not self.loops or layout.block_of[self.loops[0]] is not body:
            return False
        if any(isinstance(n, Reg) and layout.home.get(n, body) is not body for n in self.made.shape):
            return False
        return all(isinstance(loop, For) and bound_of(self.reverse, loop) is not None for loop in self.loops)

    def is_read_in(self, block: Block) -> bool:
        """Tell whether a block is a loop in one of these rounds: more than a few entries are read."""
        return bool(self.loops) and len(self.reverse.layout.loops[block]) > len(self.loops)

    @property
    def before(self) -> Statement:
        return self.loops[0]

    def shape(self, w: Writer) -> tuple[Atom, ...]:
        bounds = [bound_of(self.reverse, loop) for loop in self.loops if isinstance(loop, For)]
        return (*[w.op(MAXIMUM, w.add(*bound), 0) for bound in bounds if bound is not None], *self.made.shape)

    def place(self, s: Load | Store) -> tuple[Atom, ...]:
        return tuple([loop.index for loop in self.loops if isinstance(loop, For)])


class OfRounds:
    """The versions of a buffer that rounds replace as a whole."""

    def __init__(self, versions: Versions) -> None:
        self.made, self.larger = versions.made, versions.larger
        self.before: Statement = versions.made
        self.loop, self.versions = versions.loop, versions
        self.following, self.end = Reg("next", "i"), Reg("end", "i")

    def shape(self, w: Writer) -> tuple[Atom, ...]:
        w.emit(Op(self.end, MAXIMUM, (self.loop.stop, self.loop.start)))
        several = (Lit(self.versions.each),) * (self.versions.each > 1)
        return (w.add(self.end, 1), *several, *self.made.shape)

    def first(self) -> Statement:
        """The statement that each round computes first."""
        return Op(self.following, ADD, (self.loop.index, Lit(1)))

    def place(self, s: Load | Store) -> tuple[Atom, ...]:
        j = self.versions.of.get(s, 0)
        if s in self.versions.of:
            at: Atom = self.following if j else self.loop.index
        else:
            at = self.loop.start if s in self.versions.before else self.end
        return (at, Lit((j or self.versions.each) - 1))[: self.versions.axes]


Larger = Rounds | OfRounds


def to_expand(reverse: Reverse, seen: Sequence[Any]) -> list[Larger]:
    """Buffers of which more than a few entries were kept in each round, and which can be made once for all."""
    layout = reverse.layout
    made = {s.buf: s for s in layout.order if isinstance(s, New)}
    found: dict[Buf, Larger] = {}
    for block, region in reverse.done.items():
        for r in region.kept:
            s = layout.origin.get(r)
            read = [s.buf] if isinstance(s, Load) else []
            stored = [buf for buf, stores in layout.stores.items() if any(t.value is r for t in stores)]
            for b in (*read, *stored):
                if b in made and b not in found and b not in reverse.of_rounds and b not in seen:
                    rounds, versions = Rounds(reverse, made[b]), versions_of(layout, made[b])
                    of_own = rounds.is_read_in(block) and rounds.can_be()
                    if versions is not None and len(layout.loops[block]) > 1 and (versions.each > 1 or not of_own):
                        found[b] = OfRounds(versions)
                    elif of_own:
                        found[b] = rounds
    return [*found.values()]


def expanded(reverse: Reverse, larger: list[Larger]) -> tuple[Block, dict[Buf, Buf]]:
    """The program with these buffers made once, with an entry for each version; and of which buffers the larger ones
    are. These are still made, for their shadows."""
    w = reverse.w
    of = {one.made.buf: one for one in larger}
    bufs = {b: one.larger for b, one in of.items()}
    before: dict[Statement, list[Statement]] = {}
    first: dict[Statement, list[Statement]] = {}
    for b, one in of.items():
        with w.region() as written:
            shape = one.shape(w)
        before.setdefault(one.before, []).extend([*written, New(bufs[b], shape, one.made.zero)])
        if isinstance(one, OfRounds):
            first.setdefault(one.loop, []).append(one.first())

    def again(s: Statement) -> list[Statement]:
        match s:
            case Load() if s.buf in of:
                return [Load(s.out, bufs[s.buf], (*of[s.buf].place(s), *s.index))]
            case Store() if s.buf in of:
                return [Store(bufs[s.buf], (*of[s.buf].place(s), *s.index), s.value, s.adds)]
            case Size() if s.buf in of:
                return [Size(s.out, bufs[s.buf], s.axis + bufs[s.buf].ndim - s.buf.ndim)]
            case New():
                return [*before.get(s, []), s]
            case If():
                return [If(s.outs, s.cond, block(s.then), block(s.orelse))]
            case For():
                body = block(s.body)
                body = Block((*first.get(s, []), *body.statements), body.params, body.results)
                return [*before.get(s, []), replace(s, body=body)]
            case While():
                return [While(s.outs, s.inits, block(s.cond), block(s.body))]
        return [s]

    def block(b: Block) -> Block:
        return Block(tuple([t for s in b.statements for t in again(s)]), b.params, b.results)

    return block(reverse.body), {buf: b for b, buf in bufs.items()}
