"""Generator expressions that are handed on or kept, and what functions of the library take of generators."""

from __future__ import annotations

import ast
import itertools
import math
import statistics
from collections.abc import Iterator
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

import pytest
from fuzz.judge import loaded
from regressions.differences import check

from adjoint.frontend import scope
from adjoint.transforms.streams import _sliced

from .held_to_python import hold, hold_errors


def numbers() -> tuple[Any, ...]:
    return 1.1, 0.7


def powers(x: Any, n: int) -> Iterator[Any]:
    p = 1.0
    for _ in range(n):
        yield p
        p *= x


def scaled(values: Any, k: Any) -> Iterator[Any]:
    for v in values:
        yield v * k


def mean(values: Any) -> Any:
    n = total = 0
    for v in values:
        n, total = n + 1, total + v
    return total / n


def norm(values: Any) -> Any:
    return math.sqrt(sum(v * v for v in values))


def given(x: Any, y: Any) -> Any:
    return mean(v * v for v in (x, y, x * y)) * norm(v * y for v in powers(x, 4) if v > 0.5)


def kept(x: Any, y: Any) -> Any:
    squares = (v * y for v in powers(x, 4))
    return mean(squares) * x


def of_another_function(x: Any, y: Any) -> Any:
    def shifted(values: Any, shift: Any) -> Any:
        return (v + shift for v in values)

    return mean(shifted(scaled(powers(x, 5), y), x * y)) ** 2


def in_a_loop(x: Any, y: Any) -> Any:
    total = 0.0
    for k in range(3):
        total += mean(v * k * y for v in powers(x, 4))
    return total


def bound_anew_before_it_runs(x: Any, y: Any) -> Any:
    k, total = y, 0.0
    late = (v * k for v in powers(x, 4))
    k = k * k
    for i in range(2):
        later = (v * i * k for v in (x, y))
        i = 7
        k = x
        total += mean(later)
    return mean(late) * total


def of_a_comprehension(x: Any, y: Any) -> Any:
    means = [mean(v * w for v in powers(x, 3)) for w in (x, y, 2.0)]
    return sum(means) * means[0]


def nested(x: Any, y: Any) -> Any:
    return norm(u * v for u in powers(x, 3) for v in (y, u) if v > 0.1) * mean(v * x for v in (w * y for w in (x, y)))


def in_turns(x: Any, y: Any) -> Any:
    n = x

    def grow() -> Any:
        nonlocal n
        n = n * y
        return n

    def taken(values: Any) -> Any:
        total = 0.0
        for v in values:
            total += v * n
        return total

    return taken(v * n * grow() for v in (x, y, x)) * n


def given_to_lambdas(x: Any, y: Any) -> Any:
    f = lambda values: sum(values) * y  # noqa: E731
    return f(v * x for v in powers(x, 3)) + f(v * x for v in (x, y))


def next_of_one(x: Any, y: Any) -> Any:
    values = (v * v for v in (x, y, x * y))
    first = next(values)
    return first * sum(values)


def of_dicts(x: Any, y: Any) -> Any:
    d = {"a": x, "b": y}
    return mean(v * d["a"] for v in d.values()) * norm(d[k] for k in d)


def of_methods(x: Any, y: Any) -> Any:
    values = [x]
    values.extend(v * y for v in powers(x, 3))
    return sum(values) * values[2]


def unpacked(x: Any, y: Any) -> Any:
    a, b, c = powers(x, 3)
    first, *middle, last = (v * v for v in (a, y, b * c, x))
    return a * c * first * sum(middle) * last


def unpacked_of_many(x: Any, y: Any) -> Any:
    def endless() -> Any:
        while True:
            yield x

    a, b = endless()
    return a * b * y


def unpacked_of_few(x: Any, y: Any) -> Any:
    a, b, c, d = powers(x, 3)
    return a * b * c * d * y


def in_slices(x: Any, y: Any) -> Any:
    def halved() -> Any:
        v = x
        while True:
            yield v
            v = v / 2.0 + 0.1 * v * y

    return sum(islice(halved(), 1, 6, 2)) * sum(islice(halved(), 3)) * sum(islice(halved(), 2, 5))


