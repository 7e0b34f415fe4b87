"""Copies of states by the module `copy`, before and after stores into what they are of."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint.derivatives.choice import is_to_be_recorded

from .differences import check


class St:
    def __init__(self, x: float) -> None:
        self.x = x
        self.h = [x]


def nested(k: Any) -> float:
    m = {"w": [k, 2 * k], "b": {"c": k}}
    old = copy.deepcopy(m)
    m["w"][0] = m["w"][0] * 3
    return m["w"][0] + old["w"][0] + old["b"]["c"] ** 2


def best_object(k: Any) -> float:
    s = St(k)
    best = copy.deepcopy(s)
    for _ in range(10):
        s.x = s.x * 0.9 + 0.1 * k
        s.h.append(s.x)
        if s.x < best.x:
            best = copy.deepcopy(s)
    return best.x + sum(best.h)


def arrays(k: Any) -> float:
    a = np.array([k, 2 * k, 3.0])
    b = copy.deepcopy(a)
    a[0] = 5 * k
    c = copy.copy(a)
    c[1] *= k
    return float(a.sum() * b[0] + c[1])


def best_parameters(k: Any) -> float:
    p = {"w": np.ones(3) * k, "b": np.zeros(2)}
    best = None
    bl = 9.0
    for _ in range(8):
        p["w"] -= 0.1 * p["w"]
        p["b"] += k
        xs = float((p["w"] ** 2).sum() + (p["b"] - 1).sum() ** 2)
        if xs < bl:
            bl = xs
            best = copy.deepcopy(p)
    return bl + float(best["w"].sum() * best["b"][0])


def lists(k: Any) -> float:
    xs = [k, k * k, 3.0]
    m = copy.deepcopy(xs)
    m[0] *= 2
    n = copy.copy(xs)
    n[1] *= 3
    xs[0] = 7 * k
    return m[0] * n[1] + xs[0] * m[2]


def rows(k: Any) -> float:
    xs = [[k, k * k], [3.0, k]]
    m = copy.deepcopy(xs)
    m[0][0] *= 2
    n = copy.copy(xs)
    n[1][0] *= 3 * k
    return m[0][0] * n[1][0] + xs[1][0] * m[1][0]


def views(m: Any) -> float:
    t = m.T
    a = copy.copy(t)
    b = copy.deepcopy(m[:, ::-1])
    m[0, 0] *= 3
    t[1, 1] = m[0, 0]
    a[0] *= 2
    b.ravel()[0] = 5.0
    return float((a.ravel() * np.arange(6)).sum() + (b * m).sum())


def dicts(d: Any, xs: Any) -> float:
    c = copy.deepcopy(d)
    e = copy.copy(d)
    c["a"] *= 2
    d["b"] = c["a"] * e["b"]
    e["z"] = d["b"]
    l2 = copy.copy(xs)
    l2.append(d["a"])
    xs[0] *= 3
    del e["a"]
    return sum(c.values()) * sum(e.values()) + sum(l2) * xs[0] + sum(d.values())


def whole_numbers(x: Any, n: Any) -> float:
    m = copy.deepcopy(n)
    m[0] += 1
    n.append(5)
    y = copy.deepcopy(x)
    x[:] = [y[1] * m[0], y[0] * n[-1]]
    z = copy.copy(5.0 * y[0])
    return x[0] * x[1] + sum(y) * z


def best_list(x: Any) -> float:
    best = copy.copy(x)
    b = 9.0
    for k in range(5):
        x[k % 2] *= 0.8
        s = sum(v * v for v in x)
        if s < b * 0.9:
            best = copy.deepcopy(x)
            b = s
        x[0] += 0.05 * best[1]
    return b + best[0] * x[1]


def tuples(x: Any) -> float:
    t = copy.deepcopy(tuple(x))
    xs = copy.deepcopy([t, x])
    x[0] *= 2
    xs[1][1] *= 3
    return t[0] * xs[0][1] + xs[1][0] * xs[1][1] + x[0]


MATRIX = np.array([[0.5, 0.7, 0.9], [0.2, 0.4, 1.1]])
CASES: list[tuple[Callable[..., float], tuple[Any, ...], bool]] = [
    (nested, (0.5,), True),
    (best_object, (0.5,), True),
    (arrays, (0.5,), True),
    (best_parameters, (0.5,), True),
    (lists, (0.5,), True),
    (rows, (0.5,), True),
    (views, (MATRIX,), True),
    (dicts, ({"a": 0.5, "b": 0.7}, [0.3, 0.2]), True),
    (whole_numbers, ([0.5, 0.7], [1, 2]), True),
    (best_list, ([0.5, 0.7],), True),
    (tuples, ([0.5, 0.7],), False),
]


@pytest.mark.parametrize(("f", "args", "in_structure"), CASES, ids=lambda x: getattr(x, "__name__", None))
def test_value_state_and_gradient(f: Callable[..., float], args: tuple[Any, ...], in_structure: bool) -> None:
    for order in (1, 1, 2):
        check(f, *args, order=order, rtol=1e-5, atol=1e-6)
    assert is_to_be_recorded(f, args) is not in_structure
