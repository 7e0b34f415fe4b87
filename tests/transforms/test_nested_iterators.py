"""Iterators that other iterators take from: `map`, `filter`, `enumerate`, `reversed`, `iter` and `zip`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any

import numpy as np
import pytest

from adjoint import pullback
from adjoint.derivatives import choice

from .held_to_python import hold


def lists() -> tuple[Any, ...]:
    return [1.1, 2.0, 3.0], [2.5, 4.0, 8.0, 0.5]


def grown(v: Any) -> Any:
    return v * v + 1.0


def mapped_beside(xs: Any, ys: Any) -> Any:
    return sum(a * b for a, b in zip(map(grown, xs), ys))  # noqa: B905


def mapped_beside_fewer(xs: Any, ys: Any) -> Any:
    total = 0.0
    for a, b in zip(map(grown, ys), xs):  # noqa: B905
        total += a / b
    return total


def both_mapped(xs: Any, ys: Any) -> Any:
    squares, scaled = map(grown, xs), map(lambda v: v * xs[0], ys)
    return sum([a * b for a, b in zip(squares, scaled)])  # noqa: B905


def three(xs: Any, ys: Any) -> Any:
    return sum(a * b - c for a, b, c in zip(map(grown, ys), xs, ys))  # noqa: B905


def of_two(xs: Any, ys: Any) -> Any:
    return math.prod(map(lambda a, b: a + b, map(grown, xs), ys))


def map_of_map(xs: Any, ys: Any) -> Any:
    return sum(map(grown, map(grown, xs))) * ys[0]


def filtered(xs: Any, ys: Any) -> Any:
    return sum(map(grown, filter(lambda v: v > 1.5, xs))) + sum(filter(lambda v: v < 30.0, map(grown, ys)))


def filtered_by_truth(xs: Any, ys: Any) -> Any:
    return sum(filter(None, [xs[0], 0.0, ys[1]])) * xs[1]


def numbered_map(xs: Any, ys: Any) -> Any:
    total = 0.0
    for i, v in enumerate(map(grown, xs), 1):
        total += v**i * ys[0]
    return total


def numbered_beside(xs: Any, ys: Any) -> Any:
    return sum(a * i * b for (i, a), b in zip(enumerate(xs), ys))  # noqa: B905


def backwards_beside(xs: Any, ys: Any) -> Any:
    return sum(a * b for a, b in zip(reversed(xs), ys))  # noqa: B905


def smallest_with_its_place(xs: Any, ys: Any) -> Any:
    i, v = min(enumerate(ys), key=lambda pair: pair[1])
    return v * xs[0] * (i + 1)


def first_and_rest(xs: Any, ys: Any) -> Any:
    rest = iter(xs)
    first = next(rest)
    return first * sum(rest) + next(rest, ys[0])


def pairs_of_one(xs: Any, ys: Any) -> Any:
    values, total = iter(ys), 0.0
    for a in values:
        total += a * next(values) * xs[0]
    return total


def last_first(xs: Any, ys: Any) -> Any:
    last = reversed(ys)
    return next(last) * next(last) + xs[0]


def columns_as_lists(xs: Any, ys: Any) -> Any:
    us, vs = map(list, zip(*[(x * 2.0, x * y) for x, y in zip(xs, ys)]))  # noqa: B905
    return sum(us) * vs[1] - vs[-1]


def columns_as_arrays(xs: Any, ys: Any) -> Any:
    us, vs = map(np.array, zip(*[(x * 2.0, x * y) for x, y in zip(xs, ys)]))  # noqa: B905
    return (us * vs**2).sum()


def largest_column(xs: Any, ys: Any) -> Any:
    return max(map(sum, zip(*[[x * y for y in ys] for x in xs])))  # noqa: B905


def product(a: Any, b: Any) -> Any:
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]  # noqa: B905


def product_of_matrices(xs: Any, ys: Any) -> Any:
    a, b = [[x * y for y in ys] for x in xs], [[x + y for x in xs] for y in ys]
    return sum(map(sum, product(a, b)))


def matrix_with_itself(xs: Any, ys: Any) -> Any:
    a = [[x * y for y in ys] for x in xs]
    return sum(sum(x * y for x, y in zip(row, column)) for row in a for column in zip(*a))  # noqa: B905


def chained(xs: Any, ys: Any) -> Any:
    return reduce(lambda a, b: a * 0.5 + b, map(grown, filter(lambda v: v > 0.6, ys)), xs[0])


FOLLOWED = [
    *(mapped_beside, mapped_beside_fewer, both_mapped, three, of_two, map_of_map, filtered, filtered_by_truth),
    *(numbered_map, numbered_beside, backwards_beside, smallest_with_its_place, first_and_rest, pairs_of_one),
    *(
        last_first,
        columns_as_lists,
        columns_as_arrays,
        largest_column,
        product_of_matrices,
        matrix_with_itself,
        chained,
    ),
]


@pytest.mark.parametrize("f", FOLLOWED, ids=lambda f: f.__name__)
def test_nested_iterators_are_loops(f: Any) -> None:
    hold(f, lists)


def noting(seen: list[Any], tag: str) -> Callable[[Any], Any]:
    def note(v: Any) -> Any:
        seen.append((tag, v))
        return v * v

    return note


class Both:
    """An iterable that can be reversed, and gives other items then."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __reversed__(self) -> Iterator[Any]:
        return iter([v * 3.0 for v in self.values])


