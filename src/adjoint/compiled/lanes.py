"""Several tangents, or cotangents, in one run: what depends on them gets one axis more, and the rest is done once.

What is the same for all lanes stays as it is. Between two regions (branches, loops) the statements that have lanes
stand in one loop over them, as scalars; what is needed beyond that loop is in an array with an entry for each lane.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

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
    Size,
    Statement,
    Store,
    While,
    outs_of,
    reads_of,
    walk,
)
from .writer import Writer


@dataclass(frozen=True, eq=False, slots=True)
class Carry:
    """`regs = values`, all at once: what loops carry and what branches give."""

    regs: tuple[Reg, ...]
    values: tuple[Atom, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Run:
    """Statements that share a loop over the lanes."""

    statements: tuple[Any, ...]


def laned_of(body: Block, seeds: Sequence[Reg | Buf]) -> set[Any]:
    """All that depends on the seeds: registers, buffers, and stacks."""
    found: set[Any] = set(seeds)
    while True:
        before = len(found)
        for s in walk(body):
            _spread(s, found)
        if len(found) == before:
            return found


def _spread(s: Statement, found: set[Any]) -> None:
    match s:
        case Op() if any(a in found for a in s.args):
            found.add(s.out)
        case Load() if s.buf in found:
            found.add(s.out)
        case Store() if s.value in found:
            found.add(s.buf)
        case Set() if s.value in found:
            found.add(s.reg)
        case Push() if any(a in found for a in s.values):
            found.add(s.stack)
        case Pop() if s.stack in found:
            found.update(s.outs)
        case If():
            for out, a, b in zip(s.outs, s.then.results, s.orelse.results, strict=True):
                if a in found or b in found:
                    found.add(out)
        case For() | While():
            for p, out, first, r in zip(s.body.params, s.outs, s.inits, s.body.results, strict=True):
                if first in found or r in found:
                    found.update((p, out))


class Lanes:
    """Writes a program with `n` lanes for all that depends on `seeds`."""

    def __init__(self, body: Block, seeds: Sequence[Reg | Buf], n: Reg) -> None:
        self.body = body
        self.n = n
        self.given = set(seeds)
        self.laned = laned_of(body, seeds)
        self.w = Writer()
        self.arrays: dict[Reg | Buf, Buf] = {}
        self.where: dict[Reg, Reg] = {}
        """What a loop gives is where it was carried."""
        self.own: set[Reg] = set()
        """What is needed in one run only."""

    def written(self, results: Sequence[Any]) -> tuple[Block, list[Any]]:
        """The program, and its results."""
        arranged = self.arranged(self.body)
        self.own = self.in_one_run(arranged, results)
        body = self.expanded(arranged)
        outs = [self.array(r) if r in self.laned else r for r in results]
        made = [New(b, (self.n,), False) for r, b in self.arrays.items() if isinstance(r, Reg) and r not in self.given]
        return Block((*made, *body.statements)), outs

    def array(self, x: Any) -> Buf:
        """The memory of a register or a buffer that has lanes."""
        x = self.home(x)
        if x not in self.arrays:
            self.arrays[x] = Buf(x.name, x.kind, 1 if isinstance(x, Reg) else x.ndim + 1)
        return self.arrays[x]

    def home(self, x: Any) -> Any:
        while x in self.where:
            x = self.where[x]
        return x

    # ---- which statements share a loop

    def arranged(self, block: Block, outs: Sequence[Reg] = ()) -> Block:
        """A region whose statements with lanes are in runs, and which sets those of `outs` that have lanes."""
        found: list[Any] = []
        run: list[Any] = []

        def close() -> None:
            if run:
                found.append(Run(tuple(run)))
                run.clear()

        for s in block.statements:
            if self.has_lanes(s):
                run.append(s)
            elif isinstance(s, If | For | While):
                run += self.before(s)
                close()
                found.append(self.region(s))
            else:
                if isinstance(s, Set) and any(s.reg in read_by(t) for t in run):
                    close()
                found.append(s)  # what has no lanes comes before what stands with it and has
        pairs = list(zip(outs, block.results, strict=True)) if outs else []
        carried = [(p, r) for p, r in pairs if p in self.laned]
        if carried:
            run.append(carry(carried))
        close()
        results = [r for p, r in pairs if p not in self.laned] if outs else block.results
        return Block(tuple(found), self.same(block.params), tuple(results))

    def has_lanes(self, s: Statement) -> bool:
        """Tell whether a statement computes or stores what depends on the seeds."""
        match s:
            case Op() | Load():
                return s.out in self.laned
            case Store():
                return s.buf in self.laned
            case Set():
                return s.reg in self.laned
            case Push() | Pop():
                return s.stack in self.laned
        return False

    def same(self, regs: Sequence[Any], like: Sequence[Reg] | None = None) -> tuple[Any, ...]:
        """Those that are the same for all lanes; of what stands beside `like`, where that is."""
        return tuple([r for r, x in zip(regs, regs if like is None else like, strict=True) if x not in self.laned])

    def before(self, s: If | For | While) -> list[Carry]:
        """The assignments of what a loop carries first, where that has lanes."""
        if isinstance(s, If):
            return []
        carried = [(p, r) for p, r in zip(s.body.params, s.inits, strict=True) if p in self.laned]
        return [carry(carried)] if carried else []

    def region(self, s: If | For | While) -> Statement:
        """A branch or a loop without what has lanes among what it carries and gives."""
        if isinstance(s, If):
            return If(self.same(s.outs), s.cond, self.arranged(s.then, s.outs), self.arranged(s.orelse, s.outs))
        params = s.body.params
        self.where.update({o: p for o, p in zip(s.outs, params, strict=True) if p in self.laned})
        outs, inits, body = self.same(s.outs, params), self.same(s.inits, params), self.arranged(s.body, params)
        if isinstance(s, For):
            return replace(s, outs=outs, inits=inits, body=body)
        cond = Block(s.cond.statements, self.same(s.cond.params, params), s.cond.results)
        return While(outs, inits, cond, body)

    def in_one_run(self, block: Block, results: Sequence[Any]) -> set[Reg]:
        """The registers that are set and then read in one run, and nowhere else."""
        runs: dict[Reg, set[int]] = {self.home(r): {0, 1} for r in (*results, *self.given) if isinstance(r, Reg)}
        for run in runs_of(block):
            made: set[Reg] = set()
            for s in run.statements:
                for a in read_by(s):
                    if a in self.laned and self.home(a) not in made:
                        runs.setdefault(self.home(a), set()).update((0, id(run)))  # it was set before
                for r in map(self.home, set_by(s)):
                    made.add(r)
                    runs.setdefault(r, set()).add(id(run))
        return {r for r, found in runs.items() if len(found) == 1}

    # ---- loops over the lanes

    def expanded(self, block: Block) -> Block:
        """A region with loops in place of runs."""
        with self.w.region() as written:
            for s in block.statements:
                self.statement(s)
        return Block(tuple(written), block.params, block.results)

    def statement(self, s: Any) -> None:
        match s:
            case Run():
                self.run(s)
            case New() if s.buf in self.laned:
                self.w.emit(New(self.array(s.buf), (*s.shape, self.n), s.zero))
            case Size() if s.buf in self.laned:
                self.w.emit(Size(s.out, self.array(s.buf), s.axis))
            case If():
                self.w.emit(If(s.outs, s.cond, self.expanded(s.then), self.expanded(s.orelse)))
            case For():
                body = self.expanded(s.body)
                self.w.emit(replace(s, body=body))
            case While():
                self.w.emit(While(s.outs, s.inits, s.cond, self.expanded(s.body)))
            case _:
                self.w.emit(s)

    def run(self, run: Run) -> None:
        """One loop over the lanes; what was pushed last is taken first."""
        lane = Reg("lane", "i")
        with self.w.region() as written:
            self.lane(run, lane)
        down = any(isinstance(s, Pop) for s in run.statements)
        self.w.emit(For((), (), lane, Lit(0), self.n, Lit(1), Block(tuple(written)), down))

    def lane(self, run: Run, lane: Reg) -> None:
        """The statements of a run for one lane."""
        w = self.w
        local: dict[Any, Atom] = {}
        changed: dict[Reg, None] = {}

        def read(a: Atom) -> Atom:
            if a not in self.laned:
                return a
            home = self.home(a)
            if home not in local:
                local[home] = w.load(self.array(home), (lane,), home.name)
            return local[home]

        def define(regs: Sequence[Reg], atoms: Sequence[Atom]) -> None:
            local.update(zip(regs, atoms, strict=True))
            changed.update(dict.fromkeys([r for r in regs if r not in self.own]))

        for s in run.statements:
            match s:
                case Op(out, fn, args):
                    found = Reg(out.name, out.kind)
                    w.emit(Op(found, fn, tuple(map(read, args))))
                    define((out,), (found,))
                case Load(out, buf, index):
                    define((out,), (w.load(self.array(buf), (*index, lane), out.name),))
                case Store(buf, index, value, adds):
                    w.store(self.array(buf), (*index, lane), read(value), adds)
                case Push(stack):
                    w.emit(Push(stack, tuple(map(read, reads_of(s)))))
                case Pop(_, stack):
                    taken = tuple([Reg(r.name, r.kind) for r in outs_of(s)])
                    w.emit(Pop(taken, stack))
                    define(outs_of(s), taken)
                case Set(reg, value):
                    define((reg,), (read(value),))
                case Carry(regs, values):
                    define(regs, tuple(map(read, values)))
        for r in changed:
            w.store(self.array(r), (lane,), local[r])


def carry(pairs: Sequence[tuple[Reg, Atom]]) -> Carry:
    """The statement that sets registers to values."""
    return Carry(tuple([r for r, _ in pairs]), tuple([value for _, value in pairs]))


def runs_of(block: Block) -> Iterator[Run]:
    """All runs of a block and its regions."""
    statements: Iterator[Any] = walk(block)
    return (s for s in statements if isinstance(s, Run))


def read_by(s: Any) -> tuple[Atom, ...]:
    """The scalars that a statement of a run reads."""
    return s.values if isinstance(s, Carry) else reads_of(s)


def set_by(s: Any) -> tuple[Reg, ...]:
    """The scalars that a statement of a run sets."""
    match s:
        case Carry():
            return s.regs
        case Set():
            return (s.reg,)
        case Op() | Load():
            return (s.out,)
        case Pop():
            return outs_of(s)
    return ()
