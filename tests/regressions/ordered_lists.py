"""Programs that sort, turn, cut and swap the items of lists, with what makes their arguments."""

from __future__ import annotations

import math
from typing import Any

from .functions_over_memory import Case, numbers

Rows = list[list[float]]


def matrix() -> Rows:
    return [[0.3, 2.0, 0.5], [1.3, 0.7, 2.0], [4.0, 1.0, 1.0]]


# ---- rows that change places


def eliminated(a: Rows, b: list[float]) -> float:
    n = len(a)
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(a[i][k]))
        a[k], a[p] = a[p], a[k]
        b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            f = a[i][k] / a[k][k]
            for j in range(k, n):
                a[i][j] -= f * a[k][j]
            b[i] -= f * b[k]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (b[i] - sum(a[i][j] * x[j] for j in range(i + 1, n))) / a[i][i]
    return sum([v * v for v in x])


def eliminated_in_a_copy(a: Rows, b: list[float]) -> float:
    a, b = [row[:] for row in a], b[:]
    return eliminated(a, b) * a[0][0]


def smallest_first(rows: Rows, x: float) -> float:
    for k in range(len(rows)):
        p = min(range(k, len(rows)), key=lambda i: rows[i][0] * x)
        rows[k], rows[p] = rows[p], rows[k]
        rows[k][1] += x * rows[0][0]
    return sum([r[0] * r[1] * (i + 1.0) for i, r in enumerate(rows)])


def under_another_name(rows: Rows, k: float) -> float:
    r = rows[0]
    r[0] *= k
    r[1] += rows[1][0]
    rows[1] = r
    r[0] += rows[1][1]
    return sum([sum(q) for q in rows]) * rows[1][0]


# ---- sort, reverse


def of_its_own(x: float) -> float:
    xs = [math.sin(x * i) for i in range(6)]
    xs.sort()
    xs.reverse()
    return sum([i * v * v for i, v in enumerate(xs)])


def by_a_key(xs: list[float], back: bool) -> float:
    ys = xs
    ys.sort(key=lambda v: (v - 0.6) ** 2, reverse=back)
    xs[0] *= ys[1]
    ys.reverse()
    return sum([i * v * v for i, v in enumerate(xs)])


def with_equal_keys(xs: list[float], x: float) -> float:
    xs.sort(key=lambda v: v > x, reverse=True)
    return sum([i * v * v for i, v in enumerate(xs)]) * x


def of_pairs(xs: list[float]) -> float:
    pairs = [(round(x * 2.0), -x) for x in xs]
    pairs.sort()
    return sum([i * k * v * v for i, (k, v) in enumerate(pairs)])


def records(rows: list[dict[str, float]], k: float) -> float:
    first = rows[0]
    first["x"] *= k
    rows.sort(key=lambda r: r["x"])
    rows[0]["x"] += k
    best = max(rows, key=lambda r: r["y"])
    best["y"] = best["y"] * 2.0
    return sum([r["x"] * r["y"] * (i + 1.0) for i, r in enumerate(rows)]) + first["x"]


class Body:
    def __init__(self, x: float, v: float) -> None:
        self.x = x
        self.v = v


def objects(x: float) -> float:
    bodies = [Body(math.sin(i * x), x + i) for i in range(5)]
    q = bodies[2]
    bodies.sort(key=lambda b: b.x, reverse=True)
    bodies[0].x += q.v
    first = min(bodies, key=lambda b: b.x)
    first.v *= x
    return sum([b.x * b.v * (i + 1.0) for i, b in enumerate(bodies)])


def run_through_in_order(rows: Rows, x: float) -> float:
    q = rows[1]
    q[0] += x
    out = 0.0
    for r in sorted(rows, key=lambda r: -r[0]):
        out = out * 0.7 + r[0] * r[1]
        r[1] = out
    return out + sum([r[1] for r in rows])


