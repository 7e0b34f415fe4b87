"""Programs in which a function that reads a variable which is bound more than once is handed on, and calls of it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from adjoint import checkpoint, gradient, pullback, rule, value_and_grad
from adjoint.calculus import pushforward


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


X, H = 0.9, 1e-4


def check_derivative(f: Any) -> None:
    assert gradient(f, X)[0] == pytest.approx((f(X + H) - f(X - H)) / (2 * H), rel=1e-6, abs=1e-6)


def check_second_derivative(program: Any, call: Any) -> None:
    def f(x: Any) -> Any:
        return program(call, x)

    check_derivative(lambda x: gradient(f, x)[0])
