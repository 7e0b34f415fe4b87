"""Shadows of lists, dicts and arrays that others may have: the cotangents of their items, while a reverse pass runs.

They stand beside those of objects, by the identity of the list or dict, or of the array whose memory it is. A read adds
to the cotangent of its item, a store takes it; and what makes a list or an array that others may have takes all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .accumulate import accumulate
from .buffers import names_once
from .project import unbroadcast
from .shadows import Shadows, add_to_field, shadow_of
from .windows import Array, Memory, add_to, owner_of, take_from


class Cells(dict[Any, Any]):
    """The cotangents of the items of a list or a dict, by their places or keys."""

    __slots__ = ("owner",)

    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def __missing__(self, key: Any) -> float:
        return 0.0  # of a number to which nothing came


def cells_of(shadows: Shadows, owner: Any) -> Cells:
    """The shadow of a list or a dict, made when it is first asked for."""
    found = shadows.get(id(owner))
    if found is None:
        found = shadows[id(owner)] = Cells(owner)
    return found


def window_of(shadows: Shadows, a: Array) -> Array:
    """The same of an array: of a view, the window on the shadow of its owner."""
    owner = a if a.base is None else owner_of(a)
    memory = shadows.get(id(owner))
    if memory is None:
        memory = shadows[id(owner)] = Memory(owner)
    return memory.main if a is owner else memory.window(a)


# ---- reads


def add_number_to_cell(cells: Cells, key: Any, d: Any) -> None:
    """Add to what has come to an item that is a real number."""
    cells[key] += d


def add_to_cell(cells: Cells, key: Any, d: Any) -> None:
    """The same of any other item."""
    if d is not None:
        cells[key] = accumulate(cells.get(key), d)


def add_to_cells(cells: Cells, bars: Any) -> None:
    """The same of all items of a list or a dict."""
    if bars is not None:
        for key, d in bars.items() if isinstance(bars, dict) else enumerate(bars):
            add_to_cell(cells, key, d)


def add_to_window(window: Array, key: Any, d: Any) -> None:
    """The same of items of an array."""
    if d is None:
        return
    if names_once(key):
        window[key] += d
    else:
        np.add.at(window, key, d)


def add_to_whole(window: Array, d: Any) -> None:
    """The same of all items of an array."""
    if d is not None:
        add_to(window, d)


def bring_back(window: Array, form: Array, a: Array, b: Array) -> None:
    """Let what has come to `b` come to `a`, of which it is a copy in another form; of a view it has come there."""
    if owner_of(a) is not owner_of(b):
        add_to(window, take_from(form).reshape(window.shape))


def come_back(shadows: Shadows, pairs: list[tuple[Any, Any]]) -> None:
    """Let what has come to copies come to what they were made of."""
    for before, made in pairs:
        shadow = shadows.pop(id(made), None)
        if isinstance(shadow, Memory):
            add_to(window_of(shadows, before), shadow.main)
        elif isinstance(shadow, Cells):
            add_to_cells(cells_of(shadows, before), dict(shadow))
        elif shadow is not None:
            own = shadow_of(shadows, before, type(shadow))
            for name in type(shadow).__slots__[1:]:
                add_to_field(own, name, getattr(shadow, name))


def what_came(window: Array, value: Any) -> Any:
    """The sum of what has come to all items of an array, as the cotangent of a value that was added to them."""
    return unbroadcast(window.copy(), value)


def what_came_at(window: Array, key: Any, value: Any) -> Any:
    """The same of items of it."""
    return unbroadcast(window[key], value)


# ---- stores


def add_number_to_window(window: Array, key: Any, d: Any) -> None:
    """The same of one item of an array."""
    window[key] += d


def take_cell(cells: Cells, key: Any, none: Any) -> Any:
    """Take the cotangent that has come to an item, of which nothing is left; `none` where nothing came."""
    return cells.pop(key, none)


def take_cells(cells: Cells, n: int, start: int = 0) -> list[Any]:
    """The same of so many items of a list, from a place on."""
    return [cells.pop(i, None) for i in range(start, start + n)]


def close_gap(cells: Cells, place: int, n: int) -> None:
    """Let items of a list of which one is taken out, `n` without it, move to their places before."""
    for i in range(place, n):
        if (d := cells.pop(i + 1, None)) is not None:
            cells[i] = d


def open_gap(cells: Cells, place: int, n: int) -> None:
    """Let them move to the places after, for one that is put in."""
    for i in reversed(range(place, n)):
        if (d := cells.pop(i, None)) is not None:
            cells[i + 1] = d


def put_back(cells: Cells, order: list[int] | dict[int, int]) -> None:
    """Let items that came from other places move there."""
    pairs = order.items() if isinstance(order, dict) else enumerate(order)
    found = [(j, cells.pop(i)) for i, j in pairs if i in cells]
    cells.update(found)


def take_part(cells: Cells, places: range, n: int) -> list[Any]:
    """Take the cotangents that have come to `n` items that were put where some places were, of which nothing is
    left."""
    start, more = places.start, n - len(places)
    if places.step != 1:
        return [cells.pop(i, None) for i in places]
    found = take_cells(cells, n, start)
    if more:
        cells.update([(i - more, cells.pop(i)) for i in [*cells] if i >= start])
    return found


def take_entries(cells: Cells) -> dict[Any, Any]:
    """The same of all items of a dict."""
    found = dict(cells)
    cells.clear()
    return found


def take_from_window(window: Array, key: Any, value: Any) -> Any:
    """Take the cotangent of the items of an array where a value was stored, of which nothing is left: as its
    cotangent."""
    if not names_once(key):
        return _taken_once(window, key, value)
    d = window[key]
    d = d.copy() if isinstance(d, np.ndarray) else d
    window[key] = 0.0
    return unbroadcast(d, value)


def _taken_once(window: Array, key: Any, value: Any) -> Any:
    """The same where one item may be named more than once: the last of the stores is what stays."""
    places = np.arange(window.size).reshape(window.shape)[key]
    named, last = np.unique(places.ravel()[::-1], return_index=True)
    d = np.zeros(places.size, window.dtype)
    flat = window[key].ravel()
    d[places.size - 1 - last] = flat[places.size - 1 - last]
    window[key] = 0.0
    return unbroadcast(d.reshape(places.shape), value)


def forget_window(window: Array, key: Any) -> None:
    """Let nothing have come to items of an array."""
    window[key] = 0.0


def take_whole(window: Array) -> Array:
    """Take the cotangent of all items of an array, of which nothing is left."""
    return take_from(window)


ADDING = (
    *(add_number_to_cell, add_number_to_window, add_to_cell, add_to_cells, add_to_window, add_to_whole),
    *(forget_window, close_gap, open_gap, put_back, bring_back, come_back),
)
"""The functions that are called for their effect on a shadow alone."""
TAKING = (take_cell, take_cells, take_part, take_entries, take_from_window, take_whole)
"""The functions that have one, and give something."""
