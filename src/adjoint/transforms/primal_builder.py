"""The forward half under construction: statements that later learn what the reverse half wants kept."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ..ir.nodes import Atom, Block, Call, Closure, Const, If, Loop, Span, Statement, Var
from ..ir.types import UNKNOWN, Deque, Type
from ..tangents import dense_deque, dense_list


@dataclass(eq=False)
class ForwardCall:
    """`y, back = rule(...)`, or the plain call if nobody asks for `back`."""

    plain: Call
    ruled: Call
    back: Var
    wanted: bool = False

    def finish(self) -> Statement:
        return self.ruled if self.wanted else self.plain


@dataclass(eq=False)
class ForwardLength:
    """`n = len(xs)`, if somebody asks for it."""

    call: Call
    wanted: bool = False

    @property
    def outs(self) -> tuple[Var, ...]:
        return self.call.outs

    def ask(self) -> Var:
        """The length, which is wanted from here on."""
        self.wanted = True
        return self.call.out

    def start(self, t: Type, loose: bool) -> tuple[Any, ...]:
        """The function that makes a list or a deque of as many cotangents; and what it is given besides these."""
        return dense_deque if isinstance(t, Deque) else dense_list, self.ask(), Const(None if loose else 0.0)


@dataclass(eq=False)
class ForwardIf:
    """A branch, with more outs: (out, value in the first block, value in the second)."""

    statement: If
    then: Builder
    orelse: Builder
    extra: list[tuple[Var, Atom, Atom]] = field(default_factory=list)

    def finish(self) -> Statement:
        s = self.statement
        outs = (*s.outs, *(out for out, _, _ in self.extra))
        then = Block((), self.then.finish(), (*s.then.results, *(a for _, a, _ in self.extra)))
        orelse = Block((), self.orelse.finish(), (*s.orelse.results, *(b for _, _, b in self.extra)))
        return If(outs, s.cond, then, orelse, s.span)


@dataclass(eq=False)
class ForwardLoop:
    """A loop, with more collected lists: (list, value of a round)."""

    statement: Loop
    body: Builder
    extra: list[tuple[Var, Atom]] = field(default_factory=list)

    def finish(self) -> Statement:
        s = self.statement
        outs = (*s.outs, *(out for out, _ in self.extra))
        body = Block(s.body.params, self.body.finish(), (*s.body.results, *(v for _, v in self.extra)))
        return replace(s, outs=outs, body=body, primal=None)


Pending = Call | Closure | If | Loop | ForwardCall | ForwardLength | ForwardIf | ForwardLoop


class Builder:
    """A region being written, forward or reverse."""

    def __init__(self, span: Span | None = None) -> None:
        self.prelude: list[Pending] = []
        self.statements: list[Pending] = []
        self.span = span
        self.within: dict[Var, Span | None] = {}
        """The places within branches of what is computed there."""

    def emit(self, statement: Pending) -> None:
        self.statements.append(statement)

    def call(self, fn: Any, *args: Atom, name: str = "", type: Type = UNKNOWN, **kwargs: Atom) -> Var:
        """`name = fn(*args)`."""
        out = Var(name, type, True)
        self.emit(Call((out,), fn if isinstance(fn, Var) else Const(fn), args, tuple(kwargs.items()), self.span))
        return out

    def unpack(self, fn: Atom, args: tuple[Atom, ...], outs: tuple[Var, ...]) -> None:
        """`a, b = fn(*args)`."""
        self.emit(Call(outs, fn, args, (), self.span))

    def effect(self, fn: Any, *args: Atom) -> None:
        """`fn(*args)`, for its effect."""
        self.emit(Call((), Const(fn), args, (), self.span))

    def places(self) -> dict[Var, Span | None]:
        """The places of what is computed here; after a branch, those within it."""
        return {v: s.span for s in self.statements if isinstance(s, (Call, If, Loop)) for v in s.outs} | self.within

    def finish(self) -> tuple[Statement, ...]:
        found: list[Statement] = []
        for s in (*self.prelude, *self.statements):
            if isinstance(s, ForwardLength):
                found += [s.call] if s.wanted else []
            else:
                found.append(s.finish() if isinstance(s, (ForwardCall, ForwardIf, ForwardLoop)) else s)
        return tuple(found)
