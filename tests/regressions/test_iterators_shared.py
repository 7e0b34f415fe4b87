"""One iterator of which several consumers take in turns: each item gets the cotangent of its own place."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from adjoint import gradient
from adjoint.errors import AdjointError

from .differences import check


def steps(x: float, n: int) -> Iterator[float]:
    for q in range(n):
        yield x * x * (q + 1)


def straight(x: float) -> Iterator[float]:
    yield x
    yield 2 * x * x
    yield 3 * x


def delegating(x: float) -> Iterator[float]:
    yield from steps(x, 3)


def by_while(x: float) -> Iterator[float]:
    q = 1
    while q <= 5:
        yield x * q
        q += 1


def dot(pairs: Any) -> float:
    s = 0.0
    for u, v in pairs:
        s = s * 1.5 + u * u * v
    return s


def with_itself(make: Callable[[float], Any]) -> Callable[[float], float]:
    def f(x: float) -> float:
        it = make(x)
        return dot(zip(it, it))  # noqa: B905

    return f


def mapped(x: float) -> float:
    it = steps(x, 5)
    return sum(map(lambda u, v: u * u * v, it, it))


def mapped_in_c(x: float) -> float:
    it = steps(x, 5)
    return sum([v * (i + 1) for i, v in enumerate(map(operator.mul, it, it))])


def three(x: float) -> float:
    it = steps(x, 5)
    return sum(u * v * v * w for u, v, w in zip(it, it, it))  # noqa: B905


def one_between(x: float) -> float:
    it = steps(x, 4)
    return sum(u * v * w for u, v, w in zip(it, [x, 2.0, 3.0], it))  # noqa: B905


def with_a_map(x: float) -> float:
    it = steps(x, 3)
    return dot(zip(it, map(lambda q: q * q, it)))  # noqa: B905


def with_a_filter(x: float) -> float:
    it = steps(x, 9)
    return dot(zip(it, filter(lambda q: q > 3.5 * x * x, it)))  # noqa: B905


def filter_first(x: float) -> float:
    it = steps(x, 10)
    return dot(zip(filter(lambda q: abs(q - 4 * x * x) > 0.5, it), it))  # noqa: B905


def map_of_a_filter(x: float) -> float:
    it = steps(x, 9)
    return sum(map(lambda u, v: u * u * v, it, filter(lambda q: abs(q - 2 * x * x) > 0.5, it)))


def with_a_slice(x: float) -> float:
    it = steps(x, 5)
    return dot(zip(it, itertools.islice(it, 5)))  # noqa: B905


def then_more(x: float) -> float:
    it = steps(x, 6)
    s = dot(zip(it, [x, x]))  # noqa: B905
    return s * next(it) + sum(it)


def filter_that_raises(x: float) -> float:
    it = steps(x, 6)
    seen = []

    def chosen(v: float) -> bool:
        seen.append(v * x)
        if v > 2.5 * x * x:
            raise ValueError
        return True

    s = 1.0
    try:
        for v in filter(chosen, it):
            s = s * 2.0 + v
    except ValueError:
        s = s * next(it)
    return s + seen[-1] * 3.0


def map_that_raises(x: float) -> float:
    it = steps(x, 6)
    seen = []

    def taken(u: float, v: float) -> float:
        seen.append(u * v)
        if v > 2.5 * x * x:
            raise ValueError
        return u * v

    s = 1.0
    try:
        for v in map(taken, it, it):
            s = s * 2.0 + v
    except ValueError:
        s = s * next(it)
    return s + seen[-1] * 3.0


def map_that_raises_in_c(x: float) -> float:
    it = steps(x, 6)
    s = 1.0
    try:
        for v in map(operator.getitem, it, it):
            s += v
    except TypeError:
        s = s * next(it)
    return s


def next_of_each(x: float) -> float:
    it = steps(x, 8)
    odd = filter(lambda v: abs(v - 2 * x * x) > 0.5, it)
    s = 0.0
    for v in map(next, (z for z in [odd, it, odd])):
        s = s * 2.0 + v * v
    return s


SHARED = [
    mapped, mapped_in_c, three, one_between, with_a_map, with_a_filter, filter_first, map_of_a_filter, with_a_slice,
    then_more, filter_that_raises, map_that_raises, map_that_raises_in_c, next_of_each,
]  # fmt: skip
MADE: dict[str, Callable[[float], Any]] = {
    "steps": lambda x: steps(x, 5),
    "even": lambda x: steps(x, 4),
    "straight": straight,
    "delegating": delegating,
    "by_while": by_while,
    "expression": lambda x: (x * x * q for q in range(1, 4)),
    "chain": lambda x: itertools.chain(steps(x, 2), [x]),
    "map": lambda x: map(lambda v: v * v, steps(x, 3)),
    "filter": lambda x: filter(lambda v: abs(v - 2 * x * x) > 0.5, steps(x, 6)),
    "accumulate": lambda x: itertools.accumulate(steps(x, 3)),
}


@pytest.mark.parametrize("f", SHARED, ids=lambda f: f.__name__)
def test_consumers_in_turns(f: Callable[[float], float]) -> None:
    check(f, 1.3, order=2)


@pytest.mark.parametrize("name", MADE)
def test_zipped_with_itself(name: str) -> None:
    check(with_itself(MADE[name]), 1.3, order=2)


# ---- what is dropped ends where the plain program lets go of it


CLOSED = [0]


def counted(x: float) -> Iterator[float]:
    try:
        for i in range(1, 5):
            yield x * i
    finally:
        CLOSED[0] += 1


LEFT: dict[str, Callable[[float], float]] = {
    "list of zip": lambda x: list(zip(counted(x), [1.0, 2.0]))[1][0],  # noqa: B905
    "zip, second": lambda x: list(zip([1.0, 2.0], counted(x)))[1][1],  # noqa: B905
    "tuple": lambda x: tuple(zip(counted(x), [1.0, 2.0]))[1][0],  # noqa: B905
    "dict": lambda x: dict(zip("ab", counted(x)))["b"],  # noqa: B905
    "map": lambda x: list(map(lambda a, b: a * b, counted(x), [1.0, 2.0]))[1],
    "map in C": lambda x: list(map(operator.mul, counted(x), [1.0, 2.0]))[1],
    "pairwise": lambda x: list(zip(itertools.pairwise(counted(x)), [1.0]))[0][0][1],  # noqa: B905
    "chain": lambda x: list(zip(itertools.chain(counted(x), [1.0]), [1.0, 1.0]))[1][0],  # noqa: B905
    "filter": lambda x: list(zip(filter(None, counted(x)), [1.0]))[0][0],  # noqa: B905
    "extend": lambda x: extended(x)[1][0],
    "added in place": lambda x: added(x)[1][0],
    "sorted": lambda x: sorted(zip(counted(x), [1.0, 2.0]))[1][0],  # noqa: B905
    "slice": lambda x: sliced(x)[1][0],
    "star": lambda x: [*zip(counted(x), [1.0, 2.0])][1][0],  # noqa: B905
    "update": lambda x: updated(x)["b"],
    "max": lambda x: max(zip(counted(x), [1.0, 2.0]))[0],  # noqa: B905
    "sum": lambda x: sum(map(operator.mul, counted(x), [1.0, 2.0])),
}


def extended(x: float) -> list[Any]:
    xs: list[Any] = []
    xs.extend(zip(counted(x), [1.0, 2.0]))  # noqa: B905
    return xs


def added(x: float) -> list[Any]:
    xs: list[Any] = []
    xs += zip(counted(x), [1.0, 2.0])  # noqa: B905
    return xs


def sliced(x: float) -> list[Any]:
    xs: list[Any] = []
    xs[:] = zip(counted(x), [1.0, 2.0])  # noqa: B905
    return xs


def updated(x: float) -> dict[str, float]:
    d: dict[str, float] = {}
    d.update(zip("ab", counted(x)))  # noqa: B905
    return d


def right_or_refused_late(f: Callable[[float], float], x: float) -> None:
    """The same as `right_or_refused`; the reverse may refuse, too."""
    try:
        gradient(f, x)
    except AdjointError as error:
        assert error.why and error.way_out
    else:
        check(f, x)


@pytest.mark.parametrize("name", LEFT)
def test_what_is_dropped_has_ended(name: str) -> None:
    def f(x: float) -> float:
        CLOSED[0] = 0
        y = LEFT[name](x)
        return y * (1.0 + CLOSED[0])

    right_or_refused_late(f, 1.3)


def test_what_a_dropped_generator_stores() -> None:
    def f(x: float) -> float:
        box = [x]

        def g() -> Iterator[float]:
            try:
                for i in range(4):
                    yield x * i
            finally:
                box[0] = box[0] * 3.0

        z = list(zip(g(), [1.0, 2.0]))  # noqa: B905
        return box[0] * sum(a * b for a, b in z)

    right_or_refused_late(f, 1.3)


def test_a_generator_in_a_tuple_that_is_run_through() -> None:
    def f(x: float) -> float:
        CLOSED[0] = 0
        s = 0.0
        for it in (counted(x),):
            s += next(it)
        del it
        return s * (1.0 + CLOSED[0])

    right_or_refused_late(f, 1.3)
