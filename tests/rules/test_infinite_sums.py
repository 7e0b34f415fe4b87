"""Logarithms of sums of exponentials whose result is infinite: the terms that are share equally."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient

INF = np.inf
ROWS: list[tuple[list[float], list[float]]] = [
    ([-INF, -INF], [0.5, 0.5]),
    ([INF, INF], [0.5, 0.5]),
    ([INF, 800.0], [1.0, 0.0]),
    ([-INF, 3.0], [0.0, 1.0]),
    ([2.0, 2.0], [0.5, 0.5]),
]


@pytest.mark.parametrize(("xs", "expected"), ROWS)
@pytest.mark.filterwarnings("error")
def test_terms_share(xs: list[float], expected: list[float]) -> None:
    a, b = map(float, xs)
    x = np.array(xs)
    for f in (np.logaddexp, np.logaddexp2):
        assert gradient(f, a, b) == pytest.approx(tuple(expected))
        np.testing.assert_allclose(gradient(f.reduce, x)[0], expected)
        np.testing.assert_allclose(gradient(f.reduce, x, where=[True, True])[0], expected)


@pytest.mark.parametrize(("xs", "expected"), ROWS)
@pytest.mark.filterwarnings("error")
def test_of_scipy_too(xs: list[float], expected: list[float]) -> None:
    special: Any = pytest.importorskip("scipy.special")
    with np.errstate(over="ignore"):  # SciPy 1.15 says so of the value
        np.testing.assert_allclose(gradient(special.logsumexp, np.array(xs))[0], expected)
        rows = np.array([xs, [1.0, 1.0]])
        of_rows = gradient(lambda a: special.logsumexp(a, axis=1)[0], rows)[0]
    np.testing.assert_allclose(of_rows, [expected, [0.0, 0.0]])
