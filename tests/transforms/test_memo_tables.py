"""Recursions that remember their results in a dict of the call, and read tables that are global or captured."""

from __future__ import annotations

import math
from typing import Any

import pytest
from transforms.held_to_python import hold, hold_errors

from adjoint import gradient

COSTS = [[abs(math.sin(i * 3 + j)) + 0.1 for j in range(5)] for i in range(5)]
WEIGHTS: dict[str, list[float]] = {"a": [0.5, 1.5], "b": [0.7, 0.2]}


def of_a_global_table(x: Any) -> Any:
    memo: dict[Any, Any] = {}

    def best(i: int, j: int) -> Any:
        if i == 0 and j == 0:
            return x
        if (i, j) in memo:
            return memo[i, j]
        found = 1e9
        if i:
            found = min(found, best(i - 1, j))
        if j:
            found = min(found, best(i, j - 1))
        memo[i, j] = found + COSTS[i][j] * x
        return memo[i, j]

    return best(4, 4)


def of_candidates(x: Any) -> Any:
    costs = [[c * x for c in row] for row in COSTS]
    memo: dict[Any, Any] = {}

    def best(i: int, j: int) -> Any:
        if i == 0 and j == 0:
            return costs[0][0]
        if (i, j) in memo:
            return memo[i, j]
        found = []
        if i:
            found.append(best(i - 1, j))
        if j:
            found.append(best(i, j - 1))
        memo[i, j] = min(found) + costs[i][j] * max(found)
        return memo[i, j]

    return best(4, 4)


def of_lists_in_a_dict(x: Any) -> Any:
    memo: dict[Any, Any] = {}

    def value(name: str, k: int) -> Any:
        if k == 0:
            return x
        if (name, k) not in memo:
            other = "b" if name == "a" else "a"
            memo[name, k] = value(name, k - 1) * WEIGHTS[name][0] + math.sin(value(other, k - 1)) * WEIGHTS[name][1]
        return memo[name, k]

    return value("a", 4) * value("b", 4)


def that_is_changed(x: Any) -> Any:
    counts = [0.0] * 5
    memo: dict[int, Any] = {}

    def value(k: int) -> Any:
        counts[k] += x
        if k < 2:
            return x * k
        if k in memo:
            return memo[k]
        memo[k] = value(k - 1) + value(k - 2) * COSTS[k % 5][1]
        return memo[k]

    return value(4) * sum(c * c for c in counts)


@pytest.mark.parametrize("f", [of_a_global_table, of_candidates, of_lists_in_a_dict, that_is_changed])
def test_memo_tables_are_followed(f: Any) -> None:
    hold(f, lambda: (0.73,))


def test_a_table_that_is_bound_anew_counts() -> None:
    before = COSTS[:]
    try:
        hold(of_a_global_table, lambda: (0.73,))
        COSTS[:] = [[2.0 * c + 0.1 * i for i, c in enumerate(row)] for row in before]
        hold(of_a_global_table, lambda: (0.73,))
        globals()["COSTS"] = [[3.0 for _ in row] for row in before]
        hold(of_a_global_table, lambda: (0.73,))
    finally:
        globals()["COSTS"] = before


STORED = [[1.0, 2.0], [3.0, 4.0]]


def that_stores(x: Any) -> Any:
    memo: dict[int, Any] = {}

    def value(k: int) -> Any:
        if k == 0:
            return x
        if k not in memo:
            STORED[k % 2][0] += x
            memo[k] = value(k - 1) * STORED[k % 2][0]
        return memo[k]

    return value(4)


def test_a_global_table_that_is_stored_into_is_left_as_in_python() -> None:
    def make() -> tuple[Any, ...]:
        STORED[:] = [[1.0, 2.0], [3.0, 4.0]]
        return (0.73,)

    args = make()
    that_stores(*args)
    left = [row[:] for row in STORED]
    for _ in range(3):
        found = gradient(that_stores, *make())[0]
        assert left == STORED
        sides = [that_stores(0.73 + make()[0] * 0.0 + h) for h in (1e-6, -1e-6)]
        assert found == pytest.approx((sides[0] - sides[1]) / 2e-6)


def test_an_empty_list_of_candidates_raises() -> None:
    def f(x: Any) -> Any:
        memo: dict[int, Any] = {}

        def best(k: int) -> Any:
            found: list[Any] = []
            if k > 2:
                found.append(best(k - 1))
            memo[k] = min(found) * x
            return memo[k]

        return best(4)

    hold_errors(f, lambda: (0.7,), ValueError)


def test_an_empty_list_of_candidates_may_be_caught() -> None:
    def f(x: Any, n: int) -> Any:
        found: list[Any] = []
        try:
            y = max(found)
        except ValueError:
            y = x * 3.0
        for i in range(n):
            found.append(x * i)
        return y * max(found)

    hold(f, lambda: (0.7, 3))
