"""Arguments that are numbers, arrays, and lists and dicts of these in which nothing is met twice: their cotangents
stand in the shadows as they are to be handed over. All else has places, which know of objects and of what several hold
(`shadows`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from ..recording.places import LEAVES
from ..tangents import accumulate, shadows_here
from ..tangents.located import add_to_whole, window_of
from ..tangents.shadows import Shadows

Bars = tuple[Any, ...]


class Nest(NamedTuple):
    """A list or a dict, its places or keys, and what is no number at some of these."""

    holder: Any
    slots: Sequence[Any]
    inner: dict[Any, Any]


class _Other(Exception):
    """It is another kind of argument, or holds one."""


def handing_over_nested(values: Bars, asked: Sequence[bool]) -> tuple[Callable[[Bars], Bars], Bars] | None:
    """The function that adds to the cotangents of a function and its arguments those of what they hold now, and what
    they look like; None if one of them is not of this kind."""
    seen: set[int] = set()
    try:
        found = [_read(x, seen) if need else (None, x) for x, need in zip(values, asked, strict=True)]
    except _Other:
        return None
    if any([id(x) in seen for x, need in zip(values, asked, strict=True) if not need]):
        return None
    parts = [part for part, _ in found]

    def hand_over(bars: Bars) -> Bars:
        shadows = shadows_here()
        return tuple([_whole(shadows, part, d) for part, d in zip(parts, bars, strict=True)])

    return hand_over, tuple([given for _, given in found])


def _read(x: Any, seen: set[int]) -> tuple[Any, Any]:
    """The contents of a value, None of a number; and the same numbers and arrays in new containers."""
    cls = type(x)
    if cls in LEAVES or cls is FunctionType and _holds_nothing(x):
        return None, x
    if id(x) in seen:
        raise _Other
    seen.add(id(x))
    if cls is np.ndarray and x.base is None and x.dtype.kind in "biufc":
        return x, x
    if cls is list:
        slots: Sequence[Any] = range(len(x))
        items = x.copy()
    elif cls is dict:
        slots, items = tuple(x), list(x.values())
    else:
        raise _Other
    inner: dict[Any, Any] = {}
    if not LEAVES.issuperset(map(type, items)):
        for i, item in enumerate(items):
            part, items[i] = _read(item, seen)
            if part is not None:
                inner[slots[i]] = part
    return Nest(x, slots, inner), items if cls is list else dict(zip(slots, items, strict=True))


def _holds_nothing(f: FunctionType) -> bool:
    return not (f.__closure__ or f.__defaults__ or f.__kwdefaults__ or f.__dict__)


def _whole(shadows: Shadows, part: Any, d: Any) -> Any:
    """The cotangent of an argument: `d` has what came to it by value."""
    if part is None or d is not None and isinstance(part, np.ndarray):
        return d
    taken = _taken(shadows, part, None)
    return taken if d is None else d if taken is None else accumulate(d, taken)


def _taken(shadows: Shadows, part: Any, d: Any) -> Any:
    """The cotangent that has come to a part, of which `d` came by value; None if nothing did."""
    if part is None:
        return d
    if isinstance(part, np.ndarray):
        if d is not None:
            add_to_whole(window_of(shadows, part), d)
        memory = shadows.pop(id(part), None)
        return None if memory is None else memory.main
    holder, slots, inner = part
    cells = shadows.pop(id(holder), None) or {}
    if inner:
        bars = [_taken(shadows, inner.get(slot), cells.get(slot)) for slot in slots]
    else:
        bars = [*map(cells.get, slots)] if cells else []
    if all([bar is None for bar in bars]):
        return None
    if type(holder) is list:
        return bars
    return {slot: bar for slot, bar in zip(slots, bars, strict=True) if bar is not None}
