"""Slices of lists that a function lets grow and gives back, round by round, as windows of fixed length do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from .differences import check


def added(xs: Any, v: Any) -> Any:
    xs.append(v)
    return xs


def shorter_each_round(x: Any) -> Any:
    ys = [x, x * 2.0]
    for i in range(3):
        ys = added(ys[i:], x * i)
    return sum([v * (k + 1) for k, v in enumerate(ys)]) * len(ys) * ys[0]


def a_window(x: Any) -> Any:
    w = [x, 2.0 * x, 1.0, x * x]
    for _ in range(6):
        w = added(w[1:], (w[0] + w[-1]) * 0.5 * x)
    return sum(w) * w[2]


def without_the_last(x: Any) -> Any:
    ys = [x, x * 2.0, x * x]
    for i in range(4):
        ys = added(ys[:-1], ys[0] * x + i)
    return ys[0] * ys[1] + ys[2]


def backwards(x: Any) -> Any:
    ys = [x, x * 2.0, x * x]
    for _ in range(3):
        ys = added(ys[::-1], ys[0] * x)
    return sum([v * (k + 1) for k, v in enumerate(ys)]) * ys[0]


def and_the_first_again(x: Any) -> Any:
    ys = [x, x * 2.0, x * x]
    for i in range(3):
        ys = added(ys[2:], x) + ys[:i]
    return sum([v * (k + 1) for k, v in enumerate(ys)]) * ys[0]


@pytest.mark.parametrize(
    "f", [shorter_each_round, a_window, without_the_last, backwards, and_the_first_again], ids=lambda f: f.__name__
)
def test_of_numbers(f: Callable[..., Any]) -> None:
    check(f, 1.3, order=2)


def test_of_rows_and_of_entries() -> None:
    def rows(xs: Any) -> Any:
        for _ in range(2):
            xs = added(xs[1:], [v * 2.0 for v in xs[0]])
        return sum([sum(r) * (k + 1) for k, r in enumerate(xs)]) * xs[0][0]

    def entries(a: Any) -> Any:
        w, out = [v for v in a], []
        for _ in range(6):
            w = added(w[1:], w[0] * w[-1])
            out.append(sum(w))
        return sum(out)

    check(rows, [[1.0, 2.0], [3.0, 1.5], [0.5, 0.2]])
    check(entries, np.array([0.7, 1.1, 0.9]))
