"""Methods that are read from numbers and tuples and called later, also within the engine: `tuple(deque)`."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import pytest

from adjoint import grad, gradient


class Pair(NamedTuple):
    a: Any
    b: Any

    def product(self) -> Any:
        return self.a * self.b


def item_of_tuple(x: Any) -> Any:
    xs = []
    xs.append(x)
    take = (x, x * x).__getitem__
    return take(0) * take(1) * xs[0]


def mapped(x: Any) -> Any:
    xs = []
    xs.append(x)
    return sum(map((x, x * x).__getitem__, [0, 1])) * xs[0]


def method_of_a_named_tuple(x: Any) -> Any:
    xs = []
    xs.append(x)
    product = Pair(x, x * x).product
    return product() * product() * xs[0]


def tuple_of_deque(x: Any) -> Any:
    xs: Any = deque()
    xs.append(x)
    xs.append(x * x)
    ys = tuple(xs)
    return ys[0] * ys[1]


def tuple_of_values(x: Any) -> Any:
    xs = {"a": x}
    xs["b"] = x * x
    ys, pairs = tuple(xs.values()), tuple(xs.items())
    return ys[0] * ys[1] * pairs[1][1]


def given_from_deque(x: Any) -> Any:
    xs: Any = deque()
    xs.append(x)
    xs.append(x * x)
    return Pair(*xs).product() + max(xs) ** 2


@pytest.mark.parametrize(
    "f",
    [item_of_tuple, mapped, method_of_a_named_tuple, tuple_of_deque, tuple_of_values, given_from_deque],
    ids=lambda f: f.__name__,
)
def test_both_orders(f: Any) -> None:
    x, h = 0.8, 1e-4
    (d,), (dd,) = gradient(f, x), gradient(grad(f), x)
    assert d == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6)
    assert dd == pytest.approx((f(x + h) - 2 * f(x) + f(x - h)) / h**2, rel=1e-5)
