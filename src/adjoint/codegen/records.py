"""Cotangents of records: their fields by name."""

from __future__ import annotations

from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import Record
from ..spelling import keyword_argument, quoted
from ..tangents import has_besides, new_tangent
from .expressions import Printer
from .forms import FREE, syntax
from .names import ATOM, Text


@syntax("adjoint.tangents.tangent")
def _tangent(p: Printer, s: Call) -> Text | None:
    owner, names, *bars = s.args
    if not isinstance(names, Const) or any([isinstance(a, Star) for a in s.args]):
        return None
    pairs = [(name, p.item(bar)) for name, bar in zip(names.value, bars, strict=True)]
    if (cls := _class_of(p, owner)) is not None:  # type: ignore[arg-type]
        fields = ", ".join([f"{quoted(name)}: {text}" for name, text in pairs])
        return f"{p.links.name(new_tangent)}({p.links.spelled(cls, None)}, {{{fields}}})", ATOM
    return f"{p.item(s.fn)}({', '.join([p.item(owner), *[keyword_argument(*pair) for pair in pairs]])})", ATOM


def _class_of(p: Printer, owner: Atom) -> type | None:
    """The class of a record that holds nothing but fields, if its type tells it. What it is read from may be left out:
    the record has a name here, or is found without an effect."""
    if isinstance(owner, Const) and isinstance(owner.value, BaseException):
        return type(owner.value)
    if not isinstance(owner, Var) or not isinstance(owner.type, Record):
        return None
    if owner in p.plan.inlined and p.plan.inlined[owner].level > FREE:
        return None
    return owner.type.cls if has_besides(owner.type.cls) is False else None
