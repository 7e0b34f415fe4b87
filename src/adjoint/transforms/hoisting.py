"""Reads of which types say that they succeed are done once: loop-invariant code motion and common subexpressions.

Only items of tuples and of dicts with known keys, and fields of objects of which the type is known, are moved: reading
them has no effect and cannot fail. So what a loop reads of its parameters costs nothing in its rounds, forward or back,
and its cotangent is summed as that of a variable of its own.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ..ir import intrinsics
from ..ir.nodes import Atom, Block, Call, Const, Function, If, Loop, Star, Statement, Var
from ..ir.types import UNKNOWN, Array, Dict, Keyed, List, Record, Scalar, Tuple, Type
from ..ir.unbound import maybe_unbound
from .aliases import stored_into
from .facts import Callee, Structural
from .infer import type_of
from .simplify import substituted
from .uses import calls_of


def hoisted(function: Function) -> Function:
    """The function with each such read in front of the loops that do not change it, and done once where it is seen."""
    if not any(map(is_total_read, calls_of(function.body.statements))):
        return function
    return replace(function, body=_Hoisting(function.body).block(function.body))


def is_total_read(s: Call) -> bool:
    """Whether a call reads a part that is surely there, and does nothing else."""
    if not isinstance(s.fn, Const) or len(s.args) != 2 or s.kwargs or len(s.outs) != 1:
        return False
    container, part = s.args
    if not isinstance(container, Var) or not isinstance(part, Const):
        return False
    t, value = container.type, part.value
    if s.fn.value is operator.getitem and _is_structural(s, "part", "key"):
        if isinstance(t, Tuple):
            return t.cls is tuple and type(value) is int and -len(t.items) <= value < len(t.items)
        return isinstance(t, Keyed) and type(value) is str and value in dict(t.entries)
    return s.fn.value is getattr and _is_structural(s, "field") and isinstance(t, Record) and s.out.type != UNKNOWN


def _is_structural(s: Call, *kinds: str) -> bool:
    return s.how is None or isinstance(s.how, Structural) and s.how.kind in kinds


_LOOKS = (
    *(operator.getitem, getattr, len, bool, type, isinstance, operator.is_, operator.is_not, operator.contains),
    *(intrinsics.make_tuple, intrinsics.make_list, intrinsics.make_dict, intrinsics.make_function),
)
"""What changes nothing in what it is given."""


def _may_change(s: Call) -> bool:
    """Whether a call may change what holds others, by other means than the stores of the program."""
    if isinstance(s.how, Callee) or isinstance(s.fn, Const) and any([s.fn.value is f for f in _LOOKS]):
        return False  # a callee that stores into its arguments has no rule to be called by
    given = [a.value if isinstance(a, Star) else a for a in (*s.args, *(v for _, v in s.kwargs))]
    return any([_holds(type_of(a)) for a in given])


def _holds(t: Type) -> bool:
    if isinstance(t, List | Dict):
        return isinstance(t, Dict) or not isinstance(t.item, Scalar | Array)
    return isinstance(t, Record) or isinstance(t, Tuple) and any(map(_holds, t.items))


class _Scope:
    """A block that is being gone through: what has been read in it, and what its statements have become."""

    def __init__(self, params: Iterable[Var], outer: _Scope | None, is_loop: bool) -> None:
        self.defined = set(params)
        self.outer = outer
        self.is_loop = is_loop
        self.reads: dict[Any, Var] = {}
        self.statements: list[Statement] = []

    def add(self, s: Statement) -> None:
        self.statements.append(s)
        self.defined.update(s.outs)


class _Hoisting:
    def __init__(self, body: Block) -> None:
        calls = [*calls_of(body.statements)]
        self.stays = maybe_unbound(body) | {v for s in calls if (v := stored_into(s)) is not None}
        """Variables that may have no value, and those that are stored into: these are read where they are."""
        self.only_tuples = any(map(_may_change, calls))
        self.env: dict[Var, Atom] = {}

    def block(self, block: Block, outer: _Scope | None = None, is_loop: bool = False) -> Block:
        """A block, and those within it, with their reads where they belong."""
        scope = _Scope(block.params, outer, is_loop)
        for s in block.statements:
            if isinstance(s, Call):
                new = substituted(s, self.env)
                assert isinstance(new, Call)
                if not self.is_moved(new, scope):
                    scope.add(new)
            else:
                scope.add(self.region(s, scope))
        return Block(block.params, tuple(scope.statements), tuple(map(self.atom, block.results)))

    def region(self, s: Statement, scope: _Scope) -> Statement:
        match s:
            case If():
                then, orelse = self.block(s.then, scope), self.block(s.orelse, scope)
                return replace(s, cond=self.atom(s.cond), then=then, orelse=orelse)
            case Loop():
                inits, sequences = tuple(map(self.atom, s.inits)), tuple(map(self.atom, s.sequences))
                cond = None if s.cond is None else self.block(s.cond, scope, True)
                return replace(s, inits=inits, sequences=sequences, cond=cond, body=self.block(s.body, scope, True))
            case _:
                return substituted(s, self.env)

    def atom(self, a: Atom) -> Atom:
        return self.env.get(a, a) if isinstance(a, Var) else a

    def is_moved(self, s: Call, scope: _Scope) -> bool:
        """Put a read in front of the loops that do not change what it reads; or let an earlier one stand for it."""
        if not is_total_read(s) or self.stays & {s.out, s.args[0]}:
            return False
        container: Any = s.args[0]
        if self.only_tuples and not isinstance(container.type, Tuple):
            return False
        key = s.fn.value, container, s.args[1].value  # type: ignore[union-attr]
        at, around = scope, scope
        while True:
            if key in around.reads:
                self.env[s.out] = around.reads[key]
                return True
            if container in around.defined or around.outer is None:
                break
            around = around.outer if not around.is_loop else (at := around.outer)
        if not s.out.name and isinstance(key[2], str) and key[2].isidentifier():
            self.env[s.out] = named = Var(key[2], s.out.type, s.out.active)
            s = replace(s, outs=(named,))
        at.add(s)
        at.reads[key] = s.out
        return True
