"""Dicts that others may have: keys of any type that compares as Python's own, loops over them, and lists of them."""

from __future__ import annotations

import enum
import math
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from regressions.differences import check

from adjoint import gradient

from .held_to_python import hold, hold_errors, hold_to_recorded


class Side(enum.Enum):
    LEFT = 1
    RIGHT = 2


def numbers() -> tuple[Any, ...]:
    return ([0.3, 1.2, 0.7, 2.1, 1.9, 0.1, 2.6],)


def parameters() -> tuple[Any, ...]:
    return {"w": np.linspace(0.3, 1.7, 5), "b": 0.3}, np.linspace(0.2, 1.1, 5), 0.1


def layers() -> tuple[Any, ...]:
    return {"w": np.linspace(0.3, 1.7, 4), "b": np.array([0.1])}, 0.05


def tables() -> tuple[Any, ...]:
    return {0: 1.2, 3: 0.4, 2: 0.9}, 0.7


def empty() -> tuple[Any, ...]:
    return {}, 0.7


# ---- loops over dicts whose items are of several types


def adam(params: Any, x: Any, lr: float) -> Any:
    m = {k: 0 * p for k, p in params.items()}
    v = {k: 0 * p for k, p in params.items()}
    for t in range(1, 4):
        r = np.tanh(x @ params["w"] + params["b"]) - 0.5
        gr = {"w": r * (1 - r * r) * x, "b": r * (1 - r * r)}
        for k in params:
            m[k] = 0.9 * m[k] + 0.1 * gr[k]
            v[k] = 0.99 * v[k] + 0.01 * gr[k] ** 2
            params[k] = params[k] - lr * m[k] / (1 - 0.9**t) / (np.sqrt(v[k] / (1 - 0.99**t)) + 1e-3)
    return params["w"].sum() ** 2 + params["b"]


class Momentum:
    def __init__(self, lr: float, by: float = 0.9) -> None:
        self.lr, self.by, self.state = lr, by, {}

    def step(self, params: Any, grads: Any) -> None:
        for k, g in grads.items():
            v = self.state.get(k)
            v = g if v is None else self.by * v + g
            self.state[k] = v
            params[k] -= self.lr * v


def momentum(params: Any, lr: float) -> Any:
    opt, x = Momentum(lr), np.array([1.0, -2.0, 0.5, 0.3])
    for _ in range(4):
        e = params["w"] @ x + params["b"][0] - 1.0
        opt.step(params, {"w": e * x, "b": np.array([e])})
    return (params["w"] ** 2).sum() + params["b"][0]


def scaled_by_name(params: Any, x: Any, lr: float) -> Any:
    s = 0.0
    for name in sorted(params):
        params[name] = params[name] * (len(name) + lr)
    for name, p in params.items():
        s += (p * x[:1]).sum() * (2.0 if name == "w" else x[0])
    for p in params.values():
        s *= 1.0 + (p * p * x[:1]).sum()
    return s


def a_key_more(params: Any, x: Any, lr: float) -> Any:
    s = 0.0
    for name in list(params):
        params[name] = params[name] * lr
    params["c"] = x * 2.0
    s += params["w"].sum() * params["b"] + params["c"][1]
    return s * params["b"] * len(params)


# ---- keys


def by_pair(xs: Any) -> Any:
    tables = [{}, {}]
    for i, x in enumerate(xs):
        t, k = tables[i % 2], (i % 2, i % 3)
        t[k] = t.get(k, 1.0) * x
    s = 0.0
    for t in tables:
        for (i, j), v in t.items():
            s += v * (i + 2 * j + 1)
    return s


def grid(xs: Any) -> Any:
    memo: dict[Any, Any] = {}
    held = [memo]
    for i in range(4):
        for j in range(4):
            if i == 0 or j == 0:
                memo[i, j] = xs[0] * (i + j)
            else:
                memo[i, j] = min(held[0][i - 1, j], memo[i, j - 1] * xs[1]) + xs[2] * ((i * j) % 3)
    return memo[3, 3] + (held[0].pop((1, 2)) if (1, 2) in memo else 0.0)


def groups_by_flag(xs: Any) -> Any:
    h: dict[Any, list[Any]] = {}
    for x in xs:
        h.setdefault(x > 1.0, []).append(x * x)
    s = 0.0
    for k, v in h.items():
        s += sum(v) * (3.0 if k else 1.0)
    return s


def groups_by_side(xs: Any) -> Any:
    h: dict[Any, list[Any]] = {Side.LEFT: [], Side.RIGHT: []}
    for x in xs:
        h[Side.LEFT if x < 1.0 else Side.RIGHT].append(x)
    s = 0.0
    for side in h:
        s += sum(h[side]) ** 2 * side.value
    return s


def groups_by_number(xs: Any) -> Any:
    steps = [0.0, 0.5, 1.0]
    h: dict[Any, list[Any]] = {}
    for i, x in enumerate(xs):
        h.setdefault(steps[i % 3], []).append(math.sin(x))
    s = 0.0
    for k in sorted(h):
        s += k * sum(h[k]) + h[k][0]
    return s


