"""Exits of statements: whether control can fall through, and by which exits it can leave."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, NamedTuple

from .nodes import Called, Step, Tried


class Flow(NamedTuple):
    """`falls`: control may reach what comes next. `exits`: among return, break and continue, those that may leave."""

    falls: bool = True
    exits: frozenset[str] = frozenset()


class Failing(NamedTuple):
    """The keys of whether an exception has come, and of which."""

    raised: str
    error: str


_FALLS = Flow()
_RETURN = frozenset(("return",))
_LOOP = frozenset(("break", "continue"))


def flow_of(body: Sequence[Any]) -> Flow:
    """The flow of a list of statements.

    >>> tree = ast.parse("for x in xs:\\n    if x: return x\\n    break")
    >>> flow_of(tree.body), flow_of(tree.body[0].body).falls
    (Flow(falls=True, exits=frozenset({'return'})), False)
    """
    exits: frozenset[str] = frozenset()
    for statement in body:
        flow = statement_flow(statement)
        exits |= flow.exits
        if not flow.falls:
            return Flow(False, exits)
    return Flow(True, exits) if exits else _FALLS


def statement_flow(node: Any) -> Flow:
    """The flow of one statement (memoised on the node)."""
    flow: Flow | None = getattr(node, "_flow", None)
    if flow is None:
        flow = node._flow = _statement_flow(node)
    return flow


def _statement_flow(node: Any) -> Flow:
    match node:
        case ast.Return():
            return Flow(False, _RETURN)
        case ast.Break():
            return Flow(False, frozenset(("break",)))
        case ast.Continue():
            return Flow(False, frozenset(("continue",)))
        case ast.Raise():
            return Flow(False)
        case Called():
            return Flow(True, _RETURN)
        case ast.If():
            known = truth_of(node.test)
            if known is not None:
                return flow_of(node.body if known else node.orelse)
            return _either([flow_of(node.body), flow_of(node.orelse)])
        case Step():
            flow = flow_of(node.body)
            return Flow(True, flow.exits | _RETURN) if node.fails else flow
        case ast.Try():
            flow = _tried(node)
            return Flow(flow.falls, flow.exits | _RETURN) if isinstance(node, Tried) else flow
        case ast.With():
            return Flow(True, flow_of(node.body).exits)  # a manager may take an exception for itself
        case ast.Match():
            flows = [flow_of(case.body) for case in node.cases]
            return _either(flows if irrefutable(node.cases[-1]) else [*flows, _FALLS])
        case ast.For() | ast.While():
            body, orelse = flow_of(node.body), flow_of(node.orelse)
            endless = isinstance(node, ast.While) and truth_of(node.test) is True
            if endless:
                orelse = Flow(False)
            return Flow("break" in body.exits or orelse.falls, (body.exits - _LOOP) | orelse.exits)
    return _FALLS


def _tried(node: ast.Try) -> Flow:
    body, orelse, final = flow_of(node.body), flow_of(node.orelse), flow_of(node.finalbody)
    handlers = _either([Flow(False), *[flow_of(h.body) for h in node.handlers]])
    falls = body.falls and orelse.falls or handlers.falls
    return Flow(falls and final.falls, body.exits | orelse.exits | handlers.exits | final.exits)


def _either(flows: list[Flow]) -> Flow:
    return Flow(any(f.falls for f in flows), frozenset().union(*(f.exits for f in flows)))


def truth_of(test: ast.expr) -> bool | None:
    """Tell whether a condition is constant: `while True`, also `if __debug__` once a level has made it one."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            known = truth_of(operand)
            return None if known is None else not known
    return None


def irrefutable(case: ast.match_case) -> bool:
    """Tell whether a case of `match` always applies."""
    pattern: Any = case.pattern
    while isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        pattern = pattern.pattern
    return case.guard is None and isinstance(pattern, ast.MatchAs)
