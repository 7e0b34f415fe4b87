"""Stores into the rows of lists and dicts: followed where nobody else holds the row, else right or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import grad, withgradient


def filled_square(x: Any) -> Any:
    M = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            M[i][j] = x * i + j
    return M[1][2] * M[2][1]


def the_same_row_three_times(x: Any) -> Any:
    M = [[0.0] * 3] * 3
    M[0][0] = x
    return M[1][0] * x


def row_read_before(x: Any) -> Any:
    M = [[x, 1.0], [2.0, x]]
    r = M[0]
    M[0][0] = x * x
    return r[0] * M[0][0]


def changed_items(x: Any) -> Any:
    M = [[x, 1.0], [2.0, x]]
    M[0][0] *= x
    M[1][1] += M[0][0]
    return M[0][0] * M[1][1]


def rows_of_a_dict(x: Any) -> Any:
    d = {}
    d["a"] = [x, 2.0]
    d["b"] = [0.0, 0.0]
    d["b"][1] = d["a"][0] * x
    return d["b"][1] * d["a"][0]


def rows_in_another_list(x: Any) -> Any:
    M = [[0.0] * 2 for _ in range(2)]
    L = list(M)
    M[0][0] = x
    return L[0][0] * x


def row_with_a_name(x: Any) -> Any:
    row = [x, 1.0]
    M = [row, [1.0, 2.0]]
    M[0][0] = x * x
    return row[0] * x


def longest_common(x: Any) -> Any:
    a = [1.0, x]
    b = [2.0, x]
    n = 2
    dp = [[0.0] * (n + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            dp[i][j] = max(dp[i - 1][j], dp[i][j - 1], dp[i - 1][j - 1] + a[i - 1] * b[j - 1])
    return dp[n][n]


def rows_that_are_arrays(x: Any) -> Any:
    M = [np.zeros(2) for _ in range(2)]
    M[0][1] = x
    M[1][0] = M[0][1] * x
    return M[1][0] + M[0][1]


def rows_of_an_array(x: Any) -> Any:
    A = np.zeros((2, 2))
    A[0][1] = x
    A[1][0] = A[0][1] * x
    return A.sum() * x


def rows_in_a_loop(x: Any) -> Any:
    M = [[0.0] * 2 for _ in range(2)]
    for row in M:
        row[0] = x
    return M[0][0] * x


def rows_appended(x: Any) -> Any:
    M = []
    for _ in range(3):
        M.append([0.0] * 3)
    for i in range(3):
        M[i][i] = x ** (i + 1)
    return sum(M[i][i] for i in range(3)) * M[0][0]


def one_row_in_two_places(x: Any) -> Any:
    M = [[0.0] * 2 for _ in range(2)]
    M[0] = M[1]
    M[0][0] = x
    return M[1][0] * x


def row_by_a_function(x: Any) -> Any:
    M = [[0.0] * 2 for _ in range(2)]

    def get():
        return M[0]

    r = get()
    M[0][0] = x
    return r[0] * x


def square_with_two_names(x: Any) -> Any:
    M = [[0.0] * 2 for _ in range(2)]
    N = M
    M[0][0] = x
    return N[0][0] * x


def rows_in_step(x: Any) -> Any:
    M = [[0.0] * 2 for _ in range(2)]
    for a, _b in zip(M, M, strict=False):
        M[0][0] = x
        s = a[0]
    return s * x


def rows_collected(x: Any) -> Any:
    M = [[x] * 2 for _ in range(2)]
    t = [r for r in M]
    M[0][0] = x * x
    return t[0][0] * x


def row_summed(x: Any) -> Any:
    M = [[x] * 2 for _ in range(2)]
    s = sum(M[0])
    M[0][1] = s * x
    s += sum(M[0]) + len(M[1])
    return s


def squared(x: Any) -> Any:
    P = [[x * (i + j) for j in range(2)] for i in range(2)]
    for _k in range(2):
        Q = [[0.0] * 2 for _ in range(2)]
        for i in range(2):
            for j in range(2):
                for m in range(2):
                    Q[i][j] += P[i][m] * P[m][j]
        P = Q
    return P[0][0] + P[1][1]


def in_branches(x: Any) -> Any:
    M = [[x] * 2 for _ in range(2)]
    if x > 1:
        M[0][0] = x * x
    else:
        M[1][1] = x
    return M[0][0] * M[1][1]


def greatest_row(x: Any) -> Any:
    best = None
    M = [[x] * 2 for _ in range(2)]
    best = max(M)
    M[0][0] = 5 * x
    return best[0] * x


FOLLOWED: list[Any] = [
    filled_square,
    changed_items,
    rows_of_a_dict,
    longest_common,
    rows_that_are_arrays,
    rows_appended,
    row_summed,
    squared,
    in_branches,
]
HELD: list[Any] = [
    the_same_row_three_times,
    row_read_before,
    rows_in_another_list,
    row_with_a_name,
    rows_of_an_array,
    rows_in_a_loop,
    one_row_in_two_places,
    row_by_a_function,
    square_with_two_names,
    rows_in_step,
    rows_collected,
    greatest_row,
]


def check(f: Any) -> None:
    x, h = 1.3, 1e-4
    value, (d,) = withgradient(f, x)
    assert value == f(x)
    assert d == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6)
    assert grad(grad(f))(x) == pytest.approx((f(x + h) - 2 * f(x) + f(x - h)) / h**2, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("f", FOLLOWED)
def test_rows_that_nobody_else_holds(f: Any) -> None:
    check(f)


@pytest.mark.parametrize("f", HELD)
def test_rows_that_others_hold(f: Any) -> None:
    check(f)
