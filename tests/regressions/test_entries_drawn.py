"""Entries that are drawn: particle filters, bootstraps, random walks; nothing flows through the probabilities."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import pullback
from adjoint.derivatives.choice import is_to_be_recorded

from .differences import check

MAKERS = [np.random.default_rng, np.random.RandomState]


def particle_filter(observed: Any) -> float:
    rng, total = np.random.default_rng(1), 0.0
    x = rng.normal(size=30)
    for y in observed:
        x = 0.9 * x + 0.3 * y * rng.normal(size=30)
        w = np.exp(-0.5 * (y - x) ** 2)
        total += np.log(w.mean())
        w /= w.sum()
        x = x[rng.choice(30, size=30, p=w)]
    return float(total)


def particles_in_lists(observed: Any) -> float:
    rng, total = random.Random(1), 0.0
    xs = [rng.gauss(0.0, 1.0) for _ in range(20)]
    for y in observed:
        xs = [0.9 * x + 0.3 * y * rng.gauss(0.0, 1.0) for x in xs]
        weights = [math.exp(-0.5 * (y - x) ** 2) for x in xs]
        total += math.log(sum(weights) / 20)
        xs = rng.choices(xs, weights=weights, k=20)
    return total


def bootstrap(a: Any) -> float:
    rng, total = np.random.default_rng(1), 0.0
    for _ in range(5):
        total += rng.choice(a, size=10).std() + rng.choice(a)
    return float(total)


def walk(a: Any) -> float:
    rng, x = random.Random(0), 0.0
    for _ in range(30):
        x += a[0] * rng.choice([-1.0, 1.0]) + rng.sample([a[1], a[2], 1.0], 2)[0]
    return float(x * x)


STRUCTURED = [particle_filter, particles_in_lists, bootstrap, walk]


@pytest.mark.parametrize("f", STRUCTURED)
def test_in_their_structure(f: Callable[[Any], float]) -> None:
    a = np.array([0.5, 0.7, 0.9])
    for _ in range(3):
        check(f, a, rtol=1e-5)
    assert not is_to_be_recorded(f, (a,))


@pytest.mark.parametrize("make", MAKERS)
def test_of_lists_and_with_stores(make: Any) -> None:
    def lists(a: Any) -> float:
        rng, held, total = make(1), [a[0], a[1] * a[2], a[2]], 0.0
        for _ in range(3):
            total += rng.choice(held) * rng.choice([1.0, 2.0])
        return float(total * rng.choice(held, size=2).sum()) + len(rng.choice(["a", "bb"]))

    def stores(a: Any) -> float:
        rng = make(1)
        y = rng.choice(a, size=3)
        y[0] = y[1] * a[0]
        a[0] *= 2.0
        return float(y.sum() + a.sum() * y.prod())

    for _ in range(3):
        check(lists, np.array([0.5, 0.7, 0.9]))
        check(stores, np.array([0.5, 0.7, 0.9]))


class Particle:
    def __init__(self, x: float) -> None:
        self.x = x


def test_objects_that_are_drawn_are_themselves() -> None:
    def f(xs: list[float]) -> float:
        rng, held = random.Random(1), [Particle(x) for x in xs]
        one = rng.choice(held)
        one.x *= 2.0
        rng.sample(held, 2)[0].x += 1.0
        several = rng.choices(held, k=3)
        several[1].x *= several[0].x
        return sum(p.x**2 for p in held) + one.x

    for _ in range(3):
        check(f, [0.5, 0.7, 0.9, 0.2])


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    "given", [(5,), (5, 3), (5, (2, 2)), (5, ()), (5, 4, False), (5, 3, True, [0.1, 0.2, 0.3, 0.2, 0.2])]
)
@pytest.mark.parametrize("of", [lambda n: n, lambda n: np.arange(n) / 7.0, lambda n: [i / 7.0 for i in range(n)]])
def test_what_is_drawn_is_what_numpy_draws(make: Any, given: Any, of: Any) -> None:
    plain, ours = make(3), make(3)
    expected = plain.choice(of(given[0]), *given[1:])
    y, _ = pullback(lambda a: ours.choice(a, *given[1:]), of(given[0]))
    np.testing.assert_array_equal(y, expected)
    assert type(y) is type(expected) and np.shape(y) == np.shape(expected)
    assert plain.random() == ours.random()
