"""Means, variances and deviations of lists that a program makes, before a loop and inside."""

from __future__ import annotations

import statistics
from typing import Any

import pytest

from adjoint import gradient, withgradient
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call
from adjoint.testing import check_gradient


def means(x, y):
    return statistics.mean([x, y, x * y]) * statistics.fmean([x * x, 2.0])


def deviations(x, y):
    items = [x, y, x * y, 1.0]
    return statistics.stdev(items) * statistics.pstdev(items) + statistics.variance(items) * statistics.pvariance(items)


def standardised(x, y):
    items = [x * i * i + y for i in range(5)]
    m, s = statistics.mean(items), statistics.stdev(items)
    return sum([((v - m) / s) ** 3 * y for v in items])


def in_a_loop(x, y):
    items, total = [x], 0.0
    for i in range(4):
        items.append(y * i + x * x)
        total += statistics.mean(items) * statistics.variance(items)
        if i > 1:
            items.pop(0)
            total += statistics.fmean(items) + statistics.pstdev(items) * x
    return total


PROGRAMS = [f for f in list(globals().values()) if getattr(f, "__module__", "") == __name__]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    x, y = 1.5, 0.7
    for _ in range(3):
        value, bars = withgradient(f, x, y)
        assert (type(value), repr(value)) == (type(f(x, y)), repr(f(x, y)))
    check_gradient(f, x, y)
    assert pushforward(f, (x, y), (1.0, -2.0))[1] == pytest.approx(bars[0] - 2.0 * bars[1])
    h = 1e-5
    second = gradient(lambda x: gradient(f, x, y)[0], x)[0]
    slope = (gradient(f, x + h, y)[0] - gradient(f, x - h, y)[0]) / (2 * h)
    assert second == pytest.approx(slope, rel=1e-5, abs=1e-4)
    assert is_structured_call(f, (x, y))


def test_equal_items_and_none() -> None:
    for x in (0.0, 2.0):
        assert gradient(lambda x: statistics.stdev([x, x, x]), x) == (0.0,)
        assert gradient(lambda x: statistics.pstdev([x]) + x, x) == (1.0,)
    for f in (statistics.mean, statistics.stdev):
        with pytest.raises(statistics.StatisticsError):
            gradient(lambda x: f([x][1:]) * x, 1.5)  # noqa: B023
