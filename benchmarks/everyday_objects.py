"""Everyday programs: objects and their methods."""

# ruff: noqa: B007, B905, E731, E741 - they stand as people write them

from __future__ import annotations

import abc
import dataclasses
import enum
import functools
import math

from everyday_table import program

N = 300


class Layer(abc.ABC):
    @abc.abstractmethod
    def forward(self, x): ...

    def __call__(self, x):
        return self.forward(x)


class Dense(Layer):
    def __init__(self, w, b):
        self.w, self.b = (w, b)

    def forward(self, x):
        return self.w * x + self.b


class Act(Layer):
    def forward(self, x):
        return math.tanh(x)


class Res(Dense):
    def forward(self, x):
        return x + super().forward(x)


@program([Dense(0.5, 0.1), Act(), Res(0.3, 0.2)], 0.3)
def layers(ls, x):
    s = 0.0
    for _ in range(N):
        for l in ls:
            x = l(x)
        s += x
    return s


class Seq:
    def __init__(self, *ls):
        self.ls = ls

    def __call__(self, x):
        return functools.reduce(lambda a, l: l(a), self.ls, x)


@program(Seq(Dense(0.5, 0.1), Act(), Res(0.3, 0.2)), 0.3)
def seq(m, x):
    s = 0.0
    for _ in range(N):
        x = m(x)
        s += x
    return s


class Vec:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = (x, y)

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __sub__(self, o):
        return Vec(self.x - o.x, self.y - o.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def dot(self, o):
        return self.x * o.x + self.y * o.y

    def __abs__(self):
        return math.sqrt(self.dot(self))

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __iter__(self):
        yield self.x
        yield self.y

    def __len__(self):
        return 2

    def __eq__(self, o):
        return self.x == o.x

    def __matmul__(self, o):
        return self.dot(o)


@program(Vec(1.0, 0.2), Vec(0.0, 0.5))
def orbit(p, v):
    for _ in range(N):
        r = abs(p)
        v = v + p * (-0.01 / r**3)
        p = p + 0.01 * v
    return p.x + p.y


@program(Vec(1.0, 0.2), Vec(0.0, 0.5))
def orbit_unpack(p, v):
    s = 0.0
    for _ in range(N):
        a, b = p
        s += a * b + p[0] * len(p)
        p = p + v * 0.01
        s += p @ v
    return s


@program([Vec(1.0, 0.2) for _ in range(30)])
def sum_vecs(ps):
    return abs(sum(ps[1:], ps[0]))


@dataclasses.dataclass(frozen=True)
class P:
    x: float
    v: float

    @property
    def energy(self):
        return 0.5 * self.v**2 + 0.5 * self.x**2

    def step(self, dt):
        return dataclasses.replace(self, x=self.x + dt * self.v, v=self.v - dt * self.x)


@program(P(1.0, 0.2))
def frozen(p):
    e = 0.0
    for _ in range(N):
        p = p.step(0.01)
        e += p.energy
    return e


class Kind(enum.Enum):
    A = 1
    B = 2


@program(0.3, [Kind.A, Kind.B])
def enums(x, ks):
    for i in range(N):
        k = ks[i % 2]
        if k is Kind.A:
            x = math.sin(x) + x
        elif k == Kind.B:
            x = x * 0.9
    return x


@dataclasses.dataclass
class Circle:
    r: float


@dataclasses.dataclass
class Rect:
    w: float
    h: float


@program([Circle(1.0), Rect(1.0, 2.0)] * 20)
def match_area(shapes):
    s = 0.0
    for sh in shapes:
        match sh:
            case Circle(r=r):
                s += math.pi * r * r
            case Rect(w, h):
                s += w * h
            case _:
                raise ValueError
    return s


@functools.singledispatch
def area(sh):
    raise TypeError


@area.register
def _(sh: Circle):
    return math.pi * sh.r**2


@area.register
def _(sh: Rect):
    return sh.w * sh.h


@program([Circle(1.0), Rect(1.0, 2.0)] * 20)
def single(shapes):
    return sum(area(s) for s in shapes)


class Strat:
    def __init__(self):
        self.table = {"sin": self._s, "sq": self._q}

    def _s(self, x):
        return math.sin(x)

    def _q(self, x):
        return x * x

    def run(self, x, names):
        for n in names:
            x = self.table[n](x) + 0.1
        return x


@program(Strat(), 0.3, ["sin", "sq"] * 100)
def strategy(s, x, names):
    return s.run(x, names)


class Lazy:
    def __init__(self, w):
        self.w = w

    @functools.cached_property
    def norm(self):
        return math.sqrt(sum(a * a for a in self.w))

    def f(self, x):
        return sum(a * x for a in self.w) / self.norm


@program(Lazy([1.0, 2.0, 3.0] * 10), 0.5)
def cachedprop(m, x):
    return m.f(x) + m.f(x * x)
