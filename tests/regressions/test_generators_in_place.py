"""Generators that a program makes and runs through: written out where that is done, or else recorded."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from adjoint import gradient
from adjoint.inspect import code_adjoint

from .differences import check, check_forward, right_or_refused


def walk(x: float, n: int) -> Iterator[float]:
    y = x
    for _ in range(n):
        y = 0.9 * y + 0.1
        yield y


def branches(x: float, n: int) -> Iterator[float]:
    for i in range(n):
        if i % 2:
            yield x * i
        else:
            yield math.sin(x * i)
            yield x
    yield x * x


def collatz(x: float, n: int) -> Iterator[float]:
    while n != 1:
        yield x / n
        n = n // 2 if n % 2 == 0 else 3 * n + 1


def until(x: float) -> Iterator[float]:
    while True:
        x = x * 1.5
        if x > 20.0:
            return
        yield x


def pairs(xs: list[float]) -> Iterator[tuple[int, float]]:
    for i, v in enumerate(xs):
        yield i, v * v


def nothing(x: float) -> Iterator[float]:
    if x > 100.0:
        yield x


def sent(x: float) -> Iterator[float]:
    got = yield x
    yield x * (got or 2.0)


def delegating(x: float) -> Iterator[float]:
    yield x
    yield from walk(x, 3)


def guarded(x: float) -> Iterator[float]:
    try:
        yield x
        yield x * x
    finally:
        x = 0.0


class Source:
    def __init__(self, x: float) -> None:
        self.x = x
        self.count = 0

    def values(self, n: int) -> Iterator[float]:
        for _ in range(n):
            self.x = self.x * 1.1
            self.count += 1
            yield self.x


def by_sum(x: float) -> float:
    return sum(walk(x, 10))


def by_sum_from(x: float) -> float:
    return sum(walk(x, 5), x * x)


def by_a_loop(x: float) -> float:
    s = 0.0
    for v in walk(x, 10):
        s += v * v * x
    return s


def in_a_comprehension(x: float) -> float:
    return sum([v * v for v in walk(x, 6)]) + sum(v * x for v in walk(x, 3))


def in_a_comprehension_with_a_test(x: float) -> float:
    vs = [v for v in branches(x, 5) if v > 0.5]
    return sum(vs) * len(vs)


def with_branches(x: float) -> float:
    s, p = 0.0, 1.0
    for v in branches(x, 4):
        if v > 1.0:
            s += v
        else:
            p *= v + 2.0
    return s * p


def with_a_while(x: float) -> float:
    return sum(v * v for v in collatz(x, 7))


def that_returns(x: float) -> float:
    s = 1.0
    for v in until(x):
        s = s * v
    return s


def of_pairs(x: float) -> float:
    s = 0.0
    for i, v in pairs([x, x * x, 2.0]):
        s += i * v
    return s


def as_a_list(x: float) -> float:
    xs = list(walk(x, 6))
    ys = sorted(branches(x, 3))
    return xs[2] * xs[-1] + ys[0] * max(walk(x, 4)) - min(branches(x, 3))


def of_nothing(x: float) -> float:
    s = x
    for v in nothing(x):
        s += v
    return s * len(list(nothing(x))) + s


def made_inside(x: float) -> float:
    def scaled(n: int) -> Iterator[float]:
        for i in range(n):
            yield x * i + offset

    offset = x * x
    s = 0.0
    for v in scaled(5):
        s += v * offset
    return s


def of_a_method(x: float) -> float:
    source = Source(x)
    s = 0.0
    for v in source.values(4):
        s += v * source.count
    return s * source.x


def that_appends(x: float) -> float:
    seen: list[float] = []
    for v in walk(x, 4):
        seen.append(v * len(seen))
    return sum(seen) + seen[-1]


def one_in_another(x: float) -> float:
    s = 0.0
    for a in walk(x, 3):
        for b in branches(a, 2):
            s += a * b
    return s


def of_generators(x: float) -> float:
    def doubled(vs: Any) -> Iterator[float]:
        for v in vs:
            yield 2.0 * v

    s = 0.0
    for v in doubled([x, x * x]):
        s += v
    return s


def in_a_loop(x: float) -> float:
    s = 0.0
    for i in range(3):
        s += sum(walk(x + i, 2)) * s + 1.0
    return s


def one_in_itself(x: float) -> float:
    r = 0.0
    for a in walk(x, 3):
        for b in walk(a, 2):
            r += a * b
    return r


def one_in_itself_by_a_helper(x: float) -> float:
    r = 0.0
    for a in walk(x, 3):
        r += total_of(a) * a
    return r


def total_of(x: float) -> float:
    return sum(walk(x, 2)) + x


STRUCTURED = [
    *(by_sum, by_sum_from, by_a_loop, in_a_comprehension, in_a_comprehension_with_a_test, with_branches, with_a_while),
    *(
        that_returns,
        of_pairs,
        as_a_list,
        made_inside,
        of_a_method,
        that_appends,
        one_in_another,
        of_generators,
        in_a_loop,
    ),
]


# ---- others


def that_breaks(x: float) -> float:
    s = 0.0
    for v in walk(x, 10):
        if v < 0.5:
            break
        s += v
    return s


def that_breaks_out_of_no_end(x: float) -> float:
    def endless() -> Iterator[float]:
        y = x
        while True:
            y = y * 0.7
            yield y

    s = 0.0
    for v in endless():
        s += v
        if v < 0.1:
            break
    return s


def that_returns_within(x: float) -> float:
    for v in walk(x, 10):
        if v < 0.9:
            return v * x
    return x


def by_next(x: float) -> float:
    g = walk(x, 5)
    return next(g) * next(g) + sum(g)


def run_twice(x: float) -> float:
    g = walk(x, 5)
    first = sum(g)
    return first + sum(g) + len(list(g))


def handed_on(x: float) -> float:
    return taken(walk(x, 5))


def taken(g: Iterator[float]) -> float:
    s = 0.0
    for v in g:
        s = s * 0.5 + v
    return s


def zipped(x: float) -> float:
    s = 0.0
    for i, (a, b) in enumerate(zip(walk(x, 4), branches(x, 4), strict=False)):
        s += a * b * i
    return s


def sliced(x: float) -> float:
    return sum(itertools.islice(walk(x, 10), 3)) * x


def with_send(x: float) -> float:
    g = sent(x)
    return next(g) + g.send(3.0)


def with_yield_from(x: float) -> float:
    return sum(delegating(x))


def with_finally(x: float) -> float:
    return sum(guarded(x)) * x


def kept(x: float) -> float:
    gs = [walk(x, 2), walk(x, 3)]
    return sum(sum(g) for g in gs)


def any_of(x: float) -> float:
    return x * x if any(v > 0.5 for v in walk(x, 5)) else x


def stored_in_between(x: float) -> float:
    xs = [x, 2.0]

    def values() -> Iterator[float]:
        for v in xs:
            yield v * v

    g = values()
    xs[0] = x * 3.0
    xs.append(x)
    return sum(g)


def changed_in_between(x: float) -> float:
    scale = x

    def values() -> Iterator[float]:
        for i in range(3):
            yield i * scale

    g = values()
    scale = x * x
    s = 0.0
    for v in g:
        s += v
        scale = scale + 1.0
    return s


def used_up_in_a_loop(x: float) -> float:
    g = walk(x, 3)
    s = 0.0
    for _ in range(3):
        for v in g:
            s += v
    return s


def used_up_in_a_test(x: float) -> float:
    g = walk(x, 3)
    n = 0
    while sum(g) > 0.0 and n < 5:
        n += 1
    return x * n


def used_up_in_a_branch(x: float) -> float:
    g = walk(x, 3)
    s = sum(g) if x > 1.0 else x
    return s + sum(g)


OTHERS = [
    *(used_up_in_a_loop, used_up_in_a_test, used_up_in_a_branch),
    *(one_in_itself, one_in_itself_by_a_helper),
    *(that_breaks, that_breaks_out_of_no_end, that_returns_within, by_next, run_twice, handed_on, zipped, sliced),
    *(with_send, with_yield_from, with_finally, kept, any_of, stored_in_between, changed_in_between, of_nothing),
]


@pytest.mark.parametrize("f", [*STRUCTURED, *OTHERS], ids=lambda f: f.__name__)
def test_what_generators_give_is_followed(f: Callable[[float], Any]) -> None:
    check(f, 1.3, order=2)
    check(f, 0.4)


@pytest.mark.parametrize("f", [*STRUCTURED, *OTHERS], ids=lambda f: f.__name__)
def test_forward_mode_agrees(f: Callable[[float], Any]) -> None:
    check_forward(f, 1.3)


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_they_are_written_out(f: Callable[[float], Any]) -> None:
    text = re.sub(r" +# .*", "", code_adjoint(f, 1.3))
    assert not re.search(r"^# `|walk|branches\(|until\(|pairs\(|yield|Source\(|pullback\(\w+,", text), text


def test_a_generator_is_no_number() -> None:
    for _ in range(2):
        with pytest.raises(TypeError, match="not supported between instances"):
            gradient(lambda x: max(walk(x, 2), x), 1.3)  # type: ignore[type-var]


def test_errors_come_where_they_come() -> None:
    said: list[float] = []

    def roots(xs: list[float]) -> Iterator[float]:
        for v in xs:
            yield math.sqrt(v)

    def f(x: float) -> float:
        s = 0.0
        for v in roots([x, x - 2.0]):
            s += v
        return s

    def g(x: float) -> float:
        for v in roots([x, x - 2.0]):
            said.append(v)
        return x

    for _ in range(2):
        with pytest.raises(ValueError, match="math domain error|nonnegative"):
            gradient(f, 1.0)
        said.clear()
        with pytest.raises(ValueError, match="math domain error|nonnegative"):
            gradient(g, 1.0)
        assert said == [1.0]
    check(f, 3.0)


def test_generators_that_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(x: float, n: int) -> Iterator[float]:
        yield x * n

    check(by_a_loop, 1.3)
    with monkeypatch.context() as m:
        m.setitem(globals(), "walk", other)
        right_or_refused(by_a_loop, 1.3)
        assert gradient(by_a_loop, 1.3)[0] == pytest.approx(100 * 3 * 1.3**2)
    check(by_a_loop, 1.3)
