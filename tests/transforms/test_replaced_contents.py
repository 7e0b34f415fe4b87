"""Objects with lists, dicts and arrays of their own, which a loop replaces by others: `v = v + w`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from transforms.held_to_python import hold
from ways import check_everywhere

from adjoint import pullback


class Vec(list):
    def __add__(self, o):
        return Vec(a + b for a, b in zip(self, o, strict=True))

    def __mul__(self, k):
        return Vec([a * k for a in self])

    __rmul__ = __mul__

    def dot(self, o):
        return sum(a * b for a, b in zip(self, o, strict=True))


class Poly(list):
    def __mul__(self, o):
        out = Poly([0.0] * (len(self) + len(o) - 1))
        for i, a in enumerate(self):
            for j, b in enumerate(o):
                out[i + j] += a * b
        return out

    def __call__(self, x):
        y = 0.0
        for c in reversed(self):
            y = y * x + c
        return y


class Table(dict):
    def scaled(self, k):
        return Table([(key, v * k) for key, v in self.items()])


class State:
    def __init__(self, xs, w, n=0):
        self.xs, self.w, self.n = xs, w, n

    def moved(self, h):
        return State([x + h * self.n for x in self.xs], self.w * (1.0 + h), self.n + 1)

    def total(self):
        return sum(self.xs) + self.w.sum() * self.n


def vectors(x, n=5):
    p, v = Vec([x, 1.0, 2.0]), Vec([0.1, x, 0.0])
    for _ in range(n):
        p = p + v * 0.5
        v = v + -0.1 * p
    return p.dot(v)


def powers(x, n=4):
    p, q = Poly([x, 1.0, x * x]), Poly([1.0])
    for _ in range(n):
        q = q * p
    return q(0.5) + len(q) * x


def states(x, n=4):
    s = State([x, 2.0 * x], np.ones(2) * x)
    for _ in range(n):
        s = s.moved(x)
    return s.total()


def left_early(x, n=6):
    p = Vec([x, 1.0])
    for i in range(n):
        if p[0] > 3.0:
            break
        p = p + p * (x * i)
    return p.dot(p)


def while_it_is_small(x):
    p, n = Vec([x, 1.0]), 0
    while p.dot(p) < 50.0:
        p = p + Vec([x, x])
        n += 1
    return p[0] * n


def in_two_loops(x, n=3):
    p = Vec([x, 1.0])
    for _ in range(n):
        q = Vec([0.0, x])
        for k in range(n):
            q = q + p * (0.1 * k)
        p = p + q
    return p.dot(p)


def replaced_in_a_branch(x, n=5):
    p = Vec([x, 1.0])
    for i in range(n):
        if i % 2:
            p = p + p * x
    return p.dot(p)


STRUCTURED = [vectors, powers, states, left_early, while_it_is_small, in_two_loops, replaced_in_a_branch]


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_by_structure(f: Any) -> None:
    hold(f, lambda: (0.73,))


# ---- who else has them


def first_seen_later(x, n=3):
    first = p = Vec([x, 1.0])
    for _ in range(n):
        p = p + p * x
    first.append(7.0 * x)
    return p.dot(p) + first[2] * len(p) + first.dot(first) + (first is p) * x


def changed_after_no_round(x, n=0):
    first = p = Vec([x, 1.0])
    for _ in range(n):
        p = p + p * x
    p.append(7.0 * x)
    return sum(first) * len(first) + sum(p)


def changed_in_a_round(x, n=3):
    first = p = Vec([x, 1.0])
    for _ in range(n):
        p.append(x * x)
        p = p * x
    return sum(first) * len(first) + sum(p)


def replaced_then_changed(x, n=3):
    first = p = Vec([x, 1.0])
    for _ in range(n):
        p = p * 2.0
        p.append(x * x)
        p[0] = p[0] + x
    return sum(first) * len(first) + sum(p)


def list_of_two(x, n=3):
    xs = [x, 1.0]
    a = b = State(xs, np.ones(2))
    other = State(xs, np.ones(2) * x)
    for _ in range(n):
        a = a.moved(x)
        other.xs.append(x)
    xs[0] = 5.0 * x
    return a.total() + b.total() + other.total() * len(xs)


def list_handed_on(x, n=3):
    s, kept = State([x], np.ones(1)), [0.0]
    for i in range(n):
        xs = [v * x for v in s.xs]
        s = State(xs, s.w, i)
        kept = xs
        kept.append(x)
    kept[0] += 1.0
    return s.total() + sum(kept)


def shared_by_two(x, n=3):
    s, t = State([x], np.ones(1)), State([1.0], np.ones(1))
    for i in range(n):
        xs = [v * x for v in s.xs]
        s, t = State(xs, s.w, i), State(xs, t.w, i)
        t.xs.append(2.0 * x)
    return s.total() + 3.0 * t.total()


def swapped(x, n=3):
    p, q = Vec([x, 1.0]), Vec([2.0, x * x])
    for _ in range(n):
        p, q = q, p + q
    return p.dot(q)


def swapped_and_changed(x, n=3):
    p, q = Vec([x, 1.0]), Vec([2.0, x * x])
    for _ in range(n):
        p, q = q, p * x
        p.append(x)
    return sum(p) + 2.0 * sum(q)


def kept_by_a_closure(x, n=3):
    p, fs = Vec([x, 1.0]), []
    for _ in range(n):
        fs.append(lambda p=p: p[0] + len(p))
        p = p * 2.0
    p[0] = x
    return sum(f() for f in fs) * x + sum(p)


def collected(x, n=3):
    p = Vec([x, 1.0])
    seen = []
    for _ in range(n):
        p = p + p * x
        seen.append(p)
    p[0] = 5.0 * x
    return sum(s[0] * s[1] for s in seen) + sum(p)


def array_in_place(x, n=3):
    first = s = State([x], np.ones(2) * x)
    for _ in range(n):
        s = State([v * x for v in s.xs], s.w * 2.0, s.n + 1)
        s.w[0] = x
    s.w += x
    first.w *= 3.0
    return s.total() + first.w.sum() + first.total()


def array_shared(x, n=3):
    s = State([x], np.ones(2) * x)
    w = s.w
    for _ in range(n):
        s = State([v * x for v in s.xs], s.w, s.n + 1)
        s.w[0] += x
    return s.total() + w.sum()


def view_kept(x, n=3):
    s = State([x], np.ones(2) * x)
    view = s.w[:1]
    for _ in range(n):
        w = s.w * x
        view = w[:1]
        s = State(s.xs, w, s.n + 1)
    view[0] = 7.0
    return s.total() + view[0]


def tables(x, n=3):
    t = Table([("a", x), ("b", 2.0)])
    for _ in range(n):
        t = t.scaled(x + 1.0)
    t["c"] = x
    return sum(v * v for v in t.values())


def of_two_lengths(x, n=4):
    p = Vec([x])
    for i in range(n):
        p = Vec([*p, p[-1] * x, i * x])
    return sum(i * v for i, v in enumerate(p))


def of_two_classes(x, n=4):
    p = Vec([x, 1.0])
    for i in range(n):
        p = Poly([v * x for v in p]) if i == 1 else Vec([v + 1.0 for v in p])
    return sum(p) * isinstance(p, Vec)


def with_fields(x, n=4):
    p = Vec([x, 1.0])
    p.mass = x
    for _ in range(n):
        q = p * x
        q.mass = p.mass * 1.5
        p = q
    return sum(p) * p.mass


def asked_whether_one(x, n=2):
    first = p = Vec([x])
    for i in range(n):
        p = p + p
        if i == 0:
            keep = p
    return p[0] * (first is p) + keep[0] * (keep is p) + first[0] * (keep is not p)


def raising(x, n=4):
    p = Vec([x, 1.0])
    for i in range(n):
        try:
            p = p * x
            if i == 2:
                p = Vec([1.0 / (i - 2)])
        except ZeroDivisionError:
            p = p + Vec([x, x])
    return p.dot(p)


SEEN = [
    *(first_seen_later, changed_after_no_round, changed_in_a_round, replaced_then_changed, list_of_two, list_handed_on),
    *(
        shared_by_two,
        swapped,
        swapped_and_changed,
        kept_by_a_closure,
        collected,
        array_in_place,
        array_shared,
        view_kept,
    ),
    *(tables, of_two_lengths, of_two_classes, with_fields, asked_whether_one, raising),
]


@pytest.mark.parametrize("n", [3, 1, 0])
@pytest.mark.parametrize("f", [*STRUCTURED, *SEEN], ids=lambda f: f.__name__)
def test_all_ways(f: Any, n: int) -> None:
    if f is while_it_is_small or f in (in_two_loops, asked_whether_one) and n == 0:
        return
    check_everywhere(lambda x: f(x, n), 0.73)
    for _ in range(2):
        _, back = pullback(f, 0.73, n)
        assert back(1.0) == back(1.0)
