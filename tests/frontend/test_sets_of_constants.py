"""Sets of constants have the order that the code has them in, whatever equal sets other functions name."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from ways import check_everywhere


def first(x: Any) -> Any:
    t = x
    for k in {8, 16}:
        t = t * x + k
    return t


def second(x: Any) -> Any:
    t = x
    for k in {16, 8}:
        t = t * x + k
    return t


def displayed(x: Any) -> Any:
    t, ks = x, {16, 8}
    for k in ks:
        t = t * x + k
    return t


def comprehension(x: Any) -> Any:
    t = x
    for y in [k * x for k in {16, 8}]:
        t = t * x + y
    return t


def three(x: Any) -> Any:
    t = x
    for k in list({8, 16, 24}):
        t = t * x + k
    return t


def three_more(x: Any) -> Any:
    t, ks = x, {24, 16, 8}
    for k in ks:
        t = t * x + k
    return t


def of_floats(x: Any) -> Any:
    t = x
    for k in {8.0, 16.0}:
        t = t * x + k + len(repr(k))
    return t


def of_flags(x: Any) -> Any:
    t = x
    for k in {True, 0}:
        t = t * x + k + len(repr(k))
    return t


def of_numbers(x: Any) -> Any:
    t = x
    for k in {1, 0}:
        t = t * x + k + len(repr(k))
    return t


def computed(x: Any) -> Any:
    t = x
    for k in {-(2**3), 2**4, (1, 2)}:
        t = t * x + (k if k != (1, 2) else 5)  # type: ignore[operator]
    return t


def inner(x: Any) -> Any:
    def f(t: Any) -> Any:
        for k in {16, 8}:
            t = t * x + k
        return t

    return f(x)


def unordered(x: Any) -> Any:
    return x * 2 if 8 in {16, 8} else x * x


def minus_zero(x: Any) -> Any:
    return math.copysign(x, -0.0) * x


def plus_zero(x: Any) -> Any:
    return math.copysign(x, 0.0) * x


def whole(x: Any) -> Any:
    return x * len(repr((1, 2)))


def of_float(x: Any) -> Any:
    return x * len(repr((1.0, 2)))


def run_through(x: Any, items: Any) -> Any:
    t = x
    for k in items:
        t = t * x + k
    return t


def with_options(x: Any, **options: Any) -> Any:
    t = x
    for name, k in options.items():
        t = t * x + k * len(name)
    return t


HELD, OTHER = frozenset((8, 16)), frozenset((16, 8))
ITEMS, TURNED = {"a": 1.0, "b": 2.0}, {"b": 2.0, "a": 1.0}
PROGRAMS: list[Callable[[Any], Any]] = [
    first, second, displayed, comprehension, three, three_more, of_floats, of_flags, of_numbers, computed, inner,
    unordered, minus_zero, plus_zero, whole, of_float,
    lambda x: run_through(x, HELD), lambda x: run_through(x, OTHER), lambda x: run_through(x, {8, 16}),
    lambda x: run_through(x, {16, 8}), lambda x: run_through(x, ITEMS.values()),
    lambda x: run_through(x, TURNED.values()), lambda x: with_options(x, a=1.0, bb=2.0),
    lambda x: with_options(x, bb=2.0, a=1.0), lambda x: run_through(x, (True, 0)), lambda x: run_through(x, (1.0, 0)),
]  # fmt: skip


@pytest.mark.parametrize("turn", [1, -1])
def test_equal_constants_are_told_apart(turn: int) -> None:
    for f in PROGRAMS[::turn]:
        check_everywhere(f, 1.5)
