"""Derivatives of derivatives in both modes, in any order: their values, and how many programs they take."""

from __future__ import annotations

import itertools
import logging
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, value_and_grad
from adjoint.calculus import derivative

WAYS: dict[str, Any] = {"d": derivative, "g": grad}


def built(word: str, f: Any) -> Any:
    for way in reversed(word):
        f = WAYS[way](f)
    return f


def words(n: int) -> list[str]:
    return ["".join(word) for word in itertools.product("dg", repeat=n)]


@pytest.mark.parametrize("word", [*words(2), *words(3), *words(4)])
def test_values(word: str) -> None:
    n = len(word)
    assert built(word, lambda x: math.exp(2 * x))(0.7) == pytest.approx(2**n * math.exp(1.4))
    assert built(word, lambda x: math.sin(x))(0.7) == pytest.approx(math.sin(0.7 + n * math.pi / 2))
    power = math.prod(range(6 - n, 6)) * 0.7 ** (5 - n)
    assert built(word, lambda x: x**5)(0.7) == pytest.approx(power)
    if n < 3:
        assert built(word, lambda x: x**5)(np.float64(0.7)) == pytest.approx(power)


def looped(x: float) -> float:
    s = 0.0
    for i in range(4):
        s = s * x + math.sin(x) * i
    return s


def branching(x: float) -> float:
    return x**3 if x > 0.5 else math.exp(x)


class Moving:
    def __init__(self, x: float) -> None:
        self.x, self.v = x, 1.0

    def step(self) -> None:
        self.v = self.v + self.x * self.x
        self.x = self.x * self.v


def stepping(x: float) -> float:
    moving = Moving(x)
    moving.step()
    moving.step()
    return moving.x


def constant(x: float) -> float:
    return 3.0


def slope(f: Callable[[float], float], x: float, h: float = 1e-3) -> float:
    return (f(x - 2 * h) - 8 * f(x - h) + 8 * f(x + h) - f(x + 2 * h)) / (12 * h)


@pytest.mark.parametrize("word", words(3))
@pytest.mark.parametrize("f", [looped, branching, stepping, constant])
def test_programs(f: Any, word: str) -> None:
    expected = slope(built(word[1:], f), 0.7)
    assert built(word, f)(0.7) == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_within_programs() -> None:
    def f(x: float, c: float) -> float:
        return x**3 * c

    def of_both(x: float) -> float:
        return derivative(f)(x, x) * grad(f)(x, 2.0) + value_and_grad(f)(x, 1.0)[1]

    def captured(x: float) -> float:
        return derivative(lambda t: t * t * x)(x) + grad(lambda t: t * t * x)(2.0)

    for way in (derivative, grad, lambda f: lambda x: gradient(f, x)[0]):
        assert way(of_both)(0.7) == pytest.approx(90 * 0.7**4 + 6 * 0.7)  # type: ignore[no-untyped-call]
        assert way(captured)(0.7) == pytest.approx(4 * 0.7 + 4.0)  # type: ignore[no-untyped-call]


def test_an_effect_happens_once_for_each_call() -> None:
    seen: list[str] = []

    def f(x: float) -> float:
        print("seen")
        seen.append("seen")
        return x**4

    for way in words(2):
        assert built(way, lambda x: x * x * x)(2.0) == 12.0
    assert derivative(grad(f))(2.0) == pytest.approx(48.0)
    assert seen


def test_overflow_is_raised() -> None:
    for word in words(3):
        with pytest.raises(OverflowError):
            built(word, lambda x: math.exp(x) * 0.0)(1e5)


@pytest.mark.parametrize("word", words(4))
def test_programs_are_few(word: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "adjoint"):
        built(word, lambda x: math.exp(2 * x) * x)(0.1)
    assert len([r for r in caplog.records if r.getMessage().startswith("generated")]) < 30  # it was 400, or had no end
