"""Kernels as Python that Numba compiles: one function over scalars and arrays."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Sequence
from typing import Any

from ..spelling import Pool, identifier, suffixed
from .elementary import ADD, SUB
from .expressions import ATOM, DTYPES, LEFT, PRODUCT, SUM, UNARY, ZEROS, Text, from_the_end, level_of
from .intrinsics import IN_PYTHON
from .kernel import (
    Atom,
    Back,
    Block,
    Buf,
    Call,
    Check,
    Eigen,
    For,
    If,
    Kernel,
    Lit,
    Load,
    New,
    Op,
    Pack,
    Parts,
    Pop,
    Push,
    Reg,
    Replay,
    Set,
    Size,
    Stack,
    Statement,
    Store,
    Unpack,
    While,
    blocks_of,
    reads_of,
    walk,
)
from .parallel import write_parts
from .plans import ROLES


class Printer:
    """Writes lines; names are given in the order in which they are met. What is used once, in the same region, stands
    where it is used."""

    def __init__(self, results: Sequence[Atom | Buf], body: Block) -> None:
        self.lines: list[str] = []
        self.names: dict[Reg | Buf, str] = {}
        self.pool = Pool(RESERVED, mark="")
        self.results = results
        self.pending: dict[Reg, Text] = {}
        self.once = used_once(body, results)
        self.counted = counted_in(body)
        self.loops = 0

    def name(self, x: Reg | Buf) -> str:
        """The name of a variable: its own with a number, where there are several."""
        found = self.names.get(x)
        if found is None:
            found = self.names[x] = self.pool.new(x.name or "t")
        return found

    def text(self, a: Atom) -> Text:
        """An atom as an expression."""
        if isinstance(a, Reg):
            if a in self.pending:
                return self.pending.pop(a)
            return Text(self.name(a), ATOM, frozenset([a]) if a.varies else frozenset())
        if isinstance(a.value, float) and (a.value != a.value or a.value in (float("inf"), float("-inf"))):
            return Text({"nan": "np.nan", "inf": "np.inf", "-inf": "-np.inf"}[str(a.value)], ATOM - (a.value < 0))
        text = repr(a.value)
        return Text(text, UNARY if text.startswith("-") else ATOM)

    def atom(self, a: Atom) -> str:
        return self.text(a).text

    def operand(self, a: Atom, level: int) -> str:
        """An atom as a part of an expression: in parentheses where it binds less tightly."""
        found = self.text(a)
        return found.text if found.level >= level else f"({found.text})"

    def index(self, index: Sequence[Atom]) -> list[Text]:
        """An index: what loops do not count themselves is said not to be negative, which Numba would look at."""
        return [self.place(i) if self.loops else self.text(i) for i in index]

    def place(self, i: Atom) -> Text:
        found = self.text(i)
        if isinstance(i, Lit) or i in self.counted:
            return found
        return Text(f"at({found.text})", ATOM, found.varying, found.loads)

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    # ---- expressions

    def define(self, out: Reg, found: Text, depth: int) -> None:
        """A register, or an expression that is kept until it is used."""
        if out in self.once:
            self.pending[out] = found
        else:
            self.line(depth, f"{self.name(out)} = {found.text}")

    def operation(self, s: Op) -> Text:
        """`fn(args)`, with as few parentheses as it needs."""
        form = s.fn.text
        level = level_of(form)
        if form.count("{0}") > 1:
            self.settle(0, lambda reg, _: reg in s.args, self.depth)
        parts = [self.text(a) for a in s.args]
        tight = 0 if level == ATOM else level
        texts = [
            f"({p.text})" if tight and (p.level < tight or p.level == tight and (i or level not in LEFT)) else p.text
            for i, p in enumerate(parts)
        ]
        varying = frozenset[Reg]().union(*[p.varying for p in parts])
        return Text(form.format(*texts), level, varying, any(p.loads for p in parts))

    def settle(self, depth: int, which: Callable[[Reg, Text], bool], at: int | None = None) -> None:
        """Write out what has been put off, where it would be something else later."""
        for reg, found in [*self.pending.items()]:
            if which(reg, found) and reg in self.pending:
                del self.pending[reg]
                self.line(depth if at is None else at, f"{self.name(reg)} = {found.text}")

    depth = 1

    # ---- statements

    def statement(self, s: Statement, depth: int) -> None:
        match s:
            case Op(out, _, _):
                self.define(out, self.operation(s), depth)
                return
            case Size(out, buf, axis):
                self.define(out, Text(f"{self.name(buf)}.shape[{axis}]", ATOM), depth)
                return
            case Load(out, buf, index):
                parts = self.index(index)
                varying = frozenset[Reg]().union(*[p.varying for p in parts])
                text = f"{self.name(buf)}[{', '.join(p.text for p in parts) or '()'}]"
                self.define(out, Text(text, ATOM, varying, True), depth)
                return
            case Store(buf, index, value, adds):
                sign = "+=" if adds else "="
                place = ", ".join([part.text for part in self.index(index)]) or "()"
                text = f"{self.name(buf)}[{place}] {sign} {self.atom(value)}"
                self.settle(depth, lambda _, found: found.loads)
                self.line(depth, text)
                return
            case Set(reg, value):
                text = self.atom(value)
                self.settle(depth, lambda _, found: reg in found.varying)
                self.line(depth, f"{self.name(reg)} = {text}")
                return
            case If() | For() | While() | Stack() | Call() | Back() | Parts():
                own = {a for a in reads_of(s) if isinstance(a, Reg)}
                self.settle(depth, lambda reg, found: reg not in own and (found.loads or bool(found.varying)))
        match s:
            case New(buf, shape, zero):
                make = "zeros" if zero else "empty"
                sizes = ", ".join(map(self.atom, shape)) + ("," if len(shape) == 1 else "")
                self.line(depth, f"{self.name(buf)} = np.{make}(({sizes}), {DTYPES[buf.kind]})")
            case Eigen(values, vectors, matrix):
                self.line(depth, f"{self.name(values)}, {self.name(vectors)} = np.linalg.eigh({self.name(matrix)})")
            case If():
                self.branch(s, depth)
            case For():
                self.for_(s, depth)
            case While():
                self.while_(s, depth)
            case Check(bad, status):
                self.line(depth, f"if {self.atom(bad)}:")
                self.line(depth + 1, f"return {status}, {self.early()}")
            case Call():
                self.call(s, depth)
            case Replay():
                self.replay(s, depth)
            case Back():
                self.back(s, depth)
            case Parts():
                write_parts(self, s, depth)
            case Stack(stack, kinds):
                zeros = ", ".join(
                    f"np.empty(({'0, ' * int(k[1:])}), {DTYPES[k[0]]})" if k[1:] else ZEROS[k] for k in kinds
                )
                self.line(depth, f"{self.name(stack)} = [({zeros},)]")
            case Push(stack, values):
                self.line(depth, f"{self.name(stack)}.append(({', '.join(map(self.given, values))},))")
            case Pop(outs, stack):
                self.line(depth, f"({', '.join(map(self.name, outs))},) = {self.name(stack)}.pop()")
            case Pack(bufs, stack):
                names = [self.name(b) for b in bufs]
                for buf, name in zip(bufs, names, strict=True):
                    self.line(depth, f"{name} = np.empty(len({self.name(stack)}), {DTYPES[buf.kind]})")
                self.line(depth, f"for place in range(len({self.name(stack)})):")
                taken = ", ".join(f"{name}[place]" for name in names)
                self.line(depth + 1, f"({taken},) = {self.name(stack)}[place]")
            case Unpack(stack, bufs):
                names = [self.name(b) for b in bufs]
                taken = ", ".join(f"{name}[place]" for name in names)
                self.line(depth, f"{self.name(stack)} = [({taken},) for place in range(len({names[0]}))]")

    # ---- calls

    def given(self, x: Atom | Buf) -> str:
        """The text of an argument: a number, or an array."""
        return self.name(x) if isinstance(x, Buf) else self.atom(x)

    def call(self, s: Call, depth: int) -> None:
        """A call; with a tape what it gives is kept at a place, together with the place after all of its own calls."""
        args = [*map(self.given, s.args)]
        outs = "".join(f"{self.name(out)}, " for out in s.outs)
        if s.plan is None:
            self.line(depth, f"status, ({outs}) = {s.routine.named('recursive')}({', '.join(args)})")
        else:
            tape, place = self.name(s.plan.tape), self.name(s.place)
            kept = [ZEROS[kind] for kind in s.plan.kinds]
            self.line(depth, f"{place} = len({tape})")
            self.line(depth, f"{tape}.append((0, {', '.join(kept)}))")
            self.line(depth, f"status, ({outs}) = {s.routine.named('taped')}({', '.join([*args, tape])})")
            for out, k in zip(s.outs, s.plan.places(s.outs), strict=True):
                kept[k] = self.name(out)
            self.line(depth, f"{tape}[{place}] = (len({tape}), {', '.join(kept)})")
        self.line(depth, "if status:")
        self.line(depth + 1, f"return status, {self.early()}")

    def replay(self, s: Replay, depth: int) -> None:
        """Write the lines that take the results of the next call from the tape."""
        at = self.name(s.cursor)
        self.line(depth, f"{self.name(s.place)} = {at}")
        self.line(depth, f"entry = {self.name(s.plan.tape)}[{at}]")
        for out, k in zip(s.outs, s.plan.places(s.outs), strict=True):
            self.line(depth, f"{self.name(out)} = entry[{k + 1}]")
        self.line(depth, f"{at} = entry[0]")

    def back(self, s: Back, depth: int) -> None:
        """The reverse of a call."""
        own = (*map(self.given, s.args), f"{self.operand(s.place, SUM)} + 1", *map(self.atom, s.seeds))
        shared = (*s.shadows, s.plan.tape, *[held.stack for held in s.plan.stacks])
        called = f"{s.routine.named('reversed')}({', '.join((*own, *map(self.name, shared)))})"
        self.line(depth, f"status, ({', '.join(map(self.name, s.outs))},) = {called}" if s.outs else called)

    # ---- branches and loops

    def branch(self, s: If, depth: int) -> None:
        self.line(depth, f"if {self.atom(s.cond)}:")
        self.side(s.then, s.outs, depth + 1)
        if s.orelse.statements or s.outs:
            self.line(depth, "else:")
            self.side(s.orelse, s.outs, depth + 1)

    def side(self, block: Block, outs: Sequence[Reg], depth: int) -> None:
        start = len(self.lines)
        for s in block.statements:
            self.depth = depth
            self.statement(s, depth)
        self.assign(outs, block.results, depth)
        if len(self.lines) == start:
            self.line(depth, "pass")

    def assign(self, outs: Sequence[Reg], values: Sequence[Atom], depth: int) -> None:
        """All at once: what is assigned may be read by another of the values."""
        pairs = [(self.name(o), self.text(v)) for o, v in zip(outs, values, strict=True)]
        pairs = [(o, v) for o, v in pairs if o != v.text]
        names = {o for o, _ in pairs}
        if len(pairs) > 1 and any(
            v.level != ATOM or v.text in names or "(" in v.text or "[" in v.text for _, v in pairs
        ):
            self.line(depth, f"{', '.join(o for o, _ in pairs)} = {', '.join(v.text for _, v in pairs)}")
        else:
            for o, v in pairs:
                self.line(depth, f"{o} = {v.text}")

    def for_(self, s: For, depth: int) -> None:
        for p, out in zip(s.body.params, s.outs, strict=True):
            self.share(p, out)
        self.assign(s.body.params, s.inits, depth)
        bounds = self.bounds(s)
        if s.parallel:
            self.line(depth, "# `prange` is `range` here: on one core")
        self.line(depth, f"for {self.name(s.index)} in range({bounds}):")
        self.loops += 1
        self.side(s.body, s.body.params, depth + 1)
        self.loops -= 1

    def share(self, p: Reg, out: Reg) -> str:
        """One name for what a loop carries and gives: that of what it gives, if it has been given something before."""
        name = self.names[p] = self.names[out] if out in self.names else self.name(p)
        self.names[out] = name
        return name

    def bounds(self, s: For) -> str:
        """The bounds of a loop's index, as arguments of `range`; the last first where it goes `down`."""
        by = int(s.step.value) if isinstance(s.step, Lit) else 0
        level = 0 if not s.down else SUM if by == 1 else PRODUCT
        start, stop, step = [self.operand(a, level) for a in (s.start, s.stop, s.step)]
        upwards = f"{start}, {stop}, {step}" if by != 1 else stop if start == "0" else f"{start}, {stop}"
        return from_the_end(start, stop, by) if s.down else upwards

    def while_(self, s: While, depth: int) -> None:
        for p, q, out in zip(s.body.params, s.cond.params, s.outs, strict=True):
            self.names[q] = self.share(p, out)
        self.assign(s.body.params, s.inits, depth)
        self.line(depth, "while True:")
        self.loops += 1
        for t in s.cond.statements:
            self.depth = depth + 1
            self.statement(t, depth + 1)
        goes = self.text(s.cond.results[0])
        self.line(depth + 1, f"if not {goes.text if goes.level == ATOM else f'({goes.text})'}:")
        self.line(depth + 2, "break")
        self.side(s.body, s.body.params, depth + 1)
        self.loops -= 1

    # ---- results

    def early(self) -> str:
        """The text of the results returned with a status: values of the same types."""
        return "(" + "".join(f"{self.nothing(r)}, " for r in self.results) + ")"

    def nothing(self, r: Atom | Buf) -> str:
        if isinstance(r, Buf):
            return f"np.empty(({'0, ' * r.ndim}), {DTYPES[r.kind]})"
        return ZEROS[r.kind]

    def returned(self) -> str:
        return "(" + "".join(f"{self.given(r)}, " for r in self.results) + ")"


