"""Everyday programs: classes of numbers, tables and games."""

# ruff: noqa: B007, B905, E731, E741 - they stand as people write them

from __future__ import annotations

import bisect
import collections
import math
import operator
import random
import typing

import numpy as np
from everyday_table import program

rng = np.random.default_rng(0)


@program(rng.normal(size=(8, 8)), rng.normal(size=(3, 3)))
def conv(img, k):
    H, W = img.shape
    out = np.zeros((H - 2, W - 2))
    for i in range(H - 2):
        for j in range(W - 2):
            out[i, j] = np.sum(img[i : i + 3, j : j + 3] * k)
    return float(np.sum(np.maximum(out, 0)))


@program([0.5, 0.6], [[0.7, 0.3], [0.4, 0.6]], [[0.1, 0.4, 0.5], [0.6, 0.3, 0.1]], [0, 1, 2, 1, 0] * 5)
def hmm(pi, A, B, obs):
    al = [p * B[s][obs[0]] for s, p in enumerate(pi)]
    ll = 0.0
    for o in obs[1:]:
        al = [sum(al[r] * A[r][s] for r in range(2)) * B[s][o] for s in range(2)]
        z = sum(al)
        ll += math.log(z)
        al = [a / z for a in al]
    return ll


class Account:
    def __init__(s, b):
        s.balance = b
        s.log = []

    def deposit(s, x):
        s.balance += x
        s.log.append(("d", x))

    def withdraw(s, x):
        if x > s.balance:
            raise ValueError("no")
        s.balance -= x
        s.log.append(("w", x))


class Bank:
    def __init__(s):
        s.acc = {}

    def open(s, n, b):
        s.acc[n] = Account(b)
        return s.acc[n]

    def transfer(s, a, b, x):
        try:
            s.acc[a].withdraw(x)
        except ValueError:
            return False
        s.acc[b].deposit(x * 0.99)
        return True


@program(100.0, 3.0)
def bank(b, x):
    k = Bank()
    k.open("a", b)
    k.open("b", b / 2)
    n = 0
    for i in range(60):
        n += k.transfer("a" if i % 3 else "b", "b" if i % 3 else "a", x * i * 0.1)
    return k.acc["a"].balance * k.acc["b"].balance + sum((x for t, x in k.acc["a"].log if t == "d"))


class Spline:
    def __init__(s, xs, ys):
        s.xs, s.ys = (xs, ys)

    def __call__(s, x):
        i = min(max(bisect.bisect_right(s.xs, x) - 1, 0), len(s.xs) - 2)
        t = (x - s.xs[i]) / (s.xs[i + 1] - s.xs[i])
        return s.ys[i] * (1 - t) + s.ys[i + 1] * t


@program([0.5 * i for i in range(10)], [math.sin(i) for i in range(10)], 0.3)
def spline(xs, ys, a):
    f = Spline(xs, ys)
    return sum(f(a * i * 0.2) ** 2 for i in range(50))


class Tok(typing.NamedTuple):
    kind: str
    val: object


def lex(s):
    for t in s.split():
        yield (Tok("num", float(t)) if t[0].isdigit() else Tok("name", t) if t.isalpha() else Tok("op", t))


@program("a b * 2.5 + a 3 * - b *", 0.5, 0.7)
def rpn(src, a, b):
    env = {"a": a, "b": b}
    ops = {"+": operator.add, "-": operator.sub, "*": operator.mul}
    st = []
    for t in lex(src):
        if t.kind == "num":
            st.append(t.val)
        elif t.kind == "name":
            st.append(env[t.val])
        else:
            y = st.pop()
            x = st.pop()
            st.append(ops[t.val](x, y))
    return st[0]


class Cell:
    def __init__(s, f=None, v=None):
        s.f, s.v = (f, v)


class Sheet:
    def __init__(s):
        s.c = {}

    def set(s, n, x):
        s.c[n] = x

    def get(s, n):
        x = s.c[n]
        return x(s) if callable(x) else x


