"""Stores into lists of lists, `rows[i][j] = v`, and what is read of them, as operations of one list: the row is part of
the place.

The frontend writes a store as three statements (see `nests`), which would give a new row and new rows. As one it is
done in place wherever nobody can tell (see `reuse`), and its cotangent is taken where it lies.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

from ..ir import changes, intrinsics
from ..ir.nodes import Block, Call, Closure, Const, Function, If, Loop, Statement, Var
from ..ir.types import Scalar
from .facts import Structural
from .infer import type_of
from .nests import Nests
from .uses import calls_any, calls_of
from .versions import is_table


def by_rows(function: Function) -> Function:
    """The function with such stores and reads as one statement each, where all stores into the list are."""
    tables = [
        s for s in calls_of(function.body.statements) if calls_any((s,), (changes.stored,)) and is_table(s.args[0])
    ]
    if not tables:
        return function
    rewriter = _Rewriter(Nests(function.body))
    return replace(function, body=rewriter.block(function.body)) if rewriter.stores else function


class _Rewriter:
    def __init__(self, nests: Nests) -> None:
        self.nests = nests
        followed = nests.followed()
        roots: dict[Var, list[Call]] = {}
        for outer in followed:
            roots.setdefault(self.root(outer), []).append(outer)
        whole = {root for root, stores in roots.items() if all([_is_one(s, followed[s], nests) for s in stores])}
        self.stores = {s: inner for s, inner in followed.items() if self.root(s) in whole}
        reads = [s for s in nests.made.values() if self.is_read(s, whole)]
        self.reads: dict[Var, Call] = {s.out: s for s in reads}  # type: ignore[union-attr, misc]
        inner = {*self.stores.values()}
        self.gone: set[Statement] = {*inner, *(s for v, s in self.reads.items() if self.is_taken_apart(v, inner))}

    def root(self, s: Call) -> Var:
        return self.nests.aliases.find(s.args[0])  # type: ignore[arg-type]

    def is_read(self, s: Statement, whole: set[Var]) -> bool:
        """Tell whether a statement reads a row of one of these lists."""
        if not isinstance(s, Call) or not calls_any((s,), (operator.getitem,)) or not is_table(s.args[0]):
            return False
        return self.root(s) in whole and isinstance(type_of(s.args[1]), Scalar)  # type: ignore[arg-type]

    def is_taken_apart(self, row: Var, inner: set[Call]) -> bool:
        """Tell whether nothing but numbers is read of a row."""
        return all([s in inner or self.is_number(s, row) for s in self.nests.uses.get(row, [])])

    def is_number(self, s: Any, row: Var) -> bool:
        read = isinstance(s, Call) and calls_any((s,), (operator.getitem,)) and s.args[0] is row
        return read and isinstance(type_of(s.args[1]), Scalar)

    def block(self, block: Block) -> Block:
        return replace(block, statements=tuple([self.statement(s) for s in block.statements if s not in self.gone]))

    def statement(self, s: Statement) -> Statement:
        match s:
            case Call() if s in self.stores:
                return self.store(s, self.stores[s])
            case Call(args=(Var() as row, _)) if row in self.reads and self.is_number(s, row):
                rows, i = self.reads[row].args
                how = Structural("in_row") if s.out.active else None
                return replace(s, fn=Const(intrinsics.item_in_row), args=(rows, i, s.args[1]), how=how)
            case If():
                return replace(s, then=self.block(s.then), orelse=self.block(s.orelse))
            case Loop():
                return replace(s, body=self.block(s.body), cond=None if s.cond is None else self.block(s.cond))
            case Closure():
                return replace(s, function=replace(s.function, body=self.block(s.function.body)))
        return s

    def store(self, outer: Call, inner: Call) -> Call:
        rows, i = outer.args[:2]
        how = Structural("set_in_row") if outer.out.active else None
        return replace(
            inner, outs=outer.outs, fn=Const(changes.stored_in_row), args=(rows, i, *inner.args[1:]), how=how
        )


def _is_one(outer: Call, inner: Call, nests: Nests) -> bool:
    """Tell whether a store into a row, and the one that puts it back, are of one number."""
    read: Any = nests.made[inner.args[0]]  # type: ignore[index]
    number = calls_any((inner,), (changes.stored,)) and isinstance(type_of(inner.args[1]), Scalar)  # type: ignore[arg-type]
    return number and read.args[1] is outer.args[1] and is_table(outer.args[0]) and is_table(outer.out)
