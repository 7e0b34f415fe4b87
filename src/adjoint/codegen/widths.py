"""About how wide an expression will be, before its variables have names."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import intrinsics as ir
from ..ir.nodes import Atom, Call, Const, Var
from .forms import constant, form_of, is_call_of

WIDTH = 100
"""Columns that one expression may take."""

SMALL = 24
"""Columns up to which a named value is inlined into another expression of a pullback."""


def atom_width(atom: Atom) -> int:
    """The columns of an atom; none for a temporary, which is likely to be inlined.

    >>> atom_width(Var("y_bar")), atom_width(Const("ab")), atom_width(Var())
    (5, 4, 0)
    """
    if isinstance(atom, Var):
        return len(atom.name)
    if isinstance(atom, Const):
        if atom.label:
            return len(atom.label)
        return len(repr(atom.value)) if isinstance(atom.value, (str, int, float)) else 6
    return 4


def call_width(call: Call, operands: Sequence[Atom]) -> int:
    """The columns of a call, without the operands that are inlined into it."""
    if is_call_of(call, ir.load_global) and not operands:
        return len(constant(call.args[1]))
    width = sum([2 + atom_width(atom) for atom in operands]) - 1
    if isinstance(call.fn, Const) and form_of(call.fn) is None:
        name = call.fn.label or getattr(call.fn.value, "__name__", "function")
        width += len(name) if isinstance(name, str) else 8
    return width
