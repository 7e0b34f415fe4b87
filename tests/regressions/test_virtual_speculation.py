"""Objects of a program whose methods give what only the run shows, and what others made of such objects."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jvp, pullback

VALUES: list[Any] = [2, 2.5, np.array([1.0, 2.0]), np.float64(1.5), True]
BY_NAME = {"value": lambda k: VALUES[k]}


class Filter:
    def __init__(self, a: float, b: float) -> None:
        self.a, self.b = a, b

    def add(self, v: Any) -> Any:
        self.a = self.a * v + self.b
        return self.a


def result_unread(x: float, k: int) -> Any:
    p = Filter(x, 1.0)
    for _ in range(3):
        v = BY_NAME["value"](k)
        p.add(x * v)
    return np.sum(p.a)


def result_read(x: float, k: int) -> Any:
    p = Filter(x, 1.0)
    s: Any = 0.0
    for _ in range(3):
        s = s + p.add(x * BY_NAME["value"](k)) * p.a
    return np.sum(s)


def by_an_inner_function(x: float, k: int) -> Any:
    total: Any = x

    def add(v: Any) -> Any:
        nonlocal total
        total = total * v
        return total

    for _ in range(2):
        add(BY_NAME["value"](k))
        total = add(x) + total
    return np.sum(total)


@pytest.mark.parametrize("first", range(len(VALUES)))
@pytest.mark.parametrize("then", range(len(VALUES)))
@pytest.mark.parametrize("f", [result_unread, result_read, by_an_inner_function])
def test_a_site_that_sees_one_kind_and_then_another(f: Any, first: int, then: int) -> None:
    for k in (first, then, then, first, then):
        y, back = pullback(f, 1.2, k)
        assert y == f(1.2, k)
        slope = (f(1.2 + 1e-6, k) - f(1.2 - 1e-6, k)) / 2e-6
        np.testing.assert_allclose(back(1.0)[1], slope, rtol=1e-6)
        np.testing.assert_allclose(grad(f)(1.2, k), slope, rtol=1e-6)


# ---- what nobody reads, and what is no name


class Weights:
    def __init__(self, x: float) -> None:
        self.w = np.array([x, 2.0 * x])

    def scale(self, v: float) -> None:
        self.w *= v

    def grow(self, v: float) -> None:
        self.w += v
        self.w[0] -= v


def arrays_that_nobody_reads(x: float) -> float:
    q = Weights(x)
    q.scale(x)
    q.grow(x)
    return x * x


def test_stores_into_arrays_that_nobody_reads() -> None:
    assert gradient(arrays_that_nobody_reads, 2.0) == (4.0,)
    assert jvp(arrays_that_nobody_reads, (2.0,), (1.0,)) == (4.0, 4.0)


class Zeros:
    __hash__ = None  # type: ignore[assignment]

    def __call__(self) -> list[float]:
        return [0.0, 1.0]


@dataclasses.dataclass
class Series:
    at: float
    seen: list[float] = dataclasses.field(default_factory=Zeros())

    def add(self, v: float) -> None:
        self.at += v
        self.seen.append(self.at)


def test_a_factory_that_is_not_hashable() -> None:
    def f(x: float) -> float:
        s = Series(x)
        s.add(x)
        return s.at * sum(s.seen)

    assert f(2.0) == 20.0
    for _ in range(2):
        assert gradient(f, 2.0) == (18.0,)


# ---- functions with attributes


def with_a_number(x: float, y: float) -> float:
    s = 0.0

    def add(v: float) -> None:
        nonlocal s
        s += v

    add.w = y  # type: ignore[attr-defined]
    add(x * add.w)  # type: ignore[attr-defined]
    return s * s


def with_a_switch(x: float, y: float) -> float:
    log = []

    def emit(v: float) -> None:
        if emit.enabled:  # type: ignore[attr-defined]
            log.append(v * y)

    emit.enabled = True  # type: ignore[attr-defined]
    emit(x)
    emit.enabled = False  # type: ignore[attr-defined]
    emit(x)
    return sum(log)


def with_its_cache(x: float, y: float) -> float:
    cache: dict[int, float] = {}

    def power(n: int) -> float:
        if n not in cache:
            cache[n] = 1.0 if n == 0 else power(n - 1) * x
        return cache[n]

    power.cache = cache  # type: ignore[attr-defined]
    return power(3) * y + power.cache[2]  # type: ignore[attr-defined]


@pytest.mark.parametrize("f", [with_a_number, with_a_switch, with_its_cache])
def test_inner_functions_with_attributes(f: Any) -> None:
    h = 1e-6
    slopes = ((f(1.5 + h, 2.0) - f(1.5 - h, 2.0)) / (2 * h), (f(1.5, 2.0 + h) - f(1.5, 2.0 - h)) / (2 * h))
    for _ in range(2):
        y, back = pullback(f, 1.5, 2.0)
        assert y == f(1.5, 2.0)
        np.testing.assert_allclose(back(1.0)[1:], slopes, rtol=1e-7)
        np.testing.assert_allclose(jvp(f, (1.5, 2.0), (1.0, 0.0))[1], slopes[0], rtol=1e-7)
