"""An `__init__` as a function that returns its object, by rewriting its syntax tree."""

from __future__ import annotations

import ast
from typing import Any

from .copying import Copier
from .nodes import shallow

INITIALISE, CHECK_NONE = ".initialise", ".check_none"


def as_initialiser(node: Any, own: str, constructs: bool = False) -> tuple[Any, dict[ast.AST, ast.AST]]:
    """The tree of `__init__` with `return self` at every exit, and what goes on with the object giving it back:
    `super().__init__(...)`, `Base.build(self, ...)`, `setattr(self, ...)`, `self.build(...)`. Where it `constructs`, a
    call of the class runs it, which refuses what it returns.

    With it come its nodes that are copies, and those they were made from. All others are the old ones, by which scopes
    are known.
    """
    rewriter = _Rewriter(own, constructs)
    rewritten = shallow(node)
    body = [ast.copy_location(ast.Expr(node.body), node.body)] if isinstance(node, ast.Lambda) else node.body
    rewritten.body = [*map(rewriter.statement, body), rewriter.exit(body[-1])]
    return ast.fix_missing_locations(rewritten), rewriter.copies


class _Rewriter(Copier):
    def __init__(self, own: str, constructs: bool) -> None:
        super().__init__()
        self.own = own
        self.constructs = constructs

    def exit(self, at: ast.AST, value: ast.expr | None = None) -> ast.Return:
        own: ast.expr = ast.Name(self.own, ast.Load())
        if value is not None and self.constructs and not (isinstance(value, ast.Constant) and value.value is None):
            value = ast.Call(ast.Name(CHECK_NONE, ast.Load()), [value], [])
        if value is not None and not isinstance(value, ast.Constant):  # it runs, and is dropped
            own = ast.Subscript(ast.Tuple([value, own], ast.Load()), ast.Constant(1), ast.Load())
        return ast.copy_location(ast.Return(ast.copy_location(own, at)), at)

    def statement(self, s: Any) -> Any:
        if isinstance(s, ast.Return):
            return self.exit(s, s.value)
        if isinstance(s, ast.Expr):
            return self.call(s)
        if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return s
        return self.parts(s)

    def call(self, s: ast.Expr) -> ast.AST:
        """A call that goes on with the object, as an assignment to the object's name."""
        call = s.value
        match call:
            case ast.Call(ast.Attribute(ast.Call(ast.Name("super")))):
                pass
            case ast.Call(ast.Attribute(ast.Name(name))) if name == self.own:
                pass
            case ast.Call(ast.Attribute() | ast.Name("setattr" | "update_wrapper"), [ast.Name(name), *_]) if (
                name == self.own
            ):
                pass
            case _:
                return s
        initialise = ast.copy_location(ast.Name(INITIALISE, ast.Load()), s)
        own = ast.copy_location(ast.Name(self.own, ast.Load()), s)
        value = ast.copy_location(ast.Call(initialise, [call.func, own, *call.args], call.keywords), s)
        target = ast.copy_location(ast.Name(self.own, ast.Store()), s)
        return ast.copy_location(ast.Assign([target], value), s)