def used_once(body: Block, results: Sequence[Any]) -> set[Reg]:
    """The registers that one statement reads, in the region where they are made, or that their region gives."""
    made: dict[Reg, Block] = {}
    uses: dict[Reg, list[Block | None]] = {r: [None] for r in results if isinstance(r, Reg)}

    def visit(block: Block) -> None:
        for s in block.statements:
            if isinstance(s, Op | Load | Size):
                made[s.out] = block
            counted = reads_of(s)
            for a in counted:
                if isinstance(a, Reg):
                    uses.setdefault(a, []).append(None if isinstance(s, Push | While) else block)
            for b in blocks_of(s):
                visit(b)
        for r in block.results:
            if isinstance(r, Reg):
                uses.setdefault(r, []).append(block)

    visit(body)
    return {r for r, block in made.items() if uses.get(r) == [block] and not r.varies}


def counted_in(body: Block) -> set[Atom]:
    """The indices of loops, and these and a constant: LLVM knows by itself that they are not negative."""
    found: set[Atom] = {s.index for s in walk(body) if isinstance(s, For)}
    beside = [s for s in walk(body) if isinstance(s, Op) and s.fn in (ADD, SUB) and isinstance(s.args[1], Lit)]
    return found | {s.out for s in beside if s.args[0] in found}


