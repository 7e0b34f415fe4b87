"""Reverse regions for the cotangent of one item of a result: what comes of the others, which have none, is left out."""

from __future__ import annotations

import operator
from collections.abc import Sequence

from ..ir.nodes import Atom, Block, Call, Const, Statement, Var
from ..tangents import accumulate, instantiate_zeros, item_bar
from .simplify import substituted

NONE, ZERO = Const(None), Const(0.0)


def seeded(block: Block, y_bar: Var, items: Sequence[Atom]) -> Block:
    """The block with the cotangent `y_bar` of a tuple known item by item; None stands for nothing that flows."""
    env: dict[Var, Atom] = {}
    kept: list[Statement] = []
    for s in block.statements:
        found = _known(s, y_bar, items, env) if isinstance(s, Call) and len(s.outs) == 1 and not s.kwargs else None
        if found is None:
            kept.append(substituted(s, env))
        elif isinstance(found, Call):
            kept.append(found)
        else:
            env[s.outs[0]] = found
    return Block(block.params, tuple(kept), tuple([env.get(r, r) if isinstance(r, Var) else r for r in block.results]))


def _known(s: Call, y_bar: Var, items: Sequence[Atom], env: dict[Var, Atom]) -> Atom | Call | None:
    """The value of a call, as far as it comes of what does not flow, or what is left of it."""
    fn = s.fn.value if isinstance(s.fn, Const) else None
    args = [env.get(a, a) if isinstance(a, Var) else a for a in s.args]
    match args:
        case [a]:
            if fn is instantiate_zeros and any([a is known for known in (NONE, *items)]):
                return ZERO if a is NONE else a  # type: ignore[return-value]
            return ZERO if fn is operator.neg and a is ZERO else None
        case [a, b] if fn is item_bar:
            if a is y_bar and isinstance(b, Const) and isinstance(b.value, int):
                return items[b.value]
            return NONE if a is NONE else None
        case [a, b] if fn is accumulate:
            return b if a is NONE else a if b is NONE else None  # type: ignore[return-value]
        case [a, b] if fn is operator.mul or fn is operator.truediv:
            return ZERO if a is ZERO or b is ZERO and fn is operator.mul else None
        case [a, b] if fn is operator.add or fn is operator.sub:
            if b is ZERO:
                return a  # type: ignore[return-value]
            if a is ZERO:
                return b if fn is operator.add else Call(s.outs, Const(operator.neg), (b,), (), s.span, s.how)  # type: ignore[return-value]
    return None
