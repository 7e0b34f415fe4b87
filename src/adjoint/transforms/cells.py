"""Cells: the variables that functions share, as locations or, where nobody else sees them, as names."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..errors import MutationError, UnsupportedSyntaxError
from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import UNKNOWN, Array, Fn, Known, Scalar, Type
from ..tangents import add_at_location, add_in, locate, take_in
from . import boxes, virtual
from .attributes import Folded
from .closures import held
from .facts import Structural, is_active
from .frames import place_of
from .infer import type_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


@dataclass(frozen=True)
class Steady:
    """A fact: the cell of a variable that stays while the function runs, with a value of this type."""

    type: Type


def fold_cell(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    kind = s.fn.value.__name__  # type: ignore[union-attr]
    if (found := virtual.cell(r, s, kind, args)) is not None:
        return found
    if (found := boxes.cell(r, s, kind, args)) is not None:
        return found
    if kind == "capture_cell" and (cell := _of_function(r, args)) is not None:
        return [Const(cell, s.out.name)]
    if kind == "load_cell" and isinstance(args[0], Const):
        return [Const(args[0].value.cell_contents)]
    if kind == "store_cell" and not _is_own(r, args[0]):
        name = args[0].label if isinstance(args[0], Const) else args[0].name  # type: ignore[union-attr]
        kind_of_error = UnsupportedSyntaxError if r.context.plain else MutationError
        raise kind_of_error(
            f"the assignment to the nonlocal name `{(name or '').removesuffix('_cell')}`",
            "others can see it change",
            "return the new value instead",
            place_of(r.context.function, s),
        )
    steady = _captured_steadily(args) if kind == "capture_cell" else None
    if steady is not None:
        cell = Var(s.out.name, UNKNOWN, False)
        r.append(Call((cell,), s.fn, tuple(args), (), s.span))
        r.sp.facts[cell] = Steady(steady)
        return [cell]
    fact = r.sp.facts.get(args[0]) if kind == "load_cell" and isinstance(args[0], Var) else None
    if isinstance(fact, Steady):
        value = Var(s.out.name, fact.type, False)
        r.append(Call((value,), s.fn, tuple(args), (), s.span))
        return [value]
    out = Var(s.out.name if s.outs else "", UNKNOWN, True)
    r.append(Call((out,) if s.outs else (), s.fn, tuple(args), (), s.span, Structural(kind)))
    return [out] if s.outs else []


def _is_own(r: Resolver, cell: Atom) -> bool:
    """Tell whether a cell is of a variable of this function."""
    made = r.made.get(cell)
    return not (
        isinstance(cell, Const)
        or isinstance(made, Call)
        and isinstance(made.fn, Const)
        and made.fn.value is intrinsics.capture_cell
    )


def _of_function(r: Resolver, args: list[Atom]) -> Any:
    """The cell of a known function's, in which a function stays while this one runs: its attributes may be memory."""
    f = args[0].value if isinstance(args[0], Const) else None
    if len(args) < 4 or type(f) is not FunctionType or r.generation.memory is None or f.__closure__ is None:
        return None
    index = args[2].value  # type: ignore[union-attr]
    return f.__closure__[index] if isinstance(held(r, f, index), Known) else None


def _captured_steadily(args: list[Atom]) -> Type | None:
    """The type of a shared variable that stays while the function runs, if it holds numbers from which nothing is
    asked: the function itself is not differentiated."""
    t = type_of(args[0])
    if len(args) < 4 or is_active(args[0]) or not isinstance(t, Fn):
        return None
    index = args[2].value  # type: ignore[union-attr]
    found = t.captures[index] if index < len(t.captures) else UNKNOWN
    return found if isinstance(found, (Scalar, Array)) else None


def fold_delete_cell(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """Unbind a variable: what it has received is there when it is bound, and to unbind it moves nothing."""
    if boxes.is_box(args[0]):
        r.store(s, "statement unbinds")
    r.append(Call((Var(""),), s.fn, tuple(args), (), s.span))
    return [Const(None)]


def fold_location(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """The cotangents of shared variables, in a reverse program that is itself differentiated: its slots are found when
    it runs forward."""
    (slot,) = fold_locate(r, Call((Var(""),), Const(locate), (), (), s.span), args[:1], [])
    operation = add_in if s.fn.value is add_at_location else take_in  # type: ignore[union-attr]
    return fold_slot(r, Call(s.outs, Const(operation), (), (), s.span), [slot, *args[1:]], kwargs)


def fold_locate(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """The slot itself carries no cotangent."""
    slot = Var(s.out.name, UNKNOWN, False)
    r.append(Call((slot,), s.fn, tuple(args), (), s.span))
    return [slot]


def fold_slot(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """An operation on a slot; it reverses even where no cotangent enters."""

    outs = tuple(Var(out.name, UNKNOWN, True) for out in s.outs)
    r.append(Call(outs, s.fn, tuple(args), (), s.span, Structural(s.fn.value.__name__)))  # type: ignore[union-attr]
    return list(outs)
