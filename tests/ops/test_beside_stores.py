"""Programs that store into arrays, and call functions whose result types are said: they are not recorded for these."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.derivatives import choice

AT, X, T = np.array([0, 1, 0, 2]), np.arange(4.0), np.linspace(0.0, 1.0, 4)
Y = np.array([1.3, 2.1, 0.7, 3.2])


def scattered(y: Any) -> Any:
    """A sum of squares, of an array that is written into."""
    o = np.zeros(3)
    np.add.at(o, AT, y)
    return (o**2).sum()


PROGRAMS = {
    "sums by place": lambda y: scattered(y) + np.bincount(AT, weights=y).max(),
    "sums by place of so many": lambda y: scattered(y) + np.bincount(AT, y, 0)[1],
    "places that are not zero": lambda y: scattered(y) + y[np.nonzero(y > 1.0)[0]].sum(),
    "places by a condition": lambda y: scattered(y) + y[np.where(y > 1.0)].sum(),
    "places in order": lambda y: scattered(y) + y[np.searchsorted(T, 0.5)] * y[np.digitize(0.3, T)],
    "an average": lambda y: scattered(y) + np.average(y, weights=T),
    "quantiles": lambda y: scattered(y) + np.quantile(y, [0.2, 0.7]).sum() + np.percentile(y, 30),
    "a covariance": lambda y: scattered(y) * np.cov(y, X)[0, 1],
    "a slope": lambda y: scattered(y) + (np.gradient(y) ** 2).sum(),
    "a polynomial": lambda y: scattered(y) + np.polyval(y, 2.0) + (np.polyder(y) ** 2).sum(),
    "a mesh": lambda y: scattered(y) + (np.meshgrid(y, X)[0] * np.meshgrid(X, y)[1]).sum(),
    "parts of numbers": lambda y: scattered(y) + (np.modf(y)[0] ** 2).sum(),
    "a histogram": lambda y: scattered(y) + np.histogram(X, bins=2, weights=y)[0].max(),
    "lengths of rows": lambda y: scattered(y) + np.linalg.norm(np.outer(y, y) + 1.0, axis=1).max(),
    "singular values": lambda y: scattered(y) + np.linalg.svd(np.outer(y, y) + np.eye(4))[1].max(),
    "eigenvalues": lambda y: scattered(y) + np.linalg.eigh(np.outer(y, y) + np.eye(4))[0].max(),
    "orthogonal factors": lambda y: scattered(y) + np.linalg.qr(np.outer(y, y) + np.eye(4))[1][0, 1],
    "least squares": lambda y: scattered(y) + np.linalg.lstsq(np.stack([X, T**2], 1), y, rcond=None)[0].sum(),
    "choices": lambda y: scattered(y) + np.select([y > 2.0, y > 1.0], [y**2, y]).sum(),
    "a number of NumPy's": lambda y: scattered(y) + y[np.int64(2)] * np.float32(2.0),
    "a window": lambda y: scattered(y) + (np.hanning(4) * y).sum(),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_stores_beside_them_are_reversed(name: str) -> None:
    f, y = PROGRAMS[name], Y.copy()
    (y_bar,) = gradient(f, y)
    assert np.array_equal(y, Y) and not choice.has_been_recorded(f, (y,))
    steps = 1e-6 * np.eye(4)
    assert y_bar == pytest.approx([(f(Y + e) - f(Y - e)) / 2e-6 for e in steps], rel=1e-5, abs=1e-6)


def test_sums_of_no_places_are_integers() -> None:
    """A store into them is one into integers."""
    nowhere = AT[:0]

    def f(y: Any, length: Any) -> Any:
        o = np.bincount(nowhere, X[:0], length)
        o[0] = y
        return o.sum() * 2.0

    def g(y: Any) -> Any:
        o = np.bincount(nowhere, weights=X[:0], minlength=3)
        o[0] = y
        return o.sum() * 2.0

    assert f(2.5, 3) == 4.0 and gradient(f, 2.5, 3)[0] == 0.0 and gradient(g, 2.5) == (0.0,)