def largest_of_a_list(xs: list[float], ws: list[float]) -> float:
    ys = xs
    for i in range(len(xs)):
        ys[i] = max(ys, key=lambda v: v * ws[i]) * 0.9
    return sum(xs)


# ---- parts


def parts_replaced(xs: list[float], x: float) -> float:
    ys = xs
    ys[1:3] = [x * ys[0]]
    xs[2:2] = [xs[0], x, xs[1]]
    ys[-1:] = []
    xs[::2] = [v * x for v in ys[::2]]
    xs[4:1:-1] = [xs[0], x * x, xs[1]]
    return sum([(i + 1.0) * v * v for i, v in enumerate(ys)])


def parts_from_one_another(xs: list[float]) -> float:
    ys = xs
    ys[2:] = xs[:2]
    xs[1:1] = ys
    ys[:2] = (xs[1], xs[0])
    return sum([(i + 1.0) * v * v for i, v in enumerate(xs)])


def parts_deleted(xs: list[float], n: int) -> float:
    ys = xs
    ys[0] = xs[1] * xs[2]
    del xs[1:3]
    xs.append(ys[0] * ys[-1])
    del ys[n::2]
    del ys[3:1]
    return sum([(i + 1.0) * v * v for i, v in enumerate(xs)])


def rows_in_parts(rows: Rows, x: float) -> float:
    r = rows[0]
    rows[0:2] = [rows[1], r, r]
    r[0] *= x
    rows[1][1] += rows[2][0]
    del rows[:1]
    return sum([sum(q) * (i + 1.0) for i, q in enumerate(rows)])


# ---- variables that functions share, bound in loops


def bound_in_rounds(xs: list[float], x: float) -> float:
    ys, total = xs, 0.0
    for i in range(len(xs)):
        if xs[i] > x:
            w = xs[i] * x
            ys[0] += max(xs, key=lambda v: abs(v - w))
        total += ys[0]
    return total


def read_after_the_rounds(xs: list[float], x: float) -> float:
    ys = xs
    for k in range(len(xs)):
        ys[k] *= max(xs, key=lambda v: v * k)
    return xs[k] * x * k


def records_of_three() -> list[dict[str, Any]]:
    return [{"x": 3.0, "y": 0.2}, {"x": 1.0, "y": 0.5}, {"x": 2.0, "y": 0.7}]


CASES: list[Case] = [
    (eliminated, lambda: (matrix(), [1.0, 2.0, 3.0])),
    (eliminated_in_a_copy, lambda: (matrix(), [1.0, 2.0, 3.0])),
    (smallest_first, lambda: ([[3.0, 1.0], [1.0, 2.0], [2.0, 0.5]], 0.7)),
    (under_another_name, lambda: (matrix(), 0.7)),
    (of_its_own, lambda: (0.7,)),
    (by_a_key, lambda: (numbers(5), False)),
    (by_a_key, lambda: (numbers(5), True)),
    (with_equal_keys, lambda: (numbers(5), 0.6)),
    (of_pairs, lambda: (numbers(5),)),
    (records, lambda: (records_of_three(), 0.5)),
    (objects, lambda: (0.7,)),
    (run_through_in_order, lambda: ([[3.0, 1.0], [1.0, 2.0], [2.0, 0.5]], 0.5)),
    (largest_of_a_list, lambda: (numbers(4), [0.3, -0.7, 0.5, -0.1])),
    (parts_replaced, lambda: (numbers(6), 0.7)),
    (parts_from_one_another, lambda: (numbers(5),)),
    (parts_deleted, lambda: (numbers(6), 1)),
    (rows_in_parts, lambda: (matrix(), 0.7)),
    (bound_in_rounds, lambda: (numbers(4), 0.5)),
    (bound_in_rounds, lambda: (numbers(4), 5.0)),
]
RIGHT: list[Case] = [(read_after_the_rounds, lambda: (numbers(4), 0.5))]
"""Recorded or not."""
