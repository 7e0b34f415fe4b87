"""`try` around what reads and stores into memory that others may have: state and derivatives are Python's, whether an
exception comes or not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from regressions.differences import check

from .held_to_python import hold, hold_errors, hold_to_recorded


def table() -> tuple[Any, ...]:
    return {"a": 1.2, "b": 0.5}, ["a", "c", "b", "a", "c"]


def lists() -> tuple[Any, ...]:
    return [0.3, 1.2, 0.7, 2.1], [[1.0, 0.4], [0.6]]


def missing(d: Any, keys: Any) -> Any:
    s = 0.0
    for k in keys:
        try:
            s = s * 1.1 + d[k] ** 2
        except KeyError as e:
            d[str(e).strip("'")] = s * 0.5
            s -= 0.1
    return s


def stored_last(d: Any, keys: Any) -> Any:
    for k in keys:
        try:
            d[k] = d[k] * d["a"]
        except KeyError:
            d[k] = d["b"] + 1.0
        else:
            d["b"] *= 1.1
        finally:
            d["a"] += 0.5 * d["b"]
    return d["a"] * d["b"] + d["c"] ** 2


def taken_until_empty(xs: Any, rows: Any) -> Any:
    s = 1.0
    while True:
        try:
            x = xs.pop()
        except IndexError:
            break
        rows[0].append(x * s)
        s = s * 0.5 + math.sin(x)
    return s * sum(rows[0]) + len(xs)


def places_beyond(xs: Any, rows: Any) -> Any:
    s = 0.0
    for i in range(3):
        for j in range(3):
            try:
                rows[i][j] += xs[i] * xs[j]
            except IndexError:
                rows[0].append(xs[j] + s)
                s += rows[0][-1] * rows[0][0]
    return s + sum(rows[0]) * sum(rows[1])


def moved_if_there(xs: Any, rows: Any) -> Any:
    """What is stored before something that raises has been stored."""
    s = 0.0
    for i in range(4):
        try:
            xs[i] = xs[i] * 2.0
            rows[1].append(xs[i])
            s += rows[i][0] * xs[i]
        except IndexError:
            s += xs[i] * rows[1][-1]
    return s * xs[0]


def raised_after_a_store(xs: Any, rows: Any) -> Any:
    s = 0.0
    for i, x in enumerate(xs):
        try:
            xs[i] = x * x
            if x > 1.0:
                raise ValueError("large")
            rows[0][0] *= x
        except ValueError:
            xs[i] = math.sqrt(xs[i]) + rows[0][0]
        s += xs[i]
    return s * rows[0][0]


def grown(rows: Any, x: float) -> float:
    try:
        rows[1][1] *= x
    except IndexError:
        rows[1].append(x)
        raise RuntimeError("grown") from None
    return rows[1][1] * x


def raised_by_a_function(xs: Any, rows: Any) -> Any:
    s = 0.0
    for x in xs:
        try:
            s += grown(rows, x)
        except (RuntimeError, OSError):
            s += rows[1][-1] * 3.0
            continue
        s *= 1.5
    return s


CASES = [
    (missing, table), (stored_last, table), (taken_until_empty, lists), (places_beyond, lists),
]  # fmt: skip
OTHERS = [moved_if_there, raised_after_a_store, raised_by_a_function]


@pytest.mark.parametrize(("f", "make"), CASES)
def test_programs(f: Any, make: Any) -> None:
    hold(f, make)


@pytest.mark.parametrize("f", OTHERS)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4])
def test_what_may_be_given_up(f: Any, n: int) -> None:
    xs, rows = lists()
    for k in range(n + 1 if f is moved_if_there else 1):
        rows += [[0.1 * k + 0.2]]
    check(f, xs[: n or 4] if f is not moved_if_there else xs, rows)


def test_no_exception_comes() -> None:
    """A run in which none comes half-way is reversed by its structure."""

    def make() -> tuple[Any, ...]:
        return [0.3, 0.2, 0.7, 0.1], [[1.0, 0.4], [0.6], [0.2], [0.9]]

    hold(moved_if_there, make)
    hold(raised_after_a_store, make)


def test_arrays() -> None:
    def f(a: Any, rows: Any) -> Any:
        s = 0.0
        for i in range(5):
            try:
                a[i] = a[i] * rows[i].sum()
            except IndexError:
                a[0] += 2.0 * a[1]
            try:
                rows[0][:i] *= a[i]
                s += rows[0][3]
            except IndexError:
                s += a[1] * rows[0][0]
        return s + a.sum()

    check(f, np.array([0.3, 1.2, 0.7]), [np.array([0.4, 0.2]), np.array([0.5, 0.8])])


def test_one_list_twice() -> None:
    def make() -> tuple[Any, ...]:
        xs = [0.3, 1.2]
        return xs, [xs, [0.6]]

    hold_to_recorded(places_beyond, lambda: ([0.3, 1.2, 0.7], [make()[0]] * 2))

    def f(rows: Any) -> Any:
        s = 0.0
        for i in range(4):
            try:
                rows[0][i] *= rows[1][0]
            except IndexError:
                rows[1].append(rows[2][-1] * 2.0)
                s += rows[0][-1]
        return s + sum(rows[2])

    hold_to_recorded(f, lambda: ([*make()[1], make()[0]],))

    def twice() -> tuple[Any, ...]:
        xs = [0.3, 1.2]
        return ([xs, [0.6], xs],)

    hold_to_recorded(f, twice)


def test_an_exception_that_is_not_caught() -> None:
    def f(d: Any, keys: Any) -> Any:
        try:
            d["a"] = d["b"] * 2.0
            d["z"] = d["y"]
        except IndexError:
            d["a"] = 0.0
        finally:
            d["b"] = 3.0
        return d["a"]

    hold_errors(f, table, KeyError)
