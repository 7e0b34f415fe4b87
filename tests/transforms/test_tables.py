"""Tables of lists that are filled in, `rows[i][j] = v`: in place where nobody else can see them."""

from __future__ import annotations

import math
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
def recurrence(x, n=6):
    c = [[0.0] * n for _ in range(n)]
    c[0][0] = x
    for i in range(1, n):
        for j in range(1, n):
            c[i][j] = c[i - 1][j - 1] * 0.9 + 0.1 * c[i][j - 1] * x + math.sin(x * i)
    return c[n - 1][n - 1] + c[2][3]


@structured
def gauss(x):
    m = [[2.0, x, 0.5], [x, 3.0, 0.1], [0.5, 0.1 * x, 4.0]]
    a = [row[:] for row in m]
    b = [1.0, 2.0, x]
    n = len(a)
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i][k] / a[k][k]
            for j in range(k, n):
                a[i][j] -= f * a[k][j]
            b[i] -= f * b[k]
    y = [0.0] * n
    for i in range(n - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, n):
            s -= a[i][j] * y[j]
        y[i] = s / a[i][i]
    return y[0] + y[1] * y[2]


@structured
def edit(x, s="kitten", t="sitting"):
    d = [[0.0] * (len(t) + 1) for _ in range(len(s) + 1)]
    for i in range(len(s) + 1):
        d[i][0] = i * x
    for j in range(len(t) + 1):
        d[0][j] = j * x
    for i in range(1, len(s) + 1):
        for j in range(1, len(t) + 1):
            cost = 0.0 if s[i - 1] == t[j - 1] else x * x
            d[i][j] = min(d[i - 1][j] + x, d[i][j - 1] + x, d[i - 1][j - 1] + cost)
    return d[len(s)][len(t)]


