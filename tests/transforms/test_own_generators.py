"""Programs that draw from a `random.Random` of their own, or one that they are given."""

from __future__ import annotations

import random
from typing import Any

import pytest

from adjoint import gradient, hvp, jvp, pullback
from adjoint.derivatives.choice import is_structured_call
from adjoint.testing import check_gradient


def noise(x, y):
    rng, total = random.Random(1), 0.0
    for _ in range(6):
        total = total * y + x * rng.gauss(0, 1) + rng.random() * x * y
    return total


def moved_draws(x, y):
    rng, total = random.Random(2), 0.0
    for _ in range(4):
        total += rng.gauss(x, y) ** 2 + rng.uniform(x, x * y) * rng.normalvariate(y, 1.0)
    return total


def other_draws(x, y):
    rng, total = random.Random("seed"), 0.0
    for _ in range(4):
        total += x * rng.expovariate(2.0) + y * rng.randint(1, 6) + x * y * rng.betavariate(2.0, 3.0)
    return total * rng.randrange(5)


def exponential(x, y):
    rng = random.Random(5)
    return rng.expovariate(x) * rng.lognormvariate(y, 0.2)


def chosen_index(x, y):
    rng, values, total = random.Random(3), [x, y, x * y], 0.0
    for _ in range(5):
        total += values[rng.randrange(3)] * rng.random()
    return total


def chosen_item(x, y):
    rng, values = random.Random(3), [x, y, x * y]
    return rng.choice(values) * rng.choice(values) + sum(rng.sample(values, 2)) * sum(rng.choices(values, k=3))


def seeded_again(x, y):
    rng = random.Random(3)
    first = rng.random() * x
    rng.seed(3)
    return first + rng.random() * y


def shuffled(x, y):
    rng = random.Random(1)
    values = [x * i for i in range(5)]
    rng.shuffle(values)
    return sum(v * i * y for i, v in enumerate(values))


STRUCTURED = [noise, moved_draws, other_draws, chosen_index, seeded_again]


@pytest.mark.parametrize("f", [*STRUCTURED, exponential, chosen_item, shuffled], ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    x, y = 0.7, 1.2
    for _ in range(3):
        value, back = pullback(f, x, y)
        assert value == f(x, y)
        _, x_bar, y_bar = back(1.0)
    check_gradient(f, x, y)
    assert jvp(f, (x, y), (1.0, -2.0))[1] == pytest.approx((x_bar or 0.0) - 2.0 * (y_bar or 0.0))
    h = 1e-5
    slope = (gradient(f, x + h, y)[0] - gradient(f, x - h, y)[0]) / (2 * h)
    assert hvp(f, (x, y), (1.0, 0.0))[0] == pytest.approx(slope, rel=1e-5, abs=1e-6)
    if f in STRUCTURED:
        assert is_structured_call(f, (x, y))


def walk(rng, x):
    total = 0.0
    for _ in range(5):
        total = total * 0.5 + rng.gauss(0.0, x) + x * rng.random()
    return total


def test_a_generator_that_is_given_draws_once() -> None:
    for _ in range(3):
        plain, ours = random.Random(4), random.Random(4)
        expected = walk(plain, 0.8)
        value, back = pullback(walk, ours, 0.8)
        assert value == expected
        assert ours.getstate() == plain.getstate()
        h = 1e-6
        slope = (walk(random.Random(4), 0.8 + h) - walk(random.Random(4), 0.8 - h)) / (2 * h)
        assert back(1.0)[2] == pytest.approx(slope)


class Loaded(random.Random):
    drawn = 0

    def random(self):
        Loaded.drawn += 1
        return 0.25 * super().random()


def test_a_class_of_the_programs_own_is_asked() -> None:
    expected = walk(Loaded(4), 0.8)
    asked, Loaded.drawn = Loaded.drawn, 0
    for i in range(3):
        assert pullback(walk, Loaded(4), 0.8)[0] == expected
        assert Loaded.drawn == (i + 1) * asked
