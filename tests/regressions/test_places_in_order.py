"""`bisect` over tables of numbers, and methods and operators of named tuples, in programs that stay as they are."""

from __future__ import annotations

import bisect
import math
from collections import namedtuple
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from adjoint import gradient, jvp
from adjoint.inspect import code_adjoint

TABLE = [0.0, 1.0, 2.0, 4.0]


def interpolated(xs: Any) -> Any:
    values = [v * v for v in xs]
    total = 0.0
    for x in xs:
        i = min(max(bisect.bisect_right(TABLE, x) - 1, 0), 2)
        total += values[i % 3] + (x - TABLE[i]) * (xs[0] - x) / (TABLE[i + 1] - TABLE[i])
    return total


def of_a_list_that_grows(xs: Any) -> Any:
    seen: list[Any] = []
    total = 0.0
    for x in xs:
        i = bisect.bisect_left(seen, x)
        total += x * (i + 1)
        seen.insert(i, x)
    return total * seen[0]


def of_an_array(xs: Any) -> Any:
    grid = np.linspace(0.0, 4.0, 9)
    return sum(x * bisect.bisect(grid, x) for x in xs)


def by_a_key(xs: Any) -> Any:
    return sum(x * bisect.bisect_left([4.0, 1.0, 0.0], -x, key=lambda v: -v) for x in xs)


class Vector(NamedTuple):
    x: Any
    y: Any
    z: Any = 1.0

    def __add__(self, other: Any) -> Vector:
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __mul__(self, k: Any) -> Vector:
        return Vector(self.x * k, self.y * k, self.z * k)

    __rmul__ = __mul__

    def __neg__(self) -> Vector:
        return self * -1.0

    def dot(self, other: Vector) -> Any:
        return self.x * other.x + self.y * other.y + self.z * other.z

    @property
    def norm(self) -> Any:
        return math.sqrt(self.dot(self))

    @classmethod
    def along(cls, k: Any) -> Vector:
        return cls(k, k)

    @staticmethod
    def of(a: Any, b: Any) -> Vector:
        return Vector(a, b, a * b)


class Stretched(Vector):
    __slots__ = ()

    def dot(self, other: Vector) -> Any:
        return 3.0 * super().dot(other)


class Hiding(namedtuple("Pair", "x y")):
    def scaled(self, k: Any) -> Any:
        return Hiding(self.x * k, self.y * k)


def vectors(xs: Any) -> Any:
    u, v = Vector(xs[0], xs[1]), Vector(xs[1], xs[2], 0.5)
    for _ in range(5):
        u = u + v * 0.1 + 0.2 * u
    return u.dot(v) * (-u).norm + u.norm


def made_by_the_class(xs: Any) -> Any:
    return (Vector.along(xs[0]) + Vector.of(xs[1], xs[2])).dot(Vector(*xs))


def of_a_subclass(xs: Any) -> Any:
    s = Stretched(xs[0], xs[1], xs[2])
    return s.dot(s) + s.norm


def seen_as_tuples(xs: Any) -> Any:
    u = Vector(xs[0], xs[1])
    return sum(u) + max(u) * len(u) + (u + u)._replace(x=xs[2]).x * u[1] + u._asdict()["y"]


def method_that_the_object_hides(xs: Any) -> Any:
    pair = Hiding(xs[0], xs[1])
    pair.scaled = lambda k: Hiding(k, k)
    return pair.scaled(xs[2]).x * pair.y


PROGRAMS = (
    *(interpolated, of_a_list_that_grows, of_an_array, by_a_key, vectors, made_by_the_class, of_a_subclass),
    *(seen_as_tuples, method_that_the_object_hides),
)
AT = [1.3, 0.7, 2.6]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("make", [list, np.array])
def test_against_differences(f: Callable[[Any], Any], make: Callable[[Any], Any]) -> None:
    h = 1e-6
    moved = [[f(make([v + by * (i == j) for j, v in enumerate(AT)])) for by in (h, -h)] for i in range(3)]
    slopes = [(up - down) / (2 * h) for up, down in moved]
    for _ in range(2):
        assert np.asarray(gradient(f, make(AT))[0], float) == pytest.approx(slopes, rel=1e-6, abs=1e-8)
    along = float(jvp(f, (make(AT),), (make([1.0, 0.5, -2.0]),))[1])
    assert along == pytest.approx(float(np.dot(slopes, [1.0, 0.5, -2.0])), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("f", [interpolated, vectors], ids=lambda f: f.__name__)
def test_nothing_is_found_as_it_runs(f: Callable[[Any], Any]) -> None:
    assert "pullback_wrt_" not in code_adjoint(f, list(AT))
