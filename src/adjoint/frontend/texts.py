"""Texts of functions that were pickled by value, or that hold theirs themselves.

Such a pickle drops the text, and cloudpickle, by which joblib, Dask and Ray send functions of `__main__`, notebooks,
lambdas and closures, drops the name of the file as well. Where a text may be: in the file of the namespace that the
function sees, or among the pieces that came along with it. That it is the function's is known by comparing its code.
Decorators that write a function and run `exec` leave the text on it: `_code` of networkx, `__source__` of others.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import os
import sys
import textwrap
import threading
import warnings
import zlib
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from .instructions import alike


class Piece(NamedTuple):
    """Some lines of a file, from a line on; no Python statement is in them by half."""

    filename: str
    line: int
    text: str


WITHIN = "if True:\n"
"""The first line of a piece that is indented in its file, in place of what stands there."""

_CARRIED: dict[Piece, tuple[Piece, ...]] = {}
"""The pieces that came from elsewhere, the last that came at the end, and all that came with each."""

_OWN: set[str] = set()
"""Names under which `linecache` has pieces, and nothing else."""

_LOCK = threading.RLock()
_LIMIT = 4096


def lines_of(text: str) -> list[str]:
    """The lines of a text as Python counts them, to which form feeds and separators of Unicode are characters.

    >>> lines_of("a = 1\\n\\x0cb = '\\u2028'\\n")
    ['a = 1\\n', "\\x0cb = '\\u2028'\\n"]
    """
    return io.StringIO(text).readlines()


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """No warnings of a text: they were shown when it was first compiled. What has been shown is not forgotten, as
    `catch_warnings` has it, by which the user's own warnings would be shown once more."""
    filters, ignored = warnings.filters, ("ignore", None, Warning, None, 0)
    filters.insert(0, ignored)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        if ignored in filters:
            filters.remove(ignored)  # type: ignore[attr-defined]


def keep(pieces: Iterable[Piece]) -> None:
    """Remember pieces of files, by the names that these have where they come from; here such a file may be another one.

    >>> keep([Piece("<cell of another process>", 1, "def from_elsewhere(x):\\n    return 2 * x\\n")])
    >>> linecache.getline("<cell of another process>", 2)
    '    return 2 * x\\n'
    """
    together = tuple(pieces)
    for piece in together:
        shown(piece)
        with _LOCK:
            _CARRIED.pop(piece, None)
            _CARRIED[piece] = together
            if len(_CARRIED) > _LIMIT:
                del _CARRIED[next(iter(_CARRIED))]


def came_with(piece: Piece) -> tuple[Piece, ...]:
    """The pieces that a piece from elsewhere came with."""
    with _LOCK:
        return _CARRIED.get(piece, ())


def shown(piece: Piece) -> str:
    """The name under which `linecache` has a piece, for tracebacks too: that of its file unless this says otherwise."""
    lines, begin = lines_of(piece.text), piece.line - 1
    end, within = begin + len(lines), lines[:1] == [WITHIN]
    other = f"{piece.filename} as of {zlib.crc32(piece.text.encode()):08x}"
    with _LOCK:
        known = linecache.getlines(piece.filename)
        if known[begin + within : end] == lines[within:] and any(line.strip() for line in known[begin : begin + 1]):
            return piece.filename
        name = piece.filename if not known or piece.filename in _OWN else other
        if any(line.strip() for line in known[begin:end]):
            name = other
        known = linecache.getlines(name)
        padded = known + ["\n"] * (end - len(known))
        padded[begin:end] = lines
        linecache.cache[name] = (sum(map(len, padded)), None, padded, name)
        _OWN.add(name)
    return name


def take_text_of(function: FunctionType) -> None:
    """Remember the text that a function holds, where its code is that of the function; others are not of its file.

    >>> namespace = {}
    >>> exec(compile("def twice(x): return 2 * x\\n", "<made by a decorator>", "exec"), namespace)
    >>> namespace["twice"].__source__ = "def twice(x): return 2 * x\\n"
    >>> take_text_of(namespace["twice"])
    >>> linecache.getline("<made by a decorator>", 1)
    'def twice(x): return 2 * x\\n'
    """
    code = function.__code__
    if not function.__dict__ or os.path.exists(code.co_filename):
        return
    head = f"def {code.co_name}("
    for text in function.__dict__.values():
        if type(text) is str and head in text and any(alike(code, own) for own in _codes_in(text)):
            keep([Piece(code.co_filename, 1, text)])


def _codes_in(text: str) -> Iterator[CodeType]:
    """The code of a text and of what it defines; nothing of a text that is no program, as a docstring."""
    try:
        with silence():
            todo = [compile(text, "<held>", "exec", dont_inherit=True)]
    except (SyntaxError, ValueError):
        return
    while todo:
        code = todo.pop()
        todo += [x for x in code.co_consts if isinstance(x, CodeType)]
        yield code


def names_elsewhere(code: CodeType, namespace: dict[str, Any]) -> Iterator[str]:
    """Names of texts, other than that of its own file, in which the text of a code object may stand."""
    yield from _reloaded(code, namespace)
    module = sys.modules.get(namespace.get("__name__") or "")
    for file in dict.fromkeys((namespace.get("__file__"), getattr(module, "__file__", None))):
        if isinstance(file, str) and file != code.co_filename:
            yield file
    name, line = code.co_name.strip("<>"), code.co_firstlineno
    with _LOCK:
        known = [p for p in reversed(_CARRIED) if p.line <= line < p.line + p.text.count("\n")]
    for piece in known:
        if name in piece.text:
            yield shown(piece)


_RELOADED = "__autoreload_class__"
"""The name that IPython gives to the class around a method that it reloads."""


def _reloaded(code: CodeType, namespace: dict[str, Any]) -> Iterator[str]:
    """Texts as IPython's `%autoreload` compiles them: a changed function, printed from its tree."""
    if "IPython.extensions.autoreload" not in sys.modules:
        return
    path = [name for name in code.co_qualname.split(".") if name != _RELOADED]
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename, namespace)))
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == path[0]:
            text = ast.unparse(node) + "\n"
            if _RELOADED in code.co_qualname:
                text = f"class {_RELOADED}:\n" + textwrap.indent(text, "    ")
            filename = f"{code.co_filename}, {node.name} of line {node.lineno} as reloaded"
            linecache.cache[filename] = (len(text), None, lines_of(text), filename)
            yield filename
