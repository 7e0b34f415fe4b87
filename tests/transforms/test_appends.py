"""`rows[i].append(v)`: followed where each row was made for its place, else refused; never wrong in silence."""

# ruff: noqa: E701, E702, E731
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import grad, withgradient
from adjoint.errors import MutationError

WEIGHTS = [1.1, 0.7, -0.4, 2.0]
DIRECTION = [0.3, -0.5, 0.8, 0.2]


def graph(ws):
    n = 4
    adj = [[] for _ in range(n)]
    for i, w in enumerate(ws):
        adj[i % n].append((w, (i + 1) % n))
        adj[(i + 1) % n].append((w * w, i % n))
    t = 0.0
    for u in range(n):
        for w, v in adj[u]:
            t += w * (v + 1)
    return t


def read_in_between(ws):
    rows = [[] for _ in range(2)]
    t = 0.0
    for i, w in enumerate(ws):
        t += sum(rows[i % 2]) * w
        rows[i % 2].append(w * w)
    return t


def another_name_for_a_row(ws):
    rows = [[], []]
    r = rows[0]
    rows[0].append(ws[0])
    return sum(r) + len(r)


def one_row_twice(ws):
    z = []
    rows = [z, z]
    rows[0].append(ws[0])
    return sum(rows[1]) * 2


def rows_kept_elsewhere(ws):
    rows = [[], []]
    keep = list(rows)
    rows[0].append(ws[0] * 2)
    return sum(keep[0])


def iterator_over_a_row(ws):
    rows = [[ws[1]], []]
    it = iter(rows[0])
    rows[0].append(ws[0] * 2)
    return sum(it)


def walked_while_it_grows(ws):
    rows = [[ws[1]], []]
    t = 0.0
    for r in rows:
        rows[0].append(ws[0] * 2)
        t += sum(r)
        if len(rows[0]) > 3:
            break
    return t


def captured_rows(ws):
    rows = [[ws[1]], []]
    f = lambda: sum(rows[0])
    rows[0].append(ws[0] * 2)
    return f()


def rows_that_are_given(ws):
    return into(ws, [[], []])


def into(ws, given):
    given[0].append(ws[0])
    return sum(given[0])


def a_row_in_itself(ws):
    rows = [[ws[1]]]
    rows[0].append(rows[0])
    rows[0][0] = ws[2]
    return rows[0][1][0]


def a_row_in_two_places(ws):
    rows = [[ws[1]]]
    rows.append(rows[0])
    rows[0].append(ws[0])
    return sum(rows[1])


class Summing:
    def __init__(s):
        s.v = 0.0

    def append(s, x):
        s.v = s.v + x


def an_object_that_appends(ws):
    d = {"a": Summing()}
    d["a"].append(ws[0])
    return d["a"].v


def grouped(ws):
    g = {}
    for i, w in enumerate(ws):
        if i % 3 not in g:
            g[i % 3] = []
        g[i % 3].append(w)
    return sum(sum(v) ** 2 for v in g.values())


def triangle(n_ws):
    t = [[1.0]]
    for i in range(1, 4):
        t.append([1.0])
        for j in range(1, i):
            t[i].append(t[i - 1][j - 1] + t[i - 1][j] * n_ws[0])
        t[i].append(n_ws[1])
    return sum(map(sum, t)) * t[3][1]


def from_the_end(ws):
    rows = [[], [ws[0]]]
    rows[-1].append(ws[1])
    rows[-2].append(ws[2])
    return sum(rows[1]) * sum(rows[0])


def in_a_function_within(ws):
    def put(rows, i, v):
        rows[i].append(v)

    rows = [[], []]
    put(rows, 0, ws[0])
    return sum(rows[0])


def while_it_is_short(ws):
    rows = [[]]
    while len(rows[0]) < 3:
        rows[0].append(ws[0] * len(rows[0]))
    return sum(rows[0])


def dict_comprehension(ws):
    rows = {k: [] for k in "ab"}
    for i, w in enumerate(ws):
        rows["ab"[i % 2]].append(w * w)
    return sum(rows["a"]) * sum(rows["b"])


def one_row_for_all_keys(ws):
    row = []
    rows = {k: row for k in "ab"}
    rows["a"].append(ws[0])
    return sum(rows["b"])


def one_row_for_some_keys(ws):
    row = []
    rows = {k: row for k in "abc" if k != "c"}
    rows["a"].append(ws[0])
    return sum(rows["b"])


FOLLOWED = [dict_comprehension, graph, read_in_between, grouped, triangle, from_the_end, while_it_is_short]
OTHERS = [
    *(one_row_for_all_keys, one_row_for_some_keys),
    *(another_name_for_a_row, one_row_twice, rows_kept_elsewhere, iterator_over_a_row, walked_while_it_grows),
    *(captured_rows, rows_that_are_given, a_row_in_itself, a_row_in_two_places, an_object_that_appends),
    in_a_function_within,
]


def check(f: Any) -> None:
    y, (found,) = withgradient(f, WEIGHTS)
    assert y == f(WEIGHTS)
    h = 1e-6
    steps = [[w + h * (i == j) for j, w in enumerate(WEIGHTS)] for i in range(4)]
    back = [[w - h * (i == j) for j, w in enumerate(WEIGHTS)] for i in range(4)]
    np.testing.assert_allclose(found, [(f(a) - f(b)) / (2 * h) for a, b in zip(steps, back, strict=True)], atol=1e-7)

    def line(t: Any) -> Any:
        return f([w + t * d for w, d in zip(WEIGHTS, DIRECTION, strict=True)])

    first = grad(line)
    assert grad(first)(0.0) == pytest.approx((first(h) - first(-h)) / (2 * h), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("f", FOLLOWED)
def test_rows_that_grow(f: Any) -> None:
    check(f)


@pytest.mark.parametrize("f", OTHERS)
def test_rows_that_others_may_hold(f: Any) -> None:
    try:
        check(f)
    except MutationError:
        return
