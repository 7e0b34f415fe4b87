"""Objects that do not move: their methods and operators are called plainly, and are read for what else they do."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from ways import check_everywhere, slope

from adjoint import grad, gradient, withgradient
from adjoint.derivatives.choice import is_structured_call

NOTES: list[Any] = []


@dataclass
class Vec:
    x: float
    y: float

    def __add__(self, other: Vec) -> Vec:
        return Vec(self.x + other.x, self.y + other.y)

    def __mul__(self, k: float) -> Vec:
        return Vec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def dot(self, other: Vec) -> float:
        return self.x * other.x + self.y * other.y

    def norm(self) -> float:
        return math.sqrt(self.dot(self))

    def unit(self) -> Vec:
        return self * (1 / self.norm())

    def same(self) -> Vec:
        return self


@dataclass
class Noting(Vec):
    def __mul__(self, k: float) -> Noting:
        NOTES.append(k)
        return Noting(self.x * k, self.y * k)

    def unit(self) -> Noting:
        return self * (1 / self.norm())


@dataclass
class OfItsOwn:
    x: float
    y: float

    def __init__(self, x: float) -> None:
        NOTES.append(x)
        self.x, self.y = x, 2 * x


@dataclass
class Watched:
    x: float

    def __setattr__(self, name: str, value: float) -> None:
        NOTES.append(name)
        object.__setattr__(self, name, value)

    def twice(self) -> Watched:
        return Watched(2 * self.x)


def along(x: float) -> float:
    light, total = Vec(1.0, 2.0).unit(), 0.0
    for i in range(4):
        d = Vec(i - 1.5, 1.0).unit()
        q = d * x + light
        total += max(0.0, q.dot(light)) * q.norm()
    return total


def chosen(x: float) -> float:
    best = Vec(2.0, 3.0)
    for i in range(5):
        p = Vec(0.3 * i, 1.0 - 0.2 * i) + Vec(0.1, 0.1)
        if p.norm() < best.norm():
            best = p
    return best.dot(2.0 * Vec(x, x * x))


def noting(x: float) -> float:
    d = Noting(3.0, 4.0).unit()
    return (d * x).x + x


def made_by_its_own(x: float) -> float:
    def doubled(v: float) -> float:
        return OfItsOwn(v).y

    return doubled(3.0) * x * x


def stored_by_its_own(x: float) -> float:
    return Watched(1.5).twice().x * x**2


def under_two_names(x: float) -> float:
    a = Vec(1.0, 2.0)
    b = a.same()
    b.x = x
    return a.x * x + b.y


def test_a_program_is_reversed_in_its_structure() -> None:
    assert is_structured_call(along, (0.7,))


@pytest.mark.parametrize("f", [along, chosen])
def test_programs(f: Callable[[float], float]) -> None:
    check_everywhere(f, 0.7)
    assert grad(grad(f))(0.7) == pytest.approx(slope(grad(f), 0.7, 1e-5), rel=1e-4)


@pytest.mark.parametrize("f", [noting, made_by_its_own, stored_by_its_own])
def test_what_acts_does_so_as_often_as_in_python(f: Callable[[float], float]) -> None:
    for _ in range(3):
        NOTES.clear()
        y, noted = f(0.7), [*NOTES]
        NOTES.clear()
        value, (slope_found,) = withgradient(f, 0.7)
        assert value == y and noted == NOTES and noted
        assert slope_found == pytest.approx(slope(f, 0.7), rel=1e-6)


def test_an_object_under_two_names() -> None:
    check_everywhere(under_two_names, 0.7)


def test_a_method_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    before = gradient(along, 0.7)
    monkeypatch.setattr(Vec, "norm", lambda self: abs(self.x) + abs(self.y))
    assert gradient(along, 0.7)[0] == pytest.approx(slope(along, 0.7), rel=1e-6) != before[0]
    monkeypatch.setattr(Vec, "dot", lambda self, other: NOTES.append("dot") or self.x * other.x)
    NOTES.clear()
    along(0.7)
    noted = [*NOTES]
    NOTES.clear()
    found = gradient(along, 0.7)[0]
    assert noted == NOTES and noted
    assert found == pytest.approx(slope(along, 0.7), rel=1e-6)


def first_of(*values: Any) -> Any:
    return values[0]


def read_for_others(x: float, k: float = 2.0) -> float:
    """What is put into a tuple by a star is another argument than that tuple."""
    n, t = first_of(k, 2.0), first_of((k, 2.0))
    return x * n * (2 if isinstance(t, tuple) else 5)


def test_calls_with_stars_are_not_taken_for_one_another() -> None:
    check_everywhere(read_for_others, 1.7)


class Link:
    def __init__(self, value, behind):
        self.value = value
        self.behind = behind


def test_a_list_of_links() -> None:
    """What only stores what it is given runs through nothing: the value may be such an object, or None."""

    def linked(xs):
        head = None
        for x in xs:
            head = Link(x, head)
        total, link = 0.0, head
        while link is not None:
            total = total * 0.5 + link.value**2
            link = link.behind
        return total

    for _ in range(3):
        assert gradient(linked, [0.5, 2.0, 3.0])[0] == pytest.approx([1.0, 2.0, 1.5])
    assert is_structured_call(linked, ([0.5, 2.0, 3.0],))
