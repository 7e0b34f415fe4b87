"""Forward mode on loops: beside every statement stands its tangent.

For each scalar that varies there is a register for its tangent, for each buffer that varies one of its shape. It is
applied to programs and to their reverse sweeps alike: then it gives products with Hessians.

Source: A. Griewank and A. Walther, "Evaluating Derivatives", 2008, sections 3.1 and 5.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .activity import varying
from .elementary import FLOAT, LINK, SELECT, Elementary
from .kernel import (
    Atom,
    Block,
    Buf,
    For,
    If,
    Lit,
    Load,
    New,
    Op,
    Pop,
    Push,
    Reg,
    Set,
    Stack,
    Statement,
    Store,
    While,
    outs_of,
    reads_of,
)
from .writer import Writer

ZERO = Lit(0.0)


class Forward:
    """Writes a program with its tangents; `partials(fn, kinds)` are those of functions of scalars."""

    def __init__(self, body: Block, inputs: Sequence[Reg | Buf], partials: Any) -> None:
        self.partials = partials
        self.w = Writer()
        self.varies = varying(body, inputs)
        self.dots: dict[Reg, Atom] = {}
        self.buffers: dict[Buf, Buf] = {}

    # ---- tangents

    def dot(self, atom: Atom) -> Atom:
        """The tangent of a scalar."""
        if not isinstance(atom, Reg) or atom not in self.varies:
            return ZERO
        return self.dots.setdefault(atom, self.register(atom)) if atom.varies else self.dots.get(atom, ZERO)

    def register(self, r: Reg) -> Reg:
        """A register for a tangent."""
        return Reg(f"{r.name}_dot", "f", r.varies)

    def buffer(self, buf: Buf) -> Buf:
        """Memory for the tangents of what is in a buffer."""
        return self.buffers.setdefault(buf, Buf(f"{buf.name}_dot", "f", buf.ndim))

    def with_dots(self, regs: Sequence[Reg]) -> tuple[Reg, ...]:
        """Registers, and new ones for the tangents of those that vary."""
        moving = [r for r in regs if r in self.varies]
        found = [self.register(r) for r in moving]
        self.dots.update(zip(moving, found, strict=True))
        return (*regs, *found)

    def along(self, regs: Sequence[Reg], atoms: Sequence[Atom]) -> tuple[Atom, ...]:
        """The values for these registers, and the tangents of those that vary."""
        return (*atoms, *[self.dot(a) for r, a in zip(regs, atoms, strict=False) if r in self.varies])

    def value(self, atom: Atom) -> Atom:
        """All scalars are there."""
        return atom

    def computed(self, s: Op, fn: Elementary, args: tuple[Atom, ...]) -> None:
        """Do nothing: the program may compute after `s` what it computes beside it."""

    # ---- statements

    def block(self, block: Block, outs: Sequence[Reg] = (), params: Sequence[Reg] = ()) -> Block:
        """A region with its tangents, whose results are those of `outs`."""
        with self.w.region() as written:
            for s in block.statements:
                self.statement(s)
            results = self.along(outs, block.results)
        return Block(tuple(written), tuple(params), results)

    def statement(self, s: Statement) -> None:
        match s:
            case Op():
                self.w.emit(s)
                self.op(s)
            case Load() if s.buf in self.varies:
                self.w.emit(s)
                self.dots[s.out] = self.w.load(self.buffer(s.buf), s.index, f"{s.out.name}_dot")
            case Store():
                self.w.emit(s)
                if s.buf in self.varies and not (s.adds and self.dot(s.value) == ZERO):
                    self.w.emit(Store(self.buffer(s.buf), s.index, self.dot(s.value), s.adds))
            case New():
                self.w.emit(s)
                if s.buf in self.varies:
                    self.w.emit(New(self.buffer(s.buf), s.shape, s.zero))
            case Set():
                if s.reg in self.varies:
                    self.w.emit(Set(self.dot(s.reg), self.dot(s.value)))  # type: ignore[arg-type]
                self.w.emit(s)
            case Stack():
                self.w.emit(s)
                if s.stack in self.varies:
                    self.w.emit(Stack(self.buffer(s.stack), "f" * s.kinds.count("f")))
            case Push():
                self.w.emit(s)
                if s.stack in self.varies:
                    dots = [self.dot(v) for v in reads_of(s) if v.kind == "f"]
                    self.w.emit(Push(self.buffer(s.stack), tuple(dots)))
            case Pop():
                self.w.emit(s)
                if s.stack in self.varies:
                    self.w.emit(Pop(self.with_dots(outs_of(s))[len(s.outs) :], self.buffer(s.stack)))
            case If():
                outs = self.with_dots(s.outs)
                self.w.emit(If(outs, s.cond, self.block(s.then, s.outs), self.block(s.orelse, s.outs)))
            case For():
                inits = self.along(s.body.params, s.inits)
                body = self.block(s.body, s.body.params, self.with_dots(s.body.params))
                outs = (*s.outs, *self.outs_like(s.outs, s.body.params))
                self.w.emit(replace(s, outs=outs, inits=inits, body=body))
            case While():
                inits = self.along(s.body.params, s.inits)
                unread = [self.register(p) for p in s.body.params if p in self.varies]
                cond = Block(s.cond.statements, (*s.cond.params, *unread), s.cond.results)
                body = self.block(s.body, s.body.params, self.with_dots(s.body.params))
                self.w.emit(While((*s.outs, *self.outs_like(s.outs, s.body.params)), inits, cond, body))
            case _:
                self.w.emit(s)

    def outs_like(self, outs: Sequence[Reg], params: Sequence[Reg]) -> list[Reg]:
        """New registers for the tangents of what a loop gives."""
        found = []
        for out, p in zip(outs, params, strict=True):
            if p in self.varies:
                self.dots[out] = self.register(out)
                found.append(self.dots[out])
        return found  # type: ignore[return-value]

    def op(self, s: Op) -> None:
        """ẏ = Σ ∂y/∂x ẋ."""
        if s.out not in self.varies:
            return
        if s.fn is FLOAT:
            self.dots[s.out] = self.dot(s.args[0])
        elif s.fn is LINK:
            self.dots[s.out] = self.dot(s.args[1])
        elif s.fn is SELECT:
            self.dots[s.out] = self.w.op(SELECT, s.args[0], self.dot(s.args[1]), self.dot(s.args[2]))
        else:
            self.dots[s.out] = self.sum_of(s)

    def sum_of(self, s: Op) -> Atom:
        dots = [self.dot(a) for a in s.args]
        ps, singular = self.partials(self, s, [d != ZERO for d in dots])
        found: Atom = ZERO
        for d, p in zip(dots, ps, strict=True):
            if p is None:
                continue
            term = self.w.applied(p, d, singular)
            found = term if found == ZERO else self.w.add(found, term)
        return found
