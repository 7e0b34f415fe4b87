"""Functions that nothing flows through and that make lists and dicts: they only compute, and may be called twice."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from regressions.differences import check

from adjoint import grad, pullback
from adjoint.derivatives import choice

from .held_to_python import hold


def neighbours(i: int, n: int) -> list[int]:
    found = []
    if i > 0:
        found.append(i - 1)
    if i < n - 1:
        found.append(i + 1)
    return found


def primes(n: int) -> list[int]:
    sieve, found = [True] * (n + 1), []
    for p in range(2, n + 1):
        if sieve[p]:
            found.append(p)
            for q in range(p * p, n + 1, p):
                sieve[q] = False
    return found


def table(n: int) -> dict[int, int]:
    return {i: i * i for i in range(n)}


def countdown(n: int) -> list[int]:
    found: list[int] = []
    if n:
        found.append(n)
        found.extend(countdown(n - 1))
    return found


def orders(items: list[int]) -> list[list[int]]:
    if len(items) < 2:
        return [items]
    found = []
    for i in range(len(items)):
        for rest in orders(items[:i] + items[i + 1 :]):
            found.append([items[i], *rest])
    return found


def even(n: int) -> list[int]:
    return [n, *odd(n - 1)] if n else []


def odd(n: int) -> list[int]:
    return [-n, *even(n - 1)] if n else []


def falling(n: int) -> Iterator[int]:
    if n:
        yield n
        yield from falling(n - 1)


def of_neighbours(x: Any, y: Any) -> Any:
    xs, s = [x, y, x * y, x - y], 0.0
    for i in range(len(xs)):
        for j in neighbours(i, len(xs)):
            s += (xs[i] - xs[j]) ** 2
    return s


def of_primes(x: Any, y: Any) -> Any:
    s = 0.0
    for p in primes(20):
        s += x**p * y / p
    return s


def of_table(x: Any, y: Any) -> Any:
    t, s = table(4), 0.0
    for i, v in enumerate([x, y, x * y]):
        s += v * t[i + 1]
    return s


def of_countdown(x: Any, y: Any) -> Any:
    return sum(x**i * y for i in countdown(5))


def of_orders(x: Any, y: Any) -> Any:
    xs, s = [x, y, x * y], 0.0
    for a, b, c in orders([0, 1, 2]):
        s += xs[a] * xs[b] ** 2 * xs[c] ** 3
    return s


def of_both(x: Any, y: Any) -> Any:
    return sum(x * i + y * i * i for i in even(6))


def of_falling(x: Any, y: Any) -> Any:
    s = 0.0
    for i in falling(5):
        s += x**i * y
    return s


@functools.cache
def ways(n: int, k: int) -> int:
    if k == 0 or k == n:
        return 1
    return ways(n - 1, k) + ways(n - 1, k - 1)


@functools.cache
def half(n: int) -> float:
    return n if n < 2 else half(n - 1) / 2 + 1


def of_ways(x: Any, y: Any) -> Any:
    return sum(ways(5, k) * x**k * y ** (5 - k) for k in range(6))


def of_halves(x: Any, y: Any) -> Any:
    s = 0.0
    for n in range(4):
        s += half(n) * x ** half(n) * y
    return s


PROGRAMS = [of_ways, of_halves, of_neighbours, of_primes, of_table, of_countdown, of_falling]


@pytest.mark.parametrize("f", PROGRAMS)
def test_programs(f: Callable[..., Any]) -> None:
    hold(f, lambda: (1.1, 0.7))


@pytest.mark.parametrize("f", [of_orders, of_both])
def test_lists_with_stars(f: Callable[..., Any]) -> None:
    check(f, 1.1, 0.7)


# ---- what does more than compute, or is somebody's


KEPT: list[int] = []
TABLES: dict[int, list[int]] = {}


def kept(n: int) -> list[int]:
    KEPT.append(n)
    return KEPT


def stored_items(x: Any, y: Any) -> Any:
    KEPT.clear()
    s = 0.0
    for _ in range(3):
        s += x * len(kept(2)) + y * sum(kept(3))
    return s


def remembered(n: int) -> list[int]:
    if n not in TABLES:
        TABLES[n] = list(range(n))
    return TABLES[n]


def filled_in(x: Any, y: Any) -> Any:
    TABLES.clear()
    s = 0.0
    for _ in range(2):
        found: list[Any] = remembered(3)
        found[0] = found[0] + 1
        s += x * found[0] ** 2 + y * len(found)
    return s


def itself(items: list[Any]) -> list[Any]:
    return items


def changed_through(x: Any, y: Any) -> Any:
    items = [1, 2, 3]
    others = itself(items)
    others[0] = 5
    items.append(7)
    return x * items[0] + y * len(others) * x


def first_two(items: list[Any]) -> list[Any]:
    return items[:2]


def cut(x: Any, y: Any) -> Any:
    items = [1, 2, 3]
    part = first_two(items)
    part[0] = 9
    return x * items[0] + y * part[0] * x


def rows(n: int) -> list[list[int]]:
    row = [0] * n
    return [row, row]


def shared_rows(x: Any, y: Any) -> Any:
    table_of = rows(2)
    table_of[0][1] = 4
    return x * table_of[1][1] + y * y * table_of[0][0]


def made_active(x: Any, y: Any) -> Any:
    items: list[Any] = countdown(3)
    items[1] = x
    items.append(y)
    return items[1] * items[3] * items[0]


@functools.cache
def cached_row(n: int) -> list[Any]:
    return [0.5] * n


def cached_changed(x: Any, y: Any) -> Any:
    cached_row.cache_clear()
    row = cached_row(3)
    row[0] = row[0] + 2.0
    return x * cached_row(3)[0] + y * y * cached_row(2)[1]


def cached_filled(x: Any, y: Any) -> Any:
    cached_row.cache_clear()
    cached_row(3)[1] = x
    return cached_row(3)[1] * y * sum(cached_row(3))


@pytest.mark.parametrize(
    "f", [cached_changed, cached_filled, stored_items, filled_in, changed_through, cut, shared_rows, made_active]
)
def test_what_they_give_is_what_python_has(f: Callable[..., Any]) -> None:
    choice.forget()
    for _ in range(3):
        check(f, 1.1, 0.7)
        y, back = pullback(f, 1.1, 0.7)
        assert y == f(1.1, 0.7)
        assert back(1.0) == back(1.0)


class Loud:
    def __init__(self) -> None:
        self.asked = 0

    def __index__(self) -> int:
        self.asked += 1
        return 1

    def __iter__(self) -> Iterator[int]:
        self.asked += 1
        return iter([1, 2])


def listed(items: Any) -> list[Any]:
    return [i * 2 for i in items]


def heard(x: Any, loud: Any) -> Any:
    s = 0.0
    for i in listed(loud):
        s += x * i
    return s


def told(n: int) -> list[int]:
    print("told", n)
    return [n]


@functools.cache
def told_once(n: int) -> int:
    print("told once", n)
    return n


def of_told(x: Any) -> Any:
    told_once.cache_clear()
    return sum(x * told_once(n % 2) for n in range(4))


def told_twice(x: Any) -> Any:
    return sum(x * i for i in told(2)) + sum(x * i for i in told(3))


def drawn(items: Iterator[int]) -> list[int]:
    return [next(items), next(items)]


def of_drawn(x: Any, items: Any) -> Any:
    s = 0.0
    for i in drawn(items):
        s += x**i
    return s


def test_effects_come_once(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(3):
        loud = Loud()
        assert grad(heard)(2.0, loud) == 6.0
        assert loud.asked == 1
        assert grad(told_twice)(2.0) == 5.0
        assert capsys.readouterr().out == "told 2\ntold 3\n"
        assert grad(of_told)(2.0) == 2.0
        assert capsys.readouterr().out == "told once 0\ntold once 1\n"
        items = iter([1, 2, 3, 4])
        assert grad(of_drawn)(2.0, items) == 1.0 + 4.0
        assert next(items) == 3


def deeper(n: int, found: Any) -> Any:
    """What it gives depends on what it gave."""
    if n == 0:
        return found
    return deeper(n - 1, [*found, n * 0.5])


def number(n: int) -> Any:
    return 1 if n == 0 else number(n - 1) + 0.5


def of_deeper(x: Any, y: Any) -> Any:
    s = 0.0
    for v in deeper(3, [1]):
        s += x**v * y
    return s * number(3) ** x


def test_types_are_those_of_all_calls() -> None:
    check(of_deeper, 1.1, 0.7)


def of_unhashable(x: Any) -> Any:
    return x * cached_row([2])[0]  # type: ignore[arg-type]


def test_caches_take_what_has_a_hash() -> None:
    for _ in range(2):
        with pytest.raises(TypeError, match="unhashable"):
            grad(of_unhashable)(2.0)
