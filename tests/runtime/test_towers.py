"""Derivatives of high order in forward mode: tangents of tangents of tangents, and what they cost."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient
from adjoint.calculus import derivative, pushforward

from ..regressions.counting import calls


def powered(n: Any) -> Any:
    return lambda x: x**n


def falling(n: float, k: int) -> float:
    return math.prod(n - i for i in range(k))


@pytest.mark.parametrize("n", [5, 4.5, np.float64(5)], ids=["int", "float", "float64"])
@pytest.mark.parametrize("order", [3, 4])
def test_powers(n: Any, order: int) -> None:
    assert derivative(powered(n), order)(2.0) == pytest.approx(falling(n, order) * 2.0 ** (n - order))


def test_fifth() -> None:
    assert derivative(math.sin, 5)(0.3) == pytest.approx(math.cos(0.3))
    assert derivative(lambda x: math.exp(2 * x), 5)(0.1) == pytest.approx(32 * math.exp(0.2))


@pytest.mark.parametrize("f", [lambda x: x**5, lambda x: math.sin(x) * x], ids=["power", "product"])
def test_one_order_more_costs_a_few_times_as_much(f: Any) -> None:
    derivative(lambda x: x * x, 2)(2.0)
    fourth, fifth = (calls(derivative(f, n), 2.0) for n in (4, 5))
    assert fourth < 400_000  # it was six million: the programs of the dispatch itself were differentiated
    assert fifth < 5 * fourth


def test_third_order_of_a_power_of_numpy() -> None:
    derivative(lambda x: x * x, 2)(2.0)
    assert calls(derivative(powered(np.float64(5)), 3), 2.0) < 1_000_000  # 4.5 million


def test_the_other_way_round() -> None:
    def summed(x: float) -> float:
        total = 0.0
        for n in range(5):
            total = total + derivative(lambda t: t**n, 3)(x)  # noqa: B023
        return total

    assert summed(2.0) == 54.0
    assert gradient(summed, 2.0) == (24.0,)
    assert pushforward(summed, (2.0,), (1.0,)) == (54.0, 24.0)
    assert grad(derivative(lambda x: x**6, 3))(1.0) == 360.0
    assert derivative(grad(derivative(lambda x: x**6, 2)), 1)(1.0) == 360.0


def test_what_moves_with_the_outer_variable() -> None:
    def f(x: float) -> Any:
        return derivative(lambda t: math.exp(x * t), 2)(x)  # x² exp(x²)

    x = 0.7
    right = (2 * x + 2 * x**3) * math.exp(x * x)
    assert pushforward(f, (x,), (1.0,))[1] == pytest.approx(right)
    assert gradient(f, x)[0] == pytest.approx(right)
    h = 1e-5
    second = (derivative(f)(x + h) - derivative(f)(x - h)) / (2 * h)
    assert derivative(f, 2)(x) == pytest.approx(second, 1e-6)


def test_directions_of_several_arguments() -> None:
    def f(x: float, y: float) -> float:
        return x * x * y**3

    def along(g: Any) -> Any:
        return lambda x, y: pushforward(g, (x, y), (1.0, 2.0))[1]

    def moving(g: Any) -> Any:
        return lambda x, y: pushforward(g, (x, y), (y, x))[1]

    assert along(along(along(along(f))))(2.0, 3.0) == 6 * 4 * 36 + 4 * 8 * 24
    h = 1e-5
    third = moving(moving(moving(f)))
    numeric = (moving(moving(f))(2.0 + 3 * h, 3.0 + 2 * h) - moving(moving(f))(2.0 - 3 * h, 3.0 - 2 * h)) / (2 * h)
    assert third(2.0, 3.0) == pytest.approx(numeric, 1e-6)
    fourth = moving(third)(2.0, 3.0)
    assert fourth == pytest.approx((third(2 + 3 * h, 3 + 2 * h) - third(2 - 3 * h, 3 - 2 * h)) / (2 * h), 1e-6)


@pytest.mark.parametrize("order", [4, 5, 6])
def test_programs_of_a_high_order_are_few(order: int, caplog: pytest.LogCaptureFixture) -> None:
    def f(x: float) -> float:
        return math.exp(2 * x) * x

    with caplog.at_level("DEBUG", "adjoint"):
        found = derivative(f, order)(0.1)
    assert found == pytest.approx((2**order * 0.1 + order * 2 ** (order - 1)) * math.exp(0.2))
    assert len([r for r in caplog.records if r.getMessage().startswith("generated")]) < 20 * order
