"""Heaps, and lists kept in order, that others may have: an item is put at an end, and some others move."""

from __future__ import annotations

import bisect
import heapq
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..identity import is_hashable
from ..ir import changes, heaps
from ..ir.nodes import Atom, Block, Call, Const, Var
from ..ir.types import INT, Among, Bottom, Dict, Fn, List, Ref, Tuple, Type, Variadic
from .infer import type_of
from .located_branches import by_branch
from .located_parts import ordered
from .located_reads import emitted, whole
from .located_stores import append, insert, pop, set_item
from .locating import held, refuse
from .mapping import named
from .sorting import compares

if TYPE_CHECKING:
    from .resolve import Resolver

Args = list[Any]


def _check_order(r: Resolver, s: Call, target: Any, *items: Any) -> None:
    """Refuse what has no order. Of objects the run shows it: an attempt in which they are compared is refused."""
    if type(held(target)) is not List or not all(map(_may_compare, [held(target).item, *map(type_of, items)])):
        refuse(r, s)


def _may_compare(t: Type) -> bool:
    """Tell whether values of a type have an order, as far as no class of the user's says otherwise."""
    if isinstance(t, Tuple):
        return all(map(_may_compare, t.items))
    return isinstance(t, (Ref, Among, Bottom, Fn, Variadic)) or compares(t)


def _moved(r: Resolver, s: Call, target: Any, moves: Any, *more: Any) -> None:
    """Some items from other places, as a function of the list tells."""
    ordered(r, s, target, emitted(r, s, moves, [target, *more], Dict(INT)))


def push(r: Resolver, s: Call, args: Args) -> Atom:
    """`heappush(target, value)`."""
    target, value = args
    _check_order(r, s, target, value)
    append(r, s, args)
    _moved(r, s, target, heaps.moves_of_push)
    return Const(None)


def pop_smallest(r: Resolver, s: Call, args: Args) -> Atom:
    """`heappop(target)`."""
    _check_order(r, s, *args)
    _moved(r, s, args[0], heaps.moves_of_pop)
    return pop(r, s, args)


def put_in_order(r: Resolver, s: Call, args: Args) -> Atom:
    """`heapify(target)`."""
    _check_order(r, s, *args)
    return ordered(r, s, args[0], r.emit_call(heaps.order_of_heapify, [whole(r, s, args[0])], s.span))


def replace_smallest(r: Resolver, s: Call, args: Args) -> Atom:
    """`heapreplace(target, value)`."""
    target, value = args
    _check_order(r, s, target, value)
    moves = emitted(r, s, heaps.moves_of_replace, args, Dict(INT))
    smallest = r.emit_call(operator.getitem, [target, Const(0)], s.span)
    set_item(r, s, [target, Const(0), value])
    ordered(r, s, target, moves)
    return smallest


def push_and_pop(r: Resolver, s: Call, args: Args) -> Atom:
    """`heappushpop(target, value)`: a branch on whether there is a smaller item."""
    target, value = args
    _check_order(r, s, target, value)
    less, smallest = Var(), Var()
    of, item = named(r, target), named(r, value)
    ask = Call((less,), Const(heaps.starts_below), (of, item), span=s.span)
    replaced = Call((smallest,), Const(heapq.heapreplace), (of, item), span=s.span)
    return by_branch(r, s, ask, Block((), (replaced,), (smallest,)), Block((), (), (item,)))


def insert_in_order(search: Any) -> Callable[[Resolver, Call, Args], Atom]:
    """`insort(target, value)`, by the function that finds the place."""

    def fold(r: Resolver, s: Call, args: Args) -> Atom:
        target, value = args
        _check_order(r, s, target, value)
        return insert(r, s, [target, emitted(r, s, search, args, INT), value])

    return fold


FUNCTIONS: dict[Any, Callable[[Resolver, Call, Args], Atom]] = {
    heapq.heappush: push,
    heapq.heappop: pop_smallest,
    heapq.heapify: put_in_order,
    heapq.heapreplace: replace_smallest,
    heapq.heappushpop: push_and_pop,
    bisect.insort_right: insert_in_order(heaps.place_behind),
    bisect.insort_left: insert_in_order(heaps.place_before),
}
"""Functions that change a list, by what they are called with: the list, and an item."""


def changes_in_order(r: Resolver, s: Call, value: Any, args: Args, kwargs: Any) -> Atom | None:
    """A call of such a function of a list that others may have; None of any other call."""
    if value is changes.call_with:
        value, args = getattr(args[1], "value", None), [args[0], *args[2:]]
    fold = FUNCTIONS.get(value) if is_hashable(value) else None
    if fold is not None and (kwargs or len(args) != 2 - (value in (heapq.heappop, heapq.heapify))):
        refuse(r, s)
    return None if fold is None else fold(r, s, args)
