"""The user's files as they are read: lines, the statements on them, and the keys by which parts of a page agree."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..frontend.source import find
from .passing import BODIES

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
        self._added: dict[int, tuple[Any, tuple[int, int]]] = {}
        """Code that was read, with its first and its last line, by its identity."""
        self._starts: dict[int, dict[int, int]] = {}
        self._statements: dict[int, dict[Span, Any]] = {}
        self._calls: dict[int, dict[Span, ast.Call]] = {}
        self._opened: dict[Key, list[Key]] = {}
        self._names: dict[int, set[str]] = {}

    def add(self, function: Any) -> tuple[int, int]:
        """Read the statement that a function stands in; gives its first line and its last one, decorators included.

        Raises
        ------
        SourceUnavailableError
            If there is no text, or another one.
        """
        code = function.__code__
        if id(code) in self._added:
            return self._added[id(code)][1]
        found = find(code, function.__globals__)
        node: Any = found.node
        file = self.number(code.co_filename)
        self.files.setdefault(found.source.filename, file)  # of what was pickled, the text came along
        starts, statements = self._starts.setdefault(file, {}), self._statements.setdefault(file, {})
        calls = self._calls.setdefault(file, {})
        self._names.setdefault(file, set()).update(*map(_names_in, ast.walk(node)))
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call):
                calls[inner.lineno, inner.col_offset, inner.end_lineno or 0, inner.end_col_offset or 0] = inner
            for line, body in _blocks(inner):
                self._opened.setdefault(Key(file, line), []).extend([Key(file, s.lineno) for s in body])
            if isinstance(inner, ast.stmt):
                first, last = inner.lineno, _head_end(inner)
                for line in range(_first_of(inner), last + 1):
                    starts[line] = max(first, starts.get(line, first))
                for part in (inner, getattr(inner, "value", None), *_targets(inner)):
                    if part is not None and hasattr(part, "lineno"):
                        span = part.lineno, part.col_offset, part.end_lineno, part.end_col_offset
                        statements.setdefault(span, inner)
        first_of_all = _first_of(node)
        self.trees[Key(file, first_of_all)] = node
        self._added[id(code)] = code, (first_of_all, int(node.end_lineno or node.lineno))
        return self._added[id(code)][1]

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

    def has_name(self, filename: str, name: str) -> bool:
        """True if a name may be one of the program's; others are those that a recording makes."""
        names = self._names.get(self.number(filename))
        return names is None or name in names

    def opened(self, key: Key) -> list[Key]:
        """The statements of the blocks that a line opens, `else:` and `finally:` too."""
        return self._opened.get(key, [])

    def lines(self, filename: str, first: int, last: int) -> list[tuple[int, str]]:
        """The lines of a file, with their numbers."""
        return [(i, linecache.getline(filename, i).rstrip("\n")) for i in range(first, last + 1)]


def _first_of(node: Any) -> int:
    """The first line of a statement, decorators included."""
    return int(min([node.lineno, *[d.lineno for d in getattr(node, "decorator_list", [])]]))


def _blocks(node: ast.AST) -> Iterator[tuple[int, list[Any]]]:
    """The blocks of a statement, each with the line that opens it."""
    line = getattr(node, "lineno", 0)
    if not line or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        return
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if isinstance(body, list) and body:
            last = max([getattr(s, "end_lineno", 0) or 0 for s in _before(node, name)], default=line)
            elif_ = name == "orelse" and isinstance(node, ast.If) and len(body) == 1 and isinstance(body[0], ast.If)
            if name == "body":
                yield line, body
            elif not elif_ or body[0].col_offset > node.col_offset:  # type: ignore[attr-defined]
                yield from [(at, body) for at in range(last + 1, body[0].lineno)]


def _before(node: Any, name: str) -> list[Any]:
    """The parts of a statement before one of its blocks."""
    parts = [*getattr(node, "body", ())]
    if name != "orelse" or isinstance(node, ast.Try):
        parts += getattr(node, "handlers", ())
    return parts if name == "orelse" else [*parts, *getattr(node, "orelse", ())]


def _names_in(node: ast.AST) -> list[str]:
    """The names that a node has."""
    fields = [getattr(node, name, None) for name in ("id", "arg", "name", "rest", "asname")]
    return [x for x in fields if isinstance(x, str)]


def _head_end(node: Any) -> int:
    """The last line of a statement; of one with a body, of its head."""
    if not isinstance(getattr(node, "body", None), list):
        return int(node.end_lineno or node.lineno)
    heads = [getattr(node, name) for name in node._fields if name not in BODIES]
    parts = [
        part for head in heads for part in (head if isinstance(head, list) else [head]) if isinstance(part, ast.AST)
    ]
    return int(max([node.lineno, *[getattr(n, "end_lineno", 0) or 0 for part in parts for n in ast.walk(part)]]))


def _targets(node: Any) -> list[Any]:
    whole = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [part for target in whole if target is not None for part in ast.walk(target) if isinstance(part, ast.expr)]
