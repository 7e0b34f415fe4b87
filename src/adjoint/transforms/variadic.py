"""Tuples of any length, whose items have one type: what is made of them is made of the lists of their items.

Such a tuple never changes, so nobody can tell. Items are read from the tuple itself, and a loop runs through it. What
is not known here is given the tuple.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from typing import TYPE_CHECKING, Any

from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir.lattice import variadic
from ..ir.nodes import Atom, Call, Const, Star
from ..ir.types import INT, UNKNOWN, Deque, List, Tuple, Type, Variadic
from ..ops.arithmetic import element_of
from .facts import Items, Structural, is_active
from .infer import type_of
from .snapshots import snapshot

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

_READING: dict[Any, slice] = {
    **dict.fromkeys((max, min, sorted, math.fsum, math.prod, itertools.accumulate), slice(0, 1)),
    functools.reduce: slice(1, 2),
    map: slice(1, None),
}
"""Functions that read the items of some arguments, and give nothing that tells what these were, by where they stand."""
_ALONE = (max, min)
"""Those that compare what they are given, if that is not alone."""
_IN_PLACE = {operator.iadd: operator.add, operator.imul: operator.mul}


def call(r: Resolver, s: Call, fn: Atom, args: list[Any], kwargs: Kwargs) -> list[Atom] | None:
    """The outs of a call that is given such tuples, and is known to read their items or to make others of them; None of
    any other."""
    f = fn.value if isinstance(fn, Const) else None
    if r.context.plain or r.generation.only_primal or not any(map(_is_given, args)):
        return None
    starred = [isinstance(a, Star) and isinstance(type_of(a.value), Variadic) for a in args]
    if any(starred):
        given = [Star(as_list(r, a.value, s)) if of_star else a for a, of_star in zip(args, starred, strict=True)]
        return r.call(s, fn, given, kwargs)
    if f is changes.in_place and isinstance(args[0], Const):
        fn, args = Const(_IN_PLACE.get(args[0].value)), args[1:]
        f = fn.value
    if f is operator.add and len(args) == 2 and all([_is_tuple(type_of(a)) for a in args]) and not kwargs:
        return _joined(r, s, args)
    if f is operator.mul and INT in map(type_of, args) and not kwargs:
        return _made(r, s, operator.mul, args, Structural("repeated"))
    read = args[_READING[f]] if is_hashable(f) and f in _READING else []
    if not any(map(_is_given, read)) or any([isinstance(a, Star) for a in args]) or f in _ALONE and len(args) > 1:
        return None
    given = [as_list(r, a, s) if _is_given(a) and any([a is b for b in read]) else a for a in args]
    return r.call(s, fn, given, kwargs)


def fold_tupled(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """`tuple(xs)` of a tuple, a display or a list."""
    if kwargs or len(args) != 1:
        return None
    t, fact = type_of(args[0]), r.sp.facts.get(args[0])
    if isinstance(t, Variadic) or isinstance(t, Tuple) and t.cls is tuple:
        return [args[0]]
    if isinstance(fact, Items) and not r.generation.only_primal:
        return [r.emit_call(intrinsics.make_tuple, fact.atoms, s.span, s.out.name)]
    return fold_packed(r, s, args)


def fold_packed(r: Resolver, s: Call, args: list[Atom]) -> list[Atom] | None:
    """`tuple(xs)` of a list, and `list(t)` of such a tuple, where the items never change."""
    if len(args) != 1 or r.context.plain or r.generation.only_primal or not is_active(args[0]):
        return None
    made: Type = UNKNOWN
    t, of_tuple = type_of(args[0]), s.fn.value is tuple  # type: ignore[union-attr]
    if of_tuple and isinstance(t, List) and not isinstance(t, Deque):
        made = variadic(t.item)
    elif not of_tuple and isinstance(t, Variadic):
        made = List(t.item)
    if made == UNKNOWN:
        return None
    return [r.emit(s, s.fn, [snapshot(r, args[0], s)], [], Structural("packed"), made, True)]


def cut(r: Resolver, s: Call, a: Atom, places: slice) -> Atom | None:
    """A tuple of some items of one of known length; None of anything else."""
    t = type_of(a)
    if not isinstance(t, Tuple) or t.cls is not tuple or not is_active(a):
        return None
    items = [r.item(a, i, s.span) for i in range(len(t.items))[places]]
    return r.emit_call(intrinsics.make_tuple, items, s.span, s.out.name)


def is_of_values(t: Type) -> bool:
    """Tell whether a type is that of tuples whose items have one type, and never change."""
    return isinstance(t, Variadic) or isinstance(t, Tuple) and t.cls is tuple and variadic(element_of(t)) != UNKNOWN


def _is_given(a: Any) -> bool:
    """Tell whether an argument, or what a star stands for, is such a tuple through which a derivative flows."""
    a = a.value if isinstance(a, Star) else a
    return is_active(a) and is_of_values(a.type)


def _is_tuple(t: Type) -> bool:
    return isinstance(t, Variadic) or isinstance(t, Tuple) and t.cls is tuple


def _joined(r: Resolver, s: Call, args: list[Atom]) -> list[Atom] | None:
    """`t + u`."""
    if any([isinstance(type_of(a), Variadic) for a in args]):
        return _made(r, s, operator.add, args, Structural("joined"))
    items = [r.item(a, i, s.span) for a in args for i in range(len(type_of(a).items))]  # type: ignore[attr-defined]
    return [r.emit_call(intrinsics.make_tuple, items, s.span, s.out.name)]


def _made(r: Resolver, s: Call, f: Any, args: list[Atom], how: Structural) -> list[Atom] | None:
    """A tuple of the items of others."""
    t = r.result(f, args)
    return None if t == UNKNOWN else [r.emit(s, Const(f), args, [], how, t, True)]


def as_list(r: Resolver, a: Atom, s: Call) -> Atom:
    """A list of the items of a tuple."""
    t = type_of(a)
    if not isinstance(t, Tuple):
        return r.emit_call(list, [a], s.span)
    items = [r.item(a, i, s.span) for i in range(len(t.items))]
    made = r.emit_call(intrinsics.make_list, items, s.span)
    r.sp.facts[made] = Items(tuple(items))
    return made
