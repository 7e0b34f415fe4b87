"""Reverse mode on loops: the forward sweep with what it keeps, then every statement backwards.

For each scalar that varies there is a register for its cotangent, for each buffer that varies a shadow. In a loop what
the reverse sweep needs of a round is computed again where that is cheap, read again where memory still holds it, and
kept on a stack otherwise (what a loop carries, what its functions of mathematics gave).

Source: A. Griewank and A. Walther, "Evaluating Derivatives", 2008, chapters 3, 4 and 12.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from . import calls
from .activity import Layout, layout_of, varying
from .dependence import is_free
from .elementary import FLOAT, LINK, NEG, SELECT, Elementary
from .kernel import (
    Atom,
    Block,
    Buf,
    Call,
    For,
    If,
    Lit,
    Load,
    New,
    Op,
    Pop,
    Reg,
    Size,
    Statement,
    Store,
    While,
    outs_of,
    reads_of,
)
from .plans import Plan
from .rematerialise import recovery
from .rematerialise_buffers import Filled
from .residual_buffers import is_counted, places_of
from .sums import added_by, in_registers, is_sum
from .writer import Writer


@dataclass(eq=False)
class Reversed:
    """A region whose reverse is being written: values that are there, those that it asks for, what is kept, and
    cotangents that are zero first. Of one that is alive all values are still there."""

    block: Block
    alive: bool
    there: dict[Reg, Atom] = field(default_factory=dict)
    env: dict[Reg, Reg] = field(default_factory=dict)
    zeros: list[Reg] = field(default_factory=list)
    kept: list[Reg] = field(default_factory=list)
    stack: Buf | None = None
    buffers: tuple[Buf, ...] = ()
    held: dict[Buf, Buf] = field(default_factory=dict)
    """Whole buffers of the round, as they are kept."""
    holds: Buf | None = None
    filled: dict[Buf, Filled] = field(default_factory=dict)
    """Whole buffers that are made again."""


class Reverse:
    """Writes the reverse sweep of a program; `partials(fn, kinds)` are those of functions of scalars."""

    def __init__(
        self,
        body: Block,
        inputs: Sequence[Reg | Buf],
        partials: Any,
        of_rounds: dict[Buf, Buf] | None = None,
        plan: Plan | None = None,
    ) -> None:
        self.body = body
        self.plan = plan
        self.partials = partials
        self.of_rounds = of_rounds or {}
        """Of buffers with an entry for each round those of one round, which the shadows are like."""
        self.w = Writer()
        self.layout: Layout = layout_of(body)
        self.varies = varying(body, inputs)
        self.bars: dict[Reg, Reg] = {}
        self.live: set[Reg] = set()
        self.copies: dict[Reg, Atom] = {}
        self.shadows: dict[Buf, Buf] = {}
        self.given: dict[Buf, Buf] = {}
        """Shadows that come with cotangents in them."""
        self.regions: list[Reversed] = []
        self.done: dict[Block, Reversed] = {}
        self.recovered: dict[Reg, Statement | None] = {}
        self.hoisted: list[Statement] = []
        """Shadows that each round leaves as it found them: full of zeros."""
        self.cursor: Reg | None = None
        """Of a routine, which runs its statements once more: where on the tape its next call is."""

    # ---- the whole

    def sweep(self, results: Sequence[Atom], seeds: Sequence[Atom]) -> list[Statement]:
        """The reverse sweep, from cotangents of the results."""
        with self.w.region() as written:
            top = Reversed(self.body, True)
            self.regions.append(top)
            self.make_shadows(self.body)
            for r, seed in zip(results, seeds, strict=True):
                self.add(r, seed)
            self.statements(self.body.statements)
            self.regions.pop()
        return [*self.hoisted, *written]

    # ---- cotangents

    def bar(self, atom: Atom) -> Reg | None:
        """The cotangent of a scalar, if anything has flowed to it."""
        return self.bars[atom] if isinstance(atom, Reg) and atom in self.live else None

    def add(self, atom: Atom, value: Atom) -> None:
        """Let `value` flow to a scalar."""
        if not isinstance(atom, Reg) or atom not in self.varies or value == Lit(0.0):
            return
        bar = self.bars.setdefault(atom, Reg(f"d{atom.name}", "f", True))
        if atom in self.live:
            self.copies.pop(bar, None)
            self.w.set(bar, self.w.add(bar, value))
            return
        self.live.add(atom)
        home = self.layout.home.get(atom, self.body)
        if home is self.regions[-1].block:
            self.copies[bar] = value
            self.w.set(bar, value)
            return
        for region in self.regions:
            if region.block is home:
                region.zeros.append(bar)
        self.w.set(bar, self.w.add(bar, value))

    def shadow(self, buf: Buf) -> Buf:
        return self.shadows.setdefault(buf, Buf(f"d{buf.name}", "f", buf.ndim))

    def entry(self, buf: Buf, index: tuple[Atom, ...]) -> tuple[Buf, list[Atom]]:
        """The place of the cotangent of an entry of a buffer."""
        one = self.of_rounds.get(buf, buf)
        return self.shadow(one), [self.value(i) for i in index[buf.ndim - one.ndim :]]

    def make_shadows(self, block: Block) -> None:
        """Memory for the cotangents of the buffers that a region makes: once for all rounds, where that can be."""
        for s in block.statements:
            if not isinstance(s, New) or s.buf in self.given or not self.moves(s.buf):
                continue
            homes = [self.layout.home.get(n, self.body) for n in s.shape if isinstance(n, Reg)]
            if s.zero or block is self.body or any(home is not self.body for home in homes):
                self.w.emit(New(self.shadow(s.buf), tuple([self.value(n) for n in s.shape])))
            else:
                self.hoisted.append(New(self.shadow(s.buf), s.shape))

    def moves(self, buf: Buf) -> bool:
        """Tell whether a buffer varies, or one with an entry for each round in its place."""
        return buf in self.varies or any(one is buf and b in self.varies for b, one in self.of_rounds.items())

    # ---- values of the forward sweep

    def value(self, atom: Atom) -> Atom:
        """A scalar of the forward sweep, where the reverse one needs it."""
        if not isinstance(atom, Reg):
            return atom
        home = self.layout.home.get(atom)
        for region in self.regions:
            if region.block is home:
                if region.alive:
                    return atom
                if atom in region.there:
                    return region.there[atom]
                return region.env.setdefault(atom, Reg(atom.name, atom.kind))
        return atom

    def computed(self, s: Op, fn: Elementary, args: tuple[Atom, ...]) -> Atom | None:
        """This function of these arguments, if the forward sweep computed it beside `s`."""
        found = self.layout.computed.get((self.layout.block_of[s], fn.text, args))
        return None if found is None else self.value(found)

    def recomputed(self, region: Reversed) -> None:
        """Write what a region needs of its round in the forward sweep."""
        w, block = self.w, region.block
        calls.take_held(self, region)
        order = [*block.params, *[r for s in block.statements for r in outs_of(s)]]
        for r in reversed(order):  # what it is made of comes before it
            if r in region.env and (found := recovery(self, r)) is not None:
                for a in reads_of(found):
                    self.value(a)
        taken = [r for r in order if r in region.env and recovery(self, r) is None]
        if taken:
            region.kept = taken
            if self.cursor is None and is_counted(self, block):
                region.buffers = tuple([Buf(f"kept_{r.name or 't'}", r.kind, 1) for r in taken])
                for buf, r, place in zip(region.buffers, taken, places_of(self, block, taken), strict=True):
                    w.emit(Load(region.env[r], buf, (place,)))
            else:
                region.stack = Buf("kept", "f", 1)
                w.emit(Pop(tuple([region.env[r] for r in taken]), region.stack))
        for r in order:
            if r not in region.env or r in taken:
                continue
            out: Any = region.env[r]
            match recovery(self, r):
                case Op(_, fn, args):
                    w.emit(Op(out, fn, tuple(map(self.value, args))))
                case Load(_, buf, index):
                    w.emit(Load(out, buf, tuple(map(self.value, index))))
                case Size(_, buf, axis):
                    w.emit(Size(out, buf, axis))
        w.statements += [s for filled in region.filled.values() for s in filled.statements]

    # ---- statements, backwards

    def statements(self, statements: Sequence[Statement]) -> None:
        for s in reversed(statements):
            match s:
                case Op():
                    self.op(s)
                case Load():
                    self.load(s)
                case Store():
                    self.store(s)
                case If():
                    self.branch(s)
                case For() | While():
                    self.loop(s)
                case Call():
                    calls.backwards(self, s)

    def op(self, s: Op) -> None:
        d = self.bar(s.out)
        if d is None:
            return
        if s.fn is FLOAT:
            self.add(s.args[0], d)
        elif s.fn is LINK:
            self.add(s.args[1], d)
        elif s.fn is SELECT:
            cond = self.value(s.args[0])
            self.add_if(s.args[1], cond, d, True)
            self.add_if(s.args[2], cond, d, False)
        else:
            wanted = [isinstance(a, Reg) and a in self.varies for a in s.args]
            ps, singular = self.partials(self, s, wanted)
            for a, p in zip(s.args, ps, strict=True):
                if p is None:
                    continue
                self.add(a, self.w.applied(p, d, singular))

    def original(self, d: Atom | None) -> Atom | None:
        """The cotangent that this one is a copy of."""
        while isinstance(d, Reg) and d in self.copies:
            d = self.copies[d]
        return d

    def add_if(self, atom: Atom, cond: Atom, d: Atom, side: bool) -> None:
        if isinstance(atom, Reg) and atom in self.varies:
            zero = Lit(0.0)
            self.add(atom, self.w.op(SELECT, cond, d, zero) if side else self.w.op(SELECT, cond, zero, d))

    def load(self, s: Load) -> None:
        d = self.bar(s.out)
        if d is not None and s.buf in self.varies:
            self.w.store(*self.entry(s.buf, s.index), d, adds=True)

    def store(self, s: Store) -> None:
        if s.buf not in self.varies:
            return
        shadow, index = self.entry(s.buf, s.index)
        if (added := added_by(self.layout, s)) is not None:  # what was there is still in what is there
            term, negative = added
            if isinstance(term, Reg) and term in self.varies:
                d = self.w.load(shadow, index, "d")
                self.add(term, self.w.op(NEG, d) if negative else d)
            return
        if isinstance(s.value, Reg) and s.value in self.varies:
            self.add(s.value, self.w.load(shadow, index, "d"))
        self.w.store(shadow, index, 0.0)

    # ---- regions, backwards

    def region(self, block: Block, alive: bool, before: Any, after: Any = None, preset: Any = None) -> list[Statement]:
        """The reverse of a region: what it needs, then its statements backwards."""
        region = self.done[block] = Reversed(block, alive, preset or {})
        self.regions.append(region)
        with self.w.region() as reverse:
            before()
            self.statements(block.statements)
            if after is not None:
                after()
        with self.w.region() as shadows:
            self.make_shadows(block)
        with self.w.region() as first:
            if not alive:
                self.recomputed(region)
        self.regions.pop()
        return [*first, *shadows, *reverse]

    def nested(self, write: Any) -> None:
        """Write a statement with regions, after zeros for the cotangents of this region that flow out of it."""
        zeros = self.regions[-1].zeros
        before = len(zeros)
        with self.w.region() as written:
            write()
        for bar in zeros[before:]:
            self.w.set(bar, Lit(0.0))
        del zeros[before:]
        self.w.statements += written

    def branch(self, s: If) -> None:
        bars = [self.bar(out) for out in s.outs]
        if all(d is None for d in bars) and not self.layout.touches(s, self.varies):
            return

        def write() -> None:
            cond = self.value(s.cond)
            sides = []
            for block in (s.then, s.orelse):

                def flow(block: Block = block) -> None:
                    for r, d in zip(block.results, bars, strict=True):
                        if d is not None:
                            self.add(r, d)

                sides.append(Block(tuple(self.region(block, self.regions[-1].alive, flow))))
            if any(side.statements for side in sides):
                self.w.emit(If((), cond, *sides))

        self.nested(write)

    def loop(self, s: For | While) -> None:
        carried = [k for k, p in enumerate(s.body.params) if p in self.varies]
        bars = {k: self.bar(s.outs[k]) for k in carried}
        if all(d is None for d in bars.values()) and not self.layout.touches(s, self.varies):
            return

        def write() -> None:
            w, body = self.w, s.body
            changing: list[Reg] = []
            running = {k: Reg("c", "f", True) for k in carried}
            for k, c in running.items():
                d = bars[k]
                w.set(c, Lit(0.0) if d is None else d)

            def before() -> None:
                for k, c in running.items():
                    self.add(body.results[k], c)

            def after() -> None:
                for k, c in running.items():
                    d = self.bar(body.params[k])
                    # what flows through a sum is the same in all rounds
                    if self.original(d) is not c and not (isinstance(s, For) and is_sum(s, k)):
                        w.set(c, Lit(0.0) if d is None else d)
                        changing.append(c)

            if isinstance(s, For):
                index = Reg(s.index.name, "i")
                start, stop, step = self.value(s.start), self.value(s.stop), self.value(s.step)
                preset = {s.index: index}
            else:
                index, start, stop, step = Reg("k", "i"), Lit(0), self.value(s.outs[-1]), Lit(1)
                preset = {}
            reverse = self.region(body, False, before, after, preset)
            backwards = Block(tuple(reverse))
            down = bool(changing) or not is_free(index, backwards)
            parallel = isinstance(s, For) and s.parallel
            w.statements += in_registers(w, For((), (), index, start, stop, step, backwards, down, parallel))
            for k, c in running.items():
                self.add(s.inits[k], c)

        self.nested(write)
