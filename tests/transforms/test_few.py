"""Loops over a few numbers of a display, within a loop."""

from __future__ import annotations

import math

import pytest

from adjoint import grad
from adjoint.inspect import code_adjoint
from adjoint.testing import check_gradient

# mypy: disable-error-code="no-untyped-def, no-untyped-call"


def first(items):
    for item in items:
        if item > 0.1:
            return item
    return 0.0


def least_of(items):
    best = math.inf
    for item in items:
        if item < best:
            best = item
    return best


def count_above(items, bound):
    n = 0
    for item in items:
        if item < 0.0:
            continue
        if item > bound:
            n += 1
            if n == 2:
                break
    else:
        n = -1
    return n


def kept(items, log):
    for item in items:
        log.append(item)
    return log[-1]


def emptied(items):
    total = 0.0
    while items:
        total += items.pop()
    return total


def grown(items):
    for item in items:
        if item > 0.5:
            items = [item, *items]
    return items[0]


def given_back(items):
    for item in items:
        if item > 0.1:
            return items
    return [0.5]


def doubled(items):
    for i, item in enumerate(items):
        items[i] = 2.0 * item
    return sum(items)


def raising(items):
    for item in items:
        if item < -10.0:
            raise ValueError("too small")
        if item > 0.1:
            return item * item
    return 1.0


def inside(x, y):
    s = x
    for _ in range(5):
        t = 0.0
        for v in [s, y, s * y]:
            if v < 0.0:
                continue
            t += v * v
            if t > 1.5:
                break
        else:
            t = 0.5 * t
        s = 0.9 * s + 0.1 * math.sin(t) * y
    return s


def by_place(x, y):
    s = x
    for _ in range(4):
        for i, v in enumerate((s, y)):
            if v > 0.4:
                s = s * 0.9 + 0.01 * i * v
                break
        for a, b in zip([s, y], [y, 1.0], strict=True):
            s = s + 0.01 * a * b
    return s


def called(helper):
    def f(x, y):
        s = x
        for _ in range(6):
            s = 0.9 * s + 0.01 * math.sin(helper([s, y])) * s + 0.01 * helper((y, s, s * y))
        return s

    return f


def of_first(x, y):
    s = x
    for _ in range(6):
        s = 0.9 * s + 0.1 * math.sin(first([s, y])) * s
    return s


def of_least(x, y):
    s = x
    for _ in range(6):
        s = 0.9 * s + 0.1 * least_of([s, y]) * least_of((y, s, s * y))
    return s


def of_count(x, y):
    s = x
    for _ in range(6):
        s = 0.9 * s + 0.1 * y * count_above([s, y, x, 1.0], 0.3)
    return s


def of_kept(x, y):
    log: list[float] = []
    s = x
    for _ in range(4):
        s = 0.9 * s + 0.1 * kept([s, y], log)
    return s * len(log) + sum(log)


def of_emptied(x, y):
    s = x
    for _ in range(4):
        items = [s, y]
        s = 0.9 * s + 0.1 * emptied(items) + len(items)
    return s


def of_grown(x, y):
    s = x
    for _ in range(4):
        s = 0.9 * s + 0.1 * grown([s, y])
    return s


def of_given_back(x, y):
    s = x
    for _ in range(4):
        items = given_back([s, y])
        items[0] = items[0] * 0.5
        s = 0.9 * s + 0.1 * sum(items)
    return s


def of_doubled(x, y):
    s = x
    for _ in range(4):
        items = [s, y]
        s = 0.2 * s + 0.1 * doubled(items) + items[0]
    return s


def of_raising(x, y):
    s = x
    for _ in range(4):
        s = 0.9 * s + 0.1 * raising([s, y])
    return s


def twice_used(x, y):
    s = x
    for _ in range(4):
        items = [s, y]
        s = 0.9 * s + 0.1 * first(items)
        items.append(s)
        s = s + 0.1 * first(items[1:]) + 0.01 * len(items)
    return s


def in_a_list(x, y):
    s, seen = x, []
    for _ in range(4):
        items = [s, y]
        seen.append(items)
        s = 0.9 * s + 0.1 * first(items)
    seen[0][0] = 3.0
    return s * seen[0][0] + seen[1][0]


PROGRAMS = [
    inside,
    by_place,
    of_first,
    of_least,
    of_count,
    of_kept,
    of_emptied,
    of_grown,
    of_given_back,
    of_doubled,
    of_raising,
    twice_used,
    in_a_list,
]
POINTS = [(0.31, 0.72), (-0.4, 0.72), (0.05, 0.08), (1.7, -0.3)]


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(program, point):
    slope = grad(program, argnums=(0, 1))
    for _ in range(3):
        d = slope(*point)
        h = 1e-6
        for i in range(2):
            ends = [program(*[v + sign * h * (i == j) for j, v in enumerate(point)]) for sign in (1, -1)]
            assert d[i] == pytest.approx((ends[0] - ends[1]) / (2 * h), abs=1e-6, rel=1e-5)


@pytest.mark.parametrize("program", [inside, of_first, of_least, of_raising])
def test_both_ways(program):
    check_gradient(program, 0.31, 0.72)


def test_whole_numbers():
    slope = grad(of_first, argnums=(0, 1))
    assert slope(1, 2) == slope(1.0, 2.0)


def test_errors():
    slope = grad(of_raising, argnums=(0, 1))
    for _ in range(4):
        slope(0.31, 0.72)
    with pytest.raises(ValueError, match="too small"):
        slope(-20.0, 0.5)


def test_no_inner_loop_is_left():
    text = code_adjoint(of_first, 0.31, 0.72)
    assert " first_rrule(" not in text and "for item in" not in text
