"""Functions that draw from a generator which they are given or capture: those that the program makes are its own, so
that such a run may be done again, and it is reversed in its structure."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import pullback
from adjoint.derivatives.choice import is_to_be_recorded

from .differences import check


def noise(rng: Any, n: int) -> Any:
    return rng.normal(size=n)


def walked(rng: Any, n: int) -> float:
    return 0.0 if n == 0 else rng.normal() + walked(rng, n - 1)


def kept(rng: Any, n: int, scale: float = 1.0) -> list[float]:
    xs, x = [], 0.0
    for _ in range(n):
        if rng.random() < 0.3:
            continue
        x = 0.9 * x + scale * rng.standard_normal()
        xs.append(x)
    return xs


def both(first: Any, second: Any) -> float:
    return first.random() * second.random()  # type: ignore[no-any-return]


def filled(rng: Any, a: Any) -> Any:
    a[:] = rng.normal(size=a.shape)
    return a


def helper(s: float) -> float:
    rng, x = np.random.default_rng(1), np.zeros(3)
    for _ in range(5):
        x = 0.9 * x + s * noise(rng, 3)
    return float((x**2).sum())


def by_name(s: float) -> float:
    rng = np.random.default_rng(1)
    return s * float(noise(n=2, rng=rng).sum()) * float(noise(rng, n=3).sum())


def recursive(s: float) -> float:
    return s * s * walked(np.random.default_rng(1), 5)


def lists(s: float) -> float:
    rng = np.random.default_rng(1)
    return s * sum(kept(rng, 20)) + sum(kept(rng, 5, scale=s))


def two_generators(s: float) -> float:
    rng, other = np.random.default_rng(1), random.Random(2)
    return s * both(rng, other) + s * s * both(rng, rng)


def stored(s: float) -> float:
    rng, a = np.random.default_rng(1), np.zeros(3)
    filled(rng, a)
    b = a * s
    filled(rng, a)
    return float((a * b).sum())


def captured(s: float) -> float:
    rng = np.random.default_rng(1)

    def step(x: float) -> float:
        return 0.9 * x + s * float(rng.normal())

    def alone(n: int) -> Any:
        return rng.normal(size=n)

    x = s
    for _ in range(5):
        x = step(x)
    return x * x + float(alone(2).sum() * alone(3).sum()) * s


def chosen(s: float) -> float:
    rng = np.random.default_rng(1)
    other = rng if s > 0.0 else np.random.default_rng(2)
    return s * float(noise(other, 2).sum()) + float(noise(rng, 1)[0]) * s * s


@pytest.mark.parametrize("f", [helper, by_name, recursive, lists, two_generators, stored, captured, chosen])
def test_of_the_programs_own(f: Callable[[float], float]) -> None:
    for _ in range(3):
        check(f, 0.5)
    assert not is_to_be_recorded(f, (0.5,))


def given(s: float, rng: Any) -> float:
    x = np.zeros(3)
    for _ in range(5):
        x = 0.9 * x + s * noise(rng, 3)
    return float((x**2).sum())


def given_and_unknown(s: float, rng: Any) -> float:
    held: list[Any] = [s, lambda x: x * s]
    return s * float(noise(rng, 3)[0]) + float(np.asarray(held[1](held[0])).reshape(-1)[0]) * walked(rng, 3)


@pytest.mark.parametrize("f", [given, given_and_unknown])
def test_of_somebody_elses_nothing_is_drawn_twice(f: Callable[..., float]) -> None:
    plain, rng = np.random.default_rng(3), np.random.default_rng(3)
    for _ in range(3):
        y, back = pullback(f, 0.5, rng)
        assert y == f(0.5, plain)
        back(1.0)
        assert rng.bit_generator.state == plain.bit_generator.state


def test_functions_of_libraries_are_called_as_they_are() -> None:
    stats = pytest.importorskip("scipy.stats")

    def f(s: float) -> float:
        rng = np.random.default_rng(1)
        drawn = stats.norm.rvs(size=3, random_state=rng).sum()
        return s * float(drawn) + s * s * float(stats.norm(0, 2).rvs(2, random_state=rng).sum())

    for _ in range(3):
        check(f, 0.5)
