"""Arrays that are changed while others hold them: views, second names, work arrays, solvers that fill columns."""

from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback
from adjoint.errors import AdjointError

from .differences import check, right_or_refused

NOT_FOLLOWED = pytest.mark.xfail(
    strict=True, reason="documented: between `pullback` and `back` arguments must not be changed by the caller"
)


def solved(a: Any, b: Any, x: Any, rounds: int) -> Any:
    r = b - a @ x
    p = r.copy()
    for _ in range(rounds):
        ap = a @ p
        step = (p @ r) / (p @ ap)
        x = x + step * p
        r = b - a @ x
        if np.linalg.norm(r) < 1e-12:
            return x
        p = r - (ap @ r) / (p @ ap) * p
    return x


def test_autograd_556_conjugate_gradients_that_fill_the_columns_of_a_matrix() -> None:
    """A hand-written solver whose results go into the columns of a matrix was a ValueError."""

    def f(weights: Any, a: Any, rhs: Any) -> Any:
        x = np.zeros(rhs.shape)
        m = a.T @ np.diag(weights) @ a
        for z in range(rhs.shape[1]):
            x[:, z] = solved(m, rhs[:, z], np.zeros(2), 2)
        return (x * x).sum()

    a = np.array([[2.0, 0.5], [0.1, 1.5], [1.0, 1.0]])
    weights, rhs = np.array([1.0, 2.0, 0.5]), np.array([[1.0, 0.3], [0.2, -1.0]])
    # X = M⁻¹ R and f = ΣX², so M̄ = -M⁻ᵀ (2X) Xᵀ and w̄ₖ = aₖᵀ M̄ aₖ
    m = a.T @ np.diag(weights) @ a
    x = np.linalg.solve(m, rhs)
    m_bar = -np.linalg.solve(m.T, 2 * x) @ x.T
    expected = np.einsum("ki,ij,kj->k", a, m_bar, a)
    np.testing.assert_allclose(gradient(f, weights, a, rhs)[0], expected, rtol=1e-6)


WORK = np.ones((4, 4))


def test_autograd_559_an_array_of_the_module_that_is_filled_at_each_call() -> None:
    """A block of an array from outside, filled by the function, was a TypeError."""

    def f(b: Any) -> Any:
        WORK[1:3, 1:3] = b.flatten().reshape((2, 2))
        return (WORK * WORK).sum()

    kept = WORK.copy()
    try:
        right_or_refused(f, np.array([[1.0, 2.0], [3.0, 4.0]]))
    finally:
        WORK[:] = kept


def test_autograd_77_division_in_place() -> None:
    """`h /= ...` with complex numbers crashed."""

    def f(x: float) -> Any:
        z = np.exp(1j * np.linspace(0, 3, 5))
        p = np.exp(1j * x - 0.1)
        h = z + 1.0
        h /= (z - p) * (z - np.conj(p))
        return np.mean(np.abs(h))

    check(f, 0.5)


def test_autograd_v1_9_1_an_element_replaced_by_a_number() -> None:
    """`y[0] = 3` was a TypeError: no item assignment."""

    def f(x: Any) -> Any:
        y = x * x
        y[0] = 3.0
        return y.sum() * y[0]

    assert gradient(f, np.array([5.0, 2.0, 1.0]))[0].tolist() == [0.0, 12.0, 6.0]


def test_autograd_v1_9_1_a_work_array_changed_between_its_uses() -> None:
    """A constant array that is doubled after each use gave [24, 24], its last value for all rounds."""

    def f(x: Any) -> Any:
        w = np.ones(2)
        s = 0.0
        for _ in range(3):
            s += np.sum(w * x)
            w *= 2
        return s

    assert gradient(f, np.array([5.0, 3.0]))[0].tolist() == [7.0, 7.0]  # 1 + 2 + 4


def test_autograd_v1_9_1_a_second_name_for_an_array_that_is_changed() -> None:
    """After `y = x; y *= 2` the sum of x was as before: 3, not 6."""

    def f(x: Any) -> Any:
        y = x
        y *= 2
        return np.sum(x)

    x = np.ones(3)
    y, back = pullback(f, x.copy())
    assert y == 6.0 and back(1.0)[1].tolist() == [2.0] * 3
    check(f, x)


def test_autograd_v1_9_1_a_residual_that_is_overwritten() -> None:
    """What a rule keeps of its result is not what the result becomes."""

    def f(x: Any) -> Any:
        y = np.exp(x)
        z = y * y
        y[0] = 0.0
        y *= 3.0
        return z.sum() + y.sum()

    x = np.array([0.5, -1.0, 2.0])
    # f = Σ e²ˣ + 3 Σ' eˣ, where Σ' leaves the first out
    expected = 2 * np.exp(2 * x) + 3 * np.exp(x) * [0.0, 1.0, 1.0]
    np.testing.assert_allclose(gradient(f, x)[0], expected)
    check(f, x, order=2)


def test_pytorch_9391_an_element_of_a_sigmoid_overwritten() -> None:
    """One spelling of the sigmoid refused a later `b[1] = 2`, the other did not; both have a gradient."""

    def f(a: Any) -> Any:
        b = 1 / (np.exp(-a) + 1)
        b[1] = 2.0
        return b.sum()

    a = np.array([1.0, 2.0, 3.0])
    s = 1 / (1 + np.exp(-a))
    np.testing.assert_allclose(gradient(f, a)[0], s * (1 - s) * [1.0, 0.0, 1.0])


