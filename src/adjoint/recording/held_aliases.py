"""Arrays in the lists, dicts and objects of several arguments: an object may keep one of an earlier call.

As with an array that is an argument (`aliases`), each argument has what flows to it by its own name, unless something
is stored into the memory. So all arguments but one hold views for the time of the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..rules.registry import non_differentiable
from ..tangents.windows import Array, owner_of
from .aliases import apart, held_by, places_in, put_back
from .memory import watched
from .places import Held, Placed


class Spot(NamedTuple):
    """An argument that holds an array, and the list or the dict in which it stands there: None if it cannot be replaced
    by a view."""

    argument: int
    array: Array
    holder: Any = None
    key: Any = None
    in_object: bool = False


class Apart(NamedTuple):
    """Views that stand for arrays, as pairs with these; the views with what tells whether their memory has been stored
    into; the owners, each with its views; and what holds them."""

    told: list[tuple[Array, Array]]
    views: list[Any]
    owners: dict[int, list[Array]]
    holders: list[Any]

    def restore(self) -> None:
        """Put the arrays back where the views still stand."""
        originals = {id(view): array for view, array in self.told}
        for holder in self.holders:
            put_back(holder, originals)

    def still_shared(self, shared: set[int], views: dict[int, Array]) -> set[int]:
        """Those `shared` that are not told apart by `views` into whose memory nothing was stored."""
        return shared - {key for key, own in self.owners.items() if all([id(view) in views for view in own])}


NONE_APART = Apart([], [], {}, [])
OTHERS = -1
"""In place of an argument, those that are not asked for."""


def held_apart(places: Sequence[Any], others: Sequence[Any], shared: set[int]) -> Apart:
    """Let the arguments at some places hold views of arrays that are `shared`: all but one of them, or all if `others`
    have the array as well."""
    made = Apart([], [], {}, [])
    spots: dict[int, list[Spot]] = {}
    for spot in _spots(places, shared):
        spots.setdefault(id(owner_of(spot.array)), []).append(spot)
    elsewhere = held_by(others) if spots else set[int]()
    for key, found in spots.items():
        keeping = {spot.argument for spot in found if spot.holder is None or _is_of_another(spot, found)}
        if key in elsewhere:
            keeping.add(OTHERS)
        if len(keeping) > 1:
            continue
        keeper = keeping.pop() if keeping else _keeper(found)
        views: dict[Any, tuple[Array, Array]] = {}
        for spot in found:
            if spot.argument != keeper:
                own = spot.argument, id(spot.array)
                view, _ = views.setdefault(own, (apart(spot.array), spot.array))
                spot.holder[spot.key] = view
                made.holders.append(spot.holder)
        made.told.extend(views.values())
        made.owners[key] = [view for view, _ in views.values()]
        made.views.extend([(view, watched(owner_of(array))) for view, array in views.values()])
    return made


def _is_of_another(spot: Spot, found: list[Spot]) -> bool:
    """Tell whether what holds an array is part of another argument as well."""
    return any([other.argument != spot.argument and other.holder is spot.holder for other in found])


def _keeper(found: list[Spot]) -> int:
    """The argument that keeps an array: one in which no object has it, if there is one."""
    of_objects = {spot.argument for spot in found if spot.in_object}
    return next((spot.argument for spot in found if spot.argument not in of_objects), found[0].argument)


def _spots(places: Sequence[Any], shared: set[int]) -> Iterator[Spot]:
    """Where `shared` arrays stand in what arguments hold."""
    for i, place in enumerate(places):
        for at in places_in(place):
            if isinstance(at, Held) and at.kind in ("list", "dict", "fields"):
                for slot, part in zip(at.slots, at.places, strict=True):
                    if _is_shared(part, shared):
                        holder, key = slot[1:] if at.kind == "fields" else (at.holder, slot)
                        yield Spot(i, part, holder if type(holder) in (list, dict) else None, key, at.kind == "fields")
            elif isinstance(at, Held | Placed):
                parts = [p[2] for p in at.places] if isinstance(at, Held) and at.kind == "cells" else at.places
                yield from [Spot(i, part) for part in parts if _is_shared(part, shared)]


def _is_shared(part: Any, shared: set[int]) -> bool:
    return isinstance(part, np.ndarray) and id(owner_of(part)) in shared


non_differentiable(held_apart, Apart.restore, Apart.still_shared)
