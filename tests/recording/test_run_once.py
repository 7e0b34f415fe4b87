"""A program is run once, also in a derivative of a derivative: what it draws and counts is as in a plain run."""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient


@pytest.mark.parametrize("mean", [statistics.mean, statistics.fmean])
def test_counts_once(mean: Any) -> None:
    class Clock:
        ticks = 0

    def tick() -> int:
        Clock.ticks += 1
        return Clock.ticks

    def program(x: Any) -> Any:
        return mean([x * tick(), x]) ** 2

    assert gradient(grad(program), 0.8) == pytest.approx((2.0,))
    assert Clock.ticks == 1


def test_draws_once() -> None:
    rng, other = np.random.default_rng(1), np.random.default_rng(1)

    def program(x: Any) -> Any:
        return statistics.stdev([x * rng.normal(), x]) ** 2

    assert gradient(grad(program), 0.8) == pytest.approx(((other.normal() - 1.0) ** 2,))
    assert rng.normal() == other.normal()
