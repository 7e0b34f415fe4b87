"""Functions that are given memory with memory in it: they take what there is now."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from regressions.differences import check

from .held_to_python import hold, hold_errors, hold_to_recorded


def arrays() -> tuple[Any, ...]:
    a = np.linspace(0.3, 1.7, 4)
    return [a, a[::-1].copy()], 0.7


def rows() -> tuple[Any, ...]:
    return [[1.0, 2.0], [0.5, 0.1]], 0.7


def tree() -> tuple[Any, ...]:
    return {"w": np.array([0.3, 0.8]), "b": [1.5, 0.2]}, 0.7


def joined(ps: Any, k: float) -> Any:
    for p in ps:
        p -= k * p**2
    a = np.concatenate(ps)
    ps.append(a)
    b = np.stack([ps[0], ps[1][::-1]])
    ps[1][0] = b[0, 1]
    ps[2][3:5] = 0
    return (np.array(ps[:2]) * b).sum() + np.vstack((ps[0], ps[1])).sum() * a[2]


def taken_apart(m: Any, k: float) -> Any:
    m[0][0] *= k
    a = np.array(m)
    m[1][1] += a[0, 0] ** 2
    x, y = m
    x[1] = y[0] * 3.0
    p, q = m[0]
    z = list(m)
    z.append([p * q, k])
    z[2][0] *= 2.0
    w = list(z[0])
    w[0] = 7.0
    return np.sum(a @ np.array(m)) + z[2][0] * m[0][1] + sum(w)


def of_several_kinds(d: Any, k: float) -> Any:
    d["b"][0] *= k
    d["w"][1] += d["b"][0]
    pairs = [(d["w"], k), (d["w"], d["b"][1])]
    pairs[1][0][0] *= 2.0
    return np.concatenate([d["w"], d["w"][1:]]).sum() * np.array([p[0] for p in pairs]).sum() * d["b"][0]


CASES = [(joined, arrays), (taken_apart, rows), (of_several_kinds, tree)]


@pytest.mark.parametrize(("f", "make"), CASES)
def test_programs(f: Any, make: Any) -> None:
    hold(f, make)


def test_one_row_twice() -> None:
    def make() -> tuple[Any, ...]:
        row = np.array([0.3, 1.2, 0.7, 0.1])
        return [row, row, np.array([0.2, 0.4, 0.5, 0.8])], 0.7

    hold_to_recorded(joined, make)

    def make_rows() -> tuple[Any, ...]:
        row = [0.3, 1.2]
        return [row, row], 0.7

    hold_to_recorded(taken_apart, make_rows)


def listed_again(m: Any, k: float) -> Any:
    """A list of the same rows sees what is stored into them."""
    z = list(m)
    y = m[:]
    m[0][0] = k * k
    m.append(m[0])
    return sum([r[0] for r in z]) * len(y) + y[0][0] * k


def within_a_tuple(m: Any, k: float) -> Any:
    t = tuple(m)
    m[0][0] = k * k
    return t[0][0] * t[1][1]


def columns_that_change(m: Any, k: float) -> Any:
    s = 0.0
    for a, b in zip(*m):  # noqa: B905
        m[1][1] = a * k
        s += a * b
    return s


def sorted_rows(m: Any, k: float) -> Any:
    z = sorted(m)
    m[0][0] = k * k
    return z[0][0] * z[1][1] + z[1][0]


@pytest.mark.parametrize("f", [listed_again, within_a_tuple, columns_that_change, sorted_rows])
def test_what_shows_memory_sees_its_stores(f: Any) -> None:
    check(f, *rows())


def test_nothing_to_join() -> None:
    def f(ps: Any, k: float) -> Any:
        ps[0][:] = k
        return np.concatenate(ps[1:]).sum() * k

    hold_errors(f, lambda: ([np.array([0.3])], 0.7), ValueError)


def test_too_many_items() -> None:
    def f(m: Any, k: float) -> Any:
        m[0].append(k)
        a, b = m[0]
        return a * b

    hold_errors(f, rows, ValueError)


def replacing(m: Any, k: float) -> Any:
    m[0] = [5.0 * k, k]
    return k * k


def test_a_row_that_is_replaced_meanwhile() -> None:
    """`m[0][0] += v` stores into the row that was there before, and not into `m`."""

    def f(m: Any, k: float) -> Any:
        m[0][0] += replacing(m, k)
        return m[0][0] * k + m[1][0]

    def explicitly(m: Any, k: float) -> Any:
        row = m[0]
        row[0] = k * k
        m[0] = [7.0 * k]
        m[1] = m[0]
        m[0] = row
        return m[0][0] * m[1][0]

    hold(f, rows)
    hold(explicitly, rows)
