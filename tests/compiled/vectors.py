"""Functions of several results, and what loops and branches carry through them."""

from dataclasses import dataclass

import numpy as np

X = np.random.default_rng(0).normal(size=6)


@dataclass
class Pair:
    used: np.ndarray
    left: np.ndarray

    def total(self):
        return self.used.sum()


def recurrence(x, a):
    out = np.zeros(len(x))
    for i in range(1, len(x)):
        out[i] = a * x[i] * out[i - 1] + np.sin(x[i])
    return out


def array_and_number(x, a):
    return x * a, np.sum(x)


def as_it_is(x, a):
    return x


def two_ways(x, a):
    if a > 0:
        return a * 2.0, a
    return a, 3.0


def containers(x, a):
    s = 0.0
    i = 0
    while s < 3.0 and i < 10:
        s += a * a
        i += 1
    return [s, s * a], {"k": x[1:] * x[:-1]}


def carries_arrays(x, a):
    for _ in range(3):
        x, a = x * a, a + x[0]
    return x + a


def exchanges(x, a):
    p, q = a, 1.0
    for k in range(4):
        p, q = q, p * q + x[k]
        if q > 0.5:
            q = q - p
    return np.array([p, q])


def constant(x, a):
    return np.ones(3), 2.0, x[0]


VECTORS = (recurrence, array_and_number, as_it_is, two_ways, containers, carries_arrays, exchanges, constant)
