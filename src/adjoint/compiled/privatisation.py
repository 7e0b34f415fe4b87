"""Buffers that each round of a loop fills before it reads them: as if it made them anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .kernel import Atom, Block, Buf, For, Lit, Load, New, Size, Store, While, walk
from .memory import affine

if TYPE_CHECKING:
    from .activity import Layout

Loop = For | While


def loops_of(layout: Layout, buf: Buf) -> tuple[Loop, ...]:
    """The loops of which each round has a buffer for itself: it makes it, or fills it before it reads it."""
    made = next((s for s in layout.order if isinstance(s, New) and s.buf is buf), None)
    if made is None:
        return ()
    own = layout.loops[layout.block_of[made]]
    used: list[Any] = [s for s in layout.order if isinstance(s, Load | Store | Size) and s.buf is buf]
    if any(isinstance(s, Size) for s in used) or not used:
        return own
    shared = layout.loops[layout.block_of[used[0]]]
    for s in used:
        loops = layout.loops[layout.block_of[s]]
        shared = tuple([a for a, b in zip(shared, loops, strict=False) if a is b])
    for n in range(len(shared), len(own), -1):
        loop = shared[n - 1]
        if isinstance(loop, For) and _fills(layout, loop.body, made, used):
            return shared[:n]
    return own


def _fills(layout: Layout, body: Block, made: New, used: list[Any]) -> bool:
    """Tell whether the first that a round does with a buffer is to store into all of its entries."""
    inside = [s for s in walk(body) if s in used]
    first = inside[0]
    if not isinstance(first, Store) or first.adds:
        return False
    nest = nest_around(body, first)
    if nest is None or len(nest) != len(made.shape) or len({loop.index for loop in nest}) != len(first.index):
        return False
    stops = {loop.index: loop.stop for loop in nest}
    for i, n in zip(first.index, made.shape, strict=True):
        if i not in stops or stops[i] != n:
            return False
    others: list[Any] = [s for s in walk(nest[0].body) if s in used]
    return all(_same(layout, s.index, first.index) for s in others)


def nest_around(body: Block, store: Store) -> list[For] | None:
    """The loops from 0 upwards around a store, one directly in the other; None if there is anything else around it."""
    found: list[For] = []
    while store not in body.statements:
        around = next((s for s in body.statements if isinstance(s, For) and store in set(walk(s.body))), None)
        if around is None or around.start != Lit(0) or around.step != Lit(1):
            return None
        found.append(around)
        body = around.body
    return found or None


def _same(layout: Layout, index: tuple[Atom, ...], other: tuple[Atom, ...]) -> bool:
    return [affine(layout, i) for i in index] == [affine(layout, i) for i in other]