def own_reversed(xs: Any, ys: Any) -> Any:
    return sum(a * b for a, b in zip(reversed(Both(xs)), Both(ys)))  # noqa: B905


def stored_meanwhile(xs: Any, ys: Any) -> Any:
    values, total = list(xs), 0.0
    for i, (a, b) in enumerate(zip(map(grown, values), reversed(ys))):  # noqa: B905
        if i == 0:
            values[2] = ys[0] * a
        total += a * b
    return total


def appended_meanwhile(xs: Any, ys: Any) -> Any:
    values, total = [*xs], 0.0
    for a, b in zip(map(grown, values), ys):  # noqa: B905
        if len(values) == len(xs):
            values.append(b * 2.0)
        total += a * b
    return total


def rows_longer_meanwhile(xs: Any, ys: Any) -> Any:
    rows, total = [[x * y for y in ys] for x in xs], 0.0
    for k, column in enumerate(zip(*rows)):  # noqa: B905
        if k == 0:
            for row in rows:
                row.append(xs[0] * 7.0)
        total += column[0] * column[1]
    return total


def handed_on(xs: Any, ys: Any) -> Any:
    values = iter(xs)

    def take(items: Any) -> Any:
        return next(items) * 2.0

    return take(values) + take(values) * ys[0] + sum(values)


def asked_for_its_class(xs: Any, ys: Any) -> Any:
    return (
        xs[0] * ys[0]
        if isinstance(iter(xs), Iterator) and type(reversed(ys)).__name__ == "list_reverseiterator"
        else xs[1]
    )


@pytest.mark.parametrize(
    "f", [own_reversed, stored_meanwhile, appended_meanwhile, rows_longer_meanwhile, handed_on, asked_for_its_class]
)
def test_iterators_see_what_is_stored_meanwhile(f: Any) -> None:
    choice.forget()
    for _ in range(4):
        y, back = pullback(f, *lists())
        assert y == pytest.approx(f(*lists()))
        _, dxs, dys = back(1.0)
        for d, k in ((dxs, 0), (dys, 1)):
            for i in range(len(lists()[k])):
                at = [lists(), lists()]
                at[0][k][i] += 1e-6
                at[1][k][i] -= 1e-6
                slope = (f(*at[0]) - f(*at[1])) / 2e-6
                assert ((d or [None] * 9)[i] or 0.0) == pytest.approx(slope, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("short", [True, False])
def test_functions_are_called_as_often_and_in_the_order_of_python(short: bool) -> None:
    def both(xs: Any, ys: Any, seen: Any) -> Any:
        return sum(a * b for a, b in zip(map(noting(seen, "x"), xs), map(noting(seen, "y"), ys)))  # noqa: B905

    def first(xs: Any, ys: Any, seen: Any) -> Any:
        return sum(a * b for a, b in zip(map(noting(seen, "x"), xs), ys))  # noqa: B905

    def some(xs: Any, ys: Any, seen: Any) -> Any:
        a, b = map(noting(seen, "x"), xs[:2])
        return a * b * ys[0]

    xs, ys = lists() if short else lists()[::-1]
    for f in (both, first, some):
        expected: list[Any] = []
        y = f(xs, ys, expected)
        for _ in range(4):
            seen: list[Any] = []
            value, back = pullback(f, xs, ys, seen)
            back(1.0)
            assert (value, seen) == (y, expected)


def test_what_python_refuses_is_refused() -> None:
    def backwards(xs: Any) -> Any:
        return sum(reversed(map(grown, xs)))  # type: ignore[call-overload]

    def too_many(xs: Any) -> Any:
        a, b = map(grown, xs)
        return a * b

    for f, kind in ((backwards, TypeError), (too_many, ValueError)):
        for _ in range(3):
            with pytest.raises(kind):
                f([1.0, 2.0, 3.0])
            with pytest.raises(kind):
                pullback(f, [1.0, 2.0, 3.0])
