"""Functions that Numba compiles and that store into what they are given: followed by their source."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hvp, jvp
from adjoint.derivatives import choice
from adjoint.testing import check_gradient

numba = pytest.importorskip("numba")


@pytest.fixture(autouse=True)
def _quietly() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what cannot be compiled says so once
        yield


@numba.njit
def square_into(a: Any, i: int, v: float) -> None:
    a[i] = v * v


@numba.njit
def fill(a: Any, x: float) -> None:
    for i in range(len(a)):
        square_into(a, i, x * i)


@numba.njit
def scale(a: Any, s: float) -> None:
    a *= s


@numba.njit
def total(a: Any, s: float) -> float:
    t = 0.0
    for i in range(len(a)):
        t += a[i] * s
    return float(t)


class Model:
    def __init__(self) -> None:
        self.w = np.ones(4)

    def fill(self, x: float) -> Any:
        fill(self.w, x)
        return self.w.sum()


def matrix(x: float) -> Any:
    p = np.empty(4)
    fill(p, x)
    return p @ np.arange(4.0)


def copied(a: Any, x: float) -> Any:
    b = a.copy()
    fill(b, x)
    return b @ a


def method(x: float) -> Any:
    return Model().fill(x)


def read_by_another(x: float) -> Any:
    a = np.zeros(4)
    fill(a, x)
    before = total(a, x)
    scale(a, x)
    return total(a, x) + before


ARGS: list[tuple[Any, tuple[Any, ...]]] = [
    (matrix, (0.7,)),
    (copied, (np.arange(4.0), 0.7)),
    (method, (0.7,)),
    (read_by_another, (0.7,)),
]


@pytest.mark.parametrize(("f", "args"), ARGS, ids=lambda x: getattr(x, "__name__", ""))
def test_derivatives(f: Any, args: tuple[Any, ...]) -> None:
    for _ in range(4):  # what the first calls show changes the way
        check_gradient(f, *args)
    *rest, x = args
    ones = tuple([np.zeros_like(a) if isinstance(a, np.ndarray) else 1.0 for a in args])
    step = 1e-6
    after, before = gradient(f, *rest, x + step)[-1], gradient(f, *rest, x - step)[-1]
    assert hvp(f, args, ones)[-1] == pytest.approx((after - before) / (2 * step), rel=1e-6)
    assert jvp(f, args, ones)[1] == pytest.approx(gradient(f, *args)[-1])


@pytest.mark.parametrize(("f", "args"), ARGS[:3], ids=lambda x: getattr(x, "__name__", ""))
def test_they_are_not_recorded(f: Any, args: tuple[Any, ...]) -> None:
    for _ in range(3):
        gradient(f, *args)
    assert not choice.has_been_recorded(f, args)
