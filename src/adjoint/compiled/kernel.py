"""The loop IR of the compiled tier: scalars in registers, numbers in buffers, and loops over them.

    Atom   ::=  Reg | Lit                       a float64 ("f"), an int64 ("i") or a bool ("b")
    Op     ::=  out = fn(args)                  one scalar of others
    Size   ::=  out = the length of an axis of a buffer
    Load   ::=  out = buffer[index]
    Store  ::=  buffer[index] = value           or += where it `adds`
    New    ::=  a buffer, of zeros or as the memory is
    Eigen  ::=  two buffers, of the eigenvalues and eigenvectors of a matrix
    Set    ::=  register = value                a register that is assigned more than once: `Reg.varies`
    If, For, While                              with regions; what a loop carries is a parameter of its body
    Check  ::=  leave with a status where something is not as it must be
    Push, Pop                                   a stack of tuples, what the forward sweep keeps
    Call   ::=  outs, place = routine(args)     a function that calls itself; what it gives is kept at a place of a tape
    Replay ::=  outs, place                     the results of the next call, from the tape
    Back   ::=  outs = cotangents of the args   of the call whose results are at a place

Registers are assigned once, but for those that vary: they hold cotangents. Buffers are memory: a store is seen by all
later loads. Everything is of a known kind and rank; shapes are known when it runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .plans import Plan, Routine

KINDS = "bif"  # from the narrowest to the widest


@dataclass(frozen=True, eq=False, slots=True)
class Reg:
    """A scalar variable."""

    name: str
    kind: str
    varies: bool = False

    def __repr__(self) -> str:
        return f"%{self.name}:{self.kind}"


@dataclass(frozen=True, slots=True)
class Lit:
    """A scalar constant."""

    value: bool | int | float

    @property
    def kind(self) -> str:
        return {bool: "b", int: "i"}.get(type(self.value), "f")

    def __repr__(self) -> str:
        return repr(self.value)


Atom = Reg | Lit


@dataclass(frozen=True, eq=False, slots=True)
class Buf:
    """An array in memory."""

    name: str
    kind: str
    ndim: int

    def __repr__(self) -> str:
        return f"@{self.name}:{self.kind}{self.ndim}"


@dataclass(frozen=True, eq=False, slots=True)
class Op:
    """`out = fn(args)`: `fn` is an `Elementary`."""

    out: Reg
    fn: Any
    args: tuple[Atom, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Size:
    """`out = buf.shape[axis]`."""

    out: Reg
    buf: Buf
    axis: int


@dataclass(frozen=True, eq=False, slots=True)
class Load:
    """`out = buf[index]`."""

    out: Reg
    buf: Buf
    index: tuple[Atom, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Store:
    """`buf[index] = value`, or `+=`."""

    buf: Buf
    index: tuple[Atom, ...]
    value: Atom
    adds: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class New:
    """`buf = zeros(shape)`, or memory as it is."""

    buf: Buf
    shape: tuple[Atom, ...]
    zero: bool = True


@dataclass(frozen=True, eq=False, slots=True)
class Eigen:
    """New buffers with the eigenvalues and eigenvectors of a symmetric matrix, by the library: as constants."""

    values: Buf
    vectors: Buf
    matrix: Buf


@dataclass(frozen=True, eq=False, slots=True)
class Set:
    """`reg = value`."""

    reg: Reg
    value: Atom


@dataclass(frozen=True, eq=False, slots=True)
class If:
    """`outs = then if cond else orelse`."""

    outs: tuple[Reg, ...]
    cond: Atom
    then: Block
    orelse: Block


@dataclass(frozen=True, eq=False, slots=True)
class For:
    """`for index in range(start, stop, step)`, which carries `params`: first `inits`, at last `outs`.

    `down`: through the same numbers backwards; `parallel`: rounds may run side by side if they share nothing but sums.
    """

    outs: tuple[Reg, ...]
    inits: tuple[Atom, ...]
    index: Reg
    start: Atom
    stop: Atom
    step: Atom
    body: Block
    down: bool = False
    parallel: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class While:
    """`while cond`: the condition's parameters are the carried values, as those of the body are."""

    outs: tuple[Reg, ...]
    inits: tuple[Atom, ...]
    cond: Block
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class Check:
    """Leave with a `status`, which says from where, if `bad` is true."""

    bad: Atom
    status: int = -1


