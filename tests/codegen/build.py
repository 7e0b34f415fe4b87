"""A tiny builder of IR: blocks written from top to bottom."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from adjoint.codegen import Emitted, emit, load
from adjoint.ir.nodes import (
    UNDEF,
    Atom,
    Block,
    Call,
    Closure,
    Const,
    Function,
    If,
    Loop,
    Span,
    Star,
    Statement,
    Undef,
    Var,
)
from adjoint.ir.types import FLOAT, INT, UNKNOWN, Type

__all__ = ["FLOAT", "INT", "UNDEF", "Const", "Region", "Star", "Var", "ops", "printed", "run"]

ops = operator


def atom(value: Any) -> Any:
    return value if isinstance(value, Var | Const | Undef | Star) else Const(value)


class Region:
    """A block under construction; `region(fn, *args)` adds a call and gives its out."""

    def __init__(self, *params: Var) -> None:
        self.params = params
        self.statements: list[Statement] = []

    def __call__(
        self, fn: Any, *args: Any, name: str = "", type: Type = UNKNOWN, span: Span | None = None, **kwargs: Any
    ) -> Var:
        out = Var(name, type)
        pairs = tuple((key, atom(value)) for key, value in kwargs.items())
        self.statements.append(Call((out,), atom(fn), tuple(map(atom, args)), pairs, span))
        return out

    def many(self, fn: Any, *args: Any, names: str, span: Span | None = None) -> tuple[Var, ...]:
        outs = tuple(Var("" if name == "-" else name) for name in names.split())
        self.statements.append(Call(outs, atom(fn), tuple(map(atom, args)), (), span))
        return outs

    def block(self, *results: Any) -> Block:
        return Block(self.params, tuple(self.statements), tuple(map(atom, results)))

    def if_(self, cond: Any, then: Block, orelse: Block, names: str, span: Span | None = None) -> tuple[Var, ...]:
        outs = tuple(Var("" if name == "-" else name) for name in names.split())
        self.statements.append(If(outs, atom(cond), then, orelse, span))
        return outs

    def loop(
        self,
        body: Block,
        names: str,
        inits: tuple[Any, ...] = (),
        over: tuple[Any, ...] = (),
        cond: Block | None = None,
        stop: int | None = None,
        span: Span | None = None,
    ) -> tuple[Var, ...]:
        outs = tuple(Var("" if name == "-" else name) for name in names.split())
        loop = Loop(outs, tuple(map(atom, inits)), tuple(map(atom, over)), cond, body, stop, span)
        self.statements.append(loop)
        return outs

    def closure(self, name: str, region: Region, result: Any) -> Var:
        out = Var(name)
        self.statements.append(Closure(out, Function(name, region.block(result))))
        return out

    def function(self, name: str, result: Atom | Any) -> Function:
        return Function(name, self.block(result))


def printed(function: Function, **options: Any) -> str:
    """The text of a function without its self parameter."""
    return emit(function, drop_self=True, **options).text


def run(function: Function | Emitted, **names: Any) -> Callable[..., Any]:
    """The function itself."""
    emitted = emit(function, drop_self=True) if isinstance(function, Function) else function
    return load(emitted, globals={**names}, user_filename=__file__)
