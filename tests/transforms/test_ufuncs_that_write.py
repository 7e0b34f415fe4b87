"""Ufuncs that write into an array which the program has made, by `out`: stores like `a[...] = v`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import slope

from adjoint import grad, pullback, value_and_grad
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call


def quotients(x):
    out = np.zeros_like(x, dtype=float)
    zeta = 0.3 - np.divide(0.0059, x, out=out, where=~np.equal(x, 0))
    return zeta * x


def flags(x):
    steep = np.full_like(x, False, dtype="bool")
    np.greater_equal(np.abs(x), 0.9, where=~np.isnan(x), out=steep)
    return np.where(steep, x, x * x)


def whole(x):
    out = np.empty_like(x)
    np.multiply(x, x, out=out)
    np.add(out, x, out=out)
    return out * x


def given_back(x):
    out = np.ones_like(x)
    y = np.exp(x, out=out)
    out[...] = y * 2.0 + out
    return y * out


def in_rounds(x):
    out = np.zeros_like(x)
    for k in range(4):
        np.add(out * 0.5, x**k, out=out, where=x > 0.45 * k)
    return out * x


def in_a_branch(x):
    out = np.full_like(x, 2.0)
    if np.sum(x) > 0.0:
        np.sin(x, out=out)
    return out * x


def kept(x):
    y = x * 2.0
    kept = np.square(y)
    np.negative(y, out=y, where=x > 1.0)
    return y * kept


def in_an_attempt(x):
    out = x * 1.0
    try:
        np.multiply(out, x, out=out)
        np.add(out, "a", out=out)
    except TypeError:
        out = out * 3.0
    return out


PROGRAMS = [quotients, flags, whole, in_rounds, in_a_branch, kept]
A = np.array([0.5, 1.2, 0.95])


@pytest.mark.parametrize("f", [*PROGRAMS, given_back, in_an_attempt])
def test_arrays(f: Callable[[Any], Any]) -> None:
    w = np.array([1.0, -2.0, 0.7])
    x, x_dot = A.copy(), np.array([0.3, 1.1, -0.4])
    y, back = pullback(f, x)
    np.testing.assert_array_equal(y, f(A))
    d = slope(lambda t: f(A + t * x_dot) @ w, 0.0)
    for _ in range(2):
        assert back(w)[1] @ x_dot == pytest.approx(d, rel=1e-6)
    assert w @ pushforward(f, (x,), (x_dot,))[1] == pytest.approx(d, rel=1e-6)
    np.testing.assert_array_equal(x, A)
    g = grad(lambda x: np.sum(f(x) * w))
    second = slope(lambda t: g(A + t * x_dot) @ x_dot, 0.0, 1e-5)
    assert grad(lambda x: np.sum(g(x) * x_dot))(A) @ x_dot == pytest.approx(second, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("f", PROGRAMS)
def test_they_are_reversed_in_their_structure(f: Callable[[Any], Any]) -> None:
    assert is_structured_call(f, (A,))


@pytest.mark.parametrize("f", [quotients, flags])
@pytest.mark.parametrize("x", [0.5, np.float64(1.2)], ids=["float", "float64"])
def test_numbers(f: Callable[[Any], Any], x: Any) -> None:
    value, d = value_and_grad(f)(x)
    assert value == f(x)
    assert d == pytest.approx(slope(f, x), rel=1e-6)
    assert is_structured_call(f, (x,))


def test_what_is_left_out_is_not_computed() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert grad(lambda x: float(quotients(x)))(0.0) == pytest.approx(0.3)
        np.testing.assert_allclose(grad(lambda x: np.sum(quotients(x)))(np.array([0.0, 1.0])), 0.3)


def test_others_see_it() -> None:
    def f(x, out):
        np.multiply(x, x, out=out)
        return np.sum(out * x)

    given = np.zeros(3)
    np.testing.assert_allclose(grad(f)(A, given), 3 * A**2)
    np.testing.assert_array_equal(given, A * A)


def test_another_name_sees_it() -> None:
    def f(x):
        out = np.zeros(3)
        other = out
        view = out[1:]
        np.multiply(x, x, out=out)
        return np.sum(other * x) + np.sum(view * 2.0)

    def of_one(x):
        return np.multiply(x, 3.0, out=x)

    def in_place(x):
        y = x * x
        z = of_one(y)
        return np.sum(y * z)

    for g in (f, in_place):
        expected = [slope(lambda t, g=g, e=e: g(A + t * e), 0.0) for e in np.eye(3)]
        np.testing.assert_allclose(grad(g)(A), expected, rtol=1e-6)


def test_another_precision() -> None:
    def f(x):
        out = np.zeros(3, dtype=np.float32)
        np.multiply(x, x, out=out)
        return np.sum(out * x)

    np.testing.assert_allclose(grad(f)(A), 3 * A**2, rtol=1e-6)

    def refused(x):
        out = np.zeros(3, dtype=int)
        np.multiply(x, x, out=out)
        return np.sum(out * x)

    with pytest.raises(TypeError, match="same_kind"):
        grad(refused)(A)


def test_another_shape() -> None:
    def f(x):
        out = np.ones((2, 3))
        np.multiply(x, x, out=out)
        return np.sum(out * x)

    def refused(x):
        out = np.ones(2)
        np.multiply(x, x, out=out)
        return np.sum(out)

    np.testing.assert_allclose(grad(f)(A), 6 * A**2)
    with pytest.raises(ValueError, match="broadcast"):
        grad(refused)(A)


def diagonals(x):
    a = np.zeros((2, 2))
    for i in range(3):
        np.fill_diagonal(a, a[0, 0] * x + i * x)
    return np.sum(a)


def copies(x):
    a = np.zeros(2)
    for i in range(3):
        np.copyto(a, a * x + i)
    return np.sum(a)


@pytest.mark.parametrize("f", [diagonals, copies])
def test_functions_that_write_in_loops(f: Callable[[Any], Any]) -> None:
    assert grad(f)(1.5) == pytest.approx(slope(f, 1.5), rel=1e-6)
    assert is_structured_call(f, (1.5,))
