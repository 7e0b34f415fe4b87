"""Counters: `itertools.count` as an object whose place is a field, and one that others have as well."""

from __future__ import annotations

from typing import Any

from .named import Names


class Count(Names):
    """A counter as `itertools.count` gives it, whose place is memory that others may have.

    >>> c = Count(3, 2)
    >>> next(c), next(c), c
    (3, 5, count(7, 2))
    """

    __touched__ = {"at", "step"}  # noqa: RUF012

    def __init__(self, start: Any = 0, step: Any = 1) -> None:
        self.at, self.step = start, step

    def __iter__(self) -> Count:
        return self

    def __next__(self) -> Any:
        at = self.at
        self.at = at + self.step
        return at

    def __repr__(self) -> str:
        return f"count({self.at!r})" if self.step == 1 else f"count({self.at!r}, {self.step!r})"


def count_on(counter: Any) -> int:
    """`next(counter)` of an `itertools.count` of integers, which others have as well.

    >>> import itertools
    >>> ids = itertools.count(5)
    >>> count_on(ids), next(ids)
    (5, 6)
    """
    return next(counter)  # type: ignore[no-any-return]
