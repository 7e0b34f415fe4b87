"""Everyday programs: arrays and grids."""

# ruff: noqa: B007, B905, E731, E741 - they stand as people write them

from __future__ import annotations

import numpy as np
from everyday_table import program

rng = np.random.default_rng(0)


@program(rng.normal(size=(12, 12)), 0.1)
def heat(u, k):
    u = u.copy()
    for _ in range(20):
        lap = np.zeros_like(u)
        lap[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        u += k * lap
    return float(np.sum(u * u))


@program(rng.normal(size=(8, 8)))
def jacobi_loops(f):
    n = f.shape[0]
    u = np.zeros((n, n))
    for _ in range(4):
        v = u.copy()
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                v[i, j] = 0.25 * (u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1] - f[i, j])
        u = v
    return float(np.sum(u))


@program(rng.normal(size=(8, 8)))
def gauss_seidel(f):
    n = f.shape[0]
    u = np.zeros((n, n))
    for _ in range(4):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                u[i, j] = 0.25 * (u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1] - f[i, j])
    return float(np.sum(u * u))


@program(
    {
        "Wf": rng.normal(size=(4, 7)),
        "Wi": rng.normal(size=(4, 7)),
        "Wc": rng.normal(size=(4, 7)),
        "Wo": rng.normal(size=(4, 7)),
    },
    rng.normal(size=(15, 3)),
)
def lstm(p, xs):
    h = np.zeros(4)
    c = np.zeros(4)
    sg = lambda z: 1 / (1 + np.exp(-z))
    for x in xs:
        z = np.concatenate([h, x])
        f, i, o = (sg(p[k] @ z) for k in ("Wf", "Wi", "Wo"))
        c = f * c + i * np.tanh(p["Wc"] @ z)
        h = o * np.tanh(c)
    return float(np.sum(h))


@program(rng.normal(size=(10, 8)), rng.normal(size=(8, 8)), rng.normal(size=(8, 8)), rng.normal(size=(8, 8)))
def attention(x, wq, wk, wv):
    q, k, v = (x @ wq, x @ wk, x @ wv)
    s = q @ k.T / np.sqrt(8)
    s = s - s.max(axis=1, keepdims=True)
    a = np.exp(s)
    a /= a.sum(axis=1, keepdims=True)
    return float(np.sum((a @ v) ** 2))


@program(rng.normal(size=(30, 2)), rng.normal(size=(3, 2)), np.ones(3) / 3)
def gmm(X, mu, w):
    ll = 0.0
    for x in X:
        t = [np.log(w[k]) - 0.5 * np.sum((x - mu[k]) ** 2) for k in range(len(w))]
        m = max(t)
        ll += m + np.log(sum(np.exp(v - m) for v in t))
    return ll


@program(rng.normal(size=(30, 2)), rng.normal(size=(3, 2)), np.ones(3) / 3)
def gmm_vec(X, mu, w):
    d = ((X[:, None] - mu[None]) ** 2).sum(-1)
    t = np.log(w) - 0.5 * d
    m = t.max(1)
    return float(np.sum(m + np.log(np.exp(t - m[:, None]).sum(1))))


def rk45(f, y, t, t1, h, tol=0.0001):
    n = 0
    while t < t1 and n < 200:
        h = min(h, t1 - t)
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + 3 * h / 4, y + 3 * h / 4 * k2)
        y3 = y + h * (2 * k1 + 3 * k2 + 4 * k3) / 9
        k4 = f(t + h, y3)
        err = np.max(np.abs(h * (-5 * k1 / 72 + k2 / 12 + k3 / 9 - k4 / 8)))
        if err < tol:
            t = t + h
            y = y3
        h = h * min(2.0, max(0.3, 0.9 * (tol / (err + 1e-12)) ** (1 / 3)))
        n += 1
    return y


@program(1.2, 0.4)
def adaptive(a, b):
    return float(
        np.sum(
            rk45(
                lambda t, y: np.array([y[1], a * (1 - y[0] ** 2) * y[1] - b * y[0]]),
                np.array([1.0, 0.0]),
                0.0,
                3.0,
                0.1,
            )
        )
    )


