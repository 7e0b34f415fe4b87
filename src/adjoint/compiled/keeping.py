"""The forward sweep of a reverse: the program, and what is kept of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from . import calls
from .kernel import Block, For, If, Push, Stack, Statement, While
from .residual_buffers import places_of, room

if TYPE_CHECKING:
    from .reverse import Reverse


def forward_sweep(reverse: Reverse) -> list[Statement]:
    """The forward sweep: the program, and what is kept of it."""
    stacks = [Stack(r.stack, "".join(k.kind for k in r.kept)) for r in reverse.done.values() if r.stack is not None]
    return [*calls.stacks(reverse, stacks), *keeping(reverse, reverse.body)]


def keeping(reverse: Reverse, block: Block) -> list[Statement]:
    statements = [
        t for s in block.statements for t in (*room(reverse, s), *calls.again(reverse, kept_within(reverse, s)))
    ]
    region = reverse.done.get(block)
    if region is not None and region.stack is not None:
        statements.append(Push(region.stack, tuple(region.kept)))
    if region is not None and region.holds is not None:
        statements.append(Push(region.holds, tuple(region.held)))
    if region is not None and region.buffers:
        with reverse.w.region() as written:
            places = places_of(reverse, block, region.kept)
            for buf, r, place in zip(region.buffers, region.kept, places, strict=True):
                reverse.w.store(buf, (place,), r)
        statements += written
    return statements


def kept_within(reverse: Reverse, s: Statement) -> Statement:
    def again(block: Block) -> Block:
        return Block(tuple(keeping(reverse, block)), block.params, block.results)

    match s:
        case If():
            return If(s.outs, s.cond, again(s.then), again(s.orelse))
        case For():
            return replace(s, body=again(s.body))
        case While():
            return While(s.outs, s.inits, s.cond, again(s.body))
    return s
