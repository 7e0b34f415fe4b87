"""Rules that give the tangent of their function themselves: `rule(..., forward=, forward_for=)`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from adjoint import grad, jacobian, rule
from adjoint.calculus import derivative, frule, pushforward
from adjoint.testing import GradientMismatch, check_rule


def cube(x: Any, scale: Any = 1.0) -> Any:
    return scale * math.pow(x, 3.0)


def cube_tangent(dots: Any, y: Any, x: Any, scale: Any = 1.0) -> Any:
    x_dot, scale_dot = dots
    total = 0.0 if x_dot is None else 3.0 * scale * x * x * x_dot
    return total if scale_dot is None else total + x * x * x * scale_dot


@rule(cube, forward=cube_tangent, forward_for=lambda dots, x, scale=1.0: x > 0)
def cube_rule(x: Any, scale: Any = 1.0) -> Any:
    return cube(x, scale), lambda y_bar: (3.0 * scale * x * x * y_bar, x * x * x * y_bar)


@pytest.mark.parametrize("x", [2.0, -2.0])
def test_tangents_by_any_parameter(x: float) -> None:
    assert pushforward(cube, (x,), (1.0,)) == (x**3, 12.0)
    assert pushforward(cube, (x, 0.5), (None, 1.0)) == (0.5 * x**3, x**3)
    assert pushforward(lambda x, s: cube(x, scale=s), (x, 0.5), (1.0, 1.0)) == (0.5 * x**3, 6.0 + x**3)
    assert frule(cube, (x,), (1.0,))[1] == 12.0


@pytest.mark.parametrize("x", [2.0, -2.0])
def test_it_is_differentiated_where_modes_nest(x: float) -> None:
    assert derivative(cube, 2)(x) == 6 * x
    assert grad(lambda x: pushforward(cube, (x,), (1.0,))[1])(x) == 6 * x
    assert pushforward(grad(cube), (x,), (1.0,))[1] == 6 * x
    assert grad(lambda d: pushforward(cube, (x,), (d,))[1])(1.0) == 12.0


@pytest.mark.parametrize("x", [2.0, -2.0])
def test_third_derivative(x: float) -> None:
    assert derivative(cube, 3)(x) == 6.0


def test_it_is_what_runs_and_only_where_it_holds() -> None:
    def line(x: Any) -> Any:
        return 2.0 * x

    def line_tangent(dots: Any, y: Any, x: Any) -> Any:
        return 100.0 * dots[0]  # to be told from the pullback

    @rule(line, forward=line_tangent, forward_for=lambda dots, x: x > 0)
    def line_rule(x: Any) -> Any:
        return line(x), lambda y_bar: (2.0 * y_bar,)

    assert [pushforward(line, (x,), (1.0,))[1] for x in (1.0, -1.0)] == [100.0, 2.0]
    with pytest.raises(GradientMismatch):
        check_rule(line, 1.0)


def test_arrays_and_seeds() -> None:
    def solution(a: Any, b: Any) -> Any:
        return np.linalg.solve(a, b)

    def solution_tangent(dots: Any, x: Any, a: Any, b: Any) -> Any:
        a_dot, b_dot = dots
        change = np.zeros_like(x) if b_dot is None else b_dot
        return np.linalg.solve(a, change if a_dot is None else change - a_dot @ x)

    @rule(solution, forward=solution_tangent)
    def solution_rule(a: Any, b: Any) -> Any:
        x = solution(a, b)

        def solution_back(x_bar: Any) -> Any:
            b_bar = np.linalg.solve(a.T, x_bar)
            return -np.outer(b_bar, x), b_bar

        return x, solution_back

    a, b = np.array([[2.0, 1.0], [0.5, 3.0]]), np.array([1.0, -1.0])
    check_rule(solution, a, b)
    np.testing.assert_allclose(
        jacobian(lambda b: solution(a, b) ** 2, b, mode="forward")[0],
        jacobian(lambda b: solution(a, b) ** 2, b, mode="reverse")[0],
    )