RESERVED = {*IN_PYTHON, "np", "math", "abs", "int", "float", "range", "len", "place", "status", "entry"}
"""What programs call by name, and their own variables."""
_OF_ROUTINES = re.compile(rf"_({'|'.join(ROLES)})$")


def title_of(name: str) -> str:
    """The name of a function's program: no name of anything else in its module.

    >>> title_of("f"), title_of("np"), title_of("<lambda>"), title_of("f_taped")
    ('f', 'np_1', 'lambda_', 'f_taped_1')
    """
    taken = RESERVED | {"njit", "value_and_grad", *dir(builtins)}
    return suffixed(identifier(name), lambda name: name not in taken and not _OF_ROUTINES.search(name))


def printed(kernel: Kernel, results: Sequence[Atom | Buf]) -> str:
    """The source of a kernel, which returns a status and its results."""
    p = Printer(results, kernel.body)
    p.pool.take(s.routine.named(role) for s in walk(kernel.body) if isinstance(s, Call | Back) for role in ROLES)
    p.pool.take(s.part for s in walk(kernel.body) if isinstance(s, Parts))
    names = ", ".join(p.name(x) for x in kernel.params)
    p.line(0, f"def {kernel.name}({names}):")
    for s in kernel.body.statements:
        p.statement(s, 1)
    p.line(1, f"return 0, {p.returned()}")
    return "\n".join(p.lines) + "\n"
