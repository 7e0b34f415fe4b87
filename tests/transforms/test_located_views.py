"""Views of arrays that others may have: stores through one form of an array are seen through all others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.ir import located as memory
from adjoint.tangents import located as shadows

from .held_to_python import hold, hold_errors


def cube() -> tuple[Any, ...]:
    return np.linspace(0.2, 1.6, 12).reshape(2, 3, 2).copy(), 0.8


def square() -> tuple[Any, ...]:
    return np.linspace(0.3, 1.7, 9).reshape(3, 3).copy(), np.array([0.7, 1.2, 0.4])


def vector() -> tuple[Any, ...]:
    return np.linspace(0.3, 1.7, 6), 0.8


def axes_moved(c: Any, x: Any) -> Any:
    np.moveaxis(c, 0, -1)[1] *= x
    np.rollaxis(c, 2)[1] += c[0, 0, 0]
    np.swapaxes(c, axis1=0, axis2=2)[1, 2] = c[1, 0]
    np.rot90(c)[0, 1] *= c[0, 1, 1]
    return float((c**3).sum())


def axes_added(u: Any, x: Any) -> Any:
    np.expand_dims(u, (0, 1))[0, 0, 1:] *= x
    np.atleast_2d(u)[0, 0] = u[2] ** 2
    column = np.expand_dims(u, axis=1)
    column[1:] += column[0]
    np.squeeze(column, axis=1)[2] *= u[0]
    return float((u**2).sum() * np.atleast_3d(u)[0, 1, 0])


def diagonals(a: Any, v: Any) -> Any:
    d, above = a.diagonal(), np.diagonal(a, offset=1)
    before = d.sum() * above[0]
    a[1] = v * before
    a[0, 0] *= d[1]
    return float((d**2).sum() * before + above @ above)


def broadcast(u: Any, x: Any) -> Any:
    rows = np.broadcast_to(u, (3, 6))
    columns = np.broadcast_to(u[:3, None], (3, 4))
    before = rows[1] @ rows[2] + columns[1].sum() + columns[:, 1] @ rows[:, 2]
    u[1:] *= x
    u[0] = rows[2, 3] ** 2 + columns[2, 2]
    return float((rows**2).sum() + (columns[1:, 1:] * rows[1:, 2:5]).sum() + before)


def windows(u: Any, x: Any) -> Any:
    three = np.lib.stride_tricks.sliding_window_view(u, 3)
    before = three.sum() + three[1, 1] * three[2, 0]
    u[1] = x * u[0]
    u[2:] **= 2
    for row in three:
        u[0] += row[0] * row[2]
    return float((three[:, 0] * three[1:3, 1:].sum()).sum() * before)


def real_parts(u: Any, x: Any) -> Any:
    u.real[1:] *= x
    np.real(u)[0] = u[2] ** 2
    return float((u**2).sum())


def unpacked(a: Any, v: Any) -> Any:
    p, q, r = a
    p += v
    q *= p
    r[1:] = q[:2] ** 2
    s, t, _ = a.T
    s -= t * r
    return float((a * a[::-1]).sum())


def converted(u: Any, x: Any) -> Any:
    v = np.asanyarray(u[1:], dtype=float)
    v *= x
    np.ascontiguousarray(u)[0] = v[0] ** 2
    np.asarray(u, dtype=np.float64)[2] += v[1]
    return float((u**2).sum())


def turned(u: Any, x: Any) -> Any:
    u[:] = u[::-1]
    u[1:4] = x * u[3:0:-1]
    u[::-2] = u[::2]
    return float((u**3).sum() + u[1])


def pivoted(a: Any, b: Any) -> Any:
    n = len(b)
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(a[i, k]))
        a[[k, p]] = a[[p, k]]
        b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    for i in reversed(range(n)):
        b[i] = (b[i] - a[i, i + 1 :] @ b[i + 1 :]) / a[i, i]
    return float((b * b).sum())


def by_copies(a: Any, v: Any) -> Any:
    """Of what no view has the form, `reshape` and `ravel` give a copy."""
    flat = a.T.reshape(-1)
    flat[:3] = v
    a *= flat[1]
    part = np.ravel(a[:, :2])
    part *= v[0]
    a[0] = v * part[2]
    inner = a[1:, 1:].reshape(4)
    a[1:, 1:] = (inner * part[0]).reshape(2, 2)
    again = inner.reshape(2, 2).T.ravel()
    inner[0] *= 3.0
    return float((flat * flat).sum() + (a**2).sum() * part.sum() + again @ inner)


def by_either(a: Any, v: Any) -> Any:
    """One statement gives a view in one round, and a copy in the next."""
    total = 0.0
    for m in (a, a.T, a[:, ::2], a[1:]):
        row = m.reshape(-1)
        row[1:3] *= v[0]
        m[0, 1] += row[2] * v[1]
        total += row.sum() ** 2
    return float(total + (a**2).sum())


def poisson(u: Any, x: Any) -> Any:
    """An implicit step in the inner of a grid, by a solve on a row."""
    m = np.eye(2) * (2.0 + x) - np.eye(2, k=1) * x
    for _ in range(3):
        rhs = u[1:-1, 1:-1].ravel()
        rhs += 0.1 * u[0, 1:-1].ravel()
        u[1:-1, 1:-1] = np.linalg.solve(m, rhs).reshape(1, 2)
        u[:, 0] = u[:, 1]
    return float((u**2).sum())


def grid() -> tuple[Any, ...]:
    return np.linspace(0.3, 1.7, 12).reshape(3, 4).copy(), 0.8


def system() -> tuple[Any, ...]:
    return np.array([[0.2, 1.5, 0.3], [1.7, 0.4, -0.6], [0.5, 0.9, 1.1]]), np.array([0.7, 1.2, 0.4])


CASES = [
    *((axes_moved, cube), (axes_added, vector), (diagonals, square), (broadcast, vector), (windows, vector)),
    *((real_parts, vector), (unpacked, square), (converted, vector), (turned, vector), (pivoted, system)),
    *((by_copies, square), (by_either, square), (poisson, grid)),
]


@pytest.mark.parametrize(("f", "make"), CASES)
def test_programs(f: Any, make: Any) -> None:
    hold(f, make)


def test_rows_that_are_not_there() -> None:
    def f(a: Any, v: Any) -> Any:
        a[0] *= v
        p, q = a
        p[:] = q
        return a.sum()

    hold_errors(f, square, ValueError)


def test_read_only() -> None:
    def f(a: Any, v: Any) -> Any:
        a[0] *= v
        a.diagonal()[0] = v[0]
        return a.sum()

    hold_errors(f, square, ValueError)


def test_crossing_parts() -> None:
    """NumPy copies where the one runs against the other, and only there."""
    u = np.arange(4.0)
    memory.check_order(u, slice(None), u[::-1])
    with pytest.raises(memory.MutationError):
        memory.check_order(u, slice(None, 2), u[::2])


def test_planted_copy(monkeypatch: Any) -> None:
    """What has come to a copy, and is not brought back, is found."""
    a, v = square()
    right = gradient(by_copies, a.copy(), v)
    monkeypatch.setattr(shadows.bring_back, "__code__", (lambda window, form, a, b: None).__code__)
    assert not np.allclose(gradient(by_copies, a.copy(), v)[0], right[0])
    monkeypatch.undo()
    np.testing.assert_allclose(gradient(by_copies, a.copy(), v)[0], right[0])


def test_planted(monkeypatch: Any) -> None:
    """Items of one place that do not each add are found."""

    def add_once(window: Any, d: Any) -> None:
        window += d

    def f(u: Any) -> Any:
        columns = np.broadcast_to(u[:, None], (6, 4))
        u[0] *= 2.0
        return float((columns[1:] ** 2).sum())

    u = vector()[0]
    expected = 8.0 * u * [0.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    np.testing.assert_allclose(gradient(f, u.copy())[0], expected)
    monkeypatch.setattr(shadows.add_to_whole, "__code__", add_once.__code__)
    assert not np.allclose(gradient(f, u.copy())[0], expected)
