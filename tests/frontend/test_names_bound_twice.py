"""Comprehensions that bind one name in two of their loops: the inner one hides the outer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from regressions.differences import check, right_or_refused

SHADOWED: list[Callable[[float], float]] = [
    lambda x: sum(u for u in [[x, 2 * x * x]] for u in u),
    lambda x: sum([u * u for u in [[x, 2 * x], [3 * x]] for u in u]),
    lambda x: [u for u in [[x, x * x]] for u in u][1],
    lambda x: sum(u for u in [[[x, 2 * x * x]]] for u in u for u in u),
    lambda x: sum(r for (r,) in [[x], [x * x]] for r in (r, r * r)),
    lambda x: sum([u for u in [[x, -x], [x * x]] if len(u) for u in u if u > 0]),
    lambda x: sum([u * v for u, v in [([x, 2.0], x), ([x * x], 3.0)] for u in u]),
    lambda x: sum([u() for u in [[x, 2.0]] for u in [lambda w=w: w * x for w in u]]),
    lambda x: sum({i: u for i, u in enumerate([[x], [x * x]]) for u in u}.values()),
    lambda x: sum([(lambda: u * x)() for u in [[x, 2.0], [x * x]] for u in u]),
]


@pytest.mark.parametrize("i", range(len(SHADOWED)))
def test_the_inner_loop_hides_the_outer(i: int) -> None:
    check(SHADOWED[i], 1.3, order=2)


@pytest.mark.parametrize("i", range(len(SHADOWED)))
def test_the_same_recorded(i: int) -> None:
    def f(x: float) -> float:
        found = []
        try:
            found.append(SHADOWED[i](x))
        except* KeyError:
            found.append(0.0)
        return found[0]

    check(f, 1.3, order=2)


def within(x: float) -> float:
    found = []
    try:
        found.append(sum([u * x for u in [[x, 2.0], [x * x]] for u in u if u > 0.0]))
        found.append([u for u in [[x * x, x]] for u in u][0])
    except* KeyError:
        found.append(0.0)
    return found[0] * found[1]


def test_a_recorded_comprehension() -> None:
    check(within, 1.3, order=2)


def test_a_target_that_reads_the_name() -> None:
    def f(x: float) -> float:
        d = {0: 0.0, 1: 0.0, 2: 0.0}
        ys = [u * x for u in [[(0, 1), (1, 2)]] for u, d[u] in u]
        return sum(ys) + sum(d.values()) * x

    def late(x: float) -> float:
        d = {0: 0.0, 1: 0.0, 5: x}
        ys = [u * x for u in [0] for d[u], u in [(x, 1), (x * x, 5)]]
        return sum(ys) + d[0] * 2.0 + d[1] * 3.0

    right_or_refused(f, 1.3)
    right_or_refused(late, 1.3)
