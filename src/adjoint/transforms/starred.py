"""Calls with stars of which nobody knows how many arguments they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import UNKNOWN, Record
from ..ir.watch import watched
from ..origin import is_ours
from . import references
from .effects import writes
from .facts import Bound, Dynamic, is_active
from .inactive_calls import check_plain
from .infer import type_of
from .stores import changes_in_place

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver


def fold_starred(r: Resolver, s: Call, fn: Atom, args: list[Atom | Star], kwargs: Kwargs) -> list[Atom]:
    """A call with stars whose number of arguments is not known; of a method that may change its target, only an
    object's."""
    if not isinstance(fn, Const) or fn.value is not changes.call_method:
        return [_applied(r, s, fn, args, kwargs)]
    target, named, *rest = args
    assert not isinstance(target, Star) and isinstance(named, Const)
    if not isinstance(t := type_of(target), Record):
        raise changes_in_place(r, s, named.value, t)
    method = references.method_of(r, s, target, named.value)
    return [_applied(r, Call((s.outs[0],), s.fn, (), (), s.span), method, rest, kwargs), target]


def _applied(r: Resolver, s: Call, fn: Atom, args: list[Atom | Star], kwargs: Kwargs) -> Atom:
    """A call with stars whose number of arguments is not known."""
    fact = r.sp.facts.get(fn)
    known = fact.function if isinstance(fact, Bound) else fn.value if isinstance(fn, Const) else None
    ours = is_ours(r.context.function.filename)  # rules hand on options, and no `out` is among them
    if not (ours or r.context.plain) and writes(known, args, [name for name, _ in kwargs]):
        r.store(s, "call writes into")
    if isinstance(fact, Bound):
        fn = r.attribute(s, fn, fact)
    values = [a.value if isinstance(a, Star) else a for a in args]
    if not any(map(is_active, [fn, *values, *(v for _, v in kwargs)])):
        if not ours and check_plain(r, s, fn, args, kwargs):
            r.context.unsure = True
            fn, args = (fn, args) if r.context.plain else (Const(watched), [fn, *args])
        out = Var(s.out.name, UNKNOWN, False)
        r.append(Call((out,), fn, tuple(args), tuple(kwargs), s.span))
        return out
    plan = tuple(isinstance(a, Star) for a in args)
    names = tuple(name for name, _ in kwargs)
    flat: Args = [fn, Const(plan), Const(names), *values, *(v for _, v in kwargs)]
    going_on = isinstance(fn, Const) and fn.value is changes.initialise  # with the object, its second argument
    t = type_of(values[1]) if going_on else UNKNOWN
    return r.emit(s, Const(intrinsics.apply), flat, [], Dynamic(), t, True)
