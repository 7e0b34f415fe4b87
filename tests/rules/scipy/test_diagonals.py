"""Sparse matrices in the format DIA: what solves with them has the derivative that CSR has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hessian
from adjoint.calculus import pushforward

sparse: Any = pytest.importorskip("scipy.sparse")
linalg: Any = pytest.importorskip("scipy.sparse.linalg")

B = np.array([1.0, -2.0, 3.0, 0.5])
X = np.array([4.0, 5.0, 4.5, 6.0])
FINE = {"rtol": 1e-13, "atol": 1e-13}
SOLVES: dict[str, Callable[[Any], Any]] = {
    "spsolve": lambda m: linalg.spsolve(m, B),
    "columns": lambda m: linalg.spsolve(m, np.stack((B, B**2), axis=1)),
    "gmres": lambda m: linalg.gmres(m, B, **FINE)[0],
    "bicgstab": lambda m: linalg.bicgstab(m, B, **FINE)[0],
    "cg": lambda m: linalg.cg(m, B, **FINE)[0],
    "minres": lambda m: linalg.minres(m, B, rtol=1e-13)[0],
    "eigsh": lambda m: linalg.eigsh(m, k=2, v0=B, return_eigenvectors=False),
    "product": lambda m: m @ B,
    "transposed": lambda m: m.T @ B,
}


def program(solve: Callable[[Any], Any], format: str | None) -> Callable[[Any], Any]:
    def f(x: Any) -> Any:
        side = 0.2 * x[1:] * x[:-1]
        return np.sum(np.sin(solve(sparse.diags_array([x, side, side], offsets=[0, 1, -1], format=format))))

    return f


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
@pytest.mark.parametrize("name", SOLVES)
def test_first_and_second_derivatives(name: str) -> None:
    f, reference = program(SOLVES[name], None), program(SOLVES[name], "csr")
    expected = gradient(reference, X)[0]
    assert np.any(np.abs(expected) > 1e-3)
    assert np.allclose(gradient(f, X)[0], expected, rtol=1e-6, atol=1e-9)
    v = np.array([0.3, -0.5, 0.7, 0.2])
    assert np.isclose(pushforward(f, (X,), (v,))[1], expected @ v, rtol=1e-6)
    if name not in ("eigsh",):
        assert np.allclose(hessian(f, X), hessian(reference, X), rtol=1e-5, atol=1e-8)
