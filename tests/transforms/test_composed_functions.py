"""Functions that are made of others, in loops and by `reduce`."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import pytest
from ways import check_everywhere

from adjoint import gradient, pullback
from adjoint.derivatives import choice


def compose(f, g):
    return lambda v: g(f(v))


def twice(f):
    return lambda v: f(f(v))


def added(f, g):
    return lambda v: f(v) + g(v)


def scaled(k, f):
    return lambda v: k * f(v)


def composed(x, n=4):
    f = lambda v: v * x  # noqa: E731
    for _ in range(n):
        f = compose(f, math.sin)
    return f(x) * x


def reduced(x, n=4):
    return functools.reduce(compose, [math.sin, lambda v: v * x, abs] * n)(x)


def doubled(x, n=3):
    f = lambda v: v * x + 0.1  # noqa: E731
    for _ in range(n):
        f = twice(f)
    return f(x)


def fourier(x, n=4):
    s = lambda t: 0.0  # noqa: E731
    for k in range(1, n + 1):
        s = added(s, scaled(x / k, lambda t, k=k: math.sin(k * t * x)))
    return s(0.5)


def by_derivatives(x, n=2):
    f = lambda t: math.sin(x * t)  # noqa: E731
    for _ in range(n):
        f = slope(f)
    return f(0.3)


def slope(f, h=0.3):
    return lambda t: (f(t + h) - f(t - h)) / (2.0 * h)


PROGRAMS = [composed, reduced, doubled, fourier, by_derivatives]


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_composed(f: Any, n: int) -> None:
    if f is reduced and n == 0:
        return
    check_everywhere(lambda x: f(x, n), 0.4)
    for _ in range(3):
        _, back = pullback(f, 0.4, n)
        assert back(1.0) == back(1.0)
    if f in (composed, doubled):
        assert not choice.was_recorded(f)


# ---- functions that do more than compute


def drawing(x, seen):
    it = iter([2.0, 3.0, 5.0, 7.0])
    return run(x, lambda v: v * next(it))


def noting(x, seen):
    return run(x, lambda v: seen.append(float(v)) or v * len(seen))


def printing(x, seen):
    return run(x, lambda v: print("called", len(seen)) or v * x)


def counting(x, seen):
    n = 0

    def g(v):
        nonlocal n
        n += 1
        return v * n

    return run(x, g)


def random(x, seen):
    rng = np.random.default_rng(3)
    return run(x, lambda v: v * rng.normal())


def sorting(x, seen):
    f = compose(lambda v: seen.append(1) or -v, abs)
    return sum(i * v for i, v in enumerate(sorted([x, 2.0 * x, -3.0 * x], key=f)))


def run(x, g):
    f = lambda v: v * x  # noqa: E731
    for _ in range(3):
        f = compose(f, g)
    return f(x)


def given(x, seen):
    return run(x, GIVEN["f"])


GIVEN: dict[str, Any] = {}


@pytest.mark.parametrize("f", [drawing, noting, printing, counting, random, sorting], ids=lambda f: f.__name__)
def test_effects_happen_once(f: Any, capsys: Any) -> None:
    h = 1e-6
    d = (f(0.4 + h, []) - f(0.4 - h, [])) / (2 * h)
    capsys.readouterr()
    plain: list[Any] = []
    f(0.4, plain)
    printed = capsys.readouterr().out
    for _ in range(3):
        seen: list[Any] = []
        assert gradient(f, 0.4, seen)[0] == pytest.approx(d, rel=1e-6)
        assert seen == plain
        assert capsys.readouterr().out == printed


def test_iterators_that_were_there_before() -> None:
    for _ in range(3):
        it = iter([2.0, 3.0, 5.0, 7.0, 11.0])
        GIVEN["f"] = lambda v, it=it: v * next(it)
        assert gradient(given, 0.4, [])[0] == pytest.approx(2.0 * 30.0 * 0.4)
        assert list(it) == [7.0, 11.0]
        it = iter([2.0, 3.0, 5.0, 7.0, 11.0])
        GIVEN["f"] = functools.partial(lambda it, v: v * next(it), it)
        assert gradient(given, 0.4, [])[0] == pytest.approx(2.0 * 30.0 * 0.4)
        assert list(it) == [7.0, 11.0]
