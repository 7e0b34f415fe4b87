"""Containers that are changed within `try`: values, what is left of them, and derivatives are those of Python."""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from adjoint import gradient, jvp
from adjoint.derivatives.choice import is_structured_call

from .containers_in_attempts import RECORDED, STRUCTURED, Program, roots
from .differences import check

POINTS = [(0.37, 0.81), (1.3, 0.65)]


def held_to_python(f: Program) -> None:
    for x, y in POINTS:
        check(f, x, y)
        bars = [bar or 0.0 for bar in gradient(f, x, y)]
        assert jvp(f, (x, y), (1.0, -2.0))[1] == pytest.approx(bars[0] - 2.0 * bars[1], rel=1e-10)


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_reversed_in_its_structure(f: Program) -> None:
    held_to_python(f)
    x, y = POINTS[1]
    check(f, x, y, order=2, atol=1e-6)
    assert is_structured_call(f, (x, y)), "it was recorded"


@pytest.mark.parametrize("f", RECORDED, ids=lambda f: f.__name__)
def test_recorded(f: Program) -> None:
    held_to_python(f)
    assert not is_structured_call(f, POINTS[0])


# ---- what is put in one by one may look at the list meanwhile


def by_a_generator(x, y):
    xs = [x]

    def grown():
        for v in (x, y, x * y):
            yield v * len(xs)

    xs.extend(grown())
    return sum(xs)


def by_a_function(x, y):
    xs = [x]
    times = lambda v: v * len(xs)  # noqa: E731
    xs.extend(times(v) for v in (x, y, x * y))
    return sum(xs)


def under_another_name(x, y):
    xs = [x]
    ys = xs
    xs.extend(v * len(ys) for v in (x, y, x * y))
    return sum(xs)


class Pairs:
    def __init__(self) -> None:
        self.items: list[Any] = []

    def extend(self, items: Any) -> None:
        self.items.append((next(items), type(items).__name__))


def by_a_method_of_its_own(x, y):
    pairs = Pairs()
    pairs.extend(v * x for v in (y, x))
    value, name = pairs.items[0]
    return value * x + len(name)


@pytest.mark.parametrize(
    "f", [by_a_generator, by_a_function, under_another_name, by_a_method_of_its_own], ids=lambda f: f.__name__
)
def test_looked_at_meanwhile(f: Program) -> None:
    held_to_python(f)


# ---- what prints cannot be run again: what may be refused on its way is recorded


def long_heap(x, y):
    h = [y + (7919 * i % 3001) * x for i in range(3001)]
    print("made")
    heapq.heapify(h)
    return h[0] * y + h[1]


def taken_while_run_through(x, y):
    d, t = {0: x, 1: y}, 0.0
    print("begin")
    for k in d:
        t += d.pop(k)
        if t > 0.1:
            break
    return t


def bound_of_zero(x, y):
    from collections import deque

    print("made")
    q = deque([x, y], maxlen=int(x * 0))
    q.append(x)
    return x * y + len(q)


@pytest.mark.parametrize("f", [long_heap, taken_while_run_through, bound_of_zero], ids=lambda f: f.__name__)
def test_refused_after_it_has_printed(f: Program, capsys: pytest.CaptureFixture[str]) -> None:
    check(f, 0.37, 0.81)
    capsys.readouterr()
    gradient(f, 0.37, 0.81)
    assert capsys.readouterr().out.count("\n") == 1


def only_constants(x, y):
    c = defaultdict(float)
    c[0] += 2.0
    return x * sum(c.values()) * len(c.keys()) + y


def test_views_of_what_does_not_move_have_no_effects() -> None:
    from adjoint.derivatives.choice import generated_for

    held_to_python(only_constants)
    found = generated_for(only_constants, (0.3, 0.4), {}, None)
    assert found is not None and not found[1].has_effects


# ---- planted errors


def without_order() -> Program:
    def planted(x: float, y: float) -> float:
        h: list[Any] = [(x, 1)]
        n = 0
        try:
            heapq.heappush(h, (x, "a"))
        except TypeError:
            n = 1
        return x * len(h) + y * n + h[0][0]  # type: ignore[no-any-return]

    return planted


@pytest.mark.parametrize(
    ("make", "name", "value"),
    [(without_order, "_has_order", lambda s: True)],
)
def test_a_change_that_is_let_pass_is_seen(
    make: Callable[[], Program], name: str, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from adjoint.transforms import attempts

    monkeypatch.setattr(attempts, name, value)
    with pytest.raises(AssertionError):
        check(make(), 0.5, 0.7)


def test_what_asking_makes_stays() -> None:
    def program(x: float, y: float) -> float:
        c: Any = defaultdict(float)
        with suppress(ValueError):
            c[1] += math.sqrt(-x)
        c[2] += x
        return sum(c.values()) * len(c) * y

    check(program, 0.5, 0.7)


def test_items_that_are_put_in_at_once_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjoint.transforms import stores

    monkeypatch.setattr(stores, "is_there", lambda items: True)

    def planted(x: float, y: float) -> float:
        xs = [x]
        with suppress(ValueError):
            xs.extend(roots(y))
        return sum(xs) * len(xs)

    with pytest.raises(AssertionError):
        check(planted, 0.4, 0.7)
