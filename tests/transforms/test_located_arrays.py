"""Arrays that others may have: masks, arrays of places, `out=`, parts of rank that follows from how they are made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .held_to_python import hold, hold_errors, hold_to_recorded


def vector() -> tuple[Any, ...]:
    return (np.linspace(0.31, 1.7, 9),)


def with_number() -> tuple[Any, ...]:
    return np.linspace(0.3, 1.7, 6), 2.0


def square() -> tuple[Any, ...]:
    return (np.linspace(0.1, 1.0, 12).reshape(3, 4).copy(),)


def forms(a: Any) -> Any:
    m = a.reshape(3, 3)
    d = m.T
    d[0] *= 2
    m[:, 1] += d[1]
    np.multiply(m, 0.5, out=m)
    rows = np.reshape(a, (3, -1))
    rows[2] = rows[0] * rows[1]
    return (np.sin(a)).sum()


def transposed(a: Any) -> Any:
    t = np.transpose(a)
    t[1] *= t[0]
    t.transpose()[2, 1:] -= a[0, 1:]
    a.reshape(2, 2, 3)[1, 1, 2] = 0.5
    return (a * a).sum()


def softmax(z: Any) -> Any:
    z -= z.max(axis=1, keepdims=True)
    np.exp(z, out=z)
    z /= z.sum(axis=1, keepdims=True)
    return -np.log(z[np.arange(3), [0, 2, 3]]).mean()


def picked(a: Any) -> Any:
    b = np.zeros(5)
    np.add.at(b, [0, 1, 1, 2, 4, 4, 4, 3, 0], a * a)
    a[a > 1.0] = 0.5 * a[a > 1.0]
    c = a.copy()
    c[[0, 2]] += b[:2]
    c[np.array([3, 1])] *= c[[1, 3]]
    return (c * c).sum() * b[4]


def picked_and_kept(a: Any) -> Any:
    """Entries that an index picks are an array of their own."""
    w = a[[0, 2, 2]]
    w[1] *= 3.0
    a[2] = w[1] * w[2]
    v = a[a > 0.5]
    v[:] = v * w[0]
    return (a * a).sum() + w.sum() * v.sum()


def picked_of_two(a: Any) -> Any:
    rows, columns = np.array([0, 2, 1]), [1, 1, 3]
    a[rows, columns] *= 2.0
    part = a[:, columns]
    part[0] += 1.0
    a[rows, 0] = part[2] * a[0, rows]
    return (a * part[1, 0]).sum() + part.sum()


def normalise(a: Any, scale: float = 1.0, *, eps: float = 1e-3, out: Any = None) -> Any:
    if out is None:
        out = a
    out /= np.sqrt((a * a).sum() + eps)
    out *= scale
    return out


def given_out(a: Any, s: float) -> Any:
    normalise(a)
    normalise(a, scale=s, eps=0.1)
    b = np.zeros(6)
    b += 1.0
    normalise(a, s, out=b)
    return (a * b).sum() + a[0]


def subtracted(a: Any, s: float) -> Any:
    b = a[1:4]
    np.subtract(b, s * a[0], out=b)
    np.maximum(a, 0.4, out=a)
    np.sqrt(a, a)
    return a @ a[::-1]


CASES = [
    (forms, vector), (transposed, square), (softmax, square), (picked, vector), (picked_and_kept, vector),
    (picked_of_two, square), (given_out, with_number), (subtracted, with_number),
]  # fmt: skip


@pytest.mark.parametrize(("f", "make"), CASES)
def test_programs(f: Any, make: Any) -> None:
    hold(f, make)


def test_one_array_twice() -> None:
    def f(rows: Any) -> Any:
        rows[0][[0, 2]] *= 2.0
        rows[1][rows[2] > 1.0] = rows[2][0]
        w = rows[2][np.array([1, 1])]
        w[0] = 3.0 * rows[1][0]
        return (rows[0] * rows[1]).sum() * w[0] + w[1]

    def make() -> tuple[Any, ...]:
        a = np.array([0.3, 1.2, 0.7])
        return ([a, np.array([1.5, 0.2, 0.6]), a],)

    hold_to_recorded(f, make)


def test_no_entries() -> None:
    def f(a: Any) -> Any:
        a[a > 100.0] = 0.0
        b = a[a > 100.0]
        b += a[0]
        a[1] = a[0] * 2.0
        return a.sum() + b.sum()

    hold(f, vector)


def test_an_error_half_way() -> None:
    def f(a: Any) -> Any:
        a[[0, 1]] *= 2.0
        a[a > 1.0] = 0.0
        return a[[0, 99]].sum()

    hold_errors(f, vector, IndexError)
