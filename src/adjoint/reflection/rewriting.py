"""Statements of programs, each replaced by what a function gives for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ..ir.nodes import Block, Closure, Function, If, Loop, Statement
from .checking import statements_of
from .templates import inner_of, with_inner

Change = Callable[[Statement], "Statement | Iterable[Statement] | None"]


def rewritten(function: Function, change: Change) -> Function:
    """A function with each statement as `change` gives it, innermost ones first."""
    return replace(function, body=_block(function.body, change))


def _block(block: Block, change: Change) -> Block:
    statements: list[Statement] = []
    for s in block.statements:
        statements += statements_of(change(_within(s, change)))
    return Block(block.params, tuple(statements), block.results)


def _within(s: Statement, change: Change) -> Statement:
    """A statement whose blocks are changed, and the function that it makes."""
    if (inner := inner_of(s)) is not None:
        return with_inner(s, rewritten(inner, change))
    match s:
        case If():
            return replace(s, then=_block(s.then, change), orelse=_block(s.orelse, change))
        case Loop():
            cond = None if s.cond is None else _block(s.cond, change)
            return replace(s, cond=cond, body=_block(s.body, change))
        case Closure():
            return replace(s, function=rewritten(s.function, change))
    return s
