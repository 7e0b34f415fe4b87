"""Closure conversion: what a nested function reads of the one around it becomes defaults of its own.

A closure is a cell for each variable. The garbage collector runs through all cells for as long as a tape lives: in a
recursion of a thousand calls, that took six times as long as the derivative. Defaults are one tuple, and the variables
of both functions are fast locals. The text stays a closure, which means the same.
"""

from __future__ import annotations

import ast
import functools
from typing import Any

_LEAVING = (ast.Return, ast.Raise)
_NO_NODES = frozenset(["ctx", "op", "ops", "id", "attr", "name", "names", "arg", "kind", "type_comment"])
"""Fields of nodes that hold no nodes with a position."""
_READ_ONLY = frozenset(["test", "iter", "context_expr", "exc", "cause", "slice", "args"])
"""Fields of statements and targets that bind no name: in text that is generated no expression does."""


@functools.cache
def parts_of(cls: type) -> tuple[str, ...]:
    """The fields of a kind of node that hold nodes, the last first."""
    fields = () if cls is ast.Constant or not issubclass(cls, ast.AST) else cls._fields
    return tuple([name for name in reversed(fields) if name not in _NO_NODES])


@functools.cache
def _binding_parts_of(cls: type) -> tuple[str, ...]:
    """Those that may hold what binds a name."""
    read = _READ_ONLY if cls is ast.Starred else _READ_ONLY | {"value"}
    return tuple([name for name in parts_of(cls) if name not in read])


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
        """The variables that have been bound on some way."""
        self.unsure: set[str] = set()
        """Those that are read where they may be unbound, or deleted: Python raises there."""
        self.rebound: dict[ast.FunctionDef, set[str]] = {}
        """What is bound or deleted after it was made."""

    def block(self, statements: list[ast.stmt], bound: set[str]) -> set[str]:
        """The variables that are surely bound after statements before which `bound` are."""
        bound = {*bound}
        for s in statements:
            if isinstance(s, ast.If):
                self.unsure |= _loaded(s.test) - bound
                bound = self.branches(s, bound)
                continue
            if isinstance(s, ast.FunctionDef):
                self.function(s, bound)
                changed, deleted = {s.name}, set[str]()
            else:
                changed, deleted = _changed(s)
                self.unsure |= _loaded(s) - bound | deleted
                if not isinstance(s, (ast.Assign, ast.Expr)):
                    self.unsure |= changed - bound
            self.ever |= changed
            for names in self.rebound.values():
                names |= changed
            if isinstance(s, (ast.Assign, ast.AugAssign, ast.FunctionDef)):
                bound |= changed
            else:
                bound -= deleted
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


def _changed(s: ast.stmt) -> tuple[set[str], set[str]]:
    """The names that a statement binds or deletes itself, and those that it deletes."""
    found, deleted, todo = set[str](), set[str](), list[Any]([s])
    while todo:
        node = todo.pop()
        cls = type(node)
        if cls is ast.Name:
            if type(node.ctx) is not ast.Load:
                found.add(node.id)
            if type(node.ctx) is ast.Del:
                deleted.add(node.id)
            continue
        if cls is ast.FunctionDef or cls is ast.ExceptHandler and node.name:
            found.add(node.name)
        for name in _binding_parts_of(cls):  # type: ignore[arg-type]
            _take(todo, getattr(node, name))
    return found, deleted


def _take(todo: list[Any], part: Any) -> None:
    if type(part) is list:
        todo += part
    elif part is not None:
        todo.append(part)


def _read(f: ast.FunctionDef) -> set[str]:
    """The names that a function and those in it read and do not bind: none where it binds names of others."""
    read, own = set[str](), {arg.arg for arg in _parameters(f)}
    todo: list[Any] = [*f.body]
    while todo:
        node = todo.pop()
        cls = type(node)
        if cls is ast.Name:
            (read if type(node.ctx) is ast.Load else own).add(node.id)
            continue
        if cls is ast.Nonlocal or cls is ast.Global:
            return set()
        if cls is ast.FunctionDef:
            own.add(node.name)
        for name in parts_of(cls):  # type: ignore[arg-type]
            _take(todo, getattr(node, name))
    return read - own


def _loaded(s: ast.AST) -> set[str]:
    """The names that a statement or an expression reads, functions within included."""
    found, todo = set[str](), list[Any]([s])
    while todo:
        node = todo.pop()
        cls = type(node)
        if cls is ast.Name:
            if type(node.ctx) is ast.Load:
                found.add(node.id)
            continue
        for name in parts_of(cls):  # type: ignore[arg-type]
            _take(todo, getattr(node, name))
    return found


def _place_of(node: Any) -> dict[str, Any]:
    return {name: getattr(node, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")}


def _bind(f: ast.FunctionDef, names: list[str]) -> None:
    where = _place_of(f)
    if names:
        f.args.posonlyargs, f.args.args = f.args.args, [ast.arg(name, **where) for name in names]
    f.args.defaults = [ast.Name(name, ast.Load(), **where) for name in names]
