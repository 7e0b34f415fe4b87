"""Tail duplication: what follows a branch that gives memory on one side and a number on the other stands in both sides.

    m = d.get(k, 0.0)        if k in d: v = b * d[k] + g
    v = b * m + g            else: v = b * 0.0 + g

No type holds both an array that others may have and a number. Behind the last statement that tells them apart, the
sides agree again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..ir.nodes import Atom, Block, Call, Const, If, Statement, Var, atoms_of, blocks_of, free_variables
from ..ir.types import Array, Either, Maybe, Scalar, Type
from .infer import certain, type_of
from .locating import locates
from .memory import held_by
from .missing import leaves

if TYPE_CHECKING:
    from .specialise import Specialiser

MAX_TAIL = 24
"""How many statements stand in both sides at most."""
MAX_DEPTH = 3
"""How many branches may be within one another for this."""


class Tails:
    """Branches whose sides may disagree."""

    def __init__(self) -> None:
        self.depth = 0
        """How many there are around what is read that have their tail in both sides."""
        self.branches: dict[Var, tuple[tuple[Statement, ...], If]] = {}
        """Calls that are branches, by what they give, and what stands before them."""


def read_block(sp: Specialiser, block: Block) -> None:
    """Read the statements of a block in order; those behind a branch whose sides disagree are read in both."""
    statements = block.statements
    may = locates(sp) is not None and sp.receive is None and sp.tails.depth < MAX_DEPTH
    i = 0
    while i < len(statements):
        mark = _mark(sp)
        sp.statement(statements[i])
        if leaves(statements[i], sp.statements):
            return  # nothing behind it is reached
        disagreeing = _disagreeing(sp, statements[i].outs) if may else []
        i += 1
        if disagreeing:
            i += _read_in_both(sp, statements[i - 1], statements[i:], block.results, disagreeing, mark)


def _read_in_both(
    sp: Specialiser, s: Statement, rest: Sequence[Statement], results: Sequence[Atom], disagreeing: list[Var], mark: Any
) -> int:
    """Read a statement that has been read once more, with its tail in both sides; the number of statements in that. It
    is 0 where the sides never agree."""
    before, branch = _as_branch(sp, s)
    n, agree, pending = 0, False, mark[-1]
    while branch is not None and not agree and n < (end := _last_use(rest, disagreeing)) <= MAX_TAIL:
        if any([sp.env.get(v) in pending for part in (s, *rest[:end]) for v in _reads(part)]):
            break  # what waits for its one reader cannot be read in both
        n = end
        _rewind(sp, mark)
        for statement in before:
            sp.statement(statement)
        whole = _with_tail(branch, rest[:n], rest[n:], results)
        sp.tails.depth += 1
        try:
            sp.statement(whole)
        finally:  # a function that cannot be written out is called instead
            sp.tails.depth -= 1
        disagreeing = _disagreeing(sp, whole.outs)
        agree = not disagreeing and sp.resolver.pending == pending
    if n and not agree:
        _rewind(sp, mark)
        sp.statement(s)
    return n if agree else 0


def _mark(sp: Specialiser) -> Any:
    return len(sp.statements), sp.heap.state, sp.context.unsure, {**sp.resolver.pending}


def _rewind(sp: Specialiser, mark: Any) -> None:
    """Forget what has been written since."""
    n, sp.heap.state, sp.context.unsure, pending = mark
    del sp.statements[n:]
    sp.resolver.pending.clear()
    sp.resolver.pending.update(pending)


def _disagreeing(sp: Specialiser, outs: Iterable[Var]) -> list[Var]:
    """Those of which one side gives an array that others may have, and the other a number."""
    found = []
    for out in outs:
        if isinstance(type_of(sp.env[out]), Either):
            found.append(out)
            continue
        ways = [type_of(way) for way in sp.ways.get(sp.env[out], ())]
        if any(map(_is_array, ways)) and any(map(_is_number, ways)):
            found.append(out)
    return found


def _is_array(t: Type) -> bool:
    return isinstance(held_by(t), Array) or isinstance(t, Array) and t.scalar is False


def _is_number(t: Type) -> bool:
    t = t.item if isinstance(t, Maybe) else t
    return isinstance(t, Scalar) or isinstance(t, Array) and t.scalar is True


def _as_branch(sp: Specialiser, s: Statement) -> tuple[tuple[Statement, ...], If | None]:
    """A statement as a branch, and what stands before that; no branch of one that is none, or an attempt."""
    if isinstance(s, Call):
        return sp.tails.branches.get(s.outs[0], ((), None)) if s.outs else ((), None)
    decided = isinstance(s, If) and (s.is_attempt or certain(sp.atom(s.cond)) is not None)
    return (), s if isinstance(s, If) and not decided else None


def _last_use(rest: Sequence[Statement], values: list[Var]) -> int:
    """The number of statements up to the last that reads one of the values; 0 if one of these cannot be duplicated."""
    found = max([i for i, s in enumerate(rest, 1) if not _reads(s).isdisjoint(values)], default=0)
    return found if all(isinstance(s, (Call, If)) for s in rest[:found]) else 0


def _reads(s: Statement) -> set[Any]:
    return {*atoms_of(s), *[v for block in blocks_of(s) for v in free_variables(block)]}


def _with_tail(s: If, tail: Sequence[Statement], rest: Sequence[Statement], results: Sequence[Atom]) -> If:
    """A branch with a tail in both sides, and what is read later as its results."""
    later = free_variables(Block((), tuple(rest), tuple(results)))
    made = [out for statement in (s, *tail) for out in statement.outs]
    outs = tuple([out for out in made if out in later])

    def side(block: Block) -> Block:
        given = Block((), (), block.results)
        bind = If(s.outs, Const(True), given, given, s.span)
        return Block((), (*block.statements, bind, *tail), outs)

    return If(outs, s.cond, side(s.then), side(s.orelse), s.span)
