"""Derivatives of derivatives: through globals, components, loops, branches, stores, and of what mixes variables."""

import functools
import math
import statistics
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hvp, jacobian, pullback
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_to_be_recorded

from .differences import check

SLOPE = 5


def quadratic(x: float) -> float:
    return 4 * x**2 + SLOPE * x + 10


def test_zygote_1177_a_second_derivative_with_a_global_in_it() -> None:
    """A function that reads a global could be differentiated once, not twice."""
    first = grad(quadratic)
    assert first(25.0) == 205.0 and grad(first)(25.0) == 8.0


def test_zygote_1013_a_gradient_within_a_gradient_that_captures() -> None:
    """The same for a captured variable of the function that takes the inner gradient."""
    h = 3.0

    def g(x: float) -> Any:
        return gradient(lambda x: x * x * h, x)[0]

    assert g(1.0) == 6.0 and gradient(g, 1.0) == (6.0,)


def test_zygote_33_a_nested_derivative() -> None:
    """f'' of a polynomial did not work for years."""
    f = lambda x: 3 * x**2 + 2 * x + 1  # noqa: E731
    assert grad(f)(2.0) == 14.0 and grad(grad(f))(2.0) == 6.0 and grad(grad(grad(f)))(2.0) == 0.0


def sinc3(x: Any) -> Any:
    return np.prod(np.sin(x) / x)


def test_zygote_255_the_derivative_of_one_component_of_a_gradient() -> None:
    """Take a gradient, select a component, differentiate again: nothing."""
    x = np.array([0.1, 0.2, 0.3])
    row = gradient(lambda x: gradient(sinc3, x)[0][0], x)[0]
    # f = Π s(xᵢ), s = sin x / x: ∂²f/∂x₀² = s''(x₀) Π' s and ∂²f/∂x₀∂xᵢ = s'(x₀) s'(xᵢ) s(xⱼ)
    s = np.sin(x) / x
    ds = np.cos(x) / x - np.sin(x) / x**2
    dds = -np.sin(x) / x - 2 * np.cos(x) / x**2 + 2 * np.sin(x) / x**3
    expected = [dds[0] * s[1] * s[2], ds[0] * ds[1] * s[2], ds[0] * ds[2] * s[1]]
    np.testing.assert_allclose(row, expected, rtol=1e-9)


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x, y: (x + y)[0], 0.0),
        (lambda x, y: x @ y, 1.0),
        (lambda x, y: (x * y).sum(), 1.0),
        (lambda x, y: x[0] * y[0] + x[1] * y[1], 1.0),
    ],
)
def test_zygote_1327_mixed_second_derivatives(f: Any, expected: float) -> None:
    """∂²/∂x₀∂y₀, spelled in four ways of which two failed."""

    def by_x(x: Any, y: Any) -> Any:
        return gradient(lambda x: f(x, y), x)[0][0]

    ones = np.ones(2)
    assert gradient(lambda y: by_x(ones, y), ones)[0].tolist() == [expected, 0.0]


def lower(x: Any) -> Any:
    m = np.zeros((3, 3))
    k = 0
    for i in range(3):
        for j in range(i + 1):
            m[i, j] = x[k]
            k += 1
    return m


def test_zygote_1497_a_matrix_that_is_filled_second_order() -> None:
    """A gradient of a gradient through an array that is filled: mutation is not supported."""

    def norm_of_gradient(x: Any) -> Any:
        return gradient(lambda x: (lower(x) ** 3).sum(), x)[0].sum()

    x = np.arange(1.0, 7.0)
    np.testing.assert_allclose(gradient(norm_of_gradient, x)[0], 6 * x)  # Σ 3x²
    check(lambda x: (lower(x) @ lower(x).T).sum(), x, order=2)


def test_zygote_1271_a_sum_over_rows_second_order() -> None:
    """A function defined outside, mapped over rows with a captured matrix, failed at second order."""
    beta = np.array([[1.0, 2.0], [3.0, -1.0]])

    def g(v: Any) -> Any:
        return sum(map(lambda x, y: np.sum(x * x * y), v, beta))

    np.testing.assert_allclose(gradient(lambda k: gradient(g, k)[0].sum(), np.ones((2, 2)))[0], 2 * beta)


def test_zygote_937_the_value_within_a_pullback() -> None:
    """A gradient that is itself run under a pullback gave another value than alone."""

    def loss(data: Any) -> Any:
        def inner(x: Any) -> Any:
            first = np.sum((x - 0.0) ** 2)
            second = np.sum((x - 0.5) ** 2)
            return 1.0 - first - second

        return gradient(inner, data)[0].sum()

    data = np.ones(1)
    value, back = pullback(loss, data)
    assert value == loss(data) == -3.0  # -2x - 2 (x - 1/2)
    assert back(1.0)[1].tolist() == [-4.0]


def test_tensorflow_5876_hessians_through_gathers_and_loops() -> None:
    """Second derivatives through gathering and `while` were wrong; better to raise, said its maintainer."""

    def f(x: Any, index: Any) -> Any:
        y = x[index]
        i = 0
        while i < 3:
            y = y * y[::-1] + x[i]
            i += 1
        return (y * y).sum()

    index = np.array([0, 2, 2])
    x = np.array([0.5, -0.3, 0.8])
    check(f, x, index, order=2)
    hessian = jacobian(lambda x: gradient(f, x, index)[0], x)[0]
    np.testing.assert_allclose(hessian, hessian.T, atol=1e-12)


