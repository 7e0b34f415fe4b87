"""What a loop makes anew in each round, beside what was stored before it; and stores of what has no derivative."""

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
def heat1(x, n=6, steps=4):
    u = [0.0] * n
    u[2] = x
    for _ in range(steps):
        new = [0.0] * n
        for i in range(1, n - 1):
            new[i] = u[i] + 0.1 * (u[i + 1] + u[i - 1] - 2 * u[i]) * x
        u = new
    return sum(u)


@structured
def heat2(x, n=6, steps=4):
    u = [0.0] * n
    u[2] = x
    for _ in range(steps):
        new = u[:]
        for i in range(1, n - 1):
            new[i] = u[i] + 0.1 * (u[i + 1] + u[i - 1] - 2 * u[i]) * x
        u = new
    return sum(u)


@structured
def heat3(x, n=6, steps=4):
    u = np.zeros((n, n))
    u[2, 2] = x
    for _ in range(steps):
        new = u.copy()
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                new[i, j] = u[i, j] + 0.1 * (u[i + 1, j] + u[i - 1, j] - 2 * u[i, j]) * x
        u = new
    return u.sum()


@structured
def outer_fresh(x, n=4):
    t = 0.0
    for e in range(3):
        u = [x] * n
        u[0] = x * e
        for _k in range(2):
            new = u[:]
            for i in range(n):
                new[i] = u[i] * 0.5 + u[i - 1] * x
            u = new
        t += u[0] + u[1]
    return t


@structured
def old_kept(x, n=3):
    u = [x] * n
    u[0] = 2 * x
    first = u
    for _k in range(2):
        new = [0.0] * n
        for i in range(n):
            new[i] = u[i] * x
        u = new
    return first[0] * u[0]


@structured
def pair(x, n=3):
    u = np.full(n, x)
    u[0] = 2 * x
    for _k in range(3):
        new = u.copy()
        new[1:] = u[:-1] * x
        u = new
    return u.sum()


@structured
def whilst(x, n=4):
    u = [x] * n
    u[0] = 1.0
    k = 0
    while u[0] < 20.0 and k < 10:
        new = [0.0] * n
        for i in range(n):
            new[i] = u[i] + u[i - 1] * x
        u = new
        k += 1
    return sum(u)


@structured
def two_bufs(x, n=4):
    u = [x] * n
    w = [1.0] * n
    u[0] = 2 * x
    w[1] = x
    for _k in range(3):
        a = [0.0] * n
        b = [0.0] * n
        for i in range(n):
            a[i] = u[i] + w[i - 1] * x
            b[i] = w[i] * u[i - 1]
        u, w = a, b
    return sum(u) * w[0]


@structured
def nosteps(x, n=4):
    u = [x] * n
    u[0] = 2 * x
    for _k in range(0):
        new = [0.0] * n
        u = new
    u[1] = x * u[0]
    return sum(u)


@structured
def intindex(x, n=4):
    ptr = [[0] * n for _ in range(n)]
    sc = [[0.0] * n for _ in range(n)]
    for i in range(1, n):
        for j in range(1, n):
            a, b = sc[i - 1][j] + x, sc[i][j - 1] + x * x
            if a < b:
                sc[i][j] = a
                ptr[i][j] = 1
            else:
                sc[i][j] = b
                ptr[i][j] = 2
    t = 0.0
    i = j = n - 1
    while i > 0 and j > 0:
        t += sc[i][j]
        if ptr[i][j] == 1:
            i -= 1
        else:
            j -= 1
    return t


@structured
def mixedvals(x, n=3):
    c = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            c[i][j] = x if i == j else i
    return sum(c[i][j] * (i + 1) for i in range(n) for j in range(n))


@structured
def memo(x):
    m = {}
    for k in range(6):
        m[k] = k * 2
        if k in m:
            m[k] += 1
    return x * m[3]


@structured
def fancy(x, n=5):
    m = np.zeros(n, bool)
    for i in range(0, n, 2):
        m[i] = True
    a = np.arange(1.0, n + 1) * x
    return a[m].sum()


@structured
def rep(x, n=4):
    u = [x, x * x] * n
    u[3] = x
    v = 2 * [x]
    return sum(u) * u[2] + v[0] * v[1]


@structured
def rep0(x):
    u = [x] * 0
    return x + sum(u)


@recorded
def hist(x, n=4):
    h = []
    u = [0.0] * n
    u[1] = x
    for k in range(3):
        new = [0.0] * n
        for i in range(n):
            new[i] = u[i] * x + k
        h.append(new)
        u = new
    u[0] = 5.0 * x
    return h[-1][0] * x + h[0][1]


