"""Fields of objects that others may have, and their shadows: reads, stores, and what is done with cotangents."""

from __future__ import annotations

from ..ir import changes
from ..ir.classes import is_frozen
from ..ir.nodes import Call, Var
from ..spelling import is_name
from ..tangents import shadow_of
from .expressions import Printer
from .forms import constant, statement, syntax
from .names import ATOM, OR, Text


@syntax(changes.load_field)
def _load_field(p: Printer, s: Call) -> Text | None:
    target, name = s.args
    return (f"{p.text(target, ATOM)}.{constant(name)}", ATOM) if is_name(constant(name)) else None  # type: ignore[arg-type]


@statement(changes.store_field, order=(2, 0, 1))
def _store_field(p: Printer, s: Call) -> str | None:
    target, name, value = s.args
    cls = getattr(getattr(target, "type", None), "cls", object)
    if not is_name(constant(name)) or is_frozen(cls):
        return None
    return f"{p.text(target, ATOM)}.{constant(name)} = {p.text(value)}"  # type: ignore[arg-type]


@syntax("adjoint.tangents.shadow_of")
def _shadow_of(p: Printer, s: Call) -> Text | None:
    """Most objects have theirs already."""
    shadows, owner, _ = s.args
    if isinstance(owner, Var) and owner in p.plan.inlined:
        return None
    found = f"{p.text(shadows, ATOM)}.get({p.links.name(id)}({p.text(owner)}))"  # type: ignore[arg-type]
    return f"{found} or {p.links.name(shadow_of)}({p.arguments(s.args)})", OR


@syntax("adjoint.tangents.cotangent_of_field")
def _cotangent_of_field(p: Printer, s: Call) -> Text | None:
    shadow, name = s.args
    return f"{p.text(shadow, ATOM)}.{constant(name)}", ATOM  # type: ignore[arg-type]


@statement("adjoint.tangents.set_cotangent_of_field", order=(2, 0, 1))
def _set_cotangent_of_field(p: Printer, s: Call) -> str | None:
    shadow, name, d = s.args
    return f"{p.text(shadow, ATOM)}.{constant(name)} = {p.text(d)}"  # type: ignore[arg-type]


@statement("adjoint.tangents.add_number_to_field", augmented=True)
def _add_number_to_field(p: Printer, s: Call) -> str | None:
    shadow, name, d = s.args
    return f"{p.text(shadow, ATOM)}.{constant(name)} += {p.text(d)}"  # type: ignore[arg-type]
