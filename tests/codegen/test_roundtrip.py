"""Plain functions through frontend and text: the text does what the function does."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import pytest

from adjoint.codegen import emit, load
from adjoint.frontend import lower

CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []


def case(*args: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append((function, args))
        return function

    return enter


@case(10)
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@case(3)
def recursive(n):
    return 1 if n < 1 else n * recursive(n - 1)


@case([3, 1, 2], 2)
def first_above(xs, limit):
    for i, x in enumerate(xs):
        if x < 0:
            continue
        if x > limit:
            return i, x
    return None


@case([[1, 2], [3, 40], [5, 6]], 30)
def nested_exits(rows, limit):
    seen = []
    for row in rows:
        for x in row:
            if x > limit:
                break
            seen.append(x)
        else:
            seen.append(row)
            continue
        break
    else:
        seen.append("end")
    return seen


@case(27)
def collatz(n):
    steps = 0
    while n != 1 and steps < 1000:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@case([1.0, 2.0, 3.0])
def closures(xs):
    scale = 2.0
    late = [lambda v: v * scale for _ in xs]
    scale = scale + 1.0

    def total(ys, *, start=scale):
        return sum(ys, start)

    return total([f(x) for f, x in zip(late, xs, strict=True)]), [total(xs, start=x) for x in xs]


@case({"a": 1, "b": [2, 3]}, "a")
def stores(d, key):
    d = dict(d)
    d[key] += 1
    d["b"] = [*d["b"], key]
    d["b"][0] -= d[key]
    d.setdefault("c", []).append(4)
    del d[key]
    return d


@case(5, -1)
def text(x, y):
    kind = "low" if x < y else "high"
    return f"{kind!r:>8}|{x + y:04d}|{ {'k': x}['k'] }|{{}}" + "\n" * (x > y)


@case(3, 4)
def chained(x, y):
    return x < y < 10 and not (x == y or y is None), x in (1, y) or (y not in [x] and -(x**2))


@case([1, 2, 3, 4, 5])
def unpacking(xs):
    first, *middle, last = xs
    (a, b), c = (first, last), middle
    (d,) = [a]
    return a, b, c, d, [*c, *xs[1:-1:2]]


@case(3)
def many_versions(x):
    y = x + 1
    x = y * 2
    if x > 3:
        y = x
        x = x - 1
    else:
        x, y = y, x
    z = [x + y for x in range(x)]
    return x, y, z


@case(2)
def raising(x):
    if x > 1:
        raise ValueError(f"{x} is too much") from KeyError(x)
    return x


@case([2, 1], None)
def unbound(xs, y):
    if y:
        z = 1
    for x in xs:
        last = x
    return last + z


@case([4, 5, 6])
def carried_pairs(xs):
    best, where = xs[0], 0
    history = []
    for i, x in enumerate(xs):
        history.append((best, where))
        if x > best:
            best, where = x, i
    return best, where, history


@pytest.mark.parametrize("function, args", CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_the_text_does_what_the_function_does(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    emitted = emit(lower(function))
    generated = load(emitted, globals=function.__globals__, user_filename=function.__code__.co_filename)
    assert outcome(generated, function, *args) == outcome(function, *args), emitted.text


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error), type(error.__cause__)


def test_the_text_reads_like_the_function() -> None:
    assert (
        emit(lower(carried_pairs), drop_self=True).text
        == textwrap.dedent("""
        def carried_pairs(xs):
            best = xs[0]
            history = []
            where = 0
            for i, x in enumerate(xs):
                history.append((best, where))
                if x > best:
                    best = x
                    where = i
            return best, where, history
        """).lstrip()
    )
