"""Second and third derivatives of functions that call others: what a rule's `back` is, is known by its type."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import grad
from adjoint.ir import intrinsics
from adjoint.ir.places import PLACES
from adjoint.runtime.calls import spec_of_call


def wave(x: float) -> float:
    return math.sin(x) * x


def pair(x: float, y: float) -> tuple[float, float]:
    return x * y + math.exp(x), x - y


def scaled(x: float, c: float | None) -> float:
    return x if c is None else x * c


def twice(x: float, y: float) -> float:
    return x * y * x


def in_a_loop(x: float) -> float:
    s = x
    for i in range(3):
        s = wave(s) + i * x
    return s


def in_branches(x: float) -> float:
    y = wave(x) if x > 0.3 else x * x
    return y * wave(y)


def several(x: float) -> float:
    a, b = pair(x, x * x)
    c, d = pair(a, b)
    return c * d


def given_none(x: float) -> float:
    return scaled(x, None) * scaled(x, x) + scaled(x, 2.0)


def given_one_twice(x: float) -> float:
    return twice(x, x) + twice(x * x, x * x)


def while_small(x: float) -> float:
    y = x
    while y < 3:
        y = twice(y, 1.5) + 1.0
    return y


def left_early(x: float) -> float:
    for _ in range(4):
        x = wave(x) + 1.0
        if x > 1.9:
            return x * x
    return x


def filled_by_the_last(x: float) -> float:
    done: list[float] = []
    for z in (1.0, None, 2.5, None):
        done.append(z if z is not None else done[-1] * x if done else 0.0)
    return sum(v * v for v in done)


def by_a_helper(x: float) -> float:
    return filled_by_the_last(x) * x


PROGRAMS = [
    in_a_loop,
    in_branches,
    several,
    given_none,
    given_one_twice,
    while_small,
    left_early,
    by_a_helper,
]


def slope(f: Callable[[float], float], x: float, h: float = 1e-3) -> float:
    return (f(x - 2 * h) - 8 * f(x - h) + 8 * f(x + h) - f(x + 2 * h)) / (12 * h)


@pytest.mark.parametrize("f", PROGRAMS)
def test_second_and_third_derivatives(f: Any) -> None:
    for x in (0.7, 0.71):
        assert grad(grad(f))(x) == pytest.approx(slope(grad(f), x), rel=1e-6)
        assert grad(grad(grad(f)))(x) == pytest.approx(slope(grad(grad(f)), x), rel=1e-6)


@pytest.mark.parametrize("f", [in_a_loop, in_branches, several])
def test_nothing_is_found_as_a_second_derivative_runs(f: Any) -> None:
    spec, _ = spec_of_call(grad(f), (0.7,), {})
    assert spec.resolved


def test_places_are_those_of_the_function_itself() -> None:
    def f(a: float, b: float) -> Any:
        return lambda: (a, b)

    g = f(1.0, 2.0)
    assert intrinsics.captured(g, "0", 0) == 1.0
    PLACES[id(g.__code__)] = {"0": 1, "1": 0}
    try:
        assert intrinsics.captured(g, "0", 0) == 2.0
        assert intrinsics.captured(g, "1", 1) == 1.0
    finally:
        del PLACES[id(g.__code__)]
