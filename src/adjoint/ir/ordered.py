"""Heaps of items of which only the run shows what they are: they are compared as long as plain values decide."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import MutationError, calling_place
from . import heaps

_PLAIN = frozenset([float, int, bool, complex, str, bytes, tuple, type(None)])


class _Item:
    """An item that is compared so: Python may run code of the user's to compare others, and the place of an item is
    asked for twice."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: _Item) -> bool:
        return is_below(self.value, other.value)


class _Items:
    """A list that is read as such items."""

    __slots__ = ("items",)

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, i: int) -> _Item:
        return _Item(self.items[i])


def is_below(a: Any, b: Any) -> bool:
    """`a < b` of plain values, and of tuples up to where they differ.

    >>> is_below((1.0, 2, ...), (1.0, 3, ...)), is_below((1.0,), (1.0, 2))
    (True, True)
    """
    while type(a) is tuple and type(b) is tuple:
        for x, y in zip(a, b, strict=False):
            if x is not y and not _is_equal(x, y):
                a, b = x, y
                break
        else:
            return len(a) < len(b)
    _check_plain(a, b)
    return bool(a < b)


def _is_equal(a: Any, b: Any) -> bool:
    if type(a) is tuple and type(b) is tuple:
        return all(x is y or _is_equal(x, y) for x, y in zip(a, b, strict=False)) and len(a) == len(b)
    _check_plain(a, b)
    return bool(a == b)


def _check_plain(*values: Any) -> None:
    for x in values:
        if type(x) not in _PLAIN and not isinstance(x, np.generic):
            raise MutationError(
                f"a heap compares objects of `{type(x).__qualname__}`",
                "the order of its items is asked for twice, and the class may do more than compare",
                "put a number in front that tells the items apart",
                calling_place(),
            )


def place_of_push(heap: list[Any], item: Any) -> int:
    """The place that `heappush` gives an item."""
    return heaps.place_of_push(_Items(heap), _Item(item))  # type: ignore[arg-type]


def place_of_pop(heap: list[Any]) -> int:
    """The place to which `heappop` moves the last item."""
    return heaps.place_of_pop(_Items(heap))  # type: ignore[arg-type]


def order_of_heapify(heap: list[Any]) -> list[int]:
    """The places from which the items come that `heapify` leaves at each place."""
    return heaps.order_of_heapify(_Items(heap))  # type: ignore[arg-type]


ASKING = (place_of_push, place_of_pop, order_of_heapify)
"""The functions that refuse a run on its way."""
