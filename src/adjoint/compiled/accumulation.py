"""Sums of cotangents: from the first term on, and in any order, which lets processors add several at once.

The sums of the program itself keep their order: only what a reverse sweep assigns is looked at.
"""

from __future__ import annotations

from dataclasses import replace

from .elementary import ADD, PLUS
from .kernel import Atom, Block, For, If, Lit, Op, Reg, Set, Statement, While, blocks_of, reads_of, walk

ZERO = Lit(0.0)


def accumulated(body: Block) -> Block:
    """The same program, where `s = s + x` is `s = x` wherever s is known to be 0, and a sum in any order in loops that
    do nothing else with s.

    The sign of a sum that is zero may differ.
    """
    return _begun(_in_any_order(body, set()), set())


# ---- from the first term on


def _begun(block: Block, zero: set[Reg]) -> Block:
    """A block; `zero` are the registers that are 0 before it, and then those that are after it."""
    statements: list[Statement] = []
    for s in block.statements:
        match s:
            case Set(reg, value):
                term = _added(statements[-1] if statements else None, s)
                if term is not None and reg in zero:
                    s = Set(reg, term)  # and the sum is read by nobody
                (zero.add if value == ZERO else zero.discard)(reg)
            case If():
                others = set(zero)
                then, orelse = _begun(s.then, zero), _begun(s.orelse, others)
                zero &= others
                s = If(s.outs, s.cond, then, orelse)
            case For():
                zero -= _set_in(s.body)
                s = replace(s, body=_begun(s.body, set(zero)))
            case While():
                zero -= _set_in(s.cond) | _set_in(s.body)
                s = While(s.outs, s.inits, s.cond, _begun(s.body, set(zero)))
        statements.append(s)
    return Block(tuple(statements), block.params, block.results)


def _added(before: Statement | None, s: Set) -> Atom | None:
    """The term added to a register that is assigned its sum with this term, made by the statement before it; None if it
    is assigned anything else."""
    if isinstance(before, Op) and before.fn in (ADD, PLUS) and before.out is s.value and before.args[0] is s.reg:
        return before.args[1]
    return None


def _set_in(block: Block) -> set[Reg]:
    return {s.reg for s in walk(block) if isinstance(s, Set)}


# ---- in any order


def _in_any_order(block: Block, sums: set[Reg]) -> Block:
    """A block; `sums` are the registers to which the loop around it only adds."""
    statements: list[Statement] = []
    for s in block.statements:
        match s:
            case Set(reg, value) if reg in sums:
                term = _added(statements[-1], s)
                assert term is not None and isinstance(value, Reg)
                statements[-1] = Op(value, PLUS, (reg, term))
            case If():
                s = If(s.outs, s.cond, _in_any_order(s.then, sums), _in_any_order(s.orelse, sums))
            case For():
                body = _in_any_order(s.body, sums | _only_added_to(s.body))
                s = replace(s, body=body)
            case While():
                body = _in_any_order(s.body, sums | _only_added_to(s.body))
                s = While(s.outs, s.inits, s.cond, body)
        statements.append(s)
    return Block(tuple(statements), block.params, block.results)


def _only_added_to(body: Block) -> set[Reg]:
    """The registers that rounds add something to, and do not read otherwise."""
    sums: list[tuple[Reg, Atom]] = []
    read: set[Atom] = set()
    for block in (body, *(b for s in walk(body) for b in blocks_of(s))):
        read.update(block.results)
        before: Statement | None = None
        for s in block.statements:
            term = _added(before, s) if isinstance(s, Set) else None
            if term is None:
                read.update(() if before is None else reads_of(before))
            elif isinstance(s, Set):
                sums.append((s.reg, s.value))
                read.add(term)
            before = None if term is not None else s
            if isinstance(s, Set) and term is None:
                read.add(s.reg)  # it is assigned something else
        read.update(() if before is None else reads_of(before))
    return {reg for reg, _ in sums if reg not in read} - {reg for reg, total in sums if total in read}
