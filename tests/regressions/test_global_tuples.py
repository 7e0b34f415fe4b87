"""Tuples of functions that are globals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import grad


def total(x: Any) -> Any:
    return np.sum(x)


def squares(x: Any) -> Any:
    return np.sum(x**2)


FUNCTIONS, MIXED = (total, squares), (2.0, squares)


def by_loop(x: Any) -> Any:
    found = 0.0
    for f in FUNCTIONS:
        found = found + f(x)
    return found


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x: FUNCTIONS[1](x), 2.0),
        (lambda x: FUNCTIONS[-1](x), 2.0),
        (lambda x: MIXED[0] * np.sum(x), 2.0),
        (by_loop, 3.0),
    ],
)
def test_a_tuple_of_functions_may_be_a_global(f: Any, expected: float) -> None:
    """Programs without references asked for the roots of these."""
    np.testing.assert_array_equal(grad(f)(np.ones(2)), [expected, expected])
