"""Functions of `itertools` over lists, tuples, ranges and arrays, by whoever takes their items."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from itertools import (
    chain,
    combinations,
    combinations_with_replacement,
    count,
    cycle,
    dropwhile,
    filterfalse,
    islice,
    permutations,
    product,
    repeat,
    starmap,
    takewhile,
    zip_longest,
)
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, pullback
from adjoint.inspect import code_adjoint


def forces(xs: Any) -> Any:
    total = 0.0
    for a, b in combinations(xs, 2):
        if a > b:
            continue
        total += 1.0 / (0.1 + (a - b) ** 2)
    return total


def forces_by_index(xs: Any) -> Any:
    total = 0.0
    for i, j in combinations(range(len(xs)), 2):
        total += (xs[i] - xs[j]) ** 3
    for i, j in product(range(2), range(3)):
        total += xs[i] * xs[j]
    return total


def left_early(xs: Any) -> Any:
    for a, b in product(xs, xs):
        if a * b > 3.0:
            return a * b * b
    return 0.0


def stored_into(xs: Any) -> Any:
    ys, total = [*xs], 0.0
    for i, (a, b) in enumerate(product(ys, ys)):
        ys[i % 3] = a * b
        total += a - b * ys[0]
    return total + ys[1]


def stored_into_while_chained(xs: Any) -> Any:
    ys, total = [*xs], 0.0
    for i, a in enumerate(chain(ys, ys[:2])):
        ys[(i + 1) % 3] = ys[(i + 1) % 3] * a
        total += a
    return total + ys[1]


def grown_while_taken(xs: Any) -> Any:
    ys, total = [*xs], 0.0
    for a in takewhile(lambda v: v < 20.0, ys):
        ys.append(2.0 * a)
        total += a
    return total * len(ys)


def argument_stored_into(xs: Any) -> Any:
    total = 0.0
    for a, b in combinations(xs, 2):
        xs[0] = a * b
        total += b * xs[0]
    return total


def one_by_one(xs: Any) -> Any:
    turn = cycle(xs)
    return next(turn) * next(turn) + next(turn) * next(turn)


def twice(xs: Any) -> Any:
    pairs = list(product(xs, repeat=2))
    return sum(a * b for a, b in pairs) + pairs[1][0] * len(pairs)


def kept(xs: Any) -> Any:
    streams = [chain(xs, xs), cycle(xs)]
    return sum(next(s) for s in streams) * xs[1]


def handed_on(xs: Any) -> Any:
    def of(stream: Any) -> Any:
        return sum(v * v for v in stream)

    return of(chain(xs, [xs[0]])) + of(islice(cycle(xs), 7))


def of_rows(xs: Any) -> Any:
    rows = [xs, [xs[1], xs[0]], []]
    return sum(v * v for v in chain.from_iterable(rows))


def in_a_loop(xs: Any) -> Any:
    total = 0.0
    for _ in range(3):
        for a, b, c in combinations(xs, 3):
            total += a * b - c * total
        total += sum(x * y for x, y in permutations(xs, 2))
    return total


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    f.__name__: f
    for f in (
        *(forces, forces_by_index, left_early, stored_into, stored_into_while_chained, grown_while_taken),
        *(argument_stored_into, one_by_one, twice, kept, handed_on, of_rows, in_a_loop),
    )
} | {
    "product_of_one": lambda xs: sum(a * a for (a,) in product(xs)),
    "product_of_three": lambda xs: sum(a * b - c for a, b, c in product(xs, [1.0, 2.0], xs)),
    "product_of_four": lambda xs: sum(a * b - c * d for a, b, c, d in product(xs, repeat=4)),
    "with_themselves": lambda xs: sum(a * b for a, b in combinations_with_replacement(xs, 2)),
    "chosen_by_one": lambda xs: sum(a * a for (a,) in combinations(xs, 1)),
    "too_many": lambda xs: sum(a * b for a, b in combinations(xs[:1], 2)) + xs[0],
    "zip_longest": lambda xs: sum(a * b for a, b in zip_longest(xs, xs[1:], fillvalue=1.5)),
    "zip_longest_of_none": lambda xs: sum(a if b is None else a * b for a, b in zip_longest(xs, xs[1:])),
    "cycle": lambda xs: sum(a * i for i, a in enumerate(islice(cycle(xs), 8))),
    "cycle_of_nothing": lambda xs: sum(islice(cycle(xs[:0]), 8)) + xs[0],
    "repeat": lambda xs: sum(a * b for a, b in zip(repeat(xs[0], 3), xs, strict=False)) + sum(repeat(xs[1], 4)),
    "starmap": lambda xs: sum(starmap(operator.mul, zip(xs, xs[1:], strict=False))),
    "starmap_of_pairs": lambda xs: sum(starmap(lambda a, b: a * b * b, [(xs[0], xs[1]), (xs[2], 2.0)])),
    "takewhile": lambda xs: sum(v * v for v in takewhile(lambda v: v < 2.6, xs)),
    "dropwhile": lambda xs: max(dropwhile(lambda v: v < 1.5, xs)) * xs[0],
    "filterfalse": lambda xs: sum(v * v for v in filterfalse(lambda v: v > 2.0, xs)),
    "islice": lambda xs: sum(v * v for v in islice(xs, 1, 3)) + sum(islice(xs, 0, None, 2)),
    "chain": lambda xs: sum(v * v for v in chain(xs, [1.0], (xs[0], xs[1]), xs[1:])),
    "chain_of_counts": lambda xs: sum(v * i for v, i in zip(chain(xs, xs), count(1), strict=False)),
    "unpacked": lambda xs: (lambda a, b, *c: a * b + sum(c))(*chain(xs, xs)),
}
AT = [1.1, 2.3, 0.7]


def slopes(f: Callable[[Any], Any], make: Callable[[list[float]], Any], h: float = 1e-6) -> list[float]:
    def moved(i: int, by: float) -> Any:
        return f(make([v + by * (i == j) for j, v in enumerate(AT)]))

    return [(moved(i, h) - moved(i, -h)) / (2 * h) for i in range(len(AT))]


OF_LISTS = ("grown_while_taken", "stored_into", "stored_into_while_chained", "argument_stored_into")
"""Programs of lists that stores are made into, in order."""


@pytest.mark.parametrize(("name", "make"), [*itertools.product(PROGRAMS, (list, tuple, np.array))])
def test_against_differences(name: str, make: Callable[[list[float]], Any]) -> None:
    f = PROGRAMS[name]
    if name == "argument_stored_into" and make is tuple:
        pytest.skip("a tuple stays as it is")
    expected = slopes(f, make)
    for _ in range(2):
        found = np.asarray(gradient(f, make(AT))[0], float)
        assert found[:3] == pytest.approx(expected, rel=1e-5, abs=1e-7)
    assert pullback(f, make(AT))[0] == f(make(AT))
    along = make([1.0, 0.5, -1.0])
    slope = float(np.dot(expected, [1.0, 0.5, -1.0]))
    assert float(jvp(f, (make(AT),), (along,))[1]) == pytest.approx(slope, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize(
    "name", ["forces", "forces_by_index", "left_early", "cycle", "starmap", "chain", "zip_longest", "product_of_three"]
)
def test_they_are_loops(name: str) -> None:
    code = code_adjoint(PROGRAMS[name], list(AT))
    assert "pullback_wrt_" not in code
    assert "iterate" not in code


def test_slices_raise_as_in_python() -> None:
    def f(xs: list[float], n: int) -> float:
        return sum(islice(xs, n))

    with pytest.raises(ValueError, match="Stop argument for islice|Indices for islice"):
        gradient(f, [1.0, 2.0], -1)
