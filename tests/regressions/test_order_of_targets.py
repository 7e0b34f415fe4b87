"""Targets are bound and stored into from the left: a store reads a name as it was before the names behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import check_everywhere, slope

from adjoint import grad, gradient, withgradient

PROGRAMS: list[Callable[[float], Any]] = []


def program(f: Callable[[float], Any]) -> Callable[[float], Any]:
    PROGRAMS.append(f)
    return f


class Box:
    def __init__(self, v: Any, next: Any = None) -> None:
        self.v, self.next = v, next


@program
def an_item_and_its_list(x):
    a, b = [x], [x * x]
    p = a
    p[0], p = 3 * x, b
    return a[0] + 10 * b[0] + p[0]


@program
def a_key(x):
    a, b = {"a": x}, {"a": x * x}
    p = a
    p["a"], p = 3 * x, b
    return a["a"] + 10 * b["a"] + p["a"]


@program
def a_field(x):
    a, b = Box(x), Box(x * x)
    p = a
    [p.v, p] = [3 * x, b]
    return a.v + 10 * b.v + p.v


@program
def a_slice(x):
    a, b = [x, x], [x * x]
    p = a
    p[:], p = [3 * x, x], b
    return a[0] + 10 * b[0] + a[1]


@program
def an_array(x):
    u, w = np.ones(2) * x, np.ones(2)
    v = u
    u[0], u = 3 * x, w * x
    return v.sum() + 10 * u.sum()


@program
def a_sum_of_it(x):
    v = np.ones(3) * x
    w = v
    v[0], v = 5 * x, v.sum()
    return w.sum() * v


@program
def buffers_that_change_places(x):
    cur, nxt = [x], [x * x]
    for _ in range(3):
        cur[0], cur, nxt = cur[0] * x, nxt, cur
    return cur[0] + 10 * nxt[0]


@program
def a_linked_list(x):
    p = Box(x, Box(2 * x, Box(x * x)))
    prev = None
    while p:
        p.next, prev, p = prev, p, p.next
    return prev.v + 2 * prev.next.v + 3 * prev.next.next.v


@program
def nested_targets(x):
    a, b = [x], [x * x]
    p, q = a, 0.0
    (q, (p[0], p)), r = (x, (3 * x, b)), x
    return a[0] * q + 10 * b[0] * r + p[0]


@program
def of_a_tuple(x):
    a, b = [x], [x * x]
    p = a
    t = (3 * x, b)
    p[0], p = t
    return a[0] + 10 * p[0]


@program
def of_a_loop(x):
    a, b = [x], [x * x]
    p = a
    for p[0], p in [(3 * x, b), (4 * x, a)]:  # noqa: B007
        pass
    return a[0] + 10 * b[0] + p[0]


@program
def a_name_before_it(x):
    a = [x, x, x]
    i = 0
    i, a[i] = 1, x * x
    a[i], i = 3 * x, 2
    return a[0] + 10 * a[1] + 100 * a[2] * i


@program
def a_starred_name(x):
    a = [x, x]
    rest = [0]
    a[rest[0]], *rest = x * x, 5.0, 6.0 * x
    return a[0] * rest[1] + a[1]


@program
def a_call_that_reads_it(x):
    i = 0

    def place():
        return i

    a = [x, x]
    a[place()], i = x * x, 1
    a[place()], i = 3 * x, 0
    return a[0] + 10 * a[1]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    check_everywhere(f, 1.5)
    assert grad(grad(f))(1.5) == pytest.approx(slope(grad(f), 1.5), rel=1e-5, abs=1e-6)


def test_arguments() -> None:
    def f(p: list[float], q: list[float], x: float) -> float:
        p[0], p = x * 2, q
        return p[0] * x

    p, q = [1.0], [5.0]
    y, bars = withgradient(f, p, q, 3.0)
    assert (y, p, q) == (15.0, [6.0], [5.0])
    assert bars[1] == [3.0]
    assert bars[2] == 5.0
    assert gradient(f, p, q, 3.0)[2] == 5.0


def test_what_a_program_catches() -> None:
    def f(x: float) -> float:
        a = Box(x)
        p = a
        try:
            p.v, p = x * 3, None
        except AttributeError:
            return 0.0
        return a.v

    assert withgradient(f, 1.5) == (4.5, (3.0,))
