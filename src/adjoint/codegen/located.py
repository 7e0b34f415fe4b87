"""Lists, dicts and arrays that others may have, and their shadows: reads, stores, and what is done with cotangents."""

from __future__ import annotations

from typing import Any

from ..ir import located as ops
from ..ir.nodes import Call, Var
from ..ir.types import Repeated
from .expressions import Printer, order_of
from .forms import statement, syntax
from .names import ATOM, TERNARY, Text


def _item(p: Printer, target: Any, key: Any) -> str:
    return f"{p.text(target, ATOM)}[{p.subscript(key)}]"


@syntax(ops.load_item, ops.load_array, ops.load_number, ops.window)
def _load_item(p: Printer, s: Call) -> Text | None:
    target, key = s.args
    return _item(p, target, key), ATOM


@syntax(ops.load_whole, ops.located_copy, ops.copy_of)
def _load_whole(p: Printer, s: Call) -> Text | None:
    x: Any = s.args[0]
    return None if isinstance(x.type, Repeated) else (f"{p.text(x, ATOM)}.copy({order_of(s.out.type)})", ATOM)


@syntax(ops.load_part)
def _load_part(p: Printer, s: Call) -> Text | None:
    target, key = s.args
    if isinstance(target.type, Repeated):  # type: ignore[union-attr]
        return None
    return f"{_item(p, target, key)}.copy({order_of(s.out.type)})", ATOM


@syntax(ops.size_of)
def _size_of(p: Printer, s: Call) -> Text | None:
    return f"{p.links.name(len)}({p.arguments(s.args)})", ATOM


@syntax(ops.place_in)
def _place_in(p: Printer, s: Call) -> Text | None:
    """Most are counted from the front."""
    target, key = s.args
    if not isinstance(key, Var) or key in p.plan.inlined or isinstance(target, Var) and target in p.plan.inlined:
        return None
    i = p.text(key)
    return f"{i} if {i} >= 0 else {p.links.name(ops.place_in)}({p.arguments(s.args)})", TERNARY


@statement(ops.store_item, order=(2, 0, 1))
def _store_item(p: Printer, s: Call) -> str | None:
    target, key, value = s.args
    return f"{_item(p, target, key)} = {p.text(value)}"  # type: ignore[arg-type]


@statement(ops.add_in_place, augmented=True)
def _add_in_place(p: Printer, s: Call) -> str | None:
    target, value = s.args
    return f"{p.text(target, ATOM)} += {p.text(value)}" if isinstance(target, Var) else None  # type: ignore[arg-type]


@statement(ops.subtract_in_place, augmented=True)
def _subtract_in_place(p: Printer, s: Call) -> str | None:
    target, value = s.args
    return f"{p.text(target, ATOM)} -= {p.text(value)}" if isinstance(target, Var) else None  # type: ignore[arg-type]


@statement(ops.extend_items)
def _extend_items(p: Printer, s: Call) -> str | None:
    target, values = s.args
    return f"{p.text(target, ATOM)}.extend({p.text(values)})"  # type: ignore[arg-type]


@statement(ops.append_item)
def _append_item(p: Printer, s: Call) -> str | None:
    target, value = s.args
    return f"{p.text(target, ATOM)}.append({p.text(value)})"  # type: ignore[arg-type]


@statement("adjoint.tangents.add_number_to_cell", "adjoint.tangents.add_number_to_window", augmented=True)
def _add_number(p: Printer, s: Call) -> str | None:
    shadow, key, d = s.args
    return f"{_item(p, shadow, key)} += {p.text(d)}"  # type: ignore[arg-type]


@statement("adjoint.tangents.forget_window")
def _forget(p: Printer, s: Call) -> str | None:
    shadow, key = s.args
    return f"{_item(p, shadow, key)} = 0.0"


@syntax("adjoint.tangents.take_cell")
def _take_cell(p: Printer, s: Call) -> Text | None:
    shadow, *rest = s.args
    return f"{p.text(shadow, ATOM)}.pop({p.arguments(rest)})", ATOM  # type: ignore[arg-type]
