"""Branches and attempts of a program that is specialised."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from ..ir.nodes import UNDEF, Atom, Block, Const, If, Var, free_variables
from ..ir.raising import ends, may_raise
from ..ir.types import UNKNOWN, Record
from ..ir.unbound import maybe_unbound
from . import joined_objects
from .attempts import attempted
from .by_class import narrowed
from .facts import joined
from .heap import Owner, meet
from .infer import certain, type_of
from .leaving import left
from .locating import unite
from .special_methods import truth
from .splitting import told_apart

if TYPE_CHECKING:
    from .specialise import Specialiser


def branch(sp: Specialiser, s: If) -> None:
    """A branch, or an attempt, typed: what both sides leave different of values and of the heap are its results.

    An attempt of what surely raises nothing is no attempt.
    """
    cond = truth(sp, sp.atom(s.cond), s.cond)
    if (known := certain(cond)) is not None:
        chosen = s.then if known else s.orelse
        sp.block(chosen)
        for out, r in zip(s.outs, chosen.results, strict=True):
            sp.env[out] = sp.atom(r)
        return
    if s.is_attempt and sp.context.generation.memory is not None and not sp.context.plain and not ends(s.orelse):
        sp.block(s.then)  # a run that an exception leaves is given up, and what it has changed is put back
        sp.env.update([(out, sp.atom(r)) for out, r in zip(s.outs, s.then.results, strict=True)])
        return
    sp.heap.check([cond])
    before = sp.heap.objects
    changed: set[Owner] = set()
    if s.is_attempt:
        then, then_results, changed = attempted(sp, s)
        if not any(map(may_raise, then)) and maybe_unbound(sp.frame.function.body).isdisjoint(free_variables(s.then)):
            sp.statements += then
            sp.env.update(zip(s.outs, then_results, strict=True))
            return
    else:
        with narrowed(sp, cond, True), told_apart(sp, cond, True):
            then, then_results = sp.region(s.then, but=lambda: joined_objects.kept_first(sp, s))
    after, sp.heap.objects = sp.heap.objects, before
    with narrowed(sp, cond, False), told_apart(sp, cond, False):
        if s.is_attempt:
            orelse, given = left(sp, s, changed)
        else:
            kept = functools.partial(joined_objects.kept_second, sp, s, then_results, after)
            orelse, given = sp.region(s.orelse, but=kept)
    if given is not None and len(s.outs) == 1 and joined(then_results[0], given[0])[0] == UNKNOWN:
        then_results, given = _as_asked(sp, s, then_results, given)
    alone = given is None
    if alone:
        sp.heap.objects = before
    outs, results = list[Var](), list[tuple[Atom, Atom]]()
    sides, joins = (after, sp.heap.objects), list[tuple[Var, Atom, Atom]]()
    for out, a, b in zip(s.outs, then_results, given or [UNDEF] * len(s.outs), strict=True):
        same = sp.heap.is_one(a, b) or a is b and isinstance(type_of(a), Record)
        if same or alone and (isinstance(a, Const) or sp.heap.holds(a, before)):
            sp.env[out] = a
            continue
        once = given is not None and then_results.count(a) == given.count(b) == 1
        if once and not s.is_attempt and joined_objects.may_join(sp.heap, a, b, sides, before):
            joins.append((out, a, b))
            continue
        sp.heap.check((a, b))
        sp.env[out] = _out_of(sp, out.name, a, b, outs, results)
    for obj, name, a, b in meet(sp.heap, after, sp.heap.objects, before):
        sp.heap.set(obj, name, _out_of(sp, name, a, UNDEF if alone else b, outs, results))
    for out, a, b in joins:
        joined_objects.join(sp, out, (a, b), sides, before, lambda name, x, y: _out_of(sp, name, x, y, outs, results))
    then_results, else_results = tuple([a for a, _ in results]), tuple([b for _, b in results])
    sp.statements.append(
        If(
            tuple(outs),
            cond,
            Block((), tuple(then), then_results),
            Block((), tuple(orelse), else_results),
            sp.span(s),
        )
    )


def _as_asked(
    sp: Specialiser, s: If, then: tuple[Atom, ...], orelse: tuple[Atom, ...]
) -> tuple[tuple[Atom, ...], tuple[Atom, ...]]:
    """The result of `and` or `or`, where it is only asked whether that is true: of what has been asked, the answer."""
    if s.outs[0] in sp.resolver.uses.conditions:
        if s.then.results[0] is s.cond:
            return (Const(True),), orelse
        if s.orelse.results[0] is s.cond:
            return then, (Const(False),)
    return then, orelse


def _out_of(sp: Specialiser, name: str, a: Atom, b: Atom, outs: list[Var], results: list[tuple[Atom, Atom]]) -> Var:
    """One more result of an `If`, which is `a` or `b`."""
    unite(sp, a, b)
    t, active = joined(a, b)
    outs.append(Var(name, t, active))
    results.append((a, b))
    sp.ways[outs[-1]] = (a, b)
    return outs[-1]
