"""Statements that surely raise nothing: what stands between two of them either happens with both or with none."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from . import intrinsics
from .exceptions import raise_again
from .intrinsics import raise_
from .nodes import Block, Call, Closure, Const, If, Loop, Star, Statement, Var, blocks_of
from .types import Scalar

_ON_FLOATS = (
    *(operator.add, operator.sub, operator.mul, operator.neg, operator.pos, operator.abs, float, bool, abs),
    *(operator.iadd, operator.isub, operator.imul),
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne),
)
"""Functions that are total on floats."""

_ON_ANYTHING = (operator.is_, operator.is_not, intrinsics.make_tuple, intrinsics.make_list, intrinsics.observe)
"""Functions that are total on any values."""


def may_raise(s: Statement) -> bool:
    """Whether a statement may raise: all may but arithmetic of floats and what only moves values."""
    match s:
        case Closure():
            return False
        case Call():
            return not _is_total(s)
        case Loop():
            return True
        case If(cond=cond):
            asked = not s.is_attempt and not _is_float(cond)
            return asked or any(map(may_raise, [inner for b in blocks_of(s) for inner in b.statements]))


def _is_total(s: Call) -> bool:
    if not isinstance(s.fn, Const) or s.kwargs or any([isinstance(a, Star) for a in s.args]):
        return False
    fn = s.fn.value
    if any([fn is f for f in _ON_ANYTHING]):
        return True
    return any([fn is f for f in _ON_FLOATS]) and all(map(_is_float, s.args))


def _is_float(a: Any) -> bool:
    """Whether an atom is an exact float or bool: an integer may be too large for a float."""
    if isinstance(a, Const):
        return type(a.value) in (float, bool)
    return isinstance(a, Var) and isinstance(a.type, Scalar) and a.type.kind in ("float", "bool")


def ends(block: Block) -> bool:
    """Whether control may come to the end of a block: its last statement is no `raise`."""
    last = block.statements[-1] if block.statements else None
    if isinstance(last, If):
        return any(map(ends, blocks_of(last)))
    return not (isinstance(last, Call) and isinstance(last.fn, Const) and last.fn.value in (raise_, raise_again))


def raises_from(statements: Sequence[Statement], index: int) -> bool:
    """Whether any of the statements from one on may raise."""
    return any(map(may_raise, statements[index:]))


def final_calls(block: Block) -> set[Call]:
    """The calls of a block behind which nothing raises, with the last one that may: where one of these raises it has
    changed nothing, and where it does not the block comes to its end."""
    found: set[Call] = set()
    for s in reversed(block.statements):
        if isinstance(s, Call):
            found.add(s)
        if may_raise(s):
            break
    return found
