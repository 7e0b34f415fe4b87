"""Arrays of float64 that surely have one shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir import changes
from ..ir.nodes import Atom, Block, Call, Const, If, Loop, Statement, Var, blocks_of
from ..ir.types import Array
from ..ir.united import United
from ..ops.arithmetic import is_rank0
from .facts import Spliced
from .infer import type_of
from .sites import CopyOnEntry
from .versions import is_indexed, updated

_SAME_SHAPE: tuple[Any, ...] = (changes.copied, np.zeros_like, np.ones_like, np.empty_like)


class Shapes(United):
    """Arrays of float64 that surely have one shape: what elementwise operations give of one array, its versions."""

    def __init__(self, body: Block) -> None:
        self.apart: set[CopyOnEntry] = set()
        before = -1
        while len(self.apart) > before:  # a carried array is of the shape it starts with until a round says otherwise
            before = len(self.apart)
            super().__init__()
            self.block(body)

    def same(self, a: Atom, b: Atom) -> bool:
        """Tell whether two atoms are arrays of float64 of one shape."""
        both = isinstance(a, Var) and isinstance(b, Var) and is_float64(a) and is_float64(b)
        return both and self.find(a) is self.find(b)  # type: ignore[arg-type]

    def block(self, block: Block) -> None:
        for s in block.statements:
            for inner in blocks_of(s):
                if not isinstance(s, Loop):
                    self.block(inner)
            if isinstance(s, Loop):
                self.loop(s)
            elif isinstance(s, If):
                for out, a, b in zip(s.outs, s.then.results, s.orelse.results, strict=True):
                    if self.same(a, b) and is_float64(out):
                        self.join(out, a)  # type: ignore[arg-type]
            elif s.outs and is_float64(s.outs[0]) and (like := self.like(s)) is not None:
                self.join(s.outs[0], like)

    def loop(self, s: Loop) -> None:
        carried = [(i, p) for i, p in enumerate(s.body.params[: s.carried]) if is_float64(p) and is_float64(s.inits[i])]
        for i, p in carried:
            if CopyOnEntry(s, i) not in self.apart:
                self.join(p, s.inits[i])  # type: ignore[arg-type]
        for inner in blocks_of(s):
            self.block(inner)
        for i, p in carried:
            if CopyOnEntry(s, i) in self.apart:
                continue
            if not self.same(s.body.results[i], p):
                self.apart.add(CopyOnEntry(s, i))
            elif is_float64(s.outs[i]):
                self.join(s.outs[i], p)

    def like(self, s: Statement) -> Var | None:
        """The operand whose shape the result of a statement has."""
        if not isinstance(s, Call) or s.kwargs or not s.outs or not isinstance(s.fn, Const):
            return None
        if (target := updated(s)) is not None:
            return target if is_float64(target) else None
        if not isinstance(s.how, Spliced) and not any(s.fn.value is f for f in _SAME_SHAPE):
            return None
        arrays: list[Any] = [a for a in s.args if not is_rank0(type_of(a))]  # type: ignore[arg-type]
        if not arrays:
            return None
        first = arrays[0]
        return first if all(a is first or self.same(a, first) for a in arrays) and is_float64(first) else None


def is_float64(v: Any) -> bool:
    """Tell whether a variable is surely an array of float64."""
    return isinstance(v, Var) and isinstance(v.type, Array) and is_indexed(v) and v.type.dtype == "float64"
