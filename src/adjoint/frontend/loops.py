"""`for` and `while`, with `else`, `break`, `continue` and `return` inside."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from ..ir.nodes import Atom, Var
from ..ops.questions import mutators
from .acting import acting_calls
from .builder import FALSE, TRUE, Builder, Exits, statement
from .changing import changed_by_call
from .comprehensions import consumed, side_by_side
from .exits import flow_of, statement_flow, truth_of
from .targets import store


@statement(ast.For)
def for_(b: Builder, node: ast.For, rest: Sequence[ast.stmt]) -> bool:
    """`for`, in one loop with the generator expression it may run over."""
    target, iterable = side_by_side(b, node.target, node.iter)
    if isinstance(iterable, ast.GeneratorExp) and len(iterable.generators) == 1 and not _makes_cells(b, iterable):
        return _for_generator(b, node, iterable, rest)
    if isinstance(iterable, ast.GeneratorExp) and acting_calls(b, iterable):
        b.expr(iterable)  # it acts in turns with the loop
    sequence = consumed(b, iterable)
    element = Var(b.target_name(target))

    def one_round() -> None:
        store(b, target, element)
        b.block(node.body)

    return _loop(b, node, rest, [sequence], [element], one_round)


def _makes_cells(b: Builder, node: ast.GeneratorExp) -> bool:
    return any(b.source.scopes[node].is_cell(name) for name in b.source.scopes[node].bound)


def _for_generator(b: Builder, node: ast.For, generator: ast.GeneratorExp, rest: Sequence[ast.stmt]) -> bool:
    """A loop over a generator expression is one loop: what the generator does in between stays in between."""
    part = generator.generators[0]
    own = frozenset(b.mangle(name) for name in b.source.scopes[generator].bound)
    sequence = consumed(b, part.iter)
    with b.hidden(own):
        element = Var(b.target_name(part.target))

    def one_round() -> None:
        with b.hidden(own):
            store(b, part.target, element)
            bound = {name: b.env[name] for name in own}

        def evaluate(inner: ast.expr, name: str = "") -> Atom:
            with b.hidden(own):
                b.env.update(bound)
                return b.expr(inner, name)

        def conditions(tests: Sequence[ast.expr]) -> None:
            if tests:
                b.branch(evaluate(tests[0]), lambda: conditions(tests[1:]), lambda: None, tests[0])
            else:
                store(b, node.target, evaluate(generator.elt, b.target_name(node.target)))
                b.block(node.body)

        conditions(part.ifs)

    names = (name for name in b.scope.assigned[generator] if b.mangle(name) not in own)
    return _loop(b, node, rest, [sequence], [element], one_round, extra=tuple(names))


@statement(ast.While)
def while_(b: Builder, node: ast.While, rest: Sequence[ast.stmt]) -> bool:
    """`while`; a condition that assigns becomes part of the round."""
    known = truth_of(node.test)
    if known is False:
        b.block([*node.orelse, *rest])
        return True
    if known is True:
        return _loop(b, node, rest, [], [], lambda: b.block(node.body), lambda: TRUE)
    if not _changes_names(node.test):
        return _loop(b, node, rest, [], [], lambda: b.block(node.body), lambda: b.expr(node.test))
    done = f".done{b.depth}"

    def one_round() -> None:
        exits = b.exits
        b.env[done] = FALSE

        def end() -> None:
            b.leave(node.test, done, *exits)

        b.branch(b.expr(node.test), lambda: b.block(node.body), end, node)

    return _loop(b, node, rest, [], [], one_round, lambda: TRUE, done)


def _changes_names(test: ast.expr) -> bool:
    """Tell whether a condition assigns: it is then part of the round, since a `while` only carries what its body
    changes."""
    for node in ast.walk(test):
        match node:
            case ast.NamedExpr():
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(), attr=method)) if method in mutators():
                return True
            case ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Name()), attr="append")):
                return True
            case ast.Call() if changed_by_call(node):
                return True
    return False


def _loop(
    b: Builder,
    node: Any,
    rest: Sequence[ast.stmt],
    sequences: Sequence[Atom],
    elements: Sequence[Var],
    one_round: Callable[[], None],
    cond: Callable[[], Atom] | None = None,
    done: str | None = None,
    extra: Sequence[str] = (),
) -> bool:
    """Lower a loop, its `else`, and the rest if control may have left; `done` flags a condition that failed."""
    flow, body = statement_flow(node), flow_of(node.body)
    depth, outer = b.depth, b.exits
    returns = "return" in body.exits
    stop = f".stop{depth}" if "break" in body.exits or done else ".return" if returns else None
    skip = f".skip{depth}" if "continue" in body.exits else stop
    fields = () if b.fields is None else b.fields.changed_in(b, node)
    names = dict.fromkeys(b.mangle(name) for name in (*b.scope.assigned[node], *extra, *fields))
    keys = [name for name in names if (name in b.visible or name in b.env) and name not in b.cells]
    failing = [key for keys in (b.failing, b.throwing) if keys is not None for key in keys]
    value = [".value"] if any(type(n) is ast.Return for n in ast.walk(node)) else []
    flags = dict.fromkeys(f for f in (done, stop, *((".return", *value, *failing) if returns else ())) if f is not None)

    def run_round() -> Sequence[Atom]:
        b.exits, b.depth = Exits(stop, skip), depth + 1
        if skip is not None:
            b.env[skip] = FALSE
        one_round()
        b.exits, b.depth = outer, depth
        return ()

    b.loop([*keys, *flags], sequences, elements, run_round, node, cond, stop)
    if returns:
        # Who returns from an inner loop leaves the outer ones too.
        b.env.update({flag: b.env[".return"] for flag in outer if flag is not None})
    left, completed = b.env.get(stop or ""), b.env.get(done or "")
    for flag in (f".stop{depth}", f".done{depth}"):
        b.env.pop(flag, None)
    endless = isinstance(node, ast.While) and truth_of(node.test) is True
    orelse = [] if endless else node.orelse
    if orelse and left is None:
        b.block([*orelse, *rest])
        return True
    if orelse:
        moved = flow.falls and not flow_of(orelse).falls

        def otherwise() -> None:
            if moved:
                b.guard(rest, node)

        if completed is not None:
            b.branch(completed, lambda: b.go_on(orelse), otherwise, node)
        elif left is not None:
            b.branch(left, otherwise, lambda: b.go_on(orelse), node)
        if moved:
            return True
    if flow.exits and flow.falls:
        b.guard(rest, node)
        return True
    return not flow.falls
