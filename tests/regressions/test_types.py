"""Types: integers, NumPy's and Python's numbers, `isinstance`, `float()`, complex numbers, single precision."""

import math
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import grad, gradient, jacobian

from .differences import check


@pytest.mark.parametrize("x", [3, np.int64(3), np.array(3)])
def test_autograd_370_an_integer_is_a_number(x: Any) -> None:
    """The gradient at an integer was -9223372036854775808, or a TypeError."""
    assert gradient(lambda x: np.sqrt(x * x) * x, x)[0] == 6.0


def test_autograd_370_an_array_of_integers() -> None:
    """The same for arrays: their gradient is of floats."""
    g = gradient(lambda x: (x * x / 2).sum(), np.array([1, 2, 3]))[0]
    assert g.dtype == np.float64 and g.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("a", [np.array([1, 2, 3, 4]), np.array([1.0, 2.0, 3.0, 4.0])])
def test_tangent_66_a_logsumexp_written_as_loops(a: Any) -> None:
    """On an array of integers its gradient was [0, 0, 0, 0], without a word."""

    def logsumexp(a: Any) -> Any:
        result = 0.0
        largest = a[0]
        for i in range(1, len(a)):
            if a[i] > largest:
                largest = a[i]
        for i in range(len(a)):
            result += np.exp(a[i] - largest)
        return np.log(result) + largest

    softmax = np.exp(a) / np.exp(a).sum()
    np.testing.assert_allclose(gradient(logsumexp, a)[0], softmax)


def test_jax_2663_an_integer_that_counts_or_indexes() -> None:
    """Integers as arguments beside the differentiated ones were refused."""

    def f(x: Any, n: int, i: int) -> Any:
        return sum([x[i] ** k for k in range(n)])

    assert gradient(f, np.array([2.0, 3.0]), 3, 1)[0].tolist() == [0.0, 7.0]  # 1 + 2x


def test_autograd_246_functions_of_math() -> None:
    """`exp` of the module `math` was a TypeError: a float is required."""
    x = np.array([0.5, 1.0])
    np.testing.assert_allclose(gradient(lambda x: math.exp(np.dot(x, x)), x)[0], 2 * x * math.exp(x @ x))
    assert gradient(lambda x: math.sin(float(x[0])) + math.pow(x[1], 2), np.array([0.0, 3.0]))[0].tolist() == [1.0, 6.0]


def test_autograd_190_powers_by_the_builtin() -> None:
    """`pow` was not known."""
    assert gradient(lambda x, y: pow(x, y), 2.0, 3.0) == (12.0, 8.0 * math.log(2.0))


def test_autograd_571_asarray() -> None:
    """`np.asarray` had no derivative."""

    def f(x: Any) -> Any:
        y = np.asarray(x)
        z = np.asarray([x[0], x[1] * 2.0], dtype=np.float64)
        return (y * z).sum()

    assert gradient(f, np.array([3.0, 5.0]))[0].tolist() == [6.0, 20.0]


def test_autograd_436_a_network_whose_input_is_an_ordinary_array() -> None:
    """`observation.dot(w)` gave an array of objects, of which `exp` is not known."""

    def policy(w1: Any, b1: Any, w2: Any, b2: Any, observation: Any) -> Any:
        x = observation.dot(w1) + b1
        x = 1.0 / (1.0 + np.exp(-x))
        return x.dot(w2) + b2

    rng = np.random.default_rng(0)
    shapes = [(6, 4), (4,), (4, 2), (2,), (6,)]
    check(policy, *[rng.normal(size=shape) for shape in shapes])


def test_autograd_436_an_array_of_objects_is_refused() -> None:
    """Numbers in an array of objects are not followed in silence."""
    with pytest.raises(adjoint.errors.NotDifferentiableError):
        gradient(lambda x: np.array([x, 2 * x], dtype=object).sum(), 1.0)


def test_autograd_515_matrices_written_as_nested_lists() -> None:
    """A calibration whose matrices are displays of parameters was a ValueError."""

    def projected(params: Any, alpha: Any) -> Any:
        ku, kv, skew, u, v, theta = params
        k = np.array([[ku, skew, u], [0.0, kv, v], [0.0, 0.0, 1.0]])
        c, s = np.cos(theta), np.sin(theta)
        rotation = np.array([[c, -s], [s, c]])
        ray = np.dot(np.linalg.inv(k), np.append(alpha, 1.0))
        a = 1.0 / ray[0] ** 2 - (1.0 + ray[1] ** 2 / ray[0] ** 2) * 0.1
        if a < 0:
            print("complex")
        point = rotation @ np.array([ray[0] * np.sqrt(a), ray[1]])
        return point[0] - point[1] ** 2

    check(projected, np.array([1.2, 0.9, 0.05, 0.1, -0.2, 0.4]), np.array([0.6, 0.3]), order=2)


