"""Methods of a base class, and iteration over an object's list: neither calls what it is handed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from ways import check_everywhere, slope

from adjoint import grad, pullback
from adjoint.derivatives.choice import is_structured_call
from adjoint.ops.questions import called_by, called_in


class Body:
    def __init__(self, mass):
        self.mass = mass

    def energy(self, speed):
        return 0.5 * self.mass * speed**2


class Bird(Body):
    def __init__(self, mass, height):
        super().__init__(mass)
        self.height = height

    def energy(self, speed):
        return super().energy(speed) + 9.81 * self.mass * self.height


class Vector:
    def __init__(self, *parts):
        self.parts = list(parts)

    def __iter__(self):
        return iter(self.parts)

    def __add__(self, other):
        return Vector(*[a + b for a, b in zip(self, other, strict=True)])

    def dot(self, other):
        return sum([a * b for a, b in zip(self, other, strict=True)])


def bodies(x):
    return sum([body.energy(x) for body in (Body(x), Bird(0.5 * x, 3.0))])


def run_through(x):
    total = 0.0
    for part in Vector(x, x * x, 7.0):
        total += part**2
    return total


def operators(x):
    v, w = Vector(x, 2.0), Vector(x * x, x)
    return (v + w).dot(w)


STRUCTURED = [bodies, run_through, operators]


class Counted:
    """Iteration stores."""

    def __init__(self, a):
        self.a = a
        self.seen = 0.0

    def __iter__(self):
        self.seen = self.seen + self.a * self.a
        return iter([self.a, 2 * self.a])


def counted(x):
    c, total = Counted(x), 0.0
    for v in iter(c):
        total += v
    for v in c:
        total += v
    return total * c.seen


class Down:
    """An iterator of its own."""

    def __init__(self, a, n):
        self.a = a
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        self.a = self.a * self.a
        return self.a


def drawn_down(x):
    total = 0.0
    for v in iter(Down(x, 3)):
        total += v
    return total


def called_until(x):
    state = [x]

    def step():
        state[0] = state[0] * x
        return state[0] if state[0] > 0.1 else 0.0

    total = 0.0
    for v in iter(step, 0.0):
        total += v
    return total


def called_until_by_a_star(x):
    state = [x]

    def step():
        state[0] = state[0] * x
        return state[0] if state[0] > 0.1 else 0.0

    given, total = (step, 0.0), 0.0
    for v in iter(*given):
        total += v
    return total


class Storing(Body):
    @property
    def doubled(self):
        self.mass = self.mass * 2
        return self.mass


class Reading(Storing):
    def twice(self):
        return super().doubled + super().doubled * self.mass


def property_of_the_base(x):
    return Reading(x).twice()


ALL = [*STRUCTURED, counted, drawn_down, called_until, called_until_by_a_star, property_of_the_base]


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_they_are_reversed_in_structure(f: Callable[..., Any]) -> None:
    pullback(f, 0.7)
    assert is_structured_call(f, (0.7,))


@pytest.mark.parametrize("f", ALL, ids=lambda f: f.__name__)
def test_derivatives(f: Callable[..., Any]) -> None:
    check_everywhere(f, 0.7)
    assert grad(grad(f))(0.7) == pytest.approx(slope(grad(f), 0.7), rel=1e-6)


def test_iter_calls_what_it_is_given_with_a_sentinel_alone() -> None:
    assert called_in(iter, 1, []) == ()
    assert called_in(iter, 2, []) == (0,)
    assert called_by(iter)[0] == 0  # of a call that is not known
    assert called_in(sorted, 1, ["key"]) == (1,)


def test_objects_that_are_given() -> None:
    _, back = pullback(Bird(0.5, 12.0).energy, 2.0)
    bar, speed = back(1.0)
    own = bar["__self__"]
    assert speed == pytest.approx(0.5 * 2.0)
    assert own.mass == pytest.approx(0.5 * 4.0 + 9.81 * 12.0)
    assert own.height == pytest.approx(9.81 * 0.5)
