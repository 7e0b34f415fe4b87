"""Lambda lifting of cotangents: what a function captures has cotangents by itself where its rule is called.

A function that captures numbers and calls itself would hand a cotangent of itself from call to call, a `Tangent` that
holds those of what it captures. Its rule gives one for each in place of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import AdjointError
from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Statement, Var
from ..ir.types import UNKNOWN, Fn, Type
from ..ops.arithmetic import is_number, is_real
from ..tangents import field_bar
from .cotangent_map import Cotangent, CotangentMap, bar_type
from .infer import type_of
from .uses import is_call_of

Parts = tuple[tuple[str, Type], ...]
"""The captures of a function, by name, with their types."""
Held = dict[tuple[Any, str], Any]
"""The values that functions are known to hold, by these and by name."""
MAX_PARTS = 8


def parts_of(t: Type) -> Parts:
    """The captures of a function of this type that have cotangents; none where these are not all known."""
    if not isinstance(t, Fn) or t.defaults or t.keywords:
        return ()
    pairs = zip(t.code.co_freevars, t.captures, strict=False)
    moving = tuple([(name, u) for name, u in pairs if u.differentiable])
    return moving if len(moving) <= MAX_PARTS and all([u != UNKNOWN for _, u in moving]) else ()


def part_bar(name: str, t: Type) -> Var:
    """A variable for the cotangent of what a function captures."""
    return Var(f"{name}_bar", bar_type(Var("", t)), True)


def first_reads(statements: Sequence[Statement], own: Var) -> Held:
    """The captures that a function reads before all else."""
    found: Held = {}
    for s in statements:
        if not is_call_of(s, (intrinsics.capture, intrinsics.load_global)):
            break
        if s.args[0] is own and s.fn.value is intrinsics.capture and s.outs[0].active:  # type: ignore[union-attr]
            found[own, s.args[1].value] = s.outs[0]  # type: ignore[union-attr, index]
    return found


def held_by(s: Call, known: Held) -> Held:
    """The values held by a function that a call makes, or gives another name."""
    if not is_call_of(s, (intrinsics.make_function,)):
        return {(s.out, name): value for (fn, name), value in known.items() if s.args and fn is s.args[0]}
    template: Any = s.args[0].value  # type: ignore[union-attr]
    pairs = zip(template.code.co_freevars, s.args[2:], template.cells, strict=False)
    return {(s.out, name): value for name, value, cell in pairs if not cell and is_number(type_of(value))}  # type: ignore[arg-type]


def add_parts(B: CotangentMap, fn: Atom, parts: Parts, bars: Sequence[Var], ran: bool, held: Held) -> None:
    """Add what a call gives for the captures of its function; what is a number has one if its `back` surely `ran`."""
    for (name, t), bar in zip(parts, bars, strict=True):
        definite = ran and is_real(t)
        if (own := held.get((fn, name))) is not None:
            B.add(own, bar, definite)
        else:
            B.add_part(fn, ("field", name), bar, definite)


def same_function_back(s: Call, B: CotangentMap) -> None:
    """A function by another name, as it is once it is annotated, hands on what came for its captures one by one."""
    function: Any = s.args[0]
    parts, whole = B.take_parts(s.out)
    for part, bar in parts.items():
        B.add_part(function, part, *bar)
    if whole is not None:
        B.add(function, *whole)


def take_parts(B: CotangentMap, fn: Var, parts: Parts) -> list[Atom]:
    """The cotangents of what a function captures, one by one; of a number zero where nothing has come."""
    came, whole = B.take_parts(fn)
    bars: list[Atom] = []
    for name, t in parts:
        bar = came.pop(("field", name), None)
        if whole is not None:
            more = Cotangent(B.builder.call(field_bar, whole.atom, Const(name)), False)
            bar = more if bar is None else B.sum(bar, more, None)
        if bar is None:
            bars.append(Const(0.0 if is_real(t) else None))
        else:
            bars.append(B.definite(bar) if is_real(t) else bar.atom)
    if came:
        raise AdjointError("a function has more than what it captures")  # it is found when it runs
    return bars
