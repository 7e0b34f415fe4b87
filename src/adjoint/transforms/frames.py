"""The function whose statements are being read, and those that it is written out in."""

from __future__ import annotations

import linecache
from dataclasses import dataclass, field
from typing import Any

from ..errors import Place
from ..ir.nodes import Call, Const, Function, Span, Statement, Undef


@dataclass(frozen=True, eq=False)
class Frame:
    """A function with the names that it sees, the call where it is written out, and what that call stands in."""

    function: Function
    scope: dict[str, Any]
    call: Call | None = None
    within: Frame | None = None
    constants: dict[Const, Const] = field(default_factory=dict)
    """Those that are written out, by what they are in the function."""

    @property
    def depth(self) -> int:
        """The number of functions that are written out around the statements."""
        return 0 if self.within is None else 1 + self.within.depth

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions that are written out, from the outermost on."""
        return () if self.within is None else (*self.within.functions, self.function)

    @property
    def calls(self) -> tuple[Call | None, ...]:
        """The calls where they are."""
        return () if self.within is None else (*self.within.calls, self.call)

    @property
    def span(self) -> Span | None:
        """The place of statements that come from another file than the outermost function: that of the call in that
        file."""
        if self.within is None:
            return None
        outer = self.within.span
        foreign = self.function.filename != self.within.function.filename
        return outer if outer is not None or not foreign or self.call is None else self.call.span

    def constant(self, atom: Const | Undef) -> Const | Undef:
        """A constant, whose place tells of the calls where it is written out, as those of statements do."""
        if self.within is None or isinstance(atom, Undef) or atom.span is None:
            return atom
        if atom not in self.constants:
            span = self.span or atom.span
            for call in reversed(self.calls):
                span = span if call is None or call.span is None else span.within(call.span)
            self.constants[atom] = Const(atom.value, atom.label, span)
        return self.constants[atom]


def place_of(function: Function, s: Statement | None) -> Place:
    """The place of a statement in the user's file."""
    span = s.span if s is not None and s.span is not None else Span(function.firstline, 0, function.firstline, 0)
    return Place(function.filename, span, linecache.getline(function.filename, span.line))
