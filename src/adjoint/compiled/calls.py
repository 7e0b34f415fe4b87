"""Calls of functions that call themselves, in a program and in its reverse sweep.

The forward sweep keeps the results of each call on one tape, and where its own calls end there. The reverse of a call
runs the function's own statements once more, with the results of its calls from the tape, and then backwards: so a
round of recursion needs no other memory of its forward sweep than that.

Source: the tape as a stack of calls, A. Griewank and A. Walther, "Evaluating Derivatives", 2008, section 12.2, with
checkpoints at each call (chapter 12).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..spelling import Pool
from . import arrays
from .activity import layout_of, varying
from .dce import replaced_in
from .kernel import (
    Back,
    Block,
    Buf,
    Call,
    Check,
    Eigen,
    For,
    Lit,
    Load,
    New,
    Pop,
    Push,
    Reg,
    Replay,
    Set,
    Size,
    Stack,
    Statement,
    Store,
    blocks_of,
    bufs_of,
    made_by,
    outs_of,
    reads_of,
    walk,
)
from .numbering import simplified
from .plans import Plan, Routine
from .rematerialise_buffers import filled_again
from .writer import Writer

if TYPE_CHECKING:
    from .reverse import Reverse, Reversed


def calls_in(block: Block) -> Iterator[Call]:
    """The calls in a block."""
    return (s for s in walk(block) if isinstance(s, Call))


def routines_of(body: Block) -> list[Routine]:
    """The routines that a program calls, and those that these call."""
    found: dict[Routine, None] = {}
    todo = [body]
    while todo:
        new = [s.routine for s in calls_in(todo.pop()) if s.routine not in found]
        found.update(dict.fromkeys(new))
        todo += [r.body for r in new]
    return [*found]


def mapped(block: Block, of: Callable[[Statement], Sequence[Statement]]) -> Block:
    """A block with other statements in place of each."""

    def inner(b: Block) -> Block:
        return mapped(b, of)

    statements = [t for s in block.statements for t in of(replaced_in(s, lambda a: a, inner))]
    return Block(tuple(statements), block.params, block.results)


# ---- when it has been lowered


def closed(statements: list[Statement]) -> list[Statement]:
    """The program, whose routines have what they read from outside as parameters of their own."""
    body = Block(tuple(statements))
    routines = routines_of(body)
    if not routines:
        return statements
    free: dict[Routine, dict[Any, None]] = {}
    pool = Pool()
    for r in routines:
        r.name = pool.new(r.name)
        free[r] = dict.fromkeys(free_of(r.body.statements, r.body.results, r.params))
    changed = True
    while changed:
        before = sum(map(len, free.values()))
        for r in routines:
            for s in calls_in(r.body):
                free[r].update({x: None for x in free[s.routine] if x not in r.params})
        changed = sum(map(len, free.values())) > before

    def with_all(s: Statement) -> list[Statement]:
        if isinstance(s, Call):
            return [Call(s.outs, s.place, s.routine, (*s.args, *free[s.routine]))]
        return [s]

    for r in routines:
        r.params = (*r.params, *free[r])
        plain, results = simplified(mapped(r.body, with_all).statements, r.body.results)
        r.body = settled(Block(plain.statements, (), tuple(results)))
    return [*mapped(body, with_all).statements]


def settled(body: Block) -> Block:
    """The program, which hands on copies of buffers that it may store into after a call: the reverse reads them."""
    layout = layout_of(body)
    w = Writer()

    def changes(s: Call, buf: Buf) -> bool:
        own = layout.loops[layout.home[buf]] if buf in layout.home else ()
        around = layout.loops[layout.block_of[s]]
        for store in layout.stores.get(buf, []):
            shared = [x for x in layout.loops[layout.block_of[store]] if x in around and x not in own]
            if shared or layout.order[store] > layout.order[s]:
                return True
        return False

    def with_copies(s: Statement) -> list[Statement]:
        if not isinstance(s, Call) or not any(changes(of[s.place], b) for b in bufs_of(s)):
            return [s]
        with w.region() as written:
            args = [copied(w, a) if isinstance(a, Buf) and changes(of[s.place], a) else a for a in s.args]
        return [*written, Call(s.outs, s.place, s.routine, tuple(args))]

    of = {s.place: s for s in calls_in(body)}
    return mapped(body, with_copies) if of else body


def copied(w: Writer, buf: Buf) -> Buf:
    """Write a copy of a buffer."""
    whole = arrays.of_buffer(w, buf, [w.size(buf, k) for k in range(buf.ndim)])
    made = arrays.copied(w, whole, buf.kind).buf
    assert made is not None
    return made


# ---- backwards


def planned(body: Block, inputs: Sequence[Reg | Buf]) -> Plan | None:
    """The plan that the calls of a program, differentiated by these inputs, share; None if no call depends on them."""
    found: dict[Routine, tuple[Reg | Buf, ...]] = {}

    def visit(block: Block, moving: Sequence[Reg | Buf]) -> None:
        varies = varying(block, moving)
        for s in calls_in(block):
            given = zip(s.routine.params, s.args, strict=True)
            known = found.get(s.routine, ())
            new = tuple([p for p, a in given if p in known or not isinstance(a, Lit) and a in varies])
            if len(new) > len(known):
                found[s.routine] = new
                visit(s.routine.body, new)

    visit(body, inputs)
    results = ["".join(a.kind for a in r.body.results) for r in routines_of(body)]
    kinds = "".join(kind * max([one.count(kind) for one in results], default=0) for kind in "fib")
    return Plan(Buf("tape", "f", 1), kinds, found) if found else None


def again(reverse: Reverse, s: Statement) -> list[Statement]:
    """A statement in the forward sweep: calls keep what they give; in a routine that is run once more they take it, and
    what was checked holds."""
    plan = reverse.plan
    if isinstance(s, Call) and plan is not None:
        if reverse.cursor is not None:
            return [Replay(s.outs, s.place, reverse.cursor, plan)]
        return [Call(s.outs, s.place, s.routine, s.args, plan)]
    return [] if isinstance(s, Check) and reverse.cursor is not None else [s]


def stacks(reverse: Reverse, own: list[Stack]) -> list[Stack]:
    """The stacks that a forward sweep makes; those of routines are made by who calls them first."""
    held = [(r.holds, [f"{b.kind}{b.ndim}" for b in r.held]) for r in reverse.done.values()]
    found = [*own, *[Stack(stack, kinds) for stack, kinds in held if stack is not None]]
    plan = reverse.plan
    if plan is None:
        return found
    if reverse.cursor is not None:
        plan.stacks += found
        return []
    return [Stack(plan.tape, f"i{plan.kinds}"), *found]


def backwards(reverse: Reverse, s: Call) -> None:
    """The reverse of a call, by that of the routine."""
    plan, w = reverse.plan, reverse.w
    seeds = [reverse.bar(r) for r in s.outs if r.kind == "f"]
    if plan is None or all(d is None for d in seeds):
        return
    args = [memory(reverse, a) if isinstance(a, Buf) else reverse.value(a) for a in s.args]
    given = dict(zip(s.routine.params, s.args, strict=True))
    moving: list[Any] = [(p, given[p]) for p in plan.varying[s.routine]]
    outs = {Reg(f"d{p.name}", "f"): a for p, a in moving if isinstance(p, Reg)}
    shadows = tuple([shadow(reverse, a) for p, a in moving if isinstance(p, Buf)])
    floats = tuple([Lit(0.0) if d is None else d for d in seeds])
    w.emit(Back(tuple(outs), s.routine, tuple(args), reverse.value(s.place), floats, shadows, plan))
    for out, a in outs.items():
        reverse.add(a, out)


def shadow(reverse: Reverse, buf: Buf) -> Buf:
    """The shadow of a buffer; of one that does not vary one that nobody reads."""
    if buf in reverse.varies:
        return reverse.shadow(buf)
    there = memory(reverse, buf)
    return reverse.w.new("f", [reverse.w.size(there, k) for k in range(buf.ndim)])


def memory(reverse: Reverse, buf: Buf) -> Buf:
    """A buffer of the forward sweep as a whole, where the reverse one needs it: filled again where that is cheap, else
    held."""
    home = reverse.layout.home.get(buf)
    for region in reverse.regions:
        if region.block is home and not region.alive:
            if buf in region.filled:
                return region.filled[buf].buf
            filled = None if buf in region.held else filled_again(reverse, region.block, buf)
            if filled is None:
                return region.held.setdefault(buf, Buf(buf.name, buf.kind, buf.ndim))
            region.filled[buf] = filled
            return filled.buf
    return buf


def take_held(reverse: Reverse, region: Reversed) -> None:
    """Write what takes back the buffers that a region holds."""
    if region.held:
        region.holds = Buf("held", "f", 1)
        reverse.w.emit(Pop(tuple(region.held.values()), region.holds))


# ---- what is read


def free_of(statements: Sequence[Statement], results: Sequence[Any], params: Sequence[Any] = ()) -> list[Any]:
    """Registers and buffers that statements read and do not make, in their order; but for these parameters."""
    made: set[Any] = set(params)
    read: dict[Any, None] = {}

    def visit(block: Sequence[Statement]) -> None:
        for s in block:
            read.update(dict.fromkeys([*[a for a in reads_of(s) if isinstance(a, Reg)], *bufs_of(s)]))
            made.update(outs_of(s))
            match s:
                case Load() | Size() | Store():
                    read[s.buf] = None
                case Push():
                    read[s.stack] = None
                case Pop():
                    read[s.stack] = None
                    made.update(s.outs)
                case Back():
                    read[s.plan.tape] = None
                case New() | Eigen():
                    made.update(made_by(s))
                case Stack():
                    made.add(s.stack)
                case Set():
                    made.add(s.reg)
                case For():
                    made.add(s.index)
            for inner in blocks_of(s):
                made.update(inner.params)
                visit(inner.statements)
                read.update(dict.fromkeys([a for a in inner.results if isinstance(a, Reg)]))

    visit(statements)
    read.update(dict.fromkeys([a for a in results if isinstance(a, Reg)]))
    return [x for x in read if x not in made]
