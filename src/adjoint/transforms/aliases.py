"""Variables that stand for versions of one object, and those into which something is stored."""

from __future__ import annotations

import operator
from typing import Any

from ..ir import intrinsics
from ..ir.nodes import Atom, Block, Call, Const, If, Loop, Statement, Var, atoms_of, blocks_of
from ..ir.types import Array, Dict, Inert, List, Record, Scalar
from .effects import IN_PLACE, is_new
from .infer import is_rank0, type_of

STORES: dict[Any, int] = {
    intrinsics.list_append: 0,
    intrinsics.set_item: 0,
    intrinsics.stored: 0,
    intrinsics.extended: 0,
    intrinsics.delete_item: 0,
    intrinsics.set_attribute: 0,
    intrinsics.hold_field: 0,
    intrinsics.delete_attribute: 0,
    intrinsics.call_method: 0,
    intrinsics.in_place: 1,
    intrinsics.initialise: 1,
}
"""Calls that change an argument, by its place."""


class Aliases:
    """Variables that stand for versions of one object, united; and those into which something is stored."""

    def __init__(self) -> None:
        self.parent: dict[Var, Var] = {}
        self.stored: set[Var] = set()
        self.renewed: list[tuple[Var, Var]] = []
        self.joined: set[Var] = set()

    def settle(self) -> None:
        """What a round makes anew for the next is another object than the one that the round was given. They count as
        one where there are stores into the latter as well, or where what was made has more than one name."""
        again = True
        while again:
            stored = {self.find(v) for v in self.stored}
            named = [self.find(v) for v in self.joined] + [self.find(made) for _, made in self.renewed]
            one = [(a, b) for a, b in self.renewed if self.find(a) in stored or named.count(self.find(b)) > 1]
            again = any(self.find(a) is not self.find(b) for a, b in one)
            for a, b in one:
                self.unite(a, b)

    def find(self, v: Var) -> Var:
        while (up := self.parent.get(v, v)) is not v:
            v = up
        return v

    def unite(self, a: Atom, b: Atom) -> None:
        if isinstance(a, Var) and isinstance(b, Var):
            self.parent[self.find(a)] = self.find(b)

    def block(self, block: Block) -> None:
        for s in block.statements:
            self.statement(s)

    def statement(self, s: Statement) -> None:
        if isinstance(s, Call):
            target = stored_into(s)
            if target is not None:
                if s.outs:
                    self.unite(s.outs[-1], target)
                self.stored.add(target)
        elif isinstance(s, If):
            for block in (s.then, s.orelse):
                self.block(block)
                for out, result in zip(s.outs, block.results, strict=True):
                    self.unite(out, result)
            self.joined.update(s.outs)
        elif isinstance(s, Loop):
            self.block(s.body)
            for i, param in enumerate(s.body.params[: s.carried]):
                self.unite(param, s.inits[i])
                result = s.body.results[i]
                if isinstance(result, Var) and _made_in(result, s.body):
                    self.renewed.append((param, result))
                else:
                    self.unite(param, result)
                self.unite(s.outs[i], param)


def _made_in(v: Atom, block: Block) -> bool:
    """Whether a variable is surely a new object, made by this run of a block."""
    s = next((s for s in block.statements if v in s.outs), None)
    if isinstance(s, Call):
        target = stored_into(s)
        if target is not None:
            return v is s.outs[-1] and _made_in(target, block)
        return is_new(s, s.fn.value if isinstance(s.fn, Const) else None)
    if isinstance(s, Loop) and s.outs.index(v) < s.carried:
        i = s.outs.index(v)
        return _made_in(s.inits[i], block) and _keeps_on(s.body.params[i], s.body.results[i], s.body)
    return False


def _keeps_on(param: Var, result: Atom, block: Block) -> bool:
    """Whether what a round hands on is what it was given, with stores into it."""
    while result is not param:
        s = next((s for s in block.statements if result in s.outs), None)
        target = stored_into(s) if isinstance(s, Call) and s.outs and result is s.outs[-1] else None
        if target is None:
            return False
        result = target
    return True


def stored_into(s: Call) -> Var | None:
    """The variable that a call changes, unless it is a number."""
    if not isinstance(s.fn, Const) or type(s.fn.value).__hash__ is None:
        return None
    place = STORES.get(s.fn.value)
    if s.fn.value in IN_PLACE and isinstance(type_of(s.args[0]), List | Dict | Record | Array):  # type: ignore[arg-type]
        place = 0
    target = None if place is None else s.args[place]
    if not isinstance(target, Var) or is_rank0(target.type) or isinstance(target.type, Scalar | Inert):
        return None
    if s.fn.value is intrinsics.call_method and isinstance(target.type, Record):
        return None
    return target


def parts_of(block: Block) -> tuple[set[Call], set[Call]]:
    """What is only used for a store, so that nobody sees it: the view `x[i]` in `x[i] op= v`, the method in
    `super().__init__(...)` and `self.build(...)`; and what is read only to be called."""
    uses: dict[Var, list[Statement | None]] = {}
    reads: list[Call] = []

    def walk(block: Block) -> None:
        for s in block.statements:
            for a in atoms_of(s):
                if isinstance(a, Var):
                    uses.setdefault(a, []).append(s)
            if isinstance(s, Call) and isinstance(s.fn, Const) and s.fn.value in (operator.getitem, getattr, super):
                reads.append(s)
            for inner in blocks_of(s):
                walk(inner)
        for r in block.results:
            if isinstance(r, Var):
                uses.setdefault(r, []).append(None)

    def only_use(v: Var) -> Statement | None:
        found = uses.get(v, [])
        return found[0] if len(found) == 1 else None

    walk(block)
    parts, called = set[Call](), set[Call]()
    for read in reversed(reads):
        operation = only_use(read.out)
        store = only_use(operation.out) if isinstance(operation, Call) and len(operation.outs) == 1 else None
        if isinstance(operation, Call) and operation in parts or _goes_on(operation, read.out):
            parts.add(read)
        if isinstance(operation, Call) and operation.fn is read.out:
            called.add(read)
        stores = isinstance(store, Call) and isinstance(store.fn, Const) and store.fn.value is intrinsics.stored
        if stores and store.args[0] is read.args[0] and store.args[1] is read.args[1]:  # type: ignore[union-attr]
            parts.add(read)
    return parts, called


def _goes_on(s: Statement | None, method: Var) -> bool:
    """Whether a statement is a call of this method that goes on with an object which is being made."""
    return (
        isinstance(s, Call) and isinstance(s.fn, Const) and s.fn.value is intrinsics.initialise and s.args[0] is method
    )
