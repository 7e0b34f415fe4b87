"""The function whose statements are being read, and those that it is written out in."""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from typing import Any

from ..errors import Place
from ..ir.nodes import Call, Function, Span, Statement


@dataclass(frozen=True, eq=False)
class Frame:
    """A function with the names that it sees, the call where it is written out, and what that call stands in."""

    function: Function
    scope: dict[str, Any]
    call: Call | None = None
    within: Frame | None = None

    @property
    def depth(self) -> int:
        """How many functions are written out around the statements."""
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
        """Where statements stand that come from another file than the outermost function: at the call in that file."""
        if self.within is None:
            return None
        outer = self.within.span
        foreign = self.function.filename != self.within.function.filename
        return outer if outer is not None or not foreign or self.call is None else self.call.span


def place_of(function: Function, s: Statement | None) -> Place:
    """Where a statement stands in the user's file."""
    span = s.span if s is not None and s.span is not None else Span(function.firstline, 0, function.firstline, 0)
    return Place(function.filename, span, linecache.getline(function.filename, span.line))
