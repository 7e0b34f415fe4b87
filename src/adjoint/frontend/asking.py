"""Expressions that ask whether two values are the same: comparisons, differences that are measured, and functions that
say so.

    x == self.x      abs(x - self.x) < 1e-12      np.array_equal(x, self.x)      not same(x, self.x)

A function of the user's is one if its result is a truth, or is compared with a bound. Larger and smaller values are
no question: the best number so far is compared so.
"""

from __future__ import annotations

import ast
import inspect
import operator
import re
import types
from collections.abc import Iterator
from typing import Any

from ..errors import AdjointError
from .paths import Bindings, name_of
from .source import find
from .walking import all_nodes, body_of, own_nodes

COMPARING = frozenset(["array_equal", "array_equiv", "allclose", "isclose"])
"""The names of functions that compare two values."""
_BY_METHOD = frozenset(["__eq__", "__ne__", "equals"])
_MEASURES = frozenset(
    ["abs", "fabs", "absolute", "norm", "linalg_norm", "hypot", "square", "sqrt"]
    + ["max", "amax", "sum", "mean", "any", "all", "bool"]
)
"""The names of functions that say how large a difference is, or whether there is one."""
_OTHERS = re.compile("isinstance|issubclass|hasattr|better|worse|less|greater|lower|higher|larger|smaller|improv")
"""Names of functions that ask something else."""
_DISTANCES = re.compile("dist|norm|diff|delta|gap|change")
"""Names of functions of which the result is compared with a bound."""
_SAME = re.compile("same|equal|clos|differ|chang|match|identic|fresh|new|near|approx|stale|^(eq|ne)$|^(is|has)_")
"""Names of functions that say so where they are returned: of others it may be a number."""
_DEPTH = 3
"""The number of functions that may lie between one that says so and the comparison."""


class Asking:
    """Tells which nodes of a function ask whether two values are the same."""

    def __init__(self, own: list[Any], bindings: Bindings) -> None:
        self.bindings = bindings
        self.calls: set[int] = set()
        """Calls of which the result is a truth, or is compared with a bound, by identity."""
        self.differences: set[int] = set()
        """Differences of which it is asked how large they are, and comparisons that say smaller or larger together."""
        for n in own:
            if isinstance(n, ast.For | ast.comprehension):
                self._add_pairs(n, own)
            for test in _tests_of(n):
                self._add(test)

    def _add(self, test: Any) -> None:
        todo, seen = [test], set[str]()
        while todo:
            n = todo.pop()
            match n:
                case ast.BoolOp(values=values):
                    todo += values
                    self.differences.update(map(id, _both_ways(values)))
                case ast.UnaryOp(op=ast.Not(), operand=value) | ast.NamedExpr(value=value):
                    todo.append(value)
                case ast.IfExp(body=body, orelse=orelse):
                    todo += [body, orelse]
                case ast.Name(id=name) if name not in seen:
                    seen.add(name)
                    todo += [v for v in self.bindings.bound.get(name, ()) if v is not None]
                case ast.Compare(left=left, comparators=[*others]):
                    equal = isinstance(n.ops[0], ast.Eq | ast.NotEq)
                    for side in (left, *others):
                        self._measure(side, equal)
                        if isinstance(side, ast.Call):
                            self._call(side, _DISTANCES)
                case ast.BinOp(op=ast.Sub()):
                    self.differences.add(id(n))
                case ast.Call():
                    self._measure(n, True)
                    self._call(n)

    def _add_pairs(self, loop: Any, own: list[Any]) -> None:
        """Note `zip(a, b)`, if a loop compares the items of both."""
        zips = [n for n in all_nodes(loop.iter) if isinstance(n, ast.Call) and name_of(n.func) == "zip"]
        names = {n.id for n in all_nodes(loop.target) if isinstance(n, ast.Name)} if zips else set[str]()
        for n in own if len(names) > 1 else ():
            if isinstance(n, ast.Compare | ast.BinOp):
                pair = {side.id for side in _operands(n) if isinstance(side, ast.Name)}
                self.calls.update(map(id, zips if len(pair) > 1 and pair <= names else ()))

    def _measure(self, node: Any, equal: bool) -> None:
        """Note the differences in a side of a comparison, or in a truth, and the call that it is."""
        if equal and isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            self.differences.add(id(node))
        for n in all_nodes(node):
            square = isinstance(n, ast.BinOp) and isinstance(n.op, ast.Pow)
            if square or isinstance(n, ast.Call) and name_of(n.func) in _MEASURES:
                inner = [m for m in all_nodes(n) if isinstance(m, ast.BinOp) and isinstance(m.op, ast.Sub)]
                self.differences.update(map(id, inner))

    def _call(self, node: Any, names: re.Pattern[str] | None = None) -> None:
        name = name_of(node.func)
        if not _OTHERS.search(name) and (names is None or names.search(name)):
            self.calls.add(id(node))

    def sides(self, n: Any) -> list[tuple[Any, Any]]:
        """The expressions that a node asks for, and that it asks; both ways where it compares."""
        if isinstance(n, ast.Compare) and len(n.ops) == 1:
            a, b = n.left, n.comparators[0]
            if isinstance(n.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
                wholes: list[Any] = [(a.value, b.value)] if _are_items(a, b) else []  # type: ignore[attr-defined]
                return [pair for x, y in [(a, b), *wholes] for pair in ((x, y), (y, x))]
            if isinstance(n.ops[0], ast.In | ast.NotIn):
                return [(a, b)]
            return [(a, b), (b, a)] if id(n) in self.differences else []
        if isinstance(n, ast.BinOp):
            return [(n.left, n.right), (n.right, n.left)] if id(n) in self.differences else []
        if not isinstance(n, ast.Call):
            return []
        name = name_of(n.func)
        if name in COMPARING and len(n.args) > 1:
            return [(n.args[0], n.args[1]), (n.args[1], n.args[0])]
        if name in ("index", "count") and isinstance(n.func, ast.Attribute) and len(n.args) == 1:
            return [(n.args[0], n.func.value)]
        given = [*n.args, *[k.value for k in n.keywords]] if id(n) in self.calls else []
        given += [n.func.value] if name in _BY_METHOD and isinstance(n.func, ast.Attribute) else []
        return [(a, b) for a in given for b in given if a is not b]


def is_plain(node: Any) -> bool:
    """Tell whether a question says by itself whether two values are the same."""
    if isinstance(node, ast.Compare):
        return isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn)
    return isinstance(node, ast.Call) and name_of(node.func) in COMPARING


