"""A function that reads a variable which is bound more than once, handed to a function with a rule."""

from __future__ import annotations

import math
from typing import Any

import pytest

from adjoint import checkpoint, gradient, implicit, pullback, pushforward, rule, value_and_grad
from adjoint.errors import UnsupportedSyntaxError


def apply(f: Any, x: Any) -> Any:
    return f(x)


@rule(apply)
def apply_rule(f: Any, x: Any) -> Any:
    """One run for each cotangent, the other one is thrown away."""
    y, back = pullback(f, x)
    return y, lambda y_bar: (back(y_bar)[0], back(y_bar)[1])


def late(f: Any, x: Any) -> Any:
    return f(x)


@rule(late)
def late_rule(f: Any, x: Any) -> Any:
    """What runs in the reverse pass, and what comes of it is scaled."""

    def late_back(y_bar: Any) -> Any:
        f_bar, x_bar = pullback(f, x)[1](1.0)
        return None if f_bar is None else scaled(f_bar, y_bar), x_bar * y_bar

    return f(x), late_back


def scaled(f_bar: Any, by: Any) -> Any:
    from adjoint import Tangent

    return Tangent(type(f_bar), {name: None if f_bar[name] is None else f_bar[name] * by for name in f_bar})


def slope(f: Any, x: Any) -> Any:
    return pullback(f, x)[1](1.0)[1]


CALLS = {
    "plain": lambda f, x: f(x),
    "a rule": apply,
    "a rule that runs it later": late,
    "a rule, within": lambda f, x: apply(lambda v: f(v) * v, x),
    "a rule of a slope": lambda f, x: apply(lambda v: slope(f, v), x),
    "pullback": slope,
    "gradient": lambda f, x: gradient(f, x)[0],
    "value_and_grad": lambda f, x: value_and_grad(f)(x)[1],
    "pushforward": lambda f, x: pushforward(f, (x,), (1.0,))[1],
    "checkpoint": lambda f, x: checkpoint(f)(x),
}


def rebound_after(call: Any, x: Any) -> Any:
    k = x
    f = lambda v: math.sin(k * v)  # noqa: E731
    y = call(f, x)
    k = 5.0 * k
    return y * k


def rebound_before(call: Any, x: Any) -> Any:
    k = x
    if x > 0.0:
        k = 3.0 * k
    return call(lambda v: math.sin(k * v), x)


def in_a_loop(call: Any, x: Any) -> Any:
    total = 0.0
    for i in (1.0, 2.0):
        k = i * x
        total = total + call(lambda v: math.sin(k * v), x)  # noqa: B023
    return total


def in_a_list(call: Any, x: Any) -> Any:
    k = x
    fs = [lambda v: math.sin(k * v)]
    y = call(fs[0], x)
    k = 2.0 * k
    return y * k


def made(x: Any) -> Any:
    k = x
    f = lambda v: math.sin(k * v)  # noqa: E731
    k = 3.0 * k
    return f


def of_a_function(call: Any, x: Any) -> Any:
    return call(made(x), x)


def recorded(call: Any, x: Any) -> Any:
    box = [{"k": x}]
    k = x
    f = lambda v: math.sin(k * v)  # noqa: E731
    box[0]["y"] = call(f, x)
    try:
        k = 5.0 * k
    except KeyError:
        return 0.0
    return box[0]["y"] * k


OF_DERIVATIVES = ["a rule of a slope", "pullback", "gradient", "value_and_grad", "pushforward"]
"""Their second derivative in a recorded program is a third one of recordings, which takes long."""

PROGRAMS = (rebound_after, rebound_before, in_a_loop, in_a_list, of_a_function, recorded)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("name", CALLS)
def test_what_flows_to_the_variable(program: Any, name: str) -> None:
    if program is recorded and name == "pushforward":
        return  # a recording within a recording, too
    call = CALLS[name]

    def f(x: Any) -> Any:
        return program(call, x)

    x, h = 0.9, 1e-4
    assert gradient(f, x)[0] == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6, abs=1e-6)

    if program is recorded and name in OF_DERIVATIVES:
        return

    def g(x: Any) -> Any:
        return gradient(f, x)[0]

    assert gradient(g, x)[0] == pytest.approx((g(x + h) - g(x - h)) / (2 * h), rel=1e-6, abs=1e-6)


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
