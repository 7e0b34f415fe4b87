"""Functions whose derivative is that of a program, within functions that are recorded: at second order the program is
recorded as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hvp

X = np.array([0.1, 0.4, 0.75])


def weighed(w: Any) -> Any:
    return np.sum(np.histogram(X, bins=3, weights=w)[0] ** 3)


def edges(w: Any) -> Any:
    return np.sum(np.histogram_bin_edges(w, 3) ** 3)


def common(w: Any) -> Any:
    return np.sum(np.intersect1d(w, [1.0, 3.0, 4.0]) ** 3)


@pytest.mark.parametrize("f", [weighed, edges, common])
def test_second_derivatives_in_a_recorded_program(f: Callable[[Any], Any]) -> None:
    def recorded(w: Any) -> Any:
        try:
            y = f(w)
        except ValueError:
            y = 0.0
        return y

    w, v = np.array([1.0, 2.0, 3.0]), np.array([1.0, -1.0, 0.5])
    np.testing.assert_allclose(gradient(recorded, w)[0], gradient(f, w)[0])
    np.testing.assert_allclose(hvp(recorded, (w,), (v,))[0], hvp(f, (w,), (v,))[0])
