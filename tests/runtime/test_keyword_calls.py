"""Calls with keywords of functions that only the run shows: laid out once, and called as calls by position are."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from ways import check_calls, slopes

from adjoint import grad, gradient, rule
from adjoint.calculus import pushforward


def damped(x, rate=1.0, *, shift=0.0):
    return x * math.exp(-rate) + shift * x


def scaled(x, *, shift, rate):
    return rate * x + shift * shift


def plain(rate, x, shift):
    return x * rate - shift


FUNCTIONS = [damped, scaled, plain]
OPTIONS: list[dict[str, float]] = [{"rate": 0.5, "shift": 1.5}, {"shift": 0.3, "rate": 2.0}]


def in_another_order(x, y):
    total = 0.0
    for i in range(6):
        total += FUNCTIONS[i % 3](shift=x, x=y + total, rate=x * y)
    return total


def some_by_position(x, y):
    total = 0.0
    for i in range(6):
        total += FUNCTIONS[i % 2](total + x, shift=y, rate=x)
    return total


def defaults(x, y):
    return sum(f(x * y) + f(x, shift=y) + f(y, 2.0) for f in FUNCTIONS[:1])


def options(x, y):
    total = x
    for i in range(4):
        total = FUNCTIONS[i % 2](total, **OPTIONS[i % 2]) * y
    return total


def options_that_are_differentiated(x, y):
    total = x
    for i in range(4):
        given = {"rate": x, "shift": total} if i % 2 else {"shift": y, "rate": x * y}
        total = FUNCTIONS[i % 2](total, **given)
    return total


def empty_options(x, y):
    none: dict[str, float] = {}
    return sum(f(x, y, **none) * f(y, **none) for f in FUNCTIONS[:1])


def several_options(x, y):
    first, second = {"rate": x}, {"shift": y}
    return sum(f(x * y, **first, **second) + f(*(x,), **{"rate": y, "shift": x}) for f in FUNCTIONS[:2])


PROGRAMS = [
    *(in_another_order, some_by_position, defaults, options, options_that_are_differentiated, empty_options),
    several_options,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Callable[[float, float], float]) -> None:
    check_calls(f, 0.7, 0.4)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives(f: Callable[[float, float], float]) -> None:
    def length(x: float, y: float) -> float:
        a, b = gradient(f, x, y)
        return a * a + 2 * b

    for _ in range(2):
        assert gradient(length, 0.7, 0.4) == pytest.approx(slopes(length, 0.7, 0.4), rel=1e-5, abs=1e-6)


def test_what_changes_is_seen() -> None:
    def first(x, k):
        return x * k

    def second(k, x):
        return x * x * k

    held: list[Any] = [first]

    def f(x):
        return held[0](x=x, k=3.0)

    for _ in range(3):
        assert grad(f)(2.0) == 3.0
    first.__code__ = second.__code__  # the names stand in another order
    for _ in range(3):
        assert grad(f)(2.0) == 12.0

    @rule(first)
    def first_rule(x: float, k: float) -> tuple[float, Any]:
        return x, lambda y_bar: (7.0 * y_bar, None)

    for _ in range(3):
        assert grad(f)(2.0) == 7.0


def test_defaults_that_change_are_seen() -> None:
    def g(x, k=2.0):
        return x * k

    held = [g]

    def f(x):
        return held[0](x=x) + held[0](x=x, k=5.0)

    assert [grad(f)(1.0) for _ in range(3)] == [7.0] * 3
    g.__defaults__ = (3.0,)
    assert [grad(f)(1.0) for _ in range(3)] == [8.0] * 3
    g.__defaults__ = None
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'k'"):
        grad(f)(1.0)


def test_what_does_not_fit_is_said_by_python() -> None:
    held = [plain]

    def f(x):
        return held[0](x=x, rate=2.0, **{"shift": 1.0})

    def unknown(x):
        return held[0](x=x, rate=2.0, shift=1.0, other=x)

    def twice(x):
        return held[0](2.0, x, 1.0, **{"x": x})

    for _ in range(3):
        assert grad(f)(1.0) == 2.0
        with pytest.raises(TypeError, match="other"):
            grad(unknown)(1.0)
        with pytest.raises(TypeError, match="multiple values for argument 'x'"):
            grad(twice)(1.0)


def test_what_flows_to_a_default_is_the_functions() -> None:
    def f(w, x):
        def g(a, k=w):
            return a * k

        held = [g]
        return held[0](a=x) + held[0](a=x, k=2.0)

    for _ in range(3):
        assert gradient(f, 3.0, 5.0) == (5.0, 5.0)


class Open:
    def __call__(self, z, **more):
        return z * z + len(more)


TWICE = {
    "options": lambda x, given: damped(x, rate=2.0, **given),
    "options twice": lambda x, given: damped(x, **given, **given),
    "a lambda": lambda x, given: (lambda rate, **more: rate * x)(x, **given),
    "an object": lambda x, given: Open()(x, z=given["rate"]),
    "a name": lambda x, given: (lambda z, **more: z * z)(x, z=given["rate"]),
}


@pytest.mark.parametrize("name", TWICE)
def test_what_is_given_twice_is_refused_as_python_does(name: str) -> None:
    f = TWICE[name]
    for _ in range(3):
        for call in (f, gradient, lambda x, given: pushforward(f, (x, given), (1.0, {"rate": 0.0}))):
            with pytest.raises(TypeError, match="multiple values"):
                call(f, 1.5, {"rate": 3.0}) if call is gradient else call(1.5, {"rate": 3.0})


def test_a_parameter_by_position_alone_leaves_its_name_free() -> None:
    def f(x):
        return (lambda z, /, **more: z * z + more["z"])(x, z=x)

    assert [grad(f)(1.5) for _ in range(3)] == [4.0] * 3
