"""Linear maps applied to all unit vectors of a part, several at a time: the rows and columns of Jacobians."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..rules.registry import Back
from ..runtime.dispatch import call_pullback
from ..runtime.targets import special
from ..tangents import densify, zeros_like
from ..tangents.blocks import parts, unit, units
from ..tangents.lane_runs import in_lanes, largest_of, unlaned
from ..tangents.static import are_known
from ..tangents.sweep import in_sweep
from ..tangents.unknown import check_known
from .slots import placed

Array = np.ndarray[Any, Any]

FIRST, MOST = 4, 64
"""The numbers of seeds that are taken at once at first, and at most."""

FEW = 5
"""So few are taken one after the other: their runs are quicker than one with lanes."""

CACHED = 2**16
"""The number of numbers that an array should have at most for several seeds: more of them are quicker one after the
other."""


def stacked_columns(push: Any, of_y: Any, of_xs: Any, part: int, n: int, places: tuple[int, ...]) -> list[Array]:
    """The tangents of the result for each number of one part of the arguments, for each of its parts one array.

    `push` takes the tangents of `n` arguments; `of_xs` are zeros of those at `places`.
    """
    if np.size(parts(of_xs)[part]) <= FEW:
        return columns_in_turn(push, of_y, of_xs, part, n, places)
    return stacked(
        lambda d, k: push(*placed(d, n, places)), np.size(parts(of_xs)[part]), lambda *at: units(of_xs, part, *at)
    )


def stacked_rows(back: Any, of_y: Any, part: int, xs: tuple[Any, ...], places: tuple[int, ...]) -> list[Array]:
    """The cotangents of the arguments at `places`, which are `xs`, for each number of one part of the result."""
    if np.size(parts(of_y)[part]) <= FEW:
        return rows_in_turn(back, of_y, part, xs, places)

    return stacked(_several_rows(back, xs, places), np.size(parts(of_y)[part]), lambda *at: units(of_y, part, *at))


def stacked_diagonal(back: Any, of_y: Any, part: int, xs: tuple[Any, ...], places: tuple[int, ...]) -> Array:
    """The diagonal of the square block of one part of the result by the same part of the arguments, in one row."""
    if np.size(parts(of_y)[part]) <= FEW:
        return diagonal_in_turn(back, of_y, part, xs, places)

    def on_diagonal(items: Any, start: int) -> list[Array]:
        block = parts(items)[part]
        return [np.diagonal(block.reshape(len(block), -1), start).copy()]

    return stacked(
        _several_rows(back, xs, places), np.size(parts(of_y)[part]), lambda *at: units(of_y, part, *at), on_diagonal
    )[0]


def _several_rows(back: Any, xs: tuple[Any, ...], places: tuple[int, ...]) -> Callable[[Any, int], Any]:
    """Several cotangents of the result, in lanes, to those of the arguments."""
    return lambda d, k: unlaned(bars_of(in_lanes(in_sweep, back, d), xs, places), k)


def stacked(
    apply: Callable[[Any, int], Any],
    n: int,
    seeds: Callable[[int, int], Any],
    kept: Callable[[Any, int], list[Array]] = lambda items, start: parts(items),
) -> list[Array]:
    """The results of `apply` for `n` seeds, stacked: each part of it, or what is `kept` of some, given the first
    one."""
    found, start, width = [], 0, FIRST
    while start < n:
        stop = min(start + width, n)
        items, largest = largest_of(apply, seeds(start, stop), stop - start)
        found.append(kept(items, start))
        width = min(max(CACHED * (stop - start) // max(largest, 1), 1), MOST)
        start = stop
    return [np.concatenate([items[i] for items in found]) for i in range(len(found[0]))]


# ---- what is differentiated: one after the other


def columns_in_turn(push: Any, of_y: Any, of_xs: Any, part: int, n: int, places: tuple[int, ...]) -> list[Array]:
    """`stacked_columns`, one run each."""
    size = np.size(parts(of_xs)[part])
    if size == 0:
        return [np.zeros((0, *np.shape(part))) for part in parts(of_y)]
    columns = [parts(densify(push(*placed(unit(of_xs, part, k), n, places)), of_y)) for k in range(size)]
    return [np.array([column[a] for column in columns]) for a in range(len(columns[0]))]


def rows_in_turn(back: Any, of_y: Any, part: int, xs: tuple[Any, ...], places: tuple[int, ...]) -> list[Array]:
    """`stacked_rows`, one run each."""
    size = np.size(parts(of_y)[part])
    if size == 0:
        return [np.zeros((0, *np.shape(x))) for x in parts(densify(None, xs))]
    rows = [parts(bars_of(in_sweep(back, unit(of_y, part, k)), xs, places)) for k in range(size)]
    return [np.array([row[b] for row in rows]) for b in range(len(rows[0]))]


def diagonal_in_turn(back: Any, of_y: Any, part: int, xs: tuple[Any, ...], places: tuple[int, ...]) -> Array:
    """`stacked_diagonal`, one run each."""
    size = np.size(parts(of_y)[part])
    rows = [parts(bars_of(in_sweep(back, unit(of_y, part, k)), xs, places))[part] for k in range(size)]
    return np.array([np.ravel(row)[k] for k, row in enumerate(rows)])


def bars_of(bars: Any, xs: tuple[Any, ...], places: tuple[int, ...]) -> tuple[Any, ...]:
    """The cotangents of the arguments `xs` at these places, complete; the function has the first slot."""
    for i, x in zip(places, xs, strict=True):
        check_known(bars[1 + i], x)
    dense = tuple([densify(bars[1 + i], x) for i, x in zip(places, xs, strict=True)])
    return densify(dense, zeros_like(xs)) if are_known() else dense  # without what flows to static fields


@special(stacked_columns)
def stacked_columns_rule(own: Any, /, *args: Any) -> tuple[Any, Back]:
    """The derivative of columns is that of single ones."""
    return call_pullback(columns_in_turn, *args)


@special(stacked_rows)
def stacked_rows_rule(own: Any, /, *args: Any) -> tuple[Any, Back]:
    """The derivative of rows is that of single ones."""
    return call_pullback(rows_in_turn, *args)


@special(stacked_diagonal)
def stacked_diagonal_rule(own: Any, /, *args: Any) -> tuple[Any, Back]:
    """The derivative of a diagonal is that of its numbers."""
    return call_pullback(diagonal_in_turn, *args)
