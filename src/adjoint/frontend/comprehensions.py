"""Comprehensions, and generator expressions that are consumed where they stand: loops that collect."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence, Set
from typing import Any

from ..ir.changes import list_append
from ..ir.intrinsics import dict_from_items, entries, make_cell, make_list, settled
from ..ir.nodes import Atom, Const, Star, Var
from .acting import acting_calls, resolve
from .builder import Builder, expression
from .functions import make_generator
from .targets import store


@expression(ast.ListComp)
def list_comprehension(b: Builder, node: ast.ListComp, name: str) -> Atom:
    """`[a for b in c]`."""
    return _collect(b, node, [node.elt], name)[0]


@expression(ast.SetComp)
def set_comprehension(b: Builder, node: ast.SetComp, name: str) -> Atom:
    """`{a for b in c}`."""
    return b.call(set, *_collect(b, node, [node.elt]), at=node, name=name)


@expression(ast.DictComp)
def dict_comprehension(b: Builder, node: ast.DictComp, name: str) -> Atom:
    """`{a: b for c in d}`."""
    return b.call(dict_from_items, *_collect(b, node, [node.key, node.value]), at=node, name=name)


@expression(ast.GeneratorExp)
def generator_expression(b: Builder, node: ast.GeneratorExp, name: str) -> Atom:
    """A generator, where it is not consumed at once."""
    if node in b.scope.waiting:
        return make_generator(b, node, name)
    return b.refuse(
        node,
        "generators that are passed on",
        "it binds a name around it, or acts in turns with its receiver",
        "make it a list: [... for ...]",
    )


def as_list(b: Builder, node: Any) -> Atom:
    """Lower a generator expression as the list of what it gives."""
    return _collect(b, node, [node.elt])[0]


def consumed(b: Builder, node: ast.expr, name: str = "") -> Atom:
    """Lower an iterable that is run through at once: a generator expression may then be a list."""
    return as_list(b, node) if isinstance(node, ast.GeneratorExp) else b.expr(node, name)


def items(b: Builder, nodes: Sequence[ast.expr]) -> list[Atom | Star]:
    """Lower the items of a display or the positional arguments of a call."""
    return [_starred(b, n, nodes[i:]) if isinstance(n, ast.Starred) else b.expr(n) for i, n in enumerate(nodes, 1)]


def _starred(b: Builder, node: ast.Starred, later: Sequence[ast.expr]) -> Star:
    """`*xs`, which is run through before what comes later is called."""
    value = consumed(b, node.value)
    calls = any(isinstance(n, ast.Call) for other in later for n in ast.walk(other))
    return Star(b.call(settled, value, at=node) if calls else value)


def merged(b: Builder, node: ast.expr) -> Atom:
    """`**d` in a call or a display."""
    value = b.expr(node)
    return value if isinstance(node, ast.Dict) else b.call(entries, value, at=node)


def _collect(b: Builder, node: Any, parts: Sequence[ast.expr], name: str = "") -> Sequence[Atom]:
    """One list for each of `parts`, with the values it takes."""
    if len(node.generators) == 1 and not node.generators[0].ifs:
        return comprehension_loops(b, node, lambda: [b.expr(part) for part in parts], [name] + [""] * (len(parts) - 1))
    # Not every round of the outermost loop gives one value: the lists are carried through the loops and appended to.
    keys = [f".list{b.depth}_{i}" for i in range(len(parts))]
    lists = [b.call(make_list, at=node) for _ in parts]

    def append() -> Sequence[Atom]:
        values = [b.expr(part) for part in parts]
        for key, value in zip(keys, values, strict=True):
            b.env[key] = b.call(list_append, b.env[key], value, at=node)
        return ()

    b.env.update(zip(keys, lists, strict=True))
    b.depth += 1
    comprehension_loops(b, node, append, (), keys)
    b.depth -= 1
    return [b.env.pop(key) for key in keys]


def side_by_side(b: Builder, target: Any, iterable: Any) -> tuple[Any, Any]:
    """The target of a loop and what it runs through: `(s, y), a in zip(zip(S, Y), A)` as `s, y, a in zip(S, Y, A)`,
    which asks for the same items in the same order."""
    if not isinstance(target, ast.Tuple) or not _zips(b, iterable, len(target.elts)):
        return target, iterable
    targets, parts = list[Any](), list[Any]()
    for own, part in zip(target.elts, iterable.args, strict=True):
        within = isinstance(own, ast.Tuple) and _zips(b, part, len(own.elts))
        inner = side_by_side(b, own, part)
        targets += inner[0].elts if within else [own]
        parts += inner[1].args if within else [part]
    if len(parts) == len(target.elts):
        return target, iterable
    made = ast.Call(iterable.func, parts, [])
    return ast.copy_location(ast.Tuple(targets, target.ctx), target), ast.copy_location(made, iterable)


def _zips(b: Builder, node: Any, n: int) -> bool:
    """Tell whether a node is `zip` of so many iterables, each of which it names."""
    if not isinstance(node, ast.Call) or node.keywords or len(node.args) != n or resolve(b, node.func) is not zip:
        return False
    return not any([isinstance(a, ast.Starred) for a in node.args])


def comprehension_loops(
    b: Builder,
    node: Any,
    innermost: Callable[[], Sequence[Atom]],
    collected: Sequence[str],
    carried: Sequence[str] = (),
    stop: str | None = None,
) -> Sequence[Atom]:
    """Emit the nested loops of a comprehension around what is done innermost; gives the collected lists."""
    scope = b.source.scopes[node]
    own = frozenset(b.mangle(n) for n in scope.bound)
    assigned = b.scope.assigned[node]
    _check_order(b, node)
    targets = {g: side_by_side(b, g.target, g.iter) for g in node.generators}
    first = consumed(b, targets[node.generators[0]][1])

    def run(index: int) -> Sequence[Atom]:
        generator = node.generators[index]
        target, iterable = targets[generator]
        if generator.is_async:
            b.refuse(generator.target, "asynchronous code", "it runs in pieces, between which others run")
        sequence = first if index == 0 else consumed(b, iterable)
        element = Var(b.target_name(target))
        names = (b.mangle(n) for n in assigned)
        keys = [n for n in names if n in b.env or (n in b.visible and n not in own and n not in b.cells)]

        def body() -> Sequence[Atom]:
            outer = dict(b.env)
            _check_target(b, generator.target, own & outer.keys())
            store(b, target, element)
            values = tests(generator.ifs)
            for name in own:
                b.env.pop(name, None)
            b.env.update({name: outer[name] for name in own & outer.keys()})  # read no more before they are bound anew
            return values

        def tests(conditions: Sequence[ast.expr]) -> Sequence[Atom]:
            if conditions:
                b.branch(b.expr(conditions[0]), lambda: _nothing(tests(conditions[1:])), lambda: None, conditions[0])
                return ()
            return innermost() if index == len(node.generators) - 1 else run(index + 1)

        return b.loop([*keys, *carried], [sequence], [element], body, node, stop=stop, collected=collected)

    with b.hidden(own):
        for name in sorted(own):
            if scope.is_cell(name):
                b.cells[name] = b.call(make_cell, Const(name), at=node, name=f"{name}_cell")
        return run(0)


def _check_order(b: Builder, node: Any) -> None:
    """Refuse a comprehension over a generator expression if both may act: they do so in turns."""
    for inner in [g.iter for g in node.generators if isinstance(g.iter, ast.GeneratorExp)]:
        within = acting_calls(b, inner)
        if within and len(acting_calls(b, node)) > len(within):
            generator_expression(b, inner, "")


def _check_target(b: Builder, target: ast.expr, again: Set[str]) -> None:
    """Refuse a target that may read a name of the round before: one that an outer loop binds, too."""
    names = {b.mangle(n.id) for n in ast.walk(target) if isinstance(n, ast.Name)}
    if names & again and any(isinstance(n, ast.Subscript | ast.Attribute) for n in ast.walk(target)):
        b.refuse(target, "a comprehension that binds a name twice and stores", "its order decides which one is read")


def _nothing(values: Sequence[Atom]) -> None:
    assert not values
