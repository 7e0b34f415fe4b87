"""Everyday programs: solvers and networks of arrays."""

# ruff: noqa: B007, B905, E731, E741 - they stand as people write them

from __future__ import annotations

import collections

import numpy as np
from everyday_table import program

rng = np.random.default_rng(0)


@program(rng.normal(size=(6, 3)), 1.0, 1.0)
def lj(pos, eps, sig):
    e = 0.0
    for i in range(len(pos)):
        for j in range(i):
            r = np.linalg.norm(pos[i] - pos[j])
            s6 = (sig / r) ** 6
            e += 4 * eps * (s6 * s6 - s6)
    return e


@program(rng.normal(size=(6, 3)))
def lj_vec(pos):
    d = pos[:, None] - pos[None]
    i, j = np.triu_indices(6, 1)
    r2 = (d[i, j] ** 2).sum(-1)
    s = 1 / r2**3
    return float(np.sum(4 * (s * s - s)))


@program(rng.normal(size=(6, 3)), rng.normal(size=(6, 3)))
def leapfrog(x, v):

    def force(x):
        F = np.zeros_like(x)
        for i in range(len(x)):
            for j in range(len(x)):
                if i != j:
                    d = x[j] - x[i]
                    F[i] += d / (d @ d + 0.1) ** 1.5
        return F

    a = force(x)
    for _ in range(3):
        v = v + 0.005 * a
        x = x + 0.01 * v
        a = force(x)
        v = v + 0.005 * a
    return float(np.sum(v * v) - np.sum(x))


@program(rng.normal(size=20))
def tridiag(d):
    n = len(d)
    a = -np.ones(n - 1)
    c = -np.ones(n - 1)
    b = 2 + d**2
    b = b.copy()
    x = np.ones(n)
    for i in range(1, n):
        w = a[i - 1] / b[i - 1]
        b[i] -= w * c[i - 1]
        x[i] -= w * x[i - 1]
    x[-1] /= b[-1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - c[i] * x[i + 1]) / b[i]
    return float(np.sum(x))


@program(rng.normal(size=(5, 5)) + 5 * np.eye(5))
def chol_loops(A):
    A = A @ A.T
    n = len(A)
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j] - np.dot(L[i, :j], L[j, :j])
            L[i, j] = np.sqrt(s) if i == j else s / L[j, j]
    return float(np.sum(np.log(np.diag(L))))


@program(rng.normal(size=(20, 3)), rng.normal(size=3))
def masked(X, w):
    s = 0.0
    for x in X:
        z = x @ w
        if z > 0:
            s += np.log1p(np.exp(-z))
        else:
            s += -z + np.log1p(np.exp(z))
    return s


@program(rng.normal(size=16))
def fft_np(x):
    f = np.fft.fft(x)
    p = np.abs(f) ** 2
    k = np.arange(16)
    return float(np.sum(p * k) / np.sum(p))


@program(rng.normal(size=(4, 3)), [rng.normal(size=(3,)) for _ in range(10)], [0, 1, 2, 3] * 3)
def softmax_cls(W, xs, ys):
    l = 0.0
    for x, y in zip(xs, ys):
        z = W @ x
        z = z - np.max(z)
        l -= z[y] - np.log(np.sum(np.exp(z)))
    return l / len(xs)


@program(
    [rng.normal(size=(5, 4)), rng.normal(size=(5, 5)), rng.normal(size=(2, 5))],
    [rng.normal(size=5), rng.normal(size=5), rng.normal(size=2)],
    rng.normal(size=(4, 6)),
)
def mlp(Ws, bs, X):
    h = X
    for i, (W, b) in enumerate(zip(Ws, bs)):
        h = W @ h + b[:, None]
        if i < len(Ws) - 1:
            h = np.maximum(h, 0)
    return float(np.mean(h**2))


@program(
    [(rng.normal(size=(5, 4)), rng.normal(size=5)), (rng.normal(size=(2, 5)), rng.normal(size=2))], rng.normal(size=4)
)
def train_inner(ps, x):
    for _ in range(3):
        h = np.tanh(ps[0][0] @ x + ps[0][1])
        y = ps[1][0] @ h + ps[1][1]
        dy = 2 * y
        dW2 = np.outer(dy, h)
        dh = ps[1][0].T @ dy * (1 - h * h)
        ps = [(ps[0][0] - 0.01 * np.outer(dh, x), ps[0][1] - 0.01 * dh), (ps[1][0] - 0.01 * dW2, ps[1][1] - 0.01 * dy)]
    return float(np.sum(ps[1][0]))


@program(rng.normal(size=30))
def runlen(x):
    out = []
    cur = [x[0]]
    for a in x[1:]:
        if a * cur[-1] > 0:
            cur.append(a)
        else:
            out.append(np.mean(cur))
            cur = [a]
    out.append(np.mean(cur))
    return float(sum(v * v for v in out))


@program(rng.normal(size=(6, 6)))
def scf(h):
    h = h + h.T
    d = np.ones(6) / 6
    for _ in range(5):
        w, v = np.linalg.eigh(h + np.diag(d))
        d = 0.5 * d + 0.5 * np.sum(v[:, :3] ** 2, axis=1) / 3
    return float(np.sum(w[:3]))


@program(1.5, 0.2, [0.1 * i for i in range(10)])
def tmm(n, k, ds):
    M = np.eye(2, dtype=complex)
    for d in ds:
        p = 2 * np.pi * (n + 1j * k) * d
        M = M @ np.array([[np.cos(p), 1j * np.sin(p) / n], [1j * n * np.sin(p), np.cos(p)]])
    return float(np.abs(M[0, 0] / (M[0, 1] + 1)) ** 2)


@program(rng.normal(size=10), 0.4)
def hist_dict(x, b):
    d = collections.defaultdict(float)
    for v in x:
        d[int(v // b)] += v * v
    return float(sum((w * k for k, w in d.items())))


@program(rng.normal(size=(3, 4, 4)))
def blocks(B):
    M = np.zeros((12, 12))
    for i in range(3):
        M[4 * i : 4 * i + 4, 4 * i : 4 * i + 4] = B[i] + 5 * np.eye(4)
    for i in range(2):
        M[4 * i : 4 * i + 4, 4 * i + 4 : 4 * i + 8] = 0.1 * B[i]
    return float(np.linalg.slogdet(M)[1])


@program(rng.normal(size=(10, 3)))
def rec_kd(X):

    def build(P, d):
        if len(P) <= 2:
            return float(np.sum(P))
        o = np.argsort(P[:, d % 3])
        m = len(P) // 2
        return build(P[o[:m]], d + 1) * 0.5 + build(P[o[m:]], d + 1) + P[o[m], d % 3] ** 2

    return build(X, 0)
