"""Second derivatives whose programs are typed: against differences of gradients, where formulas hold and where not."""

import warnings
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hvp


def iterates(c: Any) -> Any:
    z, total = complex(0.0, 0.0), 0.0
    c = complex(c, 0.3)
    for _ in range(6):
        z = z * z + c
        if abs(z) > 0.6:
            z = z / abs(z)
        total += z.real * z.real + 0.5 * z.imag
    return total


@pytest.mark.parametrize("x", [0.2, 0.7, -0.4])
def test_complex_iterates(x: float) -> None:
    h = 1e-6
    expected = (grad(iterates)(x + h) - grad(iterates)(x - h)) / (2 * h)
    assert grad(grad(iterates))(x) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def orbit(r: Any) -> Any:
    v = np.array([0.0, 1.0, 0.2, 0.1])
    for _ in range(4):
        v = v - 0.1 * r / np.linalg.norm(r) ** 3
        r = r + 0.1 * v
    return 0.5 * (v @ v) - 1.0 / np.linalg.norm(r)


def recurrence(w: Any) -> Any:
    m = w.reshape(2, 2)
    h, total = np.zeros(2), 0.0
    for x in (0.3, 0.5, -0.2):
        h = np.tanh(m @ h + x * m[0])
        total = total + h @ h
    return total


def rows(w: Any) -> Any:
    m = w.reshape(2, 2)
    hs = np.zeros((4, 2))
    for t in range(3):
        hs[t + 1] = np.tanh(m @ hs[t] + 0.3 * m[1])
    return np.sum(hs * hs)


def branches(w: Any) -> Any:
    h = w
    for name in ("first", "last"):
        h = h * w + 0.1
        if name != "last":
            h = np.tanh(h)
    return np.mean((h - 0.5) ** 2)


ARRAYS = {
    **{f.__name__: f for f in (orbit, recurrence, rows, branches)},
    "x/s": lambda x: np.sum(x / np.sum(x * x)),
    "s/x": lambda x: np.sum(np.sum(x) / (1 + x * x)),
    "x/y": lambda x: np.sum(x[:, None] / (1 + x[None, :] ** 2)),
    "true_divide": lambda x: np.sum(np.true_divide(x * x, x[0] + x)),
    "x²": lambda x: np.sum(x**2 * x),
    "x³": lambda x: np.sum((x * x) ** 3),
    "x^1.5": lambda x: np.sum((x * x) ** 1.5),
    "x^2.5": lambda x: np.sum((x * x) ** 2.5),
    "x^-1": lambda x: np.sum((x * x) ** -1),
    "power": lambda x: np.sum(np.power(x, 2) * x),
    "x^x": lambda x: np.sum(x**x),
    "sqrt": lambda x: np.sum(np.sqrt(x) * x),
    "log": lambda x: np.sum(np.log(x) * x),
}
X, V = np.array([0.7, 1.3, 0.9, 1.8]), np.array([0.5, -1.0, 0.3, 0.8])


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays(name: str) -> None:
    f, h = ARRAYS[name], 1e-5
    expected = (grad(f)(X + h * V) - grad(f)(X - h * V)) / (2 * h)
    np.testing.assert_allclose(hvp(f, (X,), (V,))[0], expected, rtol=1e-6, atol=1e-7)


def test_float32_stays() -> None:
    x = X.astype(np.float32)
    found = hvp(ARRAYS["x/s"], (x,), (V.astype(np.float32),))[0]
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, hvp(ARRAYS["x/s"], (X,), (V,))[0], rtol=1e-3)


def test_complex_arrays() -> None:
    def f(x: Any) -> Any:
        z = x * (1 + 2j)
        return np.sum((z / np.sum(z * z)).real + np.sqrt(z).imag)

    h = 1e-5
    expected = (grad(f)(X + h * V) - grad(f)(X - h * V)) / (2 * h)
    np.testing.assert_allclose(hvp(f, (X,), (V,))[0], expected, rtol=1e-6, atol=1e-7)


def test_exponent_of_a_slope() -> None:
    def slope(p: float) -> Any:
        return np.sum(grad(lambda x: np.sum(x**p))(X) * V)

    def slope_by_argument(p: float) -> Any:
        return np.sum(gradient(lambda x, q: np.sum(x**q), X, p)[0] * V)

    h = 1e-5
    expected = (slope(3.0 + h) - slope(3.0 - h)) / (2 * h)
    assert grad(slope)(3.0) == pytest.approx(expected, rel=1e-6)
    assert grad(slope_by_argument)(3.0) == pytest.approx(expected, rel=1e-6)


def test_where_nothing_flows() -> None:
    x, v = np.array([0.0, 1.0, 2.0]), np.ones(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_allclose(hvp(lambda x: np.sum(np.sqrt(x)[1:]), (x,), (v,))[0], [0, -0.25, -0.125 / 2**0.5])
        np.testing.assert_allclose(hvp(lambda x: np.sum(np.log(x)[1:]), (x,), (v,))[0], [0, -1, -0.25])
        np.testing.assert_allclose(hvp(lambda x: np.sum((1 / x)[1:]), (x,), (v,))[0], [0, 2, 0.25])
        np.testing.assert_allclose(hvp(lambda x: np.sum((x / x)[1:]), (x,), (v,))[0], [0, 0, 0], atol=1e-12)


def test_third_derivative() -> None:
    def curved(x: Any) -> Any:
        return np.sum(np.log(x) * np.sqrt(x) / x**2)

    def second(t: Any) -> Any:
        return np.sum(hvp(curved, (X + t * V,), (V,))[0] * V)

    assert grad(second)(0.0) == pytest.approx((second(1e-5) - second(-1e-5)) / 2e-5, rel=1e-6)
