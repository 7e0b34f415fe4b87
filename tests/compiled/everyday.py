"""Programs as people write them every day: lists that are filtered, dicts, classes, helpers with defaults."""

# ruff: noqa: B905

from __future__ import annotations

import dataclasses
import enum
import functools
import math
from typing import Any, NamedTuple

import numpy as np

V = np.array([0.3, -0.7, 1.4, 0.9])
M = np.random.default_rng(0).normal(size=(4, 5))


class State(NamedTuple):
    x: float
    v: float


def step(s, dt, g=9.81):
    return State(s.x + s.v * dt, s.v - g * dt)


def falls(x):
    return step(State(x, 2.0), 0.1).v * step(State(x, x), 0.1, g=2.0 * x).x


def gaussian_process(x):
    n = len(x)
    K = np.eye(n)  # noqa: N806
    for i in range(n):
        K[i, i] += x[i] ** 2
    return np.linalg.solve(K.T, np.linalg.solve(K, x)) @ x


def key_twice(x):
    d = {"a": x, "b": 1.0, "a": x * x}  # noqa: F601
    return d["a"] * 10.0 ** len(d)


def equal_keys(x):
    d = {1: x, True: x * x, 0: 2.0, 0.0: x * x * x}  # noqa: F601
    return d[1] + d[0] * len(d)


def order_of_equal_keys(x):
    d = {1: x, 2: x * x, 1.0: x * x * x}  # noqa: F601
    return sum(k * v for k, v in d.items())


def views_of_dict(x):
    d = {"a": x, "b": 2.0 * x}
    total = sum(v * 2 for k, v in d.items()) + sum(d.values()) + sum(d[k] for k in d.keys())  # noqa: SIM118
    for k in d:
        total += d[k] ** 2
    return total


def new_keys(x):
    d = {}
    d["a"] = x
    d["b"] = x * x
    for i in (0, 1):
        d[i] = x * i
    return d["a"] * d["b"] + d[1]


def infinite(x):
    best = float("inf")
    for k in range(3):
        best = min(best, x * k + 1.0)
    return best * x


def float_ranges(x):
    return np.sum(np.arange(5.0) * x[0]) + np.sum(np.arange(0, 1, 0.2) * x[1]) + np.sum(np.arange(x[0], 2.0, 0.25))


def asks_for_types(x):
    if isinstance(x, (list, tuple)) or not isinstance(x, float):
        return 3.0 * x
    return x * x if isinstance([x], list) and isinstance({"a": 1}, dict) else x


def slices_of_lists(x):
    xs = [x, 2.0 * x, 3.0 * x, x * x]
    ys = xs[1:]
    xs[1] = 7.0 * x
    return ys[0] * sum(xs[:-1]) * xs[-1] + sum([a * b for a, b in zip(xs[:-1], xs[1:])])


def lists_of_arrays(x):
    a = list(x)
    b = x.tolist()
    x = x * 2.0
    return sum(a) * b[0] + a[-1].item() * len(b) + x[0].item()


def of_math(x):
    y = math.log(x, 2) + math.prod([x, x + 1.0]) * math.comb(5, 2) + math.factorial(4)
    return y * math.log(x + 1.0, x + 2.0)


def clipped(x):
    return np.sum(np.clip(x, a_min=0.0, a_max=None) ** 2) + np.sum(np.clip(x, max=0.5)) + np.sum(np.clip(x, -1.0, 1.0))


def seen_as_matrix(x):
    return np.sum(np.atleast_2d(x) @ np.ones((4, 2))) * np.sum(np.atleast_1d(x[0]))


def cut_off(x):
    return np.sum(x * (3.0 * x).astype(int))


def mapped(x):
    total = sum(map(math.sin, [x, 2.0 * x])) + functools.reduce(lambda a, b: a * b, [x, x + 1.0, 2.0 * x])
    return total + max([x, 2.0 * x, -x], key=lambda z: z * z) * min(x, -x, key=abs)


class Constants:
    k = 2.0

    @classmethod
    def scaled(cls, x):
        return cls.k * x


def of_class(x):
    return Constants.k * x + Constants.scaled(x) ** 2


class Mode(enum.Enum):
    FAST = 2
    SLOW = 3


def chosen(x, mode=Mode.FAST):
    return x * x if mode is Mode.FAST else Mode.SLOW.value * x


def calls_chosen(x):
    return chosen(x) + chosen(x, Mode.SLOW) * Mode.FAST.value


@dataclasses.dataclass
class Linear:
    w: Any

    def __call__(self, x):
        return np.sum(self.w * x)


def replaces(x):
    return dataclasses.replace(Linear(V), w=V * x)(V) * Linear(V * x)(V)


def integer_of_numpy(x, n):
    total = 0.0
    for _ in range(n):
        total += x**n
    return total * n


def times(k):
    def by(x):
        return k * x

    return by


twice, thrice = times(2.0), times(3.0)


def calls_closures(x, fs=(thrice, twice)):
    return twice(x) * thrice(x + 1.0) + sum([f(x) for f in fs])


def configured(x, config={"a": 2.0, "b": [1.0, 3.0]}):  # noqa: B006
    return x * config["a"] * config["b"][1]


def calls_configured(x):
    return configured(x) * configured(x, {"a": 1.0, "b": [0.0, 1.0]})


