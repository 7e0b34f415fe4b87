"""What a function gives beside the result that is differentiated, and compiled diagonals of Hessians."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hessian, jacobian, vmap
from adjoint.calculus import hessian_diag, value_and_jacobian
from adjoint.errors import CompileError, CompileFallbackWarning, NotScalarError, OptionError

X = np.array([0.5, 2.0, -1.5])


def squares(x: Any, scale: Any = 1.0) -> Any:
    return scale * x * x + np.roll(x, 1)


def with_aux(x: Any, scale: Any = 1.0) -> Any:
    y = squares(x, scale)
    return y, {"sum": y.sum(), "text": "seen"}


@pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])
def test_the_jacobian_is_of_the_first_of_the_pair(mode: Any) -> None:
    J, aux = jacobian(with_aux, has_aux=True, mode=mode)(X)
    np.testing.assert_array_equal(J, jacobian(squares, mode=mode)(X))
    assert aux == {"sum": squares(X).sum(), "text": "seen"}
    (of_x, of_scale), aux = jacobian(with_aux, X, 2.0, has_aux=True, mode=mode)
    np.testing.assert_array_equal(of_x, 2.0 * np.diag(2.0 * X) + np.roll(np.eye(3), 1, 0))
    np.testing.assert_array_equal(of_scale, X * X)
    assert aux["text"] == "seen"


def test_the_value_is_the_pair() -> None:
    (y, aux), J = value_and_jacobian(with_aux, has_aux=True)(X)
    np.testing.assert_array_equal(y, squares(X))
    np.testing.assert_array_equal(J, jacobian(squares)(X))
    assert aux["text"] == "seen"


def test_a_tall_jacobian_runs_forward() -> None:
    def f(x: Any) -> Any:
        return np.outer(np.arange(50.0), x).ravel(), x.sum()

    J, aux = jacobian(f, has_aux=True)(X)
    np.testing.assert_array_equal(J, jacobian(lambda x: f(x)[0])(X))
    assert aux == X.sum()


def test_a_program_that_stores_has_a_pair_too() -> None:
    seen: list[Any] = []

    def f(x: Any) -> Any:
        seen.append(float(x[0]))
        return x * x, len(seen)

    J, aux = jacobian(f, has_aux=True)(X)
    np.testing.assert_array_equal(J, np.diag(2 * X))
    assert aux == 1 and len(seen) == 1


def loss_and_aux(x: Any, y: Any = 1.0) -> Any:
    return (x**3).sum() * y + x[0] * x[1], {"x": x, "text": "seen"}


def loss_alone(x: Any, y: Any = 1.0) -> Any:
    return loss_and_aux(x, y)[0]


@pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])
def test_the_hessian_is_of_the_first_of_the_pair(mode: Any) -> None:
    H, aux = hessian(loss_and_aux, has_aux=True, mode=mode)(X)
    np.testing.assert_array_equal(H, hessian(loss_alone, mode=mode)(X))
    assert aux["text"] == "seen" and np.array_equal(aux["x"], X)
    found, aux = hessian(loss_and_aux, X, 2.0, has_aux=True, mode=mode)
    np.testing.assert_equal(found, hessian(loss_alone, X, 2.0, mode=mode))
    assert aux["text"] == "seen"
    H, _ = hessian(loss_and_aux, has_aux=True, mode=mode, argnums="y")(X, 2.0)
    assert H == 0.0


def test_hessians_of_pairs_go_where_others_go() -> None:
    made = hessian(loss_and_aux, has_aux=True)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(made))(X)[0], made(X)[0])
    got = gradient(lambda x: (made(x)[0] ** 2).sum() + made(x)[1]["x"].sum(), X)[0]
    np.testing.assert_allclose(got, gradient(lambda x: (hessian(loss_alone)(x) ** 2).sum() + x.sum(), X)[0])
    rows = np.stack([X, 2 * X])
    H, aux = vmap(hessian(lambda x: (loss_alone(x), x), has_aux=True))(rows)
    np.testing.assert_allclose(H, np.stack([hessian(loss_alone)(x) for x in rows]))
    np.testing.assert_array_equal(aux, rows)
    empty, _ = hessian(lambda x: ((x**2).sum(), 1), has_aux=True)(np.zeros(0))
    assert empty.shape == (0, 0)
    narrow, _ = hessian(loss_and_aux, has_aux=True)(X.astype(np.float32))
    assert narrow.dtype == np.float32


def test_no_pair_no_hessian() -> None:
    for mode in ("forward", "reverse"):
        with pytest.raises(NotScalarError, match="is to return a pair"):
            hessian(loss_alone, has_aux=True, mode=mode)(X)  # type: ignore[call-overload]
    with pytest.raises(OptionError, match="`has_aux` is asked for with `sparsity`"):
        hessian(loss_and_aux, has_aux=True, sparsity="auto")(X)


def test_the_hessian_of_a_pair_is_not_compiled() -> None:
    pytest.importorskip("numba")
    with pytest.warns(CompileFallbackWarning, match="has_aux"):
        H, _ = hessian(loss_and_aux, has_aux=True, compile=True)(X)
    np.testing.assert_array_equal(H, hessian(loss_alone)(X))
    with pytest.raises(CompileError):
        hessian(loss_and_aux, has_aux=True, compile="strict")(X)


def test_derivatives_go_through_what_comes_beside() -> None:
    def f(x: Any) -> Any:
        J, aux = jacobian(with_aux, has_aux=True)(x)
        return (J**2).sum() + aux["sum"]

    def plain(x: Any) -> Any:
        return (jacobian(squares)(x) ** 2).sum() + squares(x).sum()

    np.testing.assert_allclose(gradient(f, X)[0], gradient(plain, X)[0])


def test_functions_with_a_pair_can_be_pickled() -> None:
    again = pickle.loads(pickle.dumps(jacobian(with_aux, has_aux=True)))
    np.testing.assert_array_equal(again(X)[0], jacobian(squares)(X))


def test_what_is_no_pair_is_refused() -> None:
    for mode in ("forward", "reverse"):
        with pytest.raises(NotScalarError, match="is to return a pair"):
            jacobian(squares, has_aux=True, mode=mode)(X)  # type: ignore[call-overload]
    with pytest.raises(OptionError, match="`has_aux` is asked for with `sparsity`"):
        jacobian(with_aux, has_aux=True, sparsity="auto")(X)


def test_a_pair_is_not_compiled() -> None:
    pytest.importorskip("numba")
    with pytest.warns(CompileFallbackWarning, match="has_aux"):
        J, _ = jacobian(with_aux, has_aux=True, compile=True)(X)
    np.testing.assert_array_equal(J, jacobian(squares)(X))
    with pytest.raises(CompileError):
        jacobian(with_aux, has_aux=True, compile="strict")(X)


@pytest.mark.parametrize("n", [0, 1, 70])
def test_compiled_diagonals(n: int) -> None:
    pytest.importorskip("numba")

    def f(x: Any, k: float) -> Any:
        total = 0.0
        for i in range(len(x)):
            total += k * x[i] ** 3 * np.sin(x[0])
        return total

    x = np.linspace(0.5, 1.5, n)
    found = hessian_diag(f, compile="strict")(x, 2.0)
    np.testing.assert_allclose(found, hessian_diag(f)(x, 2.0), rtol=1e-12)
    np.testing.assert_allclose(found, np.diagonal(hessian(f)(x, 2.0)), rtol=1e-12)
    of_x, of_k = hessian_diag(f, x, 2.0, compile="strict")
    np.testing.assert_allclose(of_x, found)
    assert isinstance(of_k, float) and of_k == 0.0


def test_what_is_not_compiled_has_a_diagonal_all_the_same() -> None:
    pytest.importorskip("numba")

    def f(x: Any) -> Any:
        return (x**3).sum()

    with pytest.warns(CompileFallbackWarning):
        found = hessian_diag(f, compile=True)(X.astype(np.float32))
    np.testing.assert_allclose(found, 6 * X, rtol=1e-6)


def test_gradients_with_a_pair_leave_others_as_they_are() -> None:
    """A program for one was taken for the other, and called itself without end."""

    def pair(x: Any) -> Any:
        return (x**3).sum(), x

    def alone(x: Any) -> Any:
        return (x**3).sum()

    for mode in ("forward", "reverse", "forward"):
        J, _ = jacobian(grad(pair, has_aux=True), has_aux=True, mode=mode)(X)  # type: ignore[call-overload]
        np.testing.assert_allclose(J, np.diag(6 * X))
        np.testing.assert_allclose(hessian(alone, X), np.diag(6 * X))
        np.testing.assert_allclose(gradient(lambda x: grad(alone)(x).sum(), X)[0], 6 * X)
