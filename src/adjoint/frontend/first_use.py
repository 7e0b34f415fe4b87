"""Uses of names by statements in their order: whether a name is read before it is bound, and whether it is bound."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from .exits import flow_of, statement_flow
from .nodes import Step
from .scope import names_in

Use = Literal["read", "bound", ""]

_BINDING = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Import, ast.ImportFrom, ast.FunctionDef)


def first_use(name: str, body: Sequence[Any]) -> Use:
    """The first use that statements make of a name: they may read what it was, or surely bind it anew before, or
    neither.

    Where control leaves the function nothing is read any more: that counts as bound.

    >>> body = ast.parse("if c:\\n    y = 1\\nelse:\\n    raise E\\nx = y").body
    >>> [first_use(name, body) for name in ("c", "y", "x", "z")]
    ['read', 'bound', 'bound', '']
    """
    for s in body:
        use = _use(name, s)
        if use:
            return use
        if isinstance(s, (ast.Return, ast.Raise)):
            return "bound"
        if not statement_flow(s).falls:
            return ""
    return ""


def _use(name: str, s: Any) -> Use:
    match s:
        case ast.If():
            ways = [first_use(name, s.body), first_use(name, s.orelse)]
            if reads(name, s.test) or "read" in ways:
                return "read"
            return "bound" if ways == ["bound", "bound"] else ""
        case ast.For():
            body = "" if name in names_in([s.target]) else first_use(name, s.body)
            return "read" if reads(name, s.iter) or "read" in (body, first_use(name, s.orelse)) else ""
        case ast.While():
            ways = [first_use(name, s.body), first_use(name, s.orelse)]
            return "read" if reads(name, s.test) or "read" in ways else ""
        case ast.With():
            return _use_of_with(name, s)
        case Step():
            return "read" if first_use(name, s.body) == "read" else ""
        case ast.Try():
            parts = [s.body, *[h.body for h in s.handlers], s.orelse, s.finalbody]
            return "read" if any(first_use(name, part) == "read" for part in parts) else ""
    if reads(name, s):
        return "read"
    return "bound" if name in _surely_bound(s) else ""


def _use_of_with(name: str, s: ast.With) -> Use:
    for item in s.items:
        if reads(name, item.context_expr):
            return "read"
        if item.optional_vars is not None and name in names_in([item.optional_vars]):
            return "bound"
    return "read" if first_use(name, s.body) == "read" else ""


def reads(name: str, node: ast.AST) -> bool:
    """Tell whether a name is read, or deleted, anywhere in a tree."""
    return any(True for _ in reads_of(name, node))


def reads_of(name: str, node: ast.AST) -> Iterator[ast.AST]:
    """The places of these reads."""
    for n in ast.walk(node):
        read = n.target if isinstance(n, ast.AugAssign) else n
        if isinstance(read, ast.Name) and read.id == name and (read is not n or not isinstance(read.ctx, ast.Store)):
            yield n


def binds(name: str, body: Sequence[Any]) -> bool:
    """Tell whether a name is surely bound where control comes to the end of statements."""
    for s in body:
        if isinstance(s, ast.If):
            if _all_bind(name, s.body, s.orelse):
                return True
        elif isinstance(s, ast.Try) and not s.finalbody:
            if _all_bind(name, [*s.body, *s.orelse], *[handler.body for handler in s.handlers]):
                return True
        elif name in _surely_bound(s) or not statement_flow(s).falls:
            return True
    return False


def _all_bind(name: str, *ways: Sequence[Any]) -> bool:
    return all(binds(name, way) or not flow_of(way).falls for way in ways)


def is_bound_before(name: str, target: ast.stmt, body: Sequence[Any]) -> bool | None:
    """Tell whether a name is surely bound when a statement runs that lies in others; None if it lies in none of
    them."""
    for i, s in enumerate(body):
        if s is target:
            return binds(name, body[:i])
        inner = [is_bound_before(name, target, block) for block in _blocks(s)]
        found = next((known for known in inner if known is not None), None)
        if found is not None:
            within = isinstance(s, ast.For) and is_bound_before(name, target, s.body) is not None
            of_loop = within and name in names_in([s.target])
            return found or of_loop or binds(name, body[:i])
    return None


def _blocks(s: Any) -> Iterator[list[Any]]:
    for part in ("body", "orelse", "finalbody"):
        block = getattr(s, part, None)
        if isinstance(block, list):
            yield block
    for part in (*getattr(s, "handlers", ()), *getattr(s, "cases", ())):
        yield part.body


def half_way(body: Sequence[Any]) -> frozenset[str]:
    """The names that statements may have bound where an exception leaves them: after which something may still raise.

    >>> sorted(half_way(ast.parse("y = f(x)\\nif y:\\n    s += g(y)\\nelse:\\n    s = t = h(y)").body))
    ['y']
    """
    if not body:
        return frozenset()
    *before, last = body
    found = bound_in(before)
    if isinstance(last, ast.If):
        return found | bound_in([last.test]) | half_way(last.body) | half_way(last.orelse)
    if isinstance(last, ast.Try) and not last.finalbody:
        return found.union(half_way([*last.body, *last.orelse]), *[half_way(h.body) for h in last.handlers])
    return found if _is_one_step(last) else found | bound_in([last])


def _is_one_step(s: Any) -> bool:
    """Tell whether nothing can raise once a statement begins to bind names."""
    match s:
        case ast.Assign(targets=targets):
            return not bound_in([s.value]) and all(map(_is_of_names, targets)) and _unpacks_at_most(1, targets)
        case ast.AnnAssign(target=ast.Name()) | ast.AugAssign(target=ast.Name()):
            return s.value is None or not bound_in([s.value])
    return False


def _is_of_names(target: ast.expr) -> bool:
    items = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return all(isinstance(item, ast.Name) for item in items)


def _unpacks_at_most(n: int, targets: Sequence[ast.expr]) -> bool:
    """Tell whether a value is unpacked before any name is bound: of several targets a later one may fail to unpack
    it."""
    return len(targets) <= n or all(isinstance(target, ast.Name) for target in targets)


def bound_in(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """The names that are bound anywhere in statements; those of comprehensions count too."""
    names = set(names_in(nodes))
    for node in nodes:
        for n in ast.walk(node):
            if isinstance(n, (ast.Import, ast.ImportFrom)):
                names.update((a.asname or a.name).partition(".")[0] for a in n.names)
            elif isinstance(n, (ast.FunctionDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
                names.update(filter(None, [n.name]))
            elif isinstance(n, ast.MatchMapping) and n.rest is not None:
                names.add(n.rest)
    return frozenset(names)


def _surely_bound(s: Any) -> frozenset[str]:
    """The names that a simple statement binds whenever it comes to its end."""
    if not isinstance(s, _BINDING) or isinstance(s, ast.AnnAssign) and s.value is None:
        return frozenset()
    if isinstance(s, ast.FunctionDef):
        return frozenset([s.name])
    return bound_in(s.targets if isinstance(s, ast.Assign) else [getattr(s, "target", s)])
