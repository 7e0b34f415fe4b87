"""Operators that are steps for numbers, and that the user's classes may make anything of."""

from __future__ import annotations

import math
import operator
from typing import Any

import pytest

from adjoint import gradient


class Own:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __rshift__(self, f: Any) -> Any:
        return Own(f(self.x))

    def __rlshift__(self, other: Any) -> Any:
        return self.x * other

    def __ilshift__(self, other: Any) -> Any:
        return Own(self.x * other)

    def __floordiv__(self, other: Any) -> Any:
        return Own(self.x / other)

    def __rfloordiv__(self, other: Any) -> Any:
        return Own(other / self.x)

    def __invert__(self) -> Any:
        return Own(self.x)

    def __round__(self, n: Any = None) -> Any:
        return self.x

    def __floor__(self) -> Any:
        return self.x * self.x

    def __ceil__(self) -> Any:
        return self.x * self.x

    def __trunc__(self) -> Any:
        return self.x * self.x

    def __divmod__(self, other: Any) -> Any:
        return self.x * other, self.x + other

    def __pow__(self, other: Any) -> Any:
        return self.x * other


class Scaled:
    def __init__(self, k: float) -> None:
        self.k = k

    def __rshift__(self, x: Any) -> Any:
        return self.k * x


def in_place(x: Any) -> Any:
    v = Own(x)
    v <<= x
    return v.x


@pytest.mark.parametrize(
    "f",
    [
        lambda x: (Own(x) >> math.sin).x,
        lambda x: (Own(x) // 2.0).x,
        lambda x: (2.0 // Own(x)).x,
        lambda x: operator.floordiv(Own(x), 2.0).x,
        lambda x: (~Own(x)).x,
        lambda x: round(Own(x)) * x,
        lambda x: math.floor(Own(x)) + math.ceil(Own(x)) * math.trunc(Own(x)),
        lambda x: 3.0 << Own(x),
        lambda x: divmod(Own(x), 2.0)[0] * divmod(Own(x), x)[1],
        lambda x: pow(Own(x), x),
        lambda x: Scaled(3.0) >> x,
        in_place,
        lambda x: x // 0.4 * x + round(x, 1) * x + math.floor(x) * x + divmod(x, 0.4)[1] + pow(x, 2),
    ],
)
def test_what_a_class_makes_of_an_operator(f: Any) -> None:
    x, h = 1.53, 1e-6
    assert gradient(f, x)[0] == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6)
