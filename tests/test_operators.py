"""Linear maps as SciPy takes them: `linearize`, `vjp` and Hessians as operators on vectors."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from adjoint import grad, hessian, jacobian, linearize, vjp
from adjoint.errors import CotangentError, MissingLibraryError, NotDifferentiableError

A = np.random.default_rng(3).normal(size=(5, 3))
P = {"x": np.array([0.5, -1.0, 2.0]), "s": 2.0}


def f(p: Any, b: Any = 0.5) -> Any:
    return np.tanh(A @ p["x"]) * p["s"] + b


def h(x: Any) -> Any:
    return (x**4).sum() + x[0] * x[1] * x[2]


def matrix() -> Any:
    """The Jacobian of `f`, its columns in the order of the arguments."""
    of_p, of_b = jacobian(f, P, 0.5)
    return np.column_stack([of_p["x"], of_p["s"], of_b])


def test_a_linear_map_is_a_matrix() -> None:
    _, J = linearize(f, P, 0.5)
    assert J.shape == (5, 5) and J.dtype == np.float64
    v = np.arange(5.0)
    np.testing.assert_allclose(J.matvec(v), matrix() @ v)
    np.testing.assert_allclose(J.matvec(v[:, None]), (matrix() @ v)[:, None])
    np.testing.assert_allclose(J.rmatvec(v), matrix().T @ v)
    np.testing.assert_allclose(J.rmatvec(v), matrix().T @ v)  # again
    np.testing.assert_allclose(J.matmat(np.eye(5)), matrix())
    assert J.matmat(np.zeros((5, 0))).shape == (5, 0)
    assert J.matvec([*v]).tolist() == J.matvec(v).tolist()


def test_a_pullback_is_the_transpose() -> None:
    _, back = vjp(f, P, 0.5)
    assert back.shape == (5, 5) and back.dtype == np.float64
    v = np.arange(5.0)
    np.testing.assert_allclose(back.matvec(v), matrix().T @ v)
    np.testing.assert_allclose(back.rmatvec(v), matrix() @ v)
    np.testing.assert_allclose(back(v)[0]["x"], matrix().T[:3] @ v)


def test_products_are_transposes_of_one_another() -> None:
    """⟨u, J v⟩ = ⟨Jᵀ u, v⟩."""
    rng = np.random.default_rng(5)
    u, v = rng.normal(size=5), rng.normal(size=5)
    for map_ in (linearize(f, P, 0.5)[1], vjp(f, P, 0.5)[1]):
        np.testing.assert_allclose(u @ map_.matvec(v), map_.rmatvec(u) @ v, rtol=1e-12)


def test_scipy_takes_them() -> None:
    linalg = pytest.importorskip("scipy.sparse.linalg")
    _, J = linearize(f, P, 0.5)
    _, back = vjp(f, P, 0.5)
    for L, want in ((J, matrix()), (back, matrix().T)):
        for operator in (L.linear_operator(), linalg.aslinearoperator(L)):
            assert isinstance(operator, linalg.LinearOperator) and operator.shape == (5, 5)
            np.testing.assert_allclose(operator @ np.eye(5), want)
            np.testing.assert_allclose(operator.T @ np.eye(5), want.T)
            np.testing.assert_allclose(operator.H @ np.arange(5.0), want.T @ np.arange(5.0))
    x = np.array([1.0, 2.0, 3.0])
    _, H = linearize(grad(h), x)
    np.testing.assert_allclose(
        linalg.cg(H.linear_operator(), np.ones(3), rtol=1e-12)[0], np.linalg.solve(hessian(h, x), np.ones(3))
    )
    largest = linalg.eigsh(linalg.aslinearoperator(H), k=1, return_eigenvectors=False)
    np.testing.assert_allclose(largest[0], np.linalg.eigvalsh(hessian(h, x))[-1])
    np.testing.assert_allclose(
        linalg.lsqr(J, np.ones(5), atol=0, btol=0)[0], np.linalg.lstsq(matrix(), np.ones(5))[0], atol=1e-6
    )


def test_numbers_and_float32() -> None:
    _, J = linearize(np.sin, np.float32([1.0, 2.0]))
    assert J.dtype == np.float32 and J(np.float32([1.0, 2.0])).dtype == np.float32
    np.testing.assert_allclose(J.matvec([1.0, 1.0]), np.cos([1.0, 2.0]), rtol=1e-6)
    _, J = linearize(lambda x, name: x * x, 3.0, "text")
    assert J.shape == (1, 1) and J.matvec([2.0]).tolist() == J.rmatvec([2.0]).tolist() == [12.0]
    _, J = linearize(lambda x: np.zeros((0, 2)) * x, 3.0)
    assert J.shape == (0, 1) and J.matvec([1.0]).shape == (0,) and J.rmatvec([]).tolist() == [0.0]


@pytest.mark.parametrize("make", [lambda: linearize(f, P, 0.5)[1], lambda: vjp(f, P, 0.5)[1]])
def test_real_maps_of_complex_vectors(make: Any) -> None:
    """J (a + ib) = J a + i J b: no imaginary part is lost, in any product, here and by SciPy."""
    J = make()
    want = matrix() if "J(" in repr(J) else matrix().T
    v = np.arange(5.0) + 1j * np.array([1.0, -2.0, 0.5, 0.0, 3.0])
    columns = np.column_stack([v, 1j * v, v.real])
    for product, of in ((J.matvec, want), (J.rmatvec, want.T)):
        np.testing.assert_allclose(product(v), of @ v)
        np.testing.assert_allclose(product(v[:, None]), (of @ v)[:, None])
        np.testing.assert_allclose(product([1j, 1, 0, 0, 0]), of[:, 1] + 1j * of[:, 0])
    if hasattr(J, "matmat"):
        np.testing.assert_allclose(J.matmat(columns), want @ columns)
        assert J.matmat(np.zeros((5, 0), complex)).dtype == np.complex128
    linalg = pytest.importorskip("scipy.sparse.linalg")
    for operator in (J.linear_operator(), linalg.aslinearoperator(J)):
        np.testing.assert_allclose(operator @ v, want @ v)
        np.testing.assert_allclose(operator.H @ v, want.T @ v)
        np.testing.assert_allclose(operator.matmat(columns), want @ columns)
        np.testing.assert_allclose(operator.rmatmat(columns), want.T @ columns)


def test_what_is_infinite_stays_apart() -> None:
    _, J = linearize(lambda x: 2.0 * x, np.zeros(2))
    found = J.matvec(np.array([complex(np.inf, 1.0), complex(2.0, np.inf)]))
    np.testing.assert_array_equal(found.real, [np.inf, 4.0])
    np.testing.assert_array_equal(found.imag, [2.0, np.inf])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_products_have_the_dtype_that_is_promised(dtype: Any) -> None:
    x = np.ones(3, dtype)
    of_complex = np.result_type(dtype, np.complex64)
    for J in (linearize(np.sin, x)[1], vjp(np.sin, x)[1], linearize(grad(h), x)[1]):
        assert J.dtype == dtype
        for v in (np.ones(3, dtype), np.ones(3), np.ones((3, 1)), np.ones(3, int), [1.0, 2.0, 3.0]):
            assert J.matvec(v).dtype == J.rmatvec(v).dtype == dtype
        for v in (np.ones(3, np.complex64), np.ones(3, complex)):
            assert J.matvec(v).dtype == J.rmatvec(v).dtype == of_complex
    _, J = linearize(np.sin, x)
    assert J.matmat(np.eye(3)).dtype == J.matmat(np.zeros((3, 0))).dtype == dtype
    assert J.matmat(np.eye(3, dtype=complex)).dtype == of_complex
    _, J = linearize(lambda x, y: x * y, x, np.ones(3))
    assert J.dtype == J.matvec(np.ones(6)).dtype == J.rmatvec(np.ones(3)).dtype == np.float64


@pytest.mark.parametrize("shape", [(4,), (6,), (5, 2), (1, 5), ()])
def test_vectors_of_another_length_are_refused(shape: Any) -> None:
    _, J = linearize(f, P, 0.5)
    for product in ("matvec", "rmatvec"):
        with pytest.raises(CotangentError, match=f"`{product}` is given an array of shape"):
            getattr(J, product)(np.ones(shape))
    if shape != (5, 2):
        with pytest.raises(CotangentError, match="`matmat` is given an array of shape"):
            J.matmat(np.ones(shape))


def test_complex_maps_are_no_real_matrices() -> None:
    for J in (linearize(lambda x: x * 1j, 2.0)[1], linearize(lambda z: z * z, 2j)[1], vjp(lambda z: z * z, 2j)[1]):
        with pytest.raises(NotDifferentiableError, match="not real numbers"):
            J.matvec([1.0])


def test_without_scipy_the_products_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.sparse.linalg", None)
    _, J = linearize(np.sin, np.zeros(2))
    with pytest.raises(MissingLibraryError, match="`linear_operator` needs SciPy"):
        J.linear_operator()
    assert J.matvec([1.0, 2.0]).tolist() == [1.0, 2.0]
