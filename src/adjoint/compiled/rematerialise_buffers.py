"""Buffers that rounds make and hand on whole: made again in the reverse sweep, as the forward sweep made them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .kernel import Atom, Block, Buf, Check, For, If, Load, New, Op, Reg, Statement, Store, walk
from .memory import overwrites

if TYPE_CHECKING:
    from .reverse import Reverse


@dataclass(frozen=True)
class Filled:
    """A buffer that the reverse sweep makes as the forward sweep did."""

    buf: Buf
    statements: list[Statement]


def filled_again(reverse: Reverse, block: Block, buf: Buf) -> Filled | None:
    """A buffer of a round made again; None where that is not cheap, or what it was made of is not there any more."""
    made = next(s for s in block.statements if isinstance(s, New) and s.buf is buf)
    using = [
        made,
        *[s for s in block.statements if any(t.buf is buf for t in walk(Block((s,))) if isinstance(t, Store))],
    ]
    layout = reverse.layout
    for s in walk(Block(tuple(using))):
        match s:
            case New() if s is made:
                pass
            case Op() if not s.fn.dear:
                pass
            case Load() if s.buf is buf or not layout.in_loop(s.buf) and not overwrites(layout, s):
                pass
            case Store() if s.buf is buf:
                pass
            case For() | If() | Check():
                pass
            case _:
                return None
    again = Renamed(reverse.value)
    bufs = {buf: Buf(buf.name, buf.kind, buf.ndim)}
    return Filled(bufs[buf], [t for s in using for t in again.statement(s, bufs)])


class Renamed:
    """Statements with variables of their own; `outside` gives what they read of others. What was checked holds."""

    def __init__(self, outside: Callable[[Atom], Atom]) -> None:
        self.outside = outside
        self.own: dict[Reg, Reg] = {}

    def new(self, r: Reg) -> Reg:
        return self.own.setdefault(r, Reg(r.name, r.kind, r.varies))

    def atom(self, a: Atom) -> Atom:
        return self.own[a] if isinstance(a, Reg) and a in self.own else self.outside(a)

    def block(self, b: Block, bufs: dict[Buf, Buf]) -> Block:
        params = tuple(map(self.new, b.params))
        statements = [t for s in b.statements for t in self.statement(s, bufs)]
        return Block(tuple(statements), params, tuple(map(self.atom, b.results)))

    def statement(self, s: Statement, bufs: dict[Buf, Buf]) -> list[Statement]:
        def all_of(atoms: Sequence[Atom]) -> tuple[Atom, ...]:
            return tuple(map(self.atom, atoms))

        match s:
            case New():
                return [New(bufs[s.buf], all_of(s.shape), s.zero)]
            case Op():
                return [Op(self.new(s.out), s.fn, all_of(s.args))]
            case Load():
                return [Load(self.new(s.out), bufs.get(s.buf, s.buf), all_of(s.index))]
            case Store():
                return [Store(bufs[s.buf], all_of(s.index), self.atom(s.value), s.adds)]
            case If():
                cond, then, orelse = self.atom(s.cond), self.block(s.then, bufs), self.block(s.orelse, bufs)
                return [If(tuple(map(self.new, s.outs)), cond, then, orelse)]
            case For():
                inits, (start, stop, step) = all_of(s.inits), all_of((s.start, s.stop, s.step))
                outs, index, body = tuple(map(self.new, s.outs)), self.new(s.index), self.block(s.body, bufs)
                made = replace(s, outs=outs, inits=inits, index=index, start=start, stop=stop, step=step, body=body)
                return [made]
        return []
