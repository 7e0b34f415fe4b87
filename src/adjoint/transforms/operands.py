"""Parts of arrays that are operands, and nothing else: what is read of them is read at once."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..identity import is_hashable
from ..ir import intrinsics
from ..ir.nodes import Atom, Block, Call, Const, Function, Var, atoms_of, blocks_of
from ..ops.questions import of_numpy
from .displays import Displays
from .effects import PLAIN

_COMPUTING = frozenset([*PLAIN.values(), operator.neg, operator.pos, operator.matmul, abs, np.matmul])
_QUIET = _COMPUTING | {operator.getitem, getattr, intrinsics.load_global, intrinsics.capture, intrinsics.make_tuple}
"""What stores into nothing."""


class Operands:
    """The variables of a function that are only operands of what computes, before anything may be stored."""

    def __init__(self, function: Function, displays: Displays) -> None:
        self.functions = displays.functions
        self.others: set[Atom] = set()
        self.made: dict[Atom, tuple[Block, int]] = {}
        self._block(function.body)

    def __contains__(self, v: Var) -> bool:
        return v in self.made and v not in self.others

    def _block(self, block: Block) -> None:
        stores = 0
        for s in block.statements:
            computes = isinstance(s, Call) and self._is_of(s, _COMPUTING)
            for a in atoms_of(s):
                if not computes or self.made.get(a) != (block, stores):
                    self.others.add(a)
            if not (isinstance(s, Call) and (computes or self._is_of(s, _QUIET))):
                stores += 1
            for inner in blocks_of(s):
                self._block(inner)
            self.made.update(dict.fromkeys(s.outs, (block, stores)))
        self.others.update(block.results)

    def _is_of(self, s: Call, functions: frozenset[Any]) -> bool:
        fn = s.fn.value if isinstance(s.fn, Const) else self.functions.get(s.fn)
        if isinstance(fn, np.ufunc) or of_numpy(fn) and fn in _REDUCTIONS:
            return not s.kwargs and len(s.args) <= getattr(fn, "nin", 1)
        return is_hashable(fn) and fn in functions


_REDUCTIONS = frozenset([np.sum, np.mean, np.max, np.min, np.prod])
