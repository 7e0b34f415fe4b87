"""Programs that bind the names of arguments which are objects anew in loops, with what makes their arguments."""

from __future__ import annotations

import dataclasses
import math
import operator
from typing import Any

import numpy as np

from .functions_over_memory import Case


class Slotted:
    __slots__ = ("x", "y")

    def __init__(self, x: Any, y: Any) -> None:
        self.x = x
        self.y = y

    def __add__(self, other: Slotted) -> Slotted:
        return Slotted(self.x + other.x, self.y + other.y)

    def __mul__(self, k: Any) -> Slotted:
        return Slotted(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self) -> Slotted:
        return Slotted(-self.x, -self.y)

    def dot(self, other: Slotted) -> Any:
        return self.x * other.x + self.y * other.y

    def same(self) -> Slotted:
        return self


class Open:
    scale = 2.0

    def __init__(self, x: Any, y: Any) -> None:
        self.x = x
        self.y = y

    def __add__(self, other: Open) -> Open:
        return Open(self.x + other.x, self.y + other.y)

    def __mul__(self, k: Any) -> Open:
        return Open(self.x * k, self.y * k)


class Counted(Open):
    def __add__(self, other: Open) -> Counted:
        return Counted(self.x + other.x, self.y * other.y)


class Movable(Slotted):
    """One that its methods may change, if a program calls them."""

    __slots__ = ("n",)

    def __init__(self, x: Any, y: Any) -> None:
        self.x = x
        self.y = y
        self.n = 1

    def __add__(self, other: Slotted) -> Movable:
        return Movable(self.x + other.x, self.y + other.y)

    def __mul__(self, k: Any) -> Movable:
        return Movable(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self) -> Movable:
        return Movable(-self.x, -self.y)

    def __iadd__(self, other: Any) -> Movable:
        self.x += other.x
        self.n += 1
        return self

    def grow(self) -> None:
        self.x *= 2.0
        self.n += 1


@dataclasses.dataclass
class State:
    pos: Any
    vel: Any
    name: str = "s"

    def step(self, dt: Any) -> State:
        return State(self.pos + dt * self.vel, self.vel - dt * self.pos, self.name)


def slotted() -> tuple[Any, ...]:
    return Slotted(1.0, 0.2), Slotted(-0.1, 0.9)


def opened() -> tuple[Any, ...]:
    return Open(1.0, 0.2), Open(-0.1, 0.9)


def movable() -> tuple[Any, ...]:
    return Movable(1.0, 0.2), Movable(-0.1, 0.9)


def orbit(p: Any, v: Any) -> float:
    for _ in range(5):
        r3 = p.dot(p) ** 1.5
        v = v + 0.1 * (-p * (1 / r3))
        p = p + 0.1 * v
    return float(p.x * v.y)


def damped(p: Any, v: Any, n: int) -> float:
    for _ in range(n):
        p = p * 0.9 + v * 0.1
    return float(p.x * p.y)


def in_turns(p: Any, q: Any, n: int) -> float:
    for _ in range(n):
        p, q = q, p + q * 0.5
    return float(p.x * q.y + p.y)


def while_far(p: Any, v: Any) -> float:
    n = 0
    while p.x * p.x + p.y * p.y > 0.2 and n < 50:
        p = p * 0.8 + v * 0.1
        n += 1
    return float(p.x * v.y) * n


def nested(p: Any, v: Any) -> float:
    total = 0.0
    for i in range(3):
        q = p
        for _ in range(i):
            q = q * 0.5 + v
        p = p + q * 0.1
        total += q.x * p.y
    return total


def stepped(s: State, dt: float, n: int) -> float:
    first = s.pos
    for _ in range(n):
        s = s.step(dt)
    return float(np.sum(s.pos * s.vel * first)) if s.name == "s" else 0.0


def sometimes(p: Any, v: Any, n: int) -> float:
    for i in range(n):
        if i % 2:
            p = p * 0.9 + v
        elif p.x > 100.0:
            p = v
    return math.sin(p.x) * float(p.y)


def a_default_of_the_class(p: Any, v: Any) -> float:
    for _ in range(3):
        p = p + v * p.scale
    return float(p.x * p.y)


# ---- who may see it


def same_object(p: Any, v: Any, n: int) -> float:
    q = p
    for _ in range(n):
        p = p * 0.9 + v
    return float(p.x) * (2.0 if p is q else 3.0)


