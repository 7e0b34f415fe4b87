"""`len` of objects whose class says it: reversed in structure, and Python's own error where it is no length."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import value_and_grad
from adjoint.derivatives import choice


class Bag:
    def __init__(self) -> None:
        self.items: list[Any] = []
        self.sign = 1

    def push(self, v: Any) -> Any:
        self.items.append(v)
        return self

    def __len__(self) -> int:
        return len(self.items) * self.sign


class Deeper(Bag):
    def __len__(self) -> int:
        return super().__len__() + 1


class Node:
    def __init__(self, value: Any, following: Any) -> None:
        self.value, self.following = value, following


class Linked:
    def __init__(self) -> None:
        self.head: Any = None
        self.n = 0

    def push(self, v: Any) -> None:
        self.head = Node(v, self.head)
        self.n += 1

    def __len__(self) -> int:
        return self.n

    def __iter__(self) -> Iterator[Any]:
        node = self.head
        while node is not None:
            yield node.value
            node = node.following


def linked(x: Any) -> Any:
    found = Linked()
    for i in range(5):
        found.push(x * i)
    return sum(v * v for v in found) / len(found)


def given(bag: Any, x: Any) -> Any:
    bag.push(x)
    bag.push(x * x)
    return bag.items[0] * len(bag)


def by_two_names(x: Any) -> Any:
    bag = Bag()
    same = bag
    return given(bag, x) * len(same)


def in_a_list(x: Any) -> Any:
    bags = [Bag(), Bag()]
    for k in range(4):
        bags[k % 2].push(x * k)
    return sum(len(b) * b.items[0] for b in bags) + bags[1].items[1]


def until_full(bag: Any, x: Any) -> Any:
    bag.push(x)
    while len(bag) < 5:
        bag.push(x * len(bag))
    return sum(bag.items)


ROWS: list[tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]] = [
    (linked, tuple),
    (by_two_names, tuple),
    (in_a_list, tuple),
    (given, lambda: (Bag(),)),
    (given, lambda: (Deeper(),)),
    (until_full, lambda: (Bag(),)),
]


@pytest.mark.parametrize(("f", "make"), ROWS)
def test_lengths_are_followed(f: Callable[..., Any], make: Callable[[], tuple[Any, ...]]) -> None:
    h = 1e-6
    k = len(make())
    expected = (f(*make(), 1.3 + h) - f(*make(), 1.3 - h)) / (2 * h)
    for _ in range(3):
        y, slope = value_and_grad(f, argnums=k)(*make(), 1.3)
        assert y == f(*make(), 1.3)
        assert np.isclose(slope, expected, rtol=1e-6)
    assert not choice.is_to_be_recorded(f, (*make(), 1.3))


@pytest.mark.parametrize("f", [given, until_full])
def test_what_is_no_length_is_refused_by_python(f: Callable[..., Any]) -> None:
    for run in (f, value_and_grad(f, argnums=1)):
        bag = Bag()
        bag.sign = -1
        with pytest.raises(ValueError, match="should return >= 0"):
            run(bag, 1.3)
