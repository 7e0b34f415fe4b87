"""Objects that a loop replaces by others (`s = State(...)`): their fields are carried, and no object is made."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable
from typing import Any

import pytest
from regressions.differences import check

from adjoint import grad
from adjoint.derivatives import choice
from adjoint.inspect import code_adjoint


class State:
    """A state that may also be stored into."""

    def __init__(self, x: Any, v: Any) -> None:
        self.x, self.v = x, v

    def step(self, dt: float) -> None:
        self.v -= self.x * dt
        self.x += self.v * dt

    def moved(self, dt: float) -> State:
        return State(self.x + self.v * dt, self.v - self.x * dt)

    @functools.cached_property
    def energy(self) -> Any:
        return self.x**2 + self.v**2


@dataclasses.dataclass
class Body:
    x: Any
    v: Any
    hits: int = 0

    def hit(self) -> None:
        self.hits += 1


def replaced(x: float, n: int) -> float:
    s, total = State(x, 0.5), 0.0
    for _ in range(n):
        s = State(s.x + s.v * 0.1, s.v - s.x * 0.1)
        total += s.x
    return total + s.x * s.v


def by_method(x: float, n: int) -> float:
    s = State(x, 0.5)
    for _ in range(n):
        s = s.moved(0.1)
    return math.sin(s.x) * s.v


def by_dataclass(x: float, n: int) -> float:
    b = Body(x, 0.5)
    for _ in range(n):
        b = dataclasses.replace(b, x=b.x + b.v * 0.1, hits=b.hits + 1)
    return b.x * b.hits + b.v


def in_while(x: float, n: int) -> float:
    s, i = State(x, 0.5), 0
    while i < n and s.x < 50.0:
        s = State(s.x * 1.1 + s.v, s.v * 0.9)
        i += 1
    return s.x + i


def left(x: float, n: int) -> float:
    s = State(x, 0.5)
    for i in range(n):
        s = State(s.x * 1.3, s.v + s.x)
        if i == 2:
            break
    return s.x * s.v


def sometimes(x: float, n: int) -> float:
    s = State(x, 0.5)
    for i in range(n):
        if i % 2:
            s = State(s.x * 1.3, s.v + s.x)
    return s.x * s.v


def nested(x: float, n: int) -> float:
    s, total = State(x, 0.5), 0.0
    for _ in range(n):
        for _ in range(2):
            s = State(s.x + s.v * 0.1, s.v - s.x * 0.1)
        s = State(s.v, s.x)
        total += s.x
    return total


def from_whole(x: float, n: int) -> float:
    s = State(0, x)
    for _ in range(n):
        s = State(s.x + s.v * 0.1, s.v)
    return s.x * 2 + s.v


def first_kept(x: float, n: int) -> float:
    s = State(x, 0.5)
    first = s
    for _ in range(n):
        s = State(s.x + s.v * 0.1, s.v - s.x * 0.1)
    return s.x * first.x + first.v


def first_stored_into(x: float, n: int) -> float:
    s = State(x, 0.5)
    first = s
    for _ in range(n):
        s = State(s.x + s.v * 0.1, s.v - s.x * 0.1)
    first.x = 7.0 * x
    return s.x * first.v + s.v


def last_stored_into(x: float, n: int) -> float:
    s = State(x, 0.5)
    first = s
    for _ in range(n):
        s = State(s.x + s.v * 0.1, s.v - s.x * 0.1)
    s.x = s.x * x
    s.step(0.1)
    return first.x * 3.0 + s.x * first.v


def stored_into_in_rounds(x: float, n: int) -> float:
    s = State(x, 0.5)
    first = s
    for _ in range(n):
        s.step(0.1)
        s = State(s.x * 1.1, s.v)
    return s.x + first.x * first.v


def stored_into_after_it(x: float, n: int) -> float:
    s = State(x, 0.5)
    first = s
    for _ in range(n):
        s = State(s.x * 1.1, s.v)
        s.step(0.1)
    return s.x + first.x * first.v


def stored_into_by_name(x: float, n: int) -> float:
    s = State(x, 0.5)
    first = s
    for i in range(n):
        first.v += x * i
        s = State(s.x * 1.1 + s.v, s.v)
    return s.x + first.x * first.v


def one_before(x: float, n: int) -> float:
    s = State(x, 0.5)
    before = s
    for _ in range(n):
        before = s
        s = State(s.x + s.v * 0.1, s.v - s.x * 0.1)
    return s.x * before.v + before.x


def turned(x: float, n: int) -> float:
    a, b = State(x, 0.5), State(2.0 * x, 0.3)
    for _ in range(n):
        a, b = b, State(a.x * 1.1 + b.v, a.v)
    return a.x * b.v + b.x


def twice(x: float, n: int) -> float:
    a = b = State(x, 0.5)
    for _ in range(n):
        a = b = State(a.x + 0.1, b.v * x)
    a.x = 3.0 * x
    return a.x * b.x + b.v


def collected(x: float, n: int) -> float:
    s, seen = State(x, 0.5), []
    for _ in range(n):
        s = State(s.x + s.v * 0.1, s.v - s.x * 0.1)
        seen.append(s)
    for t in seen:
        t.x = t.x * x
    return s.x + sum([t.x * t.v for t in seen])


def asked_for_identity(x: float, n: int) -> float:
    s = State(x, 0.5)
    first = s
    for _ in range(n):
        s = State(s.x + s.v * 0.1, s.v - s.x * 0.1)
    return s.x * (2.0 if s is first else 3.0)


def asked_for_equality(x: float, n: int) -> float:
    s = State(x, 0.5)
    first = s
    for _ in range(n):
        s = State(s.x + s.v * 0.1, s.v - s.x * 0.1)
    return s.x * (2.0 if s == first else 3.0) * (1.5 if first in [s] else 1.0)


def computed_once(x: float, n: int) -> float:
    s = State(x, 0.5)
    first = s
    for _ in range(n):
        s = State(s.x + s.v * 0.1, s.v - s.x * 0.1)
    e = s.energy
    first.x = 5.0
    return e * first.energy


def given_back(x: float, n: int) -> State:
    s = State(x, 0.5)
    for _ in range(n):
        s = State(s.x + s.v * 0.1, s.v - s.x * 0.1)
    return s


def of_a_helper(x: float, n: int) -> float:
    s = given_back(x, n)
    s.step(0.1)
    return s.x * s.v


class Holder:
    def __init__(self, state: State) -> None:
        self.state = state


def held(x: float, n: int) -> float:
    h = Holder(State(x, 0.5))
    s = h.state
    for _ in range(n):
        s = State(s.x + s.v * 0.1, s.v - s.x * 0.1)
    s.x = 4.0 * x
    return h.state.x * s.x + s.v


def held_anew(x: float, n: int) -> float:
    h = Holder(State(x, 0.5))
    for _ in range(n):
        h.state = State(h.state.x + h.state.v * 0.1, h.state.v - h.state.x * 0.1)
    h.state.step(0.1)
    return h.state.x * h.state.v


def of_states(x: float, n: int) -> float:
    s = State(State(x, 0.5), State(0.3, x))
    for _ in range(n):
        s = State(s.x.moved(0.1), State(s.v.x + s.x.x, s.v.v))
    return s.x.x * s.v.x + s.x.v * s.v.v


def with_lists(x: float, n: int) -> float:
    s = State([x, 1.0], 0.5)
    xs = s.x
    for _ in range(n):
        s = State([s.x[0] * 1.1, s.x[1] + s.x[0]], s.v)
    xs[0] = 9.0
    return s.x[0] * s.x[1] + s.v


def deleted(x: float, n: int) -> float:
    s = State(x, 0.5)
    first = s
    for _ in range(n):
        s = State(s.x + s.v * 0.1, s.v - s.x * 0.1)
    del s.v
    return s.x * (1.0 if hasattr(first, "v") else 2.0)


FIELDS = [replaced, by_method, in_while, left, nested, from_whole, first_kept]
OTHERS = [
    *(by_dataclass, sometimes, first_stored_into, last_stored_into, stored_into_in_rounds, stored_into_after_it),
    *(stored_into_by_name, one_before, turned, twice, collected, asked_for_identity, asked_for_equality, computed_once),
    *(of_a_helper, held, held_anew, of_states, with_lists, deleted),
]


@pytest.mark.parametrize("n", [0, 1, 4])
@pytest.mark.parametrize("f", [*FIELDS, *OTHERS], ids=lambda f: f.__name__)
def test_values_and_slopes(f: Callable[..., float], n: int) -> None:
    check(f, 0.7, n)
    for k in (n, 3, 0, n):  # by what an earlier call has made
        step = 1e-6
        slope = (f(0.7 + step, k) - f(0.7 - step, k)) / (2 * step)
        for _ in range(2):
            assert grad(f)(0.7, k) == pytest.approx(slope, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("f", FIELDS, ids=lambda f: f.__name__)
def test_no_object_is_made(f: Callable[..., float]) -> None:
    grad(f)(0.7, 4)
    assert not choice.was_recorded(f)
    code = "\n".join([line.partition("#")[0] for line in code_adjoint(f, 0.7, 4).splitlines()])
    assert "State" not in code and "object_of" not in code
