"""Lists of numbers into which something else is put: their cotangents may be missing, those of numbers are not.

A list of floats and what a store of None, or of an array, makes of it were taken for versions of one list. What came
for the second was read as if all its items were numbers, and ended in a `TypeError`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import check_everywhere, slope

from adjoint import grad
from adjoint.calculus import pushforward

PROGRAMS: list[Callable[..., Any]] = []


def program(f: Callable[..., Any]) -> Callable[..., Any]:
    PROGRAMS.append(f)
    return f


@program
def an_array_in_place_of_a_number(x):
    w = [x, x * x]
    w[1] = np.ones(2) * x
    return w[0] * w[1].sum()


@program
def an_array_in_a_loop(x):
    w = [x, x * x]
    for _ in range(2):
        w[1] = np.ones(2) * x * w[0]
    return w[0] * w[1].sum()


@program
def none_in_place_of_a_number(x):
    w = [x, x * x]
    for _ in range(2):
        w[1] = None
    return w[0] * x


@program
def in_a_branch(x):
    w = [x, x * x, 0.5 * x]
    if x > 0.3:
        w[1] = np.ones(2) * x
    return w[0] * x + w[2]


@program
def a_list_in_place_of_a_number(x):
    w = [x, x * x]
    w[0] = [x, w[1]]
    return w[0][0] * w[0][1] + w[1]


@program
def a_number_in_place_of_a_row(x):
    c = [[x, 0.3], [x, x * x]]
    s = c[0][0] * c[1][1]
    for _ in range(2):
        c[0] = None
    return s + c[1][1]


@program
def made_anew_of_both(x):
    w = [x, 0.3]
    for _ in range(2):
        w = [x, None]
        w[0] = x * x
    return w[0]


@program
def read_before_it_is_made_anew(x):
    w, s = [x, 0.3], x
    for _ in range(2):
        s += w[0]
        w = [None] * 2
        for j in range(2):
            w[j] = x * x
    return s + w[0]


@program
def stored_into_before_and_after(x):
    w = [x, 0.3, x * x]
    w[1] = w[0] * x
    s = w[1] * w[2]
    w[2] = None
    w[0] = s * w[1]
    return w[0] + w[1]


@program
def numbers_that_only_the_run_knows(x):
    e, w, s = [(x, 0.5), (0.2, x)], [x, 0.3], x
    for i in range(2):
        e[i] += (x,)
        e[i] = e[i][1:]
    for j in range(2):
        s += w[j]
        w[j] = e[j][0] * x
        w[0] = e[1][1] * w[1]
    return s + w[0] * w[1]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_right_in_all_ways(f: Callable[..., Any]) -> None:
    check_everywhere(f, 0.63)
    assert grad(grad(f))(0.63) == pytest.approx(slope(grad(f), 0.63), rel=1e-5, abs=1e-6)


def hands_on(items: list[Any]) -> None:
    pass


def test_a_number_beside_none_moves_forward() -> None:
    """The tangent of a number of Python's was copied as that of an array."""

    def f(n: float, a: Any) -> Any:
        items = [n, n, None, a[3]]
        hands_on(items)
        return items[1] - 3.0

    a = np.arange(4.0)
    assert pushforward(f, (0.3, a), (1.0, a)) == (0.3 - 3.0, 1.0)
