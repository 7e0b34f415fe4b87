"""Rules of functions of functions."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator

import numpy as np
import pytest
from rules.checker import check_rule, numeric_pullback, run_rule

from adjoint.rules import registry

XS = [1.5, -2.5, 3.5]


@pytest.fixture(autouse=True)
def without_engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "_knot", [numeric_pullback])
    yield


def weigh(x: float, y: float, scale: float = 1.0, offset: float = 0.0) -> float:
    return x * y**2 * scale + offset


def test_map_and_filter() -> None:
    check_rule(map, lambda x: x**3, XS)
    check_rule(map, weigh, XS, (1.5, 2.5))
    check_rule(map, operator.mul, XS, np.array(XS))
    check_rule(map, abs, [])
    check_rule(filter, lambda x: x > 0, XS)
    y, back, _ = run_rule(filter, None, (0.0, 1.5))
    assert list(y) == [1.5] and back([1.0]) == (None, (None, 1.0))


def test_map_sums_the_cotangents_of_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_knot", [lambda f, x: (f(x), lambda y_bar: (10.0 * y_bar, y_bar))])
    y, back, _ = run_rule(map, abs, XS)
    assert list(y) == list(map(abs, XS))
    assert back([1.0, None, 2.0]) == (30.0, [1.0, None, 2.0])


def test_reduce() -> None:
    for xs in (XS, tuple(XS), np.array(XS)):
        check_rule(functools.reduce, weigh, xs)
        check_rule(functools.reduce, operator.mul, xs, 2.5)
    check_rule(functools.reduce, operator.mul, [], 2.5)
    check_rule(functools.reduce, operator.mul, [1.5])
    with pytest.raises(TypeError, match="empty"):
        run_rule(functools.reduce, operator.mul, [])


def test_wrappers() -> None:
    def wrapper(x: float) -> float:
        return x

    y, back, _ = run_rule(functools.update_wrapper, wrapper, weigh)
    assert y is wrapper and wrapper.__name__ == "weigh" and back("bar") == ("bar",)
    functools.wraps(weigh)(wrapper)


def test_getters() -> None:
    get = operator.itemgetter.__call__
    check_rule(get, operator.itemgetter(1), XS)
    check_rule(get, operator.itemgetter(1, -1, 1), tuple(XS))
    check_rule(get, operator.itemgetter("a"), {"a": 1.5, "b": 2.5})
    y, back, _ = run_rule(operator.attrgetter.__call__, operator.attrgetter("real", "imag"), 1.5)
    assert y == (1.5, 0.0) and back((None, None)) == (None, None)
    y, back, _ = run_rule(operator.methodcaller.__call__, operator.methodcaller("conjugate"), 1 + 2j)
    assert y == 1 - 2j and back(1j) == (None, -1j)
    y, back, _ = run_rule(operator.methodcaller.__call__, operator.methodcaller("get", "z", 1.0), {"a": 1.5})
    assert y == 1.0 and back(1.0)[1] is None
