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
    begun = set[str]()
    for inner, names, open_ in conversion.candidates:
        rebound = conversion.rebound.get(inner, set())
        open_ -= conversion.unsure | rebound
        _bind(inner, sorted(names - rebound | open_))
        begun |= open_
        convert_closures(inner)
    where = _place_of(function.body[0])
    function.body[:0] = [
        ast.Assign([ast.Name(name, ast.Store(), **where)], ast.Constant(None, **where), **where)
        for name in sorted(begun)
    ]


class _Conversion:
    """The nested functions of one, found in the order of its text."""

    def __init__(self) -> None:
        self.candidates: list[tuple[ast.FunctionDef, set[str], set[str]]] = []
        """Each with the variables that it reads and that are bound where it is made, and those that one of the branches
        before has bound."""
        self.ever: set[str] = set()
        """What has been bound on some way."""
        self.unsure: set[str] = set()
        """What is read where it may be unbound, or deleted: Python raises there."""
        self.rebound: dict[ast.FunctionDef, set[str]] = {}
        """What is bound or deleted after it was made."""

    def block(self, statements: list[ast.stmt], bound: set[str]) -> set[str]:
        """The variables that are surely bound after statements before which `bound` are."""
        for s in statements:
            if isinstance(s, ast.FunctionDef):
                self.function(s, bound)
                changed = {s.name}
            elif isinstance(s, ast.If):
                self.unsure |= _loaded(s.test) - bound
                bound = self.branches(s, bound)
                continue
            else:
                changed = _changed(s)
                self.unsure |= _loaded(s) - bound | _changed(s, ast.Del)
                if not isinstance(s, (ast.Assign, ast.Expr)):
                    self.unsure |= changed - bound
            self.ever |= changed
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
        read = _read(inner) if plain else set()
        self.candidates.append((inner, read & bound, read & self.ever - bound))
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


def _loaded(s: ast.AST) -> set[str]:
    """The names that a statement or an expression reads, functions within included."""
    return {node.id for node in ast.walk(s) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _place_of(node: Any) -> dict[str, Any]:
    return {name: getattr(node, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")}


def _bind(f: ast.FunctionDef, names: list[str]) -> None:
    where = _place_of(f)
    if names:
        f.args.posonlyargs, f.args.args = f.args.args, [ast.arg(name, **where) for name in names]
    f.args.defaults = [ast.Name(name, ast.Load(), **where) for name in names]
