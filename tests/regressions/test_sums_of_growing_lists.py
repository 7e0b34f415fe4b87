"""Sums of lists that loops append to: each item has the cotangent of the sum, and none is kept for it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint.inspect import code_adjoint

from .differences import check, check_forward


def in_a_loop(x: float) -> float:
    xs = []
    for i in range(5):
        xs.append(math.sin(x * i))
    return sum(xs)


def from_a_start(x: float) -> float:
    xs = [x, 2.0, x * x]
    for i in range(5):
        xs.append(x * i)
    return sum(xs, x * x)


def some_of_them(x: float) -> float:
    xs = []
    for i in range(7):
        if i % 3 == 1:
            xs.append(x * i)
        elif i % 3 == 2:
            xs.append(x)
            xs.append(x * x)
    return sum(xs) * x


def in_two_loops(x: float) -> float:
    xs = []
    for i in range(3):
        xs.append(x * i)
        for j in range(i):
            xs.append(x * x * j)
    return sum(xs)


def in_a_while(x: float) -> float:
    xs, y = [x], x
    while y < 50.0:
        y = y * 1.7
        xs.append(y)
        if len(xs) > 6:
            break
    return sum(xs)


def of_a_comprehension_with_a_test(x: float) -> float:
    return sum([x * v for v in range(9) if v % 2]) + math.fsum([x, x * x])


STRUCTURED = [in_a_loop, some_of_them, in_two_loops, in_a_while, of_a_comprehension_with_a_test, from_a_start]


def that_read_it(x: float) -> float:
    xs = [x]
    for i in range(5):
        xs.append(xs[-1] * x + xs[0] * i)
    return sum(xs)


def that_run_through_it(x: float) -> float:
    xs = [x]
    for i in range(4):
        s = 0.0
        for v in xs:
            s += v * i
        xs.append(s * x)
    return sum(xs)


def that_sum_it(x: float) -> float:
    xs = [x]
    for _ in range(4):
        xs.append(sum(xs) * x)
    return sum(xs)


def read_in_between(x: float) -> float:
    xs = []
    for i in range(3):
        xs.append(x * i)
    t = xs[1] * x
    for i in range(4):
        xs.append(x * x * i)
    return sum(xs) * t


def summed_in_between(x: float) -> float:
    xs = []
    for i in range(3):
        xs.append(x * i)
    t = sum(xs)
    for i in range(4):
        xs.append(x * t * i)
    return sum(xs) * t


def copied_in_between(x: float) -> float:
    xs = []
    for i in range(3):
        xs.append(x * i)
    ys = list(xs)
    for i in range(4):
        xs.append(x * x * i)
        ys.append(x)
    return sum(xs) * sum(ys) + ys[1]


def read_afterwards(x: float) -> float:
    xs = []
    for i in range(4):
        xs.append(x * i)
    return sum(xs) * xs[2] * max(xs)


def of_two_that_change_places(x: float) -> float:
    xs, ys = [x], [x * x]
    for i in range(5):
        xs.append(x * i)
        xs, ys = ys, xs
    return sum(xs) * 3.0 + sum(ys) * x


def by_a_branch(x: float) -> float:
    xs, ys = [x], [x * x]
    for i in range(5):
        ws = xs if i % 2 else ys
        ws.append(x * i)
    return sum(xs) * sum(ys)


def begun_again(x: float) -> float:
    xs, s = [x], 0.0
    for i in range(6):
        xs.append(x * i)
        if i == 3:
            s += sum(xs)
            xs = []
    return sum(xs) * s


def of_arrays(x: float) -> Any:
    xs = []
    for i in range(3):
        xs.append(np.array([x, x * i]))
    xs.append(np.array([x * x, 1.0]))
    return np.sum(sum(xs) * np.array([1.0, x]))


def of_shapes_that_differ(x: float) -> Any:
    xs = [np.array(x)]
    for i in range(3):
        xs.append(np.array([x, x * i]))
    return np.sum(sum(xs) * np.array([1.0, x]))


def of_nothing(x: float) -> float:
    xs = []
    for i in range(0):
        xs.append(x * i)
    return sum(xs) + x


def of_integers_as_well(x: float) -> float:
    xs: list[float] = []
    for i in range(4):
        xs.append(i if i % 2 else x * i)
    return sum(xs) * x


def collected_and_then_longer(x: float) -> float:
    xs = [x * i for i in range(3)]
    ys = sorted(xs)
    for i in range(3):
        xs.append(x * x)
        ys.append(x * i)
    return sum(xs) * sum(ys)


def made_elsewhere(x: float) -> float:
    xs = longer(x)
    for i in range(3):
        xs.append(x * i)
    return sum(xs)


def longer(x: float) -> list[float]:
    return [x, x * x]


OTHERS = [
    *(that_read_it, that_run_through_it, that_sum_it, read_in_between, summed_in_between, copied_in_between),
    *(read_afterwards, of_two_that_change_places, by_a_branch, begun_again, of_arrays, of_nothing),
    *(of_shapes_that_differ, of_integers_as_well, collected_and_then_longer, made_elsewhere),
]


@pytest.mark.parametrize("f", [*STRUCTURED, *OTHERS], ids=lambda f: f.__name__)
def test_sums_of_what_grows(f: Callable[[float], Any]) -> None:
    check(f, 1.3, order=2)
    check(f, 0.4)
    check_forward(f, 1.3)


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_no_cotangents_of_items_are_kept(f: Callable[[float], Any]) -> None:
    text = re.sub(r" +# .*", "", code_adjoint(f, 1.3))
    assert "append_back" not in text and "owned_list" not in text, text
