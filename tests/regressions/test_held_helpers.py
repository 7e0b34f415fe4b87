"""Functions that others hold, in cells and defaults, and that are changed after the first gradient."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback, value_and_grad


def cube(a: float) -> float:
    return a * a * a


def decorated(g: Any) -> Any:
    return lambda a: g(a)


def wrapped(g: Any) -> Any:
    @functools.wraps(g)
    def inner(a: float) -> float:
        return g(a) * 1.0

    return inner


def defaulted(g: Any) -> Any:
    def inner(a: float, h: Any = g) -> float:
        return h(a)

    return inner


def by_keyword(g: Any) -> Any:
    def inner(a: float, *, h: Any = g) -> float:
        return h(a)

    return inner


HOLDERS: dict[str, Callable[[Any], Any]] = {
    "cell": decorated,
    "cell, wrapped": wrapped,
    "default": defaulted,
    "keyword default": by_keyword,
    "two cells": lambda g: decorated(decorated(g)),
    "cell and default": lambda g: decorated(defaulted(g)),
    "default and cell": lambda g: defaulted(decorated(g)),
    "three": lambda g: wrapped(defaulted(decorated(g))),
}


def fresh(extra: bool = False) -> Any:
    if extra:

        def square(a: float, b: float = 1.0) -> float:
            return a * a * b

    else:

        def square(a: float) -> float:
            return a * a

    return square


def judge(f: Any) -> None:
    x = 0.5
    slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    for _ in range(2):
        value, got = value_and_grad(f)(x)
        assert value == f(x)
        assert got == pytest.approx(slope, rel=1e-6)
    assert pullback(f, x)[0] == f(x)


@pytest.mark.parametrize("looped", [False, True])
@pytest.mark.parametrize("holder", HOLDERS)
def test_code_that_is_replaced(holder: str, looped: bool) -> None:
    square = fresh()
    held = HOLDERS[holder](square)
    scope = {"held": held}

    def once(x: float) -> float:
        return scope["held"](x)

    def often(x: float) -> float:
        s = 0.0
        for _ in range(3):
            s = s + held(x)
        return s

    f = often if looped else once
    judge(f)
    square.__code__ = cube.__code__
    judge(f)


@pytest.mark.parametrize("holder", HOLDERS)
def test_by_a_global_name(holder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    square = fresh(extra=True)
    monkeypatch.setitem(globals(), "HELD", HOLDERS[holder](square))
    judge(of_a_global)
    square.__defaults__ = (3.0,)
    judge(of_a_global)
    square.__code__ = (lambda a, b: a * a * a * b).__code__
    judge(of_a_global)


HELD: Any = None


def of_a_global(x: float) -> float:
    return HELD(x) * 2.0


@pytest.mark.parametrize("holder", ["cell", "cell, wrapped", "two cells", "cell and default"])
def test_cells_that_are_replaced(holder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "HELD", HOLDERS[holder](fresh(extra=True)))
    judge(of_a_global)
    HELD.__closure__[0].cell_contents = lambda a: a**5
    judge(of_a_global)


def test_numbers_in_cells_that_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    def scaled(k: Any) -> Any:
        return lambda a: a * k

    monkeypatch.setitem(globals(), "HELD", scaled(2.0))
    judge(of_a_global)
    HELD.__closure__[0].cell_contents = 3.0
    judge(of_a_global)
    HELD.__closure__[0].cell_contents = np.array([1.0, 2.0])

    def total(x: float) -> float:
        return of_a_global(x).sum()

    assert gradient(total, 0.5)[0] == pytest.approx(6.0)
