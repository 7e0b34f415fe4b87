"""State that classes have: counters, numbers and lists that objects share by their class."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import hvp, jvp, pullback
from adjoint.derivatives import choice


class Body:
    made = 0
    scale = 1.0
    ids = itertools.count()
    every: list[Any] = []

    def __init__(self, mass: Any) -> None:
        self.mass = mass
        Body.made += 1
        self.id = next(self.ids)

    def weight(self, g: Any) -> Any:
        return self.mass * g * self.scale


class Moon(Body):
    turns = 0

    def weight(self, g: Any) -> Any:
        type(self).turns += 1
        return super().weight(g) + self.turns * 0.0


class Kept:
    every: list[Any] = []

    def __init__(self, mass: Any) -> None:
        self.mass = mass
        Kept.every.append(self)


class Counting:
    calls = 0

    @classmethod
    def count(cls) -> None:
        cls.calls += 1

    def __call__(self, x: Any) -> Any:
        self.count()
        return x * x


def reset() -> None:
    Body.made, Body.scale, Body.ids = 0, 1.0, itertools.count()
    Moon.turns, Counting.calls = 0, 0
    Kept.every.clear()
    if "made" in vars(Moon):
        del Moon.made


def counted(x: Any, y: Any) -> Any:
    total = 0.0
    for i in range(4):
        total += Body(x * i).weight(y)
    return total


def by_place(x: Any, y: Any) -> Any:
    bodies = [Body(x), Body(y)]
    return bodies[0].mass * y + bodies[1].mass * (bodies[1].id - bodies[0].id)


def of_subclass(x: Any, y: Any) -> Any:
    return sum(Moon(x * i).weight(y) for i in range(3)) * (1.0 if Moon.turns > 0 else 0.0)


def scaled(x: Any, y: Any) -> Any:
    Body.scale = x * y
    one = Body(x)
    total = one.weight(2.0)
    Body.scale = 1.0
    return total + one.weight(y)


def scale_of_one(x: Any, y: Any) -> Any:
    one, other = Body(x), Body(y)
    one.scale = y
    Body.scale = x
    total = one.weight(2.0) + other.weight(3.0)
    Body.scale = 1.0
    return total


def listed(x: Any, y: Any) -> Any:
    Kept.every.clear()
    for i in range(3):
        Kept(x * i + y)
    return sum(k.mass * k.mass for k in Kept.every)


def by_class_method(x: Any, y: Any) -> Any:
    f = Counting()
    return f(x) * f(y) + Counting.calls * 0.0


def helper() -> int:
    return Body.made


def read_elsewhere(x: Any, y: Any) -> Any:
    before = helper()
    Body(x)
    Body(y)
    return x * y * (helper() - before)


STATEFUL = [counted, by_place, of_subclass, scaled, scale_of_one, listed, by_class_method, read_elsewhere]


def state() -> Any:
    kept = [k.mass for k in Kept.every]
    return Body.made, Body.scale, next(Body.ids), Moon.turns, vars(Moon).get("made"), kept, Counting.calls


def after(f: Callable[..., Any], run: Callable[[], Any], times: int) -> tuple[Any, Any]:
    reset()
    for _ in range(times):
        found = run()
    return found, state()


@pytest.mark.parametrize("f", STATEFUL, ids=lambda f: f.__name__)
def test_state_of_classes_is_that_of_python(f: Any) -> None:
    choice.forget()
    x, y, h = 1.3, 2.7, 1e-6
    value, expected = after(f, lambda: f(x, y), 5)
    slopes = [(f(x + h, y) - f(x - h, y)) / (2 * h), (f(x, y + h) - f(x, y - h)) / (2 * h)]
    found, left = after(f, lambda: pullback(f, x, y), 5)
    assert found[0] == value
    assert left == expected
    assert found[1](1.0)[1:] == pytest.approx(slopes, rel=1e-6)
    assert found[1](1.0)[1:] == pytest.approx(slopes, rel=1e-6)
    assert not choice.was_recorded(f)
    (value_along, along), left = after(f, lambda: jvp(f, (x, y), (0.3, -0.7)), 5)
    assert value_along == value
    assert along == pytest.approx(0.3 * slopes[0] - 0.7 * slopes[1], rel=1e-6)
    assert left == expected
    second, left = after(f, lambda: hvp(f, (x, y), (0.3, -0.7)), 5)
    ends = [pullback(f, x + 0.3 * d, y - 0.7 * d)[1](1.0)[1:] for d in (1e-5, -1e-5)]
    assert [b or 0.0 for b in second] == pytest.approx([(a - b) / 2e-5 for a, b in zip(*ends, strict=True)], abs=1e-6)
    assert left == expected


def test_a_number_of_a_class_that_changes_its_type() -> None:
    class Limits:
        top: Any = 1

        def __init__(self, x: Any) -> None:
            self.x = x
            Limits.top = Limits.top * 2

    def f(x: Any) -> Any:
        one = Limits(x)
        return one.x * Limits.top + Limits(x).top * x

    for _ in range(3):
        Limits.top = 1
        y = f(1.5)
        for start in (1, 1.0, 1, 2.5):
            Limits.top = start
            y, back = pullback(f, 1.5)
            assert Limits.top == start * 4
            assert (y, back(1.0)[1]) == (1.5 * start * 6, start * 6)


def test_what_is_set_between_calls_is_seen() -> None:
    def g(x: Any) -> Any:
        return Body(x).weight(1.0)

    reset()
    for scale in (1.0, 2.0, 3.0, 3.0):
        Body.scale = scale
        assert pullback(g, 1.5)[1](1.0)[1] == scale
    reset()


def test_a_run_that_raises_leaves_what_python_leaves() -> None:
    def f(x: Any) -> Any:
        one = Body(x)
        if x > 1.0:
            raise ValueError("too large")
        return one.mass * x

    reset()
    for _ in range(3):
        pullback(f, 0.5)
        with pytest.raises(ValueError, match="too large"):
            pullback(f, 1.5)
    assert Body.made == 6
    reset()


class Job:
    """A job that a heap orders by what its number is worth."""

    ids = itertools.count()

    def __init__(self, cost: Any) -> None:
        self.cost = cost
        self.id = next(self.ids)

    def __lt__(self, other: Any) -> bool:
        return bool(self.cost < other.cost)


def test_a_counter_goes_on_once_where_another_program_follows() -> None:
    def f(x: Any) -> Any:
        heap: list[Any] = []
        for cost in (x, x * x, 1.0):
            heapq.heappush(heap, Job(cost))
        first = heapq.heappop(heap)
        return first.cost + first.id * x

    for _ in range(3):
        Job.ids = itertools.count()
        y, back = pullback(f, 0.5)
        assert (y, back(1.0)[1]) == (0.75, 2.0)
        assert next(Job.ids) == 3
