"""How gradients of programs grow with their size: loops, lists, dicts, recursions and objects of 100 to 10,000 parts.

What a derivative writes down lives until its reverse has read it; a garbage collector goes through all of it, again and
again. So a ratio that holds for a hundred rounds need not hold for ten thousand.
"""

from __future__ import annotations

from measure import Table, medians  # before NumPy: it sets the number of threads

import math  # isort: skip
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adjoint import grad

SIZES = (100, 1_000, 10_000)
LIMIT = 2.0
"""The ratio at the largest size may be so many times that at the smallest."""
ROUNDS = 5


@dataclass
class Node:
    """A tree."""

    value: float
    left: Node | None = None
    right: Node | None = None


def built(n: int) -> Node | None:
    """A balanced tree of so many nodes."""
    return Node(0.01 * n, built((n - 1) // 2), built(n // 2)) if n > 0 else None


class State:
    """A state that is replaced."""

    def __init__(self, x: float, v: float) -> None:
        self.x, self.v = x, v

    def step(self, dt: float) -> None:
        """Store both."""
        self.v -= self.x * dt
        self.x += self.v * dt


def loop(x, n):
    """Numbers alone."""
    s = 0.0
    for i in range(n):
        s = 0.999 * s + math.sin(x * i * 1e-4)
    return s


def appended(x, n):
    """A list that grows by what is last in it."""
    xs = [x]
    for _ in range(n):
        xs.append(xs[-1] * 0.999 + 0.001 * math.sin(xs[-1]))
    return sum(xs)


def grouped(x, n):
    """Sums by keys."""
    d: dict[int, float] = {}
    for i in range(n):
        d[i % 10] = d.get(i % 10, 0.0) + math.sin(x * i * 1e-4)
    return sum(v * v for v in d.values())


def replaced(x, n):
    """Objects that take the place of others."""
    s, total = State(x, 0.0), 0.0
    for _ in range(n):
        s = State(s.x + s.v * 0.01, s.v - s.x * 0.01)
        total += s.x
    return total


def particles(x, n):
    """Many objects that store."""
    states = [State(x * 0.1 * i / n, 0.0) for i in range(n)]
    for _ in range(10):
        for s in states:
            s.step(0.01)
    return sum(s.x**2 for s in states)


def recursions(x, n):
    """A hundred calls deep, again and again."""

    def deep(k, v):
        return v if k == 0 else deep(k - 1, v * 0.99 + 0.01 * math.sin(v))

    total = 0.0
    for _ in range(n // 100):
        total += deep(100, x)
    return total


def over_tree(x, n, root):
    """A recursion over a tree of the user's."""

    def value(node):
        if node is None:
            return 0.0
        return math.sin(node.value * x) + 0.9 * value(node.left) + 0.8 * value(node.right)

    return value(root)


def linked(x, n):
    """A linked list that the program makes."""
    head = None
    for i in range(n):
        head = Node(math.sin(x * i * 1e-3), head)
    total = 0.0
    while head is not None:
        total += head.value**2
        head = head.left
    return total


def remembered(x, n):
    """A recursion over a table of results."""
    table: dict[tuple[int, int], float] = {}

    def path(i, j):
        if i == 0 or j == 0:
            return x * (i + j)
        if (i, j) not in table:
            table[i, j] = 0.5 * path(i - 1, j) + 0.5 * math.sin(path(i, j - 1))
        return table[i, j]

    side = int(n**0.5)
    return path(side, side)


PROGRAMS: tuple[Callable[..., Any], ...] = (
    *(loop, appended, grouped, replaced, particles, recursions, over_tree, linked, remembered),
)


def main() -> bool:
    """Measure and write the table."""
    sizes = ", ".join(f"{n:,}" for n in SIZES)
    method = f"Gradient by a number / the plain program, at {sizes} parts; medians of {ROUNDS} rounds in turns, by the "
    method += "processor's clock, with Python's garbage collector as it is. What is limited is the last over the first."
    table = Table("sizes", "Gradients of large programs", method)
    for f in PROGRAMS:
        found = []
        for n in SIZES:
            args = (0.7, n, built(n)) if f is over_tree else (0.7, n)
            gradient = grad(f)
            times = medians(
                ROUNDS, collector=True, plain=lambda f=f, a=args: f(*a), ours=lambda g=gradient, a=args: g(*a)
            )
            found.append(times["ours"] / times["plain"])
        for n, ratio in zip(SIZES, found, strict=True):
            table.report(f"{f.__name__}, {n:,}", ratio)
        table.at_most(f"{f.__name__}, largest / smallest", found[-1] / found[0], LIMIT)
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
