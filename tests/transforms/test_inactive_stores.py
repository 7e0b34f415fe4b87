"""Counters, flags and places: stores into what has no derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import check_everywhere, slope

from adjoint import grad, hvp
from adjoint.derivatives.choice import is_structured_call

STRUCTURED: list[Callable[..., Any]] = []
RECORDED: list[Callable[..., Any]] = []


def structured(f: Callable[..., Any]) -> Callable[..., Any]:
    STRUCTURED.append(f)
    return f


def recorded(f: Callable[..., Any]) -> Callable[..., Any]:
    RECORDED.append(f)
    return f


@structured
def fancyidx(x):
    idx = np.zeros(3, int)
    a = np.arange(5.0) * x
    s = 0.0
    for i in range(3):
        idx[i] = i + 1
        s += (a[idx] * x).sum()
    return s


@structured
def maskidx(x):
    m = np.zeros(5, bool)
    a = np.arange(5.0) * x
    s = 0.0
    for i in range(5):
        m[i] = i % 2 == 0
        s += (a[m] ** 2).sum() + np.where(m, a, 2 * a).sum()
    return s


@structured
def weights(x):
    w = np.zeros(4)
    s = 0.0
    for i in range(4):
        w[i] = i + 1.0
        s += (w * x).sum() * (w @ np.array([x, x * x, 1.0, 2.0]))
    return s


@structured
def helper_reads(x):
    def f(d, k, v):
        return v * d[k] + len(d)

    d = {}
    s = 0.0
    for i in range(4):
        d[i] = i * 2
        s = f(d, i, x) * x + s * d[0]
    return s


@structured
def helper_reads_later(x):
    w = [1, 2, 3]

    def f(w, v):
        t = v
        for a in w:
            t = t * a
        return t * v

    s = x
    for i in range(3):
        s = s + f(w, x)
        w[i] = w[i] * 2
    return s


@structured
def conditional_store(x):
    flag = [False] * 4
    s = x
    for i in range(4):
        if s > 0.5:
            flag[i] = True
        s = s * 0.7
    return sum(x * (i + 1) if f else x * x for i, f in enumerate(flag))


@structured
def exponents(x):
    p = np.zeros(3)
    for i in range(3):
        p[i] = i
    y = x**p
    p[1] = 5.0
    return y.sum() * p[1]


@structured
def nested_loops(x):
    vis = [0] * 4
    s = 0.0
    for k in range(3):
        for i in range(4):
            vis[i] += k
        for i in range(4):
            s += x * vis[i]
    return s


@structured
def swapint(x):
    p = [0, 1, 2, 3]
    v = [x, x * x, 1.0, 2.0]
    for i in range(3):
        p[i], p[3 - i] = p[3 - i], p[i]
    return v[p[0]] * v[p[1]] + v[p[3]]


@structured
def whilei(x):
    st = [0, 0]
    s = x
    while st[0] < 5:
        st[0] += 1
        st[1] = st[0] * 2
        s = s * 0.9 + x * st[1]
    return s


@structured
def table_none(x):
    best = [None] * 4
    for i in range(4):
        best[i] = i if i % 2 else None
    return sum(x * b for b in best if b is not None)


@structured
def tup(x):
    c = [(0, 0)] * 3
    for i in range(3):
        c[i] = (i, i + 1)
    return x * c[2][1] * c[1][0]


@structured
def txt(x):
    c = [""] * 3
    for i in range(3):
        c[i] = "ab"[:i]
    return x * len(c[2])


@structured
def fl32(x):
    w = np.zeros(3, np.float32)
    s = 0.0
    for i in range(3):
        w[i] = i + 0.1
        s += float(w[i]) * x
    return s


@recorded
def wlist(x):
    w = [0.0] * 4
    s = 0.0
    for i in range(4):
        w[i] = i + 1.0
        s += sum([a * x for a in w]) * sum(w)
    return s


@recorded
def both_names(x):
    c = [0] * 3
    d = c
    for i in range(3):
        c[i] = i * i
    return x * d[2]


@recorded
def dict_items(x):
    c = {}
    for i in range(5):
        c[i % 3] = i
    return sum(k * v * x for k, v in c.items()) + x ** len(c)


@recorded
def dict_get(x):
    c = {}
    s = 0.0
    for i in range(6):
        c[i % 3] = c.get(i % 3, 0) + 1
        s += x * c[i % 3]
    return s


@recorded
def str_keys(x):
    c = {}
    for w in ["a", "b", "a", "c", "a"]:
        if w in c:
            c[w] += 1
        else:
            c[w] = 1
    return x ** c["a"] * c["b"]


@recorded
def ten(x):
    q = np.zeros((3, 3), int)
    for i in range(3):
        q[i, :] = i
        q[:, 0] += 1
    return x * q.sum() + x * q[2, 0]


@recorded
def big(x):
    arr = np.ones(5)
    view = arr[1:]
    for i in range(5):
        arr[i] = i
    return view.sum() * x


@pytest.mark.parametrize("f", [*STRUCTURED, *RECORDED], ids=lambda f: f.__name__)
def test_right_in_all_ways(f: Any) -> None:
    check_everywhere(f, 0.7)


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_reversed_in_their_structure(f: Any) -> None:
    assert is_structured_call(f, (0.7,))


@pytest.mark.parametrize("f", [*STRUCTURED, *RECORDED], ids=lambda f: f.__name__)
def test_second_derivatives(f: Any) -> None:
    second = slope(grad(f), 0.7, 1e-5)
    assert grad(grad(f))(0.7) == pytest.approx(second, rel=1e-4, abs=1e-5)
    assert hvp(f, (0.7,), (2.0,))[0] == pytest.approx(2 * second, rel=1e-4, abs=1e-5)
