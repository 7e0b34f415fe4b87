"""Questions of the class of an object, and the object as one of that class."""

from __future__ import annotations

from ..ir import classes as ops
from ..ir.nodes import Call, Const
from ..spelling import is_name
from .expressions import Printer
from .forms import FREE, statement, syntax
from .names import ATOM, COMPARE, Text


@syntax(ops.is_of, level=FREE)
def _is_of(p: Printer, s: Call) -> Text | None:
    x, cls = s.args
    return f"{p.links.name(type)}({p.text(x)}) is {p.text(cls)}", COMPARE  # type: ignore[arg-type]


@syntax(ops.is_one_of, level=FREE)
def _is_one_of(p: Printer, s: Call) -> Text | None:
    x, classes = s.args
    return f"{p.links.name(type)}({p.text(x)}) in {p.text(classes)}", COMPARE  # type: ignore[arg-type]


@syntax(ops.is_tuple_of)
def _is_tuple_of(p: Printer, s: Call) -> Text | None:
    x, cls, n = s.args
    kind = f"{p.links.name(type)}({p.text(x)}) is {p.text(cls)}"  # type: ignore[arg-type]
    return f"({kind} and {p.links.name(len)}({p.text(x)}) == {p.text(n)})", ATOM  # type: ignore[arg-type]


@syntax(ops.taken_as, level=FREE, same=True)
def _taken_as(p: Printer, s: Call) -> Text | None:
    return p.expression(s.args[0])  # type: ignore[arg-type]


@syntax(ops.is_instance)
def _is_instance(p: Printer, s: Call) -> Text | None:
    return f"{p.links.name(isinstance)}({p.arguments(s.args)})", ATOM


@syntax(ops.holds)
def _holds(p: Printer, s: Call) -> Text | None:
    x, name, f = s.args
    if not isinstance(name, Const) or not is_name(name.value):
        return None
    return f"{p.text(x, ATOM)}.{name.value} is {p.text(f)}", COMPARE  # type: ignore[arg-type]


@syntax(ops.has)
def _has(p: Printer, s: Call) -> Text | None:
    return f"{p.links.name(hasattr)}({p.arguments(s.args)})", ATOM


@syntax(ops.has_no)
def _has_no(p: Printer, s: Call) -> Text | None:
    """The attribute is read by the program itself, where the error is to come from."""
    x, name = s.args
    if not isinstance(name, Const) or not is_name(name.value):
        return None
    return f"{p.links.name(ops.refuse_found)}({p.text(x, ATOM)}.{name.value})", ATOM  # type: ignore[arg-type]


@statement(ops.look_up)
def _look_up(p: Printer, s: Call) -> str | None:
    x, name = s.args
    return f"{p.text(x, ATOM)}.{name.value}" if isinstance(name, Const) and is_name(name.value) else None  # type: ignore[arg-type]
