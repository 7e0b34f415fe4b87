"""Programs that change their arguments, with what makes these."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np


class Ball:
    def __init__(self, x: float, v: float) -> None:
        self.x, self.v = x, v

    def step(self, dt: float, k: float) -> None:
        self.v = self.v - dt * k * self.x
        self.x = self.x + dt * self.v

    def twice(self, dt: float, k: float) -> None:
        self.step(dt, k)
        self.step(dt, k)

    @property
    def speed(self) -> float:
        return self.v * 2.0


class Log:
    def __init__(self) -> None:
        self.t, self.n = 0.5, 0
        self.seen: list[float] = []
        self.w = np.ones(3)
        self.best = {"a": 1.5}

    def run(self, k: float) -> None:
        self.t += k
        self.n += 1
        self.seen.append(self.t * k)
        self.w[self.n % 3] = self.t
        self.best["a"] = self.best["a"] * k


@dataclasses.dataclass
class State:
    p: np.ndarray[Any, Any]
    step: int = 0
    total: float = 1.0


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a: float, b: float) -> None:
        self.a, self.b = a, b


def vector() -> np.ndarray[Any, Any]:
    return np.linspace(0.7, 1.3, 5)


# ---- arrays


def item(a: Any) -> Any:
    a[1] = a[0] * a[2]
    return (a * a).sum()


def recurrence(a: Any) -> Any:
    for i in range(1, len(a)):
        a[i] = a[i] * a[i - 1]
    return a[-1]


def part(a: Any) -> Any:
    a[1:] = a[:-1] * a[1:]
    return (a * a).sum()


def in_place(a: Any, k: float) -> Any:
    a *= k
    a += 1.0
    return (a * a).sum()


def squared_by_itself(a: Any) -> Any:
    a *= a
    return a.sum()


def given_back(a: Any) -> Any:
    a[0] = a[0] * 3.0
    return a


def in_a_branch(a: Any, x: float) -> Any:
    if x > 0.0:
        a[0] = x * a[1]
    else:
        a[1] = x
    return a.sum() * a[0]


def rebound(a: Any) -> Any:
    a[0] = a[1] * 2.0
    a = a * a
    a[1] = a[0]
    return a.sum()


def under_another_name(a: Any) -> Any:
    b = a
    b[0] = b[1] * b[0]
    return (a * b).sum()


def of_two_axes(a: Any) -> Any:
    for i in range(a.shape[0]):
        a[i, 0] = a[i, 1] * a[i - 1, 1]
    return (a**2).sum()


def buffer(out: Any, x: float) -> Any:
    for i in range(len(out)):
        out[i] = math.sin(x * i)
    return out.sum()


def both(a: Any, b: Any) -> Any:
    for i in range(len(a)):
        a[i] = a[i] * b[i]
        b[i] = a[i] + b[i]
    return (a * b).sum()


def _scale(a: Any, k: float) -> None:
    for i in range(len(a)):
        a[i] = a[i] * k


def _shift(a: Any, b: Any) -> None:
    a[0] = a[0] + b[-1]
    _scale(a, 1.5)


def by_a_helper(a: Any, k: float) -> Any:
    _scale(a, k)
    return (a * a).sum()


def by_a_helper_in_a_loop(a: Any, k: float) -> Any:
    s = 0.0
    for _ in range(3):
        _scale(a, k)
        s = s + a[1] * a[2]
    return s


def by_helpers_in_helpers(a: Any, b: Any) -> Any:
    _shift(a, b)
    return (a * b).sum()


def helper_and_a_copy(a: Any, k: float) -> Any:
    b = a.copy()
    _scale(b, k)
    a[0] = b[1]
    return (a * b).sum()


def single_precision(a: Any) -> Any:
    a[0] = a[1] * 2.0
    return a.sum()


def integers_count(n: Any, x: float) -> Any:
    for i in range(len(n)):
        n[i] += 1
    return x * float(n[0])


# ---- lists and dicts


def list_item(xs: Any) -> Any:
    for i in range(1, len(xs)):
        xs[i] = xs[i] * xs[i - 1]
    return xs[-1] * xs[0]


def grows(xs: Any) -> Any:
    xs.append(xs[0] * xs[1])
    xs.append(xs[-1] * 2.0)
    return sum(xs) * xs[-1]


def grows_by_many(xs: Any, x: float) -> Any:
    xs.extend([x, x * x])
    xs += [xs[0] * x]
    return sum(xs)


def list_given_back(xs: Any) -> Any:
    xs[0] = xs[1] * 2.0
    return xs


def _push(xs: Any, x: float) -> None:
    xs.append(x * x)


def grows_by_a_helper(xs: Any, x: float) -> Any:
    for i in range(3):
        _push(xs, x * i)
    return sum(xs)


def dict_items(d: Any) -> Any:
    for k in ("a", "b"):
        d[k] = d[k] * d["a"]
    return d["a"] * d["b"]


def dict_grows(d: Any, x: float) -> Any:
    d["c"] = d["a"] * x
    return d["c"] * d["b"]


# ---- objects


def object_in_a_loop(p: Any, k: float) -> Any:
    for _ in range(20):
        p.step(0.1, k)
    return p.x**2 + p.speed


def object_by_methods(p: Any, k: float) -> Any:
    p.twice(0.1, k)
    return p.x * p.v


def object_by_a_function(p: Any) -> Any:
    _advance(p, 0.1)
    _advance(p, 0.2)
    return p.x * p.v


def _advance(p: Any, dt: float) -> None:
    p.x += dt * p.v
    p.v -= dt * p.x


def object_directly(p: Any) -> Any:
    p.x = p.x * 2.0
    p.v *= p.x
    return p.v


def new_field(p: Any, k: float) -> Any:
    p.extra = p.x * k
    return p.extra * p.extra


def object_with_memory(s: Any, k: float) -> Any:
    for _ in range(5):
        s.run(k)
    return s.t * sum(s.seen) + s.w.sum() * s.best["a"]


def fields_change_places(p: Any) -> Any:
    p.x, p.v = p.v * 2.0, p.x
    return p.x * p.x * p.v


def memory_changes_places(p: Any, q: Any) -> Any:
    p.seen.append(2.0 * p.t)
    p.seen, p.w = [p.t], p.w * 2.0
    q.t = p.t * q.t
    return sum(p.seen) * q.t * p.w.sum()


def two_objects(p: Any, q: Any) -> Any:
    for _ in range(5):
        p.x += 0.1 * q.v
        q.x -= 0.1 * p.v * p.x
    return p.x * q.x


def of_a_dataclass(s: Any) -> Any:
    s.p = s.p * s.total
    s.step += 1
    s.total = s.total * float(s.p.sum())
    return s.total


def array_of_a_dataclass(s: Any) -> Any:
    s.p *= s.total
    s.p[0] = s.p[1] ** 2
    return s.p.sum()


def with_slots(s: Any) -> Any:
    s.a = s.a * s.b
    return s.a * s.a


def object_in_a_branch(p: Any, k: float) -> Any:
    if k > 1.0:
        p.x = p.x * k
    else:
        p.v = k
    return p.x * p.v


def until(p: Any, k: float) -> Any:
    n = 0
    while p.x < 10.0 and n < 50:
        p.x = p.x * k + 0.5
        n += 1
    return p.x


class Car:
    def __init__(self) -> None:
        self.ball = Ball(1.0, 0.5)
        self.far = 0.0

    def go(self) -> None:
        self.ball.step(0.1, 2.0)
        self.far += self.ball.x


def of_what_it_holds(c: Any) -> Any:
    c.ball.x = c.ball.x * 2.0
    c.ball.step(0.1, 2.0)
    return c.ball.x


def balls_change_places(c: Any, d: Any) -> Any:
    c.ball, d.ball = d.ball, c.ball
    c.ball.x = c.ball.x * 2.0
    return c.ball.x * d.ball.x


def of_an_object_in_it(c: Any) -> Any:
    c.go()
    c.go()
    return c.far * c.ball.v


Case = tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]
STRUCTURED: list[Case] = [
    (item, lambda: (vector(),)),
    (recurrence, lambda: (vector(),)),
    (part, lambda: (vector(),)),
    (in_place, lambda: (vector(), 1.2)),
    (squared_by_itself, lambda: (vector(),)),
    (given_back, lambda: (vector(),)),
    (in_a_branch, lambda: (vector(), 0.7)),
    (in_a_branch, lambda: (vector(), -0.7)),
    (rebound, lambda: (vector(),)),
    (under_another_name, lambda: (vector(),)),
    (of_two_axes, lambda: (np.linspace(0.5, 1.5, 6).reshape(3, 2),)),
    (buffer, lambda: (np.zeros(4), 0.7)),
    (both, lambda: (vector(), vector() * 2.0)),
    (by_a_helper, lambda: (vector(), 1.2)),
    (by_a_helper_in_a_loop, lambda: (vector(), 1.2)),
    (by_helpers_in_helpers, lambda: (vector(), vector() * 2.0)),
    (helper_and_a_copy, lambda: (vector(), 1.2)),
    (single_precision, lambda: (vector().astype(np.float32),)),
    (item, lambda: (np.asfortranarray(vector()),)),
    (list_item, lambda: ([0.5, 1.5, 2.5],)),
    (grows, lambda: ([0.5, 1.5, 2.5],)),
    (grows_by_many, lambda: ([0.5, 1.5], 1.2)),
    (grows_by_many, lambda: ([], 1.2)),
    (grows_by_a_helper, lambda: ([0.5, 1.5], 1.2)),
    (list_given_back, lambda: ([0.5, 1.5],)),
    (dict_items, lambda: ({"a": 1.5, "b": 0.5},)),
    (dict_grows, lambda: ({"a": 1.5, "b": 0.5}, 1.2)),
    (object_in_a_loop, lambda: (Ball(1.0, 0.5), 1.3)),
    (object_by_methods, lambda: (Ball(1.0, 0.5), 1.3)),
    (object_by_a_function, lambda: (Ball(1.0, 0.5),)),
    (object_directly, lambda: (Ball(1.0, 0.5),)),
    (new_field, lambda: (Ball(1.0, 0.5), 1.3)),
    (object_with_memory, lambda: (Log(), 1.1)),
    (fields_change_places, lambda: (Ball(1.0, 0.5),)),
    (memory_changes_places, lambda: (Log(), Log())),
    (two_objects, lambda: (Ball(1.0, 0.5), Ball(0.3, 0.8))),
    (of_a_dataclass, lambda: (State(vector()),)),
    (array_of_a_dataclass, lambda: (State(vector(), 0, 1.4),)),
    (with_slots, lambda: (Slotted(1.5, 2.5),)),
    (object_in_a_branch, lambda: (Ball(1.0, 0.5), 1.3)),
    (object_in_a_branch, lambda: (Ball(1.0, 0.5), 0.7)),
    (of_an_object_in_it, lambda: (Car(),)),
    (of_what_it_holds, lambda: (Car(),)),
    (balls_change_places, lambda: (Car(), Car())),
    (until, lambda: (Ball(1.0, 0.5), 1.3)),
]
"""Those whose stores are versions of what they work on."""


# ---- others


def view_given_back(a: Any) -> Any:
    a[0] = a[1] * 2.0
    return a[1:]


def held_by_a_list(a: Any) -> Any:
    kept = [a]
    a[0] = a[1] * 2.0
    return kept[0].sum()


def row_by_name(a: Any) -> Any:
    row = a[0]
    row[1] = row[0] * 2.0
    return (a * a).sum()


def object_given_back(p: Any) -> Any:
    p.x = p.x * p.v
    return p


def fluent(p: Any) -> Any:
    p.step(0.1, 2.0)
    q = p if p.x > 0.0 else Ball(1.0, 1.0)
    q.step(0.1, 2.0)
    return q.x


def of_lists(rows: Any) -> Any:
    rows[0][1] = rows[1][0] * 2.0
    return rows[0][1] * rows[1][1]


def of_objects(ps: Any) -> Any:
    for p in ps:
        p.x = p.x * p.v
    return ps[0].x * ps[1].x


def sorted_in_place(xs: Any) -> Any:
    xs.sort()
    return xs[0] * 3.0 + xs[1]


OTHERS: list[Case] = [
    (integers_count, lambda: (np.array([1, 2, 3]), 1.5)),
    (view_given_back, lambda: (vector(),)),
    (held_by_a_list, lambda: (vector(),)),
    (row_by_name, lambda: (np.linspace(0.5, 1.5, 6).reshape(3, 2),)),
    (object_given_back, lambda: (Ball(1.0, 0.5),)),
    (fluent, lambda: (Ball(1.0, 0.5),)),
    (of_lists, lambda: ([[0.5, 1.5], [2.5, 0.7]],)),
    (of_objects, lambda: ([Ball(1.0, 0.5), Ball(0.3, 0.8)],)),
    (sorted_in_place, lambda: ([2.5, 1.5],)),
    (item, lambda: (np.linspace(0.5, 1.5, 10)[::2],)),
]
