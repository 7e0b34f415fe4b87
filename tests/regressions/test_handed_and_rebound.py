"""A function that reads a variable which is bound more than once, handed to a function with a rule."""

from __future__ import annotations

import math
from typing import Any

import pytest

from adjoint import gradient, pullback, rule
from adjoint.calculus import implicit
from adjoint.errors import UnsupportedSyntaxError
from regressions.rebound import (
    CALLS,
    PROGRAMS,
    apply,
    check_derivative,
    check_second_derivative,
    rebound_after,
    recorded,
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("name", CALLS)
def test_what_flows_to_the_variable(program: Any, name: str) -> None:
    if program is recorded and name == "pushforward":
        return  # a recording within a recording, too
    call = CALLS[name]
    check_derivative(lambda x: program(call, x))


TWICE = [(name, PROGRAMS[(i + 2) % len(PROGRAMS)]) for i, name in enumerate(CALLS)]
"""Each call, and each program; `tests/runtime/test_rebound.py` has all pairs of them."""


@pytest.mark.parametrize(("name", "program"), TWICE)
def test_what_flows_to_the_variable_twice(program: Any, name: str) -> None:
    check_second_derivative(program, CALLS[name])


def test_implicit_functions() -> None:
    def solve(p: Any) -> Any:
        x = 1.0
        for _ in range(60):
            x = math.sqrt(p / x)
        return x

    def f(p: Any) -> Any:
        total = {"all": 0.0}
        for i in (1.0, 2.0):
            k = i * i
            root = implicit(lambda x, q: x**3 - k * q / k)(solve)  # noqa: B023
            total["all"] = total["all"] + root(i * p)
        return total["all"]

    p = 2.0
    first = sum(i / 3 * (i * p) ** (-2 / 3) for i in (1, 2))
    second = sum(-(i**2) * 2 / 9 * (i * p) ** (-5 / 3) for i in (1, 2))
    assert gradient(f, p)[0] == pytest.approx(first, rel=1e-8)
    assert gradient(lambda q: gradient(f, q)[0], p)[0] == pytest.approx(second, rel=1e-8)


class Holder:
    def __init__(self, f: Any) -> None:
        self.f = f


def of_holder(holder: Any, x: Any) -> Any:
    return holder.f(x)


@rule(of_holder)
def of_holder_rule(holder: Any, x: Any) -> Any:
    y, back = pullback(holder.f, x)
    return y, lambda y_bar: (None, back(y_bar)[1])


def test_an_object_that_holds_such_a_function_is_refused() -> None:
    with pytest.raises(UnsupportedSyntaxError, match="Holder that holds a function which reads a variable"):
        gradient(lambda x: rebound_after(lambda f, v: of_holder(Holder(f), v), x), 0.9)


def test_functions_that_call_themselves() -> None:
    def f(x: Any) -> Any:
        k = x
        power = lambda n: 1.0 if n == 0 else k * power(n - 1)  # noqa: E731
        k = 2.0 * k
        return apply(lambda v: v * power(3), x)

    assert gradient(f, 0.5)[0] == pytest.approx(4 * 8 * 0.5**3)
