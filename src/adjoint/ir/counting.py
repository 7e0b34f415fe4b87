"""Counters that others have as well."""

from __future__ import annotations

from typing import Any


def count_on(counter: Any) -> int:
    """`next(counter)` of an `itertools.count` of integers, which others have as well.

    >>> import itertools
    >>> ids = itertools.count(5)
    >>> count_on(ids), next(ids)
    (5, 6)
    """
    return next(counter)  # type: ignore[no-any-return]
