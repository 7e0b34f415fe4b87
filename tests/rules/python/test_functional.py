"""Rules of functions of functions."""

from __future__ import annotations

import functools
import operator

import pytest
from rules.checker import run_rule

from adjoint.rules import knots

XS = [1.5, -2.5, 3.5]


def weigh(x: float, y: float, scale: float = 1.0, offset: float = 0.0) -> float:
    return x * y**2 * scale + offset


def test_filter_by_truth() -> None:
    y, back, _ = run_rule(filter, None, (0.0, 1.5))
    assert list(y) == [1.5] and back([1.0]) == (None, (None, 1.0))


def test_map_sums_the_cotangents_of_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    times_ten = lambda f, x: (f(x), lambda y_bar: (10.0 * y_bar, y_bar))  # noqa: E731
    monkeypatch.setitem(knots._knot, "pullback", times_ten)
    y, back, _ = run_rule(map, abs, XS)
    assert list(y) == list(map(abs, XS))
    assert back([1.0, None, 2.0]) == (30.0, [1.0, None, 2.0])


def test_reduce_of_nothing() -> None:
    with pytest.raises(TypeError, match="empty"):
        run_rule(functools.reduce, operator.mul, [])


def test_wrappers() -> None:
    def wrapper(x: float) -> float:
        return x

    y, back, _ = run_rule(functools.update_wrapper, wrapper, weigh)
    assert y is wrapper and wrapper.__name__ == "weigh" and back("bar") == ("bar",)
    functools.wraps(weigh)(wrapper)


def test_getters() -> None:
    y, back, _ = run_rule(operator.attrgetter.__call__, operator.attrgetter("real", "imag"), 1.5)
    assert y == (1.5, 0.0) and back((None, None)) == (None, None)
    y, back, _ = run_rule(operator.methodcaller.__call__, operator.methodcaller("conjugate"), 1 + 2j)
    assert y == 1 - 2j and back(1j) == (None, -1j)
    y, back, _ = run_rule(operator.methodcaller.__call__, operator.methodcaller("get", "z", 1.0), {"a": 1.5})
    assert y == 1.0 and back(1.0)[1] is None
