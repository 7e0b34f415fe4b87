"""Objects of which a branch says which they are, as in loops that end early: their fields are joined."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np
import pytest
from transforms.held_to_python import hold
from transforms.test_replaced_contents import State, Vec
from ways import check_everywhere

from adjoint import pullback


class Body:
    def __init__(self, x, v, hits=0):
        self.x, self.v, self.hits = x, v, hits

    def moved(self, dt):
        return Body(self.x + self.v * dt, self.v - self.x * dt, self.hits)

    def hit(self):
        self.hits += 1


@dataclasses.dataclass
class Pair:
    a: Any
    b: Any


def until_it_is_far(x, n=6):
    s = Body(x, 1.0)
    for i in range(n):
        if s.x > 1.5:
            break
        if i == 2:
            continue
        s = s.moved(0.3)
    return s.x * s.v


def found(x, n=6):
    s = Body(x, 1.0)
    for i in range(n):
        s = s.moved(0.3)
        if s.x > 1.2:
            return s.x * i
    return s.v


def of_two_new(x, n=3):
    p = Vec([x, 1.0]) if x > 0.5 else Vec([2.0, x * x])
    for _ in range(n):
        q = p * x if p[0] > 1.0 else p * 3.0
        p = q + p
    return p.dot(p)


def by_sign(x, n=3):
    total = Vec([0.0, 0.0])
    for i in range(n):
        v = Vec([x, i * x])
        if i % 2:
            v = v * -2.0
        elif i == 2:
            v = v + v
        total = total + v
    return total.dot(total)


def with_arrays(x, n=4):
    s = State([x, 1.0], np.ones(2) * x)
    for i in range(n):
        if s.w.sum() > 3.0:
            break
        s = State([v * x for v in s.xs], s.w * 1.5, i)
    return s.total()


STRUCTURED = [until_it_is_far, found, of_two_new, by_sign, with_arrays]


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_by_structure(f: Any) -> None:
    hold(f, lambda: (0.73,))


# ---- who else has them


def first_changed(x, n=3):
    s = Body(x, 1.0)
    t = s if n > 1 else Body(2.0 * x, x)
    s.x = 5.0 * x
    return t.x * t.v + s.x


def other_changed(x, n=3):
    s = Body(x, 1.0)
    t = Body(2.0 * x, x) if x > 0.5 and n else s
    t.x += 3.0
    t.hit()
    return t.x * t.v + s.x * s.hits


def both_there(x, n=3):
    s, t = Body(x, 1.0), Body(2.0 * x, x)
    u = s if x > 0.5 else t
    u.v = u.v * x
    return s.v + 10.0 * t.v + u.v * n


def list_changed(x, n=3):
    p, q = Vec([x]), Vec([1.0, x])
    r = p if x > 0.5 else q
    r.append(x * x)
    return sum(p) + 2.0 * sum(q) + len(p) * x + n * r[-1]


def one_list_of_two(x, n=3):
    xs = [x, 1.0]
    s = State(xs, np.ones(1), n) if x > 0.5 else State(xs, np.ones(1) * x, 2)
    s.xs.append(x)
    xs.append(3.0 * x)
    return s.total() + sum(xs)


def list_also_kept(x, n=3):
    s, other = State([x], np.ones(1)), State([1.0], np.ones(1))
    if x > 0.5:
        ys = [v * x for v in s.xs]
        s = State(ys, np.ones(1), n)
        other.xs = ys
    other.xs.append(x)
    s.xs[0] = 5.0
    return s.total() + 2.0 * other.total()


def array_also_kept(x, n=3):
    s, w = State([x], np.ones(2)), np.zeros(2)
    if x > 0.5:
        w = np.ones(2) * x
        s = State([x], w, n)
    w[0] = 7.0 * x
    return s.total() + w.sum()


def one_twice(x, n=3):
    s = Body(x, 1.0)
    a = b = s
    if x > 0.5:
        a = b = s.moved(0.5)
    a.x += x
    return a.x * b.x + s.x + n * (a is b) * x + (a is s) * x


def asked_whether_one(x, n=3):
    s = Body(x, 1.0)
    t = s.moved(0.1) if n > 1 else s
    u = s if n else t
    return t.x * (t is s) + u.x * (u is s) + x * (t is not u)


def of_two_classes(x, n=3):
    s = Body(x, 1.0) if x > 0.5 else Pair(x, 2.0)
    p = Vec([x]) if n > 1 else [x, x]
    return (s.x if isinstance(s, Body) else s.b) * x + sum(p) * type(p).__name__.count("V")


def with_other_fields(x, n=3):
    s = Body(x, 1.0)
    if x > 0.5:
        s = s.moved(0.1)
        s.late = x
    return s.x + getattr(s, "late", 3.0) * n + len(vars(s)) * x


def in_another_order(x, n=3):
    s = Pair(x, 2.0 * x)
    if x > 0.5:
        t = Pair.__new__(Pair)
        t.b, t.a = x, 3.0
        s = t
    return sum((i + 1) * v for i, v in enumerate(vars(s).values())) * n


def with_objects_within(x, n=3):
    s, inner = Pair(Body(x, 1.0), 1.0), Body(2.0, x)
    if x > 0.5:
        s = Pair(inner, x)
    s.a.x *= 2.0
    return s.a.x * s.a.v + inner.x * n + s.b


def given_to_others(x, n=3):
    s = Body(x, 1.0)
    if x > 0.5:
        s = s.moved(0.1)
    kept = [s]
    kept[0].x = 3.0 * x
    return s.x * s.v + n * kept[0].x


def given_back(x, n=3):
    s = chosen(x, n)
    s.x += x
    return s.x * s.v


def chosen(x, n):
    s = Body(x, 1.0)
    for _ in range(n):
        if s.x > 1.0:
            return s
        s = s.moved(0.4)
    return s


def captured(x, n=3):
    s = Body(x, 1.0)

    def now():
        return s.x * s.v

    if x > 0.5:
        s = s.moved(0.1)
    first = now()
    s.x = x * x
    return first + now() * n


def unbound(x, n=3):
    if x > 0.2:
        s = Vec([x, 1.0])
    for i in range(n):
        if i:
            t = s * x
            s = t + s
    return s.dot(s)


def none_at_first(x, n=3):
    best = None
    for i in range(n):
        v = Vec([x * i, 1.0])
        if best is None or v[0] > best[0]:
            best = v
    return best.dot(best) if best is not None else x


def in_a_handler(x, n=3):
    s = Body(x, 1.0)
    for i in range(n):
        try:
            s = Body(s.x / (i - 1), s.v) if i else s
        except ZeroDivisionError:
            s = s.moved(0.2)
            s.hit()
    return s.x * s.v + s.hits * x


def cached(x, n=3):
    s = Cached(x)
    y = s.twice
    if x > 0.5:
        s = Cached(x * x)
    return y + s.twice * n


class Cached:
    def __init__(self, x):
        self.x = x

    @functools.cached_property
    def twice(self):
        return 2.0 * self.x


def changed_before_the_next_round(x, n=3):
    r = Body(x, 1.0)
    total = 0.0
    for i in range(n):
        r.x += x
        t = r if i % 2 else Body(x, 2.0)
        total += t.x * t.v
    return total + r.x


def changed_through_the_other(x, n=3):
    p = q = Body(x, 1.0)
    for i in range(n):
        q.v += 0.5
        if i == 1:
            p = p.moved(0.3)
    return p.x * p.v + q.v


SEEN = [
    *(first_changed, other_changed, both_there, list_changed, one_list_of_two, list_also_kept, array_also_kept),
    *(one_twice, asked_whether_one, of_two_classes, with_other_fields, in_another_order, with_objects_within),
    *(given_to_others, given_back, captured, unbound, none_at_first, in_a_handler, cached),
    *(changed_before_the_next_round, changed_through_the_other),
]


@pytest.mark.parametrize("n", [3, 1, 0])
@pytest.mark.parametrize("x", [0.73, 0.31])
@pytest.mark.parametrize("f", [*STRUCTURED, *SEEN], ids=lambda f: f.__name__)
def test_all_ways(f: Any, x: float, n: int) -> None:
    check_everywhere(lambda x: f(x, n), x)
    for _ in range(2):
        _, back = pullback(f, x, n)
        assert back(1.0) == back(1.0)
