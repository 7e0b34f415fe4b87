"""Places of statements in the user's file."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """The place of a statement in the user's file: lines from 1, columns from 0, as in `ast`.

    Attributes
    ----------
    line, col : where it begins.
    end_line, end_col : where it ends.

    Examples
    --------
    >>> from adjoint import ir
    >>> span = ir.of(lambda x: x * x).statements[0].span
    >>> span.end_col - span.col, span.end_line - span.line
    (5, 0)
    """

    line: int
    col: int
    end_line: int
    end_col: int

    def calls(self) -> list[Span]:
        """The places of the calls where the function of a statement is written out, from the innermost on."""
        return []

    def within(self, call: Span) -> Span:
        """This place, of a function that is written out at a call."""
        made = WrittenOut(*self)
        made.around = [*self.calls(), call]
        return made


class WrittenOut(Span):
    """The place of a statement of a function that is written out where it is called."""

    around: list[Span]

    def calls(self) -> list[Span]:
        return self.around
