"""Rules of `np.linalg`: systems, determinants, norms and decompositions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rules.checker import check_rule, run_rule
from rules.numpy.table import call, check, rng

from adjoint.errors import NoRuleError
from adjoint.rules.registry import find_rules, rule

S = rng(3, 3) + 3 * np.eye(3)
C = rng(3, 3, dtype=np.complex128) + 3 * np.eye(3)
B = rng(2, 3, 3) + 3 * np.eye(3)
M = rng(3, 4)
V = rng(4)
Z = rng(3, 4, dtype=np.complex128)


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        call(np.linalg.solve, S, rng(3)),
        call(np.linalg.solve, S, rng(3, 2)),
        call(np.linalg.solve, C, rng(3)),
        call(np.linalg.solve, S, rng(3, 2, dtype=np.complex128)),
        call(np.linalg.solve, B, rng(2, 3, 2)),
        call(np.linalg.solve, B, rng(3)),
        call(np.linalg.solve, S, rng(2, 3, 2)),
        call(np.linalg.solve, B, rng(3, 2)),
        call(np.linalg.solve, S.astype(np.float32), rng(3).astype(np.float32)),
        call(np.linalg.solve, [[2.5, 1.0], [0.5, 1.5]], [0.5, 1.5]),
        call(np.linalg.inv, S),
        call(np.linalg.inv, C),
        call(np.linalg.inv, B),
        call(np.linalg.det, S),
        call(np.linalg.det, C),
        call(np.linalg.det, B),
        call(np.linalg.det, np.array([[1.0, 2.0], [2.0, 4.0]])),
        call(np.linalg.det, np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.5, 1.5, 1.0]])),
        call(np.linalg.det, C - C[:, :1]),
        call(np.linalg.det, np.zeros((1, 1))),
        call(np.linalg.slogdet, S),
        call(np.linalg.slogdet, C),
        call(np.linalg.slogdet, B),
        call(np.linalg.matrix_power, S, 3),
        call(np.linalg.matrix_power, C, 2),
        call(np.linalg.matrix_power, S, 1),
        call(np.linalg.matrix_power, S, 0),
        call(np.linalg.matrix_power, S, -2),
        call(np.linalg.matrix_power, B, 2),
        call(np.linalg.pinv, M),
        call(np.linalg.pinv, M.T),
        call(np.linalg.pinv, Z),
        call(np.linalg.pinv, S),
        call(np.linalg.cond, S),
        call(np.linalg.cond, M),
        call(np.linalg.norm, V),
        call(np.linalg.norm, M),
        call(np.linalg.norm, Z),
        call(np.linalg.norm, rng(2, 3, 4)),
        call(np.linalg.norm, M.astype(np.float32)),
        call(np.linalg.norm, [1.5, 2.5]),
        *(call(np.linalg.norm, V, p) for p in (1, 2, 3, 0.5, -1, np.inf, -np.inf)),
        *(call(np.linalg.norm, Z, p, axis=0) for p in (None, 1, 2, 3, np.inf, -np.inf)),
        *(call(np.linalg.norm, x, p) for x in (M, Z, M.T) for p in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)),
        call(np.linalg.norm, M, axis=1, keepdims=True),
        call(np.linalg.norm, rng(2, 3, 4), axis=(0, 2)),
        call(np.linalg.norm, rng(2, 3, 4), "nuc", axis=(0, 2)),
        call(np.linalg.norm, rng(2, 3, 4), 1, axis=(2, 0)),
        call(np.linalg.norm, rng(2, 3, 4), 2, axis=(0, 2), keepdims=True),
        call(np.linalg.vector_norm, M),
        call(np.linalg.vector_norm, M, axis=0, ord=3),
        call(np.linalg.vector_norm, M, axis=1, keepdims=True, ord=np.inf),
        call(np.linalg.matrix_norm, rng(2, 3, 4)),
        call(np.linalg.matrix_norm, M, ord="nuc"),
        call(np.linalg.lstsq, M.T, V),
    ],
)
def test_linalg(f: Any, args: Any, kwargs: Any) -> None:
    if f is np.linalg.norm:
        check(f, args, kwargs, constant=(1, 2, 3))
    elif f is np.linalg.lstsq:
        _, back, _ = run_rule(f, *args)
        x_bar = rng(3)
        expected = run_rule(np.linalg.pinv, M.T)[1](np.outer(x_bar, V))[0], np.linalg.pinv(M.T).T @ x_bar
        assert all(np.allclose(x, y) for x, y in zip(back((x_bar, None, None, None)), expected, strict=True))
    else:
        check(f, args, kwargs)


def test_norm_of_zero() -> None:
    for ord_ in (None, 1, 2, 3, np.inf):
        assert run_rule(np.linalg.norm, np.zeros(3), ord_)[1](1.0)[0].tolist() == [0.0, 0.0, 0.0]


def declare(f: Any) -> Any:
    """Declare `f`, written in terms of one function with a rule, by running that rule: so it can be checked."""

    def outer_rule(*args: Any) -> Any:
        return f(*args, run=run_rule)

    def plain(*args: Any) -> Any:
        return f(*args, run=lambda g, *xs, **kwargs: (g(*xs, **kwargs), None, None))[0]

    rule(plain)(outer_rule)
    return plain


def symmetric(x: Any) -> Any:
    """A Hermitian matrix, with distinct eigenvalues."""
    return x + x.conj().swapaxes(-1, -2) + np.diag([1.0, 4.0, 9.0])


@declare
def cholesky(x: Any, upper: bool, run: Any) -> Any:
    a = x @ x.conj().swapaxes(-1, -2) + np.eye(3)
    y, back, _ = run(np.linalg.cholesky, a, upper=upper)

    def cholesky_back(y_bar: Any) -> Any:
        (a_bar,) = back(y_bar)
        return (a_bar + a_bar.conj().swapaxes(-1, -2)) @ x, None

    return y, cholesky_back


@declare
def eigenvalues(x: Any, triangle: str, run: Any) -> Any:
    y, back, _ = run(np.linalg.eigvalsh, symmetric(x), triangle)

    def eigenvalues_back(y_bar: Any) -> Any:
        (a_bar,) = back(y_bar)
        return a_bar + a_bar.conj().swapaxes(-1, -2), None

    return y, eigenvalues_back


@declare
def of_eigenvectors(x: Any, triangle: str, run: Any) -> Any:
    """w and V D Vᴴ, which do not depend on the phases of the vectors."""
    (w, v), back, _ = run(np.linalg.eigh, symmetric(x), triangle)
    d = np.diag([1.0, 2.0, 5.0])

    def of_eigenvectors_back(y_bar: Any) -> Any:
        w_bar, p_bar = y_bar
        v_bar = (p_bar + p_bar.conj().swapaxes(-1, -2)) @ v @ d
        (a_bar,) = back((w_bar, v_bar))
        return a_bar + a_bar.conj().swapaxes(-1, -2), None

    return (w, v @ d @ v.conj().swapaxes(-1, -2)), of_eigenvectors_back


@declare
def of_singular_vectors(x: Any, run: Any) -> Any:
    """s and U D Vᴴ."""
    (u, s, vh), back, _ = run(np.linalg.svd, x, full_matrices=False)
    d = np.diag([1.0, 2.0, 5.0])

    def of_singular_vectors_back(y_bar: Any) -> Any:
        s_bar, p_bar = y_bar
        return back((p_bar @ vh.conj().swapaxes(-1, -2) @ d, s_bar, d @ u.conj().swapaxes(-1, -2) @ p_bar))

    return (s, u @ d @ vh), of_singular_vectors_back


@declare
def of_eigenvectors_in_general(x: Any, run: Any) -> Any:
    """w and |V|²."""
    (w, v), back, _ = run(np.linalg.eig, x)

    def of_eigenvectors_in_general_back(y_bar: Any) -> Any:
        return back((y_bar[0], 2 * y_bar[1] * v))

    return (w, np.abs(v) ** 2), of_eigenvectors_in_general_back


@pytest.mark.parametrize("x", [S, C, B])
def test_decompositions(x: Any) -> None:
    check_rule(cholesky, x, False, constant=(1,))
    check_rule(cholesky, x, True, constant=(1,))
    check_rule(np.linalg.svd, x, compute_uv=False)
    check_rule(of_singular_vectors, x)
    if x.ndim == 2:
        check_rule(eigenvalues, x, "L", constant=(1,))
        check_rule(eigenvalues, x, "U", constant=(1,))
        check_rule(of_eigenvectors, x, "L", constant=(1,))
        check_rule(of_eigenvectors, x, "U", constant=(1,))
    check_rule(np.linalg.eigvals, x)
    check_rule(of_eigenvectors_in_general, x)


@pytest.mark.parametrize("x", [M.T, Z.T, rng(2, 4, 3), S])
def test_qr(x: Any) -> None:
    check_rule(np.linalg.qr, x)
    check_rule(np.linalg.qr, x, mode="r")


@pytest.mark.parametrize("x", [M, M.T, Z, Z.T])
def test_svd_of_oblong_matrices(x: Any) -> None:
    check_rule(of_singular_vectors, x)
    check_rule(np.linalg.svd, x, compute_uv=False)


@pytest.mark.parametrize("triangle", ["L", "U"])
def test_only_one_triangle_is_read(triangle: str) -> None:
    _, back, _ = run_rule(np.linalg.eigvalsh, symmetric(S), triangle)
    bar = back(np.ones(3))[0]
    assert np.allclose(bar, np.eye(3))
    bar = back(rng(3))[0]
    assert np.array_equal(bar, np.tril(bar) if triangle == "L" else np.triu(bar))


def test_what_has_no_rule() -> None:
    for f, args, kwargs in (
        (np.linalg.qr, (M,), {}),
        (np.linalg.cond, (S, 1), {}),
        (np.linalg.svd, (S,), {"hermitian": True}),
    ):
        with pytest.raises(NoRuleError):
            run_rule(f, *args, **kwargs)
    _, back, _ = run_rule(np.linalg.svd, M)
    with pytest.raises(NoRuleError):
        back((np.ones((3, 3)), None, None))


def test_solve_for_the_right_side_only() -> None:
    _, back = (
        find_rules(np.linalg.solve)
        .select((np.ndarray, np.ndarray))
        .call(  # type: ignore[union-attr]
            S, rng(3), needs=(False, True)
        )
    )
    a_bar, b_bar = back(np.ones(3))
    assert a_bar is None and np.allclose(b_bar, np.linalg.solve(S.T, np.ones(3)))
