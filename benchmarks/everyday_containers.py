"""Everyday programs: containers, iterators and closures."""

# ruff: noqa: B007, B905, E731, E741 - they stand as people write them

from __future__ import annotations

import functools
import math

import numpy as np
from everyday_table import program

N = 300


@program(np.linspace(0, 1, 200))
def fromiter(a):
    return np.fromiter((math.sin(v) for v in a), float).sum()


@program({"a": 1.0, "b": {"c": [2.0, 3.0]}})
def tree(d):

    def walk(n):
        if isinstance(n, dict):
            return sum(walk(v) for v in n.values())
        if isinstance(n, list):
            return sum(map(walk, n))
        return n**2

    s = 0.0
    for _ in range(50):
        s += walk(d)
    return s


class Tree:
    def __init__(self, v, l=None, r=None):
        self.v, self.l, self.r = (v, l, r)


def build(n):
    return None if n == 0 else Tree(0.1 * n, build(n - 1), build(n - 1))


@program(build(7))
def treesum(t):
    return 0.0 if t is None else t.v**2 + 0.9 * treesum(t.l) + 0.8 * treesum(t.r)


class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)

    def pop(self):
        return self.items.pop()


@program(0.5)
def stackp(x):
    s = Stack()
    for i in range(N):
        s.push(x * i)
    t = 0.0
    while s.items:
        t += s.pop() ** 2
    return t


class Obs:
    def __init__(self):
        self.subs = []

    def on(self, f):
        self.subs.append(f)

    def fire(self, x):
        return sum(f(x) for f in self.subs)


@program(0.5)
def observer(x):
    o = Obs()
    o.on(math.sin)
    o.on(lambda v: v * x)
    o.on(math.cos)
    s = 0.0
    for _ in range(N):
        s += o.fire(x)
    return s


class Chain:
    def __init__(self):
        self.v = 1.0

    def add(self, x):
        self.v = self.v + x
        return self

    def mul(self, x):
        self.v = self.v * x
        return self


@program(0.5)
def fluent(x):
    c = Chain()
    for _ in range(N):
        c.add(x).mul(0.9)
    return c.v


class Param:
    def __init__(self):
        self._v = 1.0

    @property
    def value(self):
        return self._v

    @value.setter
    def value(self, v):
        self._v = max(v, 0.1)


@program(0.5)
def setter(x):
    p = Param()
    for i in range(N):
        p.value = p.value * 0.9 + x * i * 0.01
    return p.value


class Matrix:
    def __init__(self, rows):
        self.rows = rows

    def __matmul__(self, o):
        return Matrix([[sum((a * b for a, b in zip(r, c))) for c in zip(*o.rows)] for r in self.rows])

    def trace(self):
        return sum(self.rows[i][i] for i in range(len(self.rows)))


@program(Matrix([[0.1 * i + 0.2 * j for j in range(5)] for i in range(5)]))
def matpow(m):
    p = m
    for _ in range(5):
        p = p @ m
    return p.trace()


class Poly:
    def __init__(self, *c):
        self.c = c

    def __call__(self, x):
        r = 0.0
        for a in reversed(self.c):
            r = r * x + a
        return r

    def deriv(self):
        return Poly(*[i * a for i, a in enumerate(self.c)][1:])


@program(Poly(1.0, 2.0, 3.0, 4.0), 0.5)
def newton(p, x):
    d = p.deriv()
    for _ in range(N):
        x = x - 0.01 * p(x) / d(x)
    return x


@program(np.ones(5) * 0.3)
def gen_send(a):

    def avg():
        t = 0.0
        n = 0
        v = None
        while True:
            v = yield (t / n if n else 0.0)
            t += v
            n += 1

    g = avg()
    next(g)
    s = 0.0
    for i in range(N):
        s += g.send(a[i % 5] * i)
    return s


@program(0.5)
def dictstate(x):
    st = {"pos": 0.0, "vel": x, "hist": []}
    for _ in range(N):
        st["vel"] -= 0.01 * st["pos"]
        st["pos"] += 0.01 * st["vel"]
        st["hist"].append(st["pos"])
    return sum(st["hist"])


@program(0.5)
def strfmt(x):
    out = []
    for i in range(N):
        x = math.sin(x) + 0.5
        out.append(f"{i}: {x:.3f}")
    return x * len("\n".join(out))


@program(0.5)
def partials(x):
    f = functools.partial(lambda a, b, c: a * b + c, 2.0, c=x)
    s = 0.0
    for _ in range(N):
        s = f(s * 0.4) + x
    return s


@program(0.5)
def starargs(x):

    def f(*a, k=1.0, **kw):
        return sum(a) * k + sum(kw.values())

    s = 0.0
    for i in range(N):
        s += f(x, x * 2, i, k=x, z=x * i)
    return s


@program([0.3, 0.4, 0.5])
def comp(xs):
    s = 0.0
    for _ in range(50):
        s += sum(a * b for a in xs for b in xs if a != b) + sum({k: v * v for k, v in enumerate(xs)}.values())
    return s


@program(0.5)
def whiletry(x):
    n = 0
    it = iter([0.1] * N)
    while True:
        try:
            d = next(it)
        except StopIteration:
            break
        x = x * 0.99 + d
        n += 1
    return x * n