def test_pytorch_36608_a_view_of_a_view_changed_in_place() -> None:
    """Rows taken apart, a slice of one of them doubled in place: the change was lost to the whole."""

    def f(root: Any) -> Any:
        x = root.copy()
        rows = list(x)
        part = rows[0][:2]
        part *= 2.0
        return (x * x).sum() + part.sum()

    root = np.arange(9.0).reshape(3, 3)
    expected = 2 * root
    expected[0, :2] = 8 * root[0, :2] + 2
    np.testing.assert_allclose(gradient(f, root)[0], expected)
    check(f, root)


def test_pytorch_96265_a_state_that_is_updated_in_place() -> None:
    """ "One of the variables needed for gradient computation has been modified by an inplace operation"."""

    def f(w: Any, x: Any) -> Any:
        h = np.zeros(2)
        for t in range(len(x)):
            h += np.tanh(w @ h + x[t])
            h *= 0.5
        return (h * h).sum()

    check(f, np.array([[0.5, -0.3], [0.2, 0.8]]), np.array([[1.0, 0.5], [-0.4, 0.3], [0.2, 0.2]]), order=2)


def test_pytorch_xla_1718_a_slice_set_to_zero() -> None:
    """`x[:, :k] = 0` after a linear layer let half of the gradient through that it should stop."""

    def f(w: Any, batch: Any) -> Any:
        x = batch @ w
        x[:, :3] = 0.0
        return x.sum()

    w, batch = np.arange(8.0).reshape(2, 4), np.array([[1.0, 2.0], [3.0, 5.0]])
    np.testing.assert_array_equal(gradient(f, w, batch)[0], [[0, 0, 0, 4.0], [0, 0, 0, 7.0]])


@pytest.mark.parametrize("n", [1, 3])
def test_warp_717_several_copies_of_one_array(n: int) -> None:
    """Each copy, doubled and then quadrupled, should give 8/n; only one copy's share arrived."""

    def f(base: Any, n: int) -> Any:
        total = np.zeros(3)
        for _ in range(n):
            state = base.copy()
            state *= 2.0
            state *= 4.0
            total += state
        return (total / n).sum()

    np.testing.assert_allclose(gradient(f, np.array([0.0, 0.5, 1.0]), n)[0], [8.0] * 3)


@pytest.mark.parametrize(
    ("f", "x"),
    [
        pytest.param(lambda x: (x * x).sum(), np.array([3.0, 1.0]), id="array", marks=NOT_FOLLOWED),
        pytest.param(lambda x: x[0] * x[0] + x[1] * x[1], [3.0, 1.0], id="list"),
    ],
)
def test_warp_1350_what_the_caller_changes_before_going_back(f: Any, x: Any) -> None:
    """Overwritten between the forward and the reverse pass, arrays made gradients wrong without a word."""
    _, back = pullback(f, x)
    x[0] = 7.0
    try:
        x_bar = back(1.0)[1]
    except AdjointError:
        return
    assert list(x_bar) == [6.0, 2.0]


@NOT_FOLLOWED
def test_pytorch_197887_a_matrix_changed_before_going_back() -> None:
    """A compiled product kept a view of its input without the mark that tells of changes."""
    x, w = np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]])
    _, back = pullback(lambda x, w: (x @ w).sum(), x, w)
    x += 1.0
    try:
        w_bar = back(1.0)[2]
    except AdjointError:
        return
    assert w_bar.tolist() == [[1.0], [2.0]]


def test_tangent_69_the_diagonal_of_a_matrix_added_to() -> None:
    """`S[i, i] += d[i]` generated code with an undefined name."""

    def f(s: Any, d: Any) -> Any:
        s = s.copy()
        for i in range(len(d)):
            s[i, i] += d[i]
        return (s @ s).sum()

    check(f, np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([0.5, -1.0]), order=2)


def test_enzyme_885_chunks_summed_into_an_argument() -> None:
    """A result written into an argument, by way of a list of constants, was a mismatch of activities."""

    def g(out: Any, n: int) -> None:
        total = 0.0
        chunks = [0.0 for _ in range(n)]
        total += sum(chunks)
        out[0] = total

    def f(out: Any, x: float) -> Any:
        g(out, 2)
        out[0] += x * x
        return out[0]

    out_bar, x_bar = gradient(f, np.array([5.0]), 3.0)
    assert out_bar.tolist() == [0.0] and x_bar == 6.0


def test_enzyme_460_an_argument_added_to_in_place() -> None:
    """`a .+= sum(as)`, with arrays of zeros made in a comprehension, broke the compiler."""

    def f(a: Any) -> Any:
        zeros = [np.zeros_like(a) for _ in range(2)]
        a += sum(zeros) + a
        return (a * a).sum()

    a = np.array([1.0, -2.0, 0.5])
    np.testing.assert_allclose(gradient(f, a.copy())[0], 8 * a)  # (2a)²
    check(f, np.array([1.0, -2.0, 0.5]))


def test_zygote_75_the_operations_that_write_into_their_argument() -> None:
    """Each of these is a mutation, and none could be differentiated."""

    def f(x: Any) -> Any:
        out = np.empty(4)
        np.multiply(x, 2.0, out=out)
        np.add.at(out, [0, 0, 3], x[:3])
        out[x > 2.5] *= x[x > 2.5]
        np.copyto(out[1:2], x[2:3])
        return (out * out).sum()

    check(f, np.array([1.0, 2.0, 3.0, 4.0]))


def test_pyautoarray_127_a_loop_that_was_rewritten_for_a_tool() -> None:
    """Loop bodies were kept twice, `a[i] = ...` for NumPy and `.at[i].set(...)` for the tool."""

    def f(x: Any) -> Any:
        matrix = np.zeros((3, 3))
        for i in range(3):
            for j in range(3):
                matrix[i, j] += (x[i] - x[j]) ** 2
                if i == j:
                    matrix[i, j] = 1.0 + x[i]
        return np.linalg.slogdet(matrix)[1]

    check(f, np.array([0.5, 1.5, 3.0]))
