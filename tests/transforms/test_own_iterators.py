"""Iterators of the user's own classes, made here and given: loops and functions that take from them are followed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, jvp, pullback
from adjoint.derivatives import choice


class Geometric:
    def __init__(self, value: Any, ratio: Any, left: int) -> None:
        self.value, self.ratio, self.left = value, ratio, left

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        value = self.value
        self.value *= self.ratio
        return value


class Again:
    """Begins again with each loop."""

    def __init__(self, items: Any) -> None:
        self.items, self.i = items, 0

    def __iter__(self) -> Any:
        self.i = 0
        return self

    def __next__(self) -> Any:
        if self.i < len(self.items):
            self.i += 1
            return self.items[self.i - 1]
        raise StopIteration()


class Skipping:
    """Looks for its item in a loop, and ends within that."""

    def __init__(self, x: Any) -> None:
        self.x, self.n = x, 0

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        while True:
            self.n += 1
            self.x = 3.7 * self.x * (1.0 - self.x)
            if self.n > 12:
                raise StopIteration
            if self.x > 0.5:
                return self.x


class Newton:
    """Has no end."""

    def __init__(self, a: Any) -> None:
        self.a, self.v = a, a

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        self.v = 0.5 * (self.v + self.a / self.v)
        return self.v


class Steps:
    """Each loop has an iterator of its own."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __iter__(self) -> Any:
        return Stepper(self, 0)


class Stepper:
    def __init__(self, of: Any, k: int) -> None:
        self.of, self.k = of, k

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        self.k += 1
        if self.k > 3:
            raise StopIteration
        return self.of.x**self.k


class Wrapping:
    """Ends where another one does."""

    def __init__(self, inner: Any, x: Any) -> None:
        self.inner, self.x = inner, x

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return next(self.inner) * self.x


class Failing(Geometric):
    def __next__(self) -> Any:
        if self.left == 1:
            raise ValueError("none left")
        return super().__next__()


class Guarded(Geometric):
    def __next__(self) -> Any:
        try:
            if self.left < 2:
                raise StopIteration
        except StopIteration:
            self.left += 3
            self.value = self.value * 0.1
        return super().__next__() if self.value > 0.2 else self.ended()

    def ended(self) -> Any:
        raise StopIteration


def in_a_loop(x: Any, r: Any) -> Any:
    total = 0.0
    for v in Geometric(x, r, 4):
        total += v * v
    return total


def left_by_break(x: Any, r: Any) -> Any:
    series, total = Geometric(x, r, 9), 0.0
    for v in series:
        total += v * v
        if total > 3.0:
            break
    else:
        total = -total
    return total * series.value + series.left


def left_by_return(x: Any, r: Any) -> Any:
    for v in Newton(x):
        if abs(v * v - x) < 1e-12:
            return v * r
    return x


def taken_by_functions(x: Any, r: Any) -> Any:
    total = sum(Geometric(x, r, 4)) * max(Geometric(x, x, 3))
    first, second, *others = Geometric(x, r, 5)
    total += first * second + sum(others) + list(Geometric(r, x, 3))[1]
    return total + sum([v * x for v in Geometric(r, x, 3)]) + math.prod(Geometric(x, r, 3))


def in_pipelines(x: Any, r: Any) -> Any:
    total = sum(k * v for k, v in enumerate(Geometric(x, r, 4), 1))
    total += sum(a * b for a, b in zip(Geometric(x, r, 4), Geometric(r, x, 6), strict=False))
    total *= sum(a * b for a, b in zip([x, 2.0, r], Geometric(x, r, 9), strict=False))
    return total + sum(map(lambda v: v * x, filter(lambda v: v > 0.9, Geometric(x, r, 5))))


def one_by_one(x: Any, r: Any) -> Any:
    series = Geometric(x, r, 2)
    a, b, c = next(series), next(series, x * x), next(series, x * x)
    d = next(iter(series), r) * next(iter(Geometric(r, x, 1)))
    return a * b * c + series.value * d


def in_slices(x: Any, r: Any) -> Any:
    series = Geometric(r, x, 6)
    first = next(series) + sum(itertools.islice(series, 2))
    return first * series.value + series.left


def shared_by_loops(x: Any, r: Any) -> Any:
    series, total = Geometric(x, r, 6), 0.0
    for a in series:
        for b in series:
            total += a * b
            if b > 1.5:
                break
    return total * series.value


def in_a_loop_of_loops(x: Any, r: Any) -> Any:
    again, total = Again([x, r, x * r]), 0.0
    for k in range(2):
        for v in again:
            total = total * x + v * k
    return total * again.i


def searching(x: Any, r: Any) -> Any:
    total = 1.0
    for v in Skipping(x * 0.5):
        total = total * v + r
    return total


def with_iterators_of_their_own(x: Any, r: Any) -> Any:
    steps, total = Steps(x), 0.0
    for a in steps:
        total += a * r
    for a in steps:
        total *= a
    return total


def wrapping(x: Any, r: Any) -> Any:
    return sum(Wrapping(Geometric(x, r, 3), x)) * r


