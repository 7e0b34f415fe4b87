"""Room for what the reverse sweep needs of each round of a loop, where the number of rounds is known before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .elementary import FLOORDIV, MAXIMUM
from .kernel import Atom, Block, Buf, For, Lit, Load, New, Op, Reg, Statement, Store, bufs_of, made_by, walk
from .memory import affine, ascending, least
from .writer import Writer

if TYPE_CHECKING:
    from .activity import Layout
    from .reverse import Reverse


def is_counted(reverse: Reverse, block: Block) -> bool:
    """Tell whether it is known before the outermost loop how many rounds there will be, at most."""
    loops = reverse.layout.loops[block]
    if not loops or reverse.layout.block_of[loops[0]] is not reverse.body:
        return False
    return all(isinstance(loop, For) and (is_even(reverse, loop) or bound_of(reverse, loop)) for loop in loops)


def is_outside(reverse: Reverse, a: Atom) -> bool:
    """Tell whether a scalar is known outside of all loops."""
    return not isinstance(a, Reg) or reverse.layout.home.get(a, reverse.body) is reverse.body


def is_even(reverse: Reverse, loop: For) -> bool:
    """Tell whether a loop has as many rounds each time."""
    upwards = isinstance(loop.step, Lit) and loop.step.value > 0
    return upwards and is_outside(reverse, loop.start) and is_outside(reverse, loop.stop)


Bound = tuple[Atom, int]
"""A scalar that is known outside, and a number that is added."""


def bound_of(reverse: Reverse, loop: For) -> Bound | None:
    """A bound that the index of a loop stays below, if the index is 0 at least and goes up by one; None otherwise."""
    if loop.step != Lit(1) or least(reverse.layout, loop.start) < 0:
        return None
    return above(reverse, loop.stop)


def above(reverse: Reverse, a: Atom, depth: int = 6) -> Bound | None:
    """An upper bound of a scalar; None if none is found."""
    if is_outside(reverse, a):
        return a, 0
    base, k = affine(reverse.layout, a)
    if base is None or not depth:
        return None
    if is_outside(reverse, base):
        return base, k
    bounds = ascending(reverse.layout, base)
    found = None if bounds is None else above(reverse, bounds[1], depth - 1)
    return None if found is None else (found[0], found[1] + k - 1)


def size_of(reverse: Reverse, loop: For) -> Atom:
    """The number of places for the rounds of a loop."""
    w = reverse.w
    if is_even(reverse, loop):
        return rounds(w, loop)
    bound = bound_of(reverse, loop)
    assert bound is not None
    return w.op(MAXIMUM, w.add(*bound), 0)


def room(reverse: Reverse, s: Statement) -> list[Statement]:
    """Memory for what is kept of the rounds of a loop."""
    if not isinstance(s, For) or reverse.layout.block_of[s] is not reverse.body:
        return []
    with reverse.w.region() as written:
        for block, region in reverse.done.items():
            loops = reverse.layout.loops[block]
            if region.buffers and loops[0] is s:
                for buf, r in zip(region.buffers, region.kept, strict=True):
                    n: Atom = Lit(1)
                    for loop in loops_of(reverse, block, r):
                        n = reverse.w.mul(n, size_of(reverse, loop))
                    reverse.w.emit(New(buf, (n,), False))
    return written


def places_of(reverse: Reverse, block: Block, kept: Sequence[Reg]) -> list[Atom]:
    """The places of what is kept of a round."""
    found: dict[tuple[For, ...], Atom] = {}
    for loops in (of_each := [loops_of(reverse, block, r) for r in kept]):
        if loops not in found:
            found[loops] = round_of(reverse, loops)
    return [found[loops] for loops in of_each]


def loops_of(reverse: Reverse, block: Block, r: Reg) -> tuple[For, ...]:
    """The loops around a block in whose rounds a register is not always the same, and those whose rounds run side by
    side, of which each has places of its own."""
    loops = [loop for loop in reverse.layout.loops[block] if isinstance(loop, For)]
    return tuple([loop for loop in loops if loop.parallel or depends_on(reverse.layout, r, loop)])


def depends_on(layout: Layout, a: Atom, loop: For) -> bool:
    """Tell whether a scalar may be another one in another round of a loop, where all loops within are in the same
    round."""
    if not isinstance(a, Reg) or a is loop.index:
        return a is loop.index
    home, s = layout.home.get(a), layout.origin.get(a)
    if home is None or loop not in layout.loops[home]:
        return a.varies
    match s:
        case Op():
            return any(depends_on(layout, x, loop) for x in s.args)
        case Load(_, buf, index):
            changed = any(_may_change(t, buf) for t in walk(loop.body))
            return changed or any(depends_on(layout, i, loop) for i in index)
    return not any(isinstance(inner, For) and a is inner.index for inner in layout.loops[home])


def _may_change(s: Statement, buf: Buf) -> bool:
    return buf in (*bufs_of(s), *made_by(s)) or isinstance(s, Store) and s.buf is buf


def round_of(reverse: Reverse, loops: Sequence[For]) -> Atom:
    """The number of a round, among all rounds of some loops."""
    w = reverse.w
    place: Atom = Lit(0)
    for k, loop in enumerate(loops):
        i = reverse.value(loop.index)
        if is_even(reverse, loop):
            i = w.op(FLOORDIV, w.sub(i, reverse.value(loop.start)), reverse.value(loop.step))
        place = w.add(w.mul(place, size_of(reverse, loop)) if k else place, i)
    return place


def rounds(w: Writer, loop: For) -> Atom:
    """The number of rounds of a loop that goes upwards."""
    span = w.sub(loop.stop, loop.start)
    if loop.step != Lit(1):
        span = w.op(FLOORDIV, w.add(span, w.sub(loop.step, 1)), loop.step)
    return w.op(MAXIMUM, span, 0)
