"""Programs with `prange`: what it runs side by side is none of their business."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

try:
    from numba import prange
except ImportError:
    prange = range

R = np.random.default_rng(3)
X, W, M = R.normal(size=7), R.normal(size=4), R.normal(size=(7, 4))


def sums(x, a):
    s, n = 0.5, 0
    for i in prange(len(x)):
        s += math.sin(a * x[i]) * x[i]
        n += 2
    return s * n


def rows(m, w):
    s = 0.0
    for i in prange(m.shape[0]):
        t = 0.0
        for j in range(m.shape[1]):
            t += m[i, j] * w[j]
        s += math.tanh(t) ** 2
    return s


def filled(x, a):
    y = np.empty_like(x)
    for i in prange(1, len(x) - 1):
        y[i] = math.exp(a * x[i]) * x[i - 1] + x[i + 1]
    y[0] = y[-1] = a
    return np.sum(y * y)


def bounded(x, a):
    """Bounds that are expressions."""
    s, two = a if len(x) > 3 else 0.1, np.zeros(2)
    for _ in prange(len(x if a > 0.0 else two)):
        s += 0.5 * a
    for _ in prange(len(two if a > 1.0 else x), len(x if a > 0.0 else two)):
        s += 0.25 * a
    return s * np.sum(x)


def stepped(x, a):
    s = 0.0
    for i in prange(len(x)):
        v = x[i]
        for k in range(3):
            v = v + 0.1 * math.sin(a * v) * k
        s += v * v
    return s


def ragged(x, a):
    """Not side by side: nobody knows before how much of it rounds keep."""
    s = 0.0
    for i in prange(len(x)):
        v = x[i]
        for k in range(1 + i % 3):
            v = v + 0.1 * math.sin(a * v) * k
        s += v * v
    return s


def chosen(x, a):
    s = 0.0
    for i in prange(len(x)):
        if x[i] > 0:
            s += x[i] ** 2 * a
        else:
            s += math.cos(x[i])
            if x[i] < -1:
                s += a
    return s


def all_pairs(x, m):
    s = 0.0
    for i in prange(len(x)):
        for j in range(m.shape[1]):
            s += x[i] * m[i, j] ** 2
    return s


def scattered(x, m):
    """Not side by side: rounds store where others do."""
    y = np.zeros(3)
    for i in prange(len(x)):
        y[i % 3] += x[i] * m[i, 0]
        y[i % 2] *= 1.5
    return np.sum(y**2)


def running(x, a):
    """Not side by side: what is carried is read."""
    s = 0.0
    for i in prange(len(x)):
        s += math.sin(s) * a + x[i]
    return s


def shifted(x, a):
    """Not side by side: a round reads what the one before has stored."""
    y = np.empty(len(x) + 1)
    y[0] = a
    for i in prange(len(x)):
        y[i + 1] = y[i] * x[i] + 1.0
    return y[-1]


def overlapping(x, a):
    """Not side by side: the rows overlap."""
    y = np.zeros(2 * len(x) + 2)
    for i in prange(len(x)):
        for j in range(3):
            y[i * 2 + j] = y[i * 2 + j] * a + x[i]
    return np.sum(y**2)


def largest(x, a):
    """Not side by side: the carried one is no sum."""
    s = -1e9
    for i in prange(len(x)):
        s = max(s, a * x[i])
    return s


def in_time(x, a):
    u = x.copy()
    new = x.copy()
    for _ in range(4):
        for i in prange(1, len(x) - 1):
            new[i] = u[i] + a * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        for i in prange(len(x)):
            u[i] = new[i]
    return np.sum(u**2)


def within(m, w):
    s = 0.0
    for i in prange(m.shape[0]):
        for j in prange(m.shape[1]):
            s += m[i, j] * math.exp(w[j])
    return s


def of_rows(m, w):
    out = np.zeros(m.shape[0])
    for i in prange(m.shape[0]):
        row = np.zeros(len(w))
        for j in range(len(w)):
            row[j] = m[i, j] * w[j]
        out[i] = np.sum(row * row)
    return np.sum(np.sqrt(out))


def empty(x, a):
    s = a
    for i in prange(5, len(x) - 3):
        s += x[i] * a
    return s


PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = [
    (sums, (X, 1.3)), (rows, (M, W)), (filled, (X, 0.4)), (bounded, (X, 1.3)), (stepped, (X, 0.7)), (chosen, (X, 1.1)),
    (all_pairs, (X, M)), (in_time, (X, 0.2)), (within, (M, W)), (of_rows, (M, W)), (empty, (X, 2.0)),
]  # fmt: skip
IN_ORDER: list[tuple[Any, tuple[Any, ...]]] = [
    (scattered, (X, M)), (running, (X, 0.3)), (shifted, (X, 0.8)), (overlapping, (X, 0.9)), (largest, (X, 1.5)),
    (ragged, (X, 0.7)),
]  # fmt: skip
