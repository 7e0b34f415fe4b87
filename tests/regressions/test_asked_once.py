"""What Python asks an object once is asked once, and what it asks twice is asked twice: each question may store."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient, pullback
from adjoint.recording.entry import recorded


class Counting:
    """A counter that every question moves on."""

    __match_args__ = ("next", "twice")

    def __init__(self, start: float) -> None:
        self.n = start

    @property
    def next(self) -> float:
        self.n += 1.0
        return self.n

    @property
    def twice(self) -> float:
        self.n *= 2.0
        return self.n


class Begun:
    """An iterator whose `__iter__` begins anew."""

    def __init__(self, items: list[float]) -> None:
        self.items, self.i = items, 0

    def __iter__(self) -> Begun:
        self.i = 0
        return self

    def __next__(self) -> float:
        if self.i == len(self.items):
            raise StopIteration
        self.i += 1
        return self.items[self.i - 1]


class Plain(Begun):
    """An iterator whose `__iter__` gives it."""

    def __iter__(self) -> Plain:
        return self


def named_pattern(x: float) -> float:
    p = Counting(x)
    match p:
        case Counting(next=7.0, twice=w):
            return w * x
        case Counting(next=v, twice=w):
            return v * w * x
    return 0.0


def pattern_by_place(x: float) -> float:
    p = Counting(x)
    match p:
        case Counting(7.0, w):
            return w * x
        case Counting(v):
            return v * x * p.n
    return 0.0


def attribute_that_is_missing(x: float) -> float:
    p = Counting(x)
    match p:
        case Counting(next=_, missing=w):
            return w * x
        case Counting(next=v, twice=_):
            return v * x * p.n
    return 0.0


def starred_target(x: float) -> float:
    a, b, *c = Begun([x, 2.0 * x, x * x])
    return a * b * len(c) + sum(c) * x


def starred_target_of_a_plain_one(x: float) -> float:
    a, *c = Plain([x, 2.0 * x, x * x])
    return a * len(c) + sum(c) * x


PROGRAMS = (
    named_pattern,
    pattern_by_place,
    attribute_that_is_missing,
    starred_target,
    starred_target_of_a_plain_one,
)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_questions_that_store(f: Callable[[float], float]) -> None:
    x, h = 1.5, 1e-6
    slope = (f(x + h) - f(x - h)) / (2 * h)
    assert pullback(f, x)[0] == f(x)
    assert gradient(f, x)[0] == pytest.approx(slope, rel=1e-6)
    y, back, _ = recorded(f, x)
    assert y == f(x)
    assert back(1.0)[1] == pytest.approx(slope, rel=1e-6)


class Truth:
    """Says in turn what it was given, and notes in a log that it was asked."""

    def __init__(self, log: list[int], place: int, answers: tuple[bool, ...]) -> None:
        self.log, self.place, self.answers = log, place, answers

    def __bool__(self) -> bool:
        self.log.append(self.place)
        return self.answers[self.log.count(self.place) % len(self.answers)]


def any_of(a: Any, b: Any, c: Any, x: float) -> float:
    y = a or b or c
    return x if y is a else 2.0 * x if y is b else x * x


def all_of(a: Any, b: Any, c: Any, x: float) -> float:
    y = a and b and c
    return x if y is a else 2.0 * x if y is b else x * x


def first_of_all(a: Any, b: Any, c: Any, x: float) -> float:
    y = a and (b or c)
    return x if y is a else 2.0 * x if y is b else x * x


@pytest.mark.parametrize("f", [any_of, all_of, first_of_all])
def test_truth_is_asked_once(f: Callable[..., float]) -> None:
    for answers in itertools.product([(True,), (False,), (True, False)], repeat=3):
        logs: list[list[int]] = [[], []]
        plain, given = ([Truth(log, i, told) for i, told in enumerate(answers)] for log in logs)
        y, back, _ = recorded(f, *given, 3.0)
        assert y == f(*plain, 3.0)
        assert logs[0] == logs[1]
        assert back(1.0)[-1] == {3.0: 1.0, 6.0: 2.0, 9.0: 6.0}[y]
