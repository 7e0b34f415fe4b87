"""Cotangents of objects, handed over from their shadows to the arguments in which they were found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..recording.aliases import check_shared, places_in, shared_holders
from ..recording.places import Held, gather_cotangent, place, scatter_cotangent, template
from ..recording.sweep import Sweep
from ..runtime.tables import Needs
from ..tangents import accumulate, shadows_here
from ..tangents.windows import owner_of
from .nested import NONE_KNOWN, handing_over_nested

Bars = tuple[Any, ...]


def handing_over(
    f: Any, args: tuple[Any, ...], needs: Needs, plain: Mapping[type, bool] = NONE_KNOWN
) -> tuple[Callable[[Bars], Bars], tuple[Any, ...]]:
    """The function that adds to the cotangents of a function and its arguments those of the objects in them, as they
    are now; and what these look like. Of classes that are `plain` or not it has been asked."""
    asked = needs if needs is not None else (True,) * (1 + len(args))
    values = (f, *args)
    if (nested := handing_over_nested(values, asked, plain)) is not None:
        return nested
    places = [place(x) if need else None for x, need in zip(values, asked, strict=True)]
    shared = shared_holders(places[1:], [x for x, need in zip(args, asked[1:], strict=True) if not need])
    given = tuple([template(x) if need else x for x, need in zip(values, asked, strict=True)])

    def hand_over(bars: Bars) -> Bars:
        sweep = _gathered(places)
        check_shared(shared, sweep.arrays, sweep.slots)
        pairs = zip((*places[1:], places[0]), (*bars[1:], bars[0]), strict=True)  # what several hold is the first one's
        *found, of_function = [_whole(at, d, sweep) for at, d in pairs]
        return (of_function, *found)

    return hand_over, given


def _whole(at: Any, d: Any, sweep: Sweep) -> Any:
    """The cotangent of what is at a place: `d`, which came to it by value, with what the sweep has."""
    if isinstance(at, np.ndarray):
        return d if d is not None else gather_cotangent(sweep, at, None)
    taken = gather_cotangent(sweep, at, None)
    if d is None:
        return taken
    own = Sweep()  # arrays and containers that other arguments hold as well are told apart
    d = gather_cotangent(own, at, scatter_cotangent(own, at, d))
    return d if taken is None else accumulate(d, taken)


def _gathered(places: Sequence[Any]) -> Sweep:
    """The cotangents of all fields of the objects, and of all memory, at some places, by these."""
    sweep, shadows = Sweep(), shadows_here()
    for at in [part for p in places for part in places_in(p)]:
        if isinstance(at, np.ndarray):
            owner = owner_of(at)
            if (memory := shadows.get(id(owner))) is not None:
                sweep.arrays[id(owner)] = memory
            continue
        if isinstance(at, Held) and at.kind in ("list", "dict"):
            cells = shadows.pop(id(at.holder), {})
            for slot, inner in zip(at.slots, at.places, strict=True) if cells else ():
                sweep.add(at.holder, slot, scatter_cotangent(sweep, inner, cells.get(slot)))
            continue
        found = shadows.pop(id(at.holder), None) if isinstance(at, Held) and at.kind == "fields" else None
        for (name, holder, slot), inner in zip(at.slots, at.places, strict=True) if found is not None else ():
            d = getattr(found, name, None)
            sweep.add(holder, slot, None if type(d) is float and d == 0.0 else scatter_cotangent(sweep, inner, d))
    return sweep
