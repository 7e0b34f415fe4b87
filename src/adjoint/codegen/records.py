"""Cotangents of records: their fields by name."""

from __future__ import annotations

from ..ir.nodes import Call, Const, Star
from ..spelling import keyword_argument
from .expressions import Printer
from .forms import syntax
from .names import ATOM, Text


@syntax("adjoint.tangents.tangent")
def _tangent(p: Printer, s: Call) -> Text | None:
    owner, names, *bars = s.args
    if not isinstance(names, Const) or any([isinstance(a, Star) for a in s.args]):
        return None
    fields = [keyword_argument(name, p.item(bar)) for name, bar in zip(names.value, bars, strict=True)]
    return f"{p.item(s.fn)}({', '.join([p.item(owner), *fields])})", ATOM
