"""Activity: values that vary with the inputs of a program, and the place of each statement in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .elementary import Elementary
from .kernel import (
    Atom,
    Block,
    Buf,
    Call,
    For,
    If,
    Lit,
    Load,
    Op,
    Pop,
    Push,
    Reg,
    Set,
    Statement,
    Store,
    While,
    blocks_of,
    made_by,
    outs_of,
    walk,
)
from .plans import Routine


@dataclass(eq=False)
class Layout:
    """The places where registers and buffers are made, the loops around each statement, and their order."""

    home: dict[Reg | Buf, Block] = field(default_factory=dict)
    loops: dict[Block, tuple[For | While, ...]] = field(default_factory=dict)
    block_of: dict[Statement, Block] = field(default_factory=dict)
    order: dict[Statement, int] = field(default_factory=dict)
    origin: dict[Reg, Statement] = field(default_factory=dict)
    stores: dict[Buf, list[Store]] = field(default_factory=dict)
    computed: dict[tuple[Block, str, tuple[Atom, ...]], Reg] = field(default_factory=dict)
    """By region, function and arguments what is dear."""
    ranges: dict[Reg, tuple[Atom, Atom, Atom]] = field(default_factory=dict)
    carried: dict[Reg, tuple[Atom, Atom]] = field(default_factory=dict)
    """Of what `for` loops carry, what it is first, and after a round."""

    def in_loop(self, buf: Buf) -> bool:
        """Tell whether a buffer is made anew in each round of a loop."""
        home = self.home.get(buf)
        return home is not None and bool(self.loops[home])

    def touches(self, s: Statement, varies: set[Reg | Buf]) -> bool:
        """Tell whether a region stores into a buffer that varies."""
        return any(isinstance(t, Store) and t.buf in varies for b in blocks_of(s) for t in walk(b))


def layout_of(body: Block) -> Layout:
    """The layout of a program."""
    found = Layout()

    def visit(block: Block, loops: tuple[For | While, ...]) -> None:
        found.loops[block] = loops
        for p in block.params:
            found.home[p] = block
        for s in block.statements:
            found.block_of[s] = block
            found.order[s] = len(found.order)
            for r in outs_of(s):
                found.home[r] = block
                found.origin[r] = s
            if isinstance(s, Op) and s.fn.dear:
                found.computed[block, s.fn.text, s.args] = s.out
            for buf in made_by(s):
                found.home[buf] = block
            if isinstance(s, Store):
                found.stores.setdefault(s.buf, []).append(s)
            if isinstance(s, For):
                found.home[s.index] = s.body
                found.ranges[s.index] = s.start, s.stop, s.step
                found.carried.update(zip(s.body.params, zip(s.inits, s.body.results, strict=True), strict=True))
            inner = (*loops, s) if isinstance(s, For | While) else loops
            for b in blocks_of(s):
                visit(b, inner)

    visit(body, ())
    return found


def varying(body: Block, inputs: Sequence[Reg | Buf], kinds: str = "f") -> set[Reg | Buf]:
    """The floats, and the buffers of floats, that depend on the inputs; or what is of these kinds."""
    spread = _Spread(kinds)
    while True:
        found, before = set(inputs), dict(spread.known)
        spread.through(body, found)
        if spread.known == before:
            return found
        spread.met.clear()


class _Spread:
    """The reach of what varies; of functions that call themselves, by the arguments that vary, which results do."""

    def __init__(self, kinds: str) -> None:
        self.kinds = kinds
        self.known: dict[tuple[Routine, frozenset[int]], frozenset[int]] = {}
        self.met: set[tuple[Routine, frozenset[int]]] = set()
        """What has been looked at, with what was known then of others."""

    def through(self, body: Block, found: set[Reg | Buf]) -> None:
        """Add all that depends on what is found already."""
        before = -1
        while before < len(found):
            before = len(found)
            self.block(body, found)

    def results(self, s: Call, found: set[Reg | Buf]) -> frozenset[int]:
        """The places of the results of a call that vary."""
        key = s.routine, frozenset([k for k, a in enumerate(s.args) if not isinstance(a, Lit) and a in found])
        if key not in self.met:
            self.met.add(key)
            inner: set[Reg | Buf] = {s.routine.params[k] for k in key[1]}
            self.through(s.routine.body, inner)
            places = enumerate(s.routine.body.results)
            self.known[key] = frozenset(
                [k for k, r in places if isinstance(r, Reg) and r in inner and r.kind in self.kinds]
            )
        return self.known.get(key, frozenset())

    def block(self, block: Block, found: set[Reg | Buf]) -> None:
        def moves(x: object) -> bool:
            return isinstance(x, Reg) and x in found

        def reach(outs: Sequence[Reg], sources: Sequence[object]) -> None:
            for out, x in zip(outs, sources, strict=False):
                if moves(x) and out.kind in self.kinds:
                    found.add(out)

        for s in block.statements:
            match s:
                case Op():
                    if s.out.kind in self.kinds and any(map(moves, s.args)) and flows(s.fn):
                        found.add(s.out)
                case Load():
                    if s.buf in found:
                        found.add(s.out)
                case Store():
                    if moves(s.value) and s.buf.kind in self.kinds:
                        found.add(s.buf)
                case Set():
                    reach((s.reg,), (s.value,))
                case Call():
                    found.update([s.outs[k] for k in self.results(s, found)])
                case Push():
                    if any(map(moves, s.values)):
                        found.add(s.stack)
                case Pop():
                    if s.stack in found:
                        found.update([r for r in s.outs if isinstance(r, Reg) and r.kind in self.kinds])
                case If():
                    self.block(s.then, found)
                    self.block(s.orelse, found)
                    reach(s.outs, s.then.results)
                    reach(s.outs, s.orelse.results)
                case For() | While():
                    reach(s.body.params, s.inits)
                    self.block(s.body, found)
                    reach(s.body.params, s.body.results)
                    reach(s.outs, s.inits)
                    reach(s.outs, s.body.results)


def flows(fn: Elementary) -> bool:
    """Tell whether a function of floats has a derivative that is not zero everywhere."""
    return fn.kind in ("f", "=", "?") and (fn.ruled is not None or fn.name in ("select", "float", "link"))
