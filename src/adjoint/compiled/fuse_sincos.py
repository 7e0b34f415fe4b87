"""Sines beside cosines: the derivative of each is the other, and processors make both for little more than one."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from .elementary import ELEMENTARY, Elementary
from .kernel import Block, For, If, Op, Reg, Statement, While

TWINS: dict[Elementary, Elementary] = {
    ELEMENTARY[f][0]: ELEMENTARY[g][0]
    for one, other in ((math.sin, math.cos), (np.sin, np.cos))
    for f, g in ((one, other), (other, one))
}


def with_twins(body: Block) -> Block:
    """The same program, which in loops computes them together: what the reverse sweep reads is kept, the rest goes.

    Outside of loops all values are still there in the reverse sweep, and nothing would be won.
    """
    return _of_block(body, False)


def _of_block(block: Block, in_loop: bool) -> Block:
    there = {(s.fn, s.args) for s in block.statements if isinstance(s, Op)}
    statements: list[Statement] = []
    for s in block.statements:
        match s:
            case Op(_, fn, args) if in_loop and fn in TWINS and (TWINS[fn], args) not in there:
                there.add((TWINS[fn], args))
                statements += [s, Op(Reg(TWINS[fn].name, "f"), TWINS[fn], args)]
                continue
            case If():
                s = If(s.outs, s.cond, _of_block(s.then, in_loop), _of_block(s.orelse, in_loop))
            case For():
                s = replace(s, body=_of_block(s.body, True))
            case While():
                s = While(s.outs, s.inits, s.cond, _of_block(s.body, True))
        statements.append(s)
    return Block(tuple(statements), block.params, block.results)
