"""Objects that are called and note something of each call, as optimizers are handed: a counter, a history."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from transforms.held_state import hold_error, hold_state

from adjoint import Tangent, pullback
from adjoint.derivatives import choice

X = np.array([0.3, -1.2, 0.8])


class Cost:
    """A loss that counts its calls."""

    def __init__(self) -> None:
        self.data = np.array([1.0, 2.0, 3.0])
        self.n_calls = 0
        self.history: list[Any] = []
        self.best = np.inf

    def __call__(self, x):
        self.n_calls += 1
        return np.sum((x - self.data) ** 2)

    def with_history(self, x):
        value = np.sum((x - self.data) ** 4)
        self.history.append(float(value))
        return value

    def reading_history(self, x):
        self.history.append(np.sum(x**3))
        return self.history[-1] * 2 + len(self.history)

    def keeping_best(self, x):
        self.n_calls += 1
        value = np.sum((x - self.data) ** 4)
        if value < self.best:
            self.best = value
        return value * self.best

    def failing(self, x):
        self.n_calls += 1
        if x[0] < 5.0:
            raise ValueError(f"call {self.n_calls}")
        return np.sum(x)


class Scaled(Cost):
    """Calls the one that it inherits."""

    def __call__(self, x):
        return 3.0 * super().__call__(x) + self.n_calls


def state_of(cost):
    return lambda: (cost.n_calls, [float(v) for v in cost.history], float(cost.best), cost.data)


def by_itself(cls):
    def make():
        cost = cls()
        return cost, state_of(cost)

    return make


def by_method(name):
    def make():
        cost = Cost()
        return getattr(cost, name), state_of(cost)

    return make


MAKING = {
    "called": by_itself(Cost),
    "inherited": by_itself(Scaled),
    **{name: by_method(name) for name in ("with_history", "reading_history", "keeping_best")},
}


@pytest.mark.parametrize("name", MAKING)
def test_values_state_and_derivatives(name: str) -> None:
    hold_state(MAKING[name], X)


def test_an_error_leaves_what_python_leaves() -> None:
    hold_error(by_method("failing"), X, ValueError)


class Weighted:
    """A model that is called, and counts."""

    def __init__(self, w):
        self.w = w
        self.n = 0

    def __call__(self, x):
        self.n += 1
        return self.w * x * x

    def method(self, x, scale=1.0):
        self.n += 1
        return self.w * x * x * scale


def test_cotangents_of_the_object_and_of_the_method() -> None:
    for _ in range(3):
        model = Weighted(2.0)
        y, back = pullback(model, 3.0)
        own, bar = back(1.0)
        assert (y, bar, type(own), own.w, model.n) == (18.0, 12.0, Tangent, 9.0, 1)
        y, back = pullback(model.method, 3.0, scale=2.0)
        own, bar = back(1.0)[:2]
        assert (y, bar, model.n) == (36.0, 24.0, 2)
        assert repr(own) == "Tangent(method)(__self__=Tangent(Weighted)(w=18.0))"
    assert not choice.was_recorded(model) and not choice.was_recorded(model.method)
