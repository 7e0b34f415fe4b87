"""Sums that begin at zero begin with their first term: an addition less in what the next round waits for."""

from __future__ import annotations

from .elementary import ADD
from .kernel import Atom, Block, For, If, Lit, Op, Reg, Set, Statement, While, walk

ZERO = Lit(0.0)


def begun(body: Block) -> Block:
    """The same program, where `s = s + x` is `s = x` wherever s is known to be 0.

    The sign of a sum that is zero may differ: only cotangents vary in this way.
    """
    return _begun(body, set())


def _begun(block: Block, zero: set[Reg]) -> Block:
    """A block; `zero` are the registers that are 0 before it, and then those that are after it."""
    statements: list[Statement] = []
    for s in block.statements:
        match s:
            case Set(reg, value):
                before = statements[-1] if statements else None
                term = _other(before, reg, value) if reg in zero else None
                if term is not None:
                    s = Set(reg, term)  # and the sum is read by nobody
                (zero.add if value == ZERO else zero.discard)(reg)
            case If():
                others = set(zero)
                then, orelse = _begun(s.then, zero), _begun(s.orelse, others)
                zero &= others
                s = If(s.outs, s.cond, then, orelse)
            case For():
                zero -= _set_in(s.body)
                s = For(s.outs, s.inits, s.index, s.start, s.stop, s.step, _begun(s.body, set(zero)), s.down)
            case While():
                zero -= _set_in(s.cond) | _set_in(s.body)
                s = While(s.outs, s.inits, s.cond, _begun(s.body, set(zero)))
        statements.append(s)
    return Block(tuple(statements), block.params, block.results)


def _other(s: Statement | None, reg: Reg, value: Atom) -> Atom | None:
    """What `s` adds to a register to give this value."""
    if isinstance(s, Op) and s.fn is ADD and s.out is value and s.args[0] is reg:
        return s.args[1]
    return None


def _set_in(block: Block) -> set[Reg]:
    return {s.reg for s in walk(block) if isinstance(s, Set)}
