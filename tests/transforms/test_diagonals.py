"""Matrices that `np.diag` makes of a vector, into which something is stored; and the views that it gives of others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient

from .held_to_python import hold


def numbers() -> tuple[Any, ...]:
    return (np.array([0.31, 0.52, 0.93, 0.24, 0.75, 0.66]),)


def of_an_argument(x: Any) -> Any:
    m = np.diag(x)
    m[0, 1] = x[2]
    m[1] *= 2
    return (m * m).sum()


def the_vector_changes(x: Any) -> Any:
    v = x * 1
    m = np.diag(v)
    v[0] = 3 * x[1]
    m[0, 1] = v[2]
    return (m * m).sum() + v.sum()


def of_a_list(x: Any) -> Any:
    m = np.diag([x[0], 2.0 * x[1], x[2] * x[3]]) + np.diag((x[4], x[5]), -1)
    m[0], m[1] = m[1], m[0]
    m[2, 0] = x[1]
    return (m * np.arange(9).reshape(3, 3)).sum()


def rows_by_one_another(x: Any) -> Any:
    """Rows that are swapped as a pair are views, of which the second is read when the first is stored."""
    m = np.outer(x, x) + np.diag(x)
    m[0], m[1] = m[1], m[0]
    m[[2, 3]] = m[[3, 2]]
    return (m * np.arange(36).reshape(6, 6)).sum()


def eliminated(x: Any) -> Any:
    """The determinant by elimination with partial pivoting."""
    m, det = np.outer(np.sin(3 * x), x) + np.diag(x[::-1]), 1.0
    for k in range(6):
        p = max(range(k, 6), key=lambda i: abs(m[i, k]))  # noqa: B023
        if p != k:
            m[[k, p]] = m[[p, k]]
            det = -det
        for i in range(k + 1, 6):
            m[i, k] /= m[k, k]
            m[i, k + 1 :] -= m[i, k] * m[k, k + 1 :]
        det *= m[k, k]
    return det * 100 + m[2, 1]


@pytest.mark.parametrize(
    "f", [of_an_argument, the_vector_changes, of_a_list, rows_by_one_another, eliminated], ids=lambda f: f.__name__
)
def test_programs(f: Any) -> None:
    hold(f, numbers)


def of_a_matrix(x: Any) -> Any:
    """The diagonal of a matrix is a view: it sees what is stored."""
    m = np.outer(x, x)
    d = np.diag(m)
    m[0, 0] = 2.0 * x[1]
    return d.sum() + m[0, 1]


def of_what_is_chosen(x: Any) -> Any:
    m = np.outer(x, x)
    d = np.diag(m if x[0] > 0.1 else m[1:])
    m[1, 1] = x[2] ** 2
    return d @ d


@pytest.mark.parametrize("f", [of_a_matrix, of_what_is_chosen], ids=lambda f: f.__name__)
def test_views_of_matrices(f: Any) -> None:
    x = numbers()[0]
    expected = [(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(6)]
    for _ in range(3):
        np.testing.assert_allclose(gradient(f, x)[0], expected, atol=1e-7)
