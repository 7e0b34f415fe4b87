"""An `__init__` as a function that returns its object, by rewriting its syntax tree."""

from __future__ import annotations

import ast
import copy
from typing import Any

INITIALISE = ".initialise"


def as_initialiser(node: Any, own: str) -> tuple[Any, dict[ast.AST, ast.AST]]:
    """The tree of `__init__` with `return self` at every exit, and `super().__init__(...)` giving the object back.

    With it come its nodes that are copies, and those they were made from. All others are the old ones, by which scopes
    are known.
    """
    rewriter = _Rewriter(own)
    rewritten = copy.copy(node)
    rewritten.body = [*map(rewriter.statement, node.body), rewriter.exit(node.body[-1])]
    return ast.fix_missing_locations(rewritten), rewriter.copies


class _Rewriter:
    def __init__(self, own: str) -> None:
        self.own = own
        self.copies: dict[ast.AST, ast.AST] = {}

    def exit(self, at: ast.AST) -> ast.Return:
        return ast.copy_location(ast.Return(ast.copy_location(ast.Name(self.own, ast.Load()), at)), at)

    def statement(self, s: Any) -> Any:
        if isinstance(s, ast.Return):
            return self.exit(s)
        if isinstance(s, ast.Expr):
            return self.call(s)
        if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return s
        return self.parts(s)

    def parts(self, s: Any) -> Any:
        """A statement with blocks, or a case or handler: itself, or a copy if something in it is another."""
        new: dict[str, list[Any]] = {}
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            old = getattr(s, name, None)
            if isinstance(old, list):
                step = self.parts if name in ("handlers", "cases") else self.statement
                changed = [step(part) for part in old]
                if any(a is not b for a, b in zip(changed, old, strict=True)):
                    new[name] = changed
        if not new:
            return s
        copied = copy.copy(s)
        for name, changed in new.items():
            setattr(copied, name, changed)
        self.copies[copied] = s
        return copied

    def call(self, s: ast.Expr) -> ast.AST:
        """`super().__init__(...)` as an assignment to the object's name."""
        call = s.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "__init__"):
            return s
        base = call.func.value
        if not (isinstance(base, ast.Call) and isinstance(base.func, ast.Name) and base.func.id == "super"):
            return s
        initialise = ast.copy_location(ast.Name(INITIALISE, ast.Load()), s)
        value = ast.copy_location(ast.Call(initialise, [call.func, *call.args], call.keywords), s)
        target = ast.copy_location(ast.Name(self.own, ast.Store()), s)
        return ast.copy_location(ast.Assign([target], value), s)
