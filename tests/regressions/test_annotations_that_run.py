"""Inner functions that store into what they hold, and whose annotations are evaluated where they are made: there is no
`from __future__ import annotations` here."""

from collections.abc import Callable
from typing import Any

import pytest

from adjoint.derivatives.choice import was_recorded

from .differences import check


def remembered(x: float) -> float:
    memo: dict[tuple[int, int], float] = {}

    def cost(i: int, j: int, by: dict[str, float] | None = None) -> float:
        if i == 0 or j == 0:
            return x
        if (i, j) not in memo:
            memo[i, j] = cost(i - 1, j) * x + cost(i, j - 1)
        return memo[i, j]

    return cost(3, 3)


def kept(xs: list[float]) -> float:
    def add(x: float, acc: list[float] = []) -> float:  # noqa: B006
        acc.append(x * x)
        return sum(acc)

    return sum([add(x) for x in xs])


def handed_on(x: float) -> float:
    seen: list[float] = []

    def add(v: float) -> float:
        seen.append(v * x)
        return sum(seen)

    def twice(f: Callable[[float], float], v: float, n: int) -> float:
        return f(v) if n == 0 else f(v) * twice(f, v + x, n - 1)

    return twice(add, x, 2)


@pytest.mark.parametrize(("f", "args"), [(remembered, (0.7,)), (kept, ([0.3, 0.5],)), (handed_on, (0.7,))])
def test_functions_whose_annotations_run(f: Any, args: Any) -> None:
    for _ in range(3):
        check(f, *args)
    assert not was_recorded(f), "it was recorded"