def given_back(p: Any, v: Any, n: int) -> Any:
    for _ in range(n):
        p = p * 0.9 + v
    return p


def stored_into(p: Any, v: Any) -> float:
    for i in range(3):
        p.x = p.x * v.y
        if i:
            p = p * 0.9 + v
    return float(p.x * p.y)


def in_place(p: Any, v: Any) -> float:
    for _ in range(3):
        p.x += v.x
    q = p
    for _ in range(2):
        q = q + v
    q.y = q.x * v.y
    return float(q.y * p.x)


def stored_after_no_round(p: Any, v: Any, n: int) -> float:
    for _ in range(n):
        p = p + v
    p.x = p.x * v.y
    return float(p.x * p.y)


def grown_by_its_method(p: Any, v: Any, n: int) -> float:
    for _ in range(n):
        p = p + v
        p.grow()
    return float(p.x * v.x) * p.n


def grown_by_name(p: Any, v: Any, n: int, name: str) -> float:
    for _ in range(n):
        p = p + v
        getattr(p, name)()
    return float(p.x * v.x) * p.n


def grown_in_a_helper(p: Any, v: Any, n: int) -> float:
    for _ in range(n):
        p = p + v
        _grow(p, v)
    return float(p.x * v.x) * p.n


def _grow(p: Any, v: Any) -> None:
    p += v


def grown_by_what_is_handed_on(p: Any, v: Any, n: int, f: Any) -> float:
    for _ in range(n):
        p = p + v
        f(p, v)
    return float(p.x * v.x) * p.n


def grown_from_a_table(p: Any, v: Any, n: int) -> float:
    table = {"grow": Movable.grow, "add": operator.iadd}
    for _ in range(n):
        p = p + v
        table["grow"](p)
        table["add"](p, v)
    return float(p.x * v.x) * p.n


def grown_beforehand(p: Any, v: Any, n: int) -> float:
    p += v
    for _ in range(n):
        p = p + v
    return float(p.x * v.x) * p.n


def grown_after_no_round(p: Any, v: Any, n: int) -> float:
    for _ in range(n):
        p = p + v
    p += v
    v.grow()
    return float(p.x * v.x) * p.n


def grown_while_it_is_counted(p: Any, v: Any, n: int) -> float:
    total = 0.0
    for _ in range(n):
        p = p + v
        before = p.n
        q = p
        q += v
        total += p.x * (p.n - before)
    return total * float(v.x)


CASES: list[Case] = [
    (orbit, slotted),
    (orbit, movable),
    (damped, lambda: (*movable(), 3)),
    (sometimes, lambda: (*movable(), 4)),
    (damped, lambda: (*slotted(), 3)),
    (damped, lambda: (*slotted(), 0)),
    (damped, lambda: (*opened(), 3)),
    (damped, lambda: (Counted(0.5, 0.7), Counted(0.1, 0.2), 0)),
    (in_turns, lambda: (*opened(), 4)),
    (while_far, slotted),
    (nested, slotted),
    (stepped, lambda: (State(0.5, 0.7), 0.1, 4)),
    (stepped, lambda: (State(np.array([0.5, 0.3]), np.array([0.7, 0.2])), 0.1, 4)),
    (sometimes, lambda: (*slotted(), 4)),
    (a_default_of_the_class, opened),
]
RIGHT: list[Case] = [
    (same_object, lambda: (*slotted(), 0)),
    (same_object, lambda: (*slotted(), 2)),
    (given_back, lambda: (*slotted(), 2)),
    (stored_into, slotted),
    (stored_into, opened),
    (in_place, slotted),
    (stored_after_no_round, lambda: (*slotted(), 0)),
    (stored_after_no_round, lambda: (*opened(), 2)),
    (damped, lambda: (Counted(0.5, 0.7), Counted(0.1, 0.2), 2)),
    *[
        (f, lambda n=n: (*movable(), n))
        for f in (
            grown_by_its_method,
            grown_in_a_helper,
            grown_from_a_table,
            grown_beforehand,
            grown_after_no_round,
            grown_while_it_is_counted,
        )
        for n in (0, 3)
    ],
    (grown_by_name, lambda: (*movable(), 3, "grow")),
    (grown_by_what_is_handed_on, lambda: (*movable(), 3, _grow)),
    (grown_by_what_is_handed_on, lambda: (*movable(), 3, operator.iadd)),
    (grown_by_what_is_handed_on, lambda: (*movable(), 3, lambda p, v: p.grow())),
]
"""Recorded or not, and by whatever program."""
