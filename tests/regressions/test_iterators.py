"""Iterators that are run through again, and give nothing then."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compiled.lists import ITERATED

from adjoint import value_and_grad

X = np.array([0.5, 2.0, -1.0])


@pytest.mark.parametrize("f", ITERATED, ids=lambda f: f.__name__)
def test_an_iterator_gives_its_items_once(f: Any) -> None:
    value, found = value_and_grad(f)(X)
    assert value == f(X)
    h = 1e-6
    expected = [(f(X + h * e) - f(X - h * e)) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)
