"""`sorted(xs, key=...)` of lists of tuples, of lists and of numbers, read at known places and in loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.inspect import code_adjoint

from .differences import check

PAIRS = [(3, 0.7), (1, 1.9), (2, 0.2), (5, 1.1)]


def first(ps: Any, x: Any) -> Any:
    return sorted(ps, key=lambda t: t[1])[0][1] * x


def last_reversed(ps: Any, x: Any) -> Any:
    return sorted(ps, key=lambda t: t[1], reverse=True)[-1][1] ** 2 * x


def weighted(ps: Any, x: Any) -> Any:
    total = 0.0
    for k, (n, v) in enumerate(sorted(ps, key=lambda t: -t[1])):
        total += (k + 1) * v * v * x + n
    return total


def numbers(ps: Any, x: Any) -> Any:
    a = sorted([v for _, v in ps], key=lambda v: (v - x) ** 2)
    return a[0] * a[1] + a[-1]


def given_none(ps: Any, x: Any) -> Any:
    return sorted([v * x for _, v in ps], key=None)[1]


def ties(ps: Any, x: Any) -> Any:
    a = sorted(ps, key=lambda t: 0)
    return a[0][1] * x + a[1][1]


def stored_into(ps: Any, x: Any) -> Any:
    rows = sorted([[v, n] for n, v in ps], key=lambda r: r[0])
    rows[0][0] = x * x
    return rows[0][0] * rows[1][0]


def grown(ps: Any, x: Any) -> Any:
    a = sorted([v for _, v in ps], key=lambda v: -v)
    a.append(x * a[0])
    return a[-1] * a[1]


@pytest.mark.parametrize("f", [first, last_reversed, weighted, numbers, given_none, ties, stored_into, grown])
def test_sorted_by_a_key(f: Any) -> None:
    check(f, PAIRS, 1.25, order=2 if f in (first, numbers) else 1)


def test_reading_calls_no_rule() -> None:
    assert "getitem_back" not in code_adjoint(first, PAIRS, 1.25)


def test_errors_are_pythons() -> None:
    with pytest.raises(IndexError, match="list index out of range"):
        gradient(first, [], 1.3)
    with pytest.raises(TypeError):
        gradient(lambda x: sorted([x, "a"], key=lambda t: t)[0], 1.3)


def test_zeros_of_what_nothing_flows_to() -> None:
    given = [(1, 2.0), (True, 2.0), (1, np.float64(2.0)), [1.0, 2], [], (), ["a", 1.0], (1, (2.0, 3))]
    zeros, bar = gradient(lambda xs, x: x * x, given, 3.0)
    assert zeros == [(0.0, 0.0), (None, 0.0), (0.0, 0.0), [0.0, 0.0], [], (), [None, 0.0], (0.0, (0.0, 0.0))]
    assert type(zeros[2][1]) is np.float64
    assert bar == 6.0
    same, _ = gradient(lambda xs, x: x * x, [[1.0, 2.0]] * 2, 3.0)
    assert same[0] is not same[1]
