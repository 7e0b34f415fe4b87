"""Draws from generators that a program makes of numbers: a second run draws the same, so they are no effects."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from regressions.differences import check

from adjoint import grad
from adjoint.derivatives import choice

from .held_to_python import hold


def option(s: Any, k: Any) -> Any:
    rng, paid = np.random.default_rng(1), []
    for _ in range(8):
        path = 2.0 * np.exp(np.cumsum(s * rng.standard_normal(5) * 0.3))
        paid.append(max(path[-1] - k, 0.0))
    return np.mean(paid)


def jittered(s: Any, k: Any) -> Any:
    rng = np.random.RandomState(seed=3)
    total = 0.0
    for x in rng.uniform(0.0, 1.0, 6):
        total += max(s * x - k, 0.1) * rng.random_sample()
    return total


def walked(s: Any, k: Any) -> Any:
    r, x = random.Random(3), 1.0
    for _ in range(6):
        x = max(x * s + k * (r.random() - 0.5), 0.1)
    return x


@pytest.mark.parametrize("f", [option, jittered, walked])
def test_of_its_own(f: Any) -> None:
    hold(f, lambda: (1.1, 0.7))


SHARED = np.random.default_rng(5)


def of_the_module(s: Any) -> Any:
    paid = []
    for _ in range(4):
        paid.append(max(s * SHARED.random(), 0.2))
    return np.mean(paid)


def of_the_same_state(s: Any) -> Any:
    rng = np.random.default_rng(SHARED)
    return max(s * rng.random(), 0.0) + max(s * rng.random(), 0.2)


def of_an_argument(s: Any, rng: Any) -> Any:
    return max(s * rng.random(), 0.0) + max(s * rng.random(), 0.2)


@pytest.mark.parametrize("f", [of_the_module, of_the_same_state])
def test_what_others_draw_from_is_drawn_once(f: Any) -> None:
    choice.forget()
    for seed in range(4):
        state = np.random.default_rng(seed).bit_generator.state
        SHARED.bit_generator.state = state
        f(1.5)
        after = SHARED.bit_generator.state
        SHARED.bit_generator.state = state
        grad(f)(1.5)
        assert SHARED.bit_generator.state == after


def test_arguments_are_drawn_from_once() -> None:
    choice.forget()
    for seed in range(4):
        rng, other = np.random.default_rng(seed), np.random.default_rng(seed)
        of_an_argument(1.5, other)
        grad(of_an_argument)(1.5, rng)
        assert rng.bit_generator.state == other.bit_generator.state


def entropy(s: Any) -> Any:
    rng = np.random.default_rng()
    return max(s, 0.5) * 2.0 + 0.0 * rng.random()


def test_without_a_seed() -> None:
    check(entropy, 1.1)


def annealed(s: Any) -> Any:
    """A search that is given an accepted state, or keeps the one it has."""
    rng, state, t, seen = random.Random(5), [s, -s, 0.5 * s], 1.0, set()

    def energy(state: Any) -> Any:
        return sum([v * v * (i + 1) for i, v in enumerate(state)]) + state[0] * state[1]

    while t > 0.05:
        i, new = rng.randrange(3), state.copy()
        new[i] += rng.gauss(0.0, 0.3) * s
        risen = energy(new) - energy(state)
        if risen < 0 or rng.random() < math.exp(-risen / t):
            state = new
            seen.add(i)
        t *= 0.93
    return energy(state) * len(seen)


def by_bits(s: Any) -> Any:
    rng, xs = random.Random(2), [s, s * s]
    for _ in range(6):
        new = xs[:]
        new[rng.getrandbits(1)] *= s
        if rng.random() < 0.5:
            xs = new
    return xs[0] * xs[1]


@pytest.mark.parametrize("f", [annealed, by_bits], ids=lambda f: f.__name__)
def test_beside_lists_that_are_memory(f: Any) -> None:
    hold(f, lambda: (1.1,))
