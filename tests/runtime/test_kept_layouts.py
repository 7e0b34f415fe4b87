"""Layouts of calls that are kept: defaults that change, that differ by function, that move; and what is not needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad
from adjoint.runtime.binding import Layout
from adjoint.runtime.dispatch import call_pullback
from adjoint.testing import check_gradient


def made(c: Any) -> Callable[..., Any]:
    """A function with a default of its own; all that are made have one code."""

    def f(x: Any, k: Any = c) -> Any:
        return k * x * x

    return f


FUNCTIONS: dict[str, Callable[..., Any]] = {}
"""What `program` finds by name, when it runs."""
NAMED: list[tuple[str, int | float]] = []


def program(x: float) -> Any:
    """The sum of what these functions give."""
    total = 0.0
    for name, _ in NAMED:
        total = total + FUNCTIONS[name](x)
    return total


def through(**fs: Callable[..., Any]) -> Callable[[float], Any]:
    """The program with these functions."""
    FUNCTIONS.clear()
    FUNCTIONS.update(fs)
    NAMED[:] = [(name, i if i % 2 else 0.5) for i, name in enumerate(fs)]
    return program


def slopes(f: Callable[[float], Any]) -> list[float]:
    """The derivative of three calls at 1.5."""
    return [grad(f)(1.5) for _ in range(3)]


def test_defaults_that_are_replaced() -> None:
    f = made(2.0)
    through(f=f)
    assert slopes(program) == [6.0] * 3
    f.__defaults__ = (5.0,)
    assert slopes(program) == [15.0] * 3
    f.__defaults__ = (3,)
    assert slopes(program) == [9.0] * 3
    f.__defaults__ = None
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'k'"):
        grad(program)(1.5)


def test_functions_of_one_code() -> None:
    assert slopes(through(f=made(2.0), g=made(1.0), h=made(3))) == [18.0] * 3


def test_defaults_by_keyword_alone() -> None:
    def f(x: float, *, k: float = 2.0) -> float:
        return k * x

    through(f=f)
    assert slopes(program) == [2.0] * 3
    f.__kwdefaults__["k"] = 4.0
    assert slopes(program) == [4.0] * 3
    del f.__kwdefaults__["k"]
    with pytest.raises(TypeError, match="keyword-only argument: 'k'"):
        grad(program)(1.5)


def by_default(x: float, y: float) -> Any:
    fs: list[tuple[Any, Any]] = [(made(y), 1), (made(2.0), 0.5)]
    return sum([f(x) for f, _ in fs])


def several(x: float, y: float) -> Any:
    fs: dict[str, Any] = {
        "spread": lambda a, *rest, **named: a * sum(rest) + named.get("b", 0.0) * a,
        "one": lambda a, b=2.0, c=3.0: a * b + c,
    }
    total = 0.0
    for _ in range(2):
        total = total + fs["spread"](x, y, x) + fs["spread"](x, b=y) + fs["one"](x, c=y) + fs["one"](y)
    return total


class Line:
    """A line whose slope may be differentiated."""

    def __init__(self, slope: Any) -> None:
        self.slope = slope

    def at(self, x: Any, /, shift: Any = 0.0, **named: Any) -> Any:
        return self.slope * x * x + shift + named.get("more", 0.0) * x


def by_methods(x: float, y: float) -> Any:
    known, line = Line(3.0), Line(y)
    total = 0.0
    for at in (known.at, line.at):
        total = total + at(x, shift=2.0) + at(2.0, shift=y) + at(x, more=y) + at(1.0, more=2.0)
    return total


SCALES: dict[str, Any] = {"power": lambda a, alpha, *, base: a * base**alpha, "plain": lambda a, alpha, base: a + alpha}
OPTIONS: list[tuple[str, dict[str, Any]]] = [("power", {"base": 1.5}), ("plain", {"base": 2.0})]


def by_options(x: float, y: float) -> Any:
    rates = x
    for name, options in OPTIONS:
        rates = SCALES[name](rates, y, **options)
        rates = rates + SCALES[name](2.0, y, **{"base": x})
    return rates


def of_arrays(x: Any, y: Any) -> Any:
    rates = x * np.ones(3)
    for name, options in OPTIONS:
        rates = SCALES[name](rates, y, **options)
    return np.sum(rates * rates)


@pytest.mark.parametrize("f", [by_default, several, by_methods, by_options, of_arrays])
def test_what_flows(f: Callable[..., Any]) -> None:
    check_gradient(f, 1.3, 0.7, order=2)
    for _ in range(3):  # once kept, they are used
        both = grad(f, argnums=(0, 1))(1.3, 0.7)
        assert both == pytest.approx((grad(f)(1.3, 0.7), grad(f, argnums=1)(1.3, 0.7)), rel=1e-14)


def called(f: Callable[..., Any]) -> list[Any]:
    """The derivative of three calls at 1.5 of a function that only the run knows."""
    return [call_pullback(f, 1.5)[1](1.0)[1] for _ in range(3)]


def test_calls_that_only_the_run_knows() -> None:
    f = made(2.0)
    assert called(f) == [6.0] * 3 and called(made(5.0)) == [15.0] * 3
    f.__defaults__ = (4.0,)
    assert called(f) == [12.0] * 3
    f.__defaults__ = None
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'k'"):
        called(f)


def test_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    called(made(2.0))
    monkeypatch.setattr("adjoint.runtime.dispatch.lay_out", lambda layout, f, values: (*values, 2.0))
    with pytest.raises(AssertionError):
        test_calls_that_only_the_run_knows()


def test_planted_where_defaults_are_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Layout, "holds", lambda layout, f: True)
    with pytest.raises(ValueError, match="shorter"):
        test_calls_that_only_the_run_knows()
