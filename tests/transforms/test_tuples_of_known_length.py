"""Tuples that are made item by item of others of known length: loops over these are written out."""

from __future__ import annotations

import functools
import math
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from ways import check_calls, check_everywhere

from adjoint import grad, hessian, pullback
from adjoint.derivatives import choice
from adjoint.inspect import code_adjoint

PROGRAMS: list[Callable[[float, float], Any]] = []


def program(f: Callable[[float, float], Any]) -> Callable[[float, float], Any]:
    PROGRAMS.append(f)
    return f


class Vec:
    def __init__(self, *c):
        self.c = tuple(c)

    def __add__(self, o):
        return Vec(*(a + b for a, b in zip(self.c, o.c, strict=True)))

    def __mul__(self, k):
        return Vec(*[k * a for a in self.c])

    def dot(self, o):
        return sum(a * b for a, b in zip(self.c, o.c, strict=False))


@program
def vectors(x, y):
    u, v = Vec(x, y, x * y), Vec(y, 1.0, x)
    for _ in range(4):
        u = u + v * 0.1
    return u.dot(v)


class Checked:
    def __init__(self, *data):
        if len(data) == 1:
            data = data[0]
        self.data = tuple(float(d) for d in data)

    def map(self, f):
        return Checked(*map(f, self.data))

    def __sub__(self, o):
        return Checked(*(a - b for a, b in zip(self.data, o.data, strict=True)))


@program
def vectors_made_in_two_ways(x, y):
    u, v = Checked(x, y, x * y), Checked((y, x, 1.0))
    return sum((u - v).map(math.sin).data)


@dataclass(frozen=True)
class State:
    q: tuple[float, ...]
    p: tuple[float, ...]

    def step(self, dt):
        p = tuple(pi - dt * qi for pi, qi in zip(self.p, self.q, strict=True))
        return State(tuple(qi + dt * pi for qi, pi in zip(self.q, p, strict=True)), p)


@program
def a_state_of_tuples(x, y):
    s = State((x, y), (y, x * y))
    for _ in range(5):
        s = s.step(0.1)
    return s.q[0] * s.p[1]


@program
def a_tuple_in_each_round(x, y):
    t = s = (x, y, 2.0)
    for i in range(4):
        s = tuple(0.5 * (a + b * i) for a, b in zip(s, t, strict=True))
    return sum(s) * s[-1]


@program
def of_unequal_lengths(x, y):
    t = tuple(a * b for a, b in zip((x, y, 3.0), (y, x), strict=False))
    return len(t) * t[0] + t[1]


@program
def numbered(x, y):
    t = tuple((i + 1) * a for i, a in enumerate((x, y, x * y)))
    u = tuple(a * x for a in (i * y for i in range(3)))
    return t[2] * t[0] + u[2] + sum(tuple(b - i for i, b in enumerate((y, x), 2)))


@program
def of_nothing(x, y):
    t = tuple(a * x for a in ())
    return (len(t) + 1) * x * y + sum(t)


@program
def matrices(x, y):
    a = ((x, y), (y, 1.0))
    b = tuple(tuple(sum(p * q for p, q in zip(row, col, strict=True)) for col in zip(*a, strict=True)) for row in a)
    return b[0][0] * b[1][1] - b[0][1]


@program
def functions_that_see_the_last_item(x, y):
    f, g = tuple((lambda: v * x) for v in (x, y))  # noqa: B023
    return f() * g()


@program
def functions_with_items_of_their_own(x, y):
    f, g = tuple((lambda v=v: v * x) for v in (x, y))
    return f() * g()


def given(values, k):
    total = k
    for v in values:
        total = total + v
        yield total * k


@program
def sums_of_a_generator(x, y):
    t = tuple(given((x, y, x), y))
    return t[0] * t[1] * t[2]


def stopping(values):
    for v in values:
        if v > 2.0:
            return
        yield v * v


@program
def a_generator_that_stops(x, y):
    t = tuple(stopping((x, y, x * y, 1.0)))
    return sum(t) * len(t)


@program
def filtered(x, y):
    return sum(tuple(v * x for v in (x, y, -x) if v > 0.0))


Point = namedtuple("Point", "a b")


