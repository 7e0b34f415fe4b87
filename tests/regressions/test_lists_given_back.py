"""Small functions that a recorded program calls often, and that give back a list that they are given."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from adjoint.recording.entry import recorded


def first(a, v):
    return a


def within(rows, v):
    return rows[0]


def by_a_reduction(x, y):
    s = 0.0
    for _ in range(30):
        acc = [x, s * 0.1]
        r = functools.reduce(lambda a, v: a, [y, y], acc)
        r[0] = r[0] * y
        s = 0.5 * s + acc[0] + acc[1] * 0.5
    return s


def by_a_call(x, y):
    s, functions = 0.0, {"f": first}
    for _ in range(30):
        acc = [x, s * 0.1]
        r = functions["f"](acc, y)
        r[0] = r[0] * y
        s = 0.5 * s + acc[0] + acc[1] * 0.5
    return s


def from_within(x, y):
    s, functions = 0.0, {"f": within}
    for _ in range(30):
        rows = [[x, s * 0.1], [y]]
        r = functions["f"](rows, y)
        r[0] = r[0] * y
        s = 0.5 * s + rows[0][0] + rows[0][1] * 0.5
    return s


@pytest.mark.parametrize("f", [by_a_reduction, by_a_call, from_within])
def test_lists_given_back(f: Any) -> None:
    h = 1e-6
    slopes = (f(0.6 + h, 0.7) - f(0.6 - h, 0.7)) / (2 * h), (f(0.6, 0.7 + h) - f(0.6, 0.7 - h)) / (2 * h)
    for _ in range(4):
        y, back, _ = recorded(f, 0.6, 0.7)
        assert y == f(0.6, 0.7)
        assert back(1.0)[1:] == pytest.approx(slopes, rel=1e-6)
