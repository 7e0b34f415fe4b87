"""`__next__` as a function that says whether the iterator has ended, by rewriting its syntax tree.

if self.left == 0:           if self.left == 0:
    raise StopIteration          ended, return
return self.value        →   return self.value
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from ..ir.nodes import UNDEF
from .builder import TRUE, Builder, statement
from .copying import Copier
from .nodes import shallow

ENDED = ".ended"
"""The name of what says whether there is no item."""


class End(ast.Return):
    """A `return` without a value, where there is no item."""

    _fields = ("value",)

    def __init__(self, value: None, at: ast.AST) -> None:
        super().__init__()
        self.value = value
        ast.copy_location(self, at)


@statement(End)
def end(b: Builder, node: End, rest: Sequence[ast.stmt]) -> bool:
    """`raise StopIteration`: sets the flags of all that it leaves."""
    b.env[".value"], b.env[ENDED] = UNDEF, TRUE
    b.leave(node, ".return", *b.exits)
    return True


def as_step(node: Any) -> tuple[Any, dict[ast.AST, ast.AST], ast.AST | None]:
    """The tree of `__next__` with an `End` at each `raise StopIteration`. With it come its nodes that are copies, and
    those they were made from; and such a statement that cannot be written so, if there is one: a handler may take
    it."""
    rewriter = _Rewriter()
    if isinstance(node, ast.Lambda):
        return node, {}, None
    rewritten = shallow(node)
    rewritten.body = [*map(rewriter.statement, node.body)]
    return rewritten, rewriter.copies, rewriter.refused


class _Rewriter(Copier):
    def __init__(self) -> None:
        super().__init__()
        self.refused: ast.AST | None = None

    def statement(self, s: Any) -> Any:
        match s:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return s
            case ast.Raise(ast.Name("StopIteration") | ast.Call(ast.Name("StopIteration"), [], []), None):
                return End(None, s)
            case ast.Try() | ast.TryStar() | ast.With():
                ends = [n for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == "StopIteration"]
                self.refused = self.refused or next(iter(ends), None)
        return self.parts(s)
