"""NumPy at its corners: zero times infinity, ties, repeated indices, reductions with a mask, broadcasting back."""

import warnings
from typing import Any

import numpy as np
import pytest

from adjoint import gradient

from .differences import check, right_or_refused


def test_autograd_268_the_norm_at_zero() -> None:
    """The gradient of a norm at zero was nan, with a warning; zero is one of its subgradients."""
    assert gradient(np.linalg.norm, np.zeros(1))[0].tolist() == [0.0]
    assert gradient(lambda x: np.linalg.norm(x), np.zeros((2, 3)))[0].tolist() == [[0.0] * 3] * 2


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.linalg.norm(x) ** 2,
        lambda x: np.sum(np.linalg.norm(x, axis=-1) ** 2),
        lambda x: np.exp(-1.0 * np.linalg.norm(x) ** 2),
        lambda x: np.sqrt(np.sum(x * x)) ** 2,
    ],
    ids=["586", "617", "183", "jax_4177"],
)
def test_autograd_586_a_squared_norm_at_zero(f: Any) -> None:
    """The square of a norm is smooth at zero, its gradient zero; nan is what came."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gradient(f, np.zeros((1, 2)))[0].tolist() == [[0.0, 0.0]]


def chosen(x: Any) -> Any:
    return np.where(x < 1.0, x, np.sqrt(x))


def test_jax_5798_where_with_a_root_on_the_side_not_chosen() -> None:
    """`where(x < 1, x, sqrt(x))` had the gradient nan at 0, where x is chosen."""
    x = np.array([0.0, 1e-9, 4.0])
    np.testing.assert_allclose(gradient(lambda x: chosen(x).sum(), x)[0], [1.0, 1.0, 0.25])


@pytest.mark.parametrize("x", [0.0, np.float64(0.0), np.array(0.0)], ids=lambda x: type(x).__name__)
def test_jax_5798_the_same_of_a_number(x: Any) -> None:
    """Nor is there a warning from going back, where the plain program gives none."""
    assert gradient(chosen, x) == (1.0,)


def test_jax_347_norms_of_rows_of_which_one_is_zero() -> None:
    """A row of zeros whose norm is not chosen made the whole row's gradient nan."""

    def f(x: Any) -> Any:
        r = np.sqrt(np.sum(x**2, axis=1))
        return np.sum(np.where(r > 0.5, r, np.ones_like(r)))

    x = np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 0.0]])
    expected = x / np.array([[np.sqrt(5.0)], [5.0], [1.0]])
    np.testing.assert_allclose(gradient(f, x)[0], expected)


def test_jax_654_distances_between_all_pairs_with_the_diagonal_left_out() -> None:
    """Coulomb's energy with the diagonal masked out by `where` had nan for its reverse derivative."""

    def energy(x: Any, q: Any) -> Any:
        r = np.linalg.norm(x[None] - x[:, None], axis=-1)
        qq = q[None] * q[:, None]
        keep = 1 - np.eye(len(x))
        return np.sum(np.where(keep, qq / np.where(keep, r, 0.0), 0.0))

    x = np.array([[0.06, 0.01, 0.22], [1.06, -0.2, 1.29], [2.39, 1.22, -0.22], [-0.69, 1.7, 0.08]])
    q = np.array([1.3, 0.3, -0.3, 0.4])
    apart = x[:, None] - x[None]
    r = np.linalg.norm(apart, axis=-1) + np.eye(4)
    with np.errstate(all="ignore"):
        x_bar, q_bar = gradient(energy, x, q)
    # E = Σ qᵢqⱼ/rᵢⱼ over i ≠ j: ∂E/∂xᵢ = -2 Σⱼ qᵢqⱼ (xᵢ - xⱼ)/r³ and ∂E/∂qᵢ = 2 Σⱼ qⱼ/r
    np.testing.assert_allclose(x_bar, -2 * np.einsum("ij,ijk->ik", q[:, None] * q / r**3, apart))
    np.testing.assert_allclose(q_bar, 2 * ((1 - np.eye(4)) / r) @ q)


