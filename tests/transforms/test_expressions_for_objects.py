"""Generator expressions over tuples that are handed to classes and functions of the user's, which take all of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import check_calls, check_everywhere

from adjoint import grad, gradient, hessian
from adjoint.derivatives import choice
from adjoint.inspect import code_adjoint

PROGRAMS: list[Callable[[float, float], Any]] = []
N = 11


def program(f: Callable[[float, float], Any]) -> Callable[[float, float], Any]:
    PROGRAMS.append(f)
    return f


def values(x, y, n=N):
    return [math.sin(x * i) + y for i in range(n)]


class Vec:
    def __init__(self, values):
        self.values = tuple(values)

    def __add__(self, o):
        return Vec(a + b for a, b in zip(self.values, o.values, strict=False))

    def __mul__(self, k):
        return Vec(k * a for a in self.values)

    __rmul__ = __mul__

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return self.values[i]

    def norm(self):
        return math.sqrt(sum(a * a for a in self.values))


@program
def vectors(x, y):
    u, v = Vec(values(x, y)), Vec(values(y, x))
    for _ in range(4):
        u = u + 0.1 * v
    return u.norm() + u[0]


@program
def with_constants(x, y):
    u = Vec(values(x, y))
    v = Vec([1.0] * len(u))
    for i in range(4):
        u = u + (0.1 * i) * v
    return u.norm() * u[1]


@program
def of_known_length(x, y):
    u = Vec((x, y, x * y)) + Vec((1.0, 2.0, y))
    return (2.0 * u).norm() + u[2]


@program
def of_two_lengths(x, y):
    u = Vec(tuple(values(x, y))) + Vec(tuple(values(y, x, 5)))
    return u.norm() + len(u)


@program
def within_others(x, y):
    rows = tuple(Vec(a * b for a in v.values) for b, v in zip((x, y), (Vec(values(x, y)), Vec((y, x))), strict=True))
    return rows[0].norm() * rows[1][1]


@program
def filtered(x, y):
    u = Vec(v for v in tuple(values(x, y)) if v > y)
    return u.norm() + len(u)


@program
def of_two_loops(x, y):
    u = Vec(a * b for a in tuple(values(x, y, 3)) for b in (x, y))
    return u.norm() + u[4]


def first_of(items):
    for v in items:
        return v * v
    return 0.0


def two_of(items):
    return next(items) * next(items)


def twice(items):
    return sum(items) + sum(items)


def kept(items):
    return [items, 1.0]


@program
def taken_in_part(x, y):
    t = tuple(values(x, y))
    return first_of(v * x for v in t) + two_of(v * y for v in t) + twice(v + x for v in t)


@program
def taken_later(x, y):
    t = tuple(values(x, y))
    held = kept(v * x for v in t)
    t = (x, y)
    return sum(held[0]) * t[0]


@program
def of_equal_lengths(x, y):
    t, u = tuple(values(x, y)), tuple(values(y, x))
    return Vec(a * b for a, b in zip(t, u, strict=True)).norm() + Vec(a for a, b in zip(t, u, strict=True))[2]


class Lazy:
    def __init__(self, items):
        self.items = items

    def total(self):
        return sum(self.items)


@program
def held_by_an_object(x, y):
    t = tuple(values(x, y))
    lazy = Lazy(v * y for v in t)
    x = x * 2.0
    return lazy.total() * x + lazy.total()


@program
def with_an_iterator_of_its_own(x, y):
    t = tuple(values(x, y))
    it = iter(t)
    a = next(it)
    u = Vec(v * a for v in it)
    z = zip(t, t[1:], strict=False)
    p, q = next(z)
    w = Vec(b * c for b, c in z)
    return u.norm() * w.norm() + len(u) + len(w) + p * q + sum(it)


@program
def one_zip_for_two(x, y):
    z = zip(values(x, y), values(y, x), strict=True)
    u = Vec(a * b for a, b in z)
    v = Vec(a + b for a, b in z)
    return u.norm() + v.norm() + len(v)


@program
def what_it_captures_is_bound_later(x, y):
    k = x
    u = (v * k for v in (x, y, 1.0))
    k = y
    return Vec(u).norm() * k


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(f: Any) -> None:
    check_calls(f, 1.3, 0.7)
    check_calls(f, 0.6, 1.4)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_all_ways(f: Any) -> None:
    check_everywhere(lambda x: f(x, 0.7), 1.3)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives(f: Any) -> None:
    h = 1e-5
    g = grad(lambda v: f(v[0], v[1]))
    v = np.array([1.3, 0.7])
    found = hessian(lambda v: f(v[0], v[1]))(v)
    rows = [(g(v + h * e) - g(v - h * e)) / (2 * h) for e in np.eye(2)]
    assert found == pytest.approx(np.array(rows), rel=1e-4, abs=1e-5)


def test_they_are_loops() -> None:
    for f in (vectors, with_constants, of_known_length, of_two_lengths):
        assert "pullback_" not in code_adjoint(f, 1.3, 0.7).replace(f"{f.__name__}_pullback", ""), f.__name__
        assert not choice.has_been_recorded(f, (1.3, 0.7))


def test_effects_happen_once_and_in_order() -> None:
    seen: list[Any] = []

    def told(v: Any) -> Any:
        seen.append(v if isinstance(v, str) else "item")
        return v

    class Told:
        def __init__(self, items: Any) -> None:
            told("begin")
            self.items = tuple(items)
            told("end")

    def f(x: float) -> float:
        seen.clear()
        t = (x, 2.0 * x)
        o = Told(told(v) * 2.0 for v in told(t))
        c = Told(told(v) for v in (1.0, 2.0, 3.0))
        return sum(o.items) + c.items[1]

    f(1.5)
    plain = [*seen]
    for _ in range(3):
        assert grad(f)(1.5) == 6.0
        assert seen == plain


def test_unequal_lengths_are_refused_as_python_does() -> None:
    def f(x: float) -> float:
        return Vec(a * b for a, b in zip((x, x), (x, 1.0, 2.0), strict=True)).norm()

    for _ in range(3):
        with pytest.raises(ValueError, match=r"zip\(\) argument 2 is longer than argument 1"):
            grad(f)(1.5)


def test_lengths_may_vary() -> None:
    def f(xs: list[float]) -> float:
        u = Vec(xs)
        v = Vec([2.0] * len(u))
        for _ in range(3):
            u = u + 0.5 * v
        return u.norm()

    for n in itertools.chain(range(1, 14), (3, 2)):
        xs = [0.5 * i + 1.0 for i in range(n)]
        norm = math.sqrt(sum((v + 3.0) ** 2 for v in xs))
        assert gradient(f, xs)[0] == pytest.approx([(v + 3.0) / norm for v in xs])
