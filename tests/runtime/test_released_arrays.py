"""Gradients let go of the arrays that only they have named, once these are read for the last time."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from regressions import differences

from adjoint import gradient, pullback

X = np.linspace(0.1, 1.0, 50_000)  # NumPy works in place on what large arrays only pass through
FORMULAS = [
    lambda x: np.sum(np.tanh(x) * np.exp(-x * x)),
    lambda x: np.dot(np.log(1 + x * x), np.sin(x)),
]


def peak(f: Any, x: Any) -> float:
    """The memory that the gradient takes at most, in arrays."""
    for _ in range(3):
        gradient(f, x)
    tracemalloc.start()
    gradient(f, x)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / x.nbytes


@pytest.mark.parametrize("f", FORMULAS)
def test_the_peak_of_a_formula_is_six_arrays(f: Any) -> None:
    differences.check(f, X[:5], order=2)
    assert peak(f, X) < 6.1


def branches(x: Any) -> Any:
    y = np.exp(x * 0.5)
    if np.sum(y) > 2.0:
        s = np.sum(y * np.sin(x + 1.0))
        s = s * s
    else:
        s = np.sum(np.cos(x * 2.0))
    return s + np.sum(np.tanh(x) * y)


def loops(x: Any) -> Any:
    a = np.sin(x) + x * x
    for i in range(3):
        a = a * np.cos(a + i)
    return np.sum(a * np.exp(x * 0.1))


def attempts(x: Any) -> Any:
    y = np.sin(x) * 2.0
    try:
        z = np.sum(y * y) / [1.0, 2.0][0 if len(x) == 5 else 2]
    except IndexError:
        z = np.sum(np.exp(x) * y)
    return z * np.sum(x * y)


def closures(x: Any) -> Any:
    y = np.sin(x) * np.exp(x)

    def g(k: float) -> Any:
        return np.sum(y * k + np.cos(x) * y)

    return g(1.0) * g(2.0)


def stores(x: Any) -> Any:
    y = np.sin(x) * 1.0
    y[0] = np.sum(x * x)
    z = y * y
    y[1] = y[0] * 2.0
    return np.sum(z * np.exp(y * 0.1))


def used_twice(x: Any) -> Any:
    return np.sum((np.sin(x) + 1.0) ** 2 * x) + np.sum(np.sin(x) + 1.0)


@pytest.mark.parametrize("f", [branches, loops, attempts, closures, stores, used_twice])
@pytest.mark.parametrize("n", [3, 5])
def test_control_flow(f: Any, n: int) -> None:
    differences.check(f, X[:n] * 1.3, order=2)
    y, back = pullback(f, X[:n])
    np.testing.assert_allclose(back(1.0)[1], gradient(f, X[:n])[0], rtol=1e-12)


def test_what_the_user_has_named_lives_on() -> None:
    """Its identity is not given to another array meanwhile."""

    def f(x: Any) -> Any:
        seen = set()
        total = 0.0
        a = np.sin(x)
        seen.add(id(a))
        total = total + np.sum(a)
        b = np.cos(x)
        total = total + (10.0 if id(b) in seen else 1.0) * np.sum(b)
        return total

    for _ in range(4):
        np.testing.assert_allclose(gradient(f, X)[0], np.cos(X) - np.sin(X))