def _are_items(a: Any, b: Any) -> bool:
    """Tell whether two nodes are items of two containers under one key, that only the run knows."""
    items = isinstance(a, ast.Subscript) and isinstance(b, ast.Subscript) and not isinstance(a.slice, ast.Constant)
    return items and ast.unparse(a.slice) == ast.unparse(b.slice)


def _operands(n: Any) -> tuple[Any, Any]:
    return (n.left, n.comparators[0]) if isinstance(n, ast.Compare) else (n.left, n.right)


def _both_ways(tests: list[Any]) -> list[Any]:
    """The comparisons among tests by which a number is smaller than another one, or larger: `a < b or a > b`."""
    found: dict[frozenset[str], list[tuple[bool, Any]]] = {}
    for n in tests:
        if isinstance(n, ast.Compare) and isinstance(n.ops[0], ast.Lt | ast.Gt):
            a, b = map(ast.unparse, _operands(n))
            found.setdefault(frozenset((a, b)), []).append(((a < b) is isinstance(n.ops[0], ast.Lt), n))
    return [n for of in found.values() if len({way for way, _ in of}) > 1 for _, n in of]


def _tests_of(n: Any) -> Iterator[Any]:
    """The expressions that a node takes for truths."""
    match n:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            yield test
        case ast.comprehension(ifs=tests) | ast.BoolOp(values=tests):
            yield from tests
        case ast.UnaryOp(op=ast.Not()) | ast.Compare():
            yield n
        case ast.Return(value=ast.Call(func=func) as value) if _SAME.search(name_of(func)):
            yield value


def says_same(func: Any, bindings: Bindings, own: list[Any], scope: dict[str, Any], depth: int = _DEPTH) -> bool:
    """Tell whether a function that a node names may say that two values are the same; one that is not found may."""
    name = name_of(func)
    if name in COMPARING or name in _BY_METHOD or _DISTANCES.search(name):
        return True
    here: list[Any] = (
        [v for v in bindings.bound.get(name, ()) if isinstance(v, ast.Lambda)] if isinstance(func, ast.Name) else []
    )
    here += [n for n in own if isinstance(n, ast.FunctionDef) and n.name == name]
    found = here or _nodes_of(func, scope)
    return found is None or any([_compares(node, scope, depth) for node in found])


def _nodes_of(func: Any, scope: dict[str, Any]) -> list[Any] | None:
    """The functions of a module that a node may name; None if they are not known."""
    name, known = name_of(func), list[Any]()
    if isinstance(func, ast.Name):
        known = [scope[name]] if name in scope else []
    elif isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
        of = scope.get(func.value.id)
        near = [x for x in [*scope.values()] if isinstance(x, type)] if of is None else [of]
        known = [vars(x)[name] for x in near if name in getattr(x, "__dict__", ())]
    functions = [inspect.unwrap(getattr(f, "__func__", f)) for f in known]
    if not functions:
        return None
    found = list[Any]()
    for f in functions:
        if isinstance(f, types.FunctionType):
            try:
                found.append(find(f.__code__, f.__globals__).node)
            except AdjointError:
                return None
    return found if found or not any(map(callable, functions)) else _of_operators(functions)


def _of_operators(functions: list[Any]) -> list[Any] | None:
    return None if any([f in (operator.eq, operator.ne) for f in functions]) else []


def _compares(node: Any, scope: dict[str, Any], depth: int) -> bool:
    """Tell whether a function asks whether values are the same, or calls one that does."""
    if not isinstance(node, ast.FunctionDef | ast.Lambda):
        return True
    own = [m for n in own_nodes(body_of(node)) for m in (all_nodes(n) if isinstance(n, ast.GeneratorExp) else (n,))]
    bindings = Bindings()
    asking = Asking(own, bindings)
    sides = [side for n in own for side in asking.sides(n) if not isinstance(n, ast.Call) or is_plain(n)]
    if any([not any([isinstance(x, ast.Constant) for x in side]) for side in sides]):
        return True
    calls = [n for n in own if isinstance(n, ast.Call) and not _OTHERS.search(name_of(n.func)) and len(n.args) > 1]
    return depth > 0 and any([says_same(n.func, bindings, own, scope, depth - 1) for n in calls])