@recorded
def after(x, n=4):
    u = [x] * n
    u[1] = x * x
    for _k in range(3):
        new = [0.0] * n
        for i in range(n):
            new[i] = u[i] * x + u[i - 1]
        u = new
    u[0] = u[1] * x
    return u[0] * u[1]


@recorded
def alias_after(x, n=3):
    u = [x] * n
    u[0] = 2 * x
    for _k in range(2):
        new = [u[i] * x for i in range(n)]
        new[1] = x
        u = new
    u[0] = 5.0 * x
    return new[0] * x


@recorded
def outer(x, n=4):
    t = 0.0
    u = [x] * n
    for e in range(3):
        u[0] = x * e
        for _k in range(2):
            new = [0.0] * n
            for i in range(n):
                new[i] = u[i] * 0.5 + u[i - 1] * x
            u = new
        t += u[0] + u[1]
    return t


@recorded
def conditional(x, n=4):
    u = [x] * n
    u[0] = x * 3
    for k in range(4):
        if k % 2:
            new = [0.0] * n
            for i in range(n):
                new[i] = u[i] * x
            u = new
    return u[0] + u[1]


@recorded
def old_changed(x, n=3):
    u = [x] * n
    u[0] = 2 * x
    first = u
    for _k in range(2):
        new = [0.0] * n
        for i in range(n):
            new[i] = u[i] * x
        first[1] = new[0]
        u = new
    return first[1] * u[0]


@recorded
def view_of_old(x, n=4):
    u = np.full(n, x)
    u[0] = 2 * x
    v = u[1:]
    for _k in range(3):
        new = u.copy()
        new[0] = v[0] * x + u[1]
        u = new
    u[1] = 7.0
    return u.sum() + v[0]


@recorded
def crossed(x, n=4):
    u = [x] * n
    w = [1.0] * n
    u[0] = 2 * x
    w[1] = x
    for _k in range(3):
        a = [0.0] * n
        for i in range(n):
            a[i] = u[i] + w[i - 1] * x
        u, w = w, a
    return sum(u) * w[0]


@recorded
def same_twice(x, n=4):
    u = [x] * n
    u[0] = 2 * x
    w = u
    for _k in range(3):
        a = [0.0] * n
        for i in range(n):
            a[i] = u[i] + w[i - 1] * x
        u = a
        w = a
    w[0] = 3.0
    return u[0] * x + w[1]


@recorded
def broken(x, n=4):
    u = [x] * n
    u[0] = 2 * x
    for k in range(5):
        new = [0.0] * n
        for i in range(n):
            new[i] = u[i] * x + u[i - 1]
        if k == 3:
            break
        u = new
    return sum(u)


@recorded
def table2(x, n=4):
    u = [[x] * n for _ in range(n)]
    u[0][1] = 2 * x
    for k in range(3):
        new = [[0.0] * n for _ in range(n)]
        for i in range(n):
            for j in range(n):
                new[i][j] = u[i - 1][j] * x + u[i][j - 1]
        for i in range(n):
            new[i][0] = k * x
        u = new
    u[1][1] = x
    return sum(sum(r) for r in u)


@recorded
def rowheld(x, n=3):
    c = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            c[i][j] = x * (i + j)
    rows = [c[0], c[1]]
    c[0][0] = x * 9
    return rows[0][0] * rows[1][1]


@recorded
def rowloop(x, n=3):
    c = [[x] * n for _ in range(n)]
    s = 0.0
    for i in range(1, n):
        prev = c[i - 1]
        for j in range(n):
            c[i][j] = prev[j] * x + j
        s += max(c[i])
    return s


@recorded
def seen_set(x):
    seen = [0] * 5
    out = []
    for i in range(8):
        seen[i % 5] += 1
        out.append(seen)
    return x * out[0][2]


@recorded
def seen_copies(x):
    seen = [0] * 5
    out = []
    for i in range(8):
        seen[i % 5] += 1
        out.append(seen[:])
    return x * out[0][0] * out[7][2]


@recorded
def intarr(x, n=5):
    idx = np.zeros(n, dtype=int)
    keep = idx
    for i in range(n):
        idx[i] = i * 2 % n
    return x * keep[3] + idx.sum() * x


@recorded
def intarr2(x, n=5):
    idx = np.arange(n)
    a = np.full(n, x)
    for i in range(n):
        idx[i] = (i * 2) % n
        a[idx[i]] = a[idx[i - 1]] * x
    return a[idx].sum()


@recorded
def dict_then(x):
    d = {"a": 1}
    e = d
    for k in range(3):
        d["a"] = d["a"] + k
        d["b"] = k
    return x * e["a"]


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
