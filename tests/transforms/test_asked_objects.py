"""Objects of a program's own that are asked whether they are true, or have something in them."""

from __future__ import annotations

from typing import Any

import pytest
from transforms.held_to_python import hold
from ways import check_everywhere


class Bag:
    def __init__(self):
        self.items, self.asked = {}, 0

    def __contains__(self, key):
        self.asked += 1
        return key in self.items

    def __setitem__(self, key, v):
        self.items[key] = v

    def __getitem__(self, key):
        return self.items.get(key, 0.0)

    def __len__(self):
        self.asked += 10
        return len(self.items)


class Level:
    def __init__(self, v):
        self.v, self.asked = v, 0

    def __bool__(self):
        self.asked += 1
        return self.v > 0.5


class Quiet:
    def __init__(self, v):
        self.v = v

    def __bool__(self):
        return self.v * self.v > 0.25


class Odd:
    """Says what is no flag."""

    def __contains__(self, key):
        return key

    def __len__(self):
        return 2


class Plain:
    v = 2.0


def bags(x):
    b = Bag()
    for i in range(6):
        k = "abc"[i % 3]
        b[k] += x * i
        if k in b and "d" not in b:
            b[k] *= 0.9
    return b["a"] + b["b"] * b["c"] * len(b) + b.asked * x


def levels(x):
    a, total = Level(x), 0.0
    if a:
        total += a.v * a.v
    total += 1.0 if a else a.v
    return total + a.asked * x


def until(x):
    a, total = Quiet(3.0 * x), 0.0
    while a:
        a.v -= 0.3 * x
        total += a.v
    b = Quiet(2.0)
    while True:
        if b:
            b.v *= x
        else:
            break
    return total + b.v


def counted(x):
    a, total = Level(2.0 * x), 0.0
    while a:
        a.v -= 0.3 * x
        total += a.v
    return total + a.asked * x


def lengths(x):
    b = Bag()
    total = x if b else 2.0 * x
    b["a"] = x
    if b:
        total += b["a"] * x
    return total * b.asked


def both(x):
    a, b = Level(x), Level(x * x)
    total = 0.0
    for _ in range(2):
        if a and b:
            total += a.v * b.v
        if b or a:
            total += a.v
        b.v += 0.1
    either = b or a
    if either:
        total += either.v
    return total + a.asked * x + 100.0 * b.asked * x


def nothing(x):
    b = Bag()
    total = x if b and x > 0.1 else 3.0 * x
    if not b:
        total += x
    return total * b.asked


def no_flags(x):
    o, p = Odd(), Plain()
    return (x if 0 in o else 2.0 * x) + (x if "a" in o else 5.0) + (x if o else 3.0) + (p.v * x if p else 0.0)


@pytest.mark.parametrize("f", [bags, levels, until, lengths], ids=lambda f: f.__name__)
def test_asked_objects(f: Any) -> None:
    hold(f, lambda: (0.73,))


@pytest.mark.parametrize(
    "f", [bags, levels, until, counted, lengths, both, nothing, no_flags], ids=lambda f: f.__name__
)
def test_all_ways(f: Any) -> None:
    for _ in range(2):
        check_everywhere(f, 0.73)
