"""Methods that store, handed to `map`; deques that objects begin with; objects whose `__iter__` gives the iterator of a
list: all are reversed in their structure, with Python's state and values."""

from __future__ import annotations

import collections
import functools
import math
from collections.abc import Callable
from typing import Any

import pytest
from regressions.differences import check

from adjoint import pullback
from adjoint.errors import UnsupportedSyntaxError

from .held_to_python import hold

TAPS = [0.2, 0.3, 0.5]
XS = [math.sin(0.7 * i) for i in range(7)]


def given() -> tuple[Any, ...]:
    return [*TAPS], [*XS]


class Filter:
    def __init__(self, taps: Any) -> None:
        self.taps = taps
        self.buffer = collections.deque([0.0] * len(taps), maxlen=len(taps))

    def __call__(self, x: Any) -> Any:
        self.buffer.appendleft(x)
        return sum(t * b for t, b in zip(self.taps, self.buffer, strict=True))


class Later(Filter):
    def __call__(self, x: Any) -> Any:
        self.buffer.append(x)
        total = 0.0
        for t, b in zip(self.taps, self.buffer, strict=True):
            total += t * b * b
        return total


class Listed(Filter):
    def __init__(self, taps: Any) -> None:
        self.taps = taps
        self.buffer = [0.0] * len(taps)  # type: ignore[assignment]

    def __call__(self, x: Any) -> Any:
        self.buffer.insert(0, x)
        self.buffer.pop()
        return sum(t * b for t, b in zip(self.taps, self.buffer, strict=True))


class Free:
    def __init__(self, n: int) -> None:
        self.buffer = collections.deque([0.0] * n)

    def __call__(self, x: Any) -> Any:
        self.buffer.append(x)
        self.buffer.popleft()
        return self.buffer[0] * self.buffer[-1]


def in_expression(taps, xs):
    f = Filter(taps)
    return sum(f(x) ** 2 for x in xs)


def in_loop(taps, xs):
    f, g, total = Filter(taps), Later(taps), 0.0
    for x in xs:
        total += f(x) * g(x)
    return total


def of_two(taps, xs):
    f, g = Filter(taps), Filter([t * t for t in taps])
    return sum(f(x) * g(x) for x in xs) + f.buffer[0] * g.buffer[-1]


def free(taps, xs):
    f, total = Free(3), taps[0]
    for x in xs:
        total += f(x) * total
    return total


def made_in_a_branch(taps, xs):
    f = Filter(taps) if xs[1] > 0 else Filter(taps[::-1])
    return sum(f(x) ** 2 for x in xs)


class Leaky:
    def __init__(self) -> None:
        self.total = 0.0

    def add(self, x: Any) -> Any:
        self.total = self.total * 0.9 + x
        return self.total * x

    __call__ = add


def summed(taps, xs):
    return sum(map(Leaky().add, xs)) * taps[0]


def of_objects(taps, xs):
    leaky = Leaky()
    return sum(map(leaky, xs)) * taps[0] + leaky.total


def listed(taps, xs):
    leaky = Leaky()
    ys = list(map(leaky.add, xs))
    leaky.total *= taps[0]
    return sum(y * y for y in ys) * leaky.total


def looped(taps, xs):
    leaky, total = Leaky(), 0.0
    for y in map(leaky.add, xs):
        total += y * leaky.total
        if total > 2.0:
            break
    return total * leaky.total + taps[0]


def late(taps, xs):
    """A `map` makes its items when they are asked for."""
    leaky = Leaky()
    waiting = map(leaky.add, xs)
    leaky.total = taps[0]
    return sum(waiting) * leaky.total


def beside_shorter(taps, xs):
    """`zip` has asked the first for an item more when the second ends."""
    leaky, total = Leaky(), 0.0
    for y, t in zip(map(leaky.add, xs), taps, strict=False):
        total += y * t
    return total * leaky.total


def in_turns(taps, xs):
    leaky, total = Leaky(), 0.0
    for y in map(leaky.add, xs):
        total += y
        leaky.total = leaky.total * taps[0]
    return total


