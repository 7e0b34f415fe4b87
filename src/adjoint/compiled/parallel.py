"""Loops that are written with `prange`: in parts that run side by side, where their rounds share nothing but sums.

Each part has a function of its own, whose loop is the one that was there. What rounds add to numbers, or to buffers
that they do not read, each part adds up by itself; the sums of the parts are added when all are done.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .calls import free_of, mapped
from .dce import replaced_in
from .dependence import has_own_place, made_in
from .elementary import ADD, MAXIMUM, MUL, PLUS
from .expressions import ATOM, DTYPES, SUM
from .kernel import (
    Atom,
    Block,
    Buf,
    Check,
    For,
    If,
    Kernel,
    Lit,
    Load,
    New,
    Op,
    Parts,
    Reg,
    Set,
    Size,
    Statement,
    Store,
    While,
    blocks_of,
    made_by,
    outs_of,
    reads_of,
    walk,
)
from .sums import is_sum, reads_in

if TYPE_CHECKING:
    from .printing import Printer

_ALLOWED = Op | Size | Load | Store | New | Set | If | For | While | Check
Function = tuple[Kernel, tuple[Reg, ...]]


def in_parts(kernel: Kernel) -> tuple[Kernel, list[Function]]:
    """A program whose loops run in parts where they can, and the functions of the parts with their results."""
    functions: list[Function] = []
    origin = {r: s for s in walk(kernel.body) for r in outs_of(s)}

    def of_block(block: Block) -> Block:
        return Block(tuple(map(of, block.statements)), block.params, block.results)

    def of(s: Statement) -> Statement:
        if isinstance(s, For) and s.parallel and (shared := _shared(s, origin, kernel.body)) is not None:
            found, function = _apart(s, f"{kernel.name}_part{len(functions) + 1}", *shared)
            functions.append(function)
            return found
        return replaced_in(s, lambda a: a, of_block)

    if not any(isinstance(s, For) and s.parallel for s in walk(kernel.body)):
        return kernel, []
    return Kernel(kernel.name, kernel.params, of_block(kernel.body)), functions


def _apart(s: For, name: str, registers: tuple[Reg, ...], summed: tuple[Buf, ...]) -> tuple[Parts, Function]:
    """A loop in parts, and the function of each."""
    zeros = tuple([Lit(0.0 if out.kind == "f" else 0) for out in s.outs])
    first = [Set(reg, Lit(0.0)) for reg in registers]
    outs = (*s.outs, *registers)
    begin, end = Reg("begin", "i"), Reg("end", "i")
    loop = For(s.outs, zeros, s.index, begin, end, s.step, mapped(s.body, _on_one_core), s.down)
    args = tuple(free_of([*first, loop], outs, (begin, end)))
    function = Kernel(name, (begin, end, *args), Block((*first, loop))), outs
    leaves = any(isinstance(t, Check) for t in walk(s.body))
    return Parts(outs, (*s.inits, *registers), name, s.start, s.stop, args, summed, leaves), function


def _on_one_core(s: Statement) -> list[Statement]:
    return [replace(s, parallel=False) if isinstance(s, For) else s]


# ---- what rounds share


def _shared(loop: For, origin: dict[Reg, Any], whole: Block) -> tuple[tuple[Reg, ...], tuple[Buf, ...]] | None:
    """The variables and the buffers to which all rounds add; None if they share more than sums."""
    inside = [*walk(loop.body)]
    if loop.step != Lit(1) or not all(isinstance(s, _ALLOWED) for s in inside):
        return None
    if not all(is_sum(loop, k) for k in range(len(loop.outs))):
        return None
    changing = dict.fromkeys([s.reg for s in inside if isinstance(s, Set)])
    registers = [reg for reg in changing if not _is_private(reg, loop, whole)]
    if not all(_is_added_to(reg, loop) for reg in registers):
        return None
    own = {b for s in inside for b in made_by(s)}
    touched: dict[Buf, list[Load | Store]] = {}
    for s in inside:
        if isinstance(s, Load | Store) and s.buf not in own:
            touched.setdefault(s.buf, []).append(s)
    summed = []
    counters = {s.index: s for s in inside if isinstance(s, For)}
    within = made_in(loop.body)
    for buf, uses in touched.items():
        if all(isinstance(s, Load) for s in uses):
            continue
        if has_own_place(loop.index, within, uses) or _has_own_row(loop.index, origin, counters, uses):
            continue
        if buf.kind != "f" or not all(isinstance(s, Store) and s.adds for s in uses):
            return None
        summed.append(buf)
    return tuple(registers), tuple(summed)


def _is_added_to(reg: Reg, loop: For) -> bool:
    """Tell whether rounds only add to a variable, and read it for nothing else."""
    origin = {r: s for s in walk(loop.body) for r in outs_of(s)}
    reads = reads_in(loop.body)
    sets = [s.value for s in walk(loop.body) if isinstance(s, Set) and s.reg is reg]
    for value in sets:
        made: Any = origin.get(value) if isinstance(value, Reg) else None
        if not isinstance(made, Op) or made.fn not in (ADD, PLUS) or made.args[0] is not reg or reads[value] != 1:
            return False
    return reads[reg] == len(sets)


def _is_private(reg: Reg, loop: For, whole: Block) -> bool:
    """Tell whether each round sets a variable before it reads it, and nobody else does."""

    def uses(s: Statement) -> int:
        found = sum(a is reg for a in reads_of(s)) + (isinstance(s, Set) and s.reg is reg)
        return found + sum(of_block(b) for b in blocks_of(s))

    def of_block(block: Block) -> int:
        return sum(map(uses, block.statements)) + sum(a is reg for a in block.results)

    def within(block: Block) -> bool:
        users = [s for s in block.statements if uses(s)]
        if isinstance(users[0], Set):
            return True
        blocks = [b for b in blocks_of(users[0]) if of_block(b)]
        return len(users) == len(blocks) == 1 and of_block(blocks[0]) == of_block(block) and within(blocks[0])

    return of_block(whole) == of_block(loop.body) and within(loop.body)


def _has_own_row(index: Reg, origin: dict[Reg, Any], counters: dict[Reg, For], uses: list[Load | Store]) -> bool:
    """Tell whether along some axis each round has the places from `index * n` to `(index + 1) * n`, the rows of a
    tape."""

    def size(a: Atom) -> Any:
        s = origin.get(a) if isinstance(a, Reg) else None
        if isinstance(s, Op) and s.fn in (MAXIMUM, MUL):
            return s.fn, *map(size, s.args)
        return a

    def sizes(a: Atom) -> tuple[Any, ...] | None:
        """The numbers of which `n` is the product, for a place."""
        if a is index:
            return ()
        s = origin.get(a) if isinstance(a, Reg) else None
        if isinstance(s, Op) and s.fn is ADD:
            found = row(s.args[0])
            return found if found and fits(s.args[1], found[-1]) else None
        return row(a)

    def row(a: Atom) -> tuple[Any, ...] | None:
        """The same for the first place of a row."""
        s = origin.get(a) if isinstance(a, Reg) else None
        if not isinstance(s, Op) or s.fn is not MUL or not is_size(s.args[1]):
            return None
        found = sizes(s.args[0])
        return None if found is None else (*found, size(s.args[1]))

    def is_size(n: Atom) -> bool:
        if isinstance(n, Lit):
            return n.value >= 0
        s = origin.get(n)
        return isinstance(s, Size) or isinstance(s, Op) and s.fn is MAXIMUM and Lit(0) in s.args

    def fits(place: Atom, n: Any) -> bool:
        """Tell whether a place is the counter of an inner loop from 0 to `n`."""
        loop = counters.get(place) if isinstance(place, Reg) else None
        if loop is None or loop.start != Lit(0) or loop.step != Lit(1):
            return False
        return n in (size(loop.stop), (MAXIMUM, size(loop.stop), Lit(0)))

    axes = zip(*[s.index for s in uses], strict=True)
    for axis in axes:
        first, *others = map(sizes, axis)
        if first is not None and all(other == first for other in others):
            return True
    return False


# ---- how it is written


def write_parts(p: Printer, s: Parts, depth: int) -> None:
    """A loop over the parts, whose rounds share nothing."""
    begin, end = [p.operand(x, ATOM) for x in (s.start, s.stop)]
    inits = [p.operand(x, SUM) for x in s.inits]

    def fresh(name: str) -> str:
        return p.name(Reg(name, "i"))

    sums = [fresh(f"{p.name(out)}_parts") for out in s.outs]
    copies = {b: fresh(f"{p.name(b)}_parts") for b in s.summed}
    parts, part, found, left = map(fresh, ("parts", "part", "found", "left"))
    p.line(depth, f"{parts} = threads()")
    if s.leaves:
        p.line(depth, f"{left} = np.zeros({parts}, np.int64)")
    for name, out in zip(sums, s.outs, strict=True):
        p.line(depth, f"{name} = np.zeros({parts}, {DTYPES[out.kind]})")
    for b, name in copies.items():
        p.line(depth, f"{name} = np.zeros(({parts},) + {p.name(b)}.shape)")
    length, first = (end, "") if begin == "0" else (f"({end} - {begin})", f"{begin} + ")
    bounds = [f"{first}{length} * {k} // {parts}" for k in (part, f"({part} + 1)")]
    args = [f"{copies[x]}[{part}]" if x in copies else p.given(x) for x in s.args]
    taken = [f"{left}[{part}]"] * s.leaves + [found] * bool(sums)
    which = "" if len(taken) == 2 else "[0]" if s.leaves else "[1]" if sums else ""
    p.line(depth, f"for {part} in prange({parts}):")
    call = f"{s.part}({', '.join([*bounds, *args])})"
    p.line(depth + 1, f"{', '.join(taken)} = {call}{which}" if taken else call)
    for k, name in enumerate(sums):
        p.line(depth + 1, f"{name}[{part}] = {found}[{k}]")
    if s.leaves:
        p.line(depth, f"if {left}.any():")
        p.line(depth + 1, f"return 1, {p.early()}")
    for out, init, name in zip(s.outs, inits, sums, strict=True):
        p.line(depth, f"{p.name(out)} = {'' if init in ('0', '0.0') else f'{init} + '}{name}.sum()")
    for b, name in copies.items():
        p.line(depth, f"{p.name(b)} += {name}.sum(0)")


__all__ = ["in_parts", "write_parts"]
