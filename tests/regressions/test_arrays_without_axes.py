"""Arrays without axes that change in place: of what they hold arithmetic makes NumPy scalars, into which nothing is
stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import hvp, jvp

from .differences import check

A = np.array([1.2, 2.0, 3.0])


def stored_after_an_addition(v: Any) -> float:
    s = np.zeros(())
    s += v[0]
    s[()] *= v[1]
    return float(s)


def of_a_shape_that_the_run_shows(v: Any) -> float:
    s = np.zeros(v.shape[1:])
    s += v[0]
    s[...] = s * v[1]
    return float(s)


def stored_twice(v: Any) -> float:
    s = np.zeros(())
    s += v[0]
    s[...] = 3.0
    s *= v[1]
    s[()] = v[2] * s
    return float(s)


def made_of_an_item(v: Any) -> float:
    s = np.array(v[2])
    s *= v[1]
    s[...] = s * s
    return s.item() * v[0]


@pytest.mark.parametrize(
    "f",
    [stored_after_an_addition, of_a_shape_that_the_run_shows, stored_twice, made_of_an_item],
    ids=lambda f: f.__name__,
)
def test_they_are_followed_in_both_modes(f: Callable[[Any], float]) -> None:
    check(f, A, order=2)
    t = 1e-5 * A
    y, dy = jvp(f, (A,), (A,))
    assert y == f(A)
    assert dy == pytest.approx((f(A + t) - f(A - t)) / 2e-5, rel=1e-8)
    differences = (np.array(hvp(f, (A + t,), (A,))) + np.array(hvp(f, (A - t,), (A,)))) / 2.0
    np.testing.assert_allclose(hvp(f, (A,), (A,)), differences, rtol=1e-8)