def filtered(taps, xs):
    f = Listed(taps)
    return sum(y * y for y in map(f, xs)) + sum(f.buffer)


def appending(taps, xs):
    seen = []

    def note(x):
        seen.append(x * x)
        return len(seen) * x

    return sum(map(note, xs)) * taps[0] + sum(seen)


def appended(taps, xs):
    seen: list[Any] = []
    list(map(seen.append, [x * taps[0] for x in xs]))
    return sum(s * s for s in seen)


def grown_meanwhile(taps, xs):
    """A list that grows while a `map` runs through it."""
    ys = [x * taps[0] for x in xs]

    def more(y):
        if len(ys) < 10:
            ys.append(y * y)
        return y * taps[1]

    return sum(map(more, ys))


def reduced(taps, xs):
    leaky = Leaky()
    return functools.reduce(lambda a, x: a * 0.5 + leaky.add(x), xs, taps[0]) * leaky.total


class Bag:
    def __init__(self) -> None:
        self.items: list[Any] = []

    def __iadd__(self, x: Any) -> Bag:
        self.items.append(x)
        return self

    def __iter__(self) -> Any:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __bool__(self) -> bool:
        return bool(self.items)


def bagged(taps, xs):
    bag = Bag()
    for x in xs:
        bag += x * taps[0]
    total = 0.0
    for b in bag:
        total = total * 0.5 + b * b
    return (total + sum(b * taps[1] for b in bag)) / len(bag) if bag else taps[0]


def bag_that_grows(taps, xs):
    bag = Bag()
    for x in xs[:3]:
        bag += x * taps[0]
    total = 0.0
    for b in bag:
        total += b * b
        if len(bag) < 6:
            bag += b * taps[1]
    return total


def bags_side_by_side(taps, xs):
    one, other = Bag(), Bag()
    for x in xs:
        one += x * x
        other += x * taps[0]
    largest = max(one)
    return sum(a * b for a, b in zip(one, other, strict=True)) * largest + sum(sorted(other)[:2])


class Counted(Bag):
    asked = 0

    def __len__(self) -> int:
        self.asked += 1
        return len(self.items)


def asked_for_their_length(taps, xs):
    """A list display asks an object for its length, and that is seen."""
    bag = Counted()
    for x in xs:
        bag += x * taps[0]
    ys = [*bag]
    return sum(ys) * (1 + bag.asked)


def given_object(m, xs):
    return sum(map(m.add, xs)) * m.total + sum(map(m, xs)) * m.total


def given_and_late(m, xs):
    waiting = map(m.add, xs)
    m.total = xs[0]
    return sum(waiting) * m.total


def given_beside_shorter(m, xs):
    total = 0.0
    for y, x in zip(map(m.add, xs), xs[:2], strict=False):
        total += y * x
    return total * m.total


def given_left_early(m, xs):
    total = 0.0
    for y in map(m.add, xs):
        total += y * m.total
        if total > 0.5:
            break
    return total * m.total


def given_one_by_one(m, xs):
    items = map(m.add, xs)
    return next(items) * next(items) * m.total


@pytest.mark.parametrize("f", [given_object, given_and_late, given_beside_shorter, given_left_early, given_one_by_one])
def test_methods_of_objects_that_are_given(f: Callable[..., Any]) -> None:
    def of_given() -> tuple[Any, ...]:
        m = Leaky()
        m.total = 0.3
        return m, [*XS]

    hold(f, of_given, second=False)


PROGRAMS: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        *(in_expression, in_loop, of_two, free, summed, of_objects, listed, looped, late, in_turns),
        *(beside_shorter, filtered, appending, appended, reduced, bagged),
    )
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    hold(PROGRAMS[name], given)


@pytest.mark.parametrize("f", [grown_meanwhile, made_in_a_branch, bag_that_grows, bags_side_by_side])
def test_others_agree(f: Callable[..., Any]) -> None:
    check(f, *given())


def test_a_length_that_is_counted_is_refused() -> None:
    with pytest.raises(UnsupportedSyntaxError, match="may run `Counted.__len__` for their number, which stores"):
        pullback(asked_for_their_length, *given())
