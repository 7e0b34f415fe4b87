"""Writing kernels: a region under construction, with constants folded."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .elementary import (
    ABS,
    ADD,
    AND,
    BOOL,
    CHEAP,
    DIV,
    EQ,
    FLOAT,
    FLOORDIV,
    GE,
    LE,
    MUL,
    NOT,
    QUOTIENT,
    SELECT,
    SUB,
    Elementary,
)
from .kernel import Atom, Block, Buf, Check, For, If, Lit, Load, New, Op, Reg, Set, Size, Statement, Store
from .memory import is_small
from .values import too_long

Number = Atom | bool | int | float
LARGEST = sys.float_info.max
BEYOND = "what plain Python may raise at, or what numbers of 64 bits do not hold"
MAX_WRITTEN, MAX_LOWERED = 5_000, 20_000
"""How many statements may be written, and how many of the program may be read for them, before it is given up: what
comes of them is too long for Numba anyway."""


def atom_of(x: Number) -> Atom:
    """A register or a constant as it is, a number as a constant."""
    return x if isinstance(x, Reg | Lit) else Lit(x)


class Writer:
    """Writes statements into regions."""

    def __init__(self, widens: bool = False) -> None:
        self.widens = widens
        """True if lists of integers are lists of floats, for floats are stored into one."""
        self.statements: list[Statement] = []
        self.checks = True
        self.site: Any = None
        """What is lowered: the file and the span."""
        self.sites: dict[Any, int] = {}
        """From where a program may leave, and why, by the status that says so."""
        self.origin: dict[Reg, Statement] = {}
        self.of_numpy: set[Atom] = set()
        """Numbers that are surely NumPy's: their arithmetic never raises."""
        self.ranges: dict[Reg, tuple[Atom, Atom, Atom]] = {}
        self.written = self.lowered = 0

    def emit(self, s: Statement) -> None:
        self.statements.append(s)
        self.written += 1
        if self.written > MAX_WRITTEN:
            raise too_long(f"more than {MAX_WRITTEN} statements")

    def read(self) -> None:
        """Count a statement of the program, once for each time that it is written out."""
        self.lowered += 1
        if self.lowered > MAX_LOWERED:
            raise too_long(f"more than {MAX_LOWERED} statements")

    @contextmanager
    def region(self) -> Iterator[list[Statement]]:
        """Write, meanwhile, into a region of its own."""
        outer, self.statements = self.statements, []
        try:
            yield self.statements
        finally:
            self.statements = outer

    # ---- scalars

    def op(self, fn: Elementary, *args: Number, name: str = "") -> Atom:
        """`fn(*args)`."""
        atoms = [atom_of(a) for a in args]
        if (known := _folded(fn, atoms)) is not None:
            return known
        kind = wider_of(atoms[1:]) if fn is SELECT else fn.kind_of([a.kind for a in atoms])
        out = Reg(name, kind)
        s = self.origin[out] = Op(out, fn, tuple(atoms))
        self.emit(s)
        return out

    def add(self, a: Number, b: Number) -> Atom:
        return self.op(ADD, a, b)

    def sub(self, a: Number, b: Number) -> Atom:
        return self.op(SUB, a, b)

    def mul(self, a: Number, b: Number) -> Atom:
        return self.op(MUL, a, b)

    def applied(self, p: Atom, d: Atom, singular: bool) -> Atom:
        """A partial p, which may be infinite if it is `singular`, times d, where 0 · ∞ counts as 0.

        It is p that is another one there: the derivative of this has ḋ p where d is 0, unless p is infinite.
        """
        if singular and isinstance(p, Reg):
            infinite = self.op(NOT, self.op(LE, self.op(ABS, p), LARGEST))
            p = self.op(SELECT, self.op(AND, self.op(EQ, d, 0.0), infinite), 0.0, p)
        return self.mul(d, p)

    def as_kind(self, x: Number, kind: str) -> Atom:
        """A scalar as one of a wider kind, or as a truth value."""
        atom = atom_of(x)
        if atom.kind == kind or kind == "i":
            return atom
        if isinstance(atom, Lit):
            return Lit({"f": float, "b": bool}[kind](atom.value))
        if atom.kind == "b":
            return self.op(SELECT, atom, 1.0, 0.0)
        return self.op({"f": FLOAT, "b": BOOL}[kind], atom)

    def unified(self, x: Number, kind: str) -> Atom:
        """A number as the kind that it has on another path: integers that floats do not hold are left to Python."""
        atom = atom_of(x)
        if (atom.kind, kind) == ("i", "f") and isinstance(atom, Reg) and not is_small(self, atom):
            self.check(self.op(GE, self.op(ABS, self.op(FLOAT, atom)), 2.0**53))
        return self.as_kind(atom, kind)

    def check(self, bad: Number, why: str = BEYOND) -> None:
        """Leave where this is true."""
        atom = atom_of(bad)
        if self.checks and atom != Lit(False):
            self.emit(Check(atom, self.sites.setdefault((self.site, why), 1 + len(self.sites))))

    def number_of_numpy(self, x: Atom) -> Atom:
        """An entry of an array."""
        self.of_numpy.add(x)
        return x

    def set(self, reg: Reg, value: Number) -> None:
        self.emit(Set(reg, atom_of(value)))

    # ---- memory

    def new(self, kind: str, shape: Sequence[Atom], zero: bool = True, name: str = "a") -> Buf:
        buf = Buf(name, kind, len(shape))
        self.emit(New(buf, tuple(shape), zero))
        return buf

    def size(self, buf: Buf, axis: int) -> Atom:
        out = Reg("n", "i")
        s = self.origin[out] = Size(out, buf, axis)
        self.emit(s)
        return out

    def load(self, buf: Buf, index: Sequence[Number], name: str = "") -> Reg:
        out = Reg(name, buf.kind)
        self.emit(Load(out, buf, tuple(map(atom_of, index))))
        return out

    def store(self, buf: Buf, index: Sequence[Number], value: Number, adds: bool = False) -> None:
        self.emit(Store(buf, tuple(map(atom_of, index)), self.as_kind(value, buf.kind), adds))

    # ---- regions

    def for_each(
        self,
        stop: Number,
        body: Callable[..., Sequence[Number]],
        inits: Sequence[Number] = (),
        start: Number = 0,
        name: str = "i",
    ) -> tuple[Reg, ...]:
        """A loop; `body(index, *carried)` gives what is carried on."""
        first = [atom_of(x) for x in inits]
        params = [Reg("s", x.kind) for x in first]
        index = Reg(name, "i")
        self.ranges[index] = atom_of(start), atom_of(stop), Lit(1)
        with self.region() as written:
            results = [self.as_kind(r, p.kind) for r, p in zip(body(index, *params), params, strict=True)]
        outs = tuple(Reg("s", p.kind) for p in params)
        block = Block(tuple(written), tuple(params), tuple(results))
        self.emit(For(outs, tuple(first), index, atom_of(start), atom_of(stop), Lit(1), block))
        return outs

    def nest(self, shape: Sequence[Atom], body: Callable[[tuple[Atom, ...]], None]) -> None:
        """Loops over all indices of a shape."""

        def level(k: int, index: tuple[Atom, ...]) -> None:
            if k == len(shape):
                body(index)
            elif shape[k] == Lit(1):
                level(k + 1, (*index, Lit(0)))
            else:

                def one(i: Reg) -> Sequence[Number]:
                    level(k + 1, (*index, i))
                    return ()

                self.for_each(shape[k], one, name="ijklmn"[min(k, 5)])

        level(0, ())

    def continued(self, statements: Sequence[Statement], results: Sequence[Number]) -> Sequence[Number]:
        """Write what has been written elsewhere, and give its results."""
        self.statements += statements
        return results

    def choose(self, cond: Number, then: Callable[[], Sequence[Number]], orelse: Callable[[], Sequence[Number]]) -> Any:
        """A branch, whose regions give the results."""
        with self.region() as first:
            a = [atom_of(x) for x in then()]
        with self.region() as second:
            b = [atom_of(x) for x in orelse()]
        outs = []
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            kind = wider_of((x, y))
            outs.append(Reg("t", kind))
            with self.region() as more:
                a[i] = self.unified(x, kind)
            first += more
            with self.region() as more:
                b[i] = self.unified(y, kind)
            second += more
        if _is_selection([*first, *second], outs):
            self.statements += [*first, *second]
            return tuple([self.op(SELECT, cond, x, y) for x, y in zip(a, b, strict=True)])
        then_block, else_block = Block(tuple(first), (), tuple(a)), Block(tuple(second), (), tuple(b))
        self.emit(If(tuple(outs), atom_of(cond), then_block, else_block))
        return tuple(outs)


