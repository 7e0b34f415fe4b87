"""`try` and `with`: branches on whether statements come to their end.

    try: BODY                     completed = ATTEMPT ? BODY : (match the exception ? HANDLER ... : raise again)
    except A as e: HANDLER    →   if completed: ELSE
    else: ELSE

A body that is left has no value, and nothing flows back through it. So what it had changed before the exception must be
seen by nobody: where somebody may, the body is an attempt for each step that changes something, one within the other.
`finally` runs after the body, and in front of what raises again; `with` is what PEP 343 makes of it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..ir import exceptions
from ..ir.exceptions import caught, enter, leave, matches, swallows
from ..ir.nodes import ATTEMPT, UNDEF, Atom, Const
from .apart import apart, fail, run_apart, where
from .builder import FALSE, HANDLED, NONE, TRUE, Builder, statement
from .exits import Failing, flow_of
from .halfway import Attempt, half_done, steps_of
from .handlers import check, is_hidden, looks_into
from .letting import does_nothing, lets_pass
from .nodes import Called, Given, Step, Throw, Tried
from .statements import go_on
from .thrown import caught_by, exits_of, is_raised_here, throw


@statement(ast.Try, Tried)
def try_(b: Builder, node: ast.Try, rest: Sequence[ast.stmt]) -> bool:
    """`try` with `except`, `else` and `finally`."""
    check(b, node, "`try`", "test for the condition instead, or write a rule for the function")
    if node.finalbody:
        _finally(b, node)
    else:
        _tried(b, node)
    return go_on(b, node, rest)


def _tried(b: Builder, node: ast.Try) -> None:
    """The body, with what its handlers and its `else` do afterwards."""
    outer = b.throwing, b.catching

    def on_error(b: Builder) -> None:
        around, b.throwing, b.catching = (b.throwing, b.catching), *outer
        _handle(b, node, own=own)
        b.throwing, b.catching = around

    def completing(body: Sequence[ast.stmt], run: Callable[[Builder, Attempt], Atom]) -> None:
        b.throwing, b.catching = inner, around
        completed = run(b, replace(attempt, body=body))
        b.throwing, b.catching = outer
        if node.orelse and not b.dead:
            where(b, completed, lambda: b.guard(node.orelse, node), node)

    attempt = Attempt(node, node.body, on_error, [h.body for h in node.handlers])
    inner, own, around = None, list[ast.ExceptHandler](), b.catching
    if any(is_hidden(b, handler) for handler in node.handlers):
        return completing(node.body, given_up)
    body = exits_of(b, node.body)
    needed = any([looks_into(b, h) for h in node.handlers]) or any([half_done(b, s, attempt) for s in node.body])
    found = {type(n) for s in body for n in ast.walk(s)}
    if not (Called in found or Throw in found and needed):
        return completing(node.body, run)
    around = caught_by(b, node.handlers, needed)
    inner, exits = Failing(b.fresh(".thrown"), b.fresh(".made")), b.exits
    b.env.update({inner.raised: FALSE, inner.error: UNDEF})
    before = {flag: b.env.get(flag) for flag in (".return", *exits) if flag is not None}
    if exits.skip is None:  # a loop that nothing else leaves
        b.exits = exits._replace(skip=".return")
    own += [handler for handler in node.handlers if looks_into(b, handler) and is_raised_here(b, handler, body)]
    completing(body, run)
    b.exits = exits
    thrown, error = b.env.pop(inner.raised), b.env.pop(inner.error)

    def handled() -> None:
        b.env.update({flag: FALSE for flag, value in before.items() if value is not None})
        b.thrown.add(error)
        _handle(b, node, error)

    if not b.dead:
        where(b, thrown, handled, node)


@statement(ast.With)
def with_(b: Builder, node: ast.With, rest: Sequence[ast.stmt]) -> bool:
    """`with`, written out: of several managers each is around those behind it."""
    check(b, node, "`with`", "call the function from within the `with`, or write a rule for it")
    throwing = b.throwing
    if not all([does_nothing(b, item.context_expr) for item in node.items]):
        b.throwing = None  # the managers are told by Python
    _with(b, node)
    b.throwing = throwing
    return go_on(b, node, rest)


def run(b: Builder, attempt: Attempt) -> Atom:
    """Lower statements as one attempt or several; gives whether no exception has left them."""
    parts = apart(b, attempt) if any(half_done(b, s, attempt) for s in attempt.body) else ()
    if parts is None:
        return given_up(b, attempt)
    if parts:
        return run_apart(b, attempt, parts)
    return _run(b, attempt, steps_of(b, attempt.body, attempt))


def given_up(b: Builder, attempt: Attempt) -> Atom:
    """The same of one that is given up where an exception leaves it."""

    def on_error(b: Builder) -> None:
        error = b.call(caught, at=attempt.node)
        if attempt.manager is not None:
            b.call(exceptions.let_go, attempt.manager, error, at=attempt.node)
        _give_up(b, error, attempt.node)

    return _run(b, replace(attempt, on_error=on_error), [[*attempt.body]])


def _give_up(b: Builder, error: Atom, at: ast.AST) -> None:
    b.call(exceptions.give_up, error, at=at)
    b.dead = True


def _run(b: Builder, attempt: Attempt, steps: list[list[ast.stmt]]) -> Atom:
    """Lower such steps, each of which is an attempt."""
    completed = b.fresh(".completed")
    failing, b.failing = b.failing, None

    def left() -> None:
        b.env[completed] = FALSE
        inner, b.failing = b.failing, failing
        attempt.on_error(b)
        b.failing = inner

    def step(i: int) -> None:
        b.branch(ATTEMPT, lambda: b.block(steps[i]), left, attempt.node)
        if i + 1 < len(steps) and not b.dead:
            more = Step(lambda b: step(i + 1), attempt.node)
            where(b, b.env[completed], lambda: b.guard([more], attempt.node), attempt.node)

    b.env[completed] = TRUE
    step(0)
    b.failing = failing
    return b.env.pop(completed)


def _handle(b: Builder, node: ast.Try, made: Atom | None = None, own: Sequence[ast.ExceptHandler] = ()) -> None:
    """The clauses, one after the other, for the exception that has come or one that was `made` here. Where it has come
    to a handler of the program's `own`, the run is given up: what it carries is not known."""
    name = next((h.name for h in node.handlers if h.name is not None), "")
    error = b.call(caught, at=node.handlers[0], name=name) if made is None else made

    def clause(i: int) -> None:
        if i == len(node.handlers):
            return (fail if made is None else throw)(b, error, node.handlers[-1])
        handler = node.handlers[i]
        classes = Const(BaseException) if handler.type is None else b.expr(handler.type)
        found = b.call(matches, error, classes, at=handler)
        taken = (lambda: _give_up(b, error, handler)) if handler in own else lambda: _handler(b, handler, error)
        b.branch(found, taken, lambda: clause(i + 1), handler)

    clause(0)


