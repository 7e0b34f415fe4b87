"""Second derivatives at integers: of programs that are recorded, and of the partials of elementwise functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import grad, hessian, hvp, jacobian, jvp


def recorded(x: Any) -> Any:
    y = 0.0
    try:
        y = np.sum(x * x * x) + np.sum(np.exp(0.1 * x)) + np.sum(np.power(x, 2.0) / (x + 1))
    except* ValueError:
        y = 0.0
    return y


def structured(x: Any) -> Any:
    return np.sum(x * x * x) + np.sum(np.exp(0.1 * x)) + np.sum(np.power(x, 2.0) / (x + 1))


@pytest.mark.parametrize("f", [recorded, structured], ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8])
def test_hessians_at_integers(f: Any, dtype: Any) -> None:
    x = np.array([1, 2, 3], dtype)
    expected = hessian(structured)(x.astype(float))
    np.testing.assert_allclose(hessian(f)(x), expected)
    np.testing.assert_allclose(jacobian(grad(f))(x), expected)
    np.testing.assert_allclose(grad(lambda x: np.sum(grad(f)(x)))(x), np.sum(expected, axis=0))
    np.testing.assert_allclose(jvp(grad(f), (x,), (np.ones(3),))[1], expected @ np.ones(3))


@pytest.mark.parametrize("x", [3, np.int64(3), np.int32(3), np.uint8(3)], ids=lambda x: type(x).__name__)
def test_second_derivatives_at_whole_numbers(x: Any) -> None:
    expected = grad(grad(structured))(3.0)
    assert grad(grad(recorded))(x) == pytest.approx(expected)
    assert grad(grad(structured))(x) == pytest.approx(expected)


def test_nothing_flows_through_flags() -> None:
    def f(x: Any) -> Any:
        return np.sum(grad(lambda v: np.sum(v * (x > 1)))(x) * 1.0)

    np.testing.assert_array_equal(grad(f)(np.array([1, 2, 3])), np.zeros(3))


def test_products_with_vectors_at_integers() -> None:
    x, v = np.array([1, 2, 3]), np.array([1.0, -1.0, 0.5])
    np.testing.assert_allclose(hvp(recorded, (x,), (v,))[0], hessian(structured)(x.astype(float)) @ v)
