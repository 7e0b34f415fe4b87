# ruff: noqa: B905 - `zip` as programs have it
"""`zip` within `zip` that a loop takes apart: one loop, which asks for the same items in the same order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from regressions.differences import check
from transforms.held_to_python import hold

from adjoint import pullback
from adjoint.inspect import code_adjoint

XS, YS, ZS = [0.3, -0.2, 0.5], [1.0, 2.0, -1.0], [0.7, 0.1]


def given() -> tuple[Any, ...]:
    return [*XS], [*YS], [*ZS]


def in_statement(xs, ys, zs):
    total = 0.0
    for (x, y), z in zip(zip(xs, ys), zs):
        total = total * x + y * z
    return total


def in_list(xs, ys, zs):
    return sum([x * y * z for z, (x, y) in zip(zs, zip(xs, ys))])


def in_expression(xs, ys, zs):
    return sum(x * y * z for (x, y), z in zip(zip(xs, ys), zs) if z > 0)


def deeper(xs, ys, zs):
    total = 0.0
    for (x, (y, z)), (u, v) in zip(zip(xs, zip(ys, zs)), zip(ys, xs)):
        total = total * x + y * z * u - v
    return total


def backwards(xs, ys, zs):
    seen = []
    for x, y in zip(xs, ys):
        seen.append(x * y)
    for (x, y), s in zip(zip(xs, ys), reversed(seen)):
        zs[0] = zs[0] * s + x * y
    return zs[0]


def whole_pairs(xs, ys, zs):
    """A target that takes the pairs as they are."""
    return sum([pair[0] * pair[1] * z for pair, z in zip(zip(xs, ys), zs)])


def starred(xs, ys, zs):
    return sum([x * sum(rest) for (x, *rest), z in zip(zip(xs, ys, xs), zs)])


def histories(xs, ys, zs):
    """Two loops of L-BFGS."""
    x, steps, changes = np.array(xs), [], []
    for _ in range(4):
        g = 2.0 * x * np.array(ys) + zs[0]
        q, factors = g.copy(), []
        for s, y in zip(reversed(steps), reversed(changes)):
            a = s @ q / (y @ s)
            factors.append(a)
            q -= a * y
        for (s, y), a in zip(zip(steps, changes), reversed(factors)):
            q += (a - y @ q / (y @ s)) * s
        new = x - 0.1 * q
        steps.append(new - x)
        changes.append(2.0 * (new - x) * np.array(ys))
        if len(steps) > 2:
            steps.pop(0)
            changes.pop(0)
        x = new
    return float(x @ x)


PROGRAMS: dict[str, Callable[..., Any]] = {
    f.__name__: f for f in (in_statement, in_list, in_expression, deeper, backwards, starred)
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    hold(PROGRAMS[name], given)


def test_histories() -> None:
    hold(histories, given, second=False)


def test_pairs_as_they_are() -> None:
    check(whole_pairs, *given())


def test_one_loop_is_printed() -> None:
    text = str(code_adjoint(in_statement, *given()))
    assert "zip(xs, ys, zs)" in text and "zip(zip(" not in text


def test_who_is_asked_first() -> None:
    """The order in which iterators are asked, and how often when one of them ends."""
    asked: list[str] = []

    def through(name: str, items: Any) -> Any:
        for item in items:
            asked.append(name)
            yield item

    def f(xs: Any, ys: Any, zs: Any) -> Any:
        total = 0.0
        for (x, y), z in zip(zip(through("x", xs), through("y", ys)), through("z", zs)):
            total = total * x + y * z
        return total

    expected = f(*given())
    order = [*asked]
    asked.clear()
    assert pullback(f, *given())[0] == expected and asked[-len(order) :] == order


def test_a_zip_of_the_users() -> None:
    def zip(a: Any, b: Any) -> Any:
        return [(p, q) for p in a for q in b]

    def f(xs: Any, ys: Any, zs: Any) -> Any:
        return sum([x * y * z for (x, y), z in zip(zip(xs, ys), zs)])

    check(f, *given())
