"""Rules of the module `random`."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import grad, gradient
from adjoint.calculus import pushforward
from adjoint.errors import NoRuleError

JUMPS: dict[str, tuple[Callable[..., Any], int]] = {
    "`alpha` of `gammavariate`": (lambda a, b: random.gammavariate(a, b), 0),
    "`alpha` of `betavariate`": (lambda a, b: random.betavariate(a, b), 0),
    "`beta` of `betavariate`": (lambda a, b: random.Random(3).betavariate(a, b), 1),
    "`kappa` of `vonmisesvariate`": (lambda a, b: random.Random(3).vonmisesvariate(a, b), 1),
}


@pytest.mark.parametrize("what", JUMPS)
def test_draws_by_rejection_are_refused_by_the_parameters_that_move(what: str) -> None:
    f, i = JUMPS[what]
    for args in ((2.5, 1.5), (2, 3)):
        with pytest.raises(NoRuleError, match=what):
            grad(f, i)(*args)
    with pytest.raises(NoRuleError, match=what):
        pushforward(f, (2.5, 1.5), (1.0, None) if i == 0 else (None, 1.0))

    def scaled(x: float) -> Any:
        random.seed(3)
        return x * f(2.5, 1.5)

    assert grad(scaled)(0.5) == scaled(1.0) == pushforward(scaled, (0.5,), (1.0,))[1]


def test_a_slope_that_jumps() -> None:
    with pytest.raises(NoRuleError, match="`alpha` of `gammavariate`"):
        grad(lambda a: grad(lambda b: random.gammavariate(a, b))(1.5))(2.5)


def test_a_method_of_an_own_generator() -> None:
    assert gradient(lambda a, b: random.Random(3).gauss(a, b), 1.0, 2.0) == (1.0, random.Random(3).gauss(0.0, 1.0))
    assert grad(lambda b: random.Random(3).gammavariate(2.5, b))(1.5) == random.Random(3).gammavariate(2.5, 1.0)


@pytest.mark.skipif(not hasattr(random, "binomialvariate"), reason="Python 3.12")
def test_counts_are_constant_piece_by_piece() -> None:
    assert grad(lambda p: random.Random(3).binomialvariate(5, p))(0.4) == 0.0  # type: ignore[attr-defined]


@pytest.mark.skipif(not hasattr(statistics, "kde_random"), reason="Python 3.13")
@pytest.mark.parametrize("kernel", ["normal", "triangular", "cosine", "quartic"])
def test_draws_of_an_estimated_density(kernel: str) -> None:
    def f(a: float, h: float) -> Any:
        draw = statistics.kde_random([a, 2 * a, 3 * a], h, kernel, seed=3)  # type: ignore[attr-defined]
        return draw() + 2 * draw()

    by_h = (f(2.5, 1 + 1e-6) - f(2.5, 1 - 1e-6)) / 2e-6
    assert gradient(f, 2.5, 1.0) == pytest.approx((3.0, by_h), rel=1e-6)
