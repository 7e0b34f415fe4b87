"""Functions that make functions of functions: what they make is known, and written out where it is called."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient, hvp, jvp
from adjoint.derivatives.choice import was_recorded
from adjoint.inspect import code_adjoint


def after(f: Any, g: Any) -> Any:
    return lambda v: g(f(v))


def all_of(*fs: Any) -> Any:
    return functools.reduce(lambda f, g: lambda v: g(f(v)), fs)


def in_turn(*fs: Any) -> Any:
    def run(v: Any) -> Any:
        for f in fs:
            v = f(v)
        return v

    return run


def scaled(k: Any) -> Any:
    return lambda v: k * v


def of_builtins(x: Any) -> Any:
    return after(math.sin, math.exp)(x)


def twice(x: Any) -> Any:
    h = after(math.sin, scaled(x))
    return after(h, h)(x)


def reduced(x: Any) -> Any:
    return all_of(math.sin, math.exp, lambda v: v * x)(x) + functools.reduce(
        lambda y, f: f(y), [math.sin, scaled(x)], x
    )


def looped(x: Any) -> Any:
    h: Any = math.sin
    for f in [math.exp, lambda v: v * x]:
        h = after(h, f)
    return h(x)


def kept_in_a_tuple(x: Any) -> Any:
    return in_turn(math.sin, math.exp, lambda v: v * x)(x) + in_turn(math.sin, math.cos)(x) + in_turn()(x)


def curried(x: Any) -> Any:
    return (lambda a: lambda b: lambda c: a + b * c)(x)(2 * x)(3 * x)


def partial_of_partial(x: Any) -> Any:
    f = functools.partial(lambda a, b=1.0, c=2.0: a * b + c, x, c=x)
    g = functools.partial(f, b=2 * x, c=3 * x)
    h = functools.partial(g, c=x * x)
    return g() + h() + f(4.0) + h(b=x) + len(g.args) + len(g.keywords) * x


def recursive(x: Any) -> Any:
    def power(n: int) -> Any:
        return (lambda v: 1.0) if n == 0 else lambda v: v * power(n - 1)(v)

    return power(4)(x)


def counting(x: Any) -> Any:
    def counter() -> Any:
        n = 0

        def step(v: Any) -> Any:
            nonlocal n
            n += 1
            return v * n + x

        return step

    one, other = counter(), counter()
    return one(x) + one(x * x) + other(3 * x)


PROGRAMS = (*(of_builtins, twice, reduced, looped, kept_in_a_tuple, curried, partial_of_partial, recursive, counting),)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_against_differences(f: Callable[[Any], Any]) -> None:
    x, h = 0.7, 1e-5
    slope, bend = (f(x + h) - f(x - h)) / (2 * h), (f(x + h) - 2 * f(x) + f(x - h)) / h**2
    for _ in range(2):
        assert gradient(f, x)[0] == pytest.approx(slope, rel=1e-7)
    assert jvp(f, (x,), (2.0,))[1] == pytest.approx(2.0 * slope, rel=1e-7)
    assert hvp(f, (x,), (1.0,))[0] == pytest.approx(bend, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("f", [of_builtins, twice, reduced, looped, kept_in_a_tuple], ids=lambda f: f.__name__)
def test_calls_are_written_out(f: Callable[[Any], Any]) -> None:
    gradient(f, 0.7)
    assert not was_recorded(f) and "pullback_wrt_" not in code_adjoint(f, 0.7)


def test_function_without_arguments_is_refused_as_python_does() -> None:
    with pytest.raises(TypeError, match=r"reduce\(\) of empty"):
        gradient(lambda x: all_of()(x), 0.7)
