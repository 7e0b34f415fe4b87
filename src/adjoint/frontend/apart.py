"""Bodies of `try` that are taken apart, as they change what is seen when an exception comes half-way.

    try: A; B         error = None
    except E: H   →   ATTEMPT ? A : note the error and leave
                      if nothing is noted: ATTEMPT ? B : note the error and leave
                      if an error is noted: (ATTEMPT ? raise error : match it, H)

An exception is noted where it comes, and leaves loops and branches on its way as a `return` does.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..ir.exceptions import caught, raise_again
from ..ir.intrinsics import raise_
from ..ir.nodes import ATTEMPT, UNDEF, Atom, Const
from .builder import FALSE, TRUE, Builder
from .exits import Failing, flow_of
from .halfway import Attempt, half_done, steps_of
from .nodes import Given, Step

Run = Callable[[], None]


def run_apart(b: Builder, attempt: Attempt, parts: Sequence[ast.stmt]) -> Atom:
    """The same of statements that are taken apart: an exception is noted where it comes, leaves them as a `return`
    leaves a function, and is raised once more for the handlers."""
    failing, exits = b.failing, b.exits
    b.failing = Failing(b.fresh(".raised"), b.fresh(".error"))
    b.env.update({b.failing.raised: FALSE, b.failing.error: UNDEF})
    before = {flag: b.env.get(flag) for flag in (".return", *exits) if flag is not None}
    if exits.skip is None:  # a loop that nothing else leaves
        b.exits = exits._replace(skip=".return")
    b.block(parts)
    b.exits = exits
    raised, error = b.env.pop(b.failing.raised), b.env.pop(b.failing.error)
    b.failing = failing

    def again() -> None:
        b.call(raise_, error, at=attempt.node)
        b.dead = True

    def handled() -> None:
        b.env.update({flag: FALSE for flag, value in before.items() if value is not None})
        b.branch(ATTEMPT, again, lambda: attempt.on_error(b), attempt.node)

    completed = b.fresh(".completed")
    b.env[completed] = TRUE

    def left() -> None:
        b.env[completed] = FALSE
        handled()

    where(b, raised, left, attempt.node)
    return b.env.pop(completed)


def where(b: Builder, flag: Atom, run: Run, at: ast.AST, otherwise: Run = lambda: None) -> None:
    """Lower what happens where a flag is set, and what happens where it is not."""
    if isinstance(flag, Const):
        run() if flag.value else otherwise()
    else:
        b.branch(flag, run, otherwise, at)


class _WholeError(Exception):
    """A statement cannot be taken apart."""


def apart(b: Builder, attempt: Attempt) -> list[ast.stmt] | None:
    """The statements of an attempt, taken apart; None where they cannot be."""
    try:
        return _apart(b, attempt.body, attempt)
    except _WholeError:
        return None


def _apart(b: Builder, body: Sequence[ast.stmt], attempt: Attempt) -> list[ast.stmt]:
    """Statements, each group of which notes an exception and leaves."""
    found: list[ast.stmt] = []
    group: list[ast.stmt] = []
    for s in [*body, None]:
        parted = isinstance(s, Step) or s is not None and bool(half_done(b, s, attempt))
        if group and (s is None or parted):
            found += [_noting(group) for group in steps_of(b, group, attempt)]
            group = []
        if isinstance(s, Step):
            found.append(s)
        elif s is not None and parted:
            found += _parted(b, s, attempt)
        elif s is not None:
            group.append(s)
    return found


def _noting(group: Sequence[ast.stmt]) -> ast.stmt:
    """Statements that note an exception which leaves them, and are left by it as by a `return`."""

    def noted(b: Builder) -> None:
        outer, b.failing = b.failing, None

        def left() -> None:
            b.failing = outer
            fail(b, b.call(caught, at=group[0]), group[0])
            b.failing = None

        b.branch(ATTEMPT, lambda: b.block(group), left, group[0])
        b.failing = outer

    return Step(noted, group[0], group, fails=True)


def fail(b: Builder, error: Atom, at: ast.AST) -> None:
    """An exception that is being handled leaves what is around."""
    if b.failing is None:
        b.call(raise_again, at=at)
        b.dead = True
        return
    b.env.update({b.failing.raised: TRUE, b.failing.error: error})
    b.leave(at, ".return", *b.exits)


def _parted(b: Builder, s: ast.stmt, attempt: Attempt) -> list[ast.stmt]:
    """A compound statement, taken apart."""
    match s:
        case ast.If():
            return [*_asked(b, s, attempt)]
        case ast.For(target=ast.Name(), iter=ast.Call(func=ast.Name(id="range"))) if not s.orelse:
            key = b.fresh(".sequence")
            loop: Any = ast.For(s.target, Given(key, s.iter), _apart(b, s.body, attempt), [])
            return [_noted(key, s.iter), _placed(b, loop, s)]
        case ast.While() if not s.orelse:
            goes, stops = ast.copy_location(ast.Pass(), s), ast.copy_location(ast.Break(), s)
            asked = _asked(b, ast.copy_location(ast.If(s.test, [goes], [stops]), s), attempt)
            always = ast.copy_location(ast.Constant(True), s.test)
            return [_placed(b, ast.While(always, [*asked, *_apart(b, s.body, attempt)], []), s)]
        case ast.Try():
            return [_tried_apart(b, s, attempt)]
    raise _WholeError


def _placed(b: Builder, loop: Any, s: ast.stmt) -> ast.stmt:
    """A loop in place of another one, which changes the same names."""
    b.scope.assigned[loop] = b.scope.assigned[s]
    placed: ast.stmt = ast.copy_location(loop, s)
    return placed


def _asked(b: Builder, s: ast.If, attempt: Attempt) -> list[ast.stmt]:
    """An `if` whose condition is evaluated first."""
    key = b.fresh(".test")
    branch = ast.If(Given(key, s.test), _apart(b, s.body, attempt), _apart(b, s.orelse, attempt))
    return [_noted(key, s.test), ast.copy_location(branch, s)]


def _noted(key: str, node: ast.expr) -> ast.stmt:
    """A statement that evaluates an expression, as a step of its own."""

    def evaluate(b: Builder) -> None:
        value = b.expr(node)  # first: it may put another environment in place of this one
        b.env[key] = value

    return _noting([Step(evaluate, node, [ast.copy_location(ast.Expr(node), node)])])


def _tried_apart(b: Builder, s: ast.Try, attempt: Attempt) -> ast.stmt:
    """A `try` within: its body is an attempt of its own, and what it does not catch goes where exceptions go here."""
    if not flow_of(s.finalbody).falls:
        raise _WholeError
    final = _apart(b, s.finalbody, attempt)
    if s.finalbody:  # which sees as well what is done before
        ways = [[*s.finalbody, *way] for way in attempt.handlers or [[]]]
        attempt = replace(attempt, handlers=ways)
    handlers = [ast.copy_location(ast.ExceptHandler(h.type, h.name, _apart(b, h.body, attempt)), h) for h in s.handlers]
    made = ast.copy_location(type(s)(s.body, handlers, _apart(b, s.orelse, attempt), final), s)
    return Step(lambda b: b.block([made]), s, [made], fails=True)
