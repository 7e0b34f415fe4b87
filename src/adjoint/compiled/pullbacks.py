"""A program and its reverse as two functions that share a tape: what the second needs of the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..runtime.spec import Spec
from .calls import free_of
from .dce import tidied
from .inputs import Inputs
from .keeping import forward_sweep
from .kernel import (
    Block,
    Buf,
    Cut,
    Kernel,
    Lit,
    New,
    Pack,
    Reg,
    Set,
    Stack,
    Statement,
    Unpack,
    blocks_of,
    made_by,
    outs_of,
    walk,
)
from .numbering import simplified
from .printing import title_of
from .programs import are_of_numpy, lowered_program, refuse_integers, results_of, reverse_of
from .routines import text_of
from .values import CannotCompile, Value


@dataclass(eq=False)
class Halves:
    """The two kernels. The first takes the arguments and returns the numbers and arrays of the result, what becomes of
    the arrays that it was given and stores into, then the tape; the second takes the arguments, the tape, cotangents of
    the floats of the result, and zeros for the arrays that it is differentiated by, to which it adds; it returns the
    cotangents of numbers."""

    texts: tuple[str, str]
    inputs: Inputs
    result: Value
    scalar: bool
    """True if numbers of the result are NumPy's."""
    shared: tuple[bool, ...]
    """Which numbers and arrays of the result are on the tape."""
    chosen: tuple[int, ...]
    """The parameters by which it is differentiated."""
    run: Callable[..., Any]
    back: Callable[..., Any]


def halves(spec: Spec, args: Sequence[Any], wanted: tuple[int, ...], inputs: Inputs, compiler: Any) -> Halves:
    """Both halves, by all floats among the arguments."""
    lower, result = lowered_program(spec, args, inputs)
    chosen = [p for p in inputs.params if p.kind == "f" and not is_global(inputs, p)]
    outs, finals = results_of(lower, result), [*inputs.copies.values()]
    refuse_integers(lower, [p for p in inputs.params if not is_global(inputs, p)], [*outs, *finals])
    body, outs = simplified(lower.w.statements, [*outs, *finals])
    outs = outs[: len(outs) - len(finals)]
    shadows = {p: Buf(f"d{p.name}", "f", p.ndim) for p in chosen if isinstance(p, Buf)}
    floats = [r for r in outs if r.kind == "f"]
    if len({r for r in floats if isinstance(r, Buf)}) < sum(isinstance(r, Buf) for r in floats):
        raise CannotCompile("a result that has an array twice")
    seeds = [Buf(f"d{r.name}", "f", r.ndim) if isinstance(r, Buf) else Reg("seed", "f") for r in floats]
    pairs: list[Any] = [*zip(floats, seeds, strict=True)]
    given = {r: seed for r, seed in pairs if isinstance(r, Buf)}
    numbers = [pair for pair in pairs if not isinstance(pair[0], Buf)]
    reverse, backwards = reverse_of(body, chosen, numbers, shadows, given, [*outs, *finals])
    bars = [reverse.bar(p) or Lit(0.0) for p in chosen if isinstance(p, Reg)]
    whole, both = tidied(Block((*forward_sweep(reverse), Cut(), *backwards)), [*outs, *bars, *finals], for_good=True)
    outs, bars = both[: len(outs)], both[len(outs) : len(outs) + len(bars)]
    at = next(i for i, s in enumerate(whole.statements) if isinstance(s, Cut))
    first, second = whole.statements[:at], whole.statements[at + 1 :]
    passed = {*inputs.params, *seeds, *shadows.values()}
    tape, packed, unpacked = taped([x for x in free_of(second, bars) if x not in passed], first)
    name = title_of(spec.name)
    one = Kernel(name, tuple(inputs.params), Block((*absent(tape, first), *first, *packed)))
    own = (*inputs.params, *tape, *seeds, *shadows.values())
    other = Kernel(f"{name}_back", own, Block((*unpacked, *second)))
    texts = text_of(one, [*outs, *finals, *tape]), text_of(other, bars)
    places = {p: i for i, p in enumerate(inputs.params)}
    shared = tuple([isinstance(r, Buf) and r in tape for r in outs])
    run, back = compiler(name, texts[0]), compiler(other.name, texts[1])
    scalar = are_of_numpy(spec, one.body, outs)
    return Halves(texts, inputs, result, scalar, shared, tuple([places[p] for p in chosen]), run, back)


def is_global(inputs: Inputs, p: Reg | Buf) -> bool:
    """Tell whether a parameter is a name of a module: a constant."""
    return not isinstance(inputs.paths[inputs.params.index(p)][0], int)


def taped(
    free: Sequence[Reg | Buf], first: Sequence[Statement]
) -> tuple[list[Reg | Buf], list[Statement], list[Statement]]:
    """The contents of the tape, the statements that pack the stacks among these, and those that unpack them."""
    stacks = {s.stack: s.kinds for s in first if isinstance(s, Stack)}
    tape: list[Reg | Buf] = []
    packed: list[Statement] = []
    unpacked: list[Statement] = []
    for x in free:
        if not isinstance(x, Buf) or x not in stacks:
            tape.append(x)
            continue
        if any(len(kind) > 1 for kind in stacks[x]):
            raise CannotCompile("arrays that rounds hand to functions that call themselves, in a pullback")
        bufs = tuple([Buf("kept", kind, 1) for kind in stacks[x]])
        tape += bufs
        packed.append(Pack(bufs, x))
        unpacked.append(Unpack(x, bufs))
    return tape, packed, unpacked


def absent(tape: Sequence[Reg | Buf], first: Sequence[Statement]) -> list[Statement]:
    """Something in place of what is on the tape and made in branches, which may not be taken."""
    made = {r for s in first for r in outs_of(s)} | {b for s in first for b in made_by(s)}
    nested = [x for x in tape if x not in made and x in made_within(first)]
    zero = {"f": Lit(0.0), "i": Lit(0), "b": Lit(False)}
    return [Set(x, zero[x.kind]) if isinstance(x, Reg) else New(x, (Lit(0),) * x.ndim) for x in nested]


def made_within(statements: Sequence[Statement]) -> set[Reg | Buf]:
    """The registers and buffers made in the regions of statements."""
    inner = [t for s in statements for b in blocks_of(s) for t in walk(b)]
    return {r for t in inner for r in outs_of(t)} | {b for t in inner for b in made_by(t)}
