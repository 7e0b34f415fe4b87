"""`xs.remove(x)` of lists of numbers, of Python and of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .held_to_python import hold, hold_errors


def numbers() -> tuple[Any, ...]:
    return (np.array([0.31, 0.52, 0.93, 0.24, 0.75, 0.66]),)


def largest_first(x: Any) -> Any:
    xs, t = [v * 2 for v in x], 0.0
    while len(xs) > 1:
        largest = max(xs)
        xs.remove(largest)
        t = t * 0.5 + largest * xs[0]
    return t


def of_both_kinds(x: Any) -> Any:
    xs = [0.0, 1.0, x[0], 0.0, x[1]]
    xs.remove(0)
    xs.remove(x[0])
    xs.append(x[2])
    xs.remove(1)
    return sum([v * (i + 1) for i, v in enumerate(xs)])


def nearest_first(x: Any) -> Any:
    rest, t = list(x), 0.0
    at = rest.pop(0)
    while rest:
        near = min(rest, key=lambda v: abs(v - at))  # noqa: B023
        rest.remove(near)
        t += (near - at) ** 2 * len(rest)
        at = near
    return t


def by_another_name(x: Any) -> Any:
    xs, t = list(x), 0.0
    same = xs
    for k in range(3):
        same.remove(xs[k])
        t = t * 0.5 + xs[0] * same[-1]
    return t


@pytest.mark.parametrize("f", [largest_first, of_both_kinds, nearest_first, by_another_name], ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    hold(f, numbers)


def test_what_is_not_there() -> None:
    def removed(x: Any) -> Any:
        xs = list(x)
        xs.remove(x[0] * 100)
        return sum(xs)

    hold_errors(removed, numbers, ValueError)
