"""Vectors of values that coincide: what depends on their basis is refused, what does not has its derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.errors import NoRuleError

linalg: Any = pytest.importorskip("scipy.linalg")

EYE = np.eye(3)
TURNED = np.linalg.qr(np.arange(9.0).reshape(3, 3) + 3 * EYE)[0]
TWICE = TURNED @ np.diag([1.0, 1.0, 4.0]) @ TURNED.T
G = np.array([[1.0, 2.0, -1.0], [0.5, -2.0, 3.0], [0.25, 1.5, 1.0]])


def band(a: Any) -> Any:
    return np.stack((np.diagonal(a) + 0.0, np.zeros(3), np.zeros(3)))


HERMITIAN: list[Callable[[Any], Any]] = [
    lambda a: np.linalg.eigh(a)[1],
    lambda a: linalg.eigh(a)[1],
    lambda a: linalg.eigh(a, EYE)[1],
]
OTHERS: list[Callable[[Any], Any]] = [
    lambda a: np.linalg.eig(a)[1].real,
    lambda a: linalg.eig(a)[1].real,
    lambda a: linalg.eig_banded(band(a), lower=True)[1],
    lambda a: linalg.eigh_tridiagonal(np.diagonal(a), np.zeros(2))[1],
    lambda a: np.linalg.svd(a)[0],
    lambda a: np.linalg.svd(a)[2],
    lambda a: linalg.svd(a)[0],
]


@pytest.mark.parametrize("a", [EYE, TWICE])
@pytest.mark.parametrize("vectors", HERMITIAN)
def test_what_depends_on_the_basis_is_refused(vectors: Any, a: Any) -> None:
    with pytest.raises(NoRuleError, match="values are equal"):
        gradient(lambda a: np.sum(G * vectors(a)), a)


@pytest.mark.parametrize("vectors", OTHERS)
def test_what_depends_on_the_basis_is_refused_elsewhere(vectors: Any) -> None:
    with pytest.raises(NoRuleError, match="values are equal"):
        gradient(lambda a: np.sum(G * vectors(a)), EYE)


def test_a_square_of_an_entry() -> None:
    with pytest.raises(NoRuleError, match="np.linalg.eigh has no derivative here: values are equal"):
        gradient(lambda a: (np.linalg.eigh(a)[1] ** 2)[0, 0], np.eye(2))


@pytest.mark.parametrize("vectors", HERMITIAN)
def test_the_projection_on_a_space(vectors: Any) -> None:
    """P of the values that coincide: for a change E, Ṗ = P E (A - 1)⁺ and its transpose, up to the sign."""

    def f(a: Any) -> Any:
        v = vectors(a)[:, :2]
        return np.sum(G * (v @ v.T))

    step = 1e-6 * (G + G.T)
    along = np.sum(gradient(f, TWICE)[0] * step)
    assert np.isclose(along, (f(TWICE + step) - f(TWICE - step)) / 2, rtol=1e-6)


def test_the_values_alone_twice() -> None:
    """Of Σ λ² = Σ aᵢⱼ² the second derivative would need more than values and vectors say."""
    for values in (np.linalg.eigvalsh, linalg.eigvalsh, linalg.svdvals, np.linalg.svdvals):
        f: Any = lambda a, values=values: np.sum(values(a) ** 2)  # noqa: E731
        assert np.allclose(gradient(f, TWICE)[0], 2 * TWICE if "svd" in values.__name__ else on_triangle(2 * TWICE))
        with pytest.raises(NoRuleError, match="values coincide"):
            gradient(lambda a, f=f: np.sum(G * gradient(f, a)[0]), TWICE)


def on_triangle(g: Any) -> Any:
    return np.tril(g) + np.tril(g, -1)
