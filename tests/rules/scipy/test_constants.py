"""What is made of constants on the way, and what is written in another order: none of it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import NoRuleError, gradient
from adjoint.testing import check_gradient

sparse = pytest.importorskip("scipy.sparse")
KDTree = pytest.importorskip("scipy.spatial").KDTree

A = sparse.csr_array(np.diag([1.0, 2.0, 3.0]) + np.eye(3, k=1))
POINTS = np.random.default_rng(0).normal(size=(10, 2))
X = np.array([1.0, 2.0, 3.0])


@pytest.mark.parametrize("f", [
    lambda x: (x[0] * A).sum(),
    lambda x: ((x[0] * sparse.csr_matrix(A)) @ x).sum(),
    lambda x: (sparse.csr_array(np.eye(3)) @ x * x).sum(),
    lambda x: (sparse.csr_array(sparse.diags([1.0, 2.0, 3.0])) @ x * x).sum(),
    lambda x: (sparse.csr_array(sparse.diags(x)) @ x).sum(),
    lambda x: (sparse.csc_matrix(sparse.diags_array(x)) @ x).sum(),
    lambda x: (sparse.vstack([sparse.diags(x), A]) @ x).sum(),
    lambda x: (sparse.hstack([sparse.diags_array(x), A]) @ np.concatenate([x, x])).sum(),
    lambda x: (sparse.diags([x, 0.0 * x[1:]], [0, 1]) @ x).sum(),
    lambda x: (sparse.diags([x, x[0]], [0, 1], shape=(3, 3)) @ x).sum(),
    lambda x: (sparse.diags(x) @ np.outer(x, x)).sum(),
])  # fmt: skip
def test_matrices(f: Callable[[Any], Any]) -> None:
    check_gradient(f, X, order=2)


def test_a_tree_of_constant_points() -> None:
    check_gradient(lambda q: KDTree(POINTS).query(q)[0].sum(), POINTS[:3] + 0.1)
    check_gradient(lambda q: (POINTS[KDTree(POINTS).query(q, k=2)[1]] * q[:, None]).sum(), POINTS[:3] + 0.1)


def test_zeros_of_a_dense_matrix_are_refused_where_something_flows_to_them() -> None:
    with pytest.raises(NoRuleError, match="dense matrix with zeros"):
        gradient(lambda x: (sparse.csr_array(np.diag(x)) @ x).sum(), X)
