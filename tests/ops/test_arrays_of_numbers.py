"""Numbers that are made arrays of a dtype: `np.array(z, dtype=complex)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import pullback
from adjoint.derivatives import choice

LARGE = 1e99


def reflected(p: Any) -> Any:
    z = np.array(p[0] + 10j, dtype=complex).reshape(-1)
    z[z == np.inf] = LARGE
    return abs((z - 50.0) / (z + p[1]))[0]


def widened(p: Any) -> Any:
    x = np.asarray(p[0], dtype=complex)
    y = np.array(p[1], dtype=np.float64).reshape(1)
    y[0] = y[0] * p[0]
    return (x * y[0] * (1.0 + 2.0j)).imag


def narrowed(p: Any) -> Any:
    x = np.array([p[0], p[1]], dtype=float)
    x[0] = np.array(p[1], dtype=float) * x[1]
    return x @ x


@pytest.mark.parametrize("f", [reflected, widened, narrowed], ids=lambda f: f.__name__)
def test_they_are_reversed_in_their_structure(f: Callable[..., Any]) -> None:
    p = np.array([30.0, 2.0])
    expected = [(f(p + e) - f(p - e)) / 2e-6 for e in 1e-6 * np.eye(2)]
    for _ in range(3):
        y, back = pullback(f, p)
        assert y == pytest.approx(f(p))
        for _ in range(2):
            np.testing.assert_allclose(back(1.0)[1], expected, rtol=1e-6, atol=1e-8)
    assert not choice.was_recorded(f)
    assert p.tolist() == [30.0, 2.0]
