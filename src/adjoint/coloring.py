"""Greedy colouring: which lines of a matrix have no crossing line in common, so that one run serves them all."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def colors_of(lines: Array, crossing: Array, n: int, m: int) -> Array:
    """A greedy colouring of `n` lines such that those of one colour have no crossing line (of `m`) in common.

    In the order in which they lie, which is best for bands, and largest first; what takes fewer colours. (Coleman and
    Moré, 1983, section 4.)

    >>> colors_of(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 1, 2, 2, 3]), 3, 4)
    array([0, 1, 0])
    """
    order = np.argsort(lines, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(lines, minlength=n))])
    crossed = crossing[order].tolist()
    weight = np.bincount(lines, np.bincount(crossing, minlength=m)[crossing] - 1.0, minlength=n) if len(lines) else None
    if weight is None:
        return np.zeros(n, np.intp)
    found = [_greedy(range(n), starts.tolist(), crossed, m)]
    found.append(_greedy(np.argsort(-weight, kind="stable").tolist(), starts.tolist(), crossed, m))
    return min(found, key=lambda colors: int(colors.max()))


def _greedy(order: Any, starts: list[int], crossed: list[int], m: int) -> Array:
    """The colours of lines that are taken in this order; each takes the first that is free."""
    used, colors = [0] * m, np.zeros(len(starts) - 1, np.intp)
    for line in order:
        met = crossed[starts[line] : starts[line + 1]]
        taken = 0
        for i in met:
            taken |= used[i]
        color = colors[line] = lowest_free(taken)
        for i in met:
            used[i] |= 1 << color
    return colors


def colors_of_blocks(touched: list[Array], m: int) -> list[int] | None:
    """Colours for blocks such that those of one colour move different outputs; None for more than 64."""
    used, colors = np.zeros(m, np.uint64), []
    for outputs in touched:
        taken = int(np.bitwise_or.reduce(used[outputs]))
        color = lowest_free(taken)
        if color >= 64:
            return None
        used[outputs] |= np.uint64(1 << color)
        colors.append(color)
    return colors


def lowest_free(taken: int) -> int:
    """The first of the colours 0, 1, ... whose bit is not set.

    >>> lowest_free(0), lowest_free(0b1011)
    (0, 2)
    """
    return (~taken & (taken + 1)).bit_length() - 1
