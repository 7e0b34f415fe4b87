"""Generators of which a program takes some, or takes all by a function: written out, and left where that one leaves."""

from __future__ import annotations

import builtins
import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, pullback
from adjoint.inspect import code_adjoint

from .differences import check, check_forward, right_or_refused


def walk(x: float, n: int) -> Iterator[float]:
    y = x
    for _ in range(n):
        y = 0.9 * y + 0.1
        yield y


def endless(x: float) -> Iterator[float]:
    y = x
    while True:
        y = y * 0.7
        yield y


def some(x: float, n: int) -> Iterator[float]:
    for i in range(n):
        if i % 3 == 1:
            yield x * i
            continue
        for j in range(i % 3):
            yield x * x + j
    yield x


def pairs(x: float, n: int) -> Iterator[tuple[int, float]]:
    for i in range(n):
        yield i, x * i


def got(x: float) -> Iterator[float]:
    y = yield x
    z = yield x * 2.0
    yield x if y is None and z is None else 0.0


# ---- left


def by_break(x: float) -> float:
    s = 0.0
    for v in some(x, 9):
        if v > 3.0:
            break
        s += v * v
    return s


def by_break_of_no_end(x: float) -> float:
    s = 0.0
    for v in endless(x):
        s += v
        if v < 0.1:
            break
    else:
        s = 0.0
    return s


def by_break_with_else(x: float) -> float:
    s = x
    for v in walk(x, 4):
        if v > 100.0:
            break
        s *= v
    else:
        s += x * x
    return s


def by_return(x: float) -> float:
    for i, v in pairs(x, 9):
        if v > 2.1:
            return v * i
    return x


def by_return_of_two(x: float) -> float:
    for a in walk(x, 9):
        for b in some(a, 9):
            if a * b > 1.0:
                return a * b * x
    return x


def by_continue_and_break(x: float) -> float:
    s = 0.0
    for i, v in pairs(x, 12):
        if i % 2:
            continue
        if i > 8:
            break
        s += v * i
    return s


def that_is_sent_nothing(x: float) -> float:
    s = 0.0
    for v in got(x):
        s = s * 2.0 + v
        if s > 50.0:
            break
    return s


def in_a_branch(x: float) -> float:
    s = x
    if x > 0.5:
        for v in endless(x):
            if v < 0.2:
                break
            s += v
    return s


def with_code_behind(x: float) -> float:
    def counted() -> Iterator[float]:
        nonlocal count
        for i in range(9):
            count += x
            yield x * i
            count += 10.0

    count = 0.0
    for v in counted():
        if v > 3.0:
            break
    return count * x


def by_next(x: float) -> float:
    return next(walk(x, 5)) + next(some(x, 0), 7.0) + next(some(x, 1), 7.0) * next(v for v in endless(x) if v < 0.5)


def by_any_and_all(x: float) -> float:
    s = x if any(v > 2.0 for v in some(x, 8)) else x * x
    s += x if all(v > 0.2 for v in endless(x)) else x * x * x
    return s * (2.0 if any(walk(x, 3)) and all(walk(x, 3)) and not any(walk(x, 0)) else 3.0)


# ---- taken


def by_math(x: float) -> float:
    return math.fsum(walk(x, 5)) * math.prod(some(x, 4))


def by_numpy(x: float) -> Any:
    return np.sum(np.fromiter(walk(x, 5), float) * np.array(list(walk(x * x, 5))))


def by_dict(x: float) -> float:
    d = dict(pairs(x, 5))
    e = {i: v for i, v in enumerate(walk(x, 3))}
    return d[2] * d[3] + len(set(walk(x, 3))) * e[1]


def by_extremes(x: float) -> float:
    return max(some(x, 6), key=lambda v: v * v) * min(walk(x, 3), default=1.0) + max(walk(x, 0), default=x)


def by_star(x: float) -> float:
    return math.hypot(*walk(x, 3)) + max(0.0, *walk(x, 4))