@program(0.5)
def sheet(x):
    s = Sheet()
    s.set("a", x)
    s.set("b", lambda s: s.get("a") ** 2)
    s.set("c", lambda s: s.get("a") * s.get("b") + 1)
    return sum(s.get("c") * i for i in range(20))


class Ising:
    def __init__(s, J, n):
        s.J = J
        s.s = [1 if i % 3 else -1 for i in range(n)]

    def energy(s):
        return -s.J * sum((a * b for a, b in zip(s.s, s.s[1:])))


@program(0.5)
def ising(J):
    m = Ising(J, 20)
    r = random.Random(1)
    e = 0.0
    for _ in range(50):
        i = r.randrange(20)
        m.s[i] *= -1
        if r.random() > 0.5:
            m.s[i] *= -1
        e += m.energy()
    return e


@program(0.3, 1.5)
def shooting(v, a):

    def traj(v0):
        x, y, vy = (0.0, 0.0, v0)
        while y >= 0 and x < 50:
            x += 0.1
            y += 0.1 * vy
            vy -= 0.05 * a
        return (x, y)

    lo, hi = (0.0, 3.0)
    for _ in range(10):
        mid = (lo + hi) / 2
        x, y = traj(mid + v)
        if x < 20:
            lo = mid
        else:
            hi = mid
    return traj(v + 1.0)[1] * v


class Node2:
    def __init__(s, val):
        s.val = val
        s.kids = []

    def add(s, *k):
        s.kids.extend(k)
        return s

    def walk(s):
        yield s
        for k in s.kids:
            yield from k.walk()


@program(0.5)
def walktree(x):
    root = Node2(x).add(Node2(x * x).add(Node2(2 * x), Node2(3.0)), Node2(x + 1).add(Node2(x**3)))
    return sum(n.val**2 * len(n.kids) for n in root.walk()) + max(n.val for n in root.walk())


@program([rng.normal(size=3) for _ in range(8)])
def nbody(ps):
    ps = [p.copy() for p in ps]
    vs = [np.zeros(3) for _ in ps]
    for _ in range(5):
        for i, p in enumerate(ps):
            a = sum(((q - p) / (np.dot(q - p, q - p) + 0.1) ** 1.5 for j, q in enumerate(ps) if j != i))
            vs[i] = vs[i] + 0.01 * a
        for i in range(len(ps)):
            ps[i] = ps[i] + 0.01 * vs[i]
    return float(sum(np.dot(p, p) for p in ps))


class Units:
    def __init__(s, v, u):
        s.v, s.u = (v, u)

    def __add__(s, o):
        if s.u != o.u:
            raise TypeError(f"{s.u}+{o.u}")
        return Units(s.v + o.v, s.u)

    def __mul__(s, o):
        return Units(s.v * o.v, s.u + o.u) if isinstance(o, Units) else Units(s.v * o, s.u)

    def __lt__(s, o):
        return s.v < o.v


@program(0.5)
def units(x):
    t = Units(0.0, "m")
    for i in range(50):
        t = t + Units(x * i, "m") * 0.5
    return max(t, Units(1.0, "m")).v


class Bag:
    def __init__(s):
        s.items = []

    def __iadd__(s, x):
        s.items.append(x)
        return s

    def __len__(s):
        return len(s.items)

    def __iter__(s):
        return iter(s.items)

    def __contains__(s, x):
        return x in s.items

    def __bool__(s):
        return bool(s.items)


@program(0.5)
def bag(x):
    b = Bag()
    for i in range(50):
        b += x * i
    return sum(v * v for v in b) / len(b) if b else 0.0


@program(3.0)
def whileq(x):
    q = collections.deque([(x, 0)])
    s = 0.0
    while q:
        v, d = q.popleft()
        s += v * v
        if d < 4:
            q.append((v * 0.5, d + 1))
            q.append((v * 0.3 + x * 0.1, d + 1))
    return s
