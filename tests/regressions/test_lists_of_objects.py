"""Lists of objects that a program makes for itself and changes: each field is a list of the generated program."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from adjoint import gradient
from adjoint.inspect import code_adjoint

from .differences import check, check_forward, right_or_refused


class Body:
    rate = 0.5

    def __init__(self, x: float, v: float, m: float = 1.0) -> None:
        self.x, self.v, self.m = x, v, m

    def push(self, a: float, dt: float) -> None:
        self.v += a * dt

    def move(self, dt: float) -> None:
        self.x += self.v * dt

    def step(self, a: float, dt: float) -> Body:
        self.push(a, dt)
        self.move(dt)
        return self

    @property
    def energy(self) -> float:
        return self.m * self.v * self.v * self.rate


class Heavy(Body):
    def push(self, a: float, dt: float) -> None:
        self.v += 0.1 * a * dt


@dataclass
class Spring:
    k: float
    rest: float = 1.0
    used: int = 0

    def pull(self, d: float) -> float:
        self.used += 1
        return self.k * (d - self.rest)


def bodies(k: float, n: int = 4) -> list[Body]:
    return [Body(0.3 * i, k * i, 1.0 + i) for i in range(n)]


def comprehended(k: float) -> float:
    bs = [Body(float(i), 0.1 * i, 1.0 + i) for i in range(5)]
    for _ in range(4):
        for b in bs:
            b.push(-k * b.x, 0.1)
            b.move(0.1)
    return sum(b.x * b.m for b in bs)


def by_place(g: float) -> float:
    bs = [Body(float(i) * 1.5, 0.0, 1.0 + 0.1 * i) for i in range(4)]
    n = len(bs)
    for _ in range(3):
        for i in range(n):
            a = 0.0
            for j in range(n):
                if i != j:
                    d = bs[j].x - bs[i].x
                    a += g * bs[j].m * d / (abs(d) ** 3 + 0.01)
            bs[i].push(a, 0.05)
        for b in bs:
            b.move(0.05)
    return bs[0].x * bs[-1].x


def appended(k: float) -> float:
    bs = []
    for i in range(5):
        bs.append(Body(float(i), k * i))
    for b in bs:
        b.move(0.1)
    return sum(b.x for b in bs) * bs[2].v


def appended_in_a_branch(k: float) -> float:
    bs = []
    for i in range(6):
        if i % 2:
            bs.append(Body(float(i), k * i))
    for b in bs:
        b.move(0.1)
    return bs[0].x * bs[1].x * len(bs)


def appended_later(k: float) -> float:
    bs = [Body(k, 1.0)]
    for i in range(3):
        bs[-1].move(0.1 * i)
        bs.append(Body(bs[-1].x * k, bs[0].v))
        bs[0].push(k, 0.1)
    return bs[-1].x * bs[1].x * bs[0].v


def appended_and_kept(k: float) -> float:
    bs = []
    b = Body(k, 1.0)
    bs.append(b)
    b.x = b.x * 3.0
    bs[0].v = k
    return b.x * bs[0].x * b.v


def displayed(k: float) -> float:
    a = Body(k, 1.0)
    bs = [a, Body(1.0, k, 2.0)]
    for b in bs:
        b.x = b.x * b.v + k
    a.x *= 2.0
    return a.x * bs[0].x * bs[1].x


def in_pairs(k: float) -> float:
    bs = bodies_of(k)
    for _ in range(3):
        for a in bs:
            for b in bs:
                if a is not b:
                    a.v += k * (b.x - a.x) * 0.1
        for i, b in enumerate(bs):
            b.x += 0.1 * b.v * i
    return bs[1].x * bs[2].v


def bodies_of(k: float) -> list[Body]:
    return [Body(0.3 * i, k * i) for i in range(4)]


def pairs_of_its_own(k: float) -> float:
    bs = [Body(0.3 * i, k * i) for i in range(4)]
    for a in bs:
        for b in bs:
            if a is not b:
                a.v += k * (b.x - a.x) * 0.1
            if a is b:
                a.x += 0.5
    return bs[1].x * bs[2].v


def zipped(k: float) -> float:
    bs = [Body(k * i, 1.0) for i in range(3)]
    ss = [Spring(k, 0.5 * i) for i in range(3)]
    for b, s, w in zip(bs, ss, [1.0, 2.0, 3.0], strict=True):
        b.push(-s.pull(b.x) * w, 0.1)
        s.k = s.k * b.v
    return sum(b.v * s.k for b, s in zip(bs, ss, strict=True)) * ss[0].used


def chained(k: float) -> float:
    bs = [Body(k, 1.0) for _ in range(3)]
    for i in range(1, 3):
        bs[i].step(bs[i - 1].x, 0.1).move(k)
    return bs[2].x * bs[2].energy


def with_a_while(k: float) -> float:
    bs = [Body(k * (i + 1), 1.0) for i in range(3)]
    n = 0
    while bs[0].x < 5.0 and n < 20:
        for b in bs:
            b.x = b.x * 1.3
        n += 1
    return bs[0].x + bs[2].x * n


def in_a_branch(k: float) -> float:
    bs = [Body(k * (i + 1), 1.0) for i in range(3)]
    for b in bs:
        if b.x > 2.0:
            b.v = b.x * k
        else:
            b.x = k
    return sum(b.x * b.v for b in bs)


def in_an_object(k: float) -> float:
    world = World(k)
    for _ in range(3):
        world.step(0.1)
    return world.bodies[0].x * world.total


class World:
    def __init__(self, k: float) -> None:
        self.bodies = [Body(k * i + 1.0, 1.0) for i in range(3)]
        self.total = 0.0

    def step(self, dt: float) -> None:
        for b in self.bodies:
            b.push(-b.x, dt)
            b.move(dt)
            self.total += b.x


def kinds_of_their_own(k: float) -> float:
    bs = [Heavy(k * i, 1.0) for i in range(3)]
    cs = [Body(k * i, 1.0) for i in range(3)]
    for a, b in zip(bs, cs, strict=True):
        a.step(k, 0.1)
        b.step(a.v, 0.1)
    return bs[1].x * cs[2].x


def conditions_within(k: float) -> float:
    bs = [Body(k * i, 1.0) for i in range(6) if i % 3]
    for b in bs:
        b.move(k)
    return bs[-1].x * bs[0].x + len(bs)


# ---- what others see, or what moves


def two_classes(k: float) -> float:
    bs = [Body(k, 1.0), Heavy(k, 2.0)]
    for b in bs:
        b.push(k, 0.1)
    return bs[0].v * bs[1].v


def changes_places(k: float) -> float:
    bs = [Body(k * (i + 1), 1.0) for i in range(3)]
    first = bs[0]
    bs[0], bs[2] = bs[2], bs[0]
    bs[0].x *= 2.0
    first.x *= 3.0
    return bs[0].x * bs[2].x


def replaced(k: float) -> float:
    bs = [Body(k * (i + 1), 1.0) for i in range(3)]
    old = bs[1]
    bs[1] = Body(k, k)
    bs[1].x *= 2.0
    old.x *= 5.0
    return bs[1].x * old.x


def popped(k: float) -> float:
    bs = [Body(k * (i + 1), 1.0) for i in range(3)]
    b = bs.pop()
    b.x *= 2.0
    return b.x * bs[-1].x


def sorted_by_a_field(k: float) -> float:
    bs = [Body(k * math.sin(i), 1.0) for i in range(4)]
    bs[0].x = 0.5
    bs.sort(key=lambda b: b.x)
    return bs[0].x * bs[3].x


def the_best(k: float) -> float:
    bs = [Body(k * math.sin(i), 1.0) for i in range(4)]
    best = bs[0]
    for b in bs:
        if b.x > best.x:
            best = b
    best.x *= 2.0
    return best.x * sum(b.x for b in bs)


def by_max(k: float) -> float:
    bs = [Body(k * math.sin(i), 1.0) for i in range(4)]
    b = max(bs, key=lambda b: b.x)
    b.x *= 2.0
    return b.x * sum(c.x for c in bs)


def a_slice(k: float) -> float:
    bs = [Body(k * (i + 1), 1.0) for i in range(4)]
    for b in bs[1:]:
        b.x *= k
    for b in reversed(bs):
        b.x += 1.0
    return bs[0].x * bs[3].x


def in_two_lists(k: float) -> float:
    a = Body(k, 1.0)
    bs, cs = [a], [a]
    bs[0].x *= 2.0
    cs[0].x *= 3.0
    return a.x * bs[0].x


def twice_in_a_list(k: float) -> float:
    a = Body(k, 1.0)
    bs = [a, a]
    bs[0].x *= 2.0
    return bs[1].x * a.x


def repeated(k: float) -> float:
    bs = [Body(k, 1.0)] * 3
    bs[0].x *= 2.0
    return bs[1].x * bs[2].x


def given_back(k: float) -> Any:
    bs = [Body(k * i, 1.0) for i in range(3)]
    for b in bs:
        b.x += k
    return bs[1].x, [b.x for b in bs]


def kept_by_another(k: float) -> float:
    bs = [Body(k * (i + 1), 1.0) for i in range(3)]
    others = {"a": bs[0], "b": bs[1]}
    bs[0].x *= 2.0
    return others["a"].x * others["b"].x


def grows_while_it_is_run_through(k: float) -> float:
    bs = [Body(k, 1.0)]
    for b in bs:
        if len(bs) < 4:
            bs.append(Body(b.x * k, 1.0))
        b.v = b.x
    return bs[-1].x * bs[0].v


def from_a_function(k: float) -> float:
    bs = bodies(k)
    for b in bs:
        b.move(0.1)
    return bs[1].x * bs[2].x


def handed_on(k: float) -> float:
    bs = [Body(k * (i + 1), 1.0) for i in range(3)]
    for b in bs:
        b.move(0.1)
    return total(bs) * k


def total(bs: list[Body]) -> float:
    for b in bs:
        b.x *= 2.0
    return sum(b.x for b in bs)


def empty(k: float) -> float:
    bs: list[Body] = []
    for b in bs:
        b.x *= 2.0
    return k * len(bs) + k


def none_collected(k: float) -> float:
    bs = [Body(k, 1.0) for i in range(0)]
    for b in bs:
        b.x *= 2.0
    return k * len(bs) + k


def sought(k: float) -> float:
    bs = [Body(k * (i + 1), 1.0) for i in range(3)]
    b = bs[1]
    b.x *= 2.0
    return b.x * bs.index(b) if b in bs else k


def of_lists(k: float) -> float:
    ps = [Path(k * i) for i in range(3)]
    for p in ps:
        p.seen.append(p.at * 2.0)
        p.at = p.seen[-1]
    return ps[1].at * sum(ps[2].seen)


class Path:
    def __init__(self, at: float) -> None:
        self.at = at
        self.seen = [at]


def new_field(k: float) -> float:
    bs: list[Any] = [Body(k * (i + 1), 1.0) for i in range(3)]
    for b in bs:
        b.mark = b.x * 2.0
    return bs[0].mark * bs[1].mark  # type: ignore[no-any-return]


def at_each_level(k: float) -> float:
    s = 0.0
    for i in range(3):
        bs = [Body(k * j, k) for j in range(i + 1)]
        for b in bs:
            b.move(0.1)
        s += bs[-1].x
    return s


def in_a_tuple(k: float) -> float:
    bs = [Body(k * (i + 1), 1.0) for i in range(3)]
    cs = tuple(bs)
    cs[0].x = k * k
    return bs[0].x


def in_a_tuple_by_a_generator(k: float) -> float:
    bs = [Body(k * (i + 1), 1.0) for i in range(3)]
    cs = tuple(b for b in bs)
    cs[0].x = k * k
    return bs[0].x


STRUCTURED = [
    *(comprehended, by_place, appended, displayed, pairs_of_its_own, zipped, chained, in_pairs, from_a_function),
    *(with_a_while, in_a_branch, in_an_object, kinds_of_their_own, conditions_within, at_each_level),
]
OTHERS = [
    *(in_a_tuple, in_a_tuple_by_a_generator),
    *(appended_in_a_branch, two_classes, changes_places, replaced, popped, sorted_by_a_field, the_best, by_max),
    *(appended_later, appended_and_kept, a_slice, in_two_lists, twice_in_a_list, repeated, given_back),
    *(kept_by_another, grows_while_it_is_run_through, handed_on, empty, none_collected, sought, of_lists, new_field),
]


@pytest.mark.parametrize("f", [*STRUCTURED, *OTHERS], ids=lambda f: f.__name__)
def test_objects_in_lists_are_followed(f: Callable[[float], Any]) -> None:
    check(f, 1.3, order=2)
    check(f, 0.4)


@pytest.mark.parametrize("f", [f for f in (*STRUCTURED, *OTHERS) if f is not given_back], ids=lambda f: f.__name__)
def test_forward_mode_agrees(f: Callable[[float], Any]) -> None:
    check_forward(f, 1.3)


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_their_fields_are_lists(f: Callable[[float], Any]) -> None:
    text = re.sub(r" +# .*", "", code_adjoint(f, 1.3))
    assert not re.search(r"^# `|Body\(|Heavy\(|Spring\(|World\(|object_of|stored\(|observe|pullback\(\w+,", text), text


def test_places_that_are_none() -> None:
    def above(k: float) -> float:
        bs = [Body(k, 1.0) for _ in range(3)]
        bs[3].x = k
        return k

    def below(k: float) -> float:
        bs = [Body(k, 1.0) for _ in range(3)]
        bs[0].x = 2.0
        return bs[-4].x

    def grown(k: float) -> float:
        bs = []
        for i in range(3):
            bs.append(Body(k, i))
        bs[1].x = k
        return bs[-4].x

    def unread(k: float) -> float:
        bs = [Body(k, 1.0) for _ in range(3)]
        bs[0].x = 2.0
        bs[3]
        return bs[0].x * k

    for f in (above, below, grown, unread):
        for _ in range(2):
            with pytest.raises(IndexError, match="list index out of range|list assignment index out of range"):
                gradient(f, 1.3)


def test_methods_that_are_replaced() -> None:
    check(comprehended, 1.3)
    move = Body.move
    try:
        Body.move = lambda self, dt: move(self, dt * 2.0)  # type: ignore[method-assign]
        right_or_refused(comprehended, 1.3)
    finally:
        Body.move = move  # type: ignore[method-assign]
    check(comprehended, 1.3)
