"""Ordinary programs of many kinds, with the arguments that they are tried with; and those that are refused."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

V = np.array([0.3, -0.7, 1.4, 0.9, -0.2])
M = np.random.default_rng(0).normal(size=(4, 5))
CASES = []


def case(*args):
    """Keep a program with its arguments."""

    def kept(f):
        CASES.append((f, args))
        return f

    return kept


@case(V)
def dict_state(x):
    st = {"pos": 0.0, "vel": 1.0, "n": 0}
    for v in x:
        st["vel"] += v * 0.1
        st["pos"] += st["vel"] * 0.1
        if st["pos"] > 0.05:
            st["n"] += 1
    return st["pos"] * st["vel"] + st["n"]


@case(V)
def dict_state_break(x):
    st = {"pos": 0.0, "vel": 1.0}
    for v in x:
        st = {"pos": st["pos"] + st["vel"] * 0.1, "vel": st["vel"] + v}
        if v > 1.0:
            break
        st["pos"] *= 1.1
    return st["pos"] * st["vel"]


class S(NamedTuple):
    a: float
    b: np.ndarray


@case(V)
def nt_state(x):
    s = S(1.0, x * 2)
    for i in range(len(x)):
        s = S(s.a + s.b[i], s.b * 0.9)
        if s.a > 3:
            break
    return s.a + np.sum(s.b)


@case(V)
def replaced(x):
    s = S(1.0, x * 2)
    for v in x:
        s = s._replace(a=s.a * v + 0.1)
    return s.a * s.b[1]


@dataclass
class D:
    w: float
    n: int = 2
    name: str = "relu"

    def act(self, z):
        if self.name == "relu":
            return z if z > 0 else 0.0
        return math.tanh(z)


@case(D(0.7), V)
def with_relu(m, x):
    t = 0.0
    for v in x:
        t += m.act(v * m.w)
    return t


@case(D(0.7, 3), V)
def with_an_integer(m, x):
    dt = 1.0 / m.n
    t = 0.0
    for k in range(m.n):
        t += m.act(x[k] * m.w) * dt + m.n * x[k] ** 2
    return t * m.n


@case(D(0.7, 3, "tanh"), V)
def with_tanh(m, x):
    t = 0.0
    for _ in range(m.n):
        for v in x:
            t += m.act(v * m.w)
    return t


@case(V)
def nested_lists(x):
    a = [[0.0, 1.0], [2.0, x[0]]]
    for i in range(3):
        a[0][1] = a[0][1] * x[i] + a[1][1]
        a[1][0] += a[0][1]
    return a[0][1] * a[1][0]


@case(V)
def list_of_arrays(x):
    hs = []
    h = x * 0
    for i in range(4):
        h = np.tanh(h + x * i)
        hs.append(h)
    return sum([np.sum(z * z) for z in hs]) + np.sum(hs[2] * hs[1])


@case(V)
def while_else(x):
    i = 0
    s = 0.0
    while i < len(x):
        s += x[i] ** 2
        if s > 100:
            break
        i += 1
    else:
        s *= 2
    return s


@case(V)
def ret_in_nested(x):
    def find(t):
        for i in range(len(x)):
            for j in range(i, len(x)):
                if x[i] * x[j] > t:
                    return x[i] + x[j] * 2
        return t

    return find(0.1) * find(1.0) + find(50.0)


@case(V, "sin")
def mode(x, kind):
    f = np.sin if kind == "sin" else np.cos
    return np.sum(f(x))


@case(V)
def swap(x):
    a, b = x[0], x[1]
    for v in x[2:]:
        a, b = b, a + b * v
    return a * b


@case(V)
def star(x):
    a, *rest = x[0], x[1], x[2]
    return a * rest[0] + rest[1]


@case(M)
def rowsview(m):
    s = 0.0
    for r in m:
        s += np.max(r) * np.min(r)
    for r, c in zip(m, m[:, :4].T, strict=False):
        s += r[0] * c[1]
    return s


@case(V)
def aug_slices(x):
    y = x.copy()
    y[1:] += y[:-1]
    y[::2] *= x[0]
    z = y[1:4]
    z[0] = 5.0 * x[2]
    return np.sum(y * y) + z[1]


@case(V)
def alias(x):
    y = x * 1.0
    z = y
    z[0] += 1
    w = y[1:]
    w *= 2
    return y[0] * y[1] + z[2]


@case(V)
def mask_update(x):
    y = x.copy()
    y[y < 0] = 0.0
    y[y > 1] *= x[0]
    return np.sum(y**2)


@case(V)
def fancy(x):
    idx = np.array([0, 2, 2, 4])
    y = x[idx] * x[idx[::-1]]
    z = np.zeros(5)
    z[idx] = y
    return np.sum(z * x)


@case(V)
def tern(x):
    return sum(v if v > 0 else -2 * v for v in x)


@case(V)
def nonempty(x):
    best = -1e9
    arg = -1
    for i, v in enumerate(x):
        if v > best:
            best, arg = v, i
    return best * x[arg - 1]


@case(V)
def intmath(x):
    n = len(x)
    t = 0.0
    for i in range(n):
        k = (i * 7) % n
        t += x[k] * x[i // 2] * (i**2 - 3)
    return t / n


@case(V)
def chained(x):
    return np.sum(x[(x > 0) & (x < 1)]) + np.sum(np.where(np.logical_or(x < 0, x > 1), x * x, 0.0))


@case(V)
def neg_step(x):
    s = 0.0
    for i in range(len(x) - 1, 0, -2):
        s = s * x[i] + x[i - 1]
    return s


@case(V)
def walrus(x):
    if (n := np.sum(x * x)) > 1:
        return n * 2
    return n


@case(V, 3)
def powers(x, n):
    y = np.ones_like(x)
    for _ in range(n):
        y = y * x
    return np.sum(y)


@case(V)
def ifexp_arrays(x):
    y = x * 2 if x[0] > 0 else x * 3
    return np.sum(y)


@case(V)
def helper_default(x):
    def g(a, b=2.0, *, c=1.0):
        return a * b + c

    return g(x[0]) + g(x[1], 3.0) + g(x[2], c=x[3])


@case(V)
def deep_tuple(x):
    p = ((x[0], x[1]), [x[2], (x[3],)])
    (a, b), (c, (d,)) = p
    for _ in range(2):
        p = ((b, a * d), [c, (d + a,)])
        (a, b), (c, (d,)) = p
        if a > 100:
            return 0.0
    return a * b * c * d


@case(V)
def while_true(x):
    y = x[0]
    k = 0
    while True:
        y = y - 0.3 * (y * y - 2.0)
        k += 1
        if abs(y * y - 2) < 1e-6 or k > 40:
            break
    return y * x[1]


@case(V)
def continue_unset(x):
    t = 0.0
    for i in range(len(x)):
        if x[i] < 0:
            continue
        u = x[i] * 2
        if u > 1:
            t += u
    return t * u


@case(1.3)
def newton_scalar(a):
    def f(x):
        return x**3 - a

    def df(x):
        return 3 * x**2

    x = 1.0
    for _ in range(20):
        x -= f(x) / df(x)
    return x


@case(V)
def any_all(x):
    if any([v > 1 for v in x]):
        return x[0]
    return x[1]


@case(V)
def minmax_key(x):
    return max(x[0], x[1], 0.1) * min(x)


@case(V)
def stored_into_what_a_branch_made(x):
    y = x * 2 if x[0] > 0 else x * 3
    y[0] = 5.0
    return np.sum(y * x)


def stored_into_a_choice(x):
    z = x * 1.0
    y = z if x[0] > 0 else x * 3
    y[0] = 5.0
    return np.sum(z * x)


def choice_and_part_of_it(x):
    if x[0] > 0:
        t = x * 2
        y = t[1:]
    else:
        t = x * 3
        y = t[1:] * 2
    t[1] = 7.0
    return np.sum(y) * x[2] + t[0]


def stored_into_what_was_chosen(x):
    z = x * 1.0
    y = z if x[0] > 0 else x * 3
    z[0] = 5.0
    return np.sum(y * x)


@case(V)
def chosen_in_rounds(x):
    h = x
    for k in range(4):
        if k % 2:
            h = np.tanh(h)
            h = h * 1.1
        else:
            h = h * 0.5 + x
    return np.sum(h * h)


@case(V)
def chosen_or_kept(x):
    h = x * 1.0
    for k in range(4):
        g = h
        h = np.tanh(h) if k % 2 else g
        h = h + 0.1 * g
    return np.sum(h * h)


@case(V)
def choices_in_a_list(x):
    h = np.zeros(5)
    hs = []
    for k in range(3):
        if x[k] > 0:
            h = h + x
        hs.append(h)
    return np.sum(hs[0] * hs[2])


def lengths_by_a_branch(x):
    n = 3 if x[0] > 0 else 2
    y = x[:n] if x[1] < 0 else x[1:n]
    return np.sum(y)


def parts_by_a_branch(x):
    y = x[:2] if x[1] < 0 else x
    return np.sum(y * y)


def choice_that_is_carried(x):
    y = np.zeros(5)
    for k in range(4):
        z = y if x[k] > 0 else y * 2
        y = z + x
    y += 1
    return np.sum(y * y)


@case(V)
def stored_by_integers(x):
    z = np.zeros(5)
    idx = np.array([0, 2, 2, 4])
    z[idx] = x[idx] * x[1:]
    z[idx] += x[:4]
    z[np.array([-1, 0])] *= 2
    return np.sum(z * x)


@case(V)
def stored_by_pairs(x):
    m = np.zeros((3, 2))
    r = np.array([0, 1, 2, 1])
    c = np.array([1, 0, 1, 0])
    m[r, c] = x[:4]
    m[r] = m[r] * 2 + x[:2]
    return np.sum(m * m)


REFUSED = [
    stored_into_a_choice,
    choice_and_part_of_it,
    stored_into_what_was_chosen,
    lengths_by_a_branch,
    parts_by_a_branch,
    choice_that_is_carried,
]
