"""The latest result: `if x != self.x: self.x = x; self.value = compute(x)` and `return self.value`.

Where the number is that of an earlier call, what stands there has no derivative in this one. So the first such question
of a recording is answered as if it were another number, and the program computes anew.
"""
# mypy: disable-error-code="arg-type, attr-defined"

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..frontend.nodes import copied
from ..frontend.paths import as_place, path_of, root_of
from ..frontend.remembering import Reader
from ..frontend.walking import all_nodes, body_of, own_nodes
from .cases import placed
from .memoised import Found, Program

Holder = tuple[Any, Any]
"""The expressions of what holds a place, None for the names of the module, and of its name or key there."""


class _Latest:
    """Places that others see and a function stores into, and the tests that compare what was there before."""

    def __init__(self, node: Any, program: Program) -> None:
        self.names = program.names
        self.reader = Reader(node, program.scope)
        self.free = program.free
        self.private = program.private
        self.found = Found.of(node)
        self.stored: dict[str, tuple[Holder, list[Any]]] = {}
        """By the text of each place: what holds it, and what is stored there."""
        own = [*own_nodes(body_of(node))]
        for inner in own:
            if isinstance(inner, ast.Assign):
                for target in inner.targets:
                    for part, value in _parts(target, inner.value):
                        self._add(part, value)
            elif isinstance(inner, ast.AugAssign | ast.AnnAssign) and inner.value is not None:
                self._add(inner.target, inner.value)
        self.ifs = [inner for inner in own if isinstance(inner, ast.If)] if self.stored else []

    def _add(self, target: Any, value: Any) -> None:
        holder = self._holder(target)
        if holder is not None:
            self.stored.setdefault(ast.unparse(target), (holder, []))[1].append(value)

    def _holder(self, target: Any) -> Holder | None:
        names = self.names
        if isinstance(target, ast.Name):
            return (None, ast.Constant(target.id)) if target.id in names.globals | names.nonlocals else None
        item = isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant)
        if not (item or isinstance(target, ast.Attribute)) or (text := path_of(target.value)) is None:
            return None
        root = root_of(text)
        others = root in names.params or root not in names.bound or any(map(path_of, self.found.bound.get(root, ())))
        slot = target.slice if item else ast.Constant(self.private(target.attr))
        return (target.value, slot) if others else None

    def tested(self, node: ast.If) -> tuple[str, bool, Any] | None:
        """The place whose latest value a branch compares with what it is to be, whether it is stored where the test is
        true, and what it is compared with; None for any other branch."""
        for text, other in self._comparisons(node.test):
            values = self.stored[text][1]
            roots = {n.id for n in self.found.behind(other) if isinstance(n, ast.Name)} & (self.names.bound | self.free)
            made_of = {n.id for value in values for n in self.found.behind(value) if isinstance(n, ast.Name)}
            if not roots & made_of:
                continue
            if any(self._stores(s, text) for s in node.body):
                return text, True, other
            if any(self._stores(s, text) for s in node.orelse) or isinstance(node.body[-1], ast.Return):
                return text, False, other
        return None

    def _stores(self, statement: Any, text: str) -> bool:
        places = [n for n in all_nodes(statement) if isinstance(n, ast.Name | ast.Attribute | ast.Subscript)]
        return any([isinstance(n.ctx, ast.Store) and ast.unparse(n) == text for n in places])

    def _comparisons(self, test: Any) -> Iterator[tuple[str, Any]]:
        """The places that are compared in a test, each with what it is compared with."""
        for n in self.found.behind(test):
            sides = self.reader.asking.sides(n)
            for b, a in sides if len(sides) > 1 and self.reader.asks_same(n) else ():
                part = isinstance(a, ast.Subscript) and isinstance(a.slice, ast.Constant)
                for whole in (a, a.value) if part else (a,):  # of a pair, the number
                    if (text := path_of(as_place(whole))) in self.stored and not isinstance(b, ast.Constant):
                        yield text, b

    def together(self, text: str) -> list[Any]:
        """The names and keys of what the function stores in the same object."""
        held, own = self.stored[text][0]
        same = None if held is None else ast.unparse(held)
        others = [holder for at, (holder, _) in self.stored.items() if at != text]
        return [own, *[slot for of, slot in others if (None if of is None else ast.unparse(of)) == same]]


def _parts(target: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """The targets of an assignment, each with what is assigned to it: `self.x, self.y = x, f(x)`."""
    if not isinstance(target, ast.Tuple | ast.List):
        yield target, value
        return
    starred = any([isinstance(part, ast.Starred) for part in target.elts])
    display = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts) and not starred
    for i, part in enumerate(target.elts):
        inner = part.value if isinstance(part, ast.Starred) else part
        yield from _parts(inner, value.elts[i] if display else value)


def again(asked: Any) -> Any:
    """The expression that is asked for, evaluated once more; nothing where that calls something."""
    calls = any([isinstance(n, ast.Call | ast.NamedExpr | ast.Await | ast.Yield) for n in all_nodes(asked)])
    return ast.Tuple([] if calls else [copied(asked)], ast.Load())


def latest_in(node: Any, program: Program) -> set[str]:
    """The texts of the places in which a function has the latest number."""
    latest = None if isinstance(node, ast.Lambda) else _Latest(node, program)
    tests = [] if latest is None else [latest.tested(inner) for inner in latest.ifs]
    return {found[0] for found in tests if found is not None}


def with_latest_anew(node: Any, program: Program) -> Any:
    """A function in which the latest results are computed anew where a recording meets them first; itself if it has
    none."""
    if isinstance(node, ast.Lambda):
        return node
    names, helper = program.names, program.helper
    latest = _Latest(node, program)
    tests = [latest.tested(inner) for inner in latest.ifs]
    if not any(tests):
        return node
    made = copied(node)
    for inner, found in zip([n for n in own_nodes(made.body) if isinstance(n, ast.If)], tests, strict=True):
        if found is None:
            continue
        text, when, other = found
        held, slots = latest.stored[text][0][0], latest.together(text)
        if held is None and slots[0].value in names.nonlocals:
            held, slots = program.cell(slots[0].value), [ast.Constant("cell_contents")]
        elif held is None:
            held = helper("namespace")

        def called(name: str, *args: Any, at: Any = inner, of: Any = held) -> Any:
            call: Any = ast.Call(helper(name), [*args, copied(of)], [])
            call.is_helper = True
            return placed(call, at)

        sources = ast.Tuple(latest.found.sources(other, names), ast.Load())
        test = called("is_other", inner.test, ast.Constant(when), sources, again(other))
        test.args += [*map(copied, slots)]
        inner.test = placed(test if when else ast.UnaryOp(ast.Not(), test), inner.test)
        anew = inner.body if when else inner.orelse or _behind(made.body, inner)
        done = ast.copy_location(ast.Expr(called("settled", copied(slots[0]))), inner)
        anew.insert(len(anew) - isinstance(anew[-1], ast.Return), done)
    return made


def _behind(body: list[Any], statement: Any) -> list[Any]:
    """The block in which a statement stands, whose rest runs where its own does not."""
    if statement in body:
        return body
    blocks = [block for s in body for _, block in ast.iter_fields(s) if isinstance(block, list)]
    found = [_behind(block, statement) for block in blocks if any([isinstance(s, ast.stmt) for s in block])]
    return next((block for block in found if block), [])


__all__ = ["latest_in", "with_latest_anew"]
