"""Loops over a few numbers of a display, within a loop: they are written out, and so are functions that consist of one.

    for item in [x, y]:                  if x > 0.1: t = x
        if item > 0.1: t = item; break   elif y > 0.1: t = y

A loop in a loop keeps stacks of its own in each round, and the list has a cotangent that is made and taken apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Function, Loop, Var
from ..ir.types import Scalar
from .facts import Items
from .infer import type_of
from .uses import calls_of, is_call_of

if TYPE_CHECKING:
    from .resolve import Resolver
    from .specialise import Specialiser

MAX_ITEMS = 4
MAX_CALLS = 24
"""Calls of all rounds that are written out."""


def of_few(sp: Specialiser, s: Loop, sequence: Any) -> list[Callable[[], Atom]] | None:
    """The rounds of a loop over a few numbers, if it is written out."""
    r, fact = sp.resolver, sp.facts.get(sequence)
    if not sp.loops or r.context.plain or r.generation.only_primal or r.stores_items or not isinstance(fact, Items):
        return None
    if sequence in sp.heap or len(s.outs) > s.carried or not _are_few(fact.atoms):
        return None
    if len([*calls_of(s.body.statements)]) * len(fact.atoms) > MAX_CALLS:
        return None
    return [lambda a=a: a for a in fact.atoms]  # type: ignore[misc]


def rest_of(sp: Specialiser, items: list[Atom], span: Any) -> Atom:
    """The items that are left of such a loop."""
    rest = sp.resolver.emit_call(intrinsics.make_tuple, items, span)
    if isinstance(rest, Var):
        sp.facts[rest] = Items(tuple(items))
    return rest


def given_few(r: Resolver, s: Call, lowered: Function, bound: Sequence[Atom]) -> set[Var]:
    """The parameters of a function for which a call makes a display of a few numbers, which it only reads. What
    the display holds is known from then on."""
    found: set[Var] = set()
    if len(s.args) + 1 != len(lowered.params) or s.kwargs or r.stores_items:
        return found
    reads = r.uses_in(lowered)
    for param, given, a in zip(lowered.params[1:], s.args, bound, strict=False):
        fact, made = r.sp.facts.get(a), r.made.get(a)
        if fact is None and is_call_of(made, (intrinsics.make_list,)) and isinstance(a, Var) and isinstance(given, Var):
            alone = r.uses.displays.uses.get(given) == [s] and r.sp.env.get(given) is a
            if alone and reads.displays.is_only_read(param):
                fact = r.sp.facts[a] = Items(made.args)  # type: ignore[union-attr, arg-type]
        if isinstance(fact, Items) and _are_few(fact.atoms):
            found.add(param)
    return found


def _are_few(atoms: Sequence[Any]) -> bool:
    return 0 < len(atoms) <= MAX_ITEMS and all([isinstance(type_of(a), Scalar) for a in atoms])
