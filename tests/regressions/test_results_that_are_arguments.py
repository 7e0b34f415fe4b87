"""Functions whose result may be an argument, as it is: what is done to one is done to the other."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback
from adjoint.testing import check_gradient


def start_of_sum(x: Any) -> Any:
    xs = [3 * x]
    total: Any = sum([], xs)  # type: ignore[arg-type]
    xs.append(x * x)
    return sum(total) + total[-1]


def start_of_product(x: Any) -> Any:
    xs = [3 * x]
    product: Any = math.prod([], start=xs)  # type: ignore[call-overload]
    xs.append(x * x)
    return product[-1] * len(product)


def least_of_two(x: Any) -> Any:
    xs = [3 * x]
    least = min(xs, [100 * x])
    xs.append(x)
    y = 0.0
    for v in least:
        y += v * v
    return y


def largest_of_two(x: Any) -> Any:
    xs = [3 * x]
    largest = max([x], xs)
    for i in range(3):
        xs.append(x * i)
    return largest[-1] * largest[0]


def default_of_get(x: Any) -> Any:
    xs, found = [3 * x], dict[str, Any]()
    got = found.get("a", xs)
    xs.append(x * x)
    return got[-1] + sum(got)


def default_of_getattr(x: Any) -> Any:
    xs = [3 * x]
    got = getattr(math, "no such name", xs)
    xs.append(x * x)
    return got[-1] + sum(got)


def array_of_product(x: Any) -> Any:
    a = np.array([x, 2.0])
    y: Any = math.prod([], start=a)  # type: ignore[call-overload]
    y[0] = 3 * x * y[1]
    return a[0] * a[1] * x


LISTS = (start_of_sum, start_of_product, least_of_two, largest_of_two, default_of_get, default_of_getattr)


@pytest.mark.parametrize("f", [*LISTS, array_of_product])
def test_an_argument_that_is_the_result(f: Callable[[Any], Any]) -> None:
    check_gradient(f, 1.3)
    y, back = pullback(f, 1.3)
    assert y == f(1.3) and back(1.0) == back(1.0)


def product(v: Any) -> Any:
    y: Any = math.prod([], start=v)  # type: ignore[call-overload]
    y[0] = 3 * y[1]
    return y.sum()


def conjugate(v: Any) -> Any:
    y = v.conj(v)
    y[0] = 3 * y[1]
    return y.sum()


def uncopied(v: Any) -> Any:
    y = v.astype(float, copy=False)
    y[0] = 3 * y[1]
    return y.sum()


@pytest.mark.parametrize("key", [product, conjugate, uncopied])
def test_a_key_that_stores_into_its_argument_under_another_name(key: Callable[[Any], Any]) -> None:
    """Both first items are written over: nothing flows to what stood there."""

    def f(x: Any) -> Any:
        a, b = np.array([x, 2.0]), np.array([x * x, 1.0])
        largest = max([a, b], key=key)
        return largest[0] * largest[1] + 7 * a[0] + b[0]

    assert gradient(f, 1.3) == (0.0,)
