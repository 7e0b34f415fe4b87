"""Everyday programs: searches, sequences and sets."""

# ruff: noqa: B007, B905, E731, E741 - they stand as people write them

from __future__ import annotations

import collections
import itertools
import math
import random

import numpy as np
from everyday_table import program


@program([1.0, 2.0], 0.5)
def adam_tuples(w, lr):
    st = [(0.0, 0.0) for _ in w]
    w = list(w)
    for t in range(1, 20):
        for i, a in enumerate(w):
            g = 2 * a
            m, v = st[i]
            m = 0.9 * m + 0.1 * g
            v = 0.99 * v + 0.01 * g * g
            st[i] = (m, v)
            w[i] = a - lr * (m / (1 - 0.9**t)) / (math.sqrt(v / (1 - 0.99**t)) + 1e-08)
    return sum(w)


class Interval:
    def __init__(s, lo, hi):
        s.lo, s.hi = (lo, hi)

    def __add__(s, o):
        return Interval(s.lo + o.lo, s.hi + o.hi)

    def __mul__(s, o):
        p = [s.lo * o.lo, s.lo * o.hi, s.hi * o.lo, s.hi * o.hi]
        return Interval(min(p), max(p))

    @property
    def width(s):
        return s.hi - s.lo


@program(0.3, 0.5)
def intervals(a, b):
    x = Interval(a, a + b)
    y = Interval(-b, a)
    for _ in range(10):
        x = x * y + x
    return x.width


class LRU(collections.OrderedDict):
    def __init__(s, n):
        super().__init__()
        s.n = n

    def put(s, k, v):
        s[k] = v
        s.move_to_end(k)
        if len(s) > s.n:
            s.popitem(last=False)


@program(0.5)
def lru(x):
    c = LRU(3)
    for i in range(20):
        c.put(i % 5, x * i)
    return sum(c.values())


@program(0.5)
def coroutine(x):

    def worker():
        tot = 0.0
        while True:
            v = yield tot
            if v is None:
                return tot
            tot += v * v

    g = worker()
    next(g)
    for i in range(20):
        g.send(x * i)
    try:
        g.send(None)
    except StopIteration as e:
        return e.value


@program([0.1 * i for i in range(20)])
def chunks(xs):

    def chunk(it, n):
        it = iter(it)
        while c := list(itertools.islice(it, n)):
            yield c

    return sum(sum(c) ** 2 for c in chunk(xs, 3))


@program([0.1 * i for i in range(20)])
def roundrobin(xs):
    a, b = itertools.tee(xs)
    next(b, None)
    return sum((p * q for p, q in zip(a, b)))


@program([0.1 * i for i in range(20)], 0.5)
def ewma_gen(xs, a):

    def ew(it):
        m = None
        for v in it:
            m = v if m is None else a * v + (1 - a) * m
            yield m

    return sum(v * v for v in ew(xs))


@program([[0.1 * i * j for i in range(5)] for j in range(5)])
def det_rec(M):

    def det(A):
        if len(A) == 1:
            return A[0][0] + 1.0
        return sum((-1) ** j * A[0][j] * det([r[:j] + r[j + 1 :] for r in A[1:]]) for j in range(len(A)))

    return det(M)


@program([0.3, 0.5, 0.2])
def perms(p):
    return sum(math.prod((v ** (i + 1) for i, v in enumerate(q))) for q in itertools.permutations(p))


@program([0.3, 0.5, 0.2, 0.7])
def subsets(p):
    return sum(math.prod(c) for r in range(1, 4) for c in itertools.combinations(p, r))


@program("GATTACA" * 3, 0.3)
def needle(s, g):
    t = s[::-1]
    sc = {(a, b): 1.0 if a == b else -g for a in "GATC" for b in "GATC"}
    D = np.zeros((len(s) + 1, len(t) + 1))
    for i in range(1, len(s) + 1):
        for j in range(1, len(t) + 1):
            D[i, j] = max(D[i - 1, j - 1] + sc[s[i - 1], t[j - 1]], D[i - 1, j] - g, D[i, j - 1] - g, 0.0)
    return float(D.max())


@program(0.5, 0.2)
def sir_events(beta, gamma):
    r = random.Random(3)
    S, I, R = (50.0, 1.0, 0.0)
    t = 0.0
    hist = []
    while I > 0.5 and t < 20:
        rate = beta * S * I / 51 + gamma * I
        t += -math.log(r.random()) / rate
        if r.random() < beta * S * I / 51 / rate:
            S -= 1
            I += 1
        else:
            I -= 1
            R += 1
        hist.append((t, I))
    return t + sum((b * (y - x) for (x, b), (y, _) in zip(hist, hist[1:])))


@program([(0.1 * i, 0.2 * i % 1) for i in range(12)])
def hull(ps):
    ps = sorted(ps)
    up = []
    for p in ps:
        while (
            len(up) > 1
            and (up[-1][0] - up[-2][0]) * (p[1] - up[-2][1]) - (up[-1][1] - up[-2][1]) * (p[0] - up[-2][0]) <= 0
        ):
            up.pop()
        up.append(p)
    return sum((math.hypot(a[0] - b[0], a[1] - b[1]) for a, b in zip(up, up[1:])))


@program([0.3 * i % 1 for i in range(20)], 3)
def kmeans(xs, k):
    c = list(xs[:k])
    for _ in range(5):
        g = [[] for _ in range(k)]
        for x in xs:
            g[min(range(k), key=lambda j: (x - c[j]) ** 2)].append(x)
        c = [sum(v) / len(v) if v else c[j] for j, v in enumerate(g)]
    return sum(a * a for a in c)


class Tape:
    def __init__(s):
        s.ops = []

    def rec(s, f, *a):
        s.ops.append((f, a))

    def play(s, x):
        for f, a in s.ops:
            x = f(x, *a)
        return x


@program(0.5)
def tape(x):
    t = Tape()
    t.rec(lambda v, k: v * k, 2.0)
    t.rec(lambda v, k, b: v * k + b, x, 0.1)
    t.rec(math.sin)
    return sum(t.play(x * i) for i in range(10))


@program(0.5)
def strategy_cls(x):

    class S:
        def __init__(s, k):
            s.k = k

        def f(s, v):
            return s.k * v

    class T(S):
        def f(s, v):
            return super().f(v) + 1

    return sum(o.f(x) for o in [S(x), T(2.0)] * 10)
