"""`sum` of objects from an object on: their `__add__`, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from regressions.differences import check

from adjoint import pullback

from .held_to_python import hold


class Vector:
    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    def __add__(self, other: Any) -> Vector:
        return Vector(self.x + other.x, self.y * 0.5 + other.y)

    def __mul__(self, k: Any) -> Vector:
        return Vector(self.x * k, self.y * k)

    def size(self) -> Any:
        return self.x**2 + self.x * self.y


class Counted(Vector):
    added = 0

    def __add__(self, other: Any) -> Any:
        Counted.added += 1
        return Counted(self.x + other.x, self.y + other.y)


def given() -> tuple[Any, ...]:
    return [Vector(0.3 * i, 0.2 + 0.1 * i) for i in range(4)], 0.7


def of_given(vs, x):
    return sum(vs, Vector(x, x * x)).size()


def of_made(vs, x):
    return sum([v * (x * i) for i, v in enumerate(vs)], Vector(0.0, 0.0)).size()


def by_keyword(vs, x):
    return sum((v * x for v in vs), start=Vector(x, 1.0)).size()


def in_loop(vs, x):
    total = Vector(0.0, 0.0)
    for k in range(3):
        total = sum([v * (x * k) for v in vs], total)
    return total.size()


def of_none(vs, x):
    return sum([v for v in vs if v.x > 100.0], Vector(x, x * x)).size()


def of_few(vs, x):
    return sum([vs[0], vs[1] * x], Vector(x, 0.0)).size()


def sliced(vs, x):
    return sum(vs[1:], vs[0]).size() * x


def counted(vs, x):
    Counted.added = 0
    total = sum([Counted(v.x, x) for v in vs], Counted(0.0, x))
    return total.size() * Counted.added


PROGRAMS: dict[str, Callable[..., Any]] = {f.__name__: f for f in (of_given, of_made, by_keyword, in_loop, of_few)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    hold(PROGRAMS[name], given)


@pytest.mark.parametrize("f", [of_none, sliced, counted])
def test_others_agree(f: Callable[..., Any]) -> None:
    check(f, *given())


def test_what_cannot_be_added_raises_as_python_says() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        pullback(lambda x: sum([x, x], object()), 0.5)
    with pytest.raises(AttributeError, match="no attribute 'x'"):
        pullback(lambda x: sum([x, x], Vector(x, x)).x, 0.5)
