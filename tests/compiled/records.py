"""Objects that programs make on the way."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

V = np.array([0.7, -0.4, 1.3])


class Pair(NamedTuple):
    first: float
    second: float = 2.0

    def product(self, c):
        return self.first * self.second * c


@dataclass
class State:
    x: float
    v: float = 0.5

    def moved(self, h):
        return State(self.x + h * self.v, self.v - h * self.x)


@dataclass
class Checked:
    x: float

    def __post_init__(self):
        self.x = abs(self.x)


@dataclass
class Many:
    x: float
    items: list = field(default_factory=list)


class Vector(NamedTuple):
    x: float
    y: float

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)


def by_pair(x):
    p = Pair(x[0], second=x[1] * x[2])
    q = Pair(x[2])
    first, second = p
    return p.product(2.0) + first * second + q[1] * q.first + len(q) + sum(p)


def by_state(x):
    s = State(x[0])
    for k in range(4):
        s = s.moved(0.1 * x[k % 3])
        if s.x > 0.9:
            s = State(s.x * 0.5, s.v)
    return s.x * s.v


def by_result(x):
    pairs = [Pair(e, e * e) for e in (x[0], x[1])]
    return pairs[0].second + pairs[1].first * pairs[0].first


def by_checked(x):
    return Checked(x[0]).x * 2.0


def by_many(x):
    return Many(x[0]).x * 2.0


def by_vector(x):
    return (Vector(x[0], x[1]) + Vector(x[1], x[2])).y


FUNCTIONS = [by_pair, by_state, by_result, by_checked, by_many]
REFUSED = {by_vector: "`Vector`, which defines operators"}
