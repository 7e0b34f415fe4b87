"""Functions of SciPy that give new arrays, beside stores into what they have read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import slope

from adjoint import grad, pullback
from adjoint.derivatives.choice import is_structured_call

linalg = pytest.importorskip("scipy.linalg")
signal = pytest.importorskip("scipy.signal")
fft = pytest.importorskip("scipy.fft")
M = np.array([[2.0, 0.3], [0.1, 1.0]])


def filtered(p):
    a = np.zeros(4)
    a[:2] = p
    a[2:] = signal.lfilter([1.0], [1.0, 0.3], a[:2])
    state = signal.lfiltic([1.0], [1.0, 0.3, 0.1], a[1:3])
    a[0] = state[0] * a[3]
    return a * a


@pytest.mark.parametrize("f", [filtered])
def test_they_keep_nothing(f: Callable[[Any], Any]) -> None:
    p, p_dot = np.array([0.5, 1.2]), np.array([0.3, -0.8])
    y, back = pullback(f, p)
    np.testing.assert_array_equal(y, f(p))
    w = np.cos(np.arange(y.size)).reshape(y.shape)
    d = slope(lambda t: np.sum(f(p + t * p_dot) * w), 0.0)
    for _ in range(2):
        assert back(w)[1] @ p_dot == pytest.approx(d, rel=1e-6)
    assert is_structured_call(f, (p,))
    np.testing.assert_array_equal(p, [0.5, 1.2])


def test_what_may_be_overwritten() -> None:
    def f(p):
        a = p * 1.0
        b = linalg.solve(M, a, overwrite_b=True)
        c = fft.fft(p * (1.0 + 0j), overwrite_x=True)
        return np.sum(b * p) + np.sum(np.abs(c))

    p = np.array([0.5, 1.2])
    expected = [slope(lambda t, e=e: f(p + t * e), 0.0) for e in np.eye(2)]
    np.testing.assert_allclose(grad(f)(p), expected, rtol=1e-6)
