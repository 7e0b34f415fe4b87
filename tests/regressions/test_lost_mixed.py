"""Mixed second derivatives: what moves is not what the inner gradient is taken by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient
from adjoint.testing import check_gradient

X = np.array([0.3, 0.7, -0.4])


def by_slices(x: Any, c: Any) -> Any:
    return np.sum(np.sin(c * x) * x[::-1])


def by_items(x: Any, c: Any) -> Any:
    return c * x[0] * x[1] + np.exp(c * x[2])


def by_repeated_items(x: Any, c: Any) -> Any:
    return np.sum(x[[0, 0, 2]] ** 2 * c) + x[1] ** c


def in_a_loop(x: Any, c: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        s = s + np.sin(c * x[i]) * s + c * x[i]
    return s


def over_a_list(xs: Any, c: Any) -> Any:
    s = 1.0
    for i in range(len(xs)):
        s = s * xs[i] ** 2 * c
    return s * xs[0]


def by_stores(x: Any, c: Any) -> Any:
    out = np.zeros(len(x) + 1)
    for i in range(len(x)):
        out[i + 1] = c * out[i] + x[i] ** 2
    return np.sum(out * out)


def of_a_dict(p: Any, c: Any) -> Any:
    return c * p["a"] ** 2 * p["b"][0] + p["a"] * p["b"][1:].sum() * c


def by_cells(x: Any, c: Any) -> Any:
    s = x[0]

    def add(v):
        nonlocal s
        s = s * c + v * x[1]

    add(x[2])
    add(c * x[1])
    return s * s


class Acc:
    def __init__(self):
        self.t = 0.0

    def add(self, v):
        self.t = self.t * 1.5 + v


def by_objects(x: Any, c: Any) -> Any:
    a = Acc()
    for v in x:
        a.add(v * v * c)
    return a.t * a.t


def by_lists(x: Any, c: Any) -> Any:
    xs = []
    for v in x:
        xs.append(c * v * v)
    xs[0] = xs[1] * xs[2]
    return sum(xs) * xs[0]


def by_dicts(x: Any, c: Any) -> Any:
    d = {}
    for i in range(3):
        d[i % 2] = d.get(i % 2, 0.0) + c * x[i] ** 2
    return d[0] * d[1]


def by_a_generator(x: Any, c: Any) -> Any:
    def g():
        for v in x:
            yield c * v * v

    return sum(g()) ** 2


def in_a_try(x: Any, c: Any) -> Any:
    try:
        s = c * x[0] ** 2 * x[1]
    except ValueError:
        s = 0.0
    return s


def by_rows(x: Any, c: Any) -> Any:
    m = np.outer(x, x)
    m[0, 1] = c * x[2] ** 2
    m[1] *= c
    return np.sum(m * m)


def recursive(x: Any, c: Any, n: int = 3) -> Any:
    return x[0] * c if n == 0 else recursive(x, c, n - 1) * x[1] * c


def unpacked(x: Any, c: Any) -> Any:
    a, *b = x
    return a * a * c * sum(b) ** 2


def in_a_while(x: Any, c: Any) -> Any:
    i = 0
    s = x[0]
    while i < 2:
        s = s * x[i + 1] * c
        i += 1
    return s


def comprehended(x: Any, c: Any) -> Any:
    return sum([c * v**3 * x[0] for v in x])


def swapped(x: Any, c: Any) -> Any:
    y = x * c
    y[[0, 1]] = y[[1, 0]]
    return np.sum(y**3)


def captured(x: Any, c: Any) -> Any:
    k = x[0] * c

    def f(v: Any) -> Any:
        return v * k + x[1] * c

    return f(x[2]) * f(c)


FUNCTIONS = (
    by_slices,
    by_items,
    by_repeated_items,
    in_a_loop,
    by_stores,
    by_objects,
    by_lists,
    by_dicts,
    by_a_generator,
    in_a_try,
    by_rows,
    recursive,
    unpacked,
    in_a_while,
    comprehended,
    swapped,
    captured,
    by_cells,
)


WEIGHTS = np.array([0.5, -1.0, 2.0])
WAYS: tuple[Callable[[Any], None], ...] = (
    lambda f: check_gradient(lambda c: np.sum(WEIGHTS * gradient(lambda x: f(x, c), X)[0]), 1.3),
    lambda f: check_gradient(lambda c: np.sum(WEIGHTS * grad(f)(X, c)), 1.3),
    lambda f: check_gradient(lambda x, c: np.sum(WEIGHTS * grad(f)(x, c)), X, 1.3),
)
"""What is not moved by the inner gradient is captured, or an argument, by itself or with what is."""


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_what_the_inner_gradient_is_not_taken_by(f: Any) -> None:
    """Each function in one of the ways; `tests/runtime/test_mixed.py` has all."""
    WAYS[FUNCTIONS.index(f) % len(WAYS)](f)


def test_of_lists_and_dicts() -> None:
    check_gradient(lambda c: sum(grad(over_a_list)([0.5, 2.0, 1.5], c)), 1.3)
    p = {"a": 0.7, "b": X}

    def mixed(c: Any) -> Any:
        found = grad(of_a_dict)(p, c)
        return found["a"] * 2.0 + np.sum(found["b"] * X)

    check_gradient(mixed, 1.3)
