"""Solvers that work in the arrays and lists they are given: pivots, entries in one row, lists that are repeated."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.transforms import located_reads

from .held_to_python import hold, hold_errors


def system() -> tuple[Any, ...]:
    return np.array([[0.2, 1.5, 0.3], [1.7, 0.4, -0.6], [0.5, 0.9, 1.1]]), np.array([0.7, 1.2, 0.4])


def lu(a: Any, b: Any) -> Any:
    n = a.shape[0]
    order = np.arange(n)
    for k in range(n):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
            b[[k, p]] = b[[p, k]]
            order[k], order[p] = order[p], order[k]
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    for i in range(n):
        b[i] -= a[i, :i] @ b[:i]
    for i in range(n - 1, -1, -1):
        b[i] = (b[i] - a[i, i + 1 :] @ b[i + 1 :]) / a[i, i]
    return float((b * b).sum() + a[order[0], order[1]])


def rows_by_place(a: Any, b: Any) -> Any:
    """A whole number of NumPy's names a row, which is a view."""
    for _ in range(2):
        row = a[np.argmax(b)]
        row *= 0.5
        a[np.argmin(b)] += row
        b[np.argmax(b)] = row[1] ** 2
    steps = np.arange(0.0, 1.5, 0.5)
    steps *= b
    return float((a * steps).sum() + b.sum())


def flat(a: Any, b: Any) -> Any:
    a.flat[4] = b[0] * a[0, 0]
    kept = a.flat[5:8]
    a.flat[5:8] = b**2
    a.flat[[0, 2]] *= b[1]
    a.flat[::3] *= kept[0]
    a.flat[0] += a.flat[8]
    c = np.zeros((3, 3))
    c.flat[:] = a.flat[::-1]
    c.flat[a.flat[0:9] > 1.0] = b[2]
    b.flat = c[0, 1]
    return float((a**2).sum() + kept.sum() * c[1, 1] + (b * c).sum())


def rows_made_here(a: Any, b: Any) -> Any:
    """Rows of what is made here are parts of it, and so are those that a list holds."""
    c = a * 2.0
    for row in c:
        row *= b[0]
        row[0] += b[1]
    kept = c[1]
    for column in c.T[1:]:
        column -= kept[0] * b
    parts = [np.zeros(3), b * a[0, 0]]
    for part in parts:
        part += kept
        part[1:] *= part[0]
    a[0] = parts[1]
    return float((c**2).sum() + (a * parts[0]).sum() + kept.sum())


def pair() -> tuple[Any, ...]:
    return [0.7, 1.2], [[0.4, 0.9], [1.1, 0.3]]


def behind_itself(xs: list[float], rows: list[list[float]]) -> float:
    xs *= 3
    xs[4] = xs[0] * xs[5]
    rows *= 2
    rows[2][0] = xs[4] ** 2
    xs[1] *= 3
    return math.prod(xs) + math.fsum(xs) * sum([r[0] * r[1] for r in rows])


@pytest.mark.parametrize(
    ("f", "make"),
    [(lu, system), (rows_by_place, system), (flat, system), (rows_made_here, system), (behind_itself, pair)],
)
def test_programs(f: Any, make: Any) -> None:
    hold(f, make)


def test_flat_of_what_is_in_another_order() -> None:
    """What is no view in one row is recorded, and what Python repeats is."""

    def f(a: Any, b: Any) -> Any:
        a.T.flat[1] += a[0, 0] ** 2
        a.flat[0:4] = b[:2]
        return float((a**3).sum())

    a, b = system()
    found = gradient(f, a.copy(), b.copy())
    step = 1e-6

    def value(move: float) -> float:
        return float(f(a.copy(), b + move * np.array([1.0, 0.0, 0.0])))

    np.testing.assert_allclose(found[1][0], (value(step) - value(-step)) / (2 * step), rtol=1e-6)


def test_an_error_half_way() -> None:
    def f(a: Any, b: Any) -> Any:
        a.flat[2] *= 2.0
        a.flat[9] = b[0]
        return a.sum()

    hold_errors(f, system, IndexError)


def test_planted(monkeypatch: Any) -> None:
    """A part of what is in one row that sees later stores is found."""
    a, b = system()

    def f(a: Any, b: Any) -> Any:
        kept = a.flat[5:8]
        a.flat[5:8] = b**2
        return float(kept.sum() + a.sum())

    monkeypatch.setattr(located_reads, "FLAT", object())
    assert not np.allclose(gradient(f, a.copy(), b)[0].ravel()[5:8], 1.0)
