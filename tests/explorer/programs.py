"""Programs whose values and cotangents are compared, each with its arguments."""

# ruff: noqa: E702

import functools
import math
from collections import UserList
from dataclasses import dataclass

import numpy as np


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def norm(self):
        s = self.x * self.x + self.y * self.y
        return math.sqrt(s)


def helper(a, b):
    c = a * b
    return math.sin(c) + b


def straight(x, y):
    a = x * y
    b = a
    c = math.exp(b) - a / y
    d = 3.0
    return c * b + d


def loop(x, n):
    y = x
    for k in range(n):
        y = y * x + k
    return y


def branch(x, y):
    z = x * y
    if z > 1.0:
        z = z * z
        w = z + x
    else:
        w = x - z
    return w * z


def while_(x):
    n = 0
    y = x
    while y < 100.0:
        y = y * y + x
        n = n + 1
    r = y / n
    return r


def calls(x, y):
    u = helper(x, y)
    v = helper(u, x)
    return u * v


def closure(x, y):
    scale = x * 2.0

    def scaled(t):
        s = t * scale
        return s + y

    a = scaled(y)
    b = scaled(a)
    return a * b


def rebound(x):
    total = 0.0

    def add(t):
        nonlocal total
        total = total + t * x
        return total

    for k in range(3):
        got = add(x + k)
    return got * total


def objects(x, y):
    p = Point(x * y, y)
    n = p.norm()
    p.x = n * y
    return p.x * p.norm()


def taped(rows, y):
    rows[0] = y * rows[1]
    first = rows[0] * rows[0]
    rows.append(first)
    total = 0.0
    for row in rows:
        total = total + row * y
    return total


def arrays(w, x):
    h = np.tanh(x @ w)
    s = h.sum(axis=0)
    return (s * s).mean()


def stores(x):
    a = np.zeros(4)
    for i in range(4):
        a[i] = x * (i + 1)
    b = a * a
    b[1] = x
    c = b.sum()
    return c * x


def unpacked(x, y):
    a, (b, c) = x * y, (x + y, x - y)
    d = e = b * c
    d += a
    d *= e
    return d + a


def walrus(x):
    if (t := x * x) > 1.0:
        t = t * x
    return t + (u := t * 2.0) * u


def walrus_captured(x):
    w = (y := x * x) + 1.0

    def g(t):
        return t * y

    if (z := w * x) > 0.0:
        w = w + (lambda t: t * z)(x)
    return g(x) + w


def comprehension(x, n):
    xs = [x * k for k in range(n)]
    s = sum(xs)
    m = max(xs)
    return s * m


def attempt(x):
    try:
        y = math.sqrt(x)
        z = 1.0 / (y - y)
    except ZeroDivisionError:
        z = x * 3.0
    return z * y


def managed(x):
    with np.errstate(all="ignore"):
        y = np.exp(x)
        z = y * x
    return z + y


def squared(x):
    s = x * x
    return s


def cubed(x):
    return x * x * x


TABLE = {"squared": squared, "cubed": cubed}


def by_table(x, k):
    a = TABLE[k](x)
    b = a * TABLE["squared"](x)
    return b + x


@dataclass
class Doubled:
    def go(self, x):
        return x * 2.0


@dataclass
class Squared:
    def go(self, x):
        return x * x


def by_class(parts, x):
    t = x * 1.0
    for part in parts:
        t = t + part.go(x)
    return t * x


@functools.lru_cache
def cached(x):
    return math.sin(x) * x


def by_cache(x):
    a = cached(x)
    b = a * 2.0
    return b * x


def vectorized(xs):
    ys = np.vectorize(squared)(xs)
    s = (ys * xs).sum()
    return s


AT_RUN_TIME = [
    (by_table, (1.5, "cubed")),
    (by_class, ([Doubled(), Squared()], 1.5)),
    (by_cache, (1.5,)),
    (vectorized, (np.arange(1.0, 4.0),)),
]
"""Those of which only the run tells what they call."""

PROGRAMS = [
    *AT_RUN_TIME,
    (straight, (0.7, 1.3)),
    (loop, (1.2, 5)),
    (branch, (1.5, 2.0)),
    (branch, (0.5, 0.4)),
    (while_, (1.7,)),
    (calls, (0.4, 1.1)),
    (closure, (0.4, 1.1)),
    (rebound, (1.1,)),
    (objects, (1.5, 0.5)),
    (taped, (UserList([1.0, 2.0, 3.0]), 1.5)),
    (taped, ([1.0, 2.0, 3.0], 1.5)),
    (arrays, (np.arange(6.0).reshape(3, 2) / 7, np.arange(12.0).reshape(4, 3) / 9)),
    (stores, (1.3,)),
    (unpacked, (1.5, 0.5)),
    (walrus, (1.5,)),
    (walrus_captured, (1.5,)),
    (comprehension, (1.5, 4)),
    (attempt, (2.0,)),
    (managed, (0.8,)),
]
