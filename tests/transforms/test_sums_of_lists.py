"""Sums of lists of numbers: each item has the cotangent of the sum, and no rule is called."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from ways import check_calls, slopes

from adjoint import grad, pullback
from adjoint.inspect import code_adjoint

PROGRAMS: list[Callable[[float, float], Any]] = []


def program(f: Callable[[float, float], Any]) -> Callable[[float, float], Any]:
    PROGRAMS.append(f)
    return f


@program
def a_comprehension(x, y):
    return sum([x * i * y for i in range(12)]) * y


@program
def a_generator(x, y):
    return sum(math.exp(v) for v in [x, y, x * y]) + math.fsum(v * y for v in (x, y))


@program
def in_a_loop(x, y):
    s = 0.0
    for i in range(5):
        s = 0.5 * s + sum([x, s, y * i]) * sum(v * s for v in [x, y])
    return s


@program
def of_fsum(x, y):
    xs = [x * i for i in range(20)]
    return math.fsum(xs) * math.fsum([y, x])


@program
def of_a_list_that_grows(x, y):
    xs, s = [x, y], x
    for _ in range(4):
        s = s * 0.5 + sum(xs)
        xs.append(s)
        s = s + math.fsum(xs) * 0.1
    return s + sum(xs)


@program
def of_nothing(x, y):
    return sum([v for v in [x, y] if v > 10.0]) * y + x + sum([])


@program
def of_items_that_are_used_again(x, y):
    xs = [x * y, x + y, y]
    total = sum(xs)
    return sum([v / total * xs[0] for v in xs])


@program
def of_lists_of_lists(x, y):
    rows = [[x * i + j for j in range(4)] for i in range(3)]
    return sum([sum(row) * y for row in rows]) + sum(rows[1])


@program
def with_a_start(x, y):
    return sum([x, y], x * y) + sum([x, 2, y]) + sum([True, x])


@program
def handed_to_a_function(x, y):
    def total(xs):
        return sum(xs)

    return total([x * i for i in range(3)]) * total([y])


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    check_calls(f, 0.6, 0.7, near=1e-9)
    for i in (0, 1):
        second = grad(grad(f, i), (0, 1))(0.6, 0.7)
        assert second == pytest.approx(slopes(grad(f, i), 0.6, 0.7), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_third_derivatives(f: Any) -> None:
    third = grad(grad(grad(f)))(0.6, 0.7)
    assert third == pytest.approx(slopes(grad(grad(f)), 0.6, 0.7)[0], rel=1e-3, abs=1e-4)


def test_no_rule_is_called() -> None:
    text = str(code_adjoint(a_comprehension, 0.6, 0.7))
    assert "sum_rule" not in text
    assert "_back" not in text


def test_a_list_that_is_an_argument_stays_as_it_is() -> None:
    def f(xs: list[float], y: float) -> float:
        return sum(xs) * y

    xs = [1.0, 2.0, 3.0]
    y, back = pullback(f, xs, 2.0)
    assert back(1.0)[1:] == back(1.0)[1:] == ([2.0, 2.0, 2.0], 6.0)
    assert xs == [1.0, 2.0, 3.0]
