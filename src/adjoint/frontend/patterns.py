"""`match`: each case becomes a condition, and a branch on it."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from typing import Any

from ..ir.intrinsics import is_mapping, is_sequence, mapping_rest, match_argument, unpack
from ..ir.nodes import Atom, Call, Const, Var
from .acting import resolve
from .builder import FALSE, TRUE, Builder, known, statement
from .exits import flow_of, irrefutable, statement_flow
from .source import span_of

SELF_MATCHING = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


@statement(ast.Match)
def match_(b: Builder, node: ast.Match, rest: Sequence[ast.stmt]) -> bool:
    """`match`: a branch for each case."""
    flow = statement_flow(node)
    bodies: list[list[ast.stmt]] = [list(case.body) for case in node.cases]
    if not irrefutable(node.cases[-1]):
        bodies.append([])
    falling = [body for body in bodies if flow_of(body).falls]
    moved = bool(flow.exits) and len(falling) == 1
    if moved:
        falling[0].extend(rest)
    subject = b.expr(node.subject)

    def run(index: int) -> None:
        if index == len(node.cases):
            return b.block(bodies[index])
        case = node.cases[index]
        names: list[str] = []
        for key in [key for key in b.env if key.startswith(_key(""))]:
            del b.env[key]  # of a case that did not fit

        def bind() -> None:
            for name in names:
                b.bind(name, b.env[_key(name)], case.pattern)

        def guarded(guard: ast.expr) -> Atom:
            bind()
            return b.expr(guard)

        def body() -> None:
            if case.guard is None:
                bind()
            b.block(bodies[index])

        cond = _test(b, case.pattern, subject, names)
        if case.guard is not None:
            guard = case.guard
            cond = _and(b, cond, lambda: guarded(guard), case.pattern)
        if cond is TRUE:
            body()
        else:
            b.branch(cond, body, lambda: run(index + 1), case.pattern)

    run(0)
    if moved or not flow.falls:
        return True
    if flow.exits:
        b.guard(rest, node)
    return bool(flow.exits)


def _key(name: str) -> str:
    return f".match:{name}"


def _and(b: Builder, cond: Atom, then: Callable[[], Atom], at: ast.AST) -> Atom:
    return then() if cond is TRUE else b.branch(cond, then, lambda: FALSE, at)


def _test(b: Builder, pattern: Any, subject: Atom, names: list[str]) -> Atom:
    """Tell whether a pattern fits; what it captures is kept aside, since names are bound only when all of it fits."""

    def capture(name: str | None, value: Atom) -> Atom:
        if name is not None:
            b.env[_key(name)] = value
            if name not in names:
                names.append(name)
        return TRUE

    match pattern:
        case ast.MatchValue(value=value):
            return b.call(operator.eq, subject, b.expr(value), at=pattern)
        case ast.MatchSingleton(value=value):
            return b.call(operator.is_, subject, Const(value), at=pattern)
        case ast.MatchAs(pattern=None, name=name):
            return capture(name, subject)
        case ast.MatchAs(pattern=inner, name=name):
            return _and(b, _test(b, inner, subject, names), lambda: capture(name, subject), pattern)
        case ast.MatchOr(patterns=patterns):
            return _alternatives(b, patterns, subject, names)
        case ast.MatchSequence():
            is_one = b.call(is_sequence, subject, at=pattern)
            return _and(b, is_one, lambda: _sequence(b, pattern, subject, names, capture), pattern)
        case ast.MatchMapping():
            is_one = b.call(is_mapping, subject, at=pattern)
            return _and(b, is_one, lambda: _mapping(b, pattern, subject, names, capture), pattern)
        case ast.MatchClass():
            return _class(b, pattern, subject, names)
    b.refuse(pattern, "this pattern", "it is not known")


def _alternatives(b: Builder, patterns: Sequence[ast.pattern], subject: Atom, names: list[str]) -> Atom:
    cond = _test(b, patterns[0], subject, names)
    if len(patterns) == 1 or cond is TRUE:
        return cond
    return b.branch(cond, lambda: TRUE, lambda: _alternatives(b, patterns[1:], subject, names), patterns[0])


def _all(b: Builder, tests: Sequence[tuple[ast.pattern, Atom]], names: list[str]) -> Atom:
    """Tell whether each of several patterns fits its value."""
    if not tests:
        return TRUE
    (pattern, value), *others = tests
    return _and(b, _test(b, pattern, value, names), lambda: _all(b, others, names), pattern)


def _sequence(
    b: Builder, node: ast.MatchSequence, subject: Atom, names: list[str], capture: Callable[[str | None, Atom], Atom]
) -> Atom:
    patterns = node.patterns
    star = next((i for i, p in enumerate(patterns) if isinstance(p, ast.MatchStar)), None)
    fixed = len(patterns) - (star is not None)

    def parts() -> Atom:
        if not fixed:
            match patterns:
                case [ast.MatchStar(name=str(name))]:
                    capture(name, b.call(list, subject, at=node, name=name))
            return TRUE
        if len(patterns) == 1:  # unpacked as by iteration
            items = b.call(list, subject, at=node)
            return _test(b, patterns[0], b.call(operator.getitem, items, Const(0), at=node), names)
        if star is not None and getattr(patterns[star], "name", None) is None:
            taken = [p for p in patterns if not isinstance(p, ast.MatchStar)]
            read = [b.call(operator.getitem, subject, place(i, star), at=node) for i in range(fixed)]
            return _all(b, list(zip(taken, read, strict=True)), names)
        outs = tuple(Var(getattr(p, "name", None) or "") for p in patterns)
        counts = (fixed,) if star is None else (star, fixed - star)
        b.statements.append(Call(outs, known(unpack), (subject, *map(Const, counts)), (), span_of(node)))
        tests: list[tuple[ast.pattern, Atom]] = []
        for pattern, out in zip(patterns, outs, strict=True):
            if isinstance(pattern, ast.MatchStar):
                capture(pattern.name, out)
            else:
                tests.append((pattern, out))
        return _all(b, tests, names)

    def place(i: int, star: int) -> Atom:
        """The place from which Python reads an item where the star has no name: those behind it are counted by the
        length."""
        return Const(i) if i < star else b.call(operator.sub, size, Const(fixed - i), at=node)

    if star is not None and not fixed:
        return parts()
    compare = operator.eq if star is None else operator.ge
    size = b.call(len, subject, at=node)
    return _and(b, b.call(compare, size, Const(fixed), at=node), parts, node)


def _mapping(
    b: Builder, node: ast.MatchMapping, subject: Atom, names: list[str], capture: Callable[[str | None, Atom], Atom]
) -> Atom:
    keys = [b.expr(key) for key in node.keys]

    def entry(index: int) -> Atom:
        if index == len(keys):
            if node.rest is None:
                return TRUE
            return capture(node.rest, b.call(mapping_rest, subject, *keys, at=node, name=node.rest))

        def value() -> Atom:
            item = b.call(operator.getitem, subject, keys[index], at=node)
            return _and(b, _test(b, node.patterns[index], item, names), lambda: entry(index + 1), node)

        return _and(b, b.call(operator.contains, subject, keys[index], at=node), value, node)

    return entry(0)


def _class(b: Builder, node: ast.MatchClass, subject: Atom, names: list[str]) -> Atom:
    cls = b.expr(node.cls)
    now = resolve(b, node.cls)
    # The builtin classes, and classes made from them, take their one positional pattern for the object itself.
    whole = isinstance(now, type) and issubclass(now, SELF_MATCHING) and not hasattr(now, "__match_args__")
    fields: list[tuple[ast.pattern, str | int]] = [(p, i) for i, p in enumerate(node.patterns)]
    fields += [(p, b.mangle(attr)) for p, attr in zip(node.kwd_patterns, node.kwd_attrs, strict=True)]

    def field(index: int) -> Atom:
        if index == len(fields):
            return TRUE
        pattern, attr = fields[index]
        if attr == 0 and whole:
            return _and(b, _test(b, pattern, subject, names), lambda: field(index + 1), node)
        name = Const(attr) if isinstance(attr, str) else b.call(match_argument, cls, Const(attr), at=node)

        def value() -> Atom:
            item = b.call(getattr, subject, name, at=pattern)
            return _and(b, _test(b, pattern, item, names), lambda: field(index + 1), node)

        return _and(b, b.call(hasattr, subject, name, at=pattern), value, node)

    return _and(b, b.call(isinstance, subject, cls, at=node), lambda: field(0), node)