def sorted_groups(xs: Any) -> Any:
    d = defaultdict(list)
    for i, x in enumerate(xs):
        d[i % 3].append(math.sin(x))
    tot = 0.0
    for k in sorted(d):
        m = sum(d[k]) / len(d[k])
        tot += sum([(v - m) ** 2 for v in d[k]])
    for k in list(d.keys())[::2]:
        tot *= d[k][0] + max(d)
    return tot


def numbered(d: Any, x: float) -> Any:
    for k in d:
        d[k] *= x
    d[7] = d.get(3, 0.5) * x
    s = 0.0
    for k in sorted(d, reverse=True):
        s = s * x + d[k] * (k + 1)
    return s


def in_order(d: Any, x: float) -> Any:
    d[7] = x * len(d)
    s = 0.0
    for i, k in enumerate(d):
        s += d[k] * (i + 1) * (k + 1)
    for i, (k, v) in enumerate(d.items()):
        d[k] = v * x + i
    return s * sum([(i + 1) * v * v for i, v in enumerate(d.values())])


def taken_over(d: Any, x: float) -> Any:
    d.update({1: x * x, 2: x}, a=x * 3.0)
    d |= {2: d[1] * d[2], 5: x}
    d.update(b=d["a"] * d[2])
    return sum(d.values()) * d["b"] * d[5]


PROGRAMS = [
    (in_order, tables), (in_order, empty), (taken_over, tables), (taken_over, empty),
    (adam, parameters), (momentum, layers), (scaled_by_name, parameters),
    (by_pair, numbers), (grid, numbers), (groups_by_flag, numbers), (groups_by_side, numbers),
    (groups_by_number, numbers), (sorted_groups, numbers), (numbered, tables), (numbered, empty),
]  # fmt: skip


@pytest.mark.parametrize(("f", "make"), PROGRAMS)
def test_programs(f: Any, make: Any) -> None:
    hold(f, make)


def test_one_dict_twice() -> None:
    def f(ds: Any) -> Any:
        for k in ds[0]:
            ds[1][k] = ds[0][k] * ds[2][k]
        return sum(ds[0]["w"]) * ds[1]["b"] + ds[2]["b"]

    def make() -> tuple[Any, ...]:
        d = {"w": np.array([0.3, 0.8]), "b": 1.5}
        return ([d, {"w": np.array([1.3, 0.8]), "b": 0.5}, d],)

    hold_to_recorded(f, make)


def test_keys_that_come_while_they_are_run_through() -> None:
    def f(d: Any, e: Any) -> Any:
        for k in d:
            e[k] = d[k] * 2.0
            e["new"] = d[k]
        return sum(e.values())

    d = {"w": 0.5, "b": 1.5}
    check(f, d, {"w": 1.0})

    def h(d: Any) -> Any:
        s = 0.0
        for i, k in enumerate(d):
            s += d[k] * i
            if i == len(d) - 1:
                d["new" if d["w"] > 0 else "other"] = s
        return s

    hold_errors(h, lambda: ({"w": 0.5, "b": 1.5},), RuntimeError)

    def taken_out(d: Any) -> Any:
        s = 0.0
        for i, k in enumerate(d.values()):
            s += k * i
            if i == 1:
                del d["b"]
        return s

    hold_errors(taken_out, lambda: ({"w": 0.5, "b": 1.5},), RuntimeError)

    def make() -> tuple[Any, ...]:
        d = {"w": 0.5, "b": [1.5]}
        return d, d

    def g(d: Any, e: Any) -> Any:
        for k in d:
            e[k + "x"] = d[k]
        return e["w"]

    hold_errors(g, make, RuntimeError)


def test_a_key_that_may_not_be_there_yet() -> None:
    check(a_key_more, *parameters())


def test_keys_that_move() -> None:
    """A derivative ends where a number becomes a key."""

    def f(x: float) -> Any:
        rows = [{}, {}]
        rows[int(x > 2.0)][x * 2.0] = x * x
        s = 0.0
        for k in rows[1]:
            s += k * rows[1][k]
        return s

    assert [gradient(f, 3.0)[0] for _ in range(3)] == [36.0] * 3


def test_keys_of_several_types() -> None:
    def f(xs: Any) -> Any:
        rows: list[Any] = [{}, {}]
        for i, x in enumerate(xs):
            rows[0][(i, "a") if i % 2 else i] = x
            rows[1][str(i)] = x * x
        s = 0.0
        for k in rows[0]:
            s += rows[0][k] * (2.0 if isinstance(k, tuple) else 1.0)
        return s * sum(rows[1].values())

    check(f, *numbers())


def test_a_key_that_is_missing() -> None:
    def f(d: Any, x: float) -> Any:
        d[3] = x
        return d[3] * d[2, 3]

    hold_errors(f, tables, KeyError)