@structured
def dtw(x):
    a = [math.sin(x * i) for i in range(5)]
    b = [math.cos(x * i) for i in range(6)]
    n, m = len(a), len(b)
    D = [[math.inf] * (m + 1) for _ in range(n + 1)]
    D[0][0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            D[i][j] = abs(a[i - 1] - b[j - 1]) + min(D[i - 1][j], D[i][j - 1], D[i - 1][j - 1])
    return D[n][m]


@structured
def heat(x, n=6, steps=4):
    u = [[0.0] * n for _ in range(n)]
    u[2][2] = x
    for _ in range(steps):
        new = [[0.0] * n for _ in range(n)]
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                new[i][j] = u[i][j] + 0.1 * (u[i + 1][j] + u[i - 1][j] + u[i][j + 1] + u[i][j - 1] - 4 * u[i][j]) * x
        u = new
    return sum(sum(row) for row in u)


@structured
def aug(x, n=4):
    c = [[x] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            c[i][j] += x * i
            c[i][j] *= 1.0 + 0.1 * j
    return sum(c[i][i] for i in range(n)) + c[-1][0]


@structured
def matmul(x, n=3):
    a = [[x * i + j for j in range(n)] for i in range(n)]
    c = [[0.0 for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                c[i][j] += a[i][k] * a[k][j]
    return c[1][2]


@structured
def branch(x, n=4):
    c = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            if i == j:
                c[i][j] = x
            elif i < j:
                c[i][j] = c[j - 1][i] * x + 1.0
    t = 0.0
    for row in c:
        for v in row:
            t += v * v
    return t


@structured
def counts(x, n=5):
    vis = [[False] * n for _ in range(n)]
    t = x
    for i in range(n):
        for j in range(n):
            if not vis[i][j]:
                t = t * 0.99 + x
            vis[(i * 2) % n][j] = True
    return t


@structured
def rowsum(x, n=4):
    c = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            c[i][j] = x * i + sum(c[i - 1]) * 0.1
    return c[n - 1][n - 1]


@structured
def ragged(x, n=5):
    c = [[0.0] * (i + 1) for i in range(n)]
    for i in range(n):
        c[i][0] = c[i][i] = x
        for j in range(1, i):
            c[i][j] = c[i - 1][j - 1] + c[i - 1][j] * x
    return sum(c[-1])


@structured
def copyarg(x, m=((1.0, 2.0), (3.0, 4.0))):
    a = [list(r) for r in m]
    a[0][1] = x * a[1][0]
    a[1][1] = a[0][1] * x
    return a[0][1] * a[1][1]


@structured
def floyd(x, n=4):
    d = [[x * ((i * 3 + j * 5) % 7 + 1) if i != j else 0.0 for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i][k] + d[k][j] < d[i][j]:
                    d[i][j] = d[i][k] + d[k][j]
    return sum(map(sum, d))


@structured
def rowstored(x, n=3):
    c = [[x] * n for _ in range(n)]
    c[1] = [2 * x] * n
    c[1][2] = x * x
    c[0][0] = 3.0
    return c[1][1] * c[1][2] + c[0][0] * c[0][1]


@structured
def negative(x, n=3):
    c = [[x] * n for _ in range(n)]
    c[-1][-2] = x * x
    c[-1][-2] += c[n - 1][1] * 2
    return c[2][1] * c[-1][0]


@structured
def display(x):
    c = [[1.0, x], [x, 2.0]]
    c[0][1] = c[1][0] * x
    det = c[0][0] * c[1][1] - c[0][1] * c[1][0]
    return det


@structured
def branchy(x, n=4):
    c = [[0.0] * n for _ in range(n)]
    if x > 0.5:
        c[1][1] = x
    else:
        c[2][2] = 3 * x
    for i in range(n):
        if i % 2:
            c[i][0] = x * i
        else:
            c[i][1] += c[1][1]
    return sum(c[i][j] * (i + 2 * j) for i in range(n) for j in range(n))


@structured
def whiled(x, n=4):
    c = [[x] * n for _ in range(n)]
    k = 0
    while c[0][0] < 5.0:
        c[0][0] = c[0][0] * 1.5 + c[1][1] * x
        c[1][1] = c[0][0] * 0.1
        k += 1
        if k > 7:
            break
    return c[0][0] * c[1][1]


@structured
def mapped(x, n=3):
    c = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            c[i][j] = x * (i + 1) * (j + 2)
    return max(map(max, c)) + min(min(r) for r in c) + sum(a * b for a, b in zip(c[0], c[1], strict=False))


@structured
def transposed(x, n=3):
    c = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            c[i][j] = x * (i + 1) * (j + 2) ** x
    t = [[c[j][i] for j in range(n)] for i in range(n)]
    t[0][1] = c[0][1] * x
    return sum(sum(r) for r in t) * c[0][1]


@structured
def zipped(x, n=3):
    c = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            c[i][j] = x * (i + 1) * (j + 2) ** x
    return sum(a * b for a, b in zip(*c[:2], strict=False))


@structured
def copied(x, n=3):
    c = [[x * i * j for j in range(n)] for i in range(n)]
    d = [r.copy() for r in c]
    d[1][1] = 5.0 * x
    c[1][2] = x
    return d[1][1] * c[1][1] + d[1][2] * c[1][2]


@structured
def lud(x, n=3):
    a = [[x + i * j + (3.0 if i == j else 0.0) for j in range(n)] for i in range(n)]
    L = [[0.0] * n for _ in range(n)]
    U = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for k in range(i, n):
            s = 0.0
            for j in range(i):
                s += L[i][j] * U[j][k]
            U[i][k] = a[i][k] - s
        L[i][i] = 1.0
        for k in range(i + 1, n):
            s = 0.0
            for j in range(i):
                s += L[k][j] * U[j][i]
            L[k][i] = (a[k][i] - s) / U[i][i]
    d = 1.0
    for i in range(n):
        d *= U[i][i]
    return d


@structured
def gridint(x, n=4):
    g = [[(i * j) % 2 for j in range(n)] for i in range(n)]
    s = x
    for _t in range(2):
        for i in range(n):
            for j in range(n):
                if g[i][j] == 1:
                    s += x * 0.1
                g[i][j] = 1 - g[i][j]
    return s


@structured
def tri(x, n=4):
    T = [[0.0] * n for _ in range(n)]
    for i in range(n):
        T[i][0] = x ** (i + 1)
    for k in range(1, n):
        for i in range(n - k):
            T[i][k] = (4**k * T[i + 1][k - 1] - T[i][k - 1]) / (4**k - 1)
    return T[0][n - 1]


@recorded
def appended(x, n=6):
    c = []
    for _ in range(n):
        c.append([0.0] * n)
    for i in range(1, n):
        for j in range(1, n):
            c[i][j] = c[i - 1][j - 1] * 0.9 + math.sin(x * i)
    return c[n - 1][n - 1]


@recorded
def shared(x, n=3):
    row = [0.0] * n
    c = [row] * n
    c[0][1] = x
    return c[2][1] * x


@recorded
def alias(x, n=3):
    c = [[0.0] * n for _ in range(n)]
    r = c[1]
    c[1][2] = x
    return r[2] * x


@recorded
def swapped(x, n=3):
    c = [[x * i + j for j in range(n)] for i in range(n)]
    c[0], c[1] = c[1], c[0]
    c[0][2] = x * x
    return c[0][2] * c[1][2] + c[0][0]


@recorded
def rowstored_loop(x, n=3):
    c = [[x] * n for _ in range(n)]
    for i in range(n):
        c[i] = [2 * x * i] * n
        c[i][2] = x * x
    return c[1][1] * c[1][2] + c[0][0] * c[0][1]


@recorded
def inner_def(x, n=3):
    c = [[0.0] * n for _ in range(n)]

    def put(i, j, v):
        c[i][j] = v

    put(0, 1, x)
    put(1, 1, x * x)
    return c[0][1] * c[1][1]


@recorded
def arrays(x, n=3):
    c = [np.zeros(n) for _ in range(n)]
    for i in range(n):
        for j in range(n):
            c[i][j] = x * i + c[i - 1][j] * j
    return c[n - 1].sum()


@recorded
def lists_of_lists_of_lists(x, n=3):
    c = [[[0.0] * 2 for _ in range(n)] for _ in range(n)]
    for i in range(n):
        c[i][0][1] = x * i
        c[0][i][0] += x
    return c[1][0][1] * c[0][2][0]


@recorded
def dictrows(x):
    c = {"a": [0.0, 0.0], "b": [x, x]}
    for k in ("a", "b"):
        for j in range(2):
            c[k][j] = c["b"][j] * x + j
    return c["a"][1] * c["b"][0]


@recorded
def escaped(x, n=3):
    c = [[0.0] * n for _ in range(n)]
    keep = []
    for i in range(n):
        c[i][i] = x * i
        keep.append([r[:] for r in c])
    return keep[1][1][1] * keep[2][2][2] + sum(map(sum, keep[0]))


@recorded
def nan_start(x, n=3):
    c = [[None] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            c[i][j] = x if i == j or c[i - 1][j] is None else c[i - 1][j] * 2.0
    return c[2][2] * c[2][0]


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
