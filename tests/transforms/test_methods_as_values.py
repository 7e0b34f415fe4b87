"""Methods of objects and of lists that a program hands on, to be called by others."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient, hvp, jvp
from adjoint.derivatives.choice import was_recorded


class Emitter:
    def __init__(self) -> None:
        self.heard: list[Any] = []

    def on(self, f: Any) -> None:
        self.heard.append(f)

    def emit(self, v: Any) -> None:
        for f in self.heard:
            f(v)


class Sum:
    def __init__(self) -> None:
        self.total: Any = 0.0

    def add(self, v: Any) -> None:
        self.total += v


class Body:
    def __init__(self, k: Any) -> None:
        self.k = k


def of_an_object(x: Any) -> Any:
    s, e = Sum(), Emitter()
    e.on(s.add)
    for i in range(3):
        e.emit(x * i)
    s.add(x * x)
    return s.total * x


def of_two_objects(x: Any) -> Any:
    a, b, e = Sum(), Sum(), Emitter()
    e.on(a.add)
    e.on(b.add)
    e.on(a.add)
    e.emit(x)
    a.total *= x
    e.emit(x * x)
    return a.total * b.total


def of_a_list(x: Any) -> Any:
    out: list[Any] = []
    e = Emitter()
    e.on(out.append)
    for i in range(3):
        e.emit(x * i)
    out.append(x * x)
    return sum(out) * len(out)


def of_closures(x: Any) -> Any:
    total, seen, e = 0.0, [0.0], Emitter()

    def first(v: Any) -> None:
        nonlocal total
        total += v * x

    def second(v: Any) -> None:
        seen[0] += math.sin(v)

    e.on(first)
    e.on(second)
    for i in range(3):
        e.emit(x * i)
    return total * seen[0]


def handed_on(x: Any) -> Any:
    def twice(f: Any, v: Any) -> Any:
        f(v)
        f(v * v)

    s = Sum()
    twice(s.add, x)
    add = s.add
    twice(add, 2 * x)
    return s.total


def in_pairs(x: Any) -> Any:
    bodies, t = [Body(x * i) for i in range(5)], 0.0
    for a, b in itertools.combinations(bodies, 2):
        t += a.k * b.k
        a.k += 0.1
    for a, b in itertools.permutations([Body(x), Body(2 * x), Body(x * x)], 2):
        t += a.k * b.k
        b.k *= x
    return t


FOLLOWED = (of_an_object, of_two_objects, of_a_list, of_closures, handed_on, in_pairs)


def one_of_two(x: Any) -> Any:
    a, b = Sum(), Sum()
    add = a.add if x > 0.5 else b.add
    add(x)
    add(x * x)
    return a.total * 2 + b.total * 3


def asked(x: Any) -> Any:
    s = Sum()
    same = (s.add is s.add) + 2 * (s.add == s.add) + 4 * (s.add.__self__ is s)
    s.add.__self__.add(x)
    return s.total * x + same * x


def pairs_of_what_grows(x: Any) -> Any:
    bodies, t = [Body(x * i) for i in range(4)], 0.0
    pairs = itertools.combinations(bodies, 2)
    bodies.append(Body(x))
    for a, b in pairs:
        t += a.k * b.k
        a.k += x
        if len(bodies) < 8:
            bodies.append(Body(7 * x))
    return t * len(bodies) + bodies[-1].k


@pytest.mark.parametrize("x", [0.7, 0.3])
@pytest.mark.parametrize("f", [*FOLLOWED, one_of_two, asked, pairs_of_what_grows], ids=lambda f: f.__name__)
def test_against_differences(f: Callable[[Any], Any], x: float) -> None:
    h = 1e-5
    slope, bend = (f(x + h) - f(x - h)) / (2 * h), (f(x + h) - 2 * f(x) + f(x - h)) / h**2
    for _ in range(2):
        assert gradient(f, x)[0] == pytest.approx(slope, rel=1e-7)
    assert jvp(f, (x,), (2.0,))[1] == pytest.approx(2.0 * slope, rel=1e-7)
    assert hvp(f, (x,), (1.0,))[0] == pytest.approx(bend, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("f", FOLLOWED, ids=lambda f: f.__name__)
def test_nothing_is_recorded(f: Callable[[Any], Any]) -> None:
    gradient(f, 0.7)
    assert not was_recorded(f)
