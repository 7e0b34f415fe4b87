"""Comprehensions, generator expressions, and the heads of loops."""
# mypy: disable-error-code="arg-type, assignment"

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Iterator
from typing import Any

from ..errors import UnsupportedSyntaxError
from ..frontend.nodes import copied
from .cases import placed
from .conditions import Conditions
from .expressions import EAGER, Value, cell_of, without_stars
from .names import bound_around, free_of, targets_of


def last_only(outs: Any, later: set[str] | None = None) -> Any:
    """The names of a target, where one occurs twice only the last time: that binding stays."""
    later = set() if later is None else later
    if isinstance(outs, tuple):
        return tuple(reversed([last_only(out, later) for out in reversed(outs)]))
    if outs in later:
        return None
    if outs is not None:
        later.add(outs)
    return outs


def _spanning(first: Any, last: Any) -> Any:
    """A node that stands where two do, and in between."""
    node = ast.copy_location(ast.Pass(), first)
    node.end_lineno, node.end_col_offset = last.end_lineno, last.end_col_offset
    return node


class Comprehensions(Conditions):
    """Rewrites comprehensions and the heads of loops."""

    def do_ListComp(self, node: Any, out: str) -> Value:
        node = self.with_readers(node)
        return Value(self.collected(node, "collected", node.elt), None)

    def do_SetComp(self, node: Any, out: str) -> Value:
        node = self.with_readers(node)
        return Value(self.collected(node, "collected_set", node.elt), None)

    def do_DictComp(self, node: Any, out: str) -> Value:
        node = self.with_readers(node)
        return Value(self.collected(node, "collected_dict", node.value, node.key), None)

    def collected(self, node: Any, helper: str, element: Any, key: Any = None) -> Any:
        """A comprehension; the cotangents of its elements come as a list, the last first."""
        bars = self.new("c")
        names: dict[str, str | None] = {name: self.new(f"{name}_") for name in sorted(targets_of(node))}
        generators = [self.generator(g, node, names) for g in node.generators]
        key_code = None if key is None else self.plain(key)
        value = self.expr(element)
        code = self.noted(element, "kept", self.case("each", element, bars, value.bar), [value.code])
        if key_code is not None:
            code = ast.copy_location(ast.Tuple([key_code, code], ast.Load()), element)
        self.inner.pop()
        made = ast.copy_location(ast.ListComp(code, generators), node)
        return self.noted(node, helper, self.case("items", node, bars), [made])

    def with_readers(self, node: Any) -> Any:
        """A comprehension whose generators that wait read its variables by functions of it: Python gives them the
        values that these have when they are run."""
        own = targets_of(node)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        if not any(own & free_of(waiting) for part in parts for waiting in waiting_in(part)):
            return node
        made = copied(node)
        for part in [made.key, made.value] if isinstance(made, ast.DictComp) else [made.elt]:
            for waiting in [*waiting_in(part)]:
                self.read_by_functions(waiting, sorted(own & free_of(waiting)))
        return made

    def read_by_functions(self, waiting: ast.GeneratorExp, names: list[str]) -> None:
        """`(a * j for j in xs)` as `(read() * j for read, items in [(lambda: a, iter(xs))] for j in items)`."""
        first, *others = waiting.generators
        late = ast.GeneratorExp(waiting.elt, [ast.comprehension(first.target, ast.List([]), first.ifs, 0), *others])
        bound = {name for n in ast.walk(late) if (name := _bound_by(n)) is not None}
        if bound & {*names}:
            raise UnsupportedSyntaxError(
                "a generator expression that is kept, and reads a variable of the comprehension around it",
                "it is recorded, and has a variable of the same name within",
                "give the variables different names",
                self.place(waiting),
            )
        readers, items = {name: self.spelled(f"read_{name}") for name in names}, self.spelled("items")
        reads: dict[str, Any] = {n.id: n for n in ast.walk(late) if isinstance(n, ast.Name)}
        given: list[Any] = [_reading(reads[name]) for name in names]
        late = _Reads(readers).visit(late)
        hidden = "iter" in self.names.every
        given.append(first.iter if hidden else ast.Call(ast.Name("iter", ast.Load()), [first.iter], []))
        targets = [ast.Name(name, ast.Store()) for name in (*readers.values(), items)]
        pair = ast.Tuple(targets, ast.Store()), ast.List([ast.Tuple(given, ast.Load())], ast.Load())
        late.generators[0].iter = ast.Name(items, ast.Load())
        waiting.elt = late.elt
        waiting.generators = [ast.comprehension(*pair, [], 0), *late.generators]
        ast.fix_missing_locations(placed(waiting, waiting))

    def generator(self, g: Any, node: Any, names: dict[str, str | None]) -> ast.comprehension:
        if g.is_async:
            raise self.refused(node)
        if isinstance(g.target, ast.Name) and self.is_range(g.iter):
            names[g.target.id] = None
        outer, self.in_head = self.in_head, True
        iterator = self.iterator(g.iter)
        self.in_head = outer
        if not self.inner or self.inner[-1] is not names:
            self.inner.append(names)
        code = self.loop(iterator, g.target)
        shared = set().union(*[free_of(n) for n in ast.walk(node) if isinstance(n, ast.Lambda)])
        tests = []
        for name in sorted({n.id for n in ast.walk(g.target) if isinstance(n, ast.Name)} & shared):
            k = self.case("store", g.target, None, self.bar_of(name), slot=0)
            tests.append(self.noted(g.target, "keep", k, [cell_of(name, g.target), ast.Constant(True)]))
        return ast.comprehension(without_stars(g.target), code, [*tests, *map(self.test, g.ifs)], 0)

    def iterator(self, iterable: Any) -> Value:
        """The code of what a `for` runs through."""
        if self.is_range(iterable):
            call = ast.Call(iterable.func, self.bounds(iterable.args), [])
            return Value(ast.copy_location(call, iterable), None)
        return self.expr(iterable)

    def loop(self, source: Value, target: Any) -> Any:
        """The code of what a `for` runs through, for a target all of whose parts are names."""
        at = source.code
        if isinstance(target, ast.Name):
            out = self.bar_of(target.id)
            if self.is_range(at) and (out is None or target.id in self.names.data):
                return at
            k = self.case("back", at, None, source.bar)
            return self.noted(at, "loop", k, [self.case("back", _spanning(target, at), out), at])
        k, t = self.case("back", at, None, source.bar), self.new()
        stream = self.noted(at, "loop", k, [self.case("back", _spanning(target, at), t), at])
        pattern, outs = self.pattern(target)
        return self.noted(at, "unpacked", self.case("back", target, outs, t), [pattern, stream])

    def is_range(self, node: Any) -> bool:
        return (
            isinstance(node, ast.Call)
            and self.known(node.func) is range
            and not node.keywords
            and not any(isinstance(a, ast.Starred) for a in node.args)
        )

    def pattern(self, target: Any) -> tuple[Any, Any]:
        """The shape of a target, for the runtime, and its names."""
        if isinstance(target, ast.Name):
            return ast.Constant(None), self.bar_of(target.id)
        if isinstance(target, ast.Starred):
            return ast.Constant("*"), None
        if not isinstance(target, ast.Tuple | ast.List):
            raise UnsupportedSyntaxError(
                "a comprehension that stores its items into another object",
                "it is recorded, and its items go to names alone there",
                "write it as a `for` statement",
                self.place(target),
            )
        parts = [self.pattern(e) for e in target.elts]
        return ast.Tuple([p for p, _ in parts], ast.Load()), last_only(tuple(o for _, o in parts))

    def do_GeneratorExp(self, node: Any, out: str) -> Value:
        """A generator function of its own, made when the function begins."""
        name = self.new("generator_")
        outside = [n for n in sorted(free_of(node)) if self.is_inner(n)]
        first, *others = node.generators
        source = ast.Name(self.spelled("iterable"), ast.Load())
        body: Any = [ast.Expr(ast.Yield(node.elt))]
        for g in reversed([ast.comprehension(first.target, source, first.ifs, first.is_async), *others]):
            if g.is_async:
                raise self.refused(node)
            for test in reversed(g.ifs):
                body = [ast.If(test, body, [])]
            body = [ast.For(g.target, g.iter, body, [])]
        args = ast.arguments([], [ast.arg(source.id), *map(ast.arg, outside)], None, [], [], None, [])
        function: Any = ast.FunctionDef(name, args, body, [])
        if around := bound_around(node):
            function.body.insert(0, ast.Nonlocal(around))
        placed(function, node)
        ast.fix_missing_locations(ast.copy_location(function, node))
        self.hoisted.append(function)
        self.linked.append(function)
        call = ast.Call(ast.Name(name, ast.Load()), [first.iter, *(ast.Name(n, ast.Load()) for n in outside)], [])
        self.names.bound.add(name)
        return self.called(ast.copy_location(call, node), out)


