"""Rows as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .registry import rule


def unzip(rows: Sequence[Sequence[Any]], n: int) -> tuple[tuple[Any, ...], ...]:
    """Rows of `n` items as `n` columns: the values and the pullbacks of calls, or the cotangents that these give.

    Parameters
    ----------
    rows : a sequence of sequences of `n` items each.
    n : how many columns there are, of no rows too.

    Returns
    -------
    A tuple of `n` tuples.

    Raises
    ------
    ValueError
        If a row is shorter or longer.

    Examples
    --------
    >>> import math
    >>> from adjoint import pullback
    >>> from adjoint.rules import unzip
    >>> ys, backs = unzip([pullback(math.sqrt, x) for x in (1.0, 4.0)], 2)
    >>> ys
    (1.0, 2.0)
    >>> unzip([back(1.0) for back in backs], 2)
    ((None, None), (0.5, 0.25))
    >>> unzip([], 2)
    ((), ())
    """
    for row in rows:
        if len(row) != n:
            raise ValueError(f"a row has {len(row)} items, and not {n}")
    return tuple(zip(*rows, strict=True)) if len(rows) else ((),) * n


@rule(unzip)
def unzip_rule(rows: Any, n: int) -> Any:
    kinds, kind = [type(row) for row in rows], type(rows)

    def unzip_back(d: Any) -> Any:
        columns = [(None,) * len(kinds) if column is None else column for column in d]
        items = [[column[i] for column in columns] for i in range(len(kinds))]
        found = [row if of is list else tuple(row) for row, of in zip(items, kinds, strict=True)]
        return found if kind is list else tuple(found), None

    return unzip(rows, n), unzip_back
