"""Runs of equal keys, as `itertools.groupby` has them."""

from __future__ import annotations

from typing import Any


def runs_of(keys: list[Any]) -> list[tuple[int, int]]:
    """The places at which each run of equal keys begins and ends; a key is compared with the first of its run.

    >>> runs_of(["a", "a", "b", "a"]), runs_of([])
    ([(0, 2), (2, 3), (3, 4)], [])
    """
    found, start = [], 0
    for i, key in enumerate(keys):
        if i and not keys[start] == key:  # noqa: SIM201 - as Python compares them
            found.append((start, i))
            start = i
    return [*found, (start, len(keys))] if keys else []
