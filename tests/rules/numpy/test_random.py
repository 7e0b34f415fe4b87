"""Rules of `np.random`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint.rules.registry import find_rules


@pytest.mark.parametrize("name", ["normal", "laplace", "logistic", "gumbel", "uniform"])
@pytest.mark.parametrize(("a", "b", "size"), [(0.5, 2.5, None), (np.array([0.5, 1.0]), 2.5, (3, 2)), (0.5, 2.5, 3)])
@pytest.mark.parametrize("new", [np.random.default_rng, np.random.RandomState])
def test_location_and_scale(new: Any, name: str, a: Any, b: Any, size: Any) -> None:
    draw = getattr(type(new(0)), name)
    call = find_rules(draw).select((type(new(0)), type(a), type(b), type(size))).call  # type: ignore[union-attr]
    y, back = call(new(0), a, b, size)
    assert np.array_equal(y, draw(new(0), a, b, size))
    y_bar = np.ones(np.shape(y)) if np.ndim(y) else 1.0
    _, a_bar, b_bar = back(y_bar)
    h = 1e-6
    of_a = (draw(new(0), a + h, b, size) - draw(new(0), a - h, b, size)) / (2 * h)
    of_b = (draw(new(0), a, b + h, size) - draw(new(0), a, b - h, size)) / (2 * h)
    assert np.isclose(np.sum(a_bar), np.sum(of_a), rtol=1e-6) and np.isclose(b_bar, np.sum(of_b), rtol=1e-6)
    assert np.shape(a_bar) == np.shape(a)


def test_exponential() -> None:
    rules = find_rules(np.random.Generator.exponential)
    y, back = rules.select((np.random.Generator, float)).call(np.random.default_rng(0), 2.0)  # type: ignore[union-attr]
    assert back(1.0)[1] == y / 2
