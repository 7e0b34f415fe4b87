"""Programs that change objects which others may have, with what makes their arguments."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


class Particle:
    def __init__(self, x: float, v: float) -> None:
        self.x, self.v = x, v

    def push(self, a: float, dt: float) -> None:
        self.v += a * dt

    def move(self, dt: float) -> float:
        self.x += self.v * dt
        return self.x

    @property
    def energy(self) -> float:
        return 0.5 * self.v**2


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a: float, b: float) -> None:
        self.a, self.b = a, b


@dataclass
class Cell:
    w: np.ndarray[Any, Any]
    bias: float = 0.5
    name: str = "cell"


class Node:
    def __init__(self, value: float, next: Node | None = None) -> None:
        self.value, self.next = value, next


class Pair:
    def __init__(self, left: Particle, right: Particle) -> None:
        self.left, self.right = left, right


def in_a_list(ps: list[Particle], k: float, n: int) -> float:
    for _ in range(n):
        for p in ps:
            p.v = p.v - k * p.x * 0.1
            p.x = p.x + p.v * 0.1
    total = 0.0
    for p in ps:
        total += p.x * p.x
    return total


def by_methods(ps: list[Particle], k: float, n: int) -> float:
    for _ in range(n):
        for p in ps:
            p.push(-k * p.x, 0.1)
            p.move(0.1)
    return sum([p.energy for p in ps]) + ps[0].x * ps[-1].v


def each_other(ps: list[Particle], g: float, n: int) -> float:
    for _ in range(n):
        for p in ps:
            a = 0.0
            for q in ps:
                if q is not p:
                    d = q.x - p.x
                    a += g * d / (abs(d) ** 3 + 0.1)
            p.push(a, 0.1)
        for p in ps:
            p.move(0.1)
    return ps[0].x * ps[1].x


def by_index(ps: list[Particle], k: float) -> float:
    for i in range(len(ps)):
        ps[i].x = ps[i].x * k + ps[i - 1].x * ps[i].v
    return ps[0].x * ps[-1].x + ps[1].v


def one_of_two(p: Particle, q: Particle, k: float, n: int) -> float:
    for i in range(n):
        r = p if i % 3 else q
        r.x = r.x * 0.9 + k * p.x * q.v
        if r.x > 1.0:
            r.v = math.sin(r.x)
    return p.x * q.x + p.v


def changing_places(ps: list[Particle], k: float, n: int) -> float:
    p, q = ps[0], ps[1]
    for _ in range(n):
        p.x = q.x * k + p.v
        p, q = q, p
    return p.x + 2.0 * q.x


def by_a_tuple(pair: tuple[Particle, Particle], k: float) -> float:
    a, b = pair
    a.x, b.x = b.x * k, a.x * a.v
    return a.x * b.x


def by_a_dict(ps: dict[str, Particle], k: float) -> float:
    ps["one"].x = ps["two"].x * k
    ps["two"].x = ps["one"].x * ps["two"].v
    return ps["one"].x * ps["two"].x


def held_by_others(pairs: list[Pair], k: float) -> float:
    pair = pairs[0]
    pair.left.x = pair.right.x * k + pair.left.v
    pair.left, pair.right = pair.right, pair.left
    pair.left.x = pair.left.x * pair.right.x
    return pair.left.x + pair.right.v * pair.right.x


def along_a_chain(head: Node, k: float, n: int) -> float:
    for _ in range(n):
        node = head
        while node is not None:
            node.value = math.sin(node.value) * k + 0.1
            node = node.next
    total, node = 0.0, head
    while node is not None:
        total += node.value**2
        node = node.next
    return total


def turned_round(head: Node, k: float) -> float:
    last, node = None, head
    while node is not None:
        node.value = node.value * k + (0.3 if last is None else last.value)
        node.next, last, node = last, node, node.next
    return last.value * head.value


def with_slots(cells: list[Slotted], k: float) -> float:
    for c in cells:
        c.a, c.b = c.a * c.b, c.a + k
    return cells[0].a * cells[-1].b


def with_arrays(cells: list[Cell], x: np.ndarray[Any, Any], rate: float) -> float:
    for _ in range(3):
        for c in cells:
            y = np.tanh(c.w * x + c.bias)
            c.w = c.w - rate * y * x
            c.bias = c.bias - rate * float(np.sum(y))
    return float(np.sum(cells[0].w * cells[1].w)) * cells[0].bias


def left_half_way(ps: list[Particle], k: float) -> float:
    total = 0.0
    for p in ps:
        p.x = p.x * k
        if p.x > 2.0:
            break
        p.v = p.v * p.x
        if p.v < 0.0:
            continue
        total += p.v
        p.v = 0.0
    return total + ps[0].x * ps[-1].x


def stored_and_lost(ps: list[Particle], k: float) -> float:
    for p in ps:
        p.v = math.sqrt(abs(p.x)) * k
        p.v = 3.0
        p.x = p.v * p.x
    return ps[0].x * ps[1].v


def new_fields(ps: list[Particle], k: float) -> float:
    for p in ps:
        p.seen = p.x * k  # type: ignore[attr-defined]
        p.x = p.seen * p.seen  # type: ignore[attr-defined]
    return ps[0].x + ps[1].seen  # type: ignore[attr-defined]


def never_bound(ps: list[Particle], k: float) -> float:
    if k > 100.0:
        p = ps[0]
    for q in ps:
        q.x = q.x * k
    if k > 100.0:
        p.x = p.x + ps[1].x
    return ps[0].x * ps[1].x


def whole_numbers(ps: list[Particle], k: float) -> float:
    for p in ps:
        p.x = p.x * k + p.v
    return ps[0].x * ps[1].x


def raising(ps: list[Particle], k: float) -> float:
    for p in ps:
        if p.x > 100.0:
            raise ValueError("too far")
        assert p.v < 50.0, "too fast"
        p.x = p.x * k + p.v
    return ps[0].x * ps[1].x


def made_and_kept(ps: list[Particle], k: float, n: int) -> float:
    p = ps[0]
    for i in range(n):
        q = Particle(p.x * k, 0.1 * i)
        q.push(p.v, 0.5)
        p.last = q  # type: ignore[attr-defined]
        if i % 2:
            p = q
    return p.x * ps[0].last.v + ps[1].x  # type: ignore[attr-defined]


def made_in_a_chain(k: float, n: int) -> float:
    head = None
    for i in range(n):
        head = Node(k * i + 0.3, head)
    node, total = head, 0.0
    while node is not None:
        node.value = node.value * k
        total += node.value**2
        node = node.next
    return total


def made_in_a_list(k: float, n: int) -> float:
    ps = [Particle(0.1 * i, k) for i in range(4)]
    last = ps[0]
    for _ in range(n):
        for p in ps:
            p.x = p.x * k + last.x * p.v
            last = p
    return last.x * ps[1].x


class Tree:
    def __init__(self, value: float, left: Tree | None = None, right: Tree | None = None) -> None:
        self.value, self.left, self.right = value, left, right

    def grow(self, k: float) -> None:
        if self.left is not None:
            self.left.grow(k * self.value)
        self.value = self.value * k


def grown(tree: Tree | None, k: float) -> float:
    if tree is None:
        return 0.0
    tree.value = tree.value * k
    below = grown(tree.left, k * 0.5) * grown(tree.right, tree.value)
    tree.value = tree.value + below
    return tree.value + below


def recursively(tree: Tree, k: float) -> float:
    total = 0.0
    for _ in range(2):
        before = tree.value
        total += grown(tree, k) * before
    return total + tree.value


def by_a_method_that_calls_itself(tree: Tree, k: float) -> float:
    before = tree.value
    tree.grow(k)
    tree.grow(before)
    return tree.value * (tree.left.value if tree.left is not None else 1.0)


def by_two_ways(p: Particle, q: Particle, k: float, n: int) -> None:
    if n > 0:
        p.x = p.x * k + q.v
        by_two_ways(q, p, k * 0.9, n - 1)


def changing_places_recursively(ps: list[Particle], k: float) -> float:
    by_two_ways(ps[0], ps[1], k, 3)
    by_two_ways(ps[0], ps[0], k, 2)
    return ps[0].x * ps[1].x


def _squared(x: float) -> float:
    total = 0.0
    for _ in range(2):
        total += x * x
    return total


def by_a_function(ps: list[Particle], k: float) -> float:
    for p in ps:
        p.x = _squared(p.x) * k
    return ps[0].x + ps[1].x


def captured(k: float, n: int) -> tuple[Callable[[float], float], list[Particle]]:
    p, q = Particle(1.0, 0.5), Particle(0.3, 2.0)
    ps = [p, q, p]

    def f(x: float) -> float:
        for r in ps:
            for _ in range(n):
                r.x = r.x * k + x * q.v
        return p.x * q.x

    return f, ps


def particles(n: int = 3) -> list[Particle]:
    return [Particle(0.7 + 0.6 * i, 0.5 - 0.2 * i) for i in range(n)]


def chain(n: int) -> Node:
    node = None
    for i in range(n):
        node = Node(0.4 + 0.3 * i, node)
    assert node is not None
    return node


def cells() -> list[Cell]:
    return [Cell(np.array([0.3, -0.2]) * i, 0.1 * i) for i in (1, 2)]


def tree() -> Tree:
    return Tree(0.8, Tree(1.2, Tree(0.5), Tree(0.7)), Tree(0.9))


Case = tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]

CASES: list[Case] = [
    (in_a_list, lambda: (particles(), 1.3, 4)),
    (by_methods, lambda: (particles(), 1.3, 4)),
    (each_other, lambda: (particles(), 0.3, 3)),
    (by_index, lambda: (particles(), 1.2)),
    (one_of_two, lambda: (*particles(2), 0.4, 7)),
    (changing_places, lambda: (particles(2), 0.8, 5)),
    (by_a_tuple, lambda: ((Particle(1.1, 0.4), Particle(0.6, 0.2)), 1.5)),
    (by_a_dict, lambda: ({"one": Particle(1.1, 0.4), "two": Particle(0.6, 0.2)}, 1.5)),
    (held_by_others, lambda: ([Pair(*particles(2))], 1.4)),
    (along_a_chain, lambda: (chain(4), 0.9, 3)),
    (turned_round, lambda: (chain(4), 0.9)),
    (with_slots, lambda: ([Slotted(0.5, 1.5), Slotted(2.0, 0.7)], 1.2)),
    (with_arrays, lambda: (cells(), np.array([0.5, 1.5]), 0.3)),
    (left_half_way, lambda: (particles(4), 1.3)),
    (stored_and_lost, lambda: (particles(2), 1.3)),
    (new_fields, lambda: (particles(2), 1.3)),
    (never_bound, lambda: (particles(2), 1.3)),
    (whole_numbers, lambda: ([Particle(1, 2.0), Particle(0.5, 3)], 1.3)),  # type: ignore[list-item]
    (raising, lambda: (particles(2), 1.3)),
    (made_and_kept, lambda: (particles(2), 1.3, 3)),
    (made_in_a_chain, lambda: (1.1, 4)),
    (made_in_a_list, lambda: (1.1, 3)),
    (recursively, lambda: (tree(), 1.1)),
    (by_a_method_that_calls_itself, lambda: (tree(), 1.1)),
    (changing_places_recursively, lambda: (particles(2), 1.1)),
    (by_a_function, lambda: (particles(2), 1.3)),
]
