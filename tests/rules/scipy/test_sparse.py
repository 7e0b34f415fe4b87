"""Rules of `scipy.sparse`: what a cotangent is, what is not stored, what is refused, and recorded programs."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from adjoint import Tangent, gradient, pullback
from adjoint.errors import ImplicitError, MutationError, NoRuleError

sp = pytest.importorskip("scipy.sparse")
sl = pytest.importorskip("scipy.sparse.linalg")

ROWS, COLUMNS = np.array([0, 0, 1, 2, 2]), np.array([0, 2, 1, 0, 2])
DATA = np.arange(5.0) + 3.0


def matrix(d: Any = DATA, kind: Any = sp.csr_array) -> Any:
    return kind((d, (ROWS, COLUMNS)), shape=(3, 3))


@pytest.mark.parametrize(
    "kind", [sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix, sp.csc_matrix, sp.coo_matrix]
)
def test_the_cotangent_of_a_matrix_is_that_of_its_data(kind: Any) -> None:
    a = matrix(kind=kind)
    (bar,) = gradient(lambda a: (a @ np.arange(3.0)).sum() + (a.data**2).sum(), a)
    assert isinstance(bar, Tangent) and list(bar) == ["data"]
    expected = np.arange(3.0)[a.tocoo().col] + 2 * a.data
    assert np.allclose(bar.data, expected)
    (again,) = gradient(lambda a: (gradient(lambda a: (a.data**3).sum(), a)[0].data).sum(), a)
    assert np.allclose(again.data, 6 * a.data)


def test_a_pullback_takes_one_and_nothing_flows_to_what_is_constant() -> None:
    _, back = pullback(lambda d: matrix(d) * 2.0, DATA)
    assert back(Tangent(sp.csr_array, {"data": np.ones(5)}))[1].tolist() == [2.0] * 5
    assert gradient(lambda a, x: 3.0 * x, matrix(), 2.0)[0].data.tolist() == [0.0] * 5


def test_a_constant_matrix_of_any_format_multiplies() -> None:
    for a in (matrix().todia(), matrix().tobsr(), matrix().tolil()):
        assert np.allclose(gradient(lambda x, a=a: (a @ x).sum(), np.ones(3))[0], a.T @ np.ones(3))


def test_in_a_program_that_is_recorded() -> None:
    def loss(d: Any, x: Any) -> Any:
        parts = {"a": matrix(d)}
        for _ in range(2):
            x = parts["a"] @ x
            parts["x"] = x
        return parts["x"].sum() + sl.spsolve(parts["a"].tocsc(), parts["x"]).sum() + parts["a"][0, 2]

    def plain(d: Any, x: Any) -> Any:
        a = matrix(d)
        y = a @ (a @ x)
        return y.sum() + sl.spsolve(a.tocsc(), y).sum() + a.data[1]

    x = np.array([1.0, 2.0, 3.0])
    for got, wanted in zip(gradient(loss, DATA, x), gradient(plain, DATA, x), strict=True):
        assert np.allclose(got, wanted)


def test_one_factorisation_for_many_right_hand_sides() -> None:
    def loss(d: Any) -> Any:
        f = sl.splu(matrix(d).tocsc())
        return sum((f.solve(b) * b).sum() for b in np.eye(3))

    assert np.allclose(
        gradient(loss, DATA)[0], gradient(lambda d: np.trace(np.linalg.inv(matrix(d).toarray())), DATA)[0]
    )


def test_factors_in_a_program_that_is_recorded() -> None:
    """They are kept in a list, and their method is read before it is called."""

    def square(d: Any) -> Any:
        return matrix(d, sp.csc_array) + 9.0 * sp.eye_array(3, format="csc")

    def loss(d: Any) -> Any:
        kept = [sl.splu(square(d))]
        kept.append(sl.factorized(square(2.0 * d)))
        total = 0.0
        for solve in (kept[0].solve, kept[1]):
            total = total + solve(np.ones(3)).sum() * kept[0].solve(np.ones(3), "T")[0]
        return total

    def plain(d: Any) -> Any:
        a, b = square(d).toarray(), square(2.0 * d).toarray()
        x, y = np.linalg.solve(a, np.ones(3)), np.linalg.solve(b, np.ones(3))
        return (x.sum() + y.sum()) * np.linalg.solve(a.T, np.ones(3))[0]

    assert np.allclose(gradient(loss, DATA)[0], gradient(plain, DATA)[0])
    of_slopes = [gradient(lambda d, f=f: (gradient(f, d)[0] ** 2).sum(), DATA)[0] for f in (loss, plain)]
    assert np.allclose(*of_slopes)


REFUSED = {
    "cancelling": lambda d: (matrix(d) - matrix(d)).sum(),
    "a product that cancels": lambda d: (
        sp.csr_array((d[:2], ([0, 0], [0, 1])), shape=(1, 2)) @ sp.csr_array([[4.0], [-3.0]])
    ).sum(),
    "zeros of a dense matrix": lambda d: sp.csr_array(np.diag(d)).sum(),
    "dia": lambda d: matrix(d).todia().sum(),
    "diags without a format": lambda d: sp.diags_array(d).sum(),
    "max": lambda d: matrix(d).max(),
    "eigsh": lambda d: sl.eigsh(matrix(d), k=1)[1].sum(),
    "inverse": lambda d: sl.inv(matrix(d).tocsc()).sum(),
    "expm_multiply": lambda d: sl.expm_multiply(matrix(d), np.ones(3), start=0, stop=1, num=3).sum(),
    "np.matrix": lambda d: (matrix(d, sp.csr_matrix).todense() ** 2).sum(),
    "np.matrix of a product": lambda d: (matrix(d, sp.coo_matrix) @ matrix(d, sp.csc_matrix)).todense().sum(),
    "rows": lambda d: sum(row.sum() for row in matrix(d)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    with pytest.raises(NoRuleError):
        gradient(REFUSED[name], DATA)


def test_what_changes_a_matrix_is_refused() -> None:
    def grown(d: Any) -> Any:
        a = matrix(d)
        a *= 2.0
        return a.sum()

    with pytest.raises((NoRuleError, MutationError)):
        gradient(grown, DATA)

    def stored(d: Any) -> Any:
        a = matrix(d)
        a[0, 0] = d[1]
        return a.sum()

    with pytest.raises((NoRuleError, MutationError)):
        gradient(stored, DATA)


def test_what_did_not_converge_is_refused() -> None:
    a = np.diag([1.0, 10.0, 100.0])
    with pytest.raises(ImplicitError, match="did not converge"):
        gradient(lambda b: sl.cg(a, b, maxiter=1)[0].sum(), np.ones(3))


def test_operators_have_an_adjoint_of_their_own() -> None:
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    op = sl.LinearOperator((2, 2), matvec=lambda v: a @ v, rmatvec=lambda v: a.T @ v, dtype=float)
    assert gradient(lambda x: (op @ x)[0] + op.matvec(x)[1], np.ones(2))[0].tolist() == [4.0, 6.0]
    with pytest.raises(NoRuleError, match="a product of a linear operator"):
        gradient(lambda s: ((op * s) @ np.ones(2))[0], 2.0)


def test_a_matrix_of_another_format_is_not_differentiated() -> None:
    a, x = matrix().tobsr(), np.ones(3)
    with pytest.raises(NoRuleError, match="format 'bsr'"):
        gradient(lambda a: (a @ x).sum(), a)
    assert gradient(lambda x: (a @ x).sum(), x)[0].tolist() == (a.T @ x).tolist()


def test_a_constant_matrix_may_be_made_in_the_function() -> None:
    def f(b: Any) -> Any:
        parts = sp.csr_matrix(([2.0, 1.0, 3.0], ([0, 0, 1], [0, 1, 1])))
        shifted = sp.eye(2, format="csr") * 3.0 + sp.diags([2.0, 3.0], format="csr")
        solved = sl.splu(parts.tocsc()).solve(b) + sl.factorized(shifted.tocsc())(b)
        return (solved * np.arange(1.0, 3.0)).sum()

    inverse = np.linalg.inv([[2.0, 1.0], [0.0, 3.0]]) + np.diag([1 / 5, 1 / 6])
    assert np.allclose(gradient(f, np.ones(2))[0], [1.0, 2.0] @ inverse)


@pytest.mark.parametrize("form", ["csr", "csc"])
@pytest.mark.parametrize("lower", [True, False])
def test_triangular_solvers_are_for_triangles(form: str, lower: bool) -> None:
    """What SciPy makes of other entries is another thing in each version; the derivative took them for unread."""
    full = sp.csr_matrix([[2.0, 0.3, 0.1], [0.5, 3.0, 0.2], [0.4, 0.6, 4.0]])

    def f(a: Any, b: Any) -> Any:
        return (sl.spsolve_triangular(a, b, lower=lower) * np.arange(1.0, 4.0)).sum()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(NoRuleError, match="is not (lower|upper) triangular"):
            gradient(f, full.asformat(form), np.ones(3))
    a = (sp.tril if lower else sp.triu)(full).asformat(form)
    b_bar = gradient(lambda b: f(a, b), np.ones(3))[0]
    assert np.allclose(b_bar, np.linalg.solve(a.toarray().T, np.arange(1.0, 4.0)))
