"""Versions of one array: what a store gives of what it stores into, what a loop carries, what branches hand on."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from ..ir import changes
from ..ir.nodes import Atom, Block, Call, Const, If, Loop, Var, blocks_of
from ..ir.types import Array
from ..tangents import added, set_item_back

UPDATES: dict[Any, Any] = {changes.stored: changes.set_item, added: added, set_item_back: set_item_back}
"""Calls whose first out is their first argument with something else at some places."""


def updated(s: Any) -> Var | None:
    """The array of which a statement gives another version."""
    if not isinstance(s, Call) or not isinstance(s.fn, Const) or not s.outs or not s.args:
        return None
    fn, target = s.fn.value, s.args[0]
    update = type(fn).__hash__ is not None and fn in UPDATES
    return target if update and isinstance(target, Var) and is_array(target) and is_array(s.outs[0]) else None


def is_array(v: Any) -> bool:
    """Whether a variable is surely an array of numbers that have cotangents, not a single number."""
    t = v.type if isinstance(v, Var) else None
    return isinstance(t, Array) and t.kind in "fc" and t.scalar is False


class Versions:
    """Which variables are versions of one array; not those on the two sides of what stands `apart`: a store that
    copies, the start `(loop, i)` of what a loop carries."""

    def __init__(self, body: Block, apart: Container[Any] = ()) -> None:
        self.parent: dict[Var, Var] = {}
        self.apart = apart
        self.changed: list[Var] = []
        self.block(body)

    def find(self, v: Var) -> Var:
        while (up := self.parent.get(v, v)) is not v:
            v = up
        return v

    def arrays(self) -> set[Var]:
        """All versions of arrays that have cotangents and into which something is stored."""
        roots = {self.find(v) for v in self.changed if v.active}
        return {v for v in self.parent if v.active and self.find(v) in roots}

    def unite(self, a: Atom, b: Atom) -> None:
        if isinstance(a, Var) and isinstance(b, Var) and is_array(a) and is_array(b):
            self.parent.setdefault(a, a)
            self.parent.setdefault(b, b)
            self.parent[self.find(a)] = self.find(b)

    def block(self, block: Block) -> None:
        for s in block.statements:
            target = updated(s)
            if target is not None and s not in self.apart:
                self.unite(s.outs[0], target)
                self.changed.append(s.outs[0])
            elif isinstance(s, If):
                for side in (s.then, s.orelse):
                    for out, result in zip(s.outs, side.results, strict=True):
                        self.unite(out, result)
            elif isinstance(s, Loop):
                self.loop(s)
            for inner in blocks_of(s):
                self.block(inner)

    def loop(self, s: Loop) -> None:
        for i, (init, param) in enumerate(zip(s.inits, s.body.params, strict=False)):
            if (s, i) not in self.apart:
                self.unite(param, init)
            self.unite(param, s.body.results[i])
            self.unite(s.outs[i], param)
            if s.cond is not None:
                self.unite(s.cond.params[i], param)
