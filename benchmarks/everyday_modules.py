"""Everyday programs: modules, bodies and optimizers."""

# ruff: noqa: B007, B905, E731, E741 - they stand as people write them

from __future__ import annotations

import collections
import dataclasses
import math

import numpy as np
from everyday_table import program

rng = np.random.default_rng(0)


class Module:
    def params(self):
        for v in vars(self).values():
            if isinstance(v, np.ndarray):
                yield v
            elif isinstance(v, Module):
                yield from v.params()

    def __call__(self, *a):
        return self.forward(*a)


class Linear(Module):
    def __init__(self, i, o):
        self.W = rng.normal(size=(o, i)) * 0.3
        self.b = np.zeros(o)

    def forward(self, x):
        return self.W @ x + self.b


class MLP(Module):
    def __init__(self):
        self.l1 = Linear(3, 5)
        self.l2 = Linear(5, 2)

    def forward(self, x):
        return self.l2(np.tanh(self.l1(x)))


@program(MLP(), [rng.normal(size=3) for _ in range(10)])
def module(m, xs):
    s = 0.0
    for x in xs:
        s += np.sum(m(x) ** 2)
    return s + 0.01 * sum(np.sum(p * p) for p in m.params())


class Env:
    def __init__(self):
        self.s = np.zeros(2)
        self.t = 0

    def reset(self):
        self.s = np.array([1.0, 0.0])
        self.t = 0
        return self.s

    def step(self, a):
        self.s = self.s + 0.1 * np.array([self.s[1], -self.s[0] + a])
        self.t += 1
        return (self.s, -float(self.s @ self.s) - 0.01 * a * a, self.t >= 30, {})


class Policy:
    def __init__(self, k):
        self.k = k

    def act(self, s):
        return -float(self.k @ s)


@program(np.array([0.5, 0.3]))
def rl(k):
    env, pi = (Env(), Policy(k))
    s = env.reset()
    R = 0.0
    g = 1.0
    done = False
    while not done:
        a = pi.act(s)
        s, r, done, info = env.step(a)
        R += g * r
        g *= 0.99
    return R


@dataclasses.dataclass
class Body:
    m: float
    pos: np.ndarray
    vel: np.ndarray

    def kinetic(self):
        return 0.5 * self.m * float(self.vel @ self.vel)


class System:
    G = 1.0

    def __init__(self, bs):
        self.bodies = bs

    def accel(self, b):
        a = np.zeros(2)
        for o in self.bodies:
            if o is not b:
                d = o.pos - b.pos
                a += self.G * o.m * d / (np.linalg.norm(d) ** 3 + 0.1)
        return a

    def step(self, dt):
        acc = [self.accel(b) for b in self.bodies]
        for b, a in zip(self.bodies, acc):
            b.vel = b.vel + dt * a
            b.pos = b.pos + dt * b.vel

    @property
    def energy(self):
        return sum(b.kinetic() for b in self.bodies)


@program(1.0, 0.5)
def bodies(m1, m2):
    s = System(
        [
            Body(m1, np.array([0.0, 0.0]), np.array([0.0, 0.1])),
            Body(m2, np.array([1.0, 0.0]), np.array([0.0, -0.5])),
            Body(0.3, np.array([0.0, 2.0]), np.array([0.4, 0.0])),
        ]
    )
    for _ in range(10):
        s.step(0.01)
    return s.energy


class Graph:
    def __init__(self):
        self.nodes = {}
        self.edges = collections.defaultdict(list)

    def add(self, a, b, w):
        self.nodes.setdefault(a, 0.0)
        self.nodes.setdefault(b, 0.0)
        self.edges[a].append((b, w))

    def topo(self):
        seen = set()
        out = []

        def visit(n):
            if n in seen:
                return
            seen.add(n)
            for m, _ in self.edges[n]:
                visit(m)
            out.append(n)

        for n in list(self.nodes):
            visit(n)
        return out[::-1]


@program([0.1, 0.2, 0.3, 0.4, 0.5])
def dag(ws):
    g = Graph()
    for i, w in enumerate(ws):
        g.add("abcde"[i % 4], "bcdef"[i], w)
    v = {n: 1.0 for n in g.nodes}
    for n in g.topo():
        for m, w in g.edges[n]:
            v[m] += w * v[n]
    return v["f"] + v["e"]


class Cache:
    def __init__(self, f):
        self.f = f
        self.d = {}

    def __call__(self, n):
        if n not in self.d:
            self.d[n] = self.f(n)
        return self.d[n]


@program(0.7)
def cached_int(x):
    c = Cache(lambda n: x**n)
    return sum(c(i % 5) * i for i in range(40))


@program(0.7, 1.3)
def bezier(a, b):
    pts = [(0.0, 0.0), (a, b), (b, -a), (1.0, 1.0)]

    def at(t):
        p = list(pts)
        while len(p) > 1:
            p = [((1 - t) * x0 + t * x1, (1 - t) * y0 + t * y1) for (x0, y0), (x1, y1) in zip(p, p[1:])]
        return p[0]

    L = 0.0
    prev = at(0.0)
    for i in range(1, 21):
        q = at(i / 20)
        L += math.hypot(q[0] - prev[0], q[1] - prev[1])
        prev = q
    return L


@program([1.0, 2.0, 3.0, 4.0])
def horner_rev(c):
    s = 0.0
    for x in [0.1 * i for i in range(20)]:
        r = 0.0
        for a in c[::-1]:
            r = r * x + a
        s += r
    return s


@program({"lr": 0.1, "mom": 0.9}, [0.5, -0.3])
def sgd(cfg, w):
    v = [0.0] * len(w)
    w = list(w)
    for t in range(30):
        g = [2 * a + 0.1 * math.sin(a) for a in w]
        for i in range(len(w)):
            v[i] = cfg["mom"] * v[i] - cfg["lr"] * g[i]
            w[i] += v[i]
    return sum(a * a for a in w)
