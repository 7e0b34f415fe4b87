"""Programs that store into their own arguments, into what these hold, and into what they capture."""

# ruff: noqa: B007, SIM
import math
from dataclasses import dataclass

import numpy as np

R = np.random.default_rng(11)
V = np.array([0.7, -0.4, 1.3, 0.9])
W = np.array([0.2, 1.1, -0.6, 0.5])
M = R.normal(size=(4, 4)) * 0.5
SPD = M @ M.T + 3.0 * np.eye(4)
N = np.array([1, 0, 2, 1])


@dataclass
class State:
    x: np.ndarray
    v: np.ndarray


def st_entries(a):
    a[0] = 2 * a[0] * a[1]
    a[2] += a[0]
    return a.sum() * a[2]


def st_cholesky(a):
    n = a.shape[0]
    for j in range(n):
        for k in range(j):
            a[j, j] -= a[j, k] ** 2
        a[j, j] = np.sqrt(a[j, j])
        for i in range(j + 1, n):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
    s = 0.0
    for j in range(n):
        s += math.log(a[j, j])
    return 2.0 * s


def st_out(x, out):
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = x[i] * out[i - 1] + np.sin(x[i]) + 0.1 * out[i]
    return out[-1]


def st_hidden_markov(alphas, log_start, log_step, log_seen):
    alphas[0] = log_start + log_seen[0]
    for t in range(len(alphas) - 1):
        top = np.max(alphas[t])
        alphas[t + 1] = np.log(np.exp(alphas[t] - top) @ np.exp(log_step)) + top + log_seen[t + 1]
    top = np.max(alphas[-1])
    return top + np.log(np.sum(np.exp(alphas[-1] - top)))


def st_whole(a, b):
    a *= b
    a[:] = np.sin(a) + b[::-1]
    a[1:] += a[:-1] * b[1:]
    return np.sum(a * a)


def st_branches(a, b):
    if a[0] > 0.5:
        a[1] = a[0] * b[1]
    else:
        b[0] = a[1] ** 2
    for i in range(len(a)):
        if a[i] < 0.0:
            a[i] = b[i] * a[i]
        elif i > 2:
            b[i] = a[i - 1] * b[i] + b[0]
    return np.sum(a * b)


def st_while(a):
    k = 0
    while k < 3 and a[k] < 5.0:
        a[k + 1] = a[k] * a[k + 1] + 1.0
        k += 1
    return a[k] * a[0]


def st_steps(u, c):
    for _ in range(3):
        old = u.copy()
        for i in range(1, len(u) - 1):
            u[i] = old[i] + c * (old[i - 1] - 2 * old[i] + old[i + 1]) + 0.1 * u[i - 1] ** 2
    return np.sum(u**2)


def st_view(a):
    row, column = a[1], a[:, 2]
    row[0] = a[2, 2] * row[1]
    column *= row[0]
    a[0, 1:] = row[:-1] + column[1:]
    return np.sum(a * a) + row[2]


def st_shape(a):
    flat = a.reshape(-1)
    flat[5] = flat[0] * flat[3]
    return np.sum(a[1] * a[0])


def st_delayed(a, b):
    t = a * b
    a[0] = 5.0 * b[1]
    u = a + b
    a[1:] = t[1:] * u[:-1]
    return np.sum(t * a * u)


def fill(z, x, c):
    for i in range(len(z)):
        z[i] = x[i] * c + z[i] ** 2


def st_helper(a, b):
    fill(a, b, 0.7)
    fill(b[1:], a, 1.2)
    return np.sum(a * b)


def st_held(s):
    for k in range(3):
        s.v[k] -= 0.1 * s.x[k] ** 2
        s.x[k + 1] += 0.1 * s.v[k]
    return np.sum(s.x * s.v)


def st_in_tuple(pair, c):
    first, second = pair
    first[1] = second[0] * c
    second += first
    return np.sum(first * second)


def st_integers(a, counts):
    for k in range(len(counts)):
        counts[k] = counts[k] + k % 2
        a[counts[k] % 4] *= a[k]
    return np.sum(a) * counts[1]


def st_mask(a, b):
    a[a > 0.6] = b[0]
    b[b < 0.0] *= a[1]
    return np.sum(a * b)


def st_unused(a, b):
    a[0] = 1.0
    return b[0] * b[1]


def st_overwritten(a, b):
    for i in range(len(a)):
        a[i] = b[i]
    return np.sum(a * a)


PROGRAMS = {
    st_entries: (V,),
    st_cholesky: (SPD,),
    st_out: (V, W),
    st_hidden_markov: (np.zeros((3, 4)), V, M, M[:3]),
    st_whole: (V, W),
    st_branches: (V, W),
    st_while: (V,),
    st_steps: (V, 0.3),
    st_view: (M,),
    st_shape: (M,),
    st_delayed: (V, W),
    st_helper: (V, W),
    st_held: (State(V, W),),
    st_in_tuple: ((V, W), 0.6),
    st_integers: (V, N),
    st_mask: (V, W),
    st_unused: (V, W),
    st_overwritten: (V, W),
}
"""With arguments; these are copied before each call."""


def st_gives_it(a, c):
    a[1] = a[0] * c
    return a


def st_gives_several(a, b):
    a[1] = a[0] * b[2]
    return {"all": a, "sum": np.sum(a * b), "new": b * a[1]}


def st_gives_a_row(a):
    a[1] *= a[0]
    return a[1]


RESULTS = {st_gives_it: (V, 0.6), st_gives_several: (V, W), st_gives_a_row: (M,)}
