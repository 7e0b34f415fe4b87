"""An `__init__` as a function that returns its object, by rewriting its syntax tree."""

from __future__ import annotations

import ast
import copy
from typing import Any

INITIALISE = ".initialise"


def as_initialiser(node: Any, own: str) -> Any:
    """The tree of `__init__` with `return self` at every exit, and `super().__init__(...)` giving the object back."""
    body = [_Returns(own).visit(copy.deepcopy(statement)) for statement in node.body]
    body.append(ast.copy_location(ast.Return(_name(own, node.body[-1])), node.body[-1]))
    rewritten = copy.copy(node)
    rewritten.body = body
    return ast.fix_missing_locations(rewritten)


def _name(own: str, at: ast.AST) -> ast.Name:
    return ast.copy_location(ast.Name(own, ast.Load()), at)


class _Returns(ast.NodeTransformer):
    def __init__(self, own: str) -> None:
        self.own = own

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        return ast.copy_location(ast.Return(_name(self.own, node)), node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = node.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "__init__"):
            return node
        base = call.func.value
        if not (isinstance(base, ast.Call) and isinstance(base.func, ast.Name) and base.func.id == "super"):
            return node
        initialise = ast.copy_location(ast.Name(INITIALISE, ast.Load()), node)
        value = ast.copy_location(ast.Call(initialise, [call.func, *call.args], call.keywords), node)
        target = ast.copy_location(ast.Name(self.own, ast.Store()), node)
        return ast.copy_location(ast.Assign([target], value), node)