_LAZY = frozenset(
    ["iter", "map", "zip", "filter", "enumerate", "islice", "chain", "from_iterable", "tee", "accumulate", "cycle"]
    + ["takewhile", "dropwhile", "filterfalse", "starmap", "pairwise", "zip_longest", "compress"]
)
"""Names of functions that run through what they are given later."""


def _bound_by(n: ast.AST) -> str | None:
    """The name that a node by itself binds."""
    if isinstance(n, ast.arg):
        return n.arg
    return n.id if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) else None


def _reading(name: ast.Name) -> Any:
    """A function that reads a name, where it stands: functions are told apart by their places."""
    body = ast.copy_location(ast.Name(name.id, ast.Load()), name)
    return ast.copy_location(ast.Lambda(ast.arguments([], [], None, [], [], None, []), body), name)


class _Reads(ast.NodeTransformer):
    """Puts calls in place of names that are read."""

    def __init__(self, readers: dict[str, str]) -> None:
        self.readers = readers

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id not in self.readers:
            return node
        return ast.copy_location(ast.Call(ast.Name(self.readers[node.id], ast.Load()), [], []), node)


def waiting_in(node: ast.AST, consumed: bool = False) -> Iterator[ast.GeneratorExp]:
    """The generator expressions of an expression that nobody consumes at once, as far as names tell."""
    if isinstance(node, ast.GeneratorExp):
        yield from () if consumed else (node,)
        return
    if isinstance(node, ast.Lambda):
        return
    called = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else None
    for inner in ast.iter_child_nodes(node):
        given = called is not None and inner is not node.func or isinstance(node, ast.Starred)  # type: ignore[attr-defined]
        yield from waiting_in(inner, given and (consumed or called not in _LAZY))


def is_eager(name: str, of: ast.GeneratorExp, bound: Any, scope: dict[str, Any]) -> bool:
    """Tell whether a function runs through a generator expression as if it were a list: `sum` takes each item before
    the next is made, which may change it."""
    function = scope.get(name, getattr(builtins, name, None))
    if function not in EAGER or function is not sum:
        return function in EAGER
    calls = [n.func for n in ast.walk(of) if isinstance(n, ast.Call)]
    return all([_only_reads(call, bound, scope) for call in calls])


def _only_reads(called: Any, bound: Any, scope: dict[str, Any]) -> bool:
    """Tell whether a function surely stores into nothing that is an item: one of a module, or a builtin."""
    if isinstance(called, ast.Attribute):
        called = called.value
        return isinstance(called, ast.Name) and isinstance(scope.get(called.id), types.ModuleType)
    return isinstance(called, ast.Name) and called.id not in bound | scope.keys() and hasattr(builtins, called.id)
