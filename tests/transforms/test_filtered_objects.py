"""Lists of objects that are filtered round by round, paired by `zip`, and chosen by a test at once."""

from __future__ import annotations

import math
from typing import Any

import pytest
from transforms.held_to_python import hold

from adjoint import grad


class Fighter:
    def __init__(self, health: Any, force: Any) -> None:
        self.health, self.force = health, force

    @property
    def alive(self) -> bool:
        return bool(self.health > 0.0)


class Point:
    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y


def battle(x: Any) -> Any:
    first = [Fighter(2.0 * x, 0.4) for _ in range(3)]
    second = [Fighter(1.5, x * 0.6) for _ in range(4)]
    for _ in range(6):
        for i, fighter in enumerate(first):
            if second:
                second[i % len(second)].health -= fighter.force
        for i, fighter in enumerate(second):
            if first:
                first[i % len(first)].health -= fighter.force * x
        first = [f for f in first if f.alive]
        second = [f for f in second if f.alive]
    return sum(f.health for f in first) + 2.0 * sum(f.health for f in second)


def chain(x: Any) -> Any:
    points = [Point(0.5 * i, x * i) for i in range(5)]
    links = list(zip(points, points[1:]))  # noqa: B905, RUF007
    for _ in range(3):
        for a, b in links:
            d = math.hypot(b.x - a.x, b.y - a.y)
            a.x += 0.1 * (d - x)
            b.y -= 0.2 * (d - x) * a.x
    ends = list(zip(points, points[::-1], range(5)))  # noqa: B905
    return sum(a.x * b.y * k for a, b, k in ends)


def both_left(x: Any) -> Any:
    first, second = [Point(x * i, x) for i in range(4)], [Point(x, i) for i in range(3)]
    total = 0.0
    while first and second:
        a, b = first.pop(), second.pop(0)
        a.x += b.y
        b.y *= a.x
        total += a.x * b.y
        if 2.0 < a.x < 4.0:
            second.append(a)
    return total + sum(p.x for p in second)


@pytest.mark.parametrize("f", [battle, chain, both_left])
def test_filtered_objects_are_followed(f: Any) -> None:
    hold(f, lambda: (0.73,))


def under_another_name(x: Any) -> Any:
    values, total = [x, 2.0 * x, 3.0 * x], 0.0
    for r in range(4):
        new: list[Any] = []
        for v in values:
            if v > 0.5:
                new.append(v * x)
            else:
                new.append(v + x)
        old, values = values, new
        if r % 2:
            old.append(5.0 * x)
        total += sum(old) * len(old)
    return total + sum(values)


def kept_as_well(x: Any) -> Any:
    values, kept = [x, 2.0 * x], []
    for r in range(4):
        new: list[Any] = []
        if r % 2:
            new.append(x * r)
        else:
            new.append(x + r)
        kept.append(new)
        for v in values:
            if v > 1.0:
                new.append(v)
        values = new
    return sum(sum(k) for k in kept) + sum(values)


def asked_later(x: Any) -> Any:
    first, second, total = [x, x], [x], 0.0
    for n in range(4):
        either = first or second
        if first:
            first.pop()
        else:
            second.append(x * n)
        if either:
            total = total * 1.1 + len(either) * x
    return total + sum(second)


def asked_at_once(x: Any) -> Any:
    first, second = [x], [2.0 * x]
    while first and second:
        v, w = first.pop(), second.pop()
        if v < 5.0 and w < 5.0:
            first.append(v * 2.0)
            second.append(w + v)
        either = first if v > w else second
        if either:
            x = x + either[-1]
    return x


@pytest.mark.parametrize("f", [under_another_name, kept_as_well, asked_later, asked_at_once])
def test_names_of_one_list_are_told(f: Any) -> None:
    h = 1e-6
    for _ in range(3):
        assert grad(f)(0.73) == pytest.approx((f(0.73 + h) - f(0.73 - h)) / (2 * h), rel=1e-5)