def in_steps_of_nothing(x: Any, y: Any) -> Any:
    return sum(islice(powers(x, 3), 0, 3, 0)) * y


def in_chains(x: Any, y: Any) -> Any:
    total = 0.0
    for v in chain(powers(x, 3), [y, x], powers(y, 2)):
        total += v * v
    return total * sum(chain.from_iterable([x * v, y * v] for v in powers(x, 3)))


def numbered(x: Any, y: Any) -> Any:
    total = 0.0
    for n, v in zip(count(1), powers(x, 4)):  # noqa: B905
        total += v * n
    for w, v in zip((x, y), count(x, y)):  # noqa: B905
        total += w * v
    return total


def of_statistics(x: Any, y: Any) -> Any:
    return statistics.fmean(v * y for v in powers(x, 4)) * statistics.stdev(v * y for v in powers(x, 3))


STRUCTURED = [
    *(given, kept, of_another_function, in_a_loop, bound_anew_before_it_runs, of_a_comprehension, nested, in_turns),
    *(given_to_lambdas, next_of_one, of_dicts, of_methods, unpacked, in_slices, in_chains, numbered, of_statistics),
]


@pytest.mark.parametrize("f", STRUCTURED)
def test_programs_are_reversed_in_their_structure(f: Any) -> None:
    hold(f, numbers)


def sees_what_it_extends(x: Any, y: Any) -> Any:
    values = [x]
    values.extend(values[-1] * y for _ in range(3))
    return sum(values) * values[-1]


def list_changes_before_it_runs(x: Any, y: Any) -> Any:
    values = [x, y, x * y]
    late = (v * x for v in values)
    values[1] = 3.0 * x
    values.append(y * y)
    values = [y]
    return mean(late) * values[0]


def exhausted(x: Any, y: Any) -> Any:
    values = (v * y for v in powers(x, 4))
    return mean(values) + sum(values)


def several_that_wait(x: Any, y: Any) -> Any:
    waiting = []
    for w in (x, y, 2.0):
        waiting.append(v * w for v in powers(x, 3))  # noqa: B023
    return sum(mean(values) for values in waiting)


def binds_a_name(x: Any, y: Any) -> Any:
    values = (v * (t := v * y) for v in powers(x, 3))
    return mean(values) * t


def asked_in_turns(x: Any, y: Any) -> Any:
    values = (v * v for v in powers(x, 5))
    found = any(v > 1.1 for v in values)
    return sum(values) * (y if found else x)


OTHERS = [sees_what_it_extends, list_changes_before_it_runs, exhausted, several_that_wait, binds_a_name, asked_in_turns]


@pytest.mark.parametrize("f", OTHERS)
def test_programs_that_may_be_recorded_are_right(f: Any) -> None:
    check(f, *numbers())


@pytest.mark.parametrize("f", [unpacked_of_many, unpacked_of_few, in_steps_of_nothing])
def test_errors_are_those_of_python(f: Any) -> None:
    hold_errors(f, numbers, ValueError)


def not_iterable(x: Any, y: Any) -> Any:
    values = (v for v in x)
    return y if values is not None else x


def test_what_is_no_iterable_is_said_where_it_is_made() -> None:
    hold_errors(not_iterable, numbers, TypeError)


LATE = """
def f(x, y):
    k = y
    late = (v * k for v in (x, y, 2.0))
    k = k * k
    total = 0.0
    for v in late:
        total += v
    return total
"""


def test_what_names_stand_for_when_it_is_made_is_not_what_it_sees(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    check(loaded(LATE, tmp_path).f, *numbers())
    monkeypatch.setattr(scope, "as_function", lambda node: ast.parse("lambda: 0", mode="eval").body)
    with pytest.raises(AssertionError):
        check(loaded(LATE, tmp_path).f, *numbers())


def test_slices_with_steps_take_what_pythons_take() -> None:
    def taken(*bounds: int) -> tuple[list[int], list[int]]:
        source = iter(range(9))
        return [*itertools.islice(source, *bounds)], [*source]

    for bounds in itertools.product((0, 1, 3), (0, 2, 5, 6, 12), (1, 2, 3)):
        source = iter(range(9))
        assert taken(*bounds) == ([*_sliced(source, *bounds)], [*source])
