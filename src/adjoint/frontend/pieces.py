"""The pieces of files that functions are sent with to other processes, and whether they are what they came with."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType
from typing import Any

from ..depth import on_ample_stack
from ..errors import AdjointError, Place, SourceChangedError
from ..identity import IdentityMap
from .levels import level_of
from .source import Found, find, first_line, read
from .texts import WITHIN, Piece, shown

_PIECES: IdentityMap[tuple[Piece | None]] = IdentityMap()
"""By code: a pickle holds what is one object once."""

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def piece_of(f: FunctionType) -> Piece | None:
    """The lines in which a function stands, with the functions and classes around it; None if there is no text.

    >>> import textwrap
    >>> piece_of(textwrap.dedent).text.splitlines()[0]
    'def dedent(text):'
    """
    known = _PIECES.get(f.__code__)
    if known is None:
        known = _PIECES[f.__code__] = (_found(f),)
    return known[0]


def _found(f: FunctionType) -> Piece | None:
    try:
        found = find(f.__code__, f.__globals__)
    except AdjointError:
        return None  # it says so again when a derivative is asked for
    pieces = [_piece(found, statement, siblings) for statement, siblings in _statements(found.chain)]
    return next((piece for piece in reversed(pieces) if _compiles(piece.text)), None)


def _statements(chain: tuple[Any, ...]) -> Iterator[tuple[Any, list[Any]]]:
    """The statements around a function, from the outermost to the first that is a scope, each with its neighbours."""
    for parent, node in zip(chain, chain[1:], strict=False):
        if isinstance(node, ast.stmt):
            blocks = (block for _, block in ast.iter_fields(parent) if isinstance(block, list))
            yield node, next(block for block in blocks if any(other is node for other in block))
        if isinstance(node, _SCOPES):
            return


def _piece(found: Found, statement: Any, siblings: list[Any]) -> Piece:
    """All lines of a statement, and of what else stands on them."""
    first, last = first_line(statement) or 1, statement.end_lineno
    for other in reversed(siblings):
        if (first_line(other) or 1) < first <= other.end_lineno:
            first = first_line(other) or 1
    for other in siblings:
        if (first_line(other) or 1) <= last < other.end_lineno:
            last = other.end_lineno
    lines = found.source.lines[first - 1 : last]
    indented = lines[0][:1].isspace()
    text = "".join([WITHIN, *lines] if indented else lines)
    return Piece(found.source.filename, first - indented, text)


def _compiles(text: str) -> bool:
    try:
        on_ample_stack(compile, text, "<piece>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
    except (SyntaxError, ValueError):
        return False
    return True


def check(piece: Piece, codes: Iterable[CodeType]) -> None:
    """Raise `SourceChangedError` unless compiling a piece gives the code objects that came with it. It is not run.

    >>> def f(x): return x
    >>> check(Piece("<sent>", 1, "def f(x): return x\\n"), [f.__code__.replace(co_firstlineno=1)])
    >>> check(Piece("<forged>", 1, "def f(x): return -x\\n"), [f.__code__.replace(co_firstlineno=1)])
    Traceback (most recent call last):
        ...
    adjoint.errors.SourceChangedError: the text that came along with f is not what runs
      ...
    """
    name = shown(piece)
    for code in codes:
        sources = read(name, None, code.co_firstlineno), read(name)
        if all(source is None or level_of(source, code) is None for source in sources):
            line = piece.text.splitlines()[0] if piece.text else ""
            raise SourceChangedError(
                f"the text that came along with {code.co_qualname} is not what runs",
                "compiling it does not give the code that is in the pickle: one of them was changed on the way",
                "pickle the function again where it comes from",
                Place(name, (piece.line, 0, piece.line, len(line.encode())), line),
            )
        _PIECES[code] = (piece,)


__all__ = ["check", "piece_of"]