def by_extend(x: float) -> float:
    vs = [x]
    vs.extend(walk(x, 3))
    vs += some(x, 4)
    return sum(vs) * vs[2] * vs[-1]


# ---- streams


def by_enumerate(x: float) -> float:
    s = 0.0
    for i, v in enumerate(some(x, 6), 2):
        s += v * i
    return s + sum(i * v for i, v in enumerate(walk(x, 3), start=1))


def by_zip(x: float) -> float:
    s = 0.0
    for v, k in zip(walk(x, 9), [x, 2.0, x * x], strict=False):
        s += v * k
    for k, v in zip(range(4), endless(x), strict=False):
        s += v * k
    return s + sum(v * k for v, k in zip(some(x, 3), (1.0, x), strict=False))


def by_zip_of_nothing(x: float) -> float:
    return sum(v * k for k, v in zip([], endless(x), strict=False)) + x


def by_map_and_filter(x: float) -> float:
    vs = list(filter(lambda v: v > 0.6, map(lambda v: v * v, some(x, 6))))
    return sum(vs) * len(vs) + sum(filter(None, walk(x, 2))) + sum(itertools.filterfalse(lambda v: v > 1, some(x, 6)))


def by_islice(x: float) -> float:
    return sum(itertools.islice(endless(x), 4)) * sum(itertools.islice(walk(x, 9), 2, 5)) + sum(
        itertools.islice(walk(x, 2), 0)
    )


def by_takewhile(x: float) -> float:
    s = sum(itertools.takewhile(lambda v: v > 0.1, endless(x)))
    return s * sum(itertools.dropwhile(lambda v: v < 2.0, some(x, 8)))


def by_chain(x: float) -> float:
    return sum(v * v for v in itertools.chain(walk(x, 3), some(x, 4))) + sum(itertools.chain([x, x], walk(x, 2)))


def by_starmap(x: float) -> float:
    return sum(itertools.starmap(lambda i, v: i * v, pairs(x, 5)))


def by_pipeline(x: float) -> float:
    def scaled(vs: Iterable[float]) -> Iterator[float]:
        for v in vs:
            yield 2.0 * v

    def high(vs: Iterable[float]) -> Iterator[float]:
        for i, v in enumerate(vs):
            if v > 1.0:
                yield v * i

    s = 0.0
    for v in itertools.islice(high(scaled(some(x, 9))), 5):
        s += v * s + v
    return s


STRUCTURED = [
    *(by_break, by_break_of_no_end, by_break_with_else, by_return, by_return_of_two, by_continue_and_break),
    *(that_is_sent_nothing, in_a_branch, with_code_behind, by_next, by_any_and_all),
    *(by_math, by_numpy, by_dict, by_extremes, by_star),
    *(by_enumerate, by_zip, by_zip_of_nothing, by_map_and_filter, by_islice, by_takewhile, by_chain, by_starmap),
    by_pipeline,
]


# ---- others


def goes_on_after_a_break(x: float) -> float:
    g, s = walk(x, 9), 0.0
    for i, v in enumerate(g):
        s += v
        if i == 3:
            break
    return s * sum(g)


def of_two_at_once(x: float) -> float:
    return sum(a * b for a, b in zip(walk(x, 4), endless(x), strict=False))


def of_one_twice(x: float) -> float:
    g = walk(x, 8)
    return sum(a * b for a, b in zip(g, g, strict=False))


def that_ends_another(x: float) -> float:
    def first_two() -> Iterator[float]:
        yield next(walk(x, 1))
        yield next(walk(x, 2)) * x

    return sum(first_two())


def by_accumulate(x: float) -> float:
    return sum(itertools.accumulate(walk(x, 4), lambda a, b: a * b))


def with_a_context(x: float) -> float:
    def given() -> Iterator[float]:
        with np.errstate(all="ignore"):
            yield x
            yield x * x

    for v in given():
        if v > 1.0:
            break
    return v * x


