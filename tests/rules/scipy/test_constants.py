"""What is made of constants on the way, and what is written in another order: none of it is refused."""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.errors import NoRuleError
from adjoint.testing import check_gradient

sparse = pytest.importorskip("scipy.sparse")
splinalg = pytest.importorskip("scipy.sparse.linalg")
KDTree = pytest.importorskip("scipy.spatial").KDTree
linalg = pytest.importorskip("scipy.linalg")
optimize = pytest.importorskip("scipy.optimize")
signal = pytest.importorskip("scipy.signal")
stats = pytest.importorskip("scipy.stats")

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


D = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]])
LIL = sparse.lil_array(D)


def recorded(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same in a program that is recorded."""

    def inside(x: Any) -> Any:
        with nullcontext():
            return f(x)

    return inside


def stored_once(x: Any, made: Any) -> Any:
    a = made(D)
    a[0, 1] = 5.0
    return ((a.tocsr() @ x) ** 2).sum()


def stored_between(x: Any, made: Any) -> Any:
    a = made(D)
    y = ((a @ x) ** 2).sum()
    a[0, 0] = 7.0
    return y + ((a @ x) ** 3).sum()


def changed_between(x: Any) -> Any:
    a = sparse.csr_array(D)
    y = ((a @ x) ** 2).sum()
    a.data[0] = 7.0
    y += ((a @ x) ** 2).sum()
    a *= 2.0
    y += ((a @ x) ** 2).sum()
    a.data = a.data + 1.0
    y += ((a @ x) ** 2).sum()
    a.setdiag(1.0)
    a.eliminate_zeros()
    return y + ((a @ x) ** 2).sum()


def laplacian(x: Any) -> Any:
    n = len(x)
    a = sparse.lil_matrix((n, n))
    for i in range(n):
        a[i, i] = 2.0
        if i:
            a[i, i - 1] = a[i - 1, i] = -1.0
    a[0, :] = 0.0
    a[0, 0] = 1.0
    return (splinalg.spsolve(a.tocsc(), x) ** 2).sum()


def sum_of_items(x: Any) -> Any:
    a = sparse.dok_array(D)
    return sum(v * x[i] * x[j] for (i, j), v in a.items())


def aliased(x: Any) -> Any:
    """A conversion to the same format gives the matrix itself, and a transposed one its data."""
    a = sparse.csr_array((2.0 * x, (range(3), range(3))))
    b, c = a.tocsr(), a.T
    b.data[0] = x[1]
    return ((a @ x) ** 2).sum() + (c.data**2).sum()


@pytest.mark.parametrize("f", [
    lambda x: ((sparse.lil_array(D) @ x) ** 2).sum(),
    lambda x: ((sparse.dok_array(D) @ x) ** 2).sum(),
    lambda x: ((sparse.bsr_array(D) @ x) ** 2).sum(),
    lambda x: ((sparse.dia_matrix(([[1.0, 2.0, 3.0]], [0]), shape=(3, 3)) @ x) ** 2).sum(),
    lambda x: (LIL @ x).sum() * LIL[0, 0] * LIL[1, 1],
    lambda x: sparse.csr_array(D).max() * x[0] ** 2,
    lambda x: ((sparse.csr_array(D).maximum(sparse.csr_array(D.T)) @ x) ** 2).sum(),
    lambda x: ((splinalg.expm(sparse.csc_array(D)) @ x) ** 2).sum(),
    lambda x: splinalg.norm(sparse.csr_array(D), 1) * x[0] ** 2,
    lambda x: (splinalg.eigsh(sparse.csr_array(D), k=1, v0=np.ones(3))[1][:, 0] ** 2 * x).sum(),
    lambda x: (sparse.find(sparse.csr_array(D))[2][:3] * x).sum(),
    lambda x: sum((row @ x).sum() * x[0] for row in sparse.csr_array(D)),
    lambda x: ((sparse.coo_array(D[0]) @ np.outer(x, x)) ** 2).sum() + (x @ sparse.coo_array(D[0])) ** 2,
    lambda x: stored_once(x, sparse.csr_array),
    lambda x: stored_once(x, sparse.lil_array),
    lambda x: stored_once(x, sparse.dok_array),
    lambda x: stored_between(x, sparse.csr_array),
    lambda x: stored_between(x, sparse.lil_array),
    lambda x: stored_between(x, sparse.dok_array),
    changed_between,
    laplacian,
    sum_of_items,
    aliased,
])  # fmt: skip
def test_matrices_of_any_format_that_nothing_flows_into(f: Callable[[Any], Any]) -> None:
    check_gradient(f, X)
    check_gradient(recorded(f), X)


def stored_into_zeros(x: Any, made: Any) -> Any:
    a = made((3, 3))
    a[0, 0] = x[0]
    return a


def set_on_the_diagonal(x: Any) -> Any:
    a = sparse.csr_array(np.eye(3))
    a.setdiag(x)  # which stores what is there already
    return a


def scaled_in_place(x: Any) -> Any:
    a = b = sparse.csr_array(np.eye(3))
    a *= x[0]
    return (b @ np.ones(3)).sum()


@pytest.mark.filterwarnings("ignore:Changing the sparsity")
@pytest.mark.parametrize("f", [
    lambda x: stored_into_zeros(x, sparse.lil_array)[0, 0],
    lambda x: stored_into_zeros(x, sparse.dok_array)[0, 0],
    lambda x: stored_into_zeros(x, sparse.lil_array).tocsr().data.sum(),
    lambda x: sum(stored_into_zeros(x, sparse.dok_array).values()),
    lambda x: (stored_into_zeros(x, sparse.dok_array) @ x).sum(),
    lambda x: (stored_into_zeros(x, sparse.csr_array) @ x).sum(),
    lambda x: (set_on_the_diagonal(x) @ np.ones(3)).sum(),
    lambda x: (sparse.lil_array((x - 1.0)[None]).tocsr() @ x).sum(),  # of zeros, which are not stored
    lambda x: sparse.bsr_array(np.diag(x)).data.sum(),
    scaled_in_place,
])  # fmt: skip
def test_what_flows_into_them_is_refused(f: Callable[[Any], Any]) -> None:
    for program in (f, recorded(f)):
        with pytest.raises(NoRuleError):
            gradient(program, np.ones(3))


@pytest.mark.parametrize("f", [
    lambda x: np.convolve(signal.firwin(5, 0.3), x).sum(),
    lambda x: (linalg.schur(D)[0] @ x).sum(),
    lambda x: stats.kstest(X, "norm").statistic * x[0],
    lambda x: stats.Normal(mu=1.0, sigma=2.0).pdf(0.3) * x[0],
    lambda x: optimize.approx_fprime(np.ones(1), lambda t: t[0] ** 2, 1e-6)[0] * x[0],
    lambda x: stats.ttest_ind(X, X**2)[1] * x[0],
    lambda x: np.linalg.norm(D, 2) ** 2 * x[0],
])  # fmt: skip
def test_functions_without_a_rule_run_with_constants(f: Callable[[Any], Any]) -> None:
    check_gradient(recorded(f), X)


def test_what_flows_into_such_functions_is_refused() -> None:
    for f in (lambda x: np.convolve(signal.firwin(5, x[0]), X).sum(), lambda x: linalg.schur(D * x[0])[0].sum()):
        with pytest.raises(NoRuleError, match="meets a value that is differentiated"):
            gradient(recorded(f), np.array([0.3]))


def test_a_polynomial_that_is_stored_into_is_refused() -> None:
    def f(x: Any) -> Any:
        p = np.poly1d([1.0, 2.0])
        p[0] = x[0]
        return p(3.0)

    with pytest.raises(NoRuleError):
        gradient(f, np.array([2.0]))


def filled_in(x: Any) -> Any:
    m = np.zeros((3, 3))
    m[0, 0], m[1], m[2:, 1:] = 2.0, [1.0, 2.0, 4.0], 3.0
    m += np.eye(3)
    m *= 2.0
    m /= 3.0
    np.add.at(m, (0, 1), 1.0)
    np.fill_diagonal(m, 5.0)
    m[m > 4.0] = 6.0
    np.maximum(m, 0.1, out=m)
    m[:, 0].sort()
    m **= 1.1
    np.multiply(m, 2.0, out=m, where=m > 1.0)
    return (linalg.schur(m)[0] @ x).sum()


def test_constants_that_were_stored_into_before() -> None:
    check_gradient(recorded(filled_in), X)


def stored(m: Any, i: int, v: Any) -> None:
    m[i, i] = v


STORES: list[Callable[[Any, Any], Any]] = [
    lambda m, x: stored(m, 0, x[0]),
    lambda m, x: operator.iadd(m, x),
    lambda m, x: operator.imul(m, x),
    lambda m, x: operator.itruediv(m, x),
    lambda m, x: operator.ipow(m, x[0]),
    lambda m, x: np.add.at(m, 0, x),
    lambda m, x: np.exp(x, out=m[0]),
    lambda m, x: np.copyto(m, x),
    lambda m, x: np.fill_diagonal(m, x),
]


@pytest.mark.parametrize("store", STORES)
def test_what_is_stored_into_them_is_refused(store: Callable[[Any, Any], Any]) -> None:
    def f(x: Any) -> Any:
        m = np.eye(3)
        store(m, x)
        return linalg.schur(m)[0].sum()

    with pytest.raises(NoRuleError, match="schur"):
        gradient(recorded(f), X)
