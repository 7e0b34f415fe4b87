"""Rules of the products that sum over axes, and of `np.einsum`."""

from __future__ import annotations

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import rng

from adjoint.errors import MutationError
from adjoint.rules.numpy.einsum import indices_of
from adjoint.rules.registry import find_rules

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