def _is_selection(statements: Sequence[Statement], outs: Sequence[Reg]) -> bool:
    """Tell whether a branch does no more than to choose between indices: they are computed again where they are
    needed."""
    cheap = all(isinstance(s, Op) and s.fn in CHEAP for s in statements)
    return cheap and bool(outs) and all(out.kind == "i" for out in outs)


def wider_of(atoms: Sequence[Atom]) -> str:
    """The kind that holds all of these."""
    return max((a.kind for a in atoms), key="bif".index)


def _folded(fn: Elementary, args: list[Atom]) -> Atom | None:
    """The result of an operation, if it is known while the program is written; None otherwise."""
    values = [a.value if isinstance(a, Lit) else None for a in args]
    if fn.name == "link":
        return None
    if None not in values:
        try:
            found = fn.plain(*values)
        except (ArithmeticError, ValueError):
            return None
        return Lit(found.item() if hasattr(found, "item") else found) if not isinstance(found, complex) else None
    if fn is FLOORDIV and _is(values[1], 1) and args[0].kind == "i":
        return args[0]
    if fn is MUL and args[0].kind == args[1].kind == "i" and (_is(values[0], 0) or _is(values[1], 0)):
        return Lit(0)
    if fn is SELECT and values[0] is not None:
        return args[1] if values[0] else args[2]
    if fn in (ADD, SUB) and _is(values[1], 0) or fn in (MUL, DIV, QUOTIENT) and _is(values[1], 1):
        return args[0] if fn not in (DIV, QUOTIENT) and args[0].kind == wider_of(args) or args[0].kind == "f" else None
    if fn is ADD and _is(values[0], 0) or fn is MUL and _is(values[0], 1):
        return args[1] if args[1].kind == wider_of(args) != "b" else None
    return None


def _is(value: Any, number: int) -> bool:
    """Tell whether a constant is this number. A zero that is added may change -0.0 to 0.0: that of an int only."""
    return type(value) is int and value == number or type(value) is float and value == number == 1
