"""Reads of which types say that they succeed are done once: loop-invariant code motion and common subexpressions.

Only items of tuples and of dicts with known keys, and fields of objects of which the type is known, are moved: reading
them has no effect and cannot fail. So what a loop reads of its parameters costs nothing in its rounds, forward or back,
and its cotangent is summed as that of a variable of its own.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ..ir import changes, checks, intrinsics
from ..ir.nodes import Atom, Block, Call, Const, Function, If, Loop, Star, Statement, Var
from ..ir.types import UNKNOWN, Array, Dict, Inert, Keyed, Known, List, Maybe, Record, Scalar, Tuple, Type, Variadic
from ..ir.unbound import maybe_unbound
from ..ops.questions import package_of
from ..tangents import scalar_seed
from .aliases import stored_into
from .effects import is_library_ufunc
from .facts import Callee, Structural
from .infer import type_of
from .simplify import substituted
from .uses import calls_of, is_call_of


def hoisted(function: Function) -> Function:
    """The function with each such read in front of the loops that do not change it, and done once where it is seen."""
    if not any(map(is_total_read, calls_of(function.body.statements))):
        return function
    return replace(function, body=_Hoisting(function.body).block(function.body))


def is_total_read(s: Call) -> bool:
    """Tell whether a call reads a part that is surely there, and does nothing else."""
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


_PURE = (
    *(len, bool, abs, float, int, complex, range, min, max, sum, round, pow, divmod, zip, enumerate, isinstance, type),
    *(operator.getitem, getattr, operator.is_, operator.is_not, operator.contains, slice, scalar_seed),
    *(intrinsics.make_tuple, intrinsics.make_list, intrinsics.make_dict, intrinsics.unpack, intrinsics.iterate),
    *(changes.list_append, checks.check_given, checks.check_lengths, checks.check_several, checks.check_unpacks),
    *(intrinsics.load_global, intrinsics.capture, intrinsics.default),
)
"""Functions that run no code of the user's for numbers, arrays, and containers of these."""


def is_pure(block: Block, seen: set[int] | None = None) -> bool:
    """Tell whether a program, and those that it calls, surely runs nothing but arithmetic: what changes an object or a
    dict by another name, or while it runs, would have to be known to the letter."""
    seen = set() if seen is None else seen
    return all([_computes(s, seen) for s in block.statements])


def _computes(s: Statement, seen: set[int]) -> bool:
    match s:
        case If():
            return is_settled(type_of(s.cond)) and is_pure(s.then, seen) and is_pure(s.orelse, seen)
        case Loop():
            if not all([is_settled(type_of(a)) for a in s.sequences]):
                return False
            cond = s.cond is None or is_pure(s.cond, seen) and is_settled(type_of(s.cond.results[0]))
            return cond and is_pure(s.body, seen)
        case Call(how=Callee(handle)):
            return _callee_computes(handle, seen)
        case Call():
            return _call_computes(s)
    return False


def _callee_computes(handle: Any, seen: set[int]) -> bool:
    if id(handle) in seen:
        return True
    seen.add(id(handle))
    return bool(handle.done) and handle.primal is not None and not handle.set and is_pure(handle.primal.body, seen)


def _call_computes(s: Call) -> bool:
    if not isinstance(s.fn, Const) or any([isinstance(a, Star) for a in s.args]):
        return False
    fn, of_parts = s.fn.value, is_total_read(s)
    given = [*s.args, *(v for _, v in s.kwargs)]
    if not of_parts and not all([is_settled(type_of(a)) for a in given]):  # type: ignore[arg-type]
        return False
    if any([fn is f for f in _PURE]) or isinstance(s.how, Structural):
        return of_parts or fn is not getattr or isinstance(type_of(s.args[0]), (Scalar, Array))  # type: ignore[arg-type]
    if isinstance(fn, np.ufunc):
        return is_library_ufunc(fn)
    return not isinstance(fn, type) and package_of(fn) in ("_operator", "math", "numpy", "builtins")


def is_settled(t: Type) -> bool:
    """Tell whether a type tells that there is no object of the user's in a value."""
    if isinstance(t, Tuple):
        return all(map(is_settled, t.items))
    if isinstance(t, Keyed):
        return all([is_settled(u) for _, u in t.entries])
    if isinstance(t, (List, Dict, Maybe, Variadic)):
        return is_settled(t.item)
    return isinstance(t, (Scalar, Array, Inert, Known))


class _Scope:
    """A block that is being gone through: what has been read in it, and what its statements have become."""

    def __init__(self, params: Iterable[Var], outer: _Scope | None, is_loop: bool, is_condition: bool) -> None:
        self.defined = set(params)
        self.outer = outer
        self.is_loop = is_loop
        self.is_condition = is_condition
        self.reads: dict[Any, Var] = {}
        self.statements: list[Statement] = []

    def add(self, s: Statement) -> None:
        self.statements.append(s)
        self.defined.update(s.outs)


class _Hoisting:
    def __init__(self, body: Block) -> None:
        calls = [*calls_of(body.statements)]
        expected: Any = {s.args[0] for s in calls if is_call_of(s, (intrinsics.expect,))}
        self.stays = maybe_unbound(body) | {v for s in calls if (v := stored_into(s)) is not None} | expected
        """Variables that may have no value, those that are stored into, and those of a type that holds behind a check
        alone: these are read where they are."""
        self.body = body
        self.env: dict[Var, Atom] = {}

    @functools.cached_property
    def only_tuples(self) -> bool:
        """Tell whether what holds others may change while the program runs, by more than its own stores."""
        return not is_pure(self.body, set())

    def block(
        self, block: Block, outer: _Scope | None = None, is_loop: bool = False, is_condition: bool = False
    ) -> Block:
        """A block, and those within it, with their reads where they belong."""
        scope = _Scope(block.params, outer, is_loop, is_condition)
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
                cond = None if s.cond is None else self.block(s.cond, scope, True, True)
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
        if not isinstance(container.type, Tuple) and (scope.is_condition or self.only_tuples):
            return False  # a condition may wait for what another thread does
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
