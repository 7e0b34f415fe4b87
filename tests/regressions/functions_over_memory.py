"""Programs whose inner functions store into lists, dicts and arrays that they capture or have as defaults, with what
makes their arguments."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Case = tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]


def numbers(n: int) -> list[float]:
    return [0.3 + 0.17 * i for i in range(n)]


# ---- results that are kept


def fibonacci(x: float, n: int) -> float:
    memo: dict[int, float] = {}

    def fib(n: int) -> float:
        if n in memo:
            return memo[n]
        r = x if n < 2 else fib(n - 1) * 0.9 + fib(n - 2) * math.sin(x)
        memo[n] = r
        return r

    return fib(n) * fib(n - 1)


def started(x: float, n: int) -> float:
    memo = {0: x, 1: x * x}

    def f(n: int) -> float:
        if n not in memo:
            memo[n] = f(n - 1) * f(n - 2) + 0.1
        return memo[n]

    total = f(n)
    memo[2] = 3.0 * x
    return total + f(2) + f(n + 1)


def unless_it_is_given(x: float, n: int, memo: Any = None) -> float:
    memo = {} if memo is None else memo

    def fib(k: int) -> float:
        if k in memo:
            return float(memo[k])
        value = x if k < 2 else fib(k - 1) * 0.9 + fib(k - 2) * math.sin(x)
        memo[k] = value
        return value

    return fib(n)


def bound_in_two_steps(x: float, n: int) -> float:
    x = x * x
    table = {0: x}
    if n > 2:
        table = {0: x, 1: math.sin(x)}

    def at(k: int) -> float:
        if k not in table:
            table[k] = at(k - 1) * x
        return float(table[k])

    return at(n)


def on_a_grid(x: float, n: int) -> float:
    memo: dict[tuple[int, int], float] = {}

    def cost(i: int, j: int) -> float:
        if i == 0 or j == 0:
            return x * (i + j)
        if (i, j) not in memo:
            memo[i, j] = min(cost(i - 1, j), cost(i, j - 1) * x) + x * x * ((i * j) % 3)
        return memo[i, j]

    return cost(n, n)


def in_a_list(xs: list[float]) -> float:
    best = [-1.0] * len(xs)

    def longest(i: int) -> float:
        if best[i] >= 0.0:
            return best[i]
        found = 0.0
        for j in range(i):
            found = max(found, longest(j) * 0.5 + xs[j])
        best[i] = found + xs[i] ** 2
        return best[i]

    return longest(len(xs) - 1)


def of_two_functions(x: float, n: int) -> float:
    memo: dict[int, float] = {}

    def even(n: int) -> float:
        if n not in memo:
            memo[n] = x if n <= 0 else odd(n - 1) * x + 1.0
        return memo[n]

    def odd(n: int) -> float:
        return even(n - 1) * 0.5

    return even(n)


# ---- lists and arrays that are given


def smoothed(a: Any, n: int) -> float:
    def sweep() -> None:
        for i in range(1, len(a) - 1):
            a[i] = 0.5 * (a[i - 1] + a[i + 1])

    for _ in range(n):
        sweep()
    return float(a[1] * a[2])


def by_two_names(xs: list[float], x: float) -> float:
    ys = xs if x > 0.0 else [x, x]

    def first() -> None:
        xs[0] = xs[1] * x

    def second(by: float) -> float:
        ys[1] += ys[0] * by
        return ys[1]

    first()
    a = second(x)
    first()
    return a * xs[0] + second(a)


def deeper_and_back(xs: list[float], depth: int) -> float:
    path: list[float] = []
    total = [0.0]

    def walk(n: int) -> None:
        if n == 0:
            total[0] += sum(path) * path[0]
            return
        for x in xs:
            path.append(x * n)
            walk(n - 1)
            path.pop()

    walk(depth)
    return total[0]


def told_by_a_flag(xs: list[float], limit: float) -> float:
    seen: list[float] = []

    def take(i: int) -> bool:
        if i == len(xs):
            return False
        seen.append(xs[i] ** 2)
        return sum(seen) > limit or take(i + 1)

    return sum(seen) * (2.0 if take(0) else 3.0) + sum(seen)


def handed_on(x: float, n: int) -> float:
    done: list[float] = []

    def add(v: float) -> float:
        done.append(v * x)
        return sum(done)

    def twice(f: Callable[[float], float], v: float, n: int) -> float:
        return f(v) if n == 0 else f(v) * twice(f, v + x, n - 1)

    return twice(add, x, n) + len(done)


def by_keyword(x: float, n: int) -> float:
    def f(n: int, *, out: list[float]) -> None:
        if n > 0:
            out[0] *= x
            f(n - 1, out=out)

    held = [x]
    f(n, out=held)
    return held[0]


def multiplied(n: int, x: float, *, out: list[float]) -> None:
    if n > 0:
        out[0] *= x
        multiplied(n - 1, x, out=out)


def by_keyword_from_outside(xs: list[float], x: float) -> float:
    ys = xs if x > 0.0 else [1.0]
    multiplied(3, x, out=ys)
    return xs[0]


def within(x: float, n: int) -> float:
    table = {"a": x}

    def outer(n: int) -> float:
        def inner(v: float) -> float:
            table["a"] += v * table["a"]
            return table["a"]

        return inner(x) if n == 0 else inner(x) + outer(n - 1)

    return outer(n)


# ---- defaults


def by_default(xs: list[float]) -> float:
    def add(x: float, acc: list[float] = []) -> float:  # noqa: B006
        acc.append(x * x)
        return sum(acc)

    total = 0.0
    for x in xs:
        total += add(x)
    return total


def by_keyword_default(xs: list[float]) -> float:
    def count(n: int, *, acc: dict[int, float] = {}) -> float:  # noqa: B006
        acc[n] = acc.get(n, 1.0) * xs[n]
        return acc[n] if n == 0 else acc[n] + count(n - 1)

    return count(len(xs) - 1) * count(0) if xs else 0.0


def a_default_that_others_have(x: float, n: int) -> float:
    held = [x]

    def grow(n: int, acc: list[float] = held) -> float:
        acc.append(acc[-1] * x)
        return acc[-1] if n == 0 else grow(n - 1) + held[0]

    held[0] = 2.0 * x
    return grow(n) + sum(held) + grow(0, [x])


RECORDED: list[Case] = [(of_two_functions, lambda: (0.7, 8))]
"""Functions that are bound after others capture them."""
CASES: list[Case] = [
    (fibonacci, lambda: (0.7, 12)),
    (started, lambda: (0.7, 6)),
    (unless_it_is_given, lambda: (0.7, 8)),
    (unless_it_is_given, lambda: (0.7, 8, {3: 0.4})),
    (bound_in_two_steps, lambda: (0.7, 4)),
    (bound_in_two_steps, lambda: (0.7, 2)),
    (on_a_grid, lambda: (0.7, 4)),
    (in_a_list, lambda: (numbers(5),)),
    (smoothed, lambda: (numbers(6), 2)),
    (smoothed, lambda: (np.array(numbers(6)), 2)),
    (by_two_names, lambda: ([0.5, 0.7], 0.9)),
    (by_two_names, lambda: ([0.5, 0.7], -0.9)),
    (deeper_and_back, lambda: ([0.5, 0.7], 2)),
    (told_by_a_flag, lambda: (numbers(5), 0.5)),
    (handed_on, lambda: (0.7, 3)),
    (by_keyword, lambda: (0.7, 3)),
    (by_keyword_from_outside, lambda: ([2.0], 0.7)),
    (within, lambda: (0.7, 2)),
    (by_default, lambda: (numbers(4),)),
    (by_default, lambda: ([],)),
    (by_keyword_default, lambda: (numbers(4),)),
    (a_default_that_others_have, lambda: (0.7, 3)),
]