def test_jax_8128_a_deviation_that_leaves_nan_out() -> None:
    """Of `nanstd` the gradient was nan in every entry."""
    x = np.array([np.nan, 1.0, 2.0, 4.0])
    right = gradient(np.std, x[1:])[0]
    np.testing.assert_allclose(gradient(lambda x: np.std(x[~np.isnan(x)]), x)[0], [0.0, *right])


@pytest.mark.parametrize("reduce", [np.nansum, np.nanmean, np.nanstd, np.nanvar, np.nanmax])
def test_jax_8128_reductions_that_leave_nan_out(reduce: Any) -> None:
    """Entries that are left out get zero, the others what they get without them."""
    x = np.array([np.nan, 1.0, 2.0, 4.0])
    actual = gradient(lambda x: reduce(x) * 2.0, x)[0]
    np.testing.assert_allclose(actual, [0.0, *gradient(lambda x: reduce(x) * 2.0, x[1:])[0]])


def test_jax_2140_the_log_of_a_sigmoid_at_zero() -> None:
    """Written with `minimum` and `abs`, whose kinks meet at zero, its derivative came out as 0, not 1/2."""
    f = lambda x: np.minimum(x, 0.0) - np.log1p(np.exp(-np.abs(x)))  # noqa: E731
    g = lambda x: -np.log(1.0 + np.exp(-x))  # noqa: E731
    assert gradient(f, 0.0) == gradient(g, 0.0) == (0.5,)


def test_jax_37820_the_absolute_value_at_zero() -> None:
    """It was 1, though sign(0) is 0."""
    assert gradient(lambda x: np.abs(x).sum(), np.array([0.0, -0.0, 2.0]))[0].tolist() == [0.0, 0.0, 1.0]
    assert gradient(abs, 0.0) == (0.0,)


def test_autograd_396_where_gives_each_side_its_own() -> None:
    """The gradient of `where` was wrong where the sides are broadcast."""

    def f(x: Any, y: Any, z: Any) -> Any:
        return np.where(x > 0, x * y, z)

    check(f, np.array([1.0, -2.0, 3.0]), np.array([[2.0], [5.0]]), 7.0)


@pytest.mark.parametrize("zeros", [(), (1,), (0, 2)])
def test_autograd_v1_9_1_a_product_with_zeros_in_it(zeros: tuple[int, ...]) -> None:
    """The gradient of `prod` was nan where an entry is zero."""
    x = np.array([2.0, 3.0, 5.0])
    x[list(zeros)] = 0.0
    expected = [np.prod(np.delete(x, i)) for i in range(3)]
    np.testing.assert_allclose(gradient(np.prod, x)[0], expected)
    check(np.prod, x)


@pytest.mark.parametrize("reduce", [np.sum, np.mean, np.prod, np.var, np.max])
def test_autograd_v1_9_1_reductions_with_a_mask(reduce: Any) -> None:
    """`where=mask` was left out of account in the gradient."""
    mask = np.array([True, False, True])
    options = {"initial": -10.0} if reduce is np.max else {}
    right_or_refused(lambda x: reduce(x, where=mask, **options), np.array([1.0, 5.0, 3.0]))


@pytest.mark.parametrize("initial", [0.0, 5.0])
def test_autograd_v1_9_1_a_maximum_with_a_floor(initial: float) -> None:
    """`np.max(x, initial=5.0)` had the gradient nan where the floor is the maximum."""
    right_or_refused(lambda x: np.max(x, initial=initial), np.array([1.0, 3.0, 2.0]))


def test_nabla_139_an_index_that_is_repeated() -> None:
    """`x[[0, 1, 2, 2]]` gave the last entry one share, not two."""
    x = np.array([1.0, 2.0, 3.0])
    assert gradient(lambda x: x[[0, 1, 2, 2]].sum(), x)[0].tolist() == [1.0, 1.0, 2.0]
    assert gradient(lambda x: np.take(x, [2, -1, 2]).sum(), x)[0].tolist() == [0.0, 0.0, 3.0]


