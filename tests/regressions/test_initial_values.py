"""Reductions that start from a number of the caller's: `initial=` has a derivative like every other argument."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient

from .differences import check

A = np.array([[1.5, -0.5, 2.0], [0.25, 3.0, -1.0]])
MASK = A > 0
ONCE = [(), (1,)]
STARTED: list[Callable[..., Any]] = [
    lambda a, x: np.sum(a, initial=x),
    lambda a, x: a.sum(axis=0, initial=x),
    lambda a, x: np.add.reduce(a, initial=x),
    lambda a, x: np.sum(a, axis=1, keepdims=True, initial=x, where=MASK),
    lambda a, x: np.prod(a, initial=x),
    lambda a, x: a.prod(axis=1, initial=x, where=MASK),
    lambda a, x: np.multiply.reduce(a, axis=1, keepdims=True, initial=x),
    lambda a, x: np.max(a, initial=x),
    lambda a, x: np.max(a, axis=0, initial=x),
    lambda a, x: a.max(axis=1, keepdims=True, initial=x, where=~MASK),
    lambda a, x: np.min(a, axis=0, initial=x, where=MASK),
    lambda a, x: np.minimum.reduce(a, axis=1, initial=x),
]


@pytest.mark.parametrize("x", [0.7, 2.2, -0.1])
@pytest.mark.parametrize("f", STARTED)
def test_the_first_value(f: Callable[..., Any], x: float) -> None:
    check(f, A, x, order=2)
    check(f, A, np.array(x))


@pytest.mark.parametrize("f", STARTED)
def test_the_first_value_in_a_program_that_is_recorded(f: Callable[..., Any]) -> None:
    def program(a: Any, x: Any) -> Any:
        a[0, 0] *= x
        try:
            return f(a, x)
        finally:
            a[0, 0] = 0.0

    check(program, A, 0.7, order=2)
    check(program, A, np.array(0.7))


def test_a_complex_first_value() -> None:
    check(lambda a, x: np.sum(a * 1j, initial=x), A, 1.0 + 2.0j)
    check(lambda a, x: np.prod(a * x, axis=0, initial=x), A, 1.0 + 2.0j)


def test_the_first_value_is_one_more_entry_where_several_are_largest() -> None:
    bars = gradient(lambda a, x: np.max(a, initial=x), np.array([1.0, 3.0, 3.0]), 3.0)
    np.testing.assert_allclose(bars[0], [0.0, 1 / 3, 1 / 3])
    assert bars[1] == 1 / 3
