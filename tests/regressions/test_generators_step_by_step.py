"""Generators of which a program takes one item after another: by `next`, by `send`, and several in turns."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest

from adjoint import gradient, pullback
from adjoint.inspect import code_adjoint

from .differences import check, check_forward


def walk(x: float, n: int) -> Iterator[float]:
    y = x
    for _ in range(n):
        y = 0.9 * y + 0.1
        yield y


def halves(x: float) -> Iterator[float]:
    y = x
    while True:
        yield y
        y = y * 0.5 + 0.01


def falling(x: float) -> Iterator[float]:
    while x > 0.3:
        x = x * 0.6
        yield x * x
        x = x - 0.01


def of_items(vs: list[float], k: float) -> Iterator[float]:
    for v in vs:
        w = v * k
        yield w
        k = k + w * v


def averaged(k: float) -> Generator[float, float, None]:
    total, n = 0.0, 0
    mean = 0.0
    while True:
        v = yield mean
        total, n = total + v * k, n + 1
        mean = total / n


def some(x: float) -> Iterator[float]:
    for i in range(9):
        if i % 2:
            yield x * i


# ---- followed


def one_by_one(x: float) -> float:
    g = walk(x, 5)
    a = next(g)
    b = next(g) * a
    return a * b + next(g)


def and_what_is_left(x: float) -> float:
    g = walk(x, 6)
    first = next(g)
    s = 0.0
    for i, v in enumerate(g):
        s += v * i * first
    return s


def and_the_sum_of_what_is_left(x: float) -> float:
    g = of_items([x, x * x, 2.0, x], x)
    return next(g) * sum(g)


def of_no_end(x: float) -> float:
    g = halves(x)
    s = next(g) * next(g)
    for i in range(5):
        s += next(g) * i
    return s + next(g)


def only_in_a_loop(x: float) -> float:
    g, s = halves(x), 0.0
    for i in range(5):
        s = s * 0.5 + next(g) * i
    return s


def in_turns(x: float) -> float:
    a, b = halves(x), walk(x * x, 20)
    s = 0.0
    for i in range(6):
        s += next(a) * next(b)
        if i % 2:
            s += next(b)
    return s * next(a)


def two_of_one_function(x: float) -> float:
    a = halves(x)
    b = halves(x * x)
    s = next(a)
    for _ in range(3):
        s += next(b) * next(a)
    return s * next(b)


def with_a_default(x: float) -> float:
    g, s = walk(x, 3), 0.0
    for i in range(6):
        s += next(g, x * i) * (i + 1)
    return s


def while_there_is_one(x: float) -> float:
    g, s = falling(x), x
    while (v := next(g, -1.0)) > 0.0:
        s += v * v
    return s


def by_send(x: float) -> float:
    g = averaged(x)
    s = next(g)
    for i in range(4):
        s += g.send(x * i) * i
    return s * g.send(x)


def in_a_branch(x: float) -> float:
    g = halves(x)
    s = next(g)
    if x > 0.5:
        s += next(g) * x
    return s * next(g)


class Source:
    def __init__(self, x: float) -> None:
        self.x = x

    def given(self) -> Iterator[float]:
        while True:
            yield self.x * self.x


def of_a_method(x: float) -> float:
    source = Source(x)
    g = source.given()
    a = next(g)
    source.x = x * 3.0
    return a * next(g)


def two_in_a_zip(x: float) -> float:
    s = 0.0
    for a, b in zip(walk(x, 4), halves(x), strict=False):
        s += a * b
    for a, b in zip(walk(x, 4), walk(x * x, 2), strict=False):
        s += a * b * x
    return s


def what_a_zip_leaves(x: float) -> float:
    g = halves(x)
    s = sum(a * b for a, b in zip(walk(x, 3), g, strict=False))
    return s * next(g)


STRUCTURED = [
    *(one_by_one, and_what_is_left, and_the_sum_of_what_is_left, of_no_end, only_in_a_loop, in_turns),
    *(two_of_one_function, with_a_default, while_there_is_one, by_send, in_a_branch, of_a_method),
    *(two_in_a_zip, what_a_zip_leaves),
]


# ---- others


def of_which_not_all_rounds_give(x: float) -> float:
    g = some(x)
    return next(g) * next(g) + sum(g)


def of_numbered_items(x: float) -> float:
    def given(vs: list[float]) -> Iterator[float]:
        for i, v in enumerate(vs):
            yield v * i

    g = given([x, x * x, 2.0, x])
    return next(g) + next(g) * sum(g)


def used_up(x: float) -> float:
    g = walk(x, 2)
    return next(g) + sum(g) + len(list(g)) + next(g, x)


def left_and_gone_on(x: float) -> float:
    g, s = walk(x, 6), 0.0
    next(g)
    for v in g:
        s += v
        if s > 1.0:
            break
    return s * next(g)


def handed_on(x: float) -> float:
    def second(g: Iterator[float]) -> float:
        next(g)
        return next(g)

    g = walk(x, 4)
    return second(g) * next(g)


def begun_in_a_branch(x: float) -> float:
    g = walk(x, 4)
    s = next(g) if x > 0.5 else 0.0
    return s + sum(g)


def of_what_changes(x: float) -> float:
    xs = [x, 2.0]

    def given() -> Iterator[float]:
        for v in xs:
            yield v * x

    g = given()
    s = next(g)
    xs.append(x * x)
    return s + sum(g)


def with_code_in_front(x: float) -> float:
    def given() -> Iterator[float]:
        y = math.sqrt(x)
        while True:
            y = y * 1.1
            yield y

    g, s = given(), 0.0
    for _ in range(3):
        s += next(g)
    return s


def with_names_that_are_bound_again(x: float) -> float:
    k = x

    def given() -> Iterator[float]:
        while True:
            yield x * k

    g = given()
    s = next(g)
    k = 3.0 * x
    return s + next(g)


def that_reads_in_front_what_is_bound_again(x: float) -> float:
    k = x

    def given() -> Iterator[float]:
        y = k * 1.0
        while True:
            yield y

    g, s = given(), 0.0
    k = 3.0 * x * x
    for _ in range(3):
        s += next(g)
    return s


def of_items_that_are_stored(x: float) -> float:
    xs = [x, 2.0, 3.0]
    g = of_items(xs, x)
    s = next(g)
    for v in g:
        s += v
        xs[2] = x * x
    return s


def of_lists(x: float) -> float:
    def given() -> Iterator[list[float]]:
        vs = [x]
        while True:
            yield vs
            vs = [*vs, x * len(vs)]

    g = given()
    next(g)
    return sum(next(g)) * sum(next(g))


OTHERS = [
    *(of_which_not_all_rounds_give, used_up, left_and_gone_on, handed_on, begun_in_a_branch, of_what_changes),
    *(of_numbered_items, with_code_in_front, with_names_that_are_bound_again, of_lists),
    *(that_reads_in_front_what_is_bound_again, of_items_that_are_stored),
]


@pytest.mark.parametrize("f", [*STRUCTURED, *OTHERS], ids=lambda f: f.__name__)
def test_each_step_is_followed(f: Callable[[float], Any]) -> None:
    check(f, 1.3, order=2)
    check(f, 0.4)
    check_forward(f, 1.3)


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_they_are_written_out(f: Callable[[float], Any]) -> None:
    text = re.sub(r" +# .*", "", code_adjoint(f, 1.3))
    assert not re.search(r"^# `|walk|halves|falling|of_items|averaged|yield|iterate", text), text


def told(x: float) -> float:
    def given(k: float) -> Generator[float, None, None]:
        for i in range(3):
            print("before", i, k)
            yield x * i
            print("after", i, k)

    a, b = given(1.0), given(2.0)
    s = next(a)
    print("taken", s)
    for _ in range(2):
        s += next(b) + next(a)
        print("taken", s)
    return s + next(a, 5.0) + sum(b)


def test_what_they_do_comes_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    told(1.2)
    expected = capsys.readouterr().out
    for _ in range(2):
        _, back = pullback(told, 1.2)
        back(1.0)
        assert capsys.readouterr().out == expected


def test_errors_are_those_of_python() -> None:
    def exhausted(x: float) -> float:
        g, s = walk(x, 2), 0.0
        for _ in range(3):
            s += next(g)
        return s

    def sent_too_soon(x: float) -> float:
        g = averaged(x)
        return g.send(x)

    def in_front(x: float) -> float:
        def given() -> Iterator[float]:
            y = math.log(x - 5.0)
            while True:
                yield y

        g, s = given(), x
        for i in range(3):
            if i > x:
                s += next(g)
        return s

    for f, error in ((exhausted, StopIteration), (sent_too_soon, TypeError), (in_front, ValueError)):
        with pytest.raises(error):
            f(1.2)
        for _ in range(2):
            with pytest.raises(error):
                gradient(f, 1.2)
    assert gradient(in_front, 3.0)[0] == 1.0
