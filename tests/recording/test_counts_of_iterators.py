"""Counts that functions of itertools are given are asked for a whole number as often as Python asks: once."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import value_and_grad

FUNCTIONS: dict[str, Callable[[list[Any], Any], Any]] = {
    "islice": lambda xs, n: sum(itertools.islice(xs, n)),
    "islice from": lambda xs, n: sum(itertools.islice(xs, n, None)),
    "repeat": lambda xs, n: sum(itertools.repeat(xs[1], n)),
    "repeat by name": lambda xs, n: sum(itertools.repeat(xs[1], times=n)),
    "combinations": lambda xs, n: sum([sum(c) for c in itertools.combinations(xs, n)]),
    "with replacement": lambda xs, n: sum([sum(c) for c in itertools.combinations_with_replacement(xs, n)]),
    "product": lambda xs, n: sum([sum(c) for c in itertools.product(xs, repeat=n)]),
}


class Count:
    """A whole number that keeps how often it was asked, and of what."""

    def __init__(self, x):
        self.x = x
        self.seen = 0.0

    def __index__(self):
        self.seen = self.seen + self.x
        return 2


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_count_is_asked_once(name: str) -> None:
    take = FUNCTIONS[name]

    def f(x: float) -> float:
        n = Count(x)
        return take([1.0, x, x * x], n) * x + 3.0 * n.seen

    x, h = 1.5, 1e-6
    for _ in range(2):
        value, slope = value_and_grad(f)(x)
        assert value == f(x)
        assert slope == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6)
