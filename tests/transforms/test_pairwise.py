"""`itertools.pairwise` of lists that stay, and of others; the largest by a key."""

from __future__ import annotations

import itertools
import math
from collections import namedtuple
from typing import Any

import pytest
from ways import check_everywhere

from adjoint import grad
from adjoint.derivatives.choice import is_structured_call
from adjoint.inspect import code_adjoint

Point = namedtuple("Point", "x y")


def length(x: float) -> float:
    points = [Point(x * i, x**i) for i in range(5)]
    total = 0.0
    for a, b in itertools.pairwise(points):
        total += math.hypot(b.x - a.x, b.y - a.y)
    return total * max(points, key=lambda p: p.y).x


def steps(x: float) -> float:
    total = 0.0
    for a, b in itertools.pairwise([x, x * x, 2.0, 3 * x]):
        total += (b - a) ** 2
    return total


def of_one(x: float) -> float:
    total = x
    for a, b in itertools.pairwise([x]):
        total += a * b
    return total


def left_early(x: float) -> float:
    total = 0.0
    for a, b in itertools.pairwise((x, x * x, x**3, x)):
        if a > b:
            break
        total += a * b
    return total


def stored_meanwhile(x: float) -> float:
    """The next pair sees what a round stores."""
    values, total = [x, x * x, 3 * x], 0.0
    for i, (a, b) in enumerate(itertools.pairwise(values)):
        values[i + 1] = a * b
        total += a * b
    return total + values[2]


def grown_meanwhile(x: float) -> float:
    values, total = [x, x * x], 0.0
    for a, b in itertools.pairwise(values):
        if len(values) < 5:
            values.append(a * b)
        total += a + 2 * b
    return total


def smallest(x: float) -> float:
    return min([3 * x, -x, x * x], key=lambda v: abs(v - 1.0)) ** 2


PROGRAMS = [length, steps, of_one, left_early, stored_meanwhile, grown_meanwhile, smallest]


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("x", [0.7, 1.6])
def test_programs(f: Any, x: float) -> None:
    check_everywhere(f, x)
    h = 1e-5
    assert grad(grad(f))(x) == pytest.approx((grad(f)(x + h) - grad(f)(x - h)) / (2 * h), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("f", [steps])
def test_pairs_are_known_before_they_run(f: Any) -> None:
    assert is_structured_call(f, (0.7,)) and "observe" not in str(code_adjoint(f, 0.7))
