"""Everyday programs: functions, iterators and containers."""

# ruff: noqa: B007, B905, E731, E741 - they stand as people write them

from __future__ import annotations

import collections
import contextlib
import functools
import heapq
import itertools
import logging
import math
import random
import statistics
import time

import numpy as np
from everyday_table import program

N = 300


def timed(f):

    @functools.wraps(f)
    def w(*a, **k):
        t = time.perf_counter()
        y = f(*a, **k)
        w.total += time.perf_counter() - t
        return y

    w.total = 0.0
    return w


@timed
def inner(x):
    return math.sin(x) * x


@program(0.3)
def timed_calls(x):
    for _ in range(N):
        x = inner(x) + 0.1
    return x


def retry(n):

    def d(f):

        @functools.wraps(f)
        def w(*a):
            for i in range(n):
                try:
                    return f(*a)
                except ValueError:
                    if i == n - 1:
                        raise

        return w

    return d


@retry(3)
def safe(x):
    return math.sqrt(x)


@program(2.0)
def retried(x):
    for _ in range(N):
        x = safe(x) + 0.5
    return x


@contextlib.contextmanager
def timer(log):
    t = time.perf_counter()
    try:
        yield
    finally:
        log.append(time.perf_counter() - t)


@program(2.0)
def in_timer(x):
    log = []
    for _ in range(N):
        with timer(log):
            x = math.sin(x) + 0.5
    return x


class Tracker:
    def __enter__(self):
        self.n = 0
        return self

    def __exit__(self, *a):
        return False

    def add(self, x):
        self.n += 1
        return x


@program(2.0)
def in_manager(x):
    with Tracker() as t:
        for _ in range(N):
            x = math.sin(t.add(x)) + 0.5
    return x * t.n


log = logging.getLogger("q")


@program(2.0)
def logged(x):
    for i in range(N):
        x = math.sin(x) + 0.5
        if i % 100 == 0:
            log.debug("step %d %f", i, x)
    return x


@program([0.1 * i for i in range(N)])
def pipe(xs):

    def sq(it):
        for v in it:
            yield (v * v)

    def keep(it):
        for v in it:
            if v > 1:
                yield v

    return sum(keep(sq(xs)))


@program([0.1 * i for i in range(N)])
def windows(xs):
    s = 0.0
    for a, b, c in zip(xs, xs[1:], xs[2:]):
        s += (a - 2 * b + c) ** 2 + a * b
    return s


@program([0.1 * i for i in range(N)])
def pairw(xs):
    return sum(((b - a) ** 2 * a for a, b in itertools.pairwise(xs)))


@program([0.1 * i for i in range(N)])
def accum(xs):
    return sum(itertools.accumulate(xs, lambda a, b: 0.9 * a + b))


@program([0.1 * i for i in range(N)])
def stats(xs):
    return statistics.fmean(xs) + statistics.pstdev(xs)


@program([0.1 * i for i in range(N)])
def stats2(xs):
    return statistics.mean(xs) + statistics.variance(xs)


@program([0.1 * i for i in range(N)])
def sortedd(xs):
    return sum((i * v for i, v in enumerate(sorted(xs, key=lambda v: -v * v))))


@program([0.1 * i + 0.01 for i in range(N)])
def grouped(xs):
    d = collections.defaultdict(list)
    for i, v in enumerate(xs):
        d[i % 7].append(v)
    return sum(math.prod(vs) ** (1 / len(vs)) for vs in d.values())


@program([0.1 * i + 0.01 for i in range(N)])
def groupby(xs):
    return sum((sum(g) ** 2 for k, g in itertools.groupby(xs, key=lambda v: int(v))))


@program([0.1 * i + 0.01 for i in range(N)])
def heap(xs):
    h = []
    for v in xs:
        heapq.heappush(h, v * v)
    s = 0.0
    while len(h) > 1:
        a = heapq.heappop(h)
        b = heapq.heappop(h)
        s += a * b
        heapq.heappush(h, a + b)
    return s


@program(0.5)
def nonl(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v * x

    for i in range(N):
        add(i * x)
    return total


@program(0.5)
def counter_closure(x):

    def make():
        n = 0

        def inc():
            nonlocal n
            n += 1
            return n

        return inc

    c = make()
    s = 0.0
    for i in range(N):
        s += x**2 * c()
    return s


@program(1.5)
def memo(x):
    memo = {}

    def fib(n):
        if n < 2:
            return x
        if n not in memo:
            memo[n] = fib(n - 1) + 0.5 * fib(n - 2) * x
        return memo[n]

    return fib(100)


@program(0.5)
def rngpy(x):
    r = random.Random(0)
    s = 0.0
    for _ in range(N):
        s += math.exp(-x * r.gauss(0, 1) ** 2)
    return s


@program(np.linspace(0, 1, 20))
def ndenum(a):
    s = 0.0
    for i, v in np.ndenumerate(a):
        s += v * i[0]
    return s


@program(np.linspace(0, 1, 20).reshape(4, 5))
def along(a):
    return np.apply_along_axis(lambda r: np.sum(r * r), 1, a).sum()


@program(np.linspace(0, 1, 200))
def vect(a):
    return np.vectorize(lambda v: math.sin(v) if v > 0.5 else v)(a).sum()