def _handler(b: Builder, handler: ast.ExceptHandler, error: Atom) -> None:
    """A handler: the name of the exception has no value afterwards."""
    outer = b.env.get(HANDLED)
    b.env[HANDLED] = error
    if looks_into(b, handler) and error not in b.thrown:
        error = b.call(exceptions.opened, error, at=handler, name=handler.name or "")
    if handler.name is not None:
        b.bind(handler.name, error, handler)
    b.block(handler.body)
    b.env.pop(HANDLED, None)
    if outer is not None:
        b.env[HANDLED] = outer
    if handler.name is not None:
        b.env[b.mangle(handler.name)] = UNDEF


def _finally(b: Builder, node: ast.Try) -> None:
    """`finally`: its statements run after the rest, and in front of what raises again."""
    body = node.body
    if node.handlers:
        body = [ast.copy_location(type(node)(node.body, node.handlers, node.orelse, []), node)]

    flow = flow_of(node.finalbody)

    def on_error(b: Builder) -> None:
        error = b.call(caught, at=node)
        if flow.falls and not flow.exits:
            last(b, error)
        else:  # it may take an exception with it, but no refusal of ours
            taken = b.call(matches, error, Const(BaseException), at=node)
            b.branch(taken, lambda: last(b, error), lambda: _raise_again(b, node), node)

    def last(b: Builder, error: Atom) -> None:
        b.block([*node.finalbody, Step(lambda b: fail(b, error, node), node)])

    completed = run(b, Attempt(node, body, on_error, [[*node.finalbody, *_again(b, node)]]))
    if not b.dead:
        where(b, completed, lambda: _at_last(b, node), node)


def _raise_again(b: Builder, at: ast.AST) -> None:
    b.call(exceptions.raise_again, at=at)
    b.dead = True


def _at_last(b: Builder, node: ast.Try) -> None:
    """The statements of a `finally`, whatever has been left and returned: if they leave, that is what counts."""
    thrown = None if b.throwing is None else b.throwing.raised
    flags = [flag for flag in (".return", *b.exits, thrown) if flag is not None and flag in b.env]
    left = {flag: b.env[flag] for flag in (*flags, ".value")}
    if all(left[flag] is FALSE for flag in flags):
        return b.block(node.finalbody)
    b.env.update(dict.fromkeys(flags, FALSE))
    b.block(node.finalbody)
    if not b.dead:
        where(b, b.env[b.exits.skip or ".return"], lambda: None, node, lambda: b.env.update(left))


def _again(b: Builder, at: ast.AST) -> list[ast.stmt]:
    """The statement that raises an exception again: nothing of the function runs then, unless it is noted for handlers
    around."""
    return [ast.copy_location(ast.Raise(None, None), at)] if b.failing is None else []


def _with(b: Builder, node: ast.With) -> None:
    """The body of a `with` within its managers: within the first of them those behind it are a `with` of their own."""
    items = node.items
    item, at = items[0], items[0].context_expr
    manager = b.expr(at)
    value = b.call(enter, manager, at=at)
    letting = lets_pass(b, at)

    def on_error(b: Builder) -> None:
        error = b.call(caught, at=at)
        given = b.call(leave, manager, error, at=at)
        if letting:
            b.call(exceptions.lets_pass, given, at=at)
            return fail(b, error, at)
        b.branch(b.call(swallows, given, error, at=at), lambda: None, lambda: fail(b, error, at), at)

    def normally() -> None:
        b.call(leave, manager, NONE, at=at)

    body, target = [*node.body], item.optional_vars
    if len(items) > 1:
        body = [ast.copy_location(ast.With([*items[1:]], node.body), node)]
    if isinstance(target, ast.Name):
        b.bind(target.id, value, target)
    elif target is not None:
        key = b.fresh(".entered")
        b.env[key] = value
        body.insert(0, ast.copy_location(ast.Assign([target], Given(key, at)), target))
    completed = run(b, Attempt(node, body, on_error, [_again(b, node)] if letting else [], manager))
    if not b.dead:
        where(b, completed, normally, at)
