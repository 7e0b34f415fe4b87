"""Functions that `adjoint.ir.function` has made, as functions with a text of their own to look into."""

from __future__ import annotations

import itertools
import linecache
import textwrap
import types
import weakref
from typing import Any

from ..codegen import emit
from ..errors import SourceUnavailableError, calling_place
from ..reflection.functions import ProgramFunction, is_plain

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
    emitted = emit(program.function, drop_self=True)
    text, links = emitted.text, emitted.links
    if links:
        text = f"def factory({', '.join(links)}):\n{textwrap.indent(text, '    ')}    return {emitted.name}\n"
    filename = f"<{origin_of(program)}, {next(_numbers)}>"
    module = compile(text, filename, "exec", dont_inherit=True)
    code = next(c for c in module.co_consts if isinstance(c, types.CodeType))
    made: Any = types.FunctionType(code, getattr(program.own, "__globals__", None) or {})
    made = made(*links.values()) if links else made
    made.__defaults__ = getattr(program.own, "__defaults__", None)
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    weakref.finalize(made.__code__, linecache.cache.pop, filename, None).atexit = False
    return made


def origin_of(program: Any) -> str:
    """The function that a program was read from, in words."""
    if program.own is None:
        return f"the program of {program.name}, which was built"
    code = program.own.__code__
    return f"the program of {program.name}, from {code.co_filename}:{code.co_firstlineno}"
