"""`np.linalg` where values coincide, where a choice is left, where matrices are singular; what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import rng

from adjoint import gradient, pullback
from adjoint.calculus import pushforward
from adjoint.errors import NoRuleError
from adjoint.rules.registry import find_rules
from adjoint.testing import check_gradient

S = rng(3, 3) + 3 * np.eye(3)
TALL = rng(5, 3)
ORTHOGONAL = np.linalg.qr(S)[0]
TWICE = ORTHOGONAL @ np.diag([2.0, 2.0, 5.0]) @ ORTHOGONAL.T


# Norms


def test_norm_of_zero() -> None:
    for order in (None, 1, 2, 3, 2.5, np.inf):
        assert gradient(lambda x, p=order: np.linalg.norm(x, p), np.zeros(3))[0].tolist() == [0.0, 0.0, 0.0]
        if order not in (3, 2.5):
            assert not np.any(gradient(lambda x, p=order: np.linalg.norm(x, p), np.zeros((2, 2)))[0])


def test_norm_where_an_entry_is_zero() -> None:
    x = np.array([0.0, 3.0, 4.0])
    with np.errstate(divide="ignore"):
        assert np.allclose(gradient(lambda x: np.linalg.norm(x, -1), x)[0], 0)
    assert np.allclose(gradient(lambda x: np.linalg.norm(x, 0.5), x)[0][0], 0)
    assert np.all(np.isfinite(gradient(lambda x: np.linalg.norm(x, 1.5), x)[0]))


def test_ties_share() -> None:
    assert np.array_equal(gradient(lambda x: np.linalg.norm(x, np.inf), np.array([-2.0, 2.0]))[0], [-0.5, 0.5])
    assert np.allclose(gradient(lambda x: np.linalg.norm(x, 2), 3 * np.eye(2))[0], np.eye(2) / 2)
    assert np.allclose(gradient(lambda x: np.linalg.norm(x, "nuc"), np.diag([2.0, 2.0, 0.0]))[0], np.diag([1, 1, 0]))
    assert np.allclose(gradient(np.linalg.cond, np.eye(2))[0], 0)


# Values that coincide


@pytest.mark.parametrize("a", [TWICE, np.eye(3), np.zeros((3, 3))])
def test_invariants_of_values_that_coincide(a: Any) -> None:
    """Sums of functions of all eigenvalues have a derivative wherever they do."""
    assert np.allclose(gradient(lambda a: np.linalg.eigvalsh(a).sum(), a)[0], np.eye(3))
    assert np.allclose(gradient(lambda a: np.linalg.eigvals(a).sum().real, a)[0], np.eye(3))
    assert np.allclose(np.tril(gradient(lambda a: (np.linalg.eigvalsh(a) ** 2).sum(), a)[0]), lower(2 * a))
    assert np.allclose(gradient(lambda a: (np.linalg.svdvals(a) ** 2).sum(), a)[0], 2 * a)
    assert np.allclose(gradient(lambda a: (np.linalg.svd(a, hermitian=True)[1] ** 2).sum(), a)[0], lower(2 * a))


def lower(a: Any) -> Any:
    """The derivative by the lower triangle of a symmetric matrix, from that by all entries."""
    return np.tril(a + a.T) - np.diag(np.diag(a))


def test_eigenvalues_of_a_defective_matrix() -> None:
    a = np.array([[1.0, 1.0], [0.0, 1.0]])
    assert np.allclose(gradient(lambda a: np.linalg.eigvals(a).sum().real, a)[0], np.eye(2))
    assert np.allclose(gradient(lambda a: np.linalg.eig(a).eigenvalues.sum().real, a)[0], np.eye(2))


def test_a_space_of_vectors_whose_values_coincide() -> None:
    """What turns the space of the vectors is followed; they may turn within it."""

    def projection(a: Any) -> Any:
        v = np.linalg.eigh(a + a.T).eigenvectors[:, :2]
        return v @ v.T

    y_bar = rng(3, 3, seed=5)
    (bar,) = pullback(projection, TWICE / 2)[1](y_bar)[1:]
    step, h = rng(3, 3, seed=6), 1e-6
    numeric = np.sum(y_bar * (projection(TWICE / 2 + h * step) - projection(TWICE / 2 - h * step))) / (2 * h)
    assert np.isclose(np.sum(bar * step), numeric)


def polar(a: Any) -> Any:
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return u @ vh


@pytest.mark.parametrize("a", [ORTHOGONAL, np.eye(3), TWICE, rng(4, 3)])
def test_the_polar_factor_of_a_matrix_whose_singular_values_coincide(a: Any) -> None:
    check_gradient(polar, a, order=2 if a.shape == (4, 3) else 1)
    check_gradient(lambda a: np.linalg.norm(a, "nuc"), a, order=2)


@pytest.mark.parametrize("a", [np.eye(3), TWICE])
def test_what_can_not_be_told_apart_is_refused(a: Any) -> None:
    """A function of a matrix by its eigenvectors and eigenvalues, and second derivatives of functions of these."""

    def root(a: Any) -> Any:
        w, v = np.linalg.eigh(a)
        return (v * np.sqrt(w)) @ v.T

    y_bar = rng(3, 3)
    with pytest.raises(NoRuleError, match="values coincide"):
        pullback(root, a)[1](y_bar)
    for f in (np.linalg.eigvalsh, np.linalg.svdvals, lambda a: np.linalg.svd(a).S, np.linalg.eigvals):
        with pytest.raises(NoRuleError, match="values coincide"):
            gradient(lambda a, f=f: np.sum(y_bar * gradient(lambda a: (f(a) ** 3).sum().real, a)[0]), a)
    with pytest.raises(NoRuleError, match="values coincide"):
        pullback(root_in_general, a)[1](y_bar)
    check_gradient(root, a + np.diag([0.1, 0.2, 0.3]))
    check_gradient(root_in_general, a + np.diag([0.1, 0.2, 0.3]))


def root_in_general(a: Any) -> Any:
    w, v = np.linalg.eig(a)
    return (v * np.sqrt(w)) @ np.linalg.inv(v)


# Choices


def test_results_that_depend_on_how_a_basis_is_completed_are_refused() -> None:
    for f in (
        lambda a: np.linalg.qr(a, "complete").Q[0, 4],
        lambda a: np.linalg.svd(a).U[0, 4],
        lambda a: np.linalg.svd(a.T).Vh[4, 0],
    ):
        with pytest.raises(NoRuleError, match="complete a basis"):
            gradient(f, TALL)
    assert np.allclose(gradient(lambda a: np.linalg.svd(a).S.sum(), TALL)[0], polar(TALL))


def test_phases_that_can_not_be_seen_are_refused() -> None:
    a = np.array([[2.0, 0, 0], [0, 3, 1j], [0, -1j, 4]])
    with pytest.raises(NoRuleError, match="up to its phase"):
        gradient(lambda a: np.linalg.eigh(a).eigenvectors[1].sum().imag, a)
    assert np.all(np.isfinite(gradient(lambda a: (abs(np.linalg.eigh(a).eigenvectors[1]) ** 4).sum(), a)[0]))


def symmetric(x: Any) -> Any:
    """A Hermitian matrix, with distinct eigenvalues."""
    return x + x.conj().swapaxes(-1, -2) + np.diag([1.0, 4.0, 9.0])


@pytest.mark.parametrize("triangle", ["L", "U"])
def test_only_one_triangle_is_read(triangle: str) -> None:
    _, back, _ = run_rule(np.linalg.eigvalsh, symmetric(S), triangle)
    assert np.allclose(back(np.ones(3))[0], np.eye(3))
    bar = back(rng(3))[0]
    assert np.array_equal(bar, np.tril(bar) if triangle == "L" else np.triu(bar))
    bar = run_rule(np.linalg.cholesky, symmetric(S) + 9 * np.eye(3), upper=triangle == "U")[1](rng(3, 3))[0]
    assert np.array_equal(bar, np.tril(bar) if triangle == "L" else np.triu(bar))


# Singular matrices


def test_zero_beside_singular_matrices() -> None:
    a = np.stack([S, np.zeros((3, 3))])
    for f in (lambda a: np.linalg.slogdet(a).logabsdet, np.linalg.cond, lambda a: np.linalg.cond(a, 1)):
        bar = pullback(f, a)[1](np.array([1.0, 0.0]))[1]
        assert np.allclose(bar[0], pullback(f, S)[1](1.0)[1]) and not np.any(bar[1])


@pytest.mark.parametrize("rank", [0, 1, 2])
def test_determinant_of_a_matrix_without_full_rank(rank: int) -> None:
    a = ORTHOGONAL @ np.diag([2.0, 3.0, 0.0][:rank] + [0.0] * (3 - rank)) @ rng(3, 3)
    check_gradient(np.linalg.det, a, order=2)


def test_rank_of_a_pseudo_inverse() -> None:
    """Where the matrix has not full rank, along directions that keep the rank."""
    left, right = rng(4, 2), rng(2, 3)
    check_gradient(lambda a, b: np.linalg.pinv(a @ b), left, right)
    check_gradient(lambda a, b: np.linalg.lstsq(a @ b, np.arange(4.0))[0], left, right)


# Refusals


def test_what_has_no_rule() -> None:
    for f, args in ((np.linalg.qr, (S, "raw")), (np.linalg.norm, (rng(2, 2), 0))):
        with pytest.raises((NoRuleError, ValueError)):
            gradient(lambda a, f=f, rest=args[1:]: np.sum(f(a, *rest)[0]), args[0])


def test_solve_for_the_right_side_only() -> None:
    rules = find_rules(np.linalg.solve)
    method = rules.select((np.ndarray, np.ndarray))  # type: ignore[union-attr]
    _, back = method.call(S, rng(3), needs=(False, True))  # type: ignore[union-attr]
    a_bar, b_bar = back(np.ones(3))
    assert a_bar is None and np.allclose(b_bar, np.linalg.solve(S.T, np.ones(3)))


def _singular(n: int, rank: int, complex_: bool) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(10 * n + rank)
    left, right = rng.standard_normal((2, n, rank)) + (1j * rng.standard_normal((2, n, rank)) if complex_ else 0.0)
    return left @ right.T


@pytest.mark.parametrize("complex_", [False, True], ids=["real", "complex"])
def test_determinants_of_matrices_without_full_rank(complex_: bool) -> None:
    n = 4
    a = np.stack([_singular(n, rank, complex_) for rank in (n, n - 1, n - 2, 1, 0)])
    direction = np.random.default_rng(0).standard_normal(a.shape)

    for stack, d in ((a, direction), *zip(a, direction, strict=True)):

        def f(t: Any, stack: Any = stack, d: Any = d) -> Any:
            return np.sum(np.real((2.0 + 1.0j) * np.linalg.det(stack + t * d)))

        # A polynomial in t: its coefficients say what the derivatives are.
        points = np.linspace(-1.0, 1.0, n + 1)
        series = np.polynomial.Polynomial.fit(points, [f(t) for t in points], n).convert().coef
        assert gradient(f, 0.0)[0] == pytest.approx(series[1], abs=1e-9)
        assert gradient(lambda t: gradient(f, t)[0], 0.0)[0] == pytest.approx(2 * series[2], abs=1e-9)  # noqa: B023


def test_the_third_derivative_of_a_singular_determinant_is_refused() -> None:
    def f(t: Any) -> Any:
        return np.linalg.det(np.diag([1.0, 1.0, 0.0, 0.0]) + t * np.arange(16.0).reshape(4, 4) ** 2)

    with pytest.raises(NoRuleError, match="nearly singular"):
        gradient(lambda t: gradient(lambda s: gradient(f, s)[0], t)[0], 0.0)


def test_the_logarithm_of_a_singular_determinant_is_nowhere_smooth() -> None:
    """Forward mode said 0 where the pullback said nan."""
    a = np.array([[1.0, 2.0], [2.0, 4.0]])
    logarithm = lambda a: np.linalg.slogdet(a)[1]  # noqa: E731
    assert np.isnan(gradient(logarithm, a)[0]).all()
    assert np.isnan(pushforward(logarithm, (a,), (np.ones((2, 2)),))[1])
    assert pushforward(logarithm, (a,), (np.zeros((2, 2)),))[1] == 0.0
    both = np.stack([a, a + np.eye(2)])
    assert np.array_equal(np.isnan(pushforward(logarithm, (both,), (both,))[1]), [True, False])


def test_determinants_of_singular_matrices_that_are_not_seen_to_be() -> None:
    """LU may find a determinant that is not 0 where it then finds no inverse."""
    for seed in range(12):
        a = np.random.default_rng(seed).normal(size=(100, 100))
        a[0] = a[1]
        slope = gradient(np.linalg.det, a)[0]
        assert np.allclose(slope[0], -slope[1], rtol=1e-6) and np.any(slope[0] != 0)
