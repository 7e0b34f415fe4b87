"""Attempts that an exception leaves: where it comes half-way, and that would be seen, the run is given up.

It is recorded then. So a program in which no exception comes is reversed in its structure, whatever its handlers do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import AdjointError
from ..ir import exceptions
from ..ir.nodes import UNDEF, Atom, Block, Call, Const, Function, If, Loop, Statement, Var, free_variables
from ..ir.raising import ends
from ..ir.types import Inert
from .aliases import Aliases, stored_into
from .attempts import half_done, memory_half_done, stores_half_done
from .frames import place_of
from .heap import Owner
from .nests import nested_stores
from .uses import calls_of, has_attempts, is_call_of

if TYPE_CHECKING:
    from .specialise import Specialiser


def left(sp: Specialiser, s: If, changed: set[Owner]) -> tuple[list[Statement], tuple[Atom, ...] | None]:
    """The second block of an attempt, typed; None for its results where it leaves in its turn. Where it would see what
    has `changed` half-way, or others would, the run is given up there."""
    heap = sp.heap
    outer, heap.reads = heap.reads, set()
    around = sp.statements, sp.here, sp.round, sp.loops, sp.iterated, sp.appended
    try:
        statements, results = sp.region(s.orelse)
    except AdjointError:  # met again, if an exception comes
        if sp.context.plain or not _may_be_given_up(s.orelse):
            raise
        sp.statements, sp.here, sp.round, sp.loops, sp.iterated, sp.appended = around
        return given_up(s, (), "a field", sp.context.function), None
    finally:
        seen, heap.reads = heap.reads, outer | heap.reads
    leaves = not ends(Block((), tuple(statements), ()))
    if changed and not (leaves and seen.isdisjoint(changed)):
        return given_up(s, statements, "a field", sp.context.function), None
    return statements, None if leaves else results


def _may_be_given_up(block: Block) -> bool:
    """Tell whether no manager is left in a block that may be one of others."""
    return not any(is_call_of(c, (exceptions.leave,)) for c in calls_of(block.statements))


def given_up(s: If, statements: Sequence[Statement], what: str, function: Function) -> list[Statement]:
    """The second block of an attempt that is given up there: of managers only those are left that are known."""
    error = Var("error", Inert(BaseException))
    kept = [c for c in statements if is_call_of(c, (exceptions.caught, exceptions.leave))]
    if sum(is_call_of(c, (exceptions.leave,)) for c in calls_of(statements)) > len(kept):
        raise half_done(what, place_of(function, s))
    asked = Call((error,), Const(exceptions.caught), (), (), s.span)
    return [*kept, asked, Call((Var(""),), Const(exceptions.give_up), (error,), (), s.span)]


def seen_half_done(s: If, find: Callable[[Var], Var]) -> Call | None:
    """A call of an attempt that changes what was there before, with something behind it that may raise, if anybody sees
    that: nobody does in a second block that leaves in its turn, and reads nothing of it."""
    calls = [*stores_half_done(s, find)]
    if not calls or any(is_call_of(c, (exceptions.give_up,)) for c in s.orelse.statements):
        return None
    changed = [stored_into(c) for c in calls]
    read = {find(v) for v in free_variables(s.orelse)}
    seen = ends(s.orelse) or any(v is None or find(v) in read for v in changed)
    return calls[0] if seen else None


def giving_up(function: Function) -> Function:
    """A function whose attempts are given up that change what was there before, with something behind it that may
    raise."""
    if not has_attempts(function.body):
        return function
    aliases = Aliases(nested_stores(function.body))
    aliases.block(function.body)
    aliases.settle()

    def block(old: Block) -> Block:
        statements = tuple(map(statement, old.statements))
        same = all(a is b for a, b in zip(statements, old.statements, strict=True))
        return old if same else Block(old.params, statements, old.results)

    def statement(s: Statement) -> Statement:
        if isinstance(s, Loop):
            body = block(s.body)
            return s if body is s.body else replace(s, body=body)
        if not isinstance(s, If):
            return s
        then, orelse = block(s.then), block(s.orelse)
        if s.is_attempt and (memory_half_done(s) or seen_half_done(s, aliases.find) is not None):
            left = given_up(s, s.orelse.statements, "what others see", function)
            orelse = Block((), tuple(left), (UNDEF,) * len(s.outs))
        return s if then is s.then and orelse is s.orelse else replace(s, then=then, orelse=orelse)

    body = block(function.body)
    return function if body is function.body else replace(function, body=body)
