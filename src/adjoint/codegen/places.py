"""Places in the user's file of what rows of text are made of."""

from __future__ import annotations

from ..ir.nodes import Atom, Call, Const, If, Span, Var
from .plan import Plan


def place_of(plan: Plan, atom: Atom, otherwise: Span | None) -> Span | None:
    """The place of a literal, or of the expression that is inlined for an atom."""
    if isinstance(atom, Var):
        return (plan.definition[atom].span if atom in plan.inlined else None) or otherwise
    return (atom.span if isinstance(atom, Const) else None) or otherwise


def first_place(plan: Plan, atom: object) -> Span | None:
    """The place of the first of what is put together in an expression: `y` in `return y, f_pullback`."""
    made = plan.definition[atom] if isinstance(atom, Var) and atom in plan.inlined else None
    if not isinstance(made, Call) or made.span is not None:
        return None if made is None else made.span
    return next((span for a in made.args if (span := first_place(plan, a)) is not None), None)


def origin_of(plan: Plan, atom: Atom, otherwise: Span | None) -> Span | None:
    """The place where a value was computed that is only handed on here: after branches, the place within them."""
    made = plan.definition.get(atom) if isinstance(atom, Var) else None
    if not isinstance(made, If):
        return place_of(plan, atom, otherwise) if made is None else made.span or otherwise
    i = made.outs.index(atom)
    sides = made.then.results[i], made.orelse.results[i]
    computed = next((r for r in sides if isinstance(r, Var)), None)
    literals = [r for r in sides if isinstance(r, Const) and r.span]
    around = made.span or otherwise
    if computed is not None or len(literals) == 1:
        return origin_of(plan, computed or literals[0], around)
    return around
