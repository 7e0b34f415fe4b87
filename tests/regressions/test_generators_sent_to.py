"""Generators that are made of nothing that moves, are sent what does, and are closed: value, state and derivatives are
those of the plain program."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
import pytest

from adjoint import gradient, hvp
from adjoint.derivatives.choice import is_structured_call

from .differences import check
from .functions_over_memory import Case, numbers
from .test_functions_over_memory import check_tangents
from .test_shared_objects import named

Numbers = Generator[float, float, None]


def decayed() -> Numbers:
    y = 0.0
    while True:
        y = y * 0.5 + (yield y)


def average(xs: list[float]) -> float:
    def mean() -> Generator[float | None, float, None]:
        t, n, y = 0.0, 0, None
        while True:
            v = yield y
            t += v
            n += 1
            y = t / n

    g = mean()
    next(g)
    r = 0.0
    for x in xs:
        r = r * 0.5 + g.send(x * x)  # type: ignore[operator]
    g.close()
    return r


def two(xs: list[float]) -> float:
    g, h, r = decayed(), decayed(), 0.0
    next(g)
    next(h)
    for x in xs:
        r = r * 0.5 + g.send(x * x) + h.send(g.send(x))
    g.close()
    h.close()
    return r


def one_a_round(xs: list[float]) -> float:
    r = 0.0
    for x in xs:
        g = decayed()
        next(g)
        r += g.send(x) * g.send(x * x)
        g.close()
    return r


# ---- recorded or not


def sent_to_after_close(xs: list[float]) -> float:
    g = decayed()
    next(g)
    r = g.send(xs[0])
    g.close()
    try:
        r += g.send(xs[1])
    except StopIteration:
        r *= 3.0
    return r


def closed_in_a_round(xs: list[float]) -> float:
    g, r = decayed(), 0.0
    next(g)
    for x in xs:
        try:
            r += g.send(x)
        except StopIteration:
            r *= 2.0
        if x > 0.5:
            g.close()
    return r


def closed_before_it_begins(xs: list[float]) -> float:
    g, r = decayed(), xs[0] ** 2
    g.close()
    return r


def notices(xs: list[float], log: list[float]) -> float:
    def sums() -> Numbers:
        y = 0.0
        try:
            while True:
                y += yield y
        finally:
            log.append(y)

    g, r = sums(), 0.0
    next(g)
    for x in xs:
        r += g.send(x)
    g.close()
    return r * log[-1]


CASES: list[Case] = [
    (average, lambda: (numbers(4),)),
    (two, lambda: (numbers(4),)),
    (one_a_round, lambda: (numbers(4),)),
]
RIGHT: list[Case] = [
    (average, lambda: ([],)),
    (sent_to_after_close, lambda: (numbers(4),)),
    (closed_in_a_round, lambda: (numbers(4),)),
    (closed_before_it_begins, lambda: (numbers(4),)),
    (notices, lambda: (numbers(4), [0.5])),
]


@pytest.mark.parametrize("case", [*CASES, *RIGHT], ids=named)
def test_generators_that_are_sent_to(case: Case) -> None:
    f, make = case
    for _ in range(3):
        check(f, *make())
    assert case in RIGHT or is_structured_call(f, make()), "it was recorded"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_tangents_are_those_of_the_gradient(case: Case) -> None:
    check_tangents(case)


def test_second_derivatives() -> None:
    xs, v, h = np.array([0.3, 0.5, 0.7]), np.array([1.0, 0.5, -0.3]), 1e-5
    sides = [np.array(gradient(two, [*(xs + by * v)])[0]) for by in (h, -h)]
    np.testing.assert_allclose(hvp(two, ([*xs],), ([*v],))[0], (sides[0] - sides[1]) / (2 * h), rtol=1e-6)
