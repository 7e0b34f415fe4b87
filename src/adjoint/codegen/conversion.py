"""Closure conversion: what a nested function reads of the one around it becomes defaults of its own.

A closure is a cell for each variable. The garbage collector runs through all cells for as long as a tape lives: in a
recursion of a thousand calls, that took six times as long as the derivative. Defaults are one tuple, and the variables
of both functions are fast locals. The text stays a closure, which means the same.
"""

from __future__ import annotations

import ast
from typing import Any

_SCOPES = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LEAVING = (ast.Return, ast.Raise)


def convert_closures(function: ast.FunctionDef) -> None:
    """Give the functions nested in a definition defaults for the variables that are surely bound where these are made,
    and are not bound anew after that. Those made in a loop, an attempt or a `with` stay as they are.

    >>> module = ast.parse("def f(x):\\n    y = x * x\\n    def back(d):\\n        return d * y\\n    return y, back")
    >>> convert_closures(module.body[0])
    >>> print(ast.unparse(module.body[0].body[1]))
    def back(d, /, y=y):
        return d * y
    """
    conversion = _Conversion()
    conversion.block(function.body, {arg.arg for arg in _parameters(function)})
    for inner, names in conversion.candidates:
        _bind(inner, sorted(names - conversion.rebound.get(inner, set())))
        convert_closures(inner)


class _Conversion:
    """The nested functions of one, found in the order of its text."""

    def __init__(self) -> None:
        self.candidates: list[tuple[ast.FunctionDef, set[str]]] = []
        """Each with the variables that it reads and that are bound where it is made."""
        self.rebound: dict[ast.FunctionDef, set[str]] = {}
        """What is bound or deleted after it was made."""

    def block(self, statements: list[ast.stmt], bound: set[str]) -> set[str]:
        """The variables that are surely bound after statements before which `bound` are."""
        for s in statements:
            if isinstance(s, ast.FunctionDef):
                self.function(s, bound)
                changed = {s.name}
            elif isinstance(s, ast.If):
                bound = self.branches(s, bound)
                continue
            else:
                changed = _changed(s)
            for names in self.rebound.values():
                names |= changed
            if isinstance(s, (ast.Assign, ast.AugAssign, ast.Expr, ast.FunctionDef)):
                bound = bound | changed
            else:
                bound = bound - _changed(s, ast.Del)
        return bound

    def branches(self, s: ast.If, bound: set[str]) -> set[str]:
        """The variables that both branches bind; those of one if the other leaves the function."""
        then, orelse = self.block(s.body, bound), self.block(s.orelse, bound)
        if isinstance(s.body[-1], _LEAVING):
            return orelse
        return then if s.orelse and isinstance(s.orelse[-1], _LEAVING) else then & orelse

    def function(self, inner: ast.FunctionDef, bound: set[str]) -> None:
        """A nested function, where `bound` are the variables of the one around it."""
        plain = not (inner.args.kwonlyargs or inner.args.vararg or inner.args.kwarg or inner.args.defaults)
        self.candidates.append((inner, _read(inner) & bound if plain else set()))
        self.rebound[inner] = set()


def _parameters(f: ast.FunctionDef) -> list[ast.arg]:
    given = f.args
    stars = [arg for arg in (given.vararg, given.kwarg) if arg is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *stars]


def _changed(s: ast.AST, context: type = ast.expr_context) -> set[str]:
    """The names that a statement binds or deletes itself, not in functions or comprehensions of its own."""
    found, todo = set[str](), [s]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load) and isinstance(node.ctx, context):
                found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ExceptHandler)) and node.name:
            found.add(node.name)
        todo += [child for child in ast.iter_child_nodes(node) if not isinstance(child, _SCOPES[1:])]
    return found


def _read(f: ast.FunctionDef) -> set[str]:
    """The names that a function and those in it read and do not bind: none where it binds names of others."""
    read, own = set[str](), {arg.arg for arg in _parameters(f)}
    todo: list[Any] = [*f.body]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else own).add(node.id)
        elif isinstance(node, (ast.Nonlocal, ast.Global)):
            return set()
        elif isinstance(node, ast.FunctionDef):
            own.add(node.name)
        todo += ast.iter_child_nodes(node)
    return read - own


def _bind(f: ast.FunctionDef, names: list[str]) -> None:
    where: dict[str, Any] = {
        name: getattr(f, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")
    }
    if names:
        f.args.posonlyargs, f.args.args = f.args.args, [ast.arg(name, **where) for name in names]
    f.args.defaults = [ast.Name(name, ast.Load(), **where) for name in names]