def test_autograd_v1_9_1_isinstance_of_an_array() -> None:
    """`isinstance(x, np.ndarray)` was false while differentiating, and the other branch ran: zeros for ones."""

    def f(x: Any) -> Any:
        if isinstance(x, np.ndarray):
            return x.sum()
        return 0.0 * np.sum(x)

    assert gradient(f, np.ones(3))[0].tolist() == [1.0, 1.0, 1.0]


def test_autograd_v1_9_1_types_are_what_they_are() -> None:
    """There is no other type while a derivative is taken: nothing to unwrap, nothing to test for."""
    seen: list[Any] = []

    def note(x: Any) -> None:
        seen.append(type(x))

    def f(x: float, a: Any) -> Any:
        assert type(x) is float and isinstance(a, np.ndarray) and type(a[0]) is np.float64
        assert type(float(a[0])) is float and isinstance(a.sum(), float)
        return float(a[0]) * x + a.item(1) + int(x)

    note(1.0)
    assert gradient(f, 2.0, np.array([3.0, 4.0]))[0] == 3.0 and seen == [float]


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x: x.dot(x), [2.0, 4.0, 6.0]),
        (lambda x: x.copy().sum(), [1.0, 1.0, 1.0]),
        (lambda x: x.cumprod()[1], [2.0, 1.0, 0.0]),
        (lambda x: x.item(2), [0.0, 0.0, 1.0]),
        (lambda x: np.interp(1.5, [0.0, 1.0, 2.0], x), [0.0, 0.5, 0.5]),
        (lambda x: np.vdot(x, np.ones(3)), [1.0, 1.0, 1.0]),
        (lambda x: np.median(x), [0.0, 1.0, 0.0]),
        (lambda x: np.ptp(x), [-1.0, 0.0, 1.0]),
        (lambda x: np.flip(x)[0], [0.0, 0.0, 1.0]),
        (lambda x: np.trapezoid(x), [0.5, 1.0, 0.5]),
        (lambda x: np.add.reduce(x), [1.0, 1.0, 1.0]),
        (lambda x: np.multiply.outer(x, [1.0, 2.0]).sum(), [3.0, 3.0, 3.0]),
    ],
)
def test_autograd_v1_9_1_functions_and_methods_that_were_missing(f: Any, expected: list[float]) -> None:
    """Each of these raised: no attribute, or no derivative defined."""
    np.testing.assert_allclose(gradient(f, np.array([1.0, 2.0, 3.0]))[0], expected)


def test_jax_1333_double_precision_stays_double() -> None:
    """Without a flag of the whole process, everything became single precision."""
    x = np.array([1.0 + 1e-12])
    g = gradient(lambda x: (x * x).sum(), x)[0]
    assert g.dtype == np.float64 and g[0] == 2.0 * x[0]


def test_jax_652_single_precision_stays_single() -> None:
    """And single stays single, also through Python's numbers."""
    g = gradient(lambda x: (2.0 * x * x + 1).sum(), np.ones(3, np.float32))[0]
    assert g.dtype == np.float32


@pytest.mark.parametrize("z", [1 + 2j, np.complex128(1 + 2j), np.array([1 + 2j, 3.0])])
def test_jax_4891_complex_gradients_point_uphill(z: Any) -> None:
    """The gradient of |z|² was conj(2z): a step against it does not go down."""

    def loss(z: Any) -> Any:
        return np.sum(np.abs(z) ** 2)

    g = grad(loss)(z)
    np.testing.assert_allclose(g, 2 * z)
    assert loss(z - 0.1 * g) < loss(z)
    check(loss, z)


def test_jax_9110_real_parameters_of_complex_results() -> None:
    """A real parameter has a real gradient, though all in between is complex."""

    def f(x: float, z: Any) -> Any:
        w = np.exp(1j * x * z) * (2.0 - 1j)
        return np.real(w.sum()) + np.abs(w[0])

    assert isinstance(gradient(f, 0.5, np.array([1 + 1j, 2.0]))[0], float)
    check(f, 0.5, np.array([1 + 1j, 2.0]))


def test_autograd_423_a_jacobian_by_a_number() -> None:
    """Of a vector by one number."""
    j = jacobian(lambda t: np.array([t, t * t, math.sin(t)]), 0.0)[0]
    assert np.ravel(j).tolist() == [1.0, 0.0, 1.0]