@program
def of_named_tuples(x, y):
    p = Point(x, y)
    q = Point(*(v * v for v in p))
    return q.a * p.b + sum(tuple(math.sin(v) for v in q))


def norm(*c):
    return math.sqrt(sum(v * v for v in c))


@program
def given_to_a_function(x, y):
    return norm(1.0, *(v + 1.0 for v in (x, y)), x) + max(*(v * x for v in (x, y)))


@program
def of_records(x, y):
    u = tuple(Vec(v, x) for v in (x, y))
    return u[0].dot(u[1])


@program
def of_arrays(x, y):
    t = tuple(np.array([x, y]) * v for v in (x, y))
    return np.sum(t[0] * t[1])


@program
def with_a_rest(x, y):
    first, *rest = tuple(v * v for v in (x, y, x))
    return first * sum(rest) + len(rest)


@program
def mixed_with_integers(x, y):
    return sum(v * (i + 1) for i, v in enumerate(tuple(2 * v for v in (1, x, y))))


@program
def in_a_branch(x, y):
    t = (x, y)
    t = tuple(v * x for v in t) if x > 1.0 else tuple(v + y for v in t)
    return t[0] * t[1]


@program
def carried_by_the_comprehension(x, y):
    s = 0.0
    t = tuple((s := s + v) * v for v in (x, y, x))
    return t[2] * s


@program
def many(x, y):
    t = (x, y, x, y, x, y, x, y, x)
    return sum(tuple(v * i for i, v in enumerate(t)))


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(f: Any) -> None:
    check_calls(f, 1.3, 0.7)
    assert not choice.has_been_recorded(f, (1.3, 0.7))


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_all_ways(f: Any) -> None:
    check_everywhere(lambda x: f(x, 0.7), 1.3)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives(f: Any) -> None:
    h = 1e-5
    g = grad(lambda v: f(v[0], v[1]))
    v = np.array([1.3, 0.7])
    rows = [(g(v + h * e) - g(v - h * e)) / (2 * h) for e in np.eye(2)]
    assert hessian(lambda v: f(v[0], v[1]))(v) == pytest.approx(np.array(rows), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_back_runs_twice(f: Any) -> None:
    _, back = pullback(f, 1.3, 0.7)
    first = back(1.0)[1:]
    assert back(2.0)[1:] == pytest.approx(tuple([2 * d for d in first]))
    assert back(1.0)[1:] == first


def test_no_call_is_left_to_the_run() -> None:
    for f in (vectors, a_state_of_tuples, a_tuple_in_each_round, matrices, vectors_made_in_two_ways):
        assert "pullback_" not in code_adjoint(f, 1.3, 0.7).replace(f"{f.__name__}_pullback", "")


def test_effects_happen_once_and_in_order() -> None:
    seen: list[str] = []

    def told(name: str, v: float) -> float:
        seen.append(name)
        return v * v

    def f(x: float, y: float) -> float:
        t = tuple(told(name, v) for name, v in (("a", x), ("b", y), ("c", x)))
        return t[0] * t[2]

    assert grad(f)(1.5, 2.0) == pytest.approx(4 * 1.5**3)
    assert seen == ["a", "b", "c"]


def test_errors_are_those_of_python() -> None:
    def unequal(x: float) -> float:
        return sum(tuple(a * b for a, b in zip((x, x), (x, x, x), strict=True)))

    def of_text(x: float) -> float:
        return sum(tuple(v * x for v in (x, None)))

    def outside(x: float) -> float:
        return tuple(v * x for v in (x, x))[2]

    for f, error in ((unequal, ValueError), (of_text, TypeError), (outside, IndexError)):
        with pytest.raises(error) as plain:
            f(1.0)
        with pytest.raises(error) as found:
            grad(f)(1.0)
        assert str(found.value) == str(plain.value)


def test_a_long_body_stays_a_loop() -> None:
    def f(x: float) -> float:
        rows = tuple(tuple(tuple(x * i * j * k for k in range(8)) for j in range(8)) for i in range(8))
        return functools.reduce(lambda s, row: s + row[1][1], rows, 0.0) + rows[7][7][7]

    assert grad(f)(0.5) == pytest.approx(sum(range(8)) + 343)
    assert len(code_adjoint(f, 0.5).splitlines()) < 200