@program(rng.normal(size=5))
def newton_nd(x):
    for _ in range(6):
        F = x**3 - np.sin(x) + 0.1 * np.roll(x, 1) - 0.5
        J = np.diag(3 * x**2 - np.cos(x)) + 0.1 * np.roll(np.eye(5), -1, axis=1) + 2 * np.eye(5)
        x = x - np.linalg.solve(J, F)
    return float(np.sum(x))


@program(rng.normal(size=(4, 4)))
def power_it(A):
    A = A @ A.T
    v = np.ones(4)
    for _ in range(30):
        v = A @ v
        v = v / np.linalg.norm(v)
    return float(v @ A @ v)


@program(rng.normal(size=8), rng.normal(size=8))
def lbfgs(x0, b):
    A = np.diag(np.arange(1.0, 9))
    x = x0.copy()
    S = []
    Y = []
    g = A @ x - b
    for _ in range(6):
        q = g.copy()
        al = []
        for s, y in zip(reversed(S), reversed(Y)):
            a = s @ q / (y @ s)
            al.append(a)
            q -= a * y
        if S:
            q *= S[-1] @ Y[-1] / (Y[-1] @ Y[-1])
        for (s, y), a in zip(zip(S, Y), reversed(al)):
            q += (a - y @ q / (y @ s)) * s
        xn = x - 0.3 * q
        gn = A @ xn - b
        S.append(xn - x)
        Y.append(gn - g)
        if len(S) > 3:
            S.pop(0)
            Y.pop(0)
        x, g = (xn, gn)
    return float(x @ x)


@program(rng.normal(size=(10, 10)), 0.3, 0.4)
def bilinear(img, dx, dy):
    H, W = img.shape
    out = 0.0
    for i in range(H - 1):
        for j in range(W - 1):
            y = i + dy
            x = j + dx
            i0 = int(np.floor(y))
            j0 = int(np.floor(x))
            fy = y - i0
            fx = x - j0
            out += (
                (1 - fy) * (1 - fx) * img[i0, j0]
                + fy * fx * img[i0 + 1, j0 + 1]
                + fy * (1 - fx) * img[i0 + 1, j0]
                + (1 - fy) * fx * img[i0, j0 + 1]
            ) ** 2
    return out


@program(rng.normal(size=6), 0.3)
def deboor(c, x):
    t = np.array([0, 0, 0, 0, 0.3, 0.6, 1, 1, 1, 1.0])
    p = 3
    s = 0.0
    for xx in np.linspace(0.01, 0.99, 12):
        xx = xx * x / 0.3 if xx * x / 0.3 < 0.99 else 0.98
        k = np.searchsorted(t, xx, side="right") - 1
        d = [c[j + k - p] for j in range(p + 1)]
        for r in range(1, p + 1):
            for j in range(p, r - 1, -1):
                a = (xx - t[j + k - p]) / (t[j + 1 + k - r] - t[j + k - p])
                d[j] = (1 - a) * d[j - 1] + a * d[j]
        s += d[p]
    return float(s)


def mg(u, f, h):
    n = len(u)
    for _ in range(2):
        u[1:-1] = 0.5 * (u[2:] + u[:-2] - h * h * f[1:-1])
    if n <= 5:
        return u
    r = np.zeros(n)
    r[1:-1] = f[1:-1] - (u[2:] - 2 * u[1:-1] + u[:-2]) / h**2
    e = mg(np.zeros((n + 1) // 2), r[::2].copy(), 2 * h)
    u[::2] += e
    u[1::2] += 0.5 * (e[:-1] + e[1:])
    for _ in range(2):
        u[1:-1] = 0.5 * (u[2:] + u[:-2] - h * h * f[1:-1])
    return u


@program(rng.normal(size=33))
def multigrid(f):
    u = np.zeros(33)
    for _ in range(3):
        u = mg(u, f, 1 / 32)
    return float(np.sum(u * u))
