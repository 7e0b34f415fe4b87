"""Lists of lists of numbers as arguments: rows that are unpacked, columns by `zip(*rows)`, what is handed back."""

from __future__ import annotations

import math
from typing import Any

import pytest

from adjoint import grad, gradient, jvp
from adjoint.derivatives.choice import is_structured_call

from ..regressions.differences import check

ROWS = [[0.3, 1.2], [0.7, -0.4], [1.1, 0.9]]


def unpacked(rows):
    s = 0.0
    for x, y in rows:
        s += x * y * y
    return s


def neighbours(rows):
    s = 0.0
    for (x0, y0), (x1, y1) in zip(rows, rows[1:], strict=False):
        s += math.hypot(x1 - x0, y1 - y0)
    return s


def one_row_again(rows):
    (a, b), c = rows[0], rows[0]
    c0, _ = c
    return a * b * c0


def columns(rows):
    t = [list(c) for c in zip(*rows, strict=False)]
    total = []
    for i in range(len(t)):
        total.append(sum(a * b for a, b in zip(t[i], t[0], strict=False)))
    return sum(total) + t[1][2] * t[0][0]


def product(rows):
    c = [[sum(a * b for a, b in zip(r, s, strict=False)) for s in rows] for r in rows]
    return c[0][1] * c[2][2] + sum(map(sum, c))


def into_own_rows(rows):
    out = []
    for x, y in rows:
        out.append([x * y, y])
    for i, (x, y) in enumerate(out):
        out[i][0] = x + y * i
    return sum(a * b for a, b in out)


def given_back(rows):
    return [[2.0 * x, y] for x, y in rows]


@pytest.mark.parametrize("f", [unpacked, neighbours, one_row_again, columns, product, into_own_rows, given_back])
def test_lists_of_lists(f: Any) -> None:
    for _ in range(2):
        check(f, ROWS, order=2)
    if f is not given_back:
        ones = [[1.0, 1.0] for _ in ROWS]
        slopes = gradient(f, ROWS)[0]
        assert jvp(f, (ROWS,), (ones,))[1] == pytest.approx(sum(map(sum, slopes)), rel=1e-9)
    if f is not into_own_rows:
        assert is_structured_call(f, (ROWS,))


def test_rows_of_other_lengths() -> None:
    for _ in range(2):
        grad(unpacked)(ROWS)
        with pytest.raises(ValueError, match="too many values to unpack"):
            grad(unpacked)([[1.0, 2.0], [1.0, 2.0, 3.0]])
        with pytest.raises(ValueError, match="not enough values to unpack"):
            grad(unpacked)([[1.0, 2.0], [1.0]])
        with pytest.raises(ValueError, match="not enough values to unpack"):
            grad(unpacked)([[1.0, 2.0], []])
    assert grad(unpacked)([]) == []
    assert grad(unpacked)([[1, 2.0], [3.0, 4]]) == grad(unpacked)([[1.0, 2.0], [3.0, 4.0]])


def test_what_is_handed_over_is_its_own() -> None:
    row = [1.0, 2.0]
    bars = grad(lambda rows: sum(x * y for x, y in rows))([row, row])
    assert bars[0] is not bars[1]
    assert bars == [[2.0, 1.0], [2.0, 1.0]]
    bars = grad(lambda rows: 3.0 * sum(map(sum, rows)))(ROWS)
    bars[0][0] = 7.0
    assert grad(lambda rows: 3.0 * sum(map(sum, rows)))(ROWS) == [[3.0, 3.0]] * 3
