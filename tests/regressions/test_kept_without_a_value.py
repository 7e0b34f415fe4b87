"""Variables that have no value in some rounds of a loop, and are kept for the reverse pass in all of them: the program
ended in an `UnboundLocalError`."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from adjoint import hvp, jvp
from adjoint.derivatives.choice import is_structured_call

from .differences import check


def under_a_condition_in_the_body(x: float, n: int) -> float:
    best = x
    for i in range(n):
        try:
            c = x * i - 1.0
            if c > 0.5:
                value = math.log(c)
        except ValueError:
            x = x * 2.0
        else:
            if c > 0.5:
                best = best + value * value
    return best


def under_the_same_condition_twice(x: float, n: int) -> float:
    best = x
    for i in range(n):
        c = x * i - 1.0
        if c > 0.5:
            value = c * c
            for _ in range(i % 2):
                value = value * x
        if c > 0.5:
            best = best + value * value
    return best


PROGRAMS = [under_a_condition_in_the_body, under_the_same_condition_twice]


@pytest.mark.parametrize("f", PROGRAMS)
def test_values_and_derivatives(f: Callable[[float, int], float]) -> None:
    for n in (0, 1, 4):
        check(f, 1.3, n, order=2)
        assert is_structured_call(f, (1.3, n))


@pytest.mark.parametrize("f", PROGRAMS)
def test_along_a_tangent(f: Callable[[float, int], float]) -> None:
    h = 1e-5
    slope = (f(1.3 + h, 4) - f(1.3 - h, 4)) / (2 * h)
    assert jvp(f, (1.3, 4), (1.0, None))[1] == pytest.approx(slope, rel=1e-7)
    found = hvp(f, (1.3, 4), (1.0, None))[0]
    curve = (jvp(f, (1.3 + h, 4), (1.0, None))[1] - jvp(f, (1.3 - h, 4), (1.0, None))[1]) / (2 * h)
    assert found == pytest.approx(curve, rel=1e-6)
