"""Slices of rows of lists of lists, loops that read a list twice, and classes of numbers that `isinstance` asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import check_everywhere, slope

from adjoint import gradient, jacobian, jvp, withgradient
from adjoint.inspect import code_adjoint
from adjoint.tangents.sweep import thread

ROWS = [[0.7, 1.3, -0.4], [1.1, 0.2, 0.9]]
OF_ROWS: list[Callable[[Any], Any]] = []
OF_NUMBERS: list[Callable[[float], Any]] = []


def of_rows(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    OF_ROWS.append(f)
    return f


def of_numbers(f: Callable[[float], Any]) -> Callable[[float], Any]:
    OF_NUMBERS.append(f)
    return f


@of_rows
def a_slice_and_an_item(r):
    return sum(r[0][1:]) * r[0][1] + r[0][1]


@of_rows
def a_row_that_is_copied(r):
    w = r[0][:]
    w[0] = w[1] * w[0]
    return w[0] + r[0][0] * r[0][1]


@of_rows
def products_of_slices(r):
    return sum(a * b for a, b in zip(r[0][:2], r[1][1:], strict=True)) * r[1][2]


@of_rows
def in_a_loop(r):
    s = 0.0
    for i in range(2):
        s += sum(r[i][:i]) * r[i][i] + max(r[i][i:])
    return s


@of_rows
def backwards(r):
    return sum(a * (i + 1) for i, a in enumerate(r[1][::-1])) * r[1][-1]


@of_rows
def a_row_put_in_place_of_another(r):
    t = [[*row] for row in r]
    t[1] = t[0][:]
    t[1][2] = t[0][1] * t[1][0]
    return t[1][2] * t[0][2] + t[1][1]


@of_rows
def loops_one_after_the_other(r):
    s = 0.0
    for _ in range(3):
        for v in r[0]:
            s = s + v * v * 0.1
        for v in r[0]:
            s = s + v * v * 0.1
    return s


@of_rows
def loops_in_a_branch(r):
    b, s = [r[0][0], 1.0], 0.0
    for j in range(3):
        if j:
            for v in b:
                s = s + v * v * 0.1
            for v in b:
                s = s + v * 0.1
            for v in b:
                s = s * 0.9 + v
    return s


@of_numbers
def one_of_numpys(x):
    y = np.sin(x)
    return y * 2 if isinstance(y, np.floating) else y * 3


@of_numbers
def one_of_numpys_or_an_array(x):
    y = np.maximum(x, 0.0)
    if not isinstance(y, (np.generic, np.ndarray)):
        y = np.array([y, y, y])
    return np.sum(y)


@of_numbers
def a_sum_of_numpys(x):
    y = sum([np.exp(x), np.exp(-x)])
    return y * 2 if isinstance(y, np.float64) else y * 3


@of_numbers
def a_pattern(x):
    match max(np.sin(x), 0.1):
        case np.floating() as y:
            return y * 2
        case y:
            return y * 3


@of_numbers
def one_of_pythons(x):
    y = x * 2
    return y * 3 if isinstance(y, np.generic) else y if isinstance(y, float) else x


def differences(f: Callable[[Any], Any], h: float = 1e-6) -> list[list[float]]:
    def moved(i: int, j: int, d: float) -> Any:
        return f([[v + d * ((i, j) == (k, n)) for n, v in enumerate(row)] for k, row in enumerate(ROWS)])

    return [[(moved(i, j, h) - moved(i, j, -h)) / (2 * h) for j in range(3)] for i in range(2)]


@pytest.mark.parametrize("f", OF_ROWS, ids=lambda f: f.__name__)
def test_rows(f: Any) -> None:
    right = differences(f)
    for _ in range(3):
        value, (found,) = withgradient(f, ROWS)
        assert value == f(ROWS)
        assert np.array(found) == pytest.approx(np.array(right), rel=1e-6, abs=1e-7)
    along = jvp(f, (ROWS,), ([[1.0, -1.0, 0.5], [2.0, 0.3, 0.1]],))
    along = along[1] if isinstance(along, tuple) else along
    assert along == pytest.approx(np.sum(np.array(right) * [[1.0, -1.0, 0.5], [2.0, 0.3, 0.1]]), rel=1e-6)


@pytest.mark.parametrize("f", OF_NUMBERS, ids=lambda f: f.__name__)
def test_classes_of_numbers(f: Any) -> None:
    check_everywhere(f, 0.5)


def test_forward_mode_first() -> None:
    def f(x: float, y: float) -> float:
        d = [[0.0] * 3 for _ in range(2)]
        for i in range(3):
            d[0][i] = x * i * y
        return d[0][2]

    assert jvp(f, (0.5, 2.0), (1.0, 0.0))[1] == 4.0
    assert [float(v) for v in jacobian(f, 0.5, 2.0)] == [4.0, 1.0]
    assert gradient(f, 0.5, 2.0) == (4.0, 1.0)
    assert "recorded" not in code_adjoint(f, 0.5, 2.0)


def test_a_run_leaves_no_links() -> None:
    def fold(t: Any) -> Any:
        return fold(t[0]) * fold(t[1]) if isinstance(t, tuple) else t * t

    def f(x: float) -> Any:
        return fold(((x, 2.0), (x, x)))

    for _ in range(3):
        assert gradient(f, 0.7)[0] == pytest.approx(slope(f, 0.7))
    assert not thread.state.links
