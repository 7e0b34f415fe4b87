"""Sparse Jacobians: the pattern, the groups of columns and rows, the entries."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hessian, jacobian, rule
from adjoint.errors import NoRuleError, NotDifferentiableError, SparsityError
from adjoint.inspect import debug_nans
from adjoint.sparse import find_sparsity

sparse = pytest.importorskip("scipy.sparse")

X = np.linspace(0.5, 2.0, 60)
RNG = np.random.default_rng(0)


def sliced(x: Any) -> Any:
    """A tridiagonal system, as one writes it with slices."""
    return x[1:-1] ** 2 * 2.0 - x[:-2] * x[1:-1] - np.exp(x[2:])


def looped(x: Any) -> Any:
    """The same, with a loop that stores."""
    out = np.zeros(len(x) - 2)
    for i in range(1, len(x) - 1):
        out[i - 1] = x[i] ** 2 * 2.0 - x[i - 1] * x[i] - np.exp(x[i + 1])
    return out


def collected(x: Any) -> Any:
    """The same, from a list."""
    return np.array([2.0 * b * b - a * b - np.exp(c) for a, b, c in zip(x[:-2], x[1:-1], x[2:], strict=True)])


def wave(u: Any) -> Any:
    """A five-point stencil on a grid."""
    padded = np.pad(u, 1)
    return padded[2:, 1:-1] + padded[:-2, 1:-1] + padded[1:-1, 2:] + padded[1:-1, :-2] - 4.0 * np.sin(u)


def separate(x: Any) -> Any:
    """Blocks of three numbers that have nothing to do with each other."""
    blocks = x.reshape(-1, 3)
    return (blocks**2).sum(axis=1), np.prod(blocks, axis=1)


POINTS, CAMERAS = RNG.integers(0, 12, 80), RNG.integers(0, 4, 80)


def reprojected(cameras: Any, points: Any) -> Any:
    """The structure of bundle adjustment: each observation is of one camera and one point."""
    seen = points[POINTS] + cameras[CAMERAS, 3:]
    scale = 1.0 + np.sum(cameras[CAMERAS, :3] ** 2, axis=1)
    return np.concatenate((seen[:, 0] / seen[:, 2] * scale, seen[:, 1] / seen[:, 2] * scale))


def equal(found: Any, f: Any, *args: Any, argnums: Any = 0) -> None:
    """Compare with the whole Jacobian."""
    dense = jacobian(f, *args, argnums=argnums)
    assert isinstance(found, sparse.csr_array) and found.has_canonical_format
    np.testing.assert_allclose(found.toarray(), np.reshape(dense, found.shape), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("f", [sliced, looped, collected])
def test_tridiagonal(f: Any) -> None:
    found = find_sparsity(f, X)
    assert found.shape == (58, 60) and len(found.rows) == 3 * 58 and found.groups == (3, 3) and found.structural
    assert repr(found) == "Sparsity(58 × 60, 174 entries, 3 groups of columns, 3 of rows)"
    band = found.matrix.toarray()
    assert band.dtype == bool and np.array_equal(band, np.abs(np.arange(58)[:, None] + 1 - np.arange(60)) <= 1)
    for mode in ("auto", "forward", "reverse"):
        equal(jacobian(f, X, argnums=0, sparsity=found, mode=mode), f, X)
    (first,) = jacobian(f, X, sparsity="auto")
    equal(first, f, X)


def test_few_runs_are_needed() -> None:
    runs = []

    def noted(x: Any) -> Any:
        return x * 1.0

    @rule(noted)
    def noted_rule(x: Any) -> Any:
        def noted_back(d: Any) -> Any:
            runs.append(None)
            return (d,)

        return x * 1.0, noted_back

    x = np.linspace(1.0, 2.0, 1000)
    found = find_sparsity(lambda x: sliced(noted(x)), x)
    assert found.groups == (3, 3) and len(runs) < 60
    runs.clear()
    jacobian(lambda x: sliced(noted(x)), x, sparsity=found, mode="reverse")
    assert len(runs) == 4  # three groups, and the check


def test_a_grid() -> None:
    u = RNG.standard_normal((12, 15))
    found = find_sparsity(wave, u)
    assert found.shape == (180, 180) and len(found.rows) == 5 * 180 - 2 * (12 + 15)
    assert max(found.groups) <= 8 and min(found.groups) >= 5
    equal(jacobian(wave, u, argnums=0, sparsity="auto"), wave, u)


def test_blocks() -> None:
    found = find_sparsity(separate, X)
    assert found.shape == (40, 60) and found.groups == (3, 2) and len(found.rows) == 120
    j = jacobian(separate, X, argnums=0, sparsity="auto")
    np.testing.assert_allclose(j.toarray(), np.concatenate(jacobian(separate, X, argnums=0)))


def test_bundle_adjustment() -> None:
    cameras, points = RNG.standard_normal((4, 6)), RNG.standard_normal((12, 3))
    found = find_sparsity(reprojected, cameras, points)
    assert found.shape == (160, 60) and len(found.rows) == 80 * 2 * (3 + 2 + 2)
    assert found.groups[0] <= 10
    by_cameras, by_points = jacobian(reprojected, cameras, points, sparsity="auto")
    equal(by_cameras, reprojected, cameras, points)
    equal(by_points, reprojected, cameras, points, argnums=1)
    alone = jacobian(reprojected, cameras, points, argnums="points", sparsity="auto")
    np.testing.assert_array_equal(alone.toarray(), by_points.toarray())
    given = (by_cameras != 0, by_points != 0)
    np.testing.assert_array_equal(
        jacobian(reprojected, cameras, points, sparsity=given)[0].toarray(), by_cameras.toarray()
    )


def test_sparse_hessian() -> None:
    def energy(x: Any) -> Any:
        return np.sum((x[1:] - x[:-1]) ** 4) + np.sum(np.cos(x))

    h = hessian(energy, X, sparsity="auto")
    assert isinstance(h, sparse.csr_array) and h.nnz == 3 * 60 - 2
    np.testing.assert_allclose(h.toarray(), hessian(energy, X), atol=1e-12)


def test_one_dense_row_or_column() -> None:
    def row(x: Any) -> Any:
        return np.concatenate((x**2, [np.sum(x)]))

    def column(x: Any) -> Any:
        return x**2 * x[0]

    def arrow(x: Any) -> Any:
        return np.concatenate((x[1:] ** 2 * x[0], [np.sum(x)]))

    assert find_sparsity(row, X).groups == (60, 2)
    assert find_sparsity(column, X).groups == (2, 60)
    for f in (row, column, arrow):
        equal(jacobian(f, X, argnums=0, sparsity="auto"), f, X)


def test_zeros_at_a_point_are_kept() -> None:
    at_zero = find_sparsity(lambda x: x**2 * x[::-1], np.zeros(5))
    assert at_zero.structural and len(at_zero.rows) == 9
    j = jacobian(lambda x: x**2, np.zeros(5), argnums=0, sparsity="auto")
    assert j.nnz == 5 and not j.data.any()


def test_a_matrix_with_stored_zeros() -> None:
    band = np.diag(np.arange(1.0, 41.0)) + np.diag(np.ones(39), 1)
    found = find_sparsity(lambda x: np.sin(band @ x), np.ones(40))
    assert not found.structural and found.groups == (2, 2)
    equal(
        jacobian(lambda x: np.sin(band @ x), np.ones(40), argnums=0, sparsity="auto"),
        lambda x: np.sin(band @ x),
        np.ones(40),
    )


def test_what_is_dense() -> None:
    a = RNG.standard_normal((70, 70))
    found = find_sparsity(lambda x: a @ x, np.ones(70))
    assert found.groups == (70, 70) and len(found.rows) == 4900
    equal(jacobian(lambda x: a @ x, np.ones(70), argnums=0, sparsity="auto"), lambda x: a @ x, np.ones(70))
    f = lambda x: np.linalg.solve(a, x) * x  # noqa: E731
    equal(jacobian(f, np.ones(70), argnums=0, sparsity="auto"), f, np.ones(70))


def test_nothing_and_constants() -> None:
    assert find_sparsity(lambda x: x, np.ones(0)).groups == (0, 0)
    empty = find_sparsity(lambda x: np.ones(3), np.ones(4))
    assert empty.shape == (3, 4) and len(empty.rows) == 0
    j = jacobian(lambda x: np.ones(3), np.ones(4), argnums=0, sparsity="auto")
    assert j.shape == (3, 4) and j.nnz == 0
    assert jacobian(lambda x: x[:0], np.ones(4), argnums=0, sparsity="auto").shape == (0, 4)
    assert jacobian(lambda x: 3.0 * x, 2.0, argnums=0, sparsity="auto").toarray().tolist() == [[3.0]]


def test_structures_and_precision() -> None:
    j = jacobian(lambda p: {"a": p["x"][1:] * p["s"]}, {"s": 2.0, "x": np.arange(3.0)}, argnums=0, sparsity="auto")
    assert j.toarray().tolist() == [[1.0, 0.0, 2.0, 0.0], [2.0, 0.0, 0.0, 2.0]]
    assert jacobian(sliced, X.astype(np.float32), argnums=0, sparsity="auto").dtype == np.float32


def test_where_the_derivative_is_not_finite() -> None:
    with np.errstate(all="ignore"):
        j = jacobian(
            lambda x: np.array([np.log(x[0]), x[1] * x[2]]), np.array([0.0, 2.0, 3.0]), argnums=0, sparsity="auto"
        )
    assert np.isinf(j[0, 0]) and j[1, 1] == 3.0 and j[1, 2] == 2.0


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array, sparse.coo_matrix, sparse.lil_array])
def test_a_pattern_of_the_users(kind: Any) -> None:
    pattern = kind((np.abs(np.arange(58)[:, None] + 1 - np.arange(60)) <= 1).astype(float))
    for mode in ("auto", "forward", "reverse"):
        equal(jacobian(sliced, X, argnums=0, sparsity=pattern, mode=mode), sliced, X)


def test_a_wrong_pattern_is_found_out() -> None:
    whole = np.abs(np.arange(58)[:, None] + 1 - np.arange(60)) <= 1
    for i, k in [(0, 0), (20, 21), (57, 59)]:
        pattern = whole.copy()
        assert pattern[i, k]
        pattern[i, k] = False
        for mode in ("forward", "reverse"):
            with pytest.raises(SparsityError, match="has entries in (row|column) .* where the pattern has none") as e:
                jacobian(sliced, X, sparsity=pattern, mode=mode)
            assert "find_sparsity" in e.value.way_out
    with pytest.raises(SparsityError, match=r"has the shape \(57, 60\), and the Jacobian of `sliced` is \(58, 60\)"):
        jacobian(sliced, X, sparsity=whole[1:])
    for bad in ("dense", 3, [1, 2]):
        with pytest.raises(ValueError, match="the pattern given for the Jacobian"):
            jacobian(sliced, X, sparsity=bad)


@pytest.mark.parametrize("small", [1e-12, 1e-100])
@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_a_missing_entry_of_a_small_row_or_column_is_found_out(small: float, mode: Any) -> None:
    scales = np.array([1e6, small, 1.0])

    def rows(x: Any) -> Any:
        return scales * (x * x + x[::-1])

    def columns(x: Any) -> Any:
        return (scales * x) ** 2 / scales + (scales * x)[::-1]

    def within(x: Any) -> Any:
        return np.array([1e6 * x[0] + 1e-3 * x[1], x[1], x[2]])

    corner, middle = np.eye(3, dtype=bool), np.eye(3, dtype=bool)[::-1] | np.eye(3, dtype=bool)
    middle[1, 1] = False
    for f, pattern in ((rows, corner), (rows, middle), (columns, corner), (columns, middle), (within, corner)):
        with pytest.raises(SparsityError, match="has entries in"):
            jacobian(f, np.ones(3), sparsity=pattern, mode=mode)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_what_cancels_is_no_missing_entry(mode: Any) -> None:
    def centred(x: Any) -> Any:
        p = np.exp(x.reshape(-1, 5))
        p = p / np.sum(p, axis=1, keepdims=True)
        return np.concatenate((x * 1e3, np.sum(p, axis=1), np.sum(1e8 * p, axis=1) / 3.0 + x[:8] * 1e-9))

    x = RNG.standard_normal(40)
    found = find_sparsity(centred, x)
    assert found.structural and found.groups[0] == 6
    j = jacobian(centred, x, argnums=0, sparsity=found, mode=mode)
    np.testing.assert_allclose(j.toarray(), jacobian(centred, x, argnums=0), atol=1e-6)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.where(x > 1.0, x * x[::-1], x),
        lambda x: np.sort(x),
        lambda x: np.partition(x, 2),
        lambda x: x[np.argsort(x)] * x,
    ],
)
def test_a_pattern_of_other_choices_is_found_out(f: Any) -> None:
    x = np.array([0.5, 0.6, 0.7, 0.9])
    found = find_sparsity(f, x)
    with pytest.raises(SparsityError):
        jacobian(f, np.array([3.0, 0.4, 2.0, 1.5]), sparsity=found)
    equal(jacobian(f, x, argnums=0, sparsity=found), f, x)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.array([np.median(x[:3]), *x[1:]]),
        lambda x: np.maximum(x, 2.0 * x[::-1]),
        lambda x: np.abs(x) * x,
        lambda x: np.clip(x, 0.55, 2.5),
    ],
)
def test_choices_that_are_factors_have_all_entries(f: Any) -> None:
    found = find_sparsity(f, np.array([0.5, 0.6, 0.7, 0.9]))
    x = np.array([3.0, 0.4, 2.0, 1.5])
    equal(jacobian(f, x, argnums=0, sparsity=found), f, x)


def test_a_pattern_of_other_branches_is_found_out() -> None:
    def f(x: Any) -> Any:
        return x * x[::-1] if x[0] > 1.0 else x * x

    found = find_sparsity(f, np.zeros(4))
    with pytest.raises(SparsityError):
        jacobian(f, np.arange(2.0, 6.0), sparsity=found)


def test_a_pattern_that_nan_does_not_show() -> None:
    def hiding(x: Any) -> Any:
        return x * 2.0

    @rule(hiding)
    def hiding_rule(x: Any) -> Any:
        return x * 2.0, lambda d: (2.0 * np.nan_to_num(d),)

    found = find_sparsity(lambda x: np.append(hiding(x)[1:], x[0]), X)
    assert len(found.rows) == 60 * 60
    (j,) = jacobian(lambda x: hiding(x) * x, X, sparsity="auto")
    equal(j, lambda x: hiding(x) * x, X)


def test_functions_that_take_no_nan() -> None:
    def picky(x: Any) -> Any:
        return x * 2.0

    @rule(picky)
    def picky_rule(x: Any) -> Any:
        def picky_back(d: Any) -> Any:
            if not np.all(np.isfinite(d)):
                raise ValueError("array must not contain infs or NaNs")
            return (2.0 * d,)

        return x * 2.0, picky_back

    assert find_sparsity(lambda x: picky(x) ** 2, X).groups == (1, 1)
    with debug_nans():
        assert find_sparsity(sliced, X).groups == (3, 3)


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotDifferentiableError, match="not real numbers"):
        find_sparsity(lambda x: x, "text")
    with pytest.raises(NotDifferentiableError, match="not real numbers"):
        jacobian(lambda x: 1j * x, X, sparsity="auto")
    with pytest.raises(NoRuleError, match="sparse"):
        gradient(lambda x: jacobian(sliced, x, argnums=0, sparsity="auto").sum(), X)
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(ImportError, match=r"which is not installed[\s\S]*pip install .scipy>="):
        jacobian(sliced, X, sparsity="auto")
    assert find_sparsity(sliced, X).groups == (3, 3)
