"""A recorded function as text: its two programs, with the user's lines beside them."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from typing import Any

from .program import Program

LIMIT, WIDTH, LONGEST = 60, 110, 70
"""Comments stand no further to the right than the first, unless their own line is longer; a line that is longer than
the second with its comment has it above; a comment is no longer than the third."""


def shown(program: Program) -> str:
    """Both programs of a function, as they run.

    Beside the lines stand, as comments, the user's: in the forward program the statement, in the reverse program the
    operation that a branch reverses.
    """
    filename = program.forward.co_filename
    forward = beside(program.forward_node, lambda node: statement_at(filename, node))
    reverse = beside(program.reverse_node, lambda node: operation_at(filename, node))
    return f"{forward}\n\n{reverse}"


def rows_of(function: ast.FunctionDef) -> list[tuple[str, Any]]:
    """The lines of generated code, each with the node of the statement that begins on it, which has the place in the
    user's file; None where none begins."""
    text = ast.unparse(function)
    made = {s.lineno: node for s, node in _pairs(text, function)}
    return [(row, made.get(i)) for i, row in enumerate(text.split("\n"), start=1)]


def _pairs(text: str, function: ast.FunctionDef) -> Iterator[tuple[Any, Any]]:
    """The statements and clauses of a text, each with the node that it is the text of."""
    return zip(_statements(ast.parse(text).body[0]), _statements(function), strict=True)


def beside(function: ast.FunctionDef, original: Any) -> str:
    """The text of generated code, with comments: `original` gives what one of its statements was made of."""
    text = ast.unparse(function)
    rows = text.split("\n")
    notes: dict[int, str] = {}
    last: Any = None
    open_ = _open_rows(ast.parse(text))
    statements = [(made, node) for made, node in _pairs(text, function) if isinstance(node, ast.stmt)]
    for made, node in statements:
        note, row = original(node), made.lineno - 1
        if (note, _span(node)[0]) != last and _span(node) != _span(function) and note != rows[row].strip():
            notes.setdefault(row, note)
        last = note, _span(node)[0]
    column = max((len(rows[i]) for i in notes if len(rows[i]) <= LIMIT), default=0)
    return "".join(f"{_with_note(row, notes.get(i, ''), column, i in open_)}\n" for i, row in enumerate(rows))


def _open_rows(tree: ast.AST) -> set[int]:
    """The rows that end within a string, where no comment can stand."""
    strings = [n for n in ast.walk(tree) if isinstance(n, ast.Constant | ast.JoinedStr) and n.end_lineno is not None]
    return {i for n in strings for i in range(n.lineno - 1, (n.end_lineno or n.lineno) - 1)}


def _with_note(row: str, note: str, column: int, above: bool) -> str:
    if not note:
        return row
    if not above and max(len(row), column) + len(note) < WIDTH:
        return f"{row.ljust(column)}  # {note}"
    return f"{row[: len(row) - len(row.lstrip())]}# {note}\n{row}"


def _statements(node: Any) -> Iterator[Any]:
    """The statements and clauses of exceptions within a function, in the order of their lines."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        for inner in getattr(node, name, None) or []:
            if isinstance(inner, ast.stmt | ast.ExceptHandler) and not _is_choice(inner):
                yield inner
            yield from _statements(inner)


def _is_choice(node: ast.AST) -> bool:
    """Tell whether a statement only finds the branch of a step."""
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(id="k"))):
            return True
    return False


def _span(node: Any) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def statement_at(filename: str, node: Any) -> str:
    """The user's line that a statement begins on."""
    return _cut(linecache.getline(filename, node.lineno))


def operation_at(filename: str, node: Any) -> str:
    """The user's expression at a node, as far as it stands on one line."""
    line = linecache.getline(filename, node.lineno).encode()
    end = node.end_col_offset if node.end_lineno == node.lineno else None
    return _cut(line[node.col_offset : end].decode(errors="ignore"))


def _cut(text: str) -> str:
    """Source without what is only said, on one line that is not too long."""
    if '"' not in text and "'" not in text:
        text = text.partition("#")[0]
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."