@pytest.mark.parametrize(
    "index",
    [
        (slice(None), [0, 0, 2]),
        ([0, 1, 1], [2, -1, 2]),
        (np.array([[0, 1], [1, 1]]), None),
        (Ellipsis, -1),
        (np.array([True, False]),),
        (slice(None, None, -1), slice(1, None)),
        ([], slice(None)),
    ],
    ids=str,
)
def test_zygote_821_indices_of_every_kind(index: Any) -> None:
    """Entries that an index names twice must get both shares, whatever the kind of index."""
    check(lambda x: x[index] * 2.0 + x.sum(), np.arange(6.0).reshape(2, 3))


def test_zygote_256_an_index_that_is_a_matrix() -> None:
    """An embedding table read by a matrix of labels failed."""
    labels = np.array([[3, 1], [3, 3]])
    g = gradient(lambda table: table[labels].sum(), np.zeros((4, 2)))[0]
    np.testing.assert_array_equal(g, np.bincount(labels.ravel(), minlength=4)[:, None] * np.ones(2))


def test_zygote_1369_eigenvalues_of_a_symmetric_matrix() -> None:
    """The eigenvalues of a matrix that happens to be symmetric lost a column of their derivative."""
    a = np.array([[2.0, 0.5], [0.5, -1.0]])
    values, vectors = np.linalg.eigh(a)
    # ∂λₖ/∂A = vₖ vₖᵀ
    for k in range(2):
        g = gradient(lambda a, k=k: np.linalg.eigvalsh(a)[k], a)[0]
        v = vectors[:, k]
        np.testing.assert_allclose((g + g.T) / 2, np.outer(v, v))
    assert values[0] < values[1]
    right_or_refused(lambda a: np.linalg.eigvals(a), np.array([[2.0, 0.5], [0.5, -1.0]]))


@pytest.mark.parametrize("shape", [(3,), (2, 3)])
def test_warp_831_a_number_divided_by_an_array(shape: tuple[int, ...]) -> None:
    """In `s / v` the share of v had the formula of another operation."""
    v = np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape)
    s_bar, v_bar = gradient(lambda s, v: (s / v).sum(), 2.0, v)
    np.testing.assert_allclose(s_bar, (1 / v).sum())
    np.testing.assert_allclose(v_bar, -2.0 / v**2)


def test_warp_1466_the_sign_has_the_derivative_zero() -> None:
    """The reverse of `sign` was that of `abs`."""
    assert gradient(lambda x: (np.sign(x) * x).sum(), np.array([2.0, -3.0]))[0].tolist() == [1.0, -1.0]
    assert gradient(lambda x: np.sign(x).sum(), np.array([2.0, -3.0]))[0].tolist() == [0.0, 0.0]


def test_tfjs_4135_a_maximum_along_an_axis_of_length_one() -> None:
    """The gradient of a maximum along an axis came in another shape than the argument."""
    x = np.arange(6.0).reshape(2, 1, 3)
    g = gradient(lambda x: np.max(x, axis=1).sum(), x)[0]
    assert g.shape == (2, 1, 3) and g.tolist() == np.ones((2, 1, 3)).tolist()


def test_pytorch_2421_the_length_of_a_step_of_zero() -> None:
    """Where two points coincide, the distance's nan went into every parameter."""

    def f(w: Any, points: Any) -> Any:
        return np.sum(np.linalg.norm(np.diff(points @ w, axis=0), axis=1))

    points = np.array([[0.0, 1.0], [0.0, 1.0], [2.0, 0.0]])
    w = np.array([[1.0, 0.5], [0.3, 2.0]])
    assert np.isfinite(gradient(f, w, points)[0]).all()
    np.testing.assert_allclose(gradient(f, w, points)[0], gradient(f, w, points[1:])[0])
