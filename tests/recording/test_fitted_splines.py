"""Splines of FITPACK hold their knots and coefficients twice; a recorded program knows them by one of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp

si = pytest.importorskip("scipy.interpolate", exc_type=ImportError)

X, Y = np.arange(5.0), np.array([0.3, -0.2, 0.5, 1.3, 1.0])
MADE: dict[str, Callable[[Any], Any]] = {
    "through": lambda y: si.UnivariateSpline(X, y, s=0),
    "interpolated": lambda y: si.InterpolatedUnivariateSpline(X, y),
    "with knots": lambda y: si.LSQUnivariateSpline(X, y, [2.0], k=2),
}
ASKED: dict[str, Callable[[Any], Any]] = {
    "called": lambda s: s(1.5) ** 2,
    "integral": lambda s: s.integral(0.5, 3.0) ** 2,
    "derivative": lambda s: s.derivative()(1.5) ** 2,
    "antiderivative": lambda s: s.antiderivative()(1.5) ** 2,
    "coefficients": lambda s: np.sum(s.get_coeffs() ** 2),
    "all derivatives": lambda s: np.sum(s.derivatives(1.5) ** 2),
}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("asked", ASKED)
def test_a_recorded_program_has_the_gradient_of_its_spline(made: str, asked: str) -> None:
    log: list[float] = []

    def plain(y: Any) -> Any:
        return ASKED[asked](MADE[made](y))

    def recorded(y: Any) -> Any:
        log.append(1.0)  # others see it
        return ASKED[asked](MADE[made](y))

    dot = np.array([0.2, -0.5, 1.0, 0.3, -0.7])
    expected = (plain(Y + 1e-6 * dot) - plain(Y - 1e-6 * dot)) / 2e-6
    for f in (plain, recorded):
        np.testing.assert_allclose(gradient(f, Y)[0] @ dot, expected, rtol=1e-7)
        np.testing.assert_allclose(jvp(f, (Y,), (dot,))[1], expected, rtol=1e-7)
