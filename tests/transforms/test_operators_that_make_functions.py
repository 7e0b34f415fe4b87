"""Operators of objects that hold functions, and make another one of two of them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from adjoint import grad, jvp
from adjoint.derivatives.choice import was_recorded
from adjoint.runtime.implicit_calls import runs_stores


class Step:
    def __init__(self, f: Any) -> None:
        self.f = f

    def __call__(self, x: Any) -> Any:
        return self.f(x)

    def __or__(self, other: Any) -> Step:
        return Step(lambda x: other(self(x)))

    def __mul__(self, k: Any) -> Step:
        return Step(lambda x: k * self(x))


class Signal:
    def __init__(self, f: Any) -> None:
        self.f = f

    def __add__(self, other: Any) -> Signal:
        return Signal(lambda t: self.f(t) + other.f(t))

    def shift(self, d: Any) -> Signal:
        return Signal(lambda t: self.f(t - d))


def piped(x: Any) -> Any:
    step = Step(lambda v: v * v + x) | Step(math.exp)
    return sum(step(0.1 * i) for i in range(5))


def scaled(x: Any) -> Any:
    step, total = Step(lambda v: math.sin(v + x)) * x, 0.0
    for i in range(5):
        total += step(0.1 * i)
    return total


def summed(x: Any) -> Any:
    s = Signal(lambda t: math.sin(x * t))
    total = s
    for k in range(1, 3):
        total = total + s.shift(0.1 * k)
    return sum(total.f(0.1 * i) ** 2 for i in range(5))


@pytest.mark.parametrize("f", [piped, scaled, summed])
def test_they_are_followed(f: Any) -> None:
    h = 1e-6
    slope = (f(0.73 + h) - f(0.73 - h)) / (2 * h)
    for _ in range(3):
        assert grad(f)(0.73) == pytest.approx(slope, rel=1e-6)
        assert jvp(f, (0.73,), (1.0,))[1] == pytest.approx(slope, rel=1e-6)
    assert not was_recorded(f)


NOTED: list[Any] = []


class Noting(Step):
    def __or__(self, other: Any) -> Step:
        def step(x: Any) -> Any:
            NOTED.append(x)
            return other(self(x))

        return Noting(step)


class Calling(Step):
    def __or__(self, other: Any) -> Step:
        return Calling(other(lambda x: NOTED.append(x)))


class Kept:
    def __init__(self, f: Any) -> None:
        NOTED.append(f)
        self.f = f

    def __or__(self, other: Any) -> Kept:
        return Kept(lambda x: other.f(self.f(x)))


def test_what_a_method_does_itself_counts() -> None:
    assert not runs_stores(Step) and not runs_stores(Signal)
    assert runs_stores(Calling) and runs_stores(Kept)


def noted(x: Any) -> Any:
    step = Noting(lambda v: v * x) | Noting(math.exp)
    return step(0.5) + step(x)


def test_what_is_noted_is_noted_once_for_each_run() -> None:
    for _ in range(3):
        NOTED.clear()
        assert grad(noted)(0.73) == pytest.approx(0.5 * math.exp(0.365) + 2 * 0.73 * math.exp(0.73**2))
        assert NOTED == [0.5, 0.73]
