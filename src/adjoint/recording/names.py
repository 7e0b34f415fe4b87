"""Names that a function binds, shares with inner functions, and uses for data only."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..frontend.walking import all_nodes, body_of, own_nodes, parameters

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (*FUNCTIONS, ast.GeneratorExp, ast.ClassDef)
"""Nodes with names of their own that the function around them does not see."""
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
NAMED = (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)
"""Nodes that may have a name for what they catch or match."""


@dataclass
class Names:
    """The names of one function."""

    params: tuple[str, ...]
    bound: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    captured: set[str] = field(default_factory=set)
    """Bound here and used in inner functions: shared variables."""
    every: set[str] = field(default_factory=set)
    """All names that occur, in inner functions as well: new ones must differ."""
    data: set[str] = field(default_factory=set)
    """Names that only ever stand for what has no derivative: counters, texts."""
    is_generator: bool = False
    unsure: set[str] = field(default_factory=set)
    """Names that are deleted somewhere: by `del`, or at the end of an `except`."""
    hidden: set[str] = field(default_factory=set)
    """Names of builtins that stand for something else here."""


def names_of(node: Any, scope: Container[str] = (), free: Iterable[str] = ()) -> Names:
    """The names of a function that stands in a module with the names of `scope`, and captures those that are `free`."""
    params = parameters(node.args)
    names = Names(tuple(params), set(params))
    own = list(own_nodes(body_of(node)))
    inner_targets = {
        id(n) for c in own if isinstance(c, COMPREHENSIONS) for g in c.generators for n in ast.walk(g.target)
    }
    for inner in own:
        if id(inner) in inner_targets:
            continue
        if isinstance(inner, ast.Global):
            names.globals.update(inner.names)
        elif isinstance(inner, ast.Nonlocal):
            names.nonlocals.update(inner.names)
        elif isinstance(inner, ast.Yield | ast.YieldFrom):
            names.is_generator = True
        names.bound.update(bound_by(inner))
        if isinstance(inner, ast.ExceptHandler) or isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Del):
            names.unsure.update(bound_by(inner))
        if isinstance(inner, ast.GeneratorExp):
            names.bound.update(bound_around(inner))
    names.bound -= names.globals | names.nonlocals
    for inner in own:
        if isinstance(inner, SCOPES):
            names.captured |= free_of(inner) & names.bound
        if isinstance(inner, ast.GeneratorExp):
            names.captured |= set(bound_around(inner)) & names.bound
    for inner in all_nodes(node):
        if isinstance(inner, ast.Name):
            names.every.add(inner.id)
        elif isinstance(inner, ast.arg):
            names.every.add(inner.arg)
        else:
            names.every.update(bound_by(inner))
    outside = [name for name in PLAIN_CALLS if name in scope]
    names.hidden = names.bound | names.globals | names.nonlocals | {*outside, *free}
    names.data = _data_names(own, names)
    return names


def bound_by(node: Any) -> Iterator[str]:
    """The names that a node itself binds in the scope it stands in."""
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            yield node.id
    elif isinstance(node, DEFINITIONS):
        yield node.name
    elif isinstance(node, IMPORTS):
        yield from ((a.asname or a.name).partition(".")[0] for a in node.names)
    elif isinstance(node, NAMED) and node.name is not None:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest is not None:
        yield node.rest


def bound_around(node: Any) -> list[str]:
    """The names that a generator expression binds in the function around it."""
    return [n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr)]


class _Eager(ast.NodeTransformer):
    """Generator expressions that are run through at once, as lists."""

    def __init__(self, calls: Any) -> None:
        self.calls = calls
        self.changed = False

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp) and not node.keywords:
            whole = node.args[0]
            if (
                isinstance(node.func, ast.Name)
                and self.calls(node.func.id, whole)
                and not any(g.is_async for g in whole.generators)
            ):
                node.args[0] = ast.copy_location(ast.ListComp(whole.elt, whole.generators), whole)
                self.changed = True
        return node

    def _own(self, node: Any) -> Any:
        return node  # inner functions are looked at when they are called

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = _own


def with_lists(node: Any, calls: Any) -> bool:
    """Write lists for the generator expressions in calls of functions that run through them at once; whether there are
    any."""
    eager = _Eager(calls)
    if isinstance(node, ast.Lambda):
        node.body = eager.visit(node.body)
    else:
        node.body = [eager.visit(s) for s in node.body]
    return eager.changed


def targets_of(node: Any) -> set[str]:
    """The names that the loops of a comprehension bind, in a scope of their own."""
    return {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}


def free_of(node: Any) -> set[str]:
    """The names that an inner function, class or generator uses and does not bind itself."""
    if isinstance(node, ast.GeneratorExp):
        inner = set().union(*[free_in([g.iter for g in node.generators[1:]]), _loaded([node.elt])])
        inner |= free_in([c for g in node.generators for c in g.ifs])
        return inner - targets_of(node)
    if isinstance(node, ast.ClassDef):
        return free_in(node.body)
    own = names_of_scope(node)
    body = body_of(node)
    return free_in(body) - own


def free_in(body: list[Any]) -> set[str]:
    """The names used in these nodes, in inner scopes as well, that the inner scopes do not bind."""
    return _loaded(body)


def names_of_scope(node: Any) -> set[str]:
    """Names that a function binds for itself."""
    body = body_of(node)
    own, others = set(parameters(node.args)), set()
    for inner in own_nodes(body):
        own.update(bound_by(inner))
        if isinstance(inner, ast.Global | ast.Nonlocal):
            others.update(inner.names)
    return own - others


def _loaded(body: list[Any]) -> set[str]:
    found: set[str] = set()
    for inner in own_nodes(body):
        if isinstance(inner, ast.Name):
            found.add(inner.id)
            if inner.id == "super":
                found.add("__class__")
        elif isinstance(inner, ast.Nonlocal):
            found.update(inner.names)
        elif isinstance(inner, SCOPES):
            found |= free_of(inner)
    return found


# ---- data


PLAIN_CALLS = frozenset(["len", "range", "isinstance", "issubclass", "callable", "bool", "type"])
"""Builtins through which nothing flows."""


def is_data(node: Any, data: set[str], shadowed: set[str]) -> bool:
    """Tell whether an expression has no derivative whatever the program does: made of counters, texts and constants."""
    match node:
        case ast.Constant():
            return not isinstance(node.value, float | complex)
        case ast.Name():
            return node.id in data
        case ast.BinOp():
            return is_data(node.left, data, shadowed) and is_data(node.right, data, shadowed)
        case ast.UnaryOp():
            return is_data(node.operand, data, shadowed)
        case ast.Compare():
            return is_data(node.left, data, shadowed) and all(is_data(c, data, shadowed) for c in node.comparators)
        case ast.Call(func=ast.Name(id=name), keywords=[]) if name in PLAIN_CALLS and name not in shadowed:
            return all(isinstance(a, ast.Name) or is_data(a, data, shadowed) for a in node.args)
    return False


def _data_names(own: list[Any], names: Names) -> set[str]:
    """Names all of whose bindings are data, given the nodes of the function's own scope."""
    bindings: dict[str, list[Any]] = {}
    for node in own:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]):
                bindings.setdefault(name, []).append(node.value)
                continue
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv()):
                bindings.setdefault(name, []).append(node.value)
                continue
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range")) as call):
                bindings.setdefault(name, []).append(call)
                continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bindings.setdefault(node.id, []).append(None)
        elif not isinstance(node, ast.Name):
            for name in bound_by(node):
                bindings.setdefault(name, []).append(None)
    assigned = _simple_targets(own)
    candidates = {
        name
        for name, values in bindings.items()
        if len([v for v in values if v is None]) == assigned.get(name, 0)
        and name not in names.params
        and name not in names.captured | names.globals | names.nonlocals
    }
    while True:
        values = {name: [v for v in bindings[name] if v is not None] for name in candidates}
        wrong = {n for n in candidates if not all(_is_count(v, candidates, names.hidden) for v in values[n])}
        if not wrong:
            return candidates
        candidates -= wrong


def _simple_targets(own: list[Any]) -> dict[str, int]:
    """Number of times that each name is met as the target of a simple binding (they are met as names, too)."""
    found: dict[str, int] = {}
    for node in own:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)])
                | ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv())
                | ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range")))
            ):
                found[name] = found.get(name, 0) + 1
    return found


def _is_count(node: Any, data: set[str], shadowed: set[str]) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        return "range" not in shadowed
    return is_data(node, data, shadowed)
