"""The rules that every piece of IR keeps, checked; tests run it after every pass."""

from __future__ import annotations

import linecache
from typing import NoReturn

from ..errors import Place, VerificationError
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
from .changes import store_field, store_global
from .checks import check_given, check_lengths, check_several, check_unpacks
from .classes import look_up
from .fields import check_fields
from .intrinsics import check, expect, observe
from .located import CHANGING, CHECKING
from .nodes import Block, Call, Closure, Const, Function, If, Loop, Span, Statement, Undef, Var, atoms_of
from .printer import printed_name, printed_statement

EFFECTS = (
    *(*ADDITIONS, add_at_location, add_in, put_in, observe, expect, check),
    *(check_given, check_lengths, check_several, check_unpacks),
    *(store_field, store_global, add_number_to_field, add_to_field, set_cotangent_of_field),
    *(*CHECKING, *CHANGING, *ADDING, look_up),
)
"""Functions called for their effect alone: on a buffer, a location, a global name, or what is known of a value."""


def verify(function: Function) -> None:
    """Check that a function is well formed.

    Every variable is assigned once, before it is read and in a region around the reading; the results of regions match
    the outs of their statement, what loops carry matches their parameters, and parameters match the signature.

    Raises
    ------
    VerificationError
        If it is not; the message says what is wrong and where.
    """
    check_fields(function)
    names = function.signature.names
    if names and len(function.params) not in (len(names), len(names) + 1):
        raise VerificationError(
            f"{function.name}: {len(function.params)} parameters for the names {names}",
            "the first parameter stands for the function itself, and one follows for each name of the signature",
            "give the block as many parameters, or the signature as many names",
        )
    if len(function.body.results) != 1:
        raise VerificationError(
            f"{function.name}: {len(function.body.results)} results",
            "a function gives one value",
            "give several as a tuple: a call of `make_tuple`, or `(x, y)` in an `ir.Builder`",
        )
    _Verifier(function).block(function.body, frozenset())


class _Verifier:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.assigned: set[Var] = set()
        self.at: Statement | None = None

    def fail(self, what: str, span: Span | None, way_out: str) -> NoReturn:
        place = f", line {span.line}" if span else ""
        line = printed_statement(self.function, self.at) if self.at is not None else ""
        raise VerificationError(
            f"{self.function.name}{place}: {what}", f"it stands in `{line}`" if line else "", way_out, self.place(span)
        )

    def place(self, span: Span | None) -> Place | None:
        """The line of the user's that a statement was made of."""
        filename = self.function.filename
        line = linecache.getline(filename, span.line) if span else ""
        return Place(filename, span[:4], line) if span and line else None

    def define(self, variables: tuple[Var, ...], span: Span | None) -> None:
        for var in variables:
            if var in self.assigned:
                name = printed_name(self.function, var)
                self.fail(f"{name} is assigned twice", span, "make a variable of its own for each result: `ir.Var()`")
            self.assigned.add(var)

    def block(self, block: Block, outer: frozenset[Var], span: Span | None = None) -> None:
        self.define(block.params, span)
        scope = set(outer | frozenset(block.params))
        for statement in block.statements:
            self.at = statement
            for atom in atoms_of(statement):
                self.read(atom, scope, statement.span)
            self.statement(statement, frozenset(scope))
            self.at = statement
            self.define(statement.outs, statement.span)
            scope.update(statement.outs)
        self.at = None
        for atom in block.results:
            self.read(atom, scope, span)

    def read(self, atom: object, scope: set[Var], span: Span | None) -> None:
        if isinstance(atom, Var) and atom not in scope:
            what = f"{printed_name(self.function, atom)} is read where it is not defined"
            self.fail(what, span, "let an earlier statement give it, in the same block or in one around it")

    def statement(self, statement: Statement, scope: frozenset[Var]) -> None:
        span = statement.span
        match statement:
            case Call(outs, fn):
                if not outs and not (isinstance(fn, Const) and any(fn.value is effect for effect in EFFECTS)):
                    self.fail("a call without outs", span, "give its result a variable, `(ir.Var(),)`, read or not")
                if isinstance(fn, Undef) or isinstance(fn, Const) and not callable(fn.value):
                    what = f"a call of {fn!r}" + ", which cannot be called" * isinstance(fn, Const)
                    self.fail(what, span, "call a function, or a variable that holds one")
            case If(outs, _, then, orelse):
                for name, arm in (("the first branch", then), ("the `else` branch", orelse)):
                    if arm.params or len(arm.results) != len(outs):
                        found = f"{len(arm.params)} params and {len(arm.results)} results"
                        what = f"{name} of an `if` has {found}, and needs 0 and {len(outs)}"
                        self.fail(what, span, "let each branch give one result for each variable before the `=`")
                    self.block(arm, scope, span)
            case Loop():
                self.loop(statement, scope)
            case Closure(_, function):
                if len(function.body.results) != 1:
                    results = len(function.body.results)
                    self.fail(f"a closure with {results} results", span, "let it give one, such as a tuple")
                self.block(function.body, scope, span)

    def loop(self, loop: Loop, scope: frozenset[Var]) -> None:
        span, n = loop.span, loop.carried
        if bool(loop.sequences) == (loop.cond is not None):
            what = "a loop needs either sequences or a condition"
            self.fail(what, span, "give a `for` what it runs over, and a `while` the block of its condition")
        if loop.cond is not None:
            if len(loop.cond.params) != n or len(loop.cond.results) != 1:
                what = "a condition takes what its loop carries, and gives one result"
                self.fail(what, span, f"give its block {n} parameters and one result")
            self.block(loop.cond, scope, span)
        if len(loop.body.params) != n + len(loop.sequences):
            what = f"a round with {len(loop.body.params)} params for {n} carried values"
            self.fail(what, span, "give it one for each carried value, and one for the item of each sequence")
        if len(loop.body.results) != len(loop.outs) or len(loop.outs) < n:
            what = f"a round with {len(loop.body.results)} results for {len(loop.outs)} outs"
            self.fail(what, span, "let it give what each carried value is in the next round, then what is collected")
        if loop.exit_flag is not None and not 0 <= loop.exit_flag < n:
            what = f"no carried value {loop.exit_flag} to stop on"
            self.fail(what, span, "give the place of a flag among the carried values, from 0, or None")
        self.block(loop.body, scope, span)
