"""Everyday programs: algorithms and networks."""

# ruff: noqa: B007, B905, E731, E741 - they stand as people write them

from __future__ import annotations

import collections
import dataclasses
import functools
import heapq
import math

import numpy as np
from everyday_table import program

rng = np.random.default_rng(0)


@program(rng.normal(size=(6, 6)) + 6 * np.eye(6))
def qr_gs(A):
    n = A.shape[0]
    Q = np.zeros((n, n))
    R = np.zeros((n, n))
    for j in range(n):
        v = A[:, j].copy()
        for i in range(j):
            R[i, j] = Q[:, i] @ A[:, j]
            v = v - R[i, j] * Q[:, i]
        R[j, j] = np.linalg.norm(v)
        Q[:, j] = v / R[j, j]
    return float(np.sum(np.log(np.diag(R))) + Q[0, 1])


@program([0.1 * i for i in range(32)])
def fft(xs):

    def f(x):
        n = len(x)
        if n == 1:
            return x
        e = f(x[::2])
        o = f(x[1::2])
        t = [complex(math.cos(2 * math.pi * k / n), -math.sin(2 * math.pi * k / n)) * o[k] for k in range(n // 2)]
        return [e[k] + t[k] for k in range(n // 2)] + [e[k] - t[k] for k in range(n // 2)]

    return sum((abs(z) ** 2 * i for i, z in enumerate(f([complex(x) for x in xs]))))


@program(0.5, "kitten sitting" * 2, "sitting kitten" * 2)
def softdp(c, a, b):
    d = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) + 1):
        d[i][0] = i * c
    for j in range(len(b) + 1):
        d[0][j] = j * c
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            d[i][j] = min(d[i - 1][j] + c, d[i][j - 1] + c, d[i - 1][j - 1] + (0 if a[i - 1] == b[j - 1] else 1.5 * c))
    return d[-1][-1]


G = {i: [((i * 3 + 1) % 12, 0.5 + 0.1 * i), ((i * 5 + 2) % 12, 1.0), ((i + 1) % 12, 0.7)] for i in range(12)}


@program({(i, j): w for i, js in G.items() for j, w in js})
def dijkstra(w):
    adj = collections.defaultdict(list)
    for (i, j), x in w.items():
        adj[i].append((j, x))
    dist = {0: 0.0}
    q = [(0.0, 0)]
    while q:
        d, i = heapq.heappop(q)
        if d > dist.get(i, math.inf):
            continue
        for j, x in adj[i]:
            nd = d + x
            if nd < dist.get(j, math.inf):
                dist[j] = nd
                heapq.heappush(q, (nd, j))
    return sum(dist.values())


@program({i: [j for j, _ in js] for i, js in G.items()}, 0.85)
def pagerank(g, d):
    n = len(g)
    r = {i: 1 / n for i in g}
    for _ in range(20):
        new = {i: (1 - d) / n for i in g}
        for i, out in g.items():
            for j in out:
                new[j] += d * r[i] / len(out)
        r = new
    return sum(r[i] * i for i in r)


@program(100.0, 0.2, 0.05)
def binomial(S, sig, r):
    n = 40
    dt = 1 / n
    u = math.exp(sig * math.sqrt(dt))
    d = 1 / u
    p = (math.exp(r * dt) - d) / (u - d)
    v = [max(S * u**j * d ** (n - j) - 100, 0.0) for j in range(n + 1)]
    for i in range(n - 1, -1, -1):
        v = [math.exp(-r * dt) * (p * v[j + 1] + (1 - p) * v[j]) for j in range(i + 1)]
    return v[0]


@dataclasses.dataclass
class Reaction:
    rate: float
    reactants: dict
    products: dict


@program(
    [
        Reaction(0.5, {"A": 1, "B": 1}, {"C": 1}),
        Reaction(0.2, {"C": 1}, {"A": 1, "B": 1}),
        Reaction(0.1, {"C": 2}, {"D": 1}),
    ],
    {"A": 1.0, "B": 2.0, "C": 0.0, "D": 0.0},
)
def reactions(rs, conc):
    c = dict(conc)
    for _ in range(60):
        rates = []
        for r in rs:
            v = r.rate
            for sp, n in r.reactants.items():
                v *= c[sp] ** n
            rates.append(v)
        for r, v in zip(rs, rates):
            for sp, n in r.reactants.items():
                c[sp] -= 0.01 * n * v
            for sp, n in r.products.items():
                c[sp] += 0.01 * n * v
    return c["D"] + c["C"]


class PID:
    def __init__(self, kp, ki, kd):
        self.kp, self.ki, self.kd = (kp, ki, kd)
        self.i = 0.0
        self.last = None

    def __call__(self, e, dt):
        self.i += e * dt
        d = 0.0 if self.last is None else (e - self.last) / dt
        self.last = e
        return self.kp * e + self.ki * self.i + self.kd * d


@program(1.0, 0.1, 0.05)
def pid(kp, ki, kd):
    c = PID(kp, ki, kd)
    y = 0.0
    J = 0.0
    for _ in range(200):
        u = c(1 - y, 0.05)
        y += 0.05 * (u - y)
        J += (1 - y) ** 2
    return J


class FIR:
    def __init__(self, taps):
        self.taps = taps
        self.buf = collections.deque([0.0] * len(taps), maxlen=len(taps))

    def __call__(self, x):
        self.buf.appendleft(x)
        return sum((t * b for t, b in zip(self.taps, self.buf)))


@program([0.2, 0.3, 0.5], [math.sin(0.1 * i) for i in range(100)])
def fir(taps, xs):
    f = FIR(taps)
    return sum(f(x) ** 2 for x in xs)


@program({"w": np.zeros(3), "b": 0.1}, [(rng.normal(size=3), float(i % 2)) for i in range(30)])
def logreg(p, data):
    s = 0.0
    for x, y in data:
        z = 1 / (1 + np.exp(-(x @ p["w"] + p["b"])))
        s -= y * np.log(z) + (1 - y) * np.log(1 - z)
    return s


class Quat:
    def __init__(s, w, x, y, z):
        s.w, s.x, s.y, s.z = (w, x, y, z)

    def __mul__(a, b):
        return Quat(
            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        )

    def conj(s):
        return Quat(s.w, -s.x, -s.y, -s.z)

    @classmethod
    def rot(cls, ang, axis):
        h = ang / 2
        return cls(math.cos(h), *[math.sin(h) * a for a in axis])


@program([0.1 * i for i in range(20)])
def quats(angs):
    q = Quat(1.0, 0.0, 0.0, 0.0)
    for i, a in enumerate(angs):
        q = q * Quat.rot(a, (0, 0, 1) if i % 2 else (1, 0, 0))
    v = q * Quat(0.0, 1.0, 2.0, 3.0) * q.conj()
    return v.x + v.y * v.z


class Dual:
    def __init__(s, v, d=0.0):
        s.v, s.d = (v, d)

    def __add__(s, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(s.v + o.v, s.d + o.d)

    __radd__ = __add__

    def __mul__(s, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(s.v * o.v, s.v * o.d + s.d * o.v)

    __rmul__ = __mul__


@program(0.5)
def duals(x):
    d = Dual(x, 1.0)
    s = Dual(0.0)
    for i in range(50):
        s = s * d * 0.5 + i
    return s.v + s.d


class Sparse:
    def __init__(s):
        s.d = {}

    def __setitem__(s, k, v):
        s.d[k] = v

    def __getitem__(s, k):
        return s.d.get(k, 0.0)

    def matvec(s, x):
        y = [0.0] * len(x)
        for (i, j), v in s.d.items():
            y[i] += v * x[j]
        return y


@program(0.5)
def sparse(a):
    m = Sparse()
    n = 20
    for i in range(n):
        m[i, i] = 2 + a
        if i:
            m[i, i - 1] = -a
            m[i - 1, i] = -1.0
    x = [1.0] * n
    for _ in range(3):
        x = m.matvec(x)
    return sum(v * v for v in x)


@program([2.0, 1.5, 0.5], np.linspace(0, 1, 15))
def em(mu, xs):
    mu = list(mu)
    for _ in range(5):
        resp = []
        for x in xs:
            ws = [math.exp(-((x - m) ** 2)) for m in mu]
            t = sum(ws)
            resp.append([w / t for w in ws])
        mu = [sum((r[k] * x for r, x in zip(resp, xs))) / sum(r[k] for r in resp) for k in range(len(mu))]
    return sum(mu)


Mat = collections.namedtuple("Mat", "a b c d")


def mm(p, q):
    return Mat(p.a * q.a + p.b * q.c, p.a * q.b + p.b * q.d, p.c * q.a + p.d * q.c, p.c * q.b + p.d * q.d)


@program([0.1 * i + 0.5 for i in range(20)])
def abcd(fs):
    m = functools.reduce(mm, [mm(Mat(1, f, 0, 1), Mat(1, 0, -1 / (f + 2), 1)) for f in fs])
    return m.a * m.d - m.b


@program([0.1 * i for i in range(6)])
def kin(q):
    T = np.eye(3)
    pts = []
    for a in q:
        T = T @ np.array([[math.cos(a), -math.sin(a), 1.0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
        pts.append(T[:2, 2])
    return float(sum(np.sum(p * p) for p in pts))


@dataclasses.dataclass
class Cfg:
    beta: float = 0.3
    gamma: float = 0.1
    days: int = 100


@dataclasses.dataclass
class State:
    s: float
    i: float
    r: float


@program(Cfg())
def sir(cfg):
    st = State(0.99, 0.01, 0.0)
    peak = 0.0
    for _ in range(cfg.days):
        new = cfg.beta * st.s * st.i
        rec = cfg.gamma * st.i
        st = State(st.s - new, st.i + new - rec, st.r + rec)
        peak = max(peak, st.i)
    return peak + st.r
