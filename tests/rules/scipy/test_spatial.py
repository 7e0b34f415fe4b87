"""`scipy.spatial` at its edges: points that coincide, neighbours, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.errors import NoRuleError
from adjoint.testing import check_gradient

spatial = pytest.importorskip("scipy.spatial")
distance = spatial.distance

A = np.array([[0.0, 1.0], [2.0, 0.5], [1.0, 3.0]])


@pytest.mark.parametrize("metric", ["euclidean", "minkowski", "cityblock", "canberra", "chebyshev", "braycurtis"])
def test_points_that_coincide(metric: str) -> None:
    same = np.ones((2, 2))
    assert not gradient(lambda a: distance.cdist(a, a, metric).sum(), same)[0].any()
    assert not gradient(lambda a: distance.pdist(a, metric).sum(), same)[0].any()


def test_a_result_that_is_given() -> None:
    def written(a: Any) -> Any:
        result = np.zeros((3, 3))
        distance.cdist(a, a, out=result)
        return result.sum()

    def given(a: Any) -> Any:
        pairs = np.zeros(3)
        return (distance.pdist(a, "cityblock", out=pairs) * np.arange(3.0)).sum() + (pairs**2).sum()

    check_gradient(written, A)
    check_gradient(given, A)


def test_a_result_that_is_given_and_stored_into_afterwards() -> None:
    def stored(a: Any) -> Any:
        d = distance.pdist(a)
        y = np.exp(d)
        K = distance.squareform(d)
        np.fill_diagonal(K, a[0, 0])
        d[0] = 2.0
        return (K * np.arange(9.0).reshape(3, 3)).sum() + (d * y).sum()

    check_gradient(stored, A, order=2)


def test_flags_carry_nothing() -> None:
    assert gradient(lambda x: x * distance.hamming([1, 0, 1], [1, 1, 1]), 3.0)[0] == pytest.approx(1 / 3)


def test_the_nearest_neighbour() -> None:
    tree = spatial.KDTree(A)
    d, place = tree.query([2.0, 0.0])
    assert np.allclose(gradient(lambda x: tree.query(x)[0], np.array([2.0, 0.0]))[0], [0.0, -1.0])
    bar = gradient(lambda a: spatial.KDTree(a).query([2.0, 0.0])[0], A)[0]
    assert (d, place) == (0.5, 1) and np.allclose(bar, [[0.0, 0.0], [0.0, 1.0], [0.0, 0.0]])


def test_a_neighbour_that_is_missing() -> None:
    tree = spatial.KDTree(A)

    def near(x: Any) -> Any:
        d, _ = tree.query(x, k=3, distance_upper_bound=1.0)
        return np.where(np.isinf(d), 0.0, d).sum()

    assert np.allclose(gradient(near, np.array([2.0, 0.0]))[0], [0.0, -1.0])


@pytest.mark.parametrize("program", [
    lambda a: spatial.ConvexHull(a).volume,
    lambda a: spatial.procrustes(a, A)[2],
    lambda a: spatial.transform.Rotation.from_euler("z", a[0, 0]).as_matrix()[0, 0],
    lambda a: spatial.KDTree(a, boxsize=10.0).query([0.0, 0.0])[0],
    lambda a: spatial.cKDTree(a).query([0.0, 0.0])[0],
])  # fmt: skip
def test_refused(program: Any) -> None:
    with pytest.raises(NoRuleError):
        gradient(program, A)
