"""Methods that change the length of a list, as functions of the old list, where its type is known only as they run."""

from __future__ import annotations

from collections import deque
from typing import Any

from ...ir import changes, intrinsics
from ...ir.heaps import BY_PLACE, order_of_heapify, order_of_sort, place_of, place_of_pop, place_of_push
from ...ir.ordered import ASKING
from ...tangents import dense_deque, dense_entries, dense_list, outline, within
from ..registry import Back, non_differentiable, rule
from .iteration import source_of, spread


@rule(changes.changed)
def changed_rule(target: list | deque, name: str, *args: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """Do to the places of the items what is done to the items: these say where each cotangent belongs."""
    y = changes.changed(target, name, *args)
    n = len(target)
    source = source_of(args[-1]) if name == "extend" else None
    more = range(n, n + (1 if source is None else source.length))
    put, of_places = name in changes.PUTTING, BY_PLACE.get(name, name)
    place, places = (
        changes.changed(type(target)(range(n)), of_places, *args[:-1], more if source else n)
        if put
        else changes.changed(type(target)(range(n)), of_places, *args)
    )

    def changed_back(y_bar: Any) -> tuple[Any, ...]:
        item_bar, bars = y_bar
        found: list[Any] = [None] * more.stop
        for i, bar in zip(places, bars or (), strict=False):
            found[i] = bar
        if place is not None:
            found[place] = item_bar
        rest = (None,) * (len(args) - 1 if put else len(args))
        given = (spread(source, found[n:]) if source else found[n],) if put else ()
        return found[:n], None, *rest, *given

    return y, changed_back


@rule(changes.changed)
def changed_dict_rule(target: dict, name: str, *args: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """The items that are left keep their cotangents, and what is given back has its own."""
    y = changes.changed(target, name, *args)
    left, found = [*y[1]], name == "pop" and args[0] in target

    def changed_dict_back(y_bar: Any) -> tuple[Any, ...]:
        item_bar, bars = y_bar
        rest = {key: bars[key] for key in left if key in bars} if bars else {}
        given = (None, None if found else item_bar)[: len(args)] if name == "pop" else (None,) * len(args)
        return {**rest, args[0]: item_bar} if found else rest, None, *given

    return y, changed_dict_back


@rule(dense_list)
def dense_list_rule(d: Any, n: int, zero: Any) -> tuple[Any, Back]:
    """Nothing, or `d`."""

    def dense_list_back(y_bar: Any) -> tuple[Any, ...]:
        return None if d is None else y_bar, None, None

    return dense_list(d, n, zero), dense_list_back


@rule(dense_deque)
def dense_deque_rule(d: Any, n: int, zero: Any) -> tuple[Any, Back]:
    """The same of a deque."""
    y, back = dense_list_rule(d, n, zero)
    return deque(y), back


@rule(dense_entries, linear="d | x")
def dense_entries_rule(d: Any, x: Any) -> tuple[Any, Back]:
    """The zeros that it puts in are constants."""
    had = outline(d)
    return dense_entries(d, x), lambda y_bar: (within(y_bar, had), None)


non_differentiable(intrinsics.position, changes.insertion, changes.end_key)
non_differentiable(place_of, place_of_push, place_of_pop, order_of_heapify, order_of_sort, *ASKING)
