"""Sparse matrices whose entries are not in order: SciPy sorts them where they lie, and cotangents keep their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hessian
from adjoint.errors import NoRuleError

sp: Any = pytest.importorskip("scipy.sparse")
sl: Any = pytest.importorskip("scipy.sparse.linalg")

B = np.array([1.0, -2.0, 3.0])
DATA = np.array([0.3, 4.0, 5.0, 0.7, 6.0])
PLACES = np.array([1, 0, 1, 2, 2]), np.array([0, 2, 4, 5])
USES: dict[str, Callable[[Any], Any]] = {
    "spsolve": lambda m: sl.spsolve(m, B),
    "splu": lambda m: sl.splu(m.tocsc()).solve(B),
    "factorized": lambda m: sl.factorized(m.tocsc())(B),
    "expm_multiply": lambda m: sl.expm_multiply(m * 0.1, B),
    "norm": lambda m: sl.norm(m) * B,
    "abs": lambda m: abs(m) @ B,
    "sqrt": lambda m: m.sqrt() @ B,
    "sin": lambda m: m.sin() @ B,
    "power": lambda m: m.power(3) @ B,
    "a solution, and what was made before": lambda m: (m * 2.0) @ B + sl.spsolve(m, B),
    "a solution, and what is made afterwards": lambda m: sl.spsolve(m, B) + m @ B,
    "of a product": lambda m: sl.spsolve(m @ m, B),
}
MAKERS: dict[str, Callable[[Any], Any]] = {
    "csc": lambda d: sp.csc_array((d, *(p.copy() for p in PLACES)), shape=(3, 3)),
    "csr": lambda d: sp.csr_array((d, *(p.copy() for p in PLACES)), shape=(3, 3)),
    "csc_matrix": lambda d: sp.csc_matrix((d, *(p.copy() for p in PLACES)), shape=(3, 3)),
    "coo": lambda d: sp.coo_array((d, ([0, 0, 2, 1, 2], [1, 0, 0, 1, 2])), shape=(3, 3)),
    "several at a place": lambda d: sp.csr_array((d, ([0, 0, 1, 2, 0], [1, 0, 1, 2, 1])), shape=(3, 3)),
}


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("make", MAKERS)
def test_derivatives_by_the_data(make: str, use: str) -> None:
    def f(d: Any) -> Any:
        return np.sum(np.sin(USES[use](MAKERS[make](d))))

    steps = 1e-6 * np.eye(DATA.size)
    assert np.isclose(f(DATA.copy()), f(DATA.copy()))
    given = DATA.copy()
    try:
        found = gradient(f, given)[0]
    except NoRuleError:  # SciPy 1.13 keeps them apart, and a function of the entries is one of their sum
        assert make == "several at a place"
        return
    assert np.allclose(found, [(f(DATA + e) - f(DATA - e)) / 2e-6 for e in steps], atol=1e-7)
    slopes = [(gradient(f, DATA + e)[0] - gradient(f, DATA - e)[0]) / 2e-6 for e in steps]
    assert np.allclose(hessian(f, given), slopes, atol=1e-5)
    assert np.array_equal(given, DATA)
