"""Statements: branches, exits, imports, assertions; and what is refused."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from ..ir.exceptions import raise_again
from ..ir.intrinsics import import_from, load_global, raise_
from ..ir.nodes import Atom, Const
from .builder import HANDLED, NONE, Builder, statement
from .exits import flow_of, statement_flow, truth_of
from .nodes import Step

RUNS_IN_PIECES = "it runs in pieces, between which others run"


@statement(ast.Pass, ast.Global, ast.Nonlocal)
def nothing(b: Builder, node: ast.stmt, rest: Sequence[ast.stmt]) -> None:
    """A store into a name declared global or nonlocal is refused where it stands."""


@statement(ast.Expr)
def expression_statement(b: Builder, node: ast.Expr, rest: Sequence[ast.stmt]) -> None:
    """An expression for its effect; docstrings are dropped."""
    if not isinstance(node.value, ast.Constant):
        b.expr(node.value)


@statement(ast.If)
def if_(b: Builder, node: ast.If, rest: Sequence[ast.stmt]) -> bool:
    """`if`, with what comes next in the arm that goes on, if one arm leaves."""
    known = truth_of(node.test)
    if known is not None:
        b.block([*(node.body if known else node.orelse), *rest])
        return True
    then, orelse = flow_of(node.body), flow_of(node.orelse)
    exits = then.exits | orelse.exits
    first, second = list(node.body), list(node.orelse)
    moved = bool(exits) and not (then.falls and orelse.falls)
    if moved:
        # What comes next belongs to the arm that goes on, and need not ask whether the other one left.
        (second if orelse.falls else first).extend(rest)
    cond = b.expr(node.test)
    b.branch(cond, lambda: b.block(first), lambda: b.block(second), node)
    if moved or not (then.falls or orelse.falls):
        return True
    if exits:
        b.guard(rest, node)
    return bool(exits)


@statement(Step)
def step(b: Builder, node: Step, rest: Sequence[ast.stmt]) -> bool:
    """Lower what a step does, and what comes next if it has not left."""
    node.run(b)
    return go_on(b, node, rest)


def go_on(b: Builder, node: ast.stmt, rest: Sequence[ast.stmt]) -> bool:
    """Lower what comes next where a statement may have left; whether the rest is taken care of."""
    flow = statement_flow(node)
    if b.dead or not flow.falls:
        return True
    if flow.exits:
        b.guard(rest, node)
    return bool(flow.exits)


@statement(ast.Return)
def return_(b: Builder, node: ast.Return, rest: Sequence[ast.stmt]) -> bool:
    """`return`: sets the flags of all that it leaves."""
    b.env[".value"] = NONE if node.value is None else b.expr(node.value)
    b.leave(node, ".return", *b.exits)
    return True


@statement(ast.Break)
def break_(b: Builder, node: ast.Break, rest: Sequence[ast.stmt]) -> bool:
    """`break`."""
    b.leave(node, *b.exits)
    return True


@statement(ast.Continue)
def continue_(b: Builder, node: ast.Continue, rest: Sequence[ast.stmt]) -> bool:
    """`continue`."""
    b.leave(node, b.exits.skip)
    return True


@statement(ast.Raise)
def raise_statement(b: Builder, node: ast.Raise, rest: Sequence[ast.stmt]) -> bool:
    """`raise`: what comes after is dead."""
    if node.exc is None and HANDLED in b.env:
        handled = b.env[HANDLED]
        if handled in b.thrown:
            b.call(raise_, handled, at=node)
        else:
            b.call(raise_again, at=node)
        b.dead = True
        return True
    if node.exc is None:
        b.refuse(node, "`raise` without an exception", "it raises what an `except` elsewhere caught")
    error = b.expr(node.exc)
    if node.cause is None:
        b.call(raise_, error, at=node)
    else:
        b.call(raise_, error, b.expr(node.cause), at=node)
    b.dead = True
    return True


@statement(ast.Assert)
def assert_(b: Builder, node: ast.Assert, rest: Sequence[ast.stmt]) -> None:
    """`assert`: a branch that raises."""

    def fail() -> None:
        message = [] if node.msg is None else [b.expr(node.msg)]
        b.call(raise_, b.call(AssertionError, *message, at=node), at=node)
        b.dead = True

    b.branch(b.expr(node.test), lambda: None, fail, node)


@statement(ast.Import)
def import_(b: Builder, node: ast.Import, rest: Sequence[ast.stmt]) -> None:
    """`import a.b as c`."""
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        module = b.call(importlib.import_module, Const(alias.name), at=node, name=name)
        if "." in alias.name and alias.asname is None:
            module = b.call(importlib.import_module, Const(name), at=node, name=name)
        b.imported[module] = sys.modules.get(alias.name if alias.asname else name)
        b.bind(name, module, node)


@statement(ast.ImportFrom)
def import_from_(b: Builder, node: ast.ImportFrom, rest: Sequence[ast.stmt]) -> None:
    """`from a import b as c`."""
    args: list[Atom] = [Const("." * node.level + (node.module or ""))]
    if node.level:
        args.append(b.call(load_global, b.me, Const("__package__"), at=node))
    module = b.call(importlib.import_module, *args, at=node)
    loaded = None if node.level else sys.modules.get(node.module or "")
    for alias in node.names:
        name = alias.asname or alias.name
        found = b.call(import_from, module, Const(alias.name), at=node, name=name)
        b.imported[found] = getattr(loaded, "__dict__", {}).get(alias.name)
        b.bind(name, found, node)


# What is refused


def refuse_word(b: Builder, node: Any, word: str, what: str, why: str, way_out: str) -> NoReturn:
    """Refuse a compound statement, with the carets under its keyword alone."""
    line, column = node.lineno, node.col_offset
    b.refuse(
        ast.Pass(lineno=line, col_offset=column, end_lineno=line, end_col_offset=column + len(word)), what, why, way_out
    )


@statement(ast.TryStar)
def try_star(b: Builder, node: ast.TryStar, rest: Sequence[ast.stmt]) -> None:
    """Refused."""
    refuse_word(
        b, node, "try", "`except*`", "an exception is taken apart, and what ran before it would have to be reversed",
        "catch with `except`, or write a rule for the function",
    )  # fmt: skip


@statement(ast.AsyncFor, ast.AsyncWith)
def async_(b: Builder, node: ast.AST, rest: Sequence[ast.stmt]) -> None:
    """Refused."""
    refuse_word(b, node, "async", "asynchronous code", RUNS_IN_PIECES, "await the data first, then call")
