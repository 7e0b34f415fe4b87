"""What a comprehension collects may be changed in the next round; what a loop keeps of a call is kept in each round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, withgradient

from .differences import check


def collected_list(x: float) -> float:
    row = [0.0, 0.0]

    def put(i: int) -> list[float]:
        row[i] = x
        return row

    rows = [put(i) for i in range(2)]
    return rows[0][1]


def collected_dict(x: float) -> float:
    held: dict[int, float] = {}

    def put(k: int) -> dict[int, float]:
        held[k] = k * x
        return held

    found = {k: put(k) for k in range(3)}
    return found[0][2]


def collected_in_a_display(x: float) -> float:
    row = [x]
    rows = [(row.append(v * x), row)[1] for v in (1.0, 2.0)]
    return sum(rows[0])


def collected_by_append(x: float) -> float:
    row = [x]

    def more(v: float) -> list[float]:
        row.append(v * x)
        return row

    rows = [more(v) for v in (1.0, 2.0)]
    return sum(rows[0]) + sum(rows[1][:2])


class Moving:
    def __init__(self, x: float) -> None:
        self.p = np.array([x, 0.0])
        self.v = np.array([0.0, 1.0])
        self.row = [x, 1.0]

    def step(self) -> np.ndarray:
        self.v -= 0.1 * self.p
        self.p += 0.1 * self.v
        return self.p

    def shift(self, x: float) -> list[float]:
        self.row[0] = self.row[1] * x
        self.row[1] = self.row[0] + x
        return self.row


def collected_arrays(x: float) -> Any:
    m = Moving(x)
    return np.sum(np.array([m.step() for _ in range(5)]) ** 2)


def stacked_arrays(x: float) -> Any:
    m = Moving(x)
    return np.sum(np.stack([m.step() for _ in range(3)]) ** 2)


def unpacked_arrays(x: float) -> Any:
    m = Moving(x)
    a, b = [m.step() for _ in range(2)]
    return np.sum(a * b)


def rows_of_an_object(x: float) -> float:
    m = Moving(x)
    return sum([sum(r) for r in [m.shift(x) for _ in range(3)]])


def doubled(a: Any) -> Any:
    a *= 2.0
    return a


def summed_as_it_changes(a: Any) -> Any:
    return np.sum(sum(doubled(a) for _ in range(2)))


def summed_in_a_method(a: Any) -> Any:
    held = [a]

    def grow() -> Any:
        held[0] += a * 0.5
        return held[0]

    return np.sum(sum(grow() for _ in range(3)))


def quotients(x: float) -> float:
    y = 0.0
    for d in [1.0, 2.0, 4.0]:
        y = y + x / d + d / (x + d)
    return y


PROGRAMS = [
    *(collected_list, collected_dict, collected_in_a_display, collected_by_append),
    *(collected_arrays, stacked_arrays, unpacked_arrays, rows_of_an_object),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_who_is_collected_changes(f: Callable[[float], Any]) -> None:
    check(f, 0.7, order=2)


@pytest.mark.parametrize("make", [np.int64, np.int16, np.uint8, np.array, int, float, np.float64])
def test_quotients_of_whole_numbers(make: Any) -> None:
    y, (bar,) = withgradient(quotients, make(2))
    assert y == quotients(make(2))
    np.testing.assert_allclose(bar, gradient(quotients, 2.0)[0], rtol=1e-12)


@pytest.mark.parametrize("f", [summed_as_it_changes, summed_in_a_method], ids=lambda f: f.__name__)
def test_a_sum_takes_each_item_before_the_next_is_made(f: Callable[[Any], Any]) -> None:
    check(f, np.array([1.0, 2.0]), order=2)
