"""`itemgetter` as a key of `sorted`, `max` and `map`: programs that hand one on are followed by their structure."""

from __future__ import annotations

import operator
from operator import itemgetter
from typing import Any

import numpy as np
import pytest

from adjoint import grad, jvp
from adjoint.inspect import explain
from adjoint.testing import check_gradient


def of_items(d: dict[str, Any]) -> Any:
    total = 0.0
    for i, (_, v) in enumerate(sorted(d.items(), key=operator.itemgetter(0))):
        total = total + np.sum(np.sin(v)) * (i + 1.0)
    return total


def by_value(d: dict[str, Any]) -> Any:
    total = 0.0
    for i, (_, v) in enumerate(sorted(d.items(), key=itemgetter(1), reverse=True)):
        total = total + v**2 * (i + 1.0)
    return total


def largest(d: dict[str, Any]) -> Any:
    return max(d.items(), key=itemgetter(1))[1] ** 2


FIRST = itemgetter(0)


def of_a_global(d: dict[str, Any]) -> Any:
    return sum([x * k for k, (_, x) in enumerate(sorted(d.items(), key=FIRST), 1)])


def of_pairs(d: dict[str, Any]) -> Any:
    pairs = [(d["a"], 1.0), (d["b"], 2.0)]
    return sum(map(itemgetter(0), pairs)) ** 2


NUMBERS = {"b": 0.7, "a": 1.3, "c": -0.4}


@pytest.mark.parametrize("f", [by_value, largest, of_a_global, of_pairs, of_items], ids=lambda f: f.__name__)
def test_programs_are_followed(f: Any) -> None:
    check_gradient(f, dict(NUMBERS))
    moving = {"b": 0.1, "a": -0.2, "c": 0.3}
    g = grad(f)(dict(NUMBERS))
    expected = sum(g[k] * moving[k] for k in moving)
    assert jvp(f, (dict(NUMBERS),), (moving,))[1] == pytest.approx(expected)
    if f in (by_value, of_a_global, of_items):
        assert str(explain(f, dict(NUMBERS))).splitlines()[0].endswith("is transformed")


def test_the_gradient_of_a_gradient() -> None:
    def of_gradient(d: dict[str, Any]) -> Any:
        return np.sum(grad(of_items)(d)["a"] ** 2)

    d = {"b": np.array([0.3, 0.4]), "a": np.array([1.0, -2.0])}
    g = grad(of_gradient)(d)
    np.testing.assert_allclose(g["a"], -2 * np.cos(d["a"]) * np.sin(d["a"]))


class Counting:
    """Items of a class whose `__getitem__` stores."""

    def __init__(self, x: float) -> None:
        self.x = x
        self.asked = 0.0

    def __getitem__(self, i: int) -> float:
        self.asked += self.x
        return self.x


def test_items_by_code_of_the_users_are_not_taken_for_plain() -> None:
    def f(x: float) -> float:
        a, b = Counting(x), Counting(2 * x)
        best = max([a, b], key=itemgetter(0))
        return best.x + 3 * a.asked

    for _ in range(2):
        assert f(1.5) == 7.5
        assert grad(f)(1.5) == 5.0
