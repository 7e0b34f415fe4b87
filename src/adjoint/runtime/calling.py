"""Callees of a function, read from its text: names that can be looked up, and what only the run shows.

Of a call `f(a)` of a global name or of a captured variable the value can be looked at; so can a function that is
written inside, or a parameter's default. An item, a result, a parameter may be anything.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import AdjointError
from ..frontend import find
from ..identity import IdentityMap

_BY_PLACE = frozenset(["map", "filter", "reduce", "starmap", "takewhile", "dropwhile", "filterfalse", "partial"])
"""Functions that call their first argument, by their names."""


@dataclass
class Called:
    """Callees of a function: captured variables, parameters that have defaults, and whether anything else."""

    captured: set[str] = field(default_factory=set)
    defaults: set[str] = field(default_factory=set)
    unknown: bool = False


_CALLED: IdentityMap[Called] = IdentityMap()


def called_by(code: types.CodeType, scope: dict[str, Any]) -> Called:
    """Callees of a function of this code; anything, where its text is not there."""
    found = _CALLED.get(code)
    if found is None:
        try:
            node = find(code, scope).node
        except AdjointError:
            found = Called(unknown=True)
        else:
            found = _Reader(node, frozenset(code.co_freevars)).found
        _CALLED[code] = found
    return found


def defaults_by_name(code: types.CodeType, defaults: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Values of the parameters that are not given."""
    positional = code.co_varnames[: code.co_argcount]
    return {**dict(zip(reversed(positional), reversed(defaults), strict=False)), **keywords}


def held_and_called(
    code: types.CodeType, scope: dict[str, Any], captured: Mapping[str, Any], defaults: Sequence[Any], keywords: Any
) -> list[Any]:
    """Callees of a function among what it captures, and of its defaults; None for what is not said."""
    called, given = called_by(code, scope), defaults_by_name(code, defaults, keywords)
    return [*[captured.get(name) for name in called.captured], *[given.get(name) for name in called.defaults]]


class _Reader(ast.NodeVisitor):
    """Reads one function and those within it."""

    def __init__(self, node: Any, free: frozenset[str]) -> None:
        self.found = Called()
        self.free = free
        self.bound: list[dict[str, list[Any]]] = []
        self.function(node)

    def function(self, node: Any) -> None:
        self.bound.append(_bindings(node))
        for part in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(part)
        self.bound.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:  # noqa: N802
        self.function(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:  # noqa: N802
        self.function(node)

    def visit_Call(self, node: ast.Call) -> None:  # noqa: N802
        self.run(node.func)
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        handed = [*node.args[:1]] if name in _BY_PLACE else []
        handed += [k.value for k in node.keywords if k.arg in ("key", "default_factory")]
        for f in handed:
            if not isinstance(f, ast.Constant):
                self.run(f)
        self.generic_visit(node)

    def run(self, f: ast.expr, depth: int = 0) -> None:
        """Note what is called by an expression."""
        match f:
            case ast.Lambda() | ast.Attribute():  # the name of a method is looked up in classes
                return
            case ast.Name(id=name):
                scope = next((names for names in reversed(self.bound) if name in names), None)
                if scope is None:
                    if name in self.free:
                        self.found.captured.add(name)
                    return
                for value in scope[name]:
                    if value is _DEFAULT and scope is self.bound[0]:
                        self.found.defaults.add(name)
                    elif value is _WRITTEN:
                        continue
                    elif isinstance(value, (ast.Name, ast.Lambda, ast.IfExp, ast.BoolOp)) and depth < _DEPTH:
                        self.run(value, depth + 1)
                    elif not (isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name)):
                        self.found.unknown = True
            case ast.IfExp(body=a, orelse=b):
                self.run(a, depth)
                self.run(b, depth)
            case ast.BoolOp(values=values):
                for value in values:
                    self.run(value, depth)
            case ast.NamedExpr(value=value):
                self.run(value, depth)
            case _:
                self.found.unknown = True


_DEPTH = 4
_DEFAULT = object()
"""A parameter that has a default."""
_WRITTEN = object()
"""A function or a class that is written inside, or a module's that is imported."""
_ANYTHING = object()


def _bindings(node: Any) -> dict[str, list[Any]]:
    """The names that a function binds itself, and to what."""
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    names: dict[str, list[Any]] = {a.arg: [_ANYTHING] for a in positional}
    names.update({a.arg: [_DEFAULT] for a in positional[len(positional) - len(args.defaults) :]})
    names.update({a.arg: [_ANYTHING if d is None else _DEFAULT] for a, d in zip(args.kwonlyargs, args.kw_defaults)})  # noqa: B905
    names.update({a.arg: [_ANYTHING] for a in (args.vararg, args.kwarg) if a is not None})
    shared: set[str] = set()
    todo: list[ast.AST] = [*node.body] if isinstance(node.body, list) else [node.body]

    def bind(target: Any, value: Any) -> None:
        if isinstance(target, ast.Name):
            names.setdefault(target.id, []).append(value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            items = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            exact = len(items) == len(target.elts) and not any(
                isinstance(x, ast.Starred) for x in (*items, *target.elts)
            )
            for i, part in enumerate(target.elts):
                bind(part, items[i] if exact else _ANYTHING)
        elif isinstance(target, ast.Starred):
            bind(target.value, _ANYTHING)

    while todo:
        s = todo.pop()
        match s:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                bind(ast.Name(s.name), _ANYTHING if s.decorator_list else _WRITTEN)
                todo += s.decorator_list
                continue
            case ast.Lambda():
                continue
            case ast.Import() | ast.ImportFrom():
                for alias in s.names:
                    bind(ast.Name((alias.asname or alias.name).split(".")[0]), _WRITTEN)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    bind(target, value)
            case ast.AnnAssign(target=target, value=value):
                bind(target, value if value is not None else _ANYTHING)
            case ast.NamedExpr(target=target, value=value):
                bind(target, value)
            case ast.AugAssign(target=target) | ast.For(target=target) | ast.comprehension(target=target):
                bind(target, _ANYTHING)
            case ast.withitem(optional_vars=target) if target is not None:
                bind(target, _ANYTHING)
            case ast.Global(names=given) | ast.Nonlocal(names=given):
                shared.update(given)
            case ast.MatchAs(name=name) | ast.MatchStar(name=name) | ast.ExceptHandler(name=name) if name is not None:
                bind(ast.Name(name), _ANYTHING)
            case ast.MatchMapping(rest=name) if name is not None:
                bind(ast.Name(name), _ANYTHING)
        todo += ast.iter_child_nodes(s)
    return {name: values for name, values in names.items() if name not in shared}
