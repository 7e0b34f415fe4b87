"""How a round's values are had again in the reverse sweep: computed, or read where memory still holds them.

What is neither is kept. Where that is what was read of a buffer that each round makes anew, the buffer is made once,
with an entry for each round, so that it can be read again; its shadow stays that of one round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .elementary import MAXIMUM
from .kernel import Atom, Block, Buf, For, If, Load, New, Op, Reg, Size, Statement, Store, While
from .memory import overwrites
from .privacy import loops_of, made_at
from .rooms import bound_of

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
    """What reads a register where it was stored, if it stays there."""
    for stores in layout.stores.values():
        for s in stores:
            if s.value is r and not s.adds and not layout.in_loop(s.buf) and s.buf.kind == r.kind:
                found = Load(r, s.buf, s.index)
                layout.order[found], layout.block_of[found] = layout.order[s], layout.block_of[s]
                if layout.block_of[s] is layout.home[r] and not overwrites(layout, found):
                    return found
    return None


# ---- buffers that rounds make anew


def to_expand(reverse: Reverse) -> list[Buf]:
    """Buffers of which more than a few entries were kept in each round, and which can be made once for all."""
    layout = reverse.layout
    found: dict[Buf, None] = {}
    for block, region in reverse.done.items():
        for r in region.kept:
            s = layout.origin.get(r)
            read = [s.buf] if isinstance(s, Load) else []
            stored = [buf for buf, stores in layout.stores.items() if any(t.value is r for t in stores)]
            found.update(dict.fromkeys([b for b in (*read, *stored) if _is_of_rounds(reverse, b, block)]))
    return [buf for buf in found if buf not in reverse.of_rounds and _can_be_expanded(reverse, buf)]


def _is_of_rounds(reverse: Reverse, buf: Buf, block: Block) -> bool:
    """Whether rounds of loops around a block have a buffer for themselves, and the block is a loop in one of them."""
    loops = loops_of(reverse.layout, buf)
    return bool(loops) and len(reverse.layout.loops[block]) > len(loops)


def _can_be_expanded(reverse: Reverse, buf: Buf) -> bool:
    """Whether it is known before the outermost loop how many there will be, and how large."""
    layout = reverse.layout
    loops, made = loops_of(layout, buf), made_at(layout, buf)
    if layout.block_of[loops[0]] is not reverse.body:
        return False
    if any(isinstance(n, Reg) and layout.home.get(n, reverse.body) is not reverse.body for n in made.shape):
        return False
    return all(isinstance(loop, For) and bound_of(reverse, loop) is not None for loop in loops)


def expanded(reverse: Reverse, bufs: list[Buf]) -> tuple[Block, dict[Buf, Buf]]:
    """The program with these buffers made once, before the outermost loop, with an entry for each round; and of which
    buffers the larger ones are. These are still made, for their shadows."""
    layout, w = reverse.layout, reverse.w
    around = {b: loops_of(layout, b) for b in bufs}
    larger = {b: Buf(b.name, b.kind, b.ndim + len(around[b])) for b in bufs}
    before: dict[Statement, list[Statement]] = {}
    for b in bufs:
        made = made_at(layout, b)
        with w.region() as written:
            bounds = [bound_of(reverse, loop) for loop in around[b] if isinstance(loop, For)]
            rounds = [w.op(MAXIMUM, w.add(*bound), 0) for bound in bounds if bound is not None]
        before.setdefault(around[b][0], []).extend([*written, New(larger[b], (*rounds, *made.shape), made.zero)])

    def entry(b: Buf, index: tuple[Atom, ...]) -> tuple[Atom, ...]:
        return (*[loop.index for loop in around[b] if isinstance(loop, For)], *index)

    def again(s: Statement) -> list[Statement]:
        match s:
            case Load() if s.buf in larger:
                return [Load(s.out, larger[s.buf], entry(s.buf, s.index))]
            case Store() if s.buf in larger:
                return [Store(larger[s.buf], entry(s.buf, s.index), s.value, s.adds)]
            case Size() if s.buf in larger:
                return [Size(s.out, larger[s.buf], s.axis + larger[s.buf].ndim - s.buf.ndim)]
            case If():
                return [If(s.outs, s.cond, block(s.then), block(s.orelse))]
            case For():
                loop = For(s.outs, s.inits, s.index, s.start, s.stop, s.step, block(s.body), s.down)
                return [*before.get(s, []), loop]
            case While():
                return [While(s.outs, s.inits, block(s.cond), block(s.body))]
        return [s]

    def block(b: Block) -> Block:
        return Block(tuple([t for s in b.statements for t in again(s)]), b.params, b.results)

    return block(reverse.body), {b: buf for buf, b in larger.items()}
