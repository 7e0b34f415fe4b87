"""Tuples with others in some places."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def subvals(x: Iterable[Any], ivs: Iterable[tuple[int, Any]]) -> tuple[Any, ...]:
    """A tuple of the items of `x`, with others at some places.

    >>> subvals([1, 2, 3], [(0, 9)])
    (9, 2, 3)
    """
    items = list(x)
    for i, value in ivs:
        items[i] = value
    return tuple(items)


def subval(x: Iterable[Any], i: int, v: Any) -> tuple[Any, ...]:
    """The same, of one place.

    >>> subval([1, 2, 3], 2, 9)
    (1, 2, 9)
    """
    return subvals(x, [(i, v)])
