"""Programs that look for numbers in containers: those of this call are no results of earlier ones."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any


class Heap:
    def __init__(self) -> None:
        self.waiting: list[Any] = []

    def push(self, at: float, x: Any) -> None:
        heapq.heappush(self.waiting, (at, x))

    def pop(self) -> Any:
        return heapq.heappop(self.waiting)[1]

    def __contains__(self, x: Any) -> bool:
        return any(x == known for _, known in self.waiting)

    def __call__(self, x: Any) -> Any:
        self.push(1.0, x)
        self.push(0.5, 2.0 * x)
        if x not in self:
            return 0.0
        return 0.5 * self.pop() * self.pop()


@dataclass
class Point:
    x: Any
    y: Any


class Polygon:
    def __init__(self) -> None:
        self.points: list[Any] = []

    def add(self, point: Any) -> None:
        if point not in self.points:
            self.points.append(point)

    def __call__(self, x: Any) -> Any:
        self.points = []
        self.add(Point(x, x))
        self.add(Point(x, x))
        self.add(Point(2.0, 0.0))
        return sum([p.x * p.y for p in self.points])


class Node:
    def __init__(self, key: Any) -> None:
        self.key = key
        self.left: Any = None
        self.right: Any = None


class Tree:
    def __init__(self) -> None:
        self.root: Any = None

    def insert(self, key: Any) -> None:
        if self.root is None:
            self.root = Node(key)
            return
        n = self.root
        while True:
            if key == n.key:
                return
            if key < n.key:
                if n.left is None:
                    n.left = Node(key)
                    return
                n = n.left
            else:
                if n.right is None:
                    n.right = Node(key)
                    return
                n = n.right

    def product(self, n: Any) -> Any:
        return 1.0 if n is None else n.key * self.product(n.left) * self.product(n.right)

    def __call__(self, x: Any) -> Any:
        self.root = None
        for key in (x, 2.0 * x, x, 0.5):
            self.insert(key)
        return self.product(self.root)


OF_THIS_CALL = [Heap(), Polygon(), Tree()]
"""Each gives the square of a number, also if it has met it."""


class InTwoLists:
    """Stores something else first, so that this call has been in the lists before it asks."""

    def __init__(self) -> None:
        self.xs: list[Any] = []
        self.ys: list[Any] = []

    def find(self, x: Any) -> Any:
        for known, value in zip(self.xs, self.ys, strict=True):
            if known == x:
                return value
        return None

    def put(self, x: Any, y: Any) -> None:
        self.xs.append(x)
        self.ys.append(y)

    def __call__(self, x: Any) -> Any:
        self.put(-x, 1.0)
        y = self.find(x)
        if y is None:
            y = x * x
            self.put(x, y)
        return y


class ByProperty(InTwoLists):
    def __init__(self) -> None:
        self._pairs: list[Any] = []

    @property
    def pairs(self) -> list[Any]:
        return self._pairs

    def find(self, x: Any) -> Any:
        return next((value for known, value in self.pairs if known == x), None)

    def put(self, x: Any, y: Any) -> None:
        self.pairs.append((x, y))


class Copied(InTwoLists):
    def __init__(self) -> None:
        self.pairs: list[Any] = []

    def find(self, x: Any) -> Any:
        return next((value for known, value in self.pairs if known == x), None)

    def put(self, x: Any, y: Any) -> None:
        self.pairs = [(a, b) for a, b in self.pairs] + [(x, y)]  # noqa: C416


class Link:
    def __init__(self, x: Any, y: Any, behind: Any) -> None:
        self.x, self.y, self.behind = x, y, behind


class Chain(InTwoLists):
    """The number that it looks for stands behind several others."""

    def __init__(self) -> None:
        self.head: Any = None

    def find(self, x: Any) -> Any:
        n = self.head
        while n is not None:
            if n.x == x:
                return n.y
            n = n.behind
        return None

    def put(self, x: Any, y: Any) -> None:
        self.head = Link(x, y, self.head)

    def __call__(self, x: Any) -> Any:
        for k in (2.0, 3.0, 4.0):
            self.put(-k * x, 1.0)
        return super().__call__(x)


AMONG = [InTwoLists, ByProperty, Copied, Chain]
"""Each gives the square of a number; a derivative at one that it has met is refused."""
