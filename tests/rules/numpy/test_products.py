"""Rules of the products that sum over axes, and of `np.einsum`."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import rng

from adjoint import gradient, hvp
from adjoint.errors import MutationError
from adjoint.rules.numpy.einsum import indices_of
from adjoint.rules.registry import find_rules
from adjoint.testing import check_gradient

M, N = rng(3, 4), rng(4, 2)
V, W = rng(4), rng(4, seed=1)


def test_indices() -> None:
    assert indices_of("ij,jk", [2, 2]) == (["ij", "jk"], "ik")
    assert indices_of("ba", [2]) == (["ba"], "ab")
    inputs, output = indices_of("...i,...", [3, 1])
    assert len(inputs[0]) == 3 and inputs[0][1:2] == inputs[1] and output == inputs[0]


def test_what_is_not_needed_is_not_computed() -> None:
    for f in (np.matmul, np.dot, np.inner, np.outer, np.tensordot):
        a, b = (V, W) if f in (np.inner, np.outer) else (M, N)
        kwargs = {"axes": 1} if f is np.tensordot else {}
        call_ = find_rules(f).select((np.ndarray, np.ndarray)).call  # type: ignore[union-attr]
        y, back = call_(a, b, **kwargs)
        y_bar = np.ones(np.shape(y)) if np.ndim(y) else 1.0
        both = back(y_bar)
        for needs in ((True, False), (False, True)):
            _, back = call_(a, b, **kwargs, needs=needs)
            bars = back(y_bar)
            assert [bar is not None for bar in bars] == list(needs)
            assert np.array_equal(bars[needs.index(True)], both[needs.index(True)])
    _, back = (
        find_rules(np.einsum)
        .select((str, np.ndarray, np.ndarray))
        .call(  # type: ignore[union-attr]
            "ij,jk->ik", M, N, needs=(False, True, False)
        )
    )
    bars = back(np.ones((3, 2)))
    assert bars[0] is None and bars[2] is None and np.allclose(bars[1], np.ones((3, 2)) @ N.T)


def test_out_is_refused() -> None:
    for f in (np.matmul, np.dot):
        with pytest.raises(MutationError):
            run_rule(f, M, N, out=np.zeros((3, 2)))


@pytest.mark.skipif(not hasattr(np, "matvec"), reason="NumPy 2.2")
def test_out_of_products_is_refused() -> None:
    for f, a, b in [(np.matvec, M, V), (np.vecmat, V, N), (np.vecdot, V, W)]:
        with pytest.raises(MutationError):
            run_rule(f, a, b, out=np.zeros(3))


A, P, Q = np.arange(6.0).reshape(2, 3) / 5.0, np.array([0.3, -0.2]), np.array([0.5, 0.1, -0.4])


@pytest.mark.parametrize("x", [P, A.T.copy()], ids=["vector", "matrix"])
@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("other", [P, Q, A], ids=["v", "w", "matrix"])
def test_products_with_constants_to_third_order(x: Any, left: bool, other: Any) -> None:
    """The cotangent of the one argument that counts is a product itself, of which there are derivatives again."""
    if np.shape(other)[-1 if left else 0] != np.shape(x)[0 if left else -1]:
        pytest.skip("shapes that do not fit")

    def f(x: Any) -> Any:
        return np.sum(np.sin(other @ x if left else x @ other))

    check_gradient(f, x)
    check_gradient(lambda x: np.sum(gradient(f, x)[0] ** 2), x)
    check_gradient(lambda x: np.sum(gradient(lambda x: np.sum(gradient(f, x)[0] ** 2), x)[0] * x), x)


def test_products_with_what_counts_only_outside() -> None:
    def f(s: Any, x: Any) -> Any:
        return gradient(lambda x: np.sum(np.sin((s * A) @ x)), x)[0] @ x

    check_gradient(f, 1.3, Q)
    check_gradient(lambda s, x: np.sum(gradient(f, s, x)[1] ** 2), 1.3, Q)


def test_hessians_make_no_matrix_for_what_is_constant() -> None:
    x, w = np.random.default_rng(0).standard_normal((5000, 200)), np.zeros(200)

    def nll(w: Any) -> Any:
        return np.sum(np.logaddexp(0.0, x @ w))

    hvp(nll, (w,), (w,))
    tracemalloc.start()
    hvp(nll, (w,), (np.ones(200),))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 0.8 * x.nbytes
