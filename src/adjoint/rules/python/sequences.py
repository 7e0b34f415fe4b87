"""Cotangents of lists from those of their items, and back, so that they can be differentiated again."""

from __future__ import annotations

import functools
from typing import Any

from ...tangents import (
    accumulate,
    cut_bar,
    folded,
    listed_bar,
    outline,
    reversed_bars,
    sequence_bar,
    shortened,
    sorted_beside,
    spread,
    tupled_bar,
    unsorted,
    within,
)
from ..registry import Back, rule


@rule(sequence_bar)
def sequence_bar_rule(sequence: Any, bars: list) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """The items turned round, and those that were not reached."""
    had = outline(bars)

    def sequence_bar_back(y_bar: Any) -> tuple[Any, ...]:
        return None, within(list(y_bar[: len(had)])[::-1], had)

    return sequence_bar(sequence, bars), sequence_bar_back


@rule(spread, linear="d | like")
def spread_rule(d: Any, like: Any) -> tuple[Any, Back]:
    """The sum of what has come for the items."""

    def spread_back(y_bar: Any) -> tuple[Any, ...]:
        return None if d is None else functools.reduce(accumulate, y_bar, None), None

    return spread(d, like), spread_back


@rule(reversed_bars, linear="d")
def reversed_bars_rule(d: Any, collected: Any) -> tuple[Any, Back]:
    """The items turned round."""
    flows, as_tuple = d is not None, isinstance(d, tuple)

    def reversed_bars_back(y_bar: Any) -> tuple[Any, ...]:
        if not flows:
            return None, None
        return tuple(y_bar[::-1]) if as_tuple else y_bar[::-1], None

    return reversed_bars(d, collected), reversed_bars_back


@rule(shortened, linear="d | n")
def shortened_rule(d: Any, n: int) -> tuple[Any, Back]:
    """Give nothing to what is cut off."""

    def shortened_back(y_bar: Any) -> tuple[Any, ...]:
        return y_bar, None

    return shortened(d, n), shortened_back


@rule(listed_bar, linear="d")
def listed_bar_rule(d: Any) -> tuple[Any, Back]:
    """Back into a tuple."""

    def listed_bar_back(y_bar: Any) -> tuple[Any, ...]:
        return (tupled_bar(y_bar),)

    return listed_bar(d), listed_bar_back


@rule(tupled_bar, linear="d")
def tupled_bar_rule(d: Any) -> tuple[Any, Back]:
    """Back into a list."""

    def tupled_bar_back(y_bar: Any) -> tuple[Any, ...]:
        return (listed_bar(y_bar),)

    return tupled_bar(d), tupled_bar_back


@rule(cut_bar, linear="d | start stop")
def cut_bar_rule(d: Any, start: int, stop: int) -> tuple[Any, Back]:
    """Into their places; all others get nothing."""

    def cut_bar_back(y_bar: Any) -> tuple[Any, ...]:
        return None if d is None else ((None,) * start + tuple(y_bar) + (None,) * (len(d) - stop)), None, None

    return cut_bar(d, start, stop), cut_bar_back


@rule(folded, linear="d | n")
def folded_rule(d: Any, n: int) -> tuple[Any, Back]:
    """To each repetition."""

    def folded_back(y_bar: Any) -> tuple[Any, ...]:
        return None if d is None else type(d)(y_bar) * (len(d) // n if n else 0), None

    return folded(d, n), folded_back


@rule(unsorted, linear="d | items")
def unsorted_rule(d: Any, items: list) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """The same permutation the other way round."""
    order = [*items]

    def unsorted_back(y_bar: Any) -> tuple[Any, ...]:
        return None if d is None else sorted_beside(y_bar, order), None

    return unsorted(d, items), unsorted_back


@rule(sorted_beside, linear="d | items")
def sorted_beside_rule(d: Any, items: list) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """The same permutation the other way round."""
    order = [*items]

    def sorted_beside_back(y_bar: Any) -> tuple[Any, ...]:
        return None if d is None else unsorted(y_bar, order), None

    return sorted_beside(d, items), sorted_beside_back
