"""Texts that do something where they are taken for code, and a watch that sees them run."""

from __future__ import annotations

import ast
import builtins
import datetime
import functools
import os
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

CANARY = "adjoint_canary"
RUN = f"__import__('builtins').{CANARY}.append(1)"
"""An expression that is seen when it runs, and by its name where it only stands."""

TEXTS = (
    RUN, f"w; {RUN}", f"w\n{RUN}", f"w\n    {RUN}\n", f"w, {RUN}", f"w if {RUN} else 0", f"w or {RUN}", f"w) or ({RUN}",
    f"w] or [{RUN}", f"[{RUN}]", f".{RUN}", f"w={RUN}", f"w: {RUN}", f"'+{RUN}+'", f'"+{RUN}+"', f"'''\n{RUN}\n'''",
    f'"""\n{RUN}\n"""', f"\\' + {RUN} #", f'\\" + {RUN} #', f"{{{RUN}}}", f"{{w!r:{{{RUN}}}}}", f"w # \r{RUN}",
    f"w\x0c{RUN}", f"w\x85{RUN}", f"w\u2028{RUN}", f"lambda: {RUN}", f"*{RUN}", f"**{RUN}", f"@{RUN}", f"\t{RUN}",
)  # fmt: skip
"""Each breaks out of some place in which a name or a text may stand."""

ODD = (
    "class", "a b", "0", "1w", "", " ", "None", "__debug__", "lambda", "match", "_", "x.y", "[0]", ".w", "{",
    "}", "{}", "%s", "\\", "'", '"', "#", "\n", "\0", "\ud800", "\N{LATIN SMALL LIGATURE FI}", "fi", "\N{MICRO SIGN}",
    "\N{GREEK SMALL LETTER MU}", "é", "e\u0301", "\u202e", "x", "dx", "x_bar", "x_bar_1", "t", "t1", "f", "k0", "k1",
    "a0", "call", "read", "make", "guard", "np", "math", "float", "range", "len", "int", "abs", "at", "plus", "prange",
    "status", "value", "entry", "getattr", "type", "record", "steps", "sweep", "add", "back", "d", "k",
    "resume", "self", "args", "kwargs", "NameError", "unbound", "lambda_", "__dict", "__class",
    "_array", "njit", "return_bar",
)  # fmt: skip
"""Names that are none, that are others in their normal form, and that generated code has for itself."""

EVERY = (*TEXTS, *ODD)
SOME = EVERY if os.environ.get("ADJOINT_THOROUGH") else EVERY[datetime.date.today().toordinal() % 8 :: 8]
"""An eighth of them, another one each day."""


class Ran(AssertionError):
    """A text was taken for code."""


@contextmanager
def watched() -> Iterator[None]:
    """Fail where a hostile text has run, or stands as code in what is executed meanwhile."""
    seen: list[Any] = []
    _install_hook()
    setattr(builtins, CANARY, seen)
    _WATCHING.append(seen)
    try:
        yield
    finally:
        _WATCHING.remove(seen)
        delattr(builtins, CANARY)
        if seen:
            raise Ran(seen)


_WATCHING: list[list[Any]] = []


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if event == "exec" and _WATCHING and isinstance(args[0], types.CodeType) and CANARY in names_in(args[0]):
        _WATCHING[-1].append(args[0].co_filename)


@functools.cache
def _install_hook() -> None:
    """Watch from the first time on: a hook stays for good, and all that Python audits then takes longer."""
    sys.addaudithook(_hook)


def names_in(code: types.CodeType) -> set[str]:
    """The names that a code and those in it read."""
    found = {*code.co_names, *code.co_varnames}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found |= names_in(inner)
    return found


def check_source(text: str) -> None:
    """Fail unless a text is Python in which nothing hostile stands as code."""
    tree = ast.parse(text.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == CANARY or isinstance(node, ast.Name) and node.id == CANARY:
            raise Ran(text)