@dataclass(frozen=True, eq=False, slots=True)
class Push:
    """Keep scalars and buffers on a stack."""

    stack: Buf
    values: tuple[Atom | Buf, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Pop:
    """Take back what was kept last."""

    outs: tuple[Reg | Buf, ...]
    stack: Buf


@dataclass(frozen=True, eq=False, slots=True)
class Stack:
    """A new stack, of tuples of these kinds: "f2" is an array of two axes."""

    stack: Buf
    kinds: Sequence[str]


@dataclass(frozen=True, eq=False, slots=True)
class Cut:
    """The place where a program is divided in two."""


@dataclass(frozen=True, eq=False, slots=True)
class Pack:
    """New buffers with what is on a stack: one for each place in its tuples."""

    bufs: tuple[Buf, ...]
    stack: Buf


@dataclass(frozen=True, eq=False, slots=True)
class Unpack:
    """A stack of what is in buffers."""

    stack: Buf
    bufs: tuple[Buf, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """`outs = routine(args)`; with a plan the results are kept on its tape, at `place`."""

    outs: tuple[Reg, ...]
    place: Reg
    routine: Routine
    args: tuple[Atom | Buf, ...]
    plan: Plan | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Replay:
    """The results of the call that was made at a place on the tape, which `cursor` is; it moves to the next one's."""

    outs: tuple[Reg, ...]
    place: Reg
    cursor: Reg
    plan: Plan


@dataclass(frozen=True, eq=False, slots=True)
class Back:
    """The cotangents of the scalars that vary, by those of the results; those of buffers are added to `shadows`."""

    outs: tuple[Reg, ...]
    routine: Routine
    args: tuple[Atom | Buf, ...]
    place: Atom
    seeds: tuple[Atom, ...]
    shadows: tuple[Buf, ...]
    plan: Plan


@dataclass(frozen=True, eq=False, slots=True)
class Parts:
    """A loop in parts that run side by side: `outs = inits` and the sums of what `part(start, stop, *args)` gives; each
    adds to a copy of its own of the buffers `summed`."""

    outs: tuple[Reg, ...]
    inits: tuple[Atom, ...]
    part: str
    start: Atom
    stop: Atom
    args: tuple[Reg | Buf, ...]
    summed: tuple[Buf, ...]
    leaves: bool


Statement = (
    Op | Size | Load | Store | New | Eigen | Set | If | For | While | Check
    | Push | Pop | Stack | Cut | Pack | Unpack | Call | Replay | Back | Parts
)  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """Statements with parameters and results."""

    statements: tuple[Statement, ...]
    params: tuple[Reg, ...] = ()
    results: tuple[Atom, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Kernel:
    """A program: scalars and buffers come in, scalars and buffers come out."""

    name: str
    params: tuple[Reg | Buf, ...]
    body: Block


def blocks_of(s: Statement) -> Iterator[Block]:
    """The regions of a statement."""
    match s:
        case If():
            yield s.then
            yield s.orelse
        case For():
            yield s.body
        case While():
            yield s.cond
            yield s.body


def reads_of(s: Statement) -> tuple[Atom, ...]:
    """The scalars that a statement reads itself."""
    match s:
        case Op():
            return s.args
        case Load():
            return s.index
        case Store():
            return (*s.index, s.value)
        case New():
            return s.shape
        case Set():
            return (s.value,)
        case If():
            return (s.cond,)
        case For():
            return (*s.inits, s.start, s.stop, s.step)
        case While():
            return s.inits
        case Check():
            return (s.bad,)
        case Push():
            return atoms_of(s.values)
        case Call():
            return atoms_of(s.args)
        case Back():
            return (*atoms_of(s.args), s.place, *s.seeds)
        case Parts():
            return (*s.inits, s.start, s.stop, *atoms_of(s.args))
    return ()


def atoms_of(xs: Sequence[Atom | Buf]) -> tuple[Atom, ...]:
    """The scalars among scalars and buffers."""
    return tuple([x for x in xs if not isinstance(x, Buf)])


def bufs_of(s: Statement) -> tuple[Buf, ...]:
    """The buffers that a statement hands on: whole, so that any entry may be read, or in shadows added to."""
    match s:
        case Call():
            return tuple([x for x in s.args if isinstance(x, Buf)])
        case Eigen():
            return (s.matrix,)
        case Push():
            return tuple([x for x in s.values if isinstance(x, Buf)])
        case Back():
            return (*[x for x in s.args if isinstance(x, Buf)], *s.shadows)
    return ()


def made_by(s: Statement) -> tuple[Buf, ...]:
    """The buffers that a statement makes."""
    match s:
        case New():
            return (s.buf,)
        case Eigen():
            return s.values, s.vectors
    return ()


def outs_of(s: Statement) -> tuple[Reg, ...]:
    """The scalars that a statement defines."""
    match s:
        case Op() | Size() | Load():
            return (s.out,)
        case If() | For() | While() | Back() | Parts():
            return s.outs
        case Pop():
            return tuple([x for x in s.outs if isinstance(x, Reg)])
        case Call() | Replay():
            return (*s.outs, s.place)
    return ()


def walk(block: Block) -> Iterator[Statement]:
    """All statements of a block, those of regions after their owner."""
    for s in block.statements:
        yield s
        for inner in blocks_of(s):
            yield from walk(inner)


def wider(a: str, b: str) -> str:
    """The kind that holds both."""
    return max(a, b, key=KINDS.index)
