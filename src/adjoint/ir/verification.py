"""The rules that every piece of IR keeps, checked; tests run it after every pass."""

from __future__ import annotations

from typing import NoReturn

from ..errors import VerificationError
from ..tangents import (
    ADDITIONS,
    add_at_location,
    add_in,
    add_number_to_field,
    add_to_field,
    put_in,
    set_cotangent_of_field,
)
from ..tangents.located import ADDING
from .changes import store_field
from .intrinsics import check, check_lengths, check_unpacks, expect, observe
from .located import CHANGING, CHECKING
from .nodes import Block, Call, Closure, Const, Function, If, Loop, Span, Statement, Undef, Var, atoms_of
from .printer import printed_name

EFFECTS = (
    *(*ADDITIONS, add_at_location, add_in, put_in, observe, expect, check, check_lengths, check_unpacks),
    *(store_field, add_number_to_field, add_to_field, set_cotangent_of_field),
    *(*CHECKING, *CHANGING, *ADDING),
)
"""What may be called for its effect alone: on a buffer or a location, or on what is known of a value."""


def verify(function: Function) -> None:
    """Check that a function is well formed.

    Every variable is assigned once, before it is read and in a region around the reading; the results of regions match
    the outs of their statement, what loops carry matches their parameters, and parameters match the signature.

    Raises
    ------
    VerificationError
        If it is not; the message says what is wrong and where.
    """
    names = function.signature.names
    if names and len(function.params) not in (len(names), len(names) + 1):
        raise VerificationError(f"{function.name}: {len(function.params)} parameters for the names {names}")
    if len(function.body.results) != 1:
        raise VerificationError(f"{function.name}: {len(function.body.results)} results")
    _Verifier(function).block(function.body, frozenset())


class _Verifier:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.assigned: set[Var] = set()

    def fail(self, what: str, span: Span | None) -> NoReturn:
        place = f", line {span.line}" if span else ""
        raise VerificationError(f"{self.function.name}{place}: {what}")

    def define(self, variables: tuple[Var, ...], span: Span | None) -> None:
        for var in variables:
            if var in self.assigned:
                self.fail(f"{printed_name(self.function, var)} is assigned twice", span)
            self.assigned.add(var)

    def block(self, block: Block, outer: frozenset[Var], span: Span | None = None) -> None:
        self.define(block.params, span)
        scope = set(outer | frozenset(block.params))
        for statement in block.statements:
            for atom in atoms_of(statement):
                self.read(atom, scope, statement.span)
            self.statement(statement, frozenset(scope))
            self.define(statement.outs, statement.span)
            scope.update(statement.outs)
        for atom in block.results:
            self.read(atom, scope, span)

    def read(self, atom: object, scope: set[Var], span: Span | None) -> None:
        if isinstance(atom, Var):
            if atom not in scope:
                self.fail(f"{printed_name(self.function, atom)} is read where it is not defined", span)
        elif not isinstance(atom, (Const, Undef)):
            self.fail(f"{atom!r} is not an atom", span)

    def statement(self, statement: Statement, scope: frozenset[Var]) -> None:
        span = statement.span
        match statement:
            case Call(outs, fn):
                if not outs and not (isinstance(fn, Const) and any(fn.value is effect for effect in EFFECTS)):
                    self.fail("a call without outs", span)
                if isinstance(fn, Undef):
                    self.fail("a call of UNDEF", span)
            case If(outs, _, then, orelse):
                for name, arm in (("the first branch", then), ("the `else` branch", orelse)):
                    if arm.params or len(arm.results) != len(outs):
                        found = f"{len(arm.params)} params and {len(arm.results)} results"
                        self.fail(f"{name} of an `if` has {found}, and needs 0 and {len(outs)}", span)
                    self.block(arm, scope, span)
            case Loop():
                self.loop(statement, scope)
            case Closure(_, function):
                if len(function.body.results) != 1:
                    self.fail(f"a closure with {len(function.body.results)} results", span)
                self.block(function.body, scope, span)

    def loop(self, loop: Loop, scope: frozenset[Var]) -> None:
        span, n = loop.span, loop.carried
        if bool(loop.sequences) == (loop.cond is not None):
            self.fail("a loop needs either sequences or a condition", span)
        if loop.cond is not None:
            if len(loop.cond.params) != n or len(loop.cond.results) != 1:
                self.fail("a condition takes what its loop carries, and gives one result", span)
            self.block(loop.cond, scope, span)
        if len(loop.body.params) != n + len(loop.sequences):
            self.fail(f"a round with {len(loop.body.params)} params for {n} carried values", span)
        if len(loop.body.results) != len(loop.outs) or len(loop.outs) < n:
            self.fail(f"a round with {len(loop.body.results)} results for {len(loop.outs)} outs", span)
        if loop.exit_flag is not None and not 0 <= loop.exit_flag < n:
            self.fail(f"no carried value {loop.exit_flag} to stop on", span)
        self.block(loop.body, scope, span)
