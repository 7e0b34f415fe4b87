"""Objects that others may have, with fields that hold objects which refuse stores, and lists made for each."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any

import pytest

from adjoint import pullback
from adjoint.derivatives import choice

from .held_to_python import hold, hold_errors


@dataclass(frozen=True)
class Vector:
    x: Any
    y: Any = 0.0

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, k: Any) -> Vector:
        return Vector(self.x * k, self.y * k)

    def dot(self, other: Vector) -> Any:
        return self.x * other.x + self.y * other.y


@dataclass(frozen=True, slots=True)
class Slotted:
    a: Any
    b: Any = 2.0


@dataclass
class Body:
    mass: Any
    position: Vector
    speed: Vector
    trail: list[Any] = field(default_factory=list)


class World:
    def __init__(self, bodies: Any) -> None:
        self.bodies = bodies

    def step(self, dt: Any) -> None:
        for a, b in itertools.combinations(self.bodies, 2):
            d = b.position - a.position
            pull = 1.0 / (d.dot(d) + 0.5)
            a.speed = a.speed + d * (b.mass * pull * dt)
            b.speed = b.speed - d * (a.mass * pull * dt)
        for b in self.bodies:
            b.position = b.position + b.speed * dt
            b.trail.append(b.position.x)


class Table:
    """Linear interpolation, which looks first where it found its place last."""

    def __init__(self, xs: Any, ys: Any) -> None:
        self.xs, self.ys, self.last = xs, ys, None

    def __call__(self, x: Any) -> Any:
        if self.last is not None and self.xs[self.last] <= x < self.xs[self.last + 1]:
            i = self.last
        else:
            i = min(max(bisect.bisect_right(self.xs, x) - 1, 0), len(self.xs) - 2)
        self.last = i
        t = (x - self.xs[i]) / (self.xs[i + 1] - self.xs[i])
        return self.ys[i] * (1 - t) + self.ys[i + 1] * t


def numbers() -> tuple[Any, ...]:
    return 1.3, 0.7


def three(x: Any, y: Any) -> list[Any]:
    return [
        Body(x, Vector(0.0, 0.1), Vector(0.0, y)),
        Body(1.0, Vector(1.0), Vector(0.0, 1.0)),
        Body(0.5, Vector(x, 1.0), Vector(-0.5)),
    ]


def bodies(x: Any, y: Any) -> Any:
    world = World(three(x, y))
    for _ in range(3):
        world.step(0.1)
    return sum(b.mass * b.speed.dot(b.speed) + sum(b.trail) for b in world.bodies)


def shared_vector(x: Any, y: Any) -> Any:
    v = Vector(x, y)
    a, b = Body(1.0, v, v), Body(y, v, v * 2.0)
    for body in [a, b]:
        body.position = body.position + body.speed
    return a.position.dot(b.position) + v.x + (1.0 if a.speed is v else 0.0)


def slotted(x: Any, y: Any) -> Any:
    seen = [Body(x, Slotted(x, y), Slotted(y)), Body(y, Slotted(y), Slotted(x))]  # type: ignore[arg-type]
    for b in seen:
        b.position = Slotted(b.position.a * x, b.position.b)  # type: ignore[assignment,attr-defined]
    return sum(b.position.a * b.position.b * b.speed.b for b in seen)  # type: ignore[attr-defined]


def replaced(x: Any, y: Any) -> Any:
    seen = three(x, y)
    for b in seen:
        b.position = replace(b.position, x=b.position.x * y)
    return sum(b.position.x * b.mass for b in seen)


def trails(x: Any, y: Any) -> Any:
    seen = three(x, y)
    for i, b in enumerate(seen):
        b.trail.append(b.mass * i)
        b.trail += [x, y]
        b.mass = b.mass * 2.0
    return sum(sum(b.trail) * b.mass for b in seen) + len(seen[0].trail) * (seen[0].trail is not seen[1].trail)


def pairs(x: Any, y: Any) -> Any:
    seen = three(x, y)
    for a, b in itertools.product(seen, seen):
        a.mass = a.mass + 0.1 * b.mass * y
    for a, b in itertools.permutations(seen, 2):
        b.mass = b.mass * (1.0 + 0.1 * a.mass)
    for a, b in zip(seen, reversed(seen)):  # noqa: B905
        a.mass = a.mass + b.mass
    return sum(b.mass for b in seen)


def interpolated(x: Any, y: Any) -> Any:
    table, v = Table([0.0, 1.0, 2.0, 3.0], [x, y, x * y, 1.0]), 0.3
    for _ in range(6):
        v += 0.2 * table(v)
    return v


def found(x: Any, y: Any) -> Any:
    xs = [0.0, y, 2.0]
    return xs[bisect.bisect_left(xs, x) - 1] * x + bisect.bisect(xs, x, hi=2) * y


FOLLOWED = [bodies, shared_vector, slotted, replaced, trails, pairs, interpolated, found]


@pytest.mark.parametrize("f", FOLLOWED, ids=lambda f: f.__name__)
def test_they_are_memory_like_others(f: Any) -> None:
    hold(f, numbers)


def with_table(table: Any, x: Any) -> Any:
    v = x
    for _ in range(6):
        v += 0.2 * table(v)
    return v


def test_a_table_that_is_an_argument() -> None:
    hold(with_table, lambda: (Table([0.0, 1.0, 2.0, 3.0], [1.0, 2.0, 0.5, 1.0]), 0.3), second=False)


def stored_later(x: Any, y: Any) -> Any:
    seen = three(x, y)
    for b in seen:
        b.mass = b.mass * y
        b.position.x = b.mass  # type: ignore[misc]
    return seen[0].mass


def test_stores_into_what_refuses_them_are_refused_by_python() -> None:
    hold_errors(stored_later, numbers, FrozenInstanceError)


class Growing:
    """Of which each item that is taken adds one."""

    def __init__(self, items: Any) -> None:
        self.items = items

    def __iter__(self) -> Iterator[Any]:
        for b in self.items[:]:
            self.items.append(b)
            yield b


def grown_meanwhile(x: Any, y: Any) -> Any:
    seen = three(x, y)
    for a, b in itertools.combinations(Growing(seen), 2):
        a.mass = a.mass + b.mass * 0.1
        if len(seen) < 8:
            seen.append(b)
    return sum(b.mass for b in seen)


def replaced_meanwhile(x: Any, y: Any) -> Any:
    seen = three(x, y)
    for a, b in itertools.combinations(seen, 2):
        seen[2] = Body(y, a.position, b.speed)
        a.mass = a.mass + b.mass * 0.1
    return sum(b.mass for b in seen)


@pytest.mark.parametrize("f", [grown_meanwhile, replaced_meanwhile])
def test_pairs_of_a_list_that_changes_meanwhile(f: Any) -> None:
    choice.forget()
    x, y, h = 1.3, 0.7, 1e-6
    slopes = [(f(x + h, y) - f(x - h, y)) / (2 * h), (f(x, y + h) - f(x, y - h)) / (2 * h)]
    for _ in range(3):
        value, back = pullback(f, x, y)
        assert value == f(x, y)
        assert [d or 0.0 for d in back(1.0)[1:]] == pytest.approx(slopes, rel=1e-6, abs=1e-6)