def failing(x: Any, r: Any) -> Any:
    total = 0.0
    try:
        for v in Failing(x, r, 4):
            total += v
    except ValueError:
        total *= x
    return total


def guarded(x: Any, r: Any) -> Any:
    return sum(Guarded(x, r, 4)) * r


MADE = [
    *(in_a_loop, left_by_break, left_by_return, taken_by_functions, in_pipelines, one_by_one, in_slices),
    *(shared_by_loops, in_a_loop_of_loops, searching, with_iterators_of_their_own),
]
ALL = [*MADE, wrapping, failing, guarded]


def slope(f: Callable[..., Any], make: Callable[[float], tuple[Any, ...]], at: float) -> float:
    h = 1e-6
    return float((f(*make(at + h)) - f(*make(at - h))) / (2 * h))


@pytest.mark.parametrize("f", ALL)
def test_iterators_made_here(f: Callable[..., Any]) -> None:
    expected = [slope(f, lambda v: (v, 1.3), 0.8), slope(f, lambda v: (0.8, v), 1.3)]
    for _ in range(3):
        y, back = pullback(f, 0.8, 1.3)
        assert y == pytest.approx(f(0.8, 1.3), rel=1e-14)
        for _ in range(2):
            assert np.allclose(back(1.0)[1:], expected, rtol=1e-5)
    assert f not in MADE or not choice.is_to_be_recorded(f, (0.8, 1.3))


@pytest.mark.parametrize("f", ALL)
def test_tangents_and_second_derivatives(f: Callable[..., Any]) -> None:
    y, dy = jvp(f, (0.8, 1.3), (1.0, 0.5))
    assert y == pytest.approx(f(0.8, 1.3), rel=1e-14)
    assert dy == pytest.approx(slope(f, lambda v: (0.8 + v, 1.3 + 0.5 * v), 0.0), rel=1e-5)
    first = grad(f)
    assert grad(first)(0.8, 1.3) == pytest.approx(slope(first, lambda v: (v, 1.3), 0.8), rel=1e-5, abs=1e-6)


def given_and_taken(series: Any, x: Any) -> Any:
    a = next(series)
    b, c = next(series), next(series)
    return a * b + c * x + sum(series) ** 2


def given_and_left(series: Any, x: Any) -> Any:
    total = x
    for v in series:
        total += v * x
        if total > 2.0:
            break
    return total * series.value * next(series, x)


def given_to_pipelines(series: Any, x: Any) -> Any:
    total = sum(a * b for a, b in zip(series, series, strict=False))
    return total * x + sum(k * v for k, v in enumerate(series)) + series.left


def given_and_ended(series: Any, x: Any) -> Any:
    first = sum(series) * x
    return first + sum(series) + next(series, x * x) * series.value


def given_too_short(series: Any, x: Any) -> Any:
    for _ in range(9):
        x = x * next(series)
    return x


GIVEN = [given_and_taken, given_and_left, given_to_pipelines, given_and_ended]


@pytest.mark.parametrize("f", GIVEN)
def test_iterators_that_are_arguments(f: Callable[..., Any]) -> None:
    def make(value: float = 0.8, ratio: float = 1.3, x: float = 0.4) -> tuple[Any, ...]:
        return Geometric(value, ratio, 7), x

    expected = [
        slope(f, lambda v, i=i: make(*[*[0.8, 1.3, 0.4][:i], v, *[0.8, 1.3, 0.4][i + 1 :]]), at)
        for i, at in enumerate((0.8, 1.3, 0.4))
    ]  # type: ignore[misc]
    for _ in range(3):
        given, plain = make(), make()
        y, back = pullback(f, *given)
        assert y == pytest.approx(f(*plain), rel=1e-14)
        assert vars(given[0]) == vars(plain[0])
        for _ in range(2):
            _, series, x = back(1.0)
            assert np.allclose([series.value, series.ratio, x], expected, rtol=1e-5)
    assert not choice.has_been_recorded(f, make())
    y, dy = jvp(f, make(), (None, 1.0))
    assert dy == pytest.approx(expected[2], rel=1e-5)


def test_the_end_is_seen_as_python_sees_it() -> None:
    for run in (given_too_short, lambda *args: pullback(given_too_short, *args)):
        series = Geometric(0.8, 1.3, 4)
        with pytest.raises(StopIteration):
            run(series, 0.4)
        assert series.left == 0


def test_another_class_of_the_same_name_is_asked() -> None:
    assert grad(in_a_loop)(0.8, 1.3) == pytest.approx(slope(in_a_loop, lambda v: (v, 1.3), 0.8), rel=1e-5)
    old = Geometric.__next__
    try:
        Geometric.__next__ = lambda self: old(self) * 2.0  # type: ignore[method-assign]
        assert grad(in_a_loop)(0.8, 1.3) == pytest.approx(slope(in_a_loop, lambda v: (v, 1.3), 0.8), rel=1e-5)
    finally:
        Geometric.__next__ = old  # type: ignore[method-assign]