def test_jax_787_a_product_with_the_hessian() -> None:
    """The Hessian times a vector, without the Hessian; what it holds is measured elsewhere."""

    def product(x: Any, v: Any) -> Any:
        return gradient(lambda x: gradient(lambda x: (x**4).sum(), x)[0] @ v, x)[0]

    x, v = np.array([1.0, 2.0, -1.0]), np.array([1.0, 0.5, 3.0])
    np.testing.assert_allclose(product(x, v), 12 * x**2 * v)


def test_autograd_tests_confusion_of_perturbations() -> None:
    """An inner derivative by another variable is not one by the outer: d/dx (x d/dy (x + y)) is 1, not 2."""
    assert gradient(lambda x: x * gradient(lambda y: x + y, 1.0)[0], 3.0) == (1.0,)
    # d/dx (x d/dy (x y²) at y = x) = d/dx 2x³ = 6x²
    assert gradient(lambda x: x * gradient(lambda y: x * y * y, x)[0], 2.0) == (24.0,)


def test_zygote_822_second_derivatives_of_branches() -> None:
    """Conditional expressions in a chain, twice."""

    def f(a: float, b: float) -> float:
        return a * b if a > 2.0 else a * a * b if a > 1.0 else math.sin(a) * b

    for a in (0.5, 1.5, 2.5):
        check(f, a, 1.3, order=2)


def test_autograd_v1_9_1_second_derivatives_through_stores() -> None:
    """Standard errors need the Hessian of likelihoods, and those fill arrays."""

    def likelihood(p: Any, data: Any) -> Any:
        rate = np.zeros(len(data))
        rate[0] = np.exp(p[0])
        for i in range(1, len(data)):
            rate[i] = 0.5 * rate[i - 1] + np.exp(p[1]) * data[i - 1]
        return np.sum(data * np.log(rate) - rate)

    check(likelihood, np.array([0.3, -0.5]), np.array([1.0, 3.0, 2.0, 0.5]), order=2)


def test_defaults_in_recorded_programs() -> None:
    """What flows to a default was lost in the second derivative, where the program is recorded."""

    def f(x: float) -> float:
        class Kept:
            last = x

        xs = [x]
        ys = xs
        h = lambda m, c=x, *, d=x: m * x + c * d  # noqa: E731
        try:
            for _ in range(2):
                Kept.last = xs[0] = h(xs[0])
        except* ValueError:
            xs[0] = x
        return ys[0] * Kept.last

    step = 1e-5
    numeric = (grad(f)(0.4 + step) - grad(f)(0.4 - step)) / (2 * step)
    assert is_to_be_recorded(f, (0.4,))
    assert grad(grad(f))(0.4) == pytest.approx(numeric, rel=1e-6)


def test_cotangents_of_several_kinds_in_one_list() -> None:
    """Numbers and a record, in the list of an item's cotangents, were added up."""
    v, w = [1.0, 2.5, 3.0, 4.7, 5.2], [2.0, 1.5, 3.5, 4.0, 6.2]
    v_dot, w_dot = [1.0] * 5, [0.5] * 5

    def g(v: Any, w: Any) -> Any:
        first = (statistics.correlation(v, w), statistics.covariance(v, w))
        return (*first, *statistics.linear_regression(v, w), *statistics.quantiles(v, n=3))

    def g2(v: Any, w: Any) -> Any:
        line, parts = statistics.linear_regression(v, w), statistics.quantiles(v, n=3)
        return (statistics.correlation(v, w), statistics.covariance(v, w), *line, *parts)

    for f in (g, g2):

        def along(v: Any, f: Any = f) -> Any:
            return sum(pushforward(f, (v, w), (v_dot, w_dot))[1])

        step = 1e-6
        moved = [[x + s * step * (i == k) for i, x in enumerate(v)] for s in (1, -1) for k in range(5)]
        slopes = [(along(a) - along(b)) / (2 * step) for a, b in zip(moved[:5], moved[5:], strict=True)]
        assert gradient(along, v)[0] == pytest.approx(slopes, rel=1e-6, abs=1e-8)


def test_products_with_the_hessian_of_functions_that_shorten_a_list() -> None:
    """The tangent is one of the argument as it was given."""

    def popped(xs: Any) -> Any:
        y = xs.pop()
        return y * xs[0] * xs[0]

    def deleted(xs: Any) -> Any:
        del xs[0]
        return xs[0] * xs[1] ** 2

    v = [1.0, 0.5, -1.0]
    assert hvp(popped, ([1.0, 2.0, 3.0],), (v,)) == ([4.0, 0.0, 2.0],)
    assert hvp(deleted, ([1.0, 2.0, 3.0],), (v,)) == ([0.0, -6.0, -1.0],)


def test_partial_functions_with_attributes_of_their_own() -> None:
    def h(a: Any, b: Any, x: Any) -> Any:
        return a * b * x

    def scaled(p: Any, x: Any) -> Any:
        return p(x) * p.scale

    def recorded(p: Any, x: Any) -> Any:
        try:
            return scaled(p, x)
        finally:
            pass

    p = functools.partial(functools.partial(h, 2.0), 3.0)
    p.scale = 1.5
    for f in (scaled, recorded):
        found, of_x = gradient(f, p, 0.5)
        assert (found.args, found.scale, of_x) == ((2.25, 1.5), 3.0, 9.0)
        again = gradient(lambda q, x, f=f: gradient(f, q, x)[0].args[0], p, 0.5)
        assert (again[0].args, again[0].scale, again[1]) == ((0.0, 0.75), 1.5, 4.5)
