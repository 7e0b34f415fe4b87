"""Generators with one `yield`, in each round of a loop: the list of what comes of it is what that loop collects."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ..ir import intrinsics
from ..ir.nodes import Block, Function, Loop, Statement, Var, atoms_of, blocks_of
from .uses import calls_of, is_call_of


@lru_cache(maxsize=256)
def collecting(f: Function) -> tuple[Function, Var] | None:
    """A generator that collects what its `yield` gives, and the variable of that list; None of any other generator."""
    waiting = [s for s in calls_of(f.body.statements) if is_call_of(s, (intrinsics.yield_, intrinsics.delegate))]
    if len(waiting) != 1 or is_call_of(waiting[0], (intrinsics.delegate,)) or _is_read(f.body, waiting[0].out):
        return None
    loop = next((s for s in f.body.statements if isinstance(s, Loop) and waiting[0] in s.body.statements), None)
    if loop is None:
        return None
    items, body = Var("items"), replace(loop.body, results=(*loop.body.results, waiting[0].out))
    new = replace(loop, outs=(*loop.outs, items), body=body)
    statements = tuple([new if s is loop else s for s in f.body.statements])
    return replace(f, body=replace(f.body, statements=statements)), items


def _is_read(block: Block, v: Var) -> bool:
    return v in block.results or any([_reads(s, v) for s in block.statements])


def _reads(s: Statement, v: Var) -> bool:
    return v in atoms_of(s) or any([_is_read(block, v) for block in blocks_of(s)])