def with_finally(x: float) -> float:
    ends = []

    def given() -> Iterator[float]:
        try:
            for i in range(5):
                yield x * i
        finally:
            ends.append(x * 7.0)

    s = 0.0
    for v in given():
        if v > 1.0:
            break
        s += v
    return s + sum(ends)


OTHERS = [
    *(goes_on_after_a_break, of_two_at_once, of_one_twice, that_ends_another, by_accumulate, by_extend),
]


@pytest.mark.parametrize("f", [*STRUCTURED, *OTHERS], ids=lambda f: f.__name__)
def test_what_is_taken_is_followed(f: Callable[[float], Any]) -> None:
    check(f, 1.3, order=2)
    check(f, 0.4)
    check_forward(f, 1.3)


@pytest.mark.parametrize("f", [with_a_context, with_finally], ids=lambda f: f.__name__)
def test_what_is_done_in_the_end_is_followed_or_refused(f: Callable[[float], Any]) -> None:
    right_or_refused(f, 1.3)


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_they_are_written_out(f: Callable[[float], Any]) -> None:
    text = re.sub(r" +# .*", "", code_adjoint(f, 1.3))
    assert not re.search(r"^# `|walk|endless|some\(|pairs\(|yield|iterate", text), text


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("f", [by_break, by_enumerate], ids=lambda f: f.__name__)
def test_they_are_compiled(f: Callable[[float], Any]) -> None:
    pytest.importorskip("numba")
    assert grad(f, compile=True)(1.3) == pytest.approx(gradient(f, 1.3)[0], rel=1e-12)


def told(x: float, n: int) -> Iterator[float]:
    for i in range(n):
        print("give", i)
        yield x * i
        print("gave", i)
    print("end")


def told_by_break(x: float) -> float:
    s = 0.0
    for v in told(x, 5):
        print("take", v)
        if v > 2.0:
            break
        s += v
    return s


def told_by_zip(x: float) -> float:
    s = 0.0
    for a, b in zip(told(x, 4), [1.0, 2.0], strict=False):
        print("take", a)
        s += a * b
    for a, b in zip([1.0, 2.0], told(x, 4), strict=False):
        print("take", b)
        s += a * b
    return s


def told_by_slices(x: float) -> float:
    s = sum(itertools.islice(told(x, 5), 1, 3))
    s += next(told(x, 2)) + sum(itertools.takewhile(lambda v: v < 1.5, told(x, 4)))
    return s + len(list(map(lambda v: builtins.print("mapped", v), told(x, 2)))) + any(told(x, 3)) + all(told(x, 3))


def told_by_a_chain(x: float) -> float:
    return sum(v for v in itertools.chain(told(x, 2), told(x * x, 1)) if v > 0.0)


@pytest.mark.parametrize("f", [told_by_break, told_by_zip, told_by_slices, told_by_a_chain], ids=lambda f: f.__name__)
def test_what_they_do_comes_in_order(f: Callable[[float], Any], capsys: pytest.CaptureFixture[str]) -> None:
    f(1.2)
    expected = capsys.readouterr().out
    for _ in range(2):
        _, back = pullback(f, 1.2)
        back(1.0)
        assert capsys.readouterr().out == expected


def test_errors_are_those_of_python() -> None:
    def exhausted(x: float) -> float:
        return next(walk(x, 0)) * x

    def late(x: float) -> float:
        for v in walk(x, 3):
            if v > 0.0:
                return math.sqrt(-v)
        return x

    def negative(x: float) -> float:
        return sum(itertools.islice(walk(x, 3), -1))

    def ended(x: float) -> float:
        return sum(next(walk(v, 0)) for v in walk(x, 2))

    for f, error in ((exhausted, StopIteration), (late, ValueError), (negative, ValueError), (ended, RuntimeError)):
        with pytest.raises(error):
            f(1.2)
        for _ in range(2):
            with pytest.raises(error):
                gradient(f, 1.2)
