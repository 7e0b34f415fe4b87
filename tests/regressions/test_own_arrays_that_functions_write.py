"""Functions and methods of NumPy that write into an array which the program has made: stores like `a[...] = v`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import grad
from adjoint.derivatives import choice
from adjoint.inspect import code_adjoint
from adjoint.testing import check_gradient

from .differences import check

X = np.random.default_rng(3).random((4, 4))
W = np.arange(1.0, 17.0).reshape(4, 4)


def weighted(K: Any) -> Any:
    return (K * K * W).sum()


def diagonal(p):
    K = X * p[0]
    np.fill_diagonal(K, p[1])
    return weighted(K)


def of_constants(p):
    K = np.zeros((4, 4))
    np.fill_diagonal(K, 2.0)
    return weighted(K * p[1]) * p[0]


def kept_before(p):
    K = X * p[0]
    y, z = K * K, np.exp(K)
    np.fill_diagonal(K, p[1])
    return weighted(y * K) + weighted(z)


def between(p):
    K = X * p[0]
    np.fill_diagonal(K, p[1])
    y = K * 1.0
    np.fill_diagonal(K, 0.0)
    return weighted(y) + weighted(K)


def in_a_branch(p):
    K = X * p[0]
    if p[1] > 0:
        np.fill_diagonal(K, p[1])
    return weighted(K)


def in_a_loop(p):
    K = X * p[0]
    for i in range(3):
        np.fill_diagonal(K, p[1] * i)
        K = K @ X
    return weighted(K)


def of_its_own_values(p):
    K = X * p[0]
    v = K[0] * 1.0
    np.fill_diagonal(K, v * p[1])
    return weighted(K)


def its_own_item(p):
    K = X * p[0]
    np.fill_diagonal(K, K[0, 0])
    return weighted(K) * p[1]


def filled(p):
    K = X * p[0]
    z = K.sum()
    K.fill(p[1])
    return weighted(K) * z


def sorted_by_columns(p):
    K = X * p[0]
    K[0] *= p[1]
    K.sort(axis=0)
    return weighted(K)


def copied_by_name(p):
    K = X * p[0]
    np.copyto(src=X * p[1], dst=K)
    return weighted(K)


def put_twice(p):
    K = X * p[0]
    np.put(K, np.array([1, 1, 2]), np.array([p[0], p[1], 3.0]))
    return weighted(K)


def gives_nothing(p):
    K = X * p[0]
    given = np.fill_diagonal(K, p[1])
    return weighted(K) if given is None else p[0]


OWN = [
    *(diagonal, of_constants, kept_before, between, in_a_branch, in_a_loop, of_its_own_values, its_own_item, filled),
    *(sorted_by_columns, put_twice, gives_nothing),
]


def another_name(p):
    K = X * p[0]
    L = K
    np.fill_diagonal(K, p[1])
    return weighted(L) + weighted(K)


def a_view(p):
    K = X * p[0]
    L = K.T
    np.fill_diagonal(K, p[1])
    return weighted(L)


def by_a_view(p):
    K = X * p[0]
    L = K[1:, 1:]
    np.fill_diagonal(L, p[1])
    return weighted(K)


def in_a_list(p):
    K = X * p[0]
    rows = [K]
    np.fill_diagonal(K, p[1])
    return weighted(rows[0])


def captured(p):
    K = X * p[0]
    total = lambda: K.sum()  # noqa: E731
    np.fill_diagonal(K, p[1])
    return total() * p[0]


def of_its_own_view(p):
    K = X * p[0]
    np.copyto(K, K.T)
    return weighted(K) * p[1]


def in_the_argument(p):
    np.put(p, [0], p[1] * 2.0)
    return (p * p).sum()


SHARED = [another_name, a_view, by_a_view, in_a_list, captured, of_its_own_view, in_the_argument, copied_by_name]


@pytest.mark.parametrize("f", OWN)
def test_own_arrays_are_no_memory(f: Any, structured: list[bool]) -> None:
    check(f, np.array([0.7, 1.3]))
    assert structured == [] and not choice.has_been_recorded(f, (np.array([0.7, 1.3]),))


@pytest.mark.parametrize("f", OWN + SHARED)
@pytest.mark.parametrize("at", [(0.7, 1.3), (1.1, -0.6)])
def test_derivatives_are_those_of_differences(f: Any, at: Any) -> None:
    check(f, np.array(at))
    check_gradient(f, np.array(at), order=2)


def test_the_store_is_printed_in_place() -> None:
    assert "K[...] = " in code_adjoint(filled, np.ones(2))


def test_errors_are_those_of_the_function() -> None:
    def f(x):
        K = x * np.ones(3)
        np.fill_diagonal(K, x)
        return K.sum()

    with pytest.raises(ValueError, match="array must be at least 2-d"):
        grad(f)(1.0)
