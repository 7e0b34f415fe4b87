"""Copies of objects that a program makes: `copy.copy`, `copy.deepcopy`, and methods that write them."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import pytest

from adjoint import pullback
from adjoint.derivatives import choice

from .held_to_python import hold


class State:
    def __init__(self, position: Any, speed: Any) -> None:
        self.position, self.speed = position, speed

    def step(self) -> None:
        self.position = self.position + 0.1 * self.speed
        self.speed *= 0.9

    def clone(self) -> State:
        new = self.__class__.__new__(self.__class__)
        new.__dict__.update(self.__dict__)
        return new

    def bare(self) -> State:
        new = object.__new__(State)
        new.position = self.position
        new.speed = self.speed * 2.0
        return new


class Faster(State):
    def step(self) -> None:
        self.speed = self.speed * 1.1
        super().step()


class Slotted:
    __slots__ = ("value", "weights")

    def __init__(self, value: Any, weights: Any) -> None:
        self.value, self.weights = value, weights


@dataclass
class Settings:
    scale: Any
    name: str = "s"
    weights: Any = field(default_factory=list)


class Counted:
    """Of which a copy is another thing."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __copy__(self) -> Counted:
        return Counted(self.value * 2.0)

    def __deepcopy__(self, memo: Any) -> Counted:
        return Counted(self.value * 3.0)


def numbers() -> tuple[Any, ...]:
    return 1.3, 2.7


def changed_copy(x: Any, y: Any) -> Any:
    s = Settings(x, weights=[x, y])
    t = copy.copy(s)
    t.scale = t.scale * y
    t.weights.append(s.scale)
    return s.scale * t.scale + sum(s.weights)


def history(x: Any, y: Any) -> Any:
    s, seen = State(x, y), []
    for _ in range(4):
        seen.append(copy.copy(s))
        s.step()
    return sum(t.position * t.speed for t in seen) + s.position


def trial_steps(x: Any, y: Any) -> Any:
    s = State(x, y)
    for k in range(4):
        t = copy.copy(s)
        t.step()
        if t.position * k < 4.0:
            s = t
    return s.position * s.speed


def clones(x: Any, y: Any) -> Any:
    s = Faster(x, y)
    t, u = s.clone(), s.bare()
    t.step()
    s.step()
    u.step()
    return s.position * t.speed + u.position


def deep(x: Any, y: Any) -> Any:
    s = State([x, y], State(y, x))
    s.speed.position = s.position
    t = copy.deepcopy(s)
    t.speed.position.append(x * 3.0)
    t.position[0] = y
    return sum(s.position) * s.speed.speed + sum(t.position) * sum(t.speed.position)


def deep_of_one_object_twice(x: Any, y: Any) -> Any:
    inner = State(x, y)
    t = copy.deepcopy(State(inner, inner))
    t.position.step()
    return t.speed.position * t.speed.speed + inner.position


def slots(x: Any, y: Any) -> Any:
    s = Slotted(x, [x, y])
    t = copy.copy(s)
    t.weights[0] = y * y
    t.value = t.value * 2.0
    return s.value * s.weights[0] + t.value


def half_made(x: Any, y: Any) -> Any:
    s = State(x, y)
    del s.speed
    t = copy.copy(s)
    t.speed = x * y
    return t.position * t.speed + (0.0 if hasattr(s, "speed") else y)


FOLLOWED = [changed_copy, history, trial_steps, clones, deep, deep_of_one_object_twice, slots]


@pytest.mark.parametrize("f", FOLLOWED, ids=lambda f: f.__name__)
def test_copies_are_objects_of_their_own(f: Any) -> None:
    hold(f, numbers)


def by_its_own_method(x: Any, y: Any) -> Any:
    s = Counted(x)
    t, u = copy.copy(s), copy.deepcopy(s)
    t.value = t.value * y
    return s.value * t.value + u.value


def returned(x: Any, y: Any) -> Any:
    s = State(x, y)
    t = copy.copy(s)
    t.step()
    return [s, t]


@pytest.mark.parametrize(
    "f", [half_made, by_its_own_method, lambda x, y: (lambda s, t: s.position * t.position)(*returned(x, y))]
)
def test_other_copies_are_those_of_python(f: Any) -> None:
    choice.forget()
    for _ in range(3):
        y, back = pullback(f, *numbers())
        assert y == f(*numbers())
        slopes = [(f(1.3 + h, 2.7) - f(1.3 - h, 2.7)) / (2 * h) for h in (1e-6,)]
        slopes += [(f(1.3, 2.7 + h) - f(1.3, 2.7 - h)) / (2 * h) for h in (1e-6,)]
        assert back(1.0)[1:] == pytest.approx(slopes, rel=1e-6)


def test_a_method_that_comes_later_is_asked() -> None:
    class Later(State):
        pass

    def f(x: Any, y: Any) -> Any:
        s = Later(x, y)
        t = copy.copy(s)
        t.step()
        return t.position

    for _ in range(4):
        before = pullback(f, *numbers())[1](1.0)[1:]
    assert before == (1.0, 0.1)
    Later.__copy__ = lambda self: Later(self.position * 2.0, self.speed)  # type: ignore[attr-defined]
    assert f(*numbers()) == pullback(f, *numbers())[0]
    assert pullback(f, *numbers())[1](1.0)[1:] == (2.0, 0.1)
