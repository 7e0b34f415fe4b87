"""Forward mode of records of known fields: tangents are whole, and products with Hessians find their types."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pytest

from adjoint import Tangent, gradient, hvp, jvp
from adjoint.derivatives import products
from adjoint.inspect import code_pushforward
from adjoint.transforms import moving


@dataclass
class Mass:
    x: float
    v: float
    m: float = 2.0
    name: str = "mass"


@dataclass
class Plain:
    x: float
    v: float
    m: float = 2.0


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y


@dataclass
class Pair:
    a: Point
    b: Point


def chain(x, y):
    bodies = [Plain(x * i, 0.1 * y, 1.0 + i) for i in range(4)]
    energy = 0.0
    for a, b in zip(bodies, bodies[1:], strict=False):
        energy += 0.5 * y * (b.x - a.x - 1.0) ** 2
    for body in bodies:
        energy += 0.5 * body.m * body.v**2
    return energy


def with_a_default_and_a_name(x, y):
    total = 0.0
    for i in range(3):
        b = Mass(x * i, y * x)
        total += b.x * b.v * b.m + len(b.name)
    return total


def one_that_stays(x, y):
    still, moving = Plain(1.0, 2.0), Plain(x, y)
    total = 0.0
    for i in range(3):
        b = still if i % 2 else moving
        total += b.x * b.v * b.m * x
    return total


def of_one_way(x, y):
    b = Plain(1.0, 2.0)
    for i in range(4):
        if i > 1:
            b = Plain(b.x * x, b.v + y)
    return b.x * b.v * b.v


def fields_that_are_stored(x, y):
    p = Point(x, y)
    for _ in range(3):
        p.x = p.x * y
        p.y = math.sin(p.x)
    return p.x * p.y


def in_each_other(x, y):
    pairs = [Pair(Point(x, y * i), Point(y, x * i)) for i in range(3)]
    return sum([p.a.x * p.b.x + p.a.y * p.b.y for p in pairs])


def numbers_of_both_kinds(x, y):
    total = 0.0
    for p in [Point(1, x), Point(2, y), Point(3, 4)]:
        total += p.x * p.y * p.y * x
    return total


def last_of_a_list(x, y):
    ps = [Point(x, y)]
    for _ in range(4):
        p = ps[-1]
        ps.append(Point(p.x * 0.9 + p.y, p.y * y))
    return ps[-1].x * ps[2].y


def in_a_dict(x, y):
    d = {"a": Point(x, y), "b": Point(y, 1.0)}
    d["c"] = Point(d["a"].x * y, x)
    return sum([p.x * p.y for p in d.values()]) * d["c"].x


PROGRAMS = [
    *(chain, with_a_default_and_a_name, one_that_stays, of_one_way, fields_that_are_stored, in_each_other),
    *(numbers_of_both_kinds, last_of_a_list, in_a_dict),
]
POINT, ALONG = (0.31, 0.72), (0.6, -0.8)


def check(f: Any) -> None:
    h = 1e-6
    ahead, behind = [[p + s * h * d for p, d in zip(POINT, ALONG, strict=True)] for s in (1, -1)]
    slope = (f(*ahead) - f(*behind)) / (2 * h)
    slopes = [(a - b) / (2 * h) for a, b in zip(gradient(f, *ahead), gradient(f, *behind), strict=True)]
    for _ in range(2):
        assert jvp(f, POINT, ALONG) == (f(*POINT), pytest.approx(slope, rel=1e-5, abs=1e-6))
        bars = gradient(f, *POINT)
        assert sum([b * d for b, d in zip(bars, ALONG, strict=True)]) == pytest.approx(slope, rel=1e-5, abs=1e-6)
        assert hvp(f, POINT, ALONG) == pytest.approx(slopes, rel=1e-5, abs=1e-5)
        assert hvp(f, POINT, (1.0, None)) == pytest.approx([_second(f, 0), _second(f, 1)], rel=1e-4, abs=1e-4)


def _second(f: Any, i: int) -> float:
    """The derivative of the slope along the first argument by the one at place `i`."""
    h = 1e-5
    ahead, behind = [*POINT], [*POINT]
    ahead[i], behind[i] = ahead[i] + h, behind[i] - h
    slope: float = (gradient(f, *ahead)[0] - gradient(f, *behind)[0]) / (2 * h)
    return slope


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_along(f: Any) -> None:
    check(f)


@pytest.mark.parametrize("f", [chain, one_that_stays, of_one_way], ids=lambda f: f.__name__)
def test_product_by_its_reverse(f: Any) -> None:
    assert "densify" not in code_pushforward(f, *POINT)
    assert products.product_along(f, POINT, ALONG, (0.0, 0.0), "hvp") is not None


def test_a_record_that_is_given() -> None:
    def f(p: Point, k: float) -> Point:
        q = Point(p.x * k, p.y)
        q.y = q.y * q.x
        return q

    p, dot = Point(2.0, 3.0), Tangent(Point, {"x": 1.0, "y": None})
    y, y_dot = jvp(f, (p, 0.5), (dot, 0.0))
    assert (y.x, y.y) == (1.0, 3.0)
    assert (y_dot.x, y_dot.y) == (0.5, 1.5)
    assert (p.x, p.y) == (2.0, 3.0)


def test_a_field_without_its_zero_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted error: the tangent of a record that keeps nothing of what moves."""

    def f(x: float, y: float) -> float:
        total = 0.0
        for p in [Plain(x * i, y) for i in range(3)]:
            total += p.x * p.v
        return total

    monkeypatch.setitem(moving.HANDLERS, "new", lambda dots, s, F: dots.bind(s.out, moving.Const(None), F, False))
    with pytest.raises(AssertionError):
        check(f)
