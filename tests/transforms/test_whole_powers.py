"""Powers with whole numbers above zero, of arrays and of numbers of NumPy, whose partials are written out."""

from __future__ import annotations

import numpy as np
import pytest

from adjoint import grad, gradient
from adjoint.calculus import pushforward
from adjoint.inspect import code_adjoint
from adjoint.testing import check_gradient


def cube(x):
    return np.sum(x**3)


def first_power(x):
    return np.sum(x**1 * x)


def square_of_norm(x):
    return np.linalg.norm(x) ** 4


def by_function(x):
    return np.sum(np.power(x, 5))


FUNCTIONS = [cube, first_power, square_of_norm, by_function]
ARRAYS = [
    np.array([1.5, -0.5, 0.0]),
    np.array([[0.5], [-2.0]]),
    np.zeros((0, 2)),
    np.array(1.25),
    np.array([1.5, -2.0]).repeat(2)[::2],
]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", ARRAYS, ids=lambda x: str(x.shape))
def test_gradients(f, x) -> None:
    before = x.copy()
    for _ in range(3):
        slope = grad(f)(x)
        assert slope.dtype == x.dtype and slope.shape == x.shape
    np.testing.assert_array_equal(x, before)
    if x.size and not (f is square_of_norm and x.ndim == 0):
        check_gradient(f, x)
        x_dot = np.cos(np.arange(x.size)).reshape(x.shape)
        assert np.sum(slope * x_dot) == pytest.approx(float(pushforward(f, (x,), (x_dot,))[1]))


def test_no_rule_is_called() -> None:
    assert "pow_rule" not in str(code_adjoint(square_of_norm, ARRAYS[0]))


def test_what_is_infinite_where_nothing_flows() -> None:
    def f(x):
        return np.sum(np.where(np.isfinite(x), x**2, 0.0)) + np.sum(np.where(x < 2.0, x, 0.0) ** 3)

    for _ in range(3):
        np.testing.assert_array_equal(grad(f)(np.array([1.0, np.inf, -2.0])), [5.0, 0.0, 8.0])


def test_narrow_and_complex_arrays() -> None:
    x = np.array([1.5, -0.5, 0.0], np.float32)
    for _ in range(3):
        slope = grad(cube)(x)
        assert slope.dtype == np.float32
        np.testing.assert_array_equal(slope, 3 * x**2)
    z = np.array([1.0 + 2.0j, 0.0j, -1.0 + 0.5j])

    def length(z):
        return np.sum(np.abs(z**3) ** 2)

    for _ in range(3):
        np.testing.assert_allclose(grad(length)(z), 2 * z**3 * np.conj(3 * z**2))


def test_broadcast_and_numbers_of_numpy() -> None:
    def f(x, y):
        return np.sum((x - y) ** 2 * x) + np.float64(y) ** 3

    x, y = np.array([[1.0, 2.0], [3.0, 4.0]]), 0.5
    for _ in range(3):
        x_bar, y_bar = gradient(f, x, y)
        np.testing.assert_allclose(x_bar, 2 * (x - y) * x + (x - y) ** 2)
        assert y_bar == pytest.approx(np.sum(-2 * (x - y) * x) + 3 * y * y)


def test_second_derivatives() -> None:
    def slope(x):
        return np.sum(grad(cube)(x) ** 2) + np.sum(grad(square_of_norm)(x) * x)

    check_gradient(slope, np.array([1.5, -0.5, 0.25]))


def test_other_exponents_keep_their_care() -> None:
    def root(x):
        return np.sum(x**0.5 * np.array([0.0, 1.0]))

    def reciprocal(x):
        return np.sum(x**-1 * np.array([0.0, 1.0]))

    def none(x):
        return np.sum(x**0)

    x = np.array([0.0, 4.0])
    for _ in range(3):
        np.testing.assert_array_equal(grad(root)(x), [0.0, 0.25])
        with np.errstate(divide="ignore", invalid="ignore"):
            assert grad(reciprocal)(x)[1] == -0.0625
        np.testing.assert_array_equal(grad(none)(x), [0.0, 0.0])
