"""Copies of objects and of nested containers, by `copy.copy` and `copy.deepcopy`, which are stored into afterwards."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest

from adjoint import grad, jvp, pullback
from adjoint.derivatives.choice import is_to_be_recorded
from adjoint.transforms import structural

from .test_changed_arguments import differences, flat, same


class Body:
    def __init__(self, x: Any, v: Any) -> None:
        self.x = x
        self.v = v


class Slotted:
    __slots__ = ("v", "x")

    def __init__(self, x: Any, v: Any) -> None:
        self.x = x
        self.v = v


class Arrays(Body):
    pass


class Counting:
    """A class with a copy of its own."""

    def __init__(self, x: Any, n: int = 0) -> None:
        self.x = x
        self.n = n

    def __deepcopy__(self, memo: Any) -> Counting:
        return Counting(copy.deepcopy(self.x, memo), self.n + 1)


def parameters(p: Any, x: float) -> Any:
    q = copy.deepcopy(p)
    for k in q:
        for i in range(len(q[k])):
            q[k][i] -= x * p[k][i] ** 2
    return sum([v * v for r in q.values() for v in r]) * p["w"][0]


def rows(p: Any, x: float) -> Any:
    old = copy.deepcopy(p)
    for i in range(2):
        for j in range(2):
            p[i][j] = old[1 - i][j] * x + old[i][j]
    return sum([v * v for r in p for v in r]) + old[0][1]


def each_round(p: Any, x: float) -> Any:
    best, total = copy.deepcopy(p), 0.0
    for i in range(3):
        trial = copy.deepcopy(best)
        trial[0][i % 2] *= x + i
        trial[1][0] += trial[0][0]
        if trial[1][0] > 0.5:
            best = trial
        total += best[1][0] * trial[0][1]
    return total + p[0][0] * best[0][0]


def shallow_object(b: Any, x: float) -> Any:
    c = copy.copy(b)
    c.v = x * b.v
    b.x *= c.v
    return b.x * c.x + b.v * c.v


def shallow_with_a_list(b: Any, x: float) -> Any:
    c = copy.copy(b)
    c.v = x * b.v
    c.x[0] *= c.v
    b.x[1] += x**2
    return b.x[0] * c.x[1] + b.v * c.v


def deep_object(b: Any, x: float) -> Any:
    c = copy.deepcopy(b)
    c.x[0] *= x
    b.x[1] += c.x[0] * b.x[0]
    return float(b.x[1] * c.x[1] * c.x[0] * b.v)


def deep_arrays(b: Any, x: float) -> Any:
    c = copy.deepcopy(b)
    c.x *= x
    b.x[1:] += c.x[0] * b.x[0]
    b.x = b.x * b.v
    return float((b.x * c.x).sum() * c.x[1])


def shallow_dict(p: Any, x: float) -> Any:
    q = copy.copy(p)
    q["b"] *= x
    q["w"][0] = q["b"] ** 2
    w = copy.copy(q["w"])
    w[1] = x
    return p["w"][0] * p["w"][1] + p["b"] * w[1] * w[0]


def shared_within(x: float, y: float) -> Any:
    line = [x, y]
    p = copy.deepcopy([line, line, line[:]])
    p[0][0] *= y
    line[1] *= 3.0
    return p[1][0] * p[2][0] + p[1][1] * line[1]


def views_apart(p: Any, x: float) -> Any:
    q = copy.deepcopy(p)
    q[0][0] *= x
    p[0][1:] *= q[0][1:]
    return float((p[0] * q[0]).sum() * q[1][0])


def of_a_copy(b: Any, x: float) -> Any:
    c = copy.copy(copy.deepcopy(b))
    c.x[0] = c.x[1] * x
    d = copy.deepcopy(c)
    d.x[1] *= b.x[0]
    return c.x[0] * d.x[0] * d.x[1] + b.x[1]


def own_way(b: Any, x: float) -> Any:
    c = copy.deepcopy(b)
    c.x[0] *= x
    return c.x[0] * b.x[0] + c.n


def ring(x: float, y: float) -> Any:
    a, b = Body(x, 0.0), Body(y, 1.0)
    a.v, b.v = b, a
    c = copy.deepcopy(a)
    c.v.x *= c.x
    a.x += 1.0
    return c.v.v.x * c.v.x * a.v.x * a.x


def backup(p: Any, x: float) -> Any:
    saved = copy.deepcopy(p)
    try:
        for i in range(3):
            p[0][i] *= x
            p[1][0] += math.sqrt(p[0][i])
    except ValueError:
        p = saved
        p[0][0] *= 2.0
    return p[0][0] * p[1][0]


ROWS = [[0.7, -1.2], [0.4, 0.9]]
STRUCTURED: list[Any] = [
    (parameters, lambda: ({"w": [0.7, -1.2], "b": [0.4]}, 0.8)),
    (rows, lambda: (copy.deepcopy(ROWS), 0.8)),
    (each_round, lambda: (copy.deepcopy(ROWS), 0.8)),
    (shallow_object, lambda: (Body(0.7, 0.4), 0.8)),
    (shallow_object, lambda: (Slotted(0.7, 0.4), 0.8)),
    (shallow_with_a_list, lambda: (Body([0.7, -1.2], 0.4), 0.8)),
    (deep_object, lambda: (Body([0.7, -1.2], 0.4), 0.8)),
    (deep_object, lambda: (Slotted([0.7, -1.2], 0.4), 0.8)),
    (deep_arrays, lambda: (Arrays(np.array([0.7, -1.2]), 0.4), 0.8)),
    (shallow_dict, lambda: ({"w": [0.7, -1.2], "b": 0.4}, 0.8)),
    (shared_within, lambda: (0.8, 1.3)),
    (views_apart, lambda: ([np.array([0.7, -1.2, 0.3]), np.array([0.4])], 0.8)),
    (of_a_copy, lambda: (Body([0.7, -1.2], 0.4), 0.8)),
]
OTHERS: list[Any] = [
    (ring, lambda: (0.8, 1.3)),
    (own_way, lambda: (Counting([0.7, -1.2]), 0.8)),
    (backup, lambda: ([[0.7, 0.2, 0.5], [0.4]], 0.8)),
    (backup, lambda: ([[0.7, -0.2, 0.5], [0.4]], 0.8)),
]


def check(f: Any, make: Any) -> None:
    plain = make()
    expected, slopes = f(*plain), differences(f, make, 1e-6)
    for _ in range(3):
        args = make()
        y, back = pullback(f, *args)
        assert same(y, expected) and same([*args], [*plain])
        for bars in (back(1.0)[1:], back(1.0)[1:]):
            found = [d for bar, a in zip(bars, make(), strict=True) for d in flat(bar, a)]
            np.testing.assert_allclose(found, slopes, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(("f", "make"), [*STRUCTURED, *OTHERS])
def test_copies_that_are_stored_into(f: Any, make: Any) -> None:
    check(f, make)


@pytest.mark.parametrize(("f", "make"), STRUCTURED)
def test_they_are_not_recorded(f: Any, make: Any) -> None:
    for _ in range(2):
        y, back = pullback(f, *make())
        back(1.0)
    assert not is_to_be_recorded(f, make())
    along = jvp(f, make(), tuple([1.0 if isinstance(x, float) else None for x in make()]))[1]
    bars = [bar for bar, x in zip(back(1.0)[1:], make(), strict=True) if isinstance(x, float)]
    assert along == pytest.approx(sum([0.0 if bar is None else bar for bar in bars]), rel=1e-9)


def test_second_derivatives() -> None:
    for f in (shared_within, ring):
        slope = grad(f)
        for _ in range(2):
            h = 1e-5
            along = (slope(0.8 + h, 1.3) - slope(0.8 - h, 1.3)) / (2 * h)
            assert grad(slope)(0.8, 1.3) == pytest.approx(along, rel=1e-6)


def test_a_copy_that_gives_nothing_back_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(p: Any, x: float) -> Any:
        q = copy.deepcopy(p)
        q[0][0] *= x
        return q[0][0] * q[1][0] * p[0][0]

    monkeypatch.setitem(structural.STORES, "copied_memory", lambda s, B: None)
    with pytest.raises(AssertionError):
        check(f, lambda: (copy.deepcopy(ROWS), 0.8))
