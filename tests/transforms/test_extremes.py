"""`max` and `min` of numbers of Python beside those of NumPy, as in tables that begin with zeros."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient

from .held_to_python import hold


def numbers() -> tuple[Any, ...]:
    return (np.array([0.31, 0.52, 0.93, 0.24, 0.75, 0.66]),)


def knapsack(x: Any) -> Any:
    weights = [1, 2, 3, 2, 1, 4]
    table = [[0.0] * 8 for _ in range(7)]
    for i in range(1, 7):
        for c in range(8):
            table[i][c] = table[i - 1][c]
            if weights[i - 1] <= c:
                table[i][c] = max(table[i][c], table[i - 1][c - weights[i - 1]] + x[i - 1] ** 2)
    c, taken = 7, []
    for i in range(6, 0, -1):
        if table[i][c] != table[i - 1][c]:
            taken.append(i - 1)
            c -= weights[i - 1]
    return table[6][7] + sum([x[i] for i in taken]) * 0.5


def clipped(x: Any) -> Any:
    inner = max(0.1, x[0]) * x[1] + min(x[2], 1) * x[3] + max(x[1], 0)
    return inner + min(0.2, x[1], 5) * max(x[1], 3, x[2])


def carried(x: Any) -> Any:
    best = 0.0
    for v in x:
        best = max(best, best * 0.5 + v)
    return best * best


def appended(x: Any) -> Any:
    xs = [0.0, 1.0]
    for v in x:
        xs.append(max(xs[-1], v * 2))
        xs.append(min(xs[-2], v))
    return sum([v * v for v in xs]) + max(xs) * min(xs)


@pytest.mark.parametrize("f", [knapsack, clipped, carried, appended], ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    hold(f, numbers)


def test_of_single_precision_and_integers() -> None:
    def narrow(x: Any) -> Any:
        return float(max(x[0], 0.25) * max(0.5, x[1]) + max(1, x[2]) * max(x[3], 2))

    def whole(x: Any, n: Any) -> Any:
        return max(x[0], n[1]) * min(n[0], x[1] * 3)

    x = numbers()[0]
    np.testing.assert_allclose(gradient(narrow, x.astype(np.float32))[0], [0.52, 0.31, 0, 0, 0, 0], rtol=1e-6)
    np.testing.assert_allclose(gradient(whole, x, np.array([1, 0]))[0], [1.0, 0, 0, 0, 0, 0])
    np.testing.assert_allclose(gradient(whole, x, np.array([2, 0]))[0], [1.56, 0.93, 0, 0, 0, 0])
