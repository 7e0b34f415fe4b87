"""Arrays of another kind than their dtypes seemed to say, and numbers of Python's that were taken for NumPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import by_recording, slope

from adjoint import grad, value_and_grad
from adjoint.calculus import pushforward

SIGNED, UNSIGNED = np.array([1, 2, 3]), np.array([3, 1, 2], dtype=np.uint64)
SQUARE = np.outer(SIGNED, SIGNED)


def check(f: Callable[[float], Any], x: float) -> None:
    """Compare values and derivatives of several calls with the plain program."""
    d = slope(f, x)
    for _ in range(3):
        value, found = value_and_grad(f)(x)
        assert (type(value), value) == (type(f(x)), f(x))
        assert found == pytest.approx(d, rel=1e-6, abs=1e-7)
    assert pushforward(f, (x,), (2.0,))[1] == pytest.approx(2 * d, rel=1e-6, abs=1e-7)
    assert by_recording(f, x)[1] == pytest.approx(d, rel=1e-6, abs=1e-7)


PROGRAMS: list[Callable[[float], Any]] = []


def program(f: Callable[[float], Any]) -> Callable[[float], Any]:
    PROGRAMS.append(f)
    return f


@program
def appended(x):
    y = np.append(SIGNED, UNSIGNED)
    y[0] = x * 2
    return y[0] * x


@program
def appended_list(x):
    y = np.append(UNSIGNED, [1, 2])
    y[0] = x * 2
    return y[0] * x


@program
def appended_number(x):
    y = np.append(UNSIGNED, 1)
    y[0] = x * 2
    return y[0] * x


@program
def concatenated(x):
    y = np.concatenate((SIGNED, UNSIGNED))
    y[0] = x * 2
    return y[0] * x


@program
def concatenated_by_name(x):
    y = np.concatenate((SIGNED, UNSIGNED), axis=0)
    y[0] = x * 2
    return y[0] * x


@program
def stacked(x):
    y = np.hstack([UNSIGNED, SIGNED])
    y[0] = x * 2
    return y[0] * x


@program
def sums(x):
    y = np.add.outer(SIGNED, UNSIGNED)[0]
    y[0] = x * 2
    return y[0] * x


@program
def products(x):
    y = np.outer(SIGNED, UNSIGNED)[0]
    y[0] = x * 2
    return y[0] * x


@program
def dotted(x):
    y = np.dot(SQUARE, UNSIGNED)
    y[0] = x * 2
    return y[0] * x


@program
def multiplied(x):
    y = SQUARE @ UNSIGNED
    y[0] = x * 2
    return y[0] * x


@program
def convolved(x):
    y = np.convolve(SIGNED, UNSIGNED)
    y[0] = x * 2
    return y[0] * x


@program
def crossed(x):
    y = np.cross(SIGNED, UNSIGNED)
    y[0] = x * 2
    return y[0] * x


@program
def kronecker(x):
    y = np.kron(UNSIGNED, SIGNED)
    y[0] = x * 2
    return y[0] * x


@program
def added(x):
    y = SIGNED + UNSIGNED
    y[0] = x * 2
    return y[0] * x


@program
def of_flags(x):
    y = np.concatenate((SIGNED > 1, SIGNED > 1), 0)
    y[0] = x * 2
    return y[0] * x


@program
def of_unsigned(x):
    y = np.append(UNSIGNED, UNSIGNED)
    y[0] = x * 2
    return y[0] * x


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_signed_and_unsigned_integers(f: Any) -> None:
    check(f, 0.7)


@pytest.mark.parametrize("n", [np.imag, np.real])
def test_parts_of_numbers_of_python(n: Any) -> None:
    def f(x: float) -> Any:
        z = x * (n(-3) - 2) ** 0.5
        return abs(z)

    check(f, 0.7)


def test_parts_of_arguments() -> None:
    def f(x: float, n: int) -> Any:
        return abs(x * np.real(n) ** 0.5) + abs(x * (np.imag(n) - 2) ** 0.5)

    for n in (-3, 3, -2):
        for _ in range(2):
            assert grad(f)(0.7, n) == pytest.approx(slope(lambda x, n=n: f(x, n), 0.7), rel=1e-6)


def test_counts() -> None:
    def f(x: float) -> Any:
        n = np.count_nonzero([1, 2]) + 1
        return x * n**0.5

    check(f, 0.7)


def test_an_array_of_integers_or_a_float() -> None:
    def f(x: float) -> Any:
        y = np.array([1, 2]) if x > 0 else 1.5
        y[0] = x * 3
        return y[0] * x

    check(f, 0.7)


def test_an_item_that_is_an_array_of_integers_or_a_float() -> None:
    def f(x: float) -> Any:
        xs = [np.array([1, 2]), 0.5]
        s = 0.0
        for y in xs[:1]:
            y[0] = x * 3
            s = s + y[0] * x
        return s

    check(f, 0.7)
