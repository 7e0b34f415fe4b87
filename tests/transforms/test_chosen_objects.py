"""Objects that are chosen by a key, put in order and taken out of lists, in programs that store into them."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import pytest
from transforms.held_to_python import hold, hold_errors


class City:
    def __init__(self, name: str, x: Any, y: Any) -> None:
        self.name, self.x, self.y = name, x, y


class Same(City):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, City) and self.name == other.name

    __hash__ = None  # type: ignore[assignment]


@dataclass
class Item:
    weight: Any
    value: Any


def cities(x: Any, n: int, cls: type = City) -> Any:
    return [cls(str(i), math.cos(i) * x, math.sin(2 * i)) for i in range(n)]


def nearest(x: Any, n: int) -> Any:
    rest = cities(x, n)
    here, length = rest[0], 0.0
    rest.remove(here)
    while rest:
        following = min(rest, key=lambda c: (c.x - here.x) ** 2 + (c.y - here.y) ** 2)
        length += math.hypot(following.x - here.x, following.y - here.y)
        rest.remove(following)
        following.x *= 1.1
        here = following
    return length * here.x


def equal_ones(x: Any, n: int) -> Any:
    rest = cities(x, n, Same)
    rest[2].name = "1"
    rest.remove(rest[2])  # the one before it, which is equal
    for c in rest:
        c.x *= c.y
    return sum(c.x * i for i, c in enumerate(rest))


def in_order(x: Any, n: int) -> Any:
    found = cities(x, n)
    found.sort(key=operator.attrgetter("y"), reverse=True)
    for c in found[:3]:
        c.x *= 2.0
    found.sort(key=attrgetter("x"))
    return sum(c.x / (k + 1) for k, c in enumerate(found)) + max(found, key=attrgetter("y")).x


BY_X = attrgetter("x")


def by_a_global(x: Any, n: int) -> Any:
    found = sorted(cities(x, n), key=BY_X)
    total = 0.0
    for _ in range(3):
        first = min(found, key=BY_X)
        first.x += 1.5
        total += first.x * found[0].x
    return total


def turned(x: Any, n: int) -> Any:
    found = cities(x, n)
    for i in range(n):
        found.insert(1, found.pop())
        found[0].x *= found[1].x + i
        if i == 2:
            found.reverse()
        if i == 3:
            found.extend(cities(x, 2))
    del found[1]
    return sum(c.x * (k + 1) for k, c in enumerate(found))


def knapsack(x: Any, n: int) -> Any:
    items = [Item(1.0 + i % 3, x * (i + 1)) for i in range(n)]
    items.sort(key=lambda item: item.value / item.weight, reverse=True)
    room, total = 4.0, 0.0
    for item in items:
        taken = min(item.weight, room)
        item.weight -= taken
        room -= taken
        total += taken * item.value
    return total + sum(item.weight * item.value**2 for item in items)


@pytest.mark.parametrize("f", [nearest, equal_ones, in_order, by_a_global, turned, knapsack])
def test_chosen_objects_are_followed(f: Any) -> None:
    hold(f, lambda: (0.73, 7))


def of_given(objects: Any, x: Any) -> Any:
    objects.sort(key=attrgetter("x"))
    first = objects.pop(0)
    first.x *= x
    objects.append(first)
    return sum(c.x * (k + 1) for k, c in enumerate(objects))


def test_a_given_list_is_changed_as_in_python() -> None:
    hold(of_given, lambda: ([City("a", 3.0, 1.0), City("b", 1.0, 2.0), City("c", 2.0, 1.0)], 0.7))


def test_what_is_not_there_is_not_removed() -> None:
    def f(x: Any) -> Any:
        found = cities(x, 3)
        found[0].x *= x
        found.remove(City("other", x, x))
        return found[0].x

    hold_errors(f, lambda: (0.7,), ValueError)


def test_what_has_no_such_attribute_raises() -> None:
    def f(x: Any) -> Any:
        found = cities(x, 3)
        found.sort(key=attrgetter("z"))
        return found[0].x

    hold_errors(f, lambda: (0.7,), AttributeError)
