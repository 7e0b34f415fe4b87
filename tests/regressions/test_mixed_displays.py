"""Loops over displays whose items have no type in common: functions, and tuples of several lengths."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient, jvp
from adjoint.inspect import code_adjoint


def pipeline(x: float) -> float:
    y = x
    for f in [math.sin, lambda v: v * x, functools.partial(pow, 2.0)]:
        y = f(y)
    return y


def commands(x: float) -> float:
    total = 0.0
    for command in [("add", x), ("neg",), ("scale", x, 2.0), ("add", 3.0), ("none",)]:
        match command:
            case ("add", v):
                total += v
            case ("neg",):
                total = -total
            case (_, p, q):
                total += p * q
            case _:
                total *= 1.5
    return total


def layers(x: float) -> float:
    def scaled(v: float, k: float) -> float:
        return k * v

    for f, options in (scaled, {"k": x}), (math.tanh, {}), (lambda v: v * v, {}):
        x = f(x, **options)
    return x


def collected(x: float) -> float:
    values = [f(x) * i for i in (1, 2) for f in (math.sin, math.cos, lambda v: v * x)]
    return sum(values) * values[1]


def grown_before(x: float) -> float:
    functions: list[Any] = [math.sin, lambda v: v * v]
    functions.append(math.exp)
    for f in functions:
        x = f(x)
    return x


def grown_meanwhile(x: float) -> float:
    functions: list[Any] = [math.sin, lambda v: v * v]
    for f in functions:
        x = f(x)
        if len(functions) < 3:
            functions.append(math.exp)
    return x


def stored_meanwhile(x: float) -> float:
    functions: list[Any] = [math.sin, lambda v: v * v, math.cos]
    total = 0.0
    for f in functions:
        total += f(x)
        functions[2] = math.tan
    return total


def left_early(x: float) -> float:
    for i, f in enumerate([math.sin, lambda v: v * v, math.cos]):
        x = f(x)
        if i == 1:
            break
    for f in [math.sin, lambda v: v * v, math.cos]:
        if x > 0.5:
            continue
        x = f(x)
    else:
        x = x * 2.0
    return x


def bound_late(x: float) -> float:
    kept = []
    for f in [math.sin, lambda v: v * v, math.cos]:
        kept.append(lambda v: f(v) * x)  # noqa: B023 - all of them see the last one
    return sum([g(x) for g in kept]) + f(x)


def in_a_loop(x: float) -> float:
    total = 0.0
    for i in range(4):
        for kind, *rest in [("a", x), ("b", x, 2.0), ("c",)]:
            total += sum(rest) * (i + len(kind))
    return total


PROGRAMS = (
    *(pipeline, commands, layers, collected, grown_before, grown_meanwhile, stored_meanwhile, left_early),
    *(bound_late, in_a_loop),
)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_against_differences(f: Callable[[float], float]) -> None:
    x, h = 0.7, 1e-6
    slope = (f(x + h) - f(x - h)) / (2 * h)
    for _ in range(2):
        assert gradient(f, x)[0] == pytest.approx(slope, rel=1e-7)
    assert jvp(f, (x,), (2.0,))[1] == pytest.approx(2.0 * slope, rel=1e-7)


@pytest.mark.parametrize("f", [pipeline, commands], ids=lambda f: f.__name__)
def test_rounds_are_written_out(f: Callable[[float], float]) -> None:
    code = code_adjoint(f, 0.7)
    assert "pullback_wrt_" not in code
    assert "for " not in code.replace("for f in [", "")