# ---- lists to which some rounds append


def filtered(x):
    r = [v for v in x if v > 0]
    return r[0] * len(r) + r[-1] ** 2


def filtered_sum(x):
    return sum(v**2 for v in x if v > 0) * x[0]


def two_sides(x):
    r = []
    for v in x:
        if v > 0:
            r.append(v * v)
        else:
            r.append(v * 3)
            r.append(-v)
    return sum(r) * len(r) + r[1]


def length_on_the_way(x):
    r = [1.0, x[0]]
    for i in range(len(x)):
        if x[i] < 0:
            continue
        r.append(x[i] * i + 1.0 * len(r))
    return sum([a * b for a, b in zip(r, r[1:])])


def left_when_full(x):
    r = []
    for v in x:
        if v > 0.5:
            if v > 1:
                r.append(v)
            r.append(2.0 * v)
        if len(r) > 2:
            break
    s = 0.0
    for i in range(len(r)):
        for j in range(i):
            s += r[i] * r[j]
    return s + x[0]


def as_array(x):
    return np.sum(np.array([v**2 for v in x if v > 0])) * x[0]


def empty_or_not(x):
    r = [v for v in x if v > 1]
    return r[0] * 2.0 if r else x[0] * 3.0


def products(x):
    r = [v for v in x if v > 0]
    t = np.prod(r) * np.mean(r) + max(r) + len(r)
    for i in range(len(r) - 1):
        t += r[i] * r[i + 1]
    for v in reversed(r):
        t = t * v
    return t


def some_and_all(x):
    r, s = [], []
    for v in x:
        r.append(v)
        if v > 0:
            r.append(v * v)
            s.append(2.0 * v)
    return sum(r) * r[-1] * sum(s)


def two_lists(x):
    a, b = [], []
    for v in x:
        if v > 0:
            a.append(v)
        else:
            b.append(v * v)
    return sum(a) * sum(b) + len(a) * x[0]


def nothing_is_appended(x):
    r = []
    for v in x:
        if v > 100:
            r.append(v)
    return sum(r) + x[0]


def in_each_round(x):
    total = 0.0
    for k in range(3):
        r = [v * k for v in x if v * k < 1]
        total += sum(r) * len(r)
    return total


def makes_a_generator(x):
    def squares():
        for k in range(3):
            yield x * k

    return sum(squares())


CASES: list[tuple[Any, tuple[Any, ...]]] = [
    (makes_a_generator, (1.7,)),
    (falls, (1.2,)), (gaussian_process, (V,)), (views_of_dict, (1.7,)), (new_keys, (1.7,)), (infinite, (-0.4,)),
    (float_ranges, (V,)), (asks_for_types, (1.7,)), (slices_of_lists, (1.7,)), (lists_of_arrays, (V,)),
    (of_math, (1.7,)), (clipped, (V,)), (seen_as_matrix, (V,)), (cut_off, (V,)), (mapped, (1.7,)), (of_class, (1.7,)),
    (calls_chosen, (1.7,)), (chosen, (1.7, Mode.SLOW)), (chosen, (1.7, Mode.FAST)),
    (replaces, (1.7,)), (integer_of_numpy, (1.7, np.int64(3))), (Linear(V), (V,)),
    (filtered, (V,)), (filtered, (-V,)), (filtered_sum, (V,)), (two_sides, (V,)), (two_sides, (-V,)),
    (length_on_the_way, (V,)), (left_when_full, (V,)), (as_array, (V,)), (two_lists, (V,)), (two_lists, (np.abs(V),)),
    (empty_or_not, (V,)), (empty_or_not, (-V,)), (products, (V,)), (products, (-V,)), (some_and_all, (V,)),
    (calls_closures, (1.7,)), (calls_configured, (1.7,)), (nothing_is_appended, (V,)), (in_each_round, (V,)),
    (key_twice, (1.7,)), (equal_keys, (1.7,)), (order_of_equal_keys, (1.7,)),
]  # fmt: skip


# ---- what others see


def another_name(x):
    d = {}
    e = d
    d["a"] = x
    return e["a"] * 2


def sees_later_items(x):
    d = {"a": x}
    v = d.values()
    d["b"] = x * x
    return sum(v)


def branch_adds_a_key(x):
    d = {"a": x}
    if x > 0:
        d["b"] = x * x
    return sum(d.values())


def broadcast_view(x):
    a = np.array([x, 2 * x])
    b = np.broadcast_to(a, (2, 2))
    a[0] = 7 * x
    return b[1, 0] * x


def index_of_a_truth(x):
    return np.sum(np.array([x, x])[True])


def integers_are_appended(x):
    return sum([x * i for i in [i for i in range(5) if x * i > 1]])


def read_while_it_grows(x):
    r = []
    for i in range(4):
        if i % 2:
            r.append(x * i)
            x = x + r[-1]
    return sum(r)


def stores_while_it_maps(x):
    a = np.zeros(2)

    def put(k):
        a[k] = x
        return x * k

    later = map(put, (0, 1))
    before = a[0] + x
    return before * sum(later)


REFUSED: list[Any] = [
    another_name, sees_later_items, branch_adds_a_key, broadcast_view, index_of_a_truth, integers_are_appended,
    read_while_it_grows, stores_while_it_maps,
]  # fmt: skip
