"""The user's files as they are read: lines, the statements on them, and the keys by which parts of a page agree."""

from __future__ import annotations

import ast
import linecache
from typing import Any, NamedTuple

from ..frontend.source import find

Span = tuple[int, int, int, int]


class Key(NamedTuple):
    """A statement: its file, by number, and its first line."""

    file: int
    line: int

    def __str__(self) -> str:
        return f"{self.file}-{self.line}"


class Sources:
    """Files by number, with their statements by line and by span."""

    def __init__(self) -> None:
        self.files: dict[str, int] = {}
        self.trees: dict[Key, Any] = {}
        """The functions, by their first lines."""
        self._starts: dict[int, dict[int, int]] = {}
        self._statements: dict[int, dict[Span, Any]] = {}
        self._calls: dict[int, dict[Span, ast.Call]] = {}

    def add(self, function: Any) -> tuple[int, int]:
        """Read the statement that a function stands in; gives its first line and its last one, decorators included.

        Raises
        ------
        SourceUnavailableError
            If there is no text, or another one.
        """
        found = find(function.__code__, function.__globals__)
        node: Any = found.node
        file = self.number(found.source.filename)
        starts, statements = self._starts.setdefault(file, {}), self._statements.setdefault(file, {})
        calls = self._calls.setdefault(file, {})
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call):
                calls[inner.lineno, inner.col_offset, inner.end_lineno or 0, inner.end_col_offset or 0] = inner
            if isinstance(inner, ast.stmt):
                first, last = inner.lineno, _head_end(inner)
                for line in range(first, last + 1):
                    starts[line] = max(first, starts.get(line, first))
                for part in (inner, getattr(inner, "value", None), *_targets(inner)):
                    if part is not None and hasattr(part, "lineno"):
                        span = part.lineno, part.col_offset, part.end_lineno, part.end_col_offset
                        statements.setdefault(span, inner)
        first_of_all: int = min([node.lineno, *[d.lineno for d in getattr(node, "decorator_list", [])]])
        self.trees[Key(file, first_of_all)] = node
        return first_of_all, int(node.end_lineno or node.lineno)

    def number(self, filename: str) -> int:
        """The number of a file."""
        return self.files.setdefault(filename, len(self.files))

    def key(self, filename: str, line: int) -> Key:
        """The key of the statement that a line belongs to."""
        file = self.number(filename)
        return Key(file, self._starts.get(file, {}).get(line, line))

    def statement(self, filename: str, span: Span) -> Any:
        """The statement at a span, or the one whose value or target is there."""
        return self._statements.get(self.number(filename), {}).get(span)

    def call(self, filename: str, span: Span) -> ast.Call | None:
        """The call at a span."""
        return self._calls.get(self.number(filename), {}).get(span)

    def lines(self, filename: str, first: int, last: int) -> list[tuple[int, str]]:
        """The lines of a file, with their numbers."""
        return [(i, linecache.getline(filename, i).rstrip("\n")) for i in range(first, last + 1)]


_BODIES = frozenset(["body", "orelse", "finalbody", "handlers", "cases", "decorator_list"])


def _head_end(node: Any) -> int:
    """The last line of a statement; of one with a body, of its head."""
    if not isinstance(getattr(node, "body", None), list):
        return int(node.end_lineno or node.lineno)
    heads = [getattr(node, name) for name in node._fields if name not in _BODIES]
    parts = [
        part for head in heads for part in (head if isinstance(head, list) else [head]) if isinstance(part, ast.AST)
    ]
    return int(max([node.lineno, *[getattr(n, "end_lineno", 0) or 0 for part in parts for n in ast.walk(part)]]))


def _targets(node: Any) -> list[Any]:
    whole = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [part for target in whole if target is not None for part in ast.walk(target) if isinstance(part, ast.expr)]
