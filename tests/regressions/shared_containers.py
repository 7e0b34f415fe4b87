"""Programs that change lists, dicts and arrays which others may have, with what makes their arguments."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


# ---- lists


def two_names(xs: list[float], x: float) -> float:
    ys = xs if x > 0.0 else [x]
    ys[0] = x * xs[1]
    xs[1] += ys[0] ** 2
    return xs[0] * ys[1]


def changing_places(xs: list[float], ys: list[float], x: float) -> float:
    a, b = xs, ys
    for _ in range(3):
        a[0] = x * b[1]
        b[-1] += a[0] ** 2
        a, b = b, a
    return xs[0] * ys[1] + xs[1] * ys[0] * a[0]


def one_of_two(xs: list[float], ys: list[float], n: int) -> float:
    for i in range(n):
        zs = xs if xs[i % 2] > ys[0] else ys
        zs[1] = math.sin(zs[0]) * xs[1]
    return xs[1] * ys[1] + ys[0]


def grid(rows: list[list[float]], k: float, n: int) -> float:
    for _ in range(n):
        for i in range(1, len(rows) - 1):
            row = rows[i]
            for j in range(1, len(row) - 1):
                row[j] = row[j] + k * (row[j - 1] + rows[i + 1][j] - 2.0 * row[j])
    return sum([sum(r) for r in rows]) * rows[1][1]


def row_twice(x: float, y: float) -> float:
    line = [x, y]
    rows = [line, [y, x], line]
    rows[0][0] *= y
    rows[2][1] += rows[0][0] ** 2
    line.append(x)
    return sum([sum([v * v for v in r]) for r in rows])


def while_it_is_run_through(xs: list[float], x: float) -> float:
    total = 0.0
    for i, v in enumerate(xs):
        xs[i] = v * x
        if len(xs) < 6:
            xs.append(v * xs[0])
        total += v
    return total + xs[-1]


def appended_and_popped(xs: list[float], x: float) -> float:
    ys = xs if x > 0.0 else [x]
    ys.append(x * xs[0])
    y = xs.pop() * xs[-1]
    while ys:
        y = y * 0.5 + xs.pop() ** 2
    xs.append(y)
    return y * xs[0]


def made_and_kept(x: float, n: int) -> float:
    state, history = [x, 1.0], []
    for _ in range(n):
        history.append(state)
        state[0], state[1] = state[1] * x, state[0] + 0.5
    return sum([s[0] * s[1] for s in history])


def recursively(xs: list[float], k: int) -> float:
    if k == 0:
        return xs[0]
    xs[k] = xs[k] * xs[k - 1]
    below = recursively(xs, k - 1)
    xs[k] += below
    return xs[k] * 0.5


def by_recursion(xs: list[float], k: int) -> float:
    return recursively(xs, k) * xs[0] + xs[-1]


def elimination(a: list[list[float]], b: list[float]) -> float:
    rows, n = [list(r) for r in a], len(b)
    for i in range(n):
        p = rows[i]
        for j in range(i + 1, n):
            q = rows[j]
            f = q[i] / p[i]
            for k in range(i, n):
                q[k] -= f * p[k]
            b[j] -= f * b[i]
    return b[n - 1] / rows[n - 1][n - 1]


def from_whole_numbers(counts: list[int], x: float) -> float:
    other: Any = counts if x > 0.0 else [1]
    for i in range(len(counts)):
        other[i] += x * other[0]
    return sum(counts) * other[1]


def moved_in_lists(rows: list[list[float]], x: float) -> float:
    other = rows[0]
    for i in range(3):
        rows[i % 2].append(x * other[0])
        rows[0][i] *= x
    other.extend(rows[1])
    rows[1].insert(1, x * other[-1])
    y = rows[0].pop(1) * rows[1].pop(0)
    rows[1].insert(-1, y)
    del other[0]
    rows[1][:] = [v * x for v in other]
    other[:] = rows[1]
    z = sum(rows[0]) * rows[1][0] + other[2]
    other.clear()
    other.append(z)
    other += [x, z * x]
    other += rows[1]
    return sum(other) * y


# ---- dicts


def updated(ds: dict[str, dict[str, float]], x: float) -> float:
    d = ds["p"]
    d.update({"a": x * d["b"], "c": x})
    e = ds["p"]
    e["a"] *= d["c"]
    y = e.pop("b") * d["a"]
    d.clear()
    e["z"] = y * x
    return d["z"] * y


def nested(d: dict[str, dict[str, float]], x: float, n: int) -> float:
    p, q = d["one"], d["two"]
    for _ in range(n):
        p["w"] -= 0.1 * x * q["b"]
        q["w"] -= 0.1 * p["w"] * x
        p["b"] = p["b"] * 0.9 + d["one"]["w"]
    return d["one"]["w"] * d["two"]["w"] + p["b"]


def entries_changed(d: dict[str, float], x: float) -> float:
    e = d
    for k, v in d.items():
        e[k] = v * x
    e["new"] = d["a"] * x
    del e["b"]
    return sum(d.values()) * len(d) + (1.0 if "b" in d else d["new"])


def momentum(params: dict[str, Array], m: dict[str, Array], x: Array, lr: float, n: int) -> float:
    for _ in range(n):
        for k in params:
            g = np.tanh(params[k] * x) * x
            m[k] = 0.9 * m[k] + g
            params[k] -= lr * m[k]
    return float(np.sum(params["w"] * params["b"]))


# ---- arrays


def array_and_view(u: Array, x: float) -> float:
    tail = u[1:]
    u[1] = x**2
    tail[1] = u[0] * tail[0]
    u += tail[0]
    tail *= x
    return float((u**2).sum() * tail[2])


def buffers(u: Array, w: Array, k: float, n: int) -> float:
    for _ in range(n):
        w[1:-1] = u[1:-1] + k * (u[:-2] - 2.0 * u[1:-1] + u[2:])
        w[0], w[-1] = u[-1], u[0]
        u, w = w, u
    return float(u @ w)


def item_by_item(u: Array, w: Array, k: float) -> float:
    for _ in range(2):
        for i in range(1, len(u) - 1):
            w[i] = u[i] + k * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, w = w, u
    return float(u @ w)


def rows_and_columns(a: Array, v: Array) -> float:
    b = a
    b[1] *= v
    a[:, 0] = b[0] ** 2
    b.T[2] += a[0, 1] * v
    for line in b:
        line[0] = line[1] * line[2]
    return float((a @ v) @ b[:, 1])


def out_of_functions(u: Array, w: Array) -> float:
    buffer = np.zeros(4)
    other = buffer
    for _ in range(2):
        np.multiply(u, w, out=buffer)
        np.sin(other, out=other)
        u += 0.1 * buffer
    return float(u.sum() * other[0])


def rules_that_keep_their_result(parts: list[Array], x: float) -> float:
    parts[0] = np.tanh(parts[1] * x)
    y = parts[0]
    y[1] = 0.5 * y[1] + y[0]
    z = np.exp(y)
    z[0] = y[1]
    parts[1] = z
    return float(parts[0] @ parts[1])


def picked(a: Array, x: float) -> float:
    b = a if x > 0.0 else a[1:]
    i = np.array([0, 2, 0])
    b[i] = np.array([x, x * x, a[1]])
    a[a > 0.5] *= x
    b[[1, 2]] = a[[2, 1]]
    return float((a**2).sum())


def added_at(u: Array, w: Array, x: float) -> float:
    v = u[1:]
    np.add.at(v, [0, 1, 0], w * x)
    v *= u[0]
    np.add.at(u, np.array([1, 1, 2]), x)
    return float(u @ u)


def exchange(u: Array, w: Array, s: float) -> float:
    u[0] += s * w[1]
    w[1] = u[0] ** 2
    u *= s
    return float(w[0] * u[1])


def one_twice(u: Array, x: float) -> float:
    first = exchange(u, u, x)
    second = exchange(u[:2], u[1:3], first)
    return first * second + float((u**2).sum())


# ---- held by objects


class Layer:
    def __init__(self, w: Array, xs: list[float]) -> None:
        self.w, self.xs, self.m = w, xs, np.zeros(len(w))

    def update(self, g: Array, lr: float) -> None:
        self.m *= 0.9
        self.m += g
        self.w -= lr * self.m

    def put(self, i: int, v: float) -> None:
        self.xs[i] = v * self.xs[i - 1]


def held_by_objects(layers: list[Layer], x: Array, n: int) -> float:
    for _ in range(n):
        for p in layers:
            p.update(np.tanh(p.w * x), 0.1)
            p.put(1, float(p.w[0]))
    layers[0].w, layers[1].w = layers[1].w, layers[0].w
    layers[0].w[0] = 2.0 * layers[0].w[1]
    return float(np.sum(layers[0].w * layers[1].w)) + layers[0].xs[1] * layers[1].xs[0]


def captured(k: float) -> tuple[Callable[[float], float], list[Any]]:
    xs, u = [0.3, 0.7], np.array([0.5, 1.5])
    both = [xs, xs]

    def f(x: float) -> float:
        w = u
        both[0][1] = x * xs[0] * k
        w *= x
        u[0] += both[1][1]
        return float(u @ w) + xs[1]

    return f, [xs, u]


def layers() -> list[Layer]:
    return [Layer(np.array([0.3, -0.2]) * i, [0.4 * i, 0.9]) for i in (1, 2)]


def some_rows() -> list[list[float]]:
    return [[0.1 * i * j + 0.3 for j in range(4)] for i in range(4)]


def one_row_twice() -> list[list[float]]:
    rows = some_rows()
    rows[2] = rows[1]
    return rows


def views() -> list[Array]:
    u = np.array([0.3, 0.5, -0.7])
    return [u, u[::-1]]


VECTOR, OTHER = [0.3, 0.5, 0.7, 1.1], [0.9, -0.4, 0.2, 0.6]

Case = tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]
CASES: list[Case] = [
    (two_names, lambda: ([0.7, -1.2], 0.8)),
    (changing_places, lambda: ([0.7, -1.2], [1.5, 0.4], 0.8)),
    (one_of_two, lambda: ([0.7, -1.2], [0.5, 0.4], 3)),
    (grid, lambda: (some_rows(), 0.1, 2)),
    (row_twice, lambda: (0.8, 1.3)),
    (while_it_is_run_through, lambda: ([0.7, -1.2, 0.4], 0.8)),
    (appended_and_popped, lambda: ([0.7, -1.2, 0.4], 0.8)),
    (made_and_kept, lambda: (0.8, 3)),
    (by_recursion, lambda: ([0.7, -1.2, 0.4], 2)),
    (
        elimination,
        lambda: ([[2.0 + 3.0 * (i == j) + 0.1 * i * j for j in range(3)] for i in range(3)], [1.0, 0.5, 2.0]),
    ),
    (moved_in_lists, lambda: ([[0.3, 0.5, 0.7], [0.2, 0.9]], 0.8)),
    (updated, lambda: ({"p": {"a": 0.3, "b": 0.5}, "q": {"a": 0.1, "b": 0.2}}, 0.8)),
    (added_at, lambda: (np.array(VECTOR), np.array([0.3, 0.5, 0.9]), 0.8)),
    (from_whole_numbers, lambda: ([1, 2, 3], 0.8)),
    (nested, lambda: ({"one": {"w": 0.3, "b": 0.1}, "two": {"w": 0.5, "b": 0.2}}, 0.7, 3)),
    (entries_changed, lambda: ({"a": 0.3, "b": 0.5}, 0.7)),
    (
        momentum,
        lambda: (
            *({k: np.array([0.3, 0.5]) * i for i, k in enumerate("wb", 1)} for _ in range(2)),
            np.array([0.7, -0.2]),
            *(0.1, 2),
        ),
    ),
    (array_and_view, lambda: (np.array(VECTOR), 0.8)),
    (buffers, lambda: (np.array(VECTOR), np.array(OTHER), 0.1, 3)),
    (item_by_item, lambda: (np.array(VECTOR), np.array(OTHER), 0.1)),
    (rows_and_columns, lambda: (np.arange(9.0).reshape(3, 3) * 0.1 + 0.3, np.array([0.5, 1.5, -0.7]))),
    (out_of_functions, lambda: (np.array(VECTOR), np.array(OTHER))),
    (rules_that_keep_their_result, lambda: ([np.array([0.3, 0.5, -0.7]), np.array([0.9, 0.1, 0.4])], 0.8)),
    (picked, lambda: (np.array([0.3, 0.9, 0.2]), 0.8)),
    (one_twice, lambda: (np.array(VECTOR), 0.8)),
    (held_by_objects, lambda: (layers(), np.array([0.5, 1.5]), 2)),
]
ALIASED: list[Case] = [
    (grid, lambda: (one_row_twice(), 0.1, 2)),
    (rules_that_keep_their_result, lambda: (views(), 0.8)),
]
"""The same with arguments in which one thing is met twice."""
