"""Functions that are replaced in their module, NumPy's too, and attributes of classes: the new one counts."""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.calculus import pushforward


def scaled(x: Any) -> Any:
    s = 0.0
    for _ in range(3):
        s = s + np.exp(x)
    return s


def of_math(x: Any) -> Any:
    return math.sin(x) * x


def inverse_of(x: Any) -> Any:
    return np.linalg.det(np.array([[x, 1.0], [0.5, 2.0]]))


@pytest.mark.parametrize(
    "module, name, f", [(np, "exp", scaled), (math, "sin", of_math), (np.linalg, "det", inverse_of)]
)
def test_replaced(monkeypatch: Any, module: Any, name: str, f: Any) -> None:
    for x in (0.5, np.float64(0.5)):
        for _ in range(3):
            before = gradient(f, x)[0]
        monkeypatch.setattr(module, name, lambda v: 3.0 * np.sum(v))
        h = 1e-6
        expected = (f(x + h) - f(x - h)) / (2 * h)
        for _ in range(3):
            assert gradient(f, x)[0] == pytest.approx(expected)
            assert pushforward(f, (x,), (1.0,))[1] == pytest.approx(expected)
        monkeypatch.undo()
        assert gradient(f, x)[0] == before


class Held:
    k = 2.0

    def __init__(self, v: Any) -> None:
        self.v = v

    def read(self) -> Any:
        return self.k * self.v


class Derived(Held):
    pass


@dataclasses.dataclass
class Data:
    v: Any
    k: Any = 2.0


def square(o: Any) -> Any:
    return o.v * o.v


class Square:
    def __get__(self, o: Any, cls: Any = None) -> Any:
        return square(o)

    def __set__(self, o: Any, value: Any) -> None:
        pass


HELD = Held(4.0)


def listed(x: Any) -> Any:
    return sum([o.k * o.v for o in [Held(x), Held(2.0 * x)]])


@pytest.mark.parametrize("new", [property(square, lambda o, value: None), Square()])
@pytest.mark.parametrize(
    "cls, f",
    [
        (Held, lambda x: Held(x).k * x),
        (Held, lambda x: Held(x).read()),
        (Held, lambda x: Derived(x).read()),
        (Derived, lambda x: Derived(x).read()),
        (Held, lambda x: HELD.k * x),
        (Held, listed),
        (Data, lambda x: Data(x).k * x),
    ],
)
def test_an_attribute_becomes_a_property(monkeypatch: Any, cls: Any, f: Any, new: Any) -> None:
    for _ in range(3):
        before = gradient(f, 1.3)[0], pushforward(f, (1.3,), (1.0,))[1]
    monkeypatch.setattr(cls, "k", new)
    h = 1e-6
    expected = (f(1.3 + h) - f(1.3 - h)) / (2 * h)
    for _ in range(3):
        assert gradient(f, 1.3)[0] == pytest.approx(expected)
        assert pushforward(f, (1.3,), (1.0,))[1] == pytest.approx(expected)
    monkeypatch.undo()
    assert (gradient(f, 1.3)[0], pushforward(f, (1.3,), (1.0,))[1]) == before
