"""Arrays that are unpacked into numbers, as states of differential equations are: forward mode unpacks the tangent."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import grad, hvp, jacobian, jvp, vjp
from adjoint.calculus import seeds
from adjoint.inspect import code_pushforward

X, V = np.array([0.9, 0.3]), np.array([1.0, -2.0])


def euler(state, k):
    for _ in range(3):
        s, i = state
        state = state + 0.1 * np.array([-k * s * i, k * s * i - i])
    return state


def starred(state, k):
    a, *others = np.concatenate([state * k, state])
    return np.array([a * sum(others), others[1]])


def stored_over(state, k):
    w = state.copy()
    for _ in range(2):
        s, i = w
        w[0] -= 0.1 * k * s * i
        w[1] += 0.1 * (k * s * i - i)
    return w * s * i


def still(state, k):
    p, q = np.array([1.0, 2.0])
    r, t = np.array([k, 2.0 * k])
    return state * p + q * r * t


def of_rows(state, k):
    m = np.outer(state, state) * k
    a, b = m
    a[0] = k * k
    return m[0] * b


def counted(state, k):
    try:
        a, b, c = state * k
    except ValueError:
        a, b, c = state[0] * k, k, state[1]
    return np.array([a * b, c])


@pytest.mark.parametrize("f", [euler, starred, stored_over, still, of_rows, counted])
def test_tangents(f: Any) -> None:
    h, k, w = 1e-6, 1.5, 0.7
    along = jvp(f, (X, k), (V, w))[1]
    np.testing.assert_allclose(along, (f(X + h * V, k + h * w) - f(X - h * V, k - h * w)) / (2 * h), atol=1e-7)
    x_bar, k_bar = vjp(f, X, k)[1](np.array([0.3, -1.1]))
    np.testing.assert_allclose(np.array([0.3, -1.1]) @ along, x_bar @ V + k_bar * w)
    rows = jvp(f, (X, k), (seeds(np.array([V, 2 * V])), seeds(np.array([w, 0.0]))))[1]
    np.testing.assert_allclose(rows, [along, jvp(f, (X, k), (2 * V, 0.0))[1]])
    forward, reverse = [jacobian(f, X, k, argnums=0, mode=mode) for mode in ("forward", "reverse")]
    np.testing.assert_allclose(forward, reverse)

    def total(x):
        return np.sum(f(x, k) ** 2)

    slopes = (grad(total)(X + h * V) - grad(total)(X - h * V)) / (2 * h)
    np.testing.assert_allclose(hvp(total, (X,), (V,))[0], slopes, rtol=1e-4)
    np.testing.assert_array_equal(X, [0.9, 0.3])


def test_single_precision_stays() -> None:
    def f(x):
        a, b = x
        return a * b

    y, dot = jvp(f, (np.array([2.0, 3.0], np.float32),), (np.array([1.0, 0.0], np.float32),))
    assert y.dtype == dot.dtype == np.float32 and dot == 3.0


def test_the_tangent_is_unpacked_where_it_stands() -> None:
    code = code_pushforward(euler, X, 1.5)
    assert "pushforward" not in code


def test_what_cannot_be_unpacked_is_said_once() -> None:
    def f(x):
        a, b = x
        return a * b

    for n in (1, 3):
        with pytest.raises(ValueError, match="values to unpack"):
            jvp(f, (np.ones(n),), (np.ones(n),))
