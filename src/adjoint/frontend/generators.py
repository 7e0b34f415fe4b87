"""Generators as functions that call `yield_` for whoever runs through them, by rewriting their syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .copying import Copier
from .nodes import shallow

ITEM = ".item"
"""The name of what another generator, or a sequence, gives in `yield from`."""

_OTHERS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.GeneratorExp)
_GUARDED = (ast.Try, ast.TryStar, ast.With)


def as_generator(node: Any, leaves: bool, manages: bool = False) -> tuple[Any, dict[ast.AST, ast.AST], ast.AST | None]:
    """The tree of a generator in which `yield from xs` is a loop. Where its receiver `leaves` it, `yield x` tells so,
    and the generator returns.

    With it come its nodes that are copies, and those they were made from; and a `yield` that cannot be written so, if
    there is one: whoever leaves it, or raises while it waits, would be noticed, unless it `manages` that.
    """
    rewriter = _Rewriter(leaves, manages)
    if isinstance(node, ast.Lambda):
        return node, {}, next(_yields(node.body), None)
    rewritten = shallow(node)
    rewritten.body = [*map(rewriter.statement, node.body)]
    return ast.fix_missing_locations(rewritten), rewriter.copies, rewriter.refused


class _Rewriter(Copier):
    def __init__(self, leaves: bool, manages: bool) -> None:
        super().__init__()
        self.leaves = leaves
        self.guarded = () if manages else _GUARDED
        self.refused: ast.AST | None = None

    def statement(self, s: Any) -> Any:
        match s:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return s
            case ast.Expr(ast.YieldFrom(value)):
                return self.delegating(s, value)
            case ast.Expr(ast.Yield() as given) if self.leaves:
                return self.leaving(s, given, [])
            case ast.Assign([ast.Name() as target], ast.Yield() as given) if self.leaves:
                nothing = ast.copy_location(ast.Constant(None), given)
                return self.leaving(s, given, [ast.copy_location(ast.Assign([target], nothing), s)])
        if isinstance(s, self.guarded) or self.leaves:
            self.refused = self.refused or next(waits(s), None)
        return self.parts(s)

    def leaving(self, s: ast.stmt, given: ast.Yield, otherwise: list[ast.stmt]) -> ast.stmt:
        """`if (yield x): return`."""
        out = ast.copy_location(ast.Return(None), s)
        return ast.copy_location(ast.If(given, [out], otherwise), s)

    def delegating(self, s: ast.stmt, value: ast.expr) -> ast.stmt:
        """`for item in xs: yield item`."""
        given = ast.copy_location(ast.Expr(ast.copy_location(ast.Yield(ast.Name(ITEM, ast.Load())), s)), s)
        target = ast.copy_location(ast.Name(ITEM, ast.Store()), s)
        loop = ast.copy_location(ast.For(target, value, [self.statement(given)], []), s)
        self.copies[loop] = s
        return loop


def waits(s: ast.stmt) -> Iterator[ast.AST]:
    """The `yield`s of a statement: of one with blocks only those that are not in their statements, unless something is
    done when a block is left."""
    guarded = isinstance(s, _GUARDED)
    blocks = ("body", "orelse", "finalbody", "handlers", "cases")
    for name, value in ast.iter_fields(s):
        if guarded or name not in blocks:
            for node in value if isinstance(value, list) else [value]:
                yield from _yields(node) if isinstance(node, ast.AST) else ()


def _yields(node: ast.AST) -> Iterator[ast.AST]:
    """The `yield`s of a tree, but for those of functions within."""
    if isinstance(node, ast.Yield | ast.YieldFrom):
        yield node
    for child in ast.iter_child_nodes(node) if not isinstance(node, _OTHERS) else ():
        yield from _yields(child)
