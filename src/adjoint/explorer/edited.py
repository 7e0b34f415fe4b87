"""Functions that `adjoint.ir.function` has made, as functions with a text of their own to look into."""

from __future__ import annotations

import itertools
from typing import Any

from ..errors import SourceUnavailableError, calling_place
from ..reflection.functions import ProgramFunction, is_plain
from ..reflection.loading import emitted_apart, of_text

_numbers = itertools.count(1)


def with_text(f: Any) -> Any:
    """A function that a program was made into as one whose source is the Python of that program; others as they are.

    Raises
    ------
    SourceUnavailableError
        If the program reads what its function captures: that is in no text.
    """
    if not isinstance(f, ProgramFunction):
        return f
    program = f.program
    if not is_plain(program):
        raise SourceUnavailableError(
            f"the program of `{program.name}` has no text to show",
            "it reads variables that its function captures, or has parameters that are not plain",
            f"explore the function that it was read from, `{program.name}`, or give all as plain arguments; "
            "`ir.reverse_differentiate` prints its derivative",
            calling_place(),
        )
    filename = f"<{origin_of(program)}, {next(_numbers)}>"
    made: Any = of_text(program, emitted_apart(program.function, drop_self=True), filename)
    made.__defaults__ = getattr(program.own, "__defaults__", None)
    return made


def origin_of(program: Any) -> str:
    """The function that a program was read from, in words."""
    if program.own is None:
        return f"the program of {program.name}, which was built"
    code = program.own.__code__
    return f"the program of {program.name}, from {code.co_filename}:{code.co_firstlineno}"
