"""Rules of what reverse code is made of, and of what the rules of iterables are made of."""

from __future__ import annotations

import copy
import warnings
from collections import namedtuple
from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule

from adjoint import tangents
from adjoint.rules import registry
from adjoint.rules.python import cotangents, iteration, withdrawals
from adjoint.tangents import Tangent
from adjoint.testing import check_rule

Point = namedtuple("Point", "x y")
A = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
F32 = np.float32


def test_accumulate() -> None:
    check_rule(tangents.accumulate, 1.5, 2.5)
    check_rule(tangents.accumulate, A, A[:1] + A)
    check_rule(tangents.accumulate, [1.5, None], [2.5, None])
    check_rule(tangents.accumulate, (1.5, Point(0.5, A)), (2.5, Point(1.5, A)))
    check_rule(tangents.accumulate, {"a": 1.5}, {"a": 2.5})
    for args, expected in [((None, 1.5), (None, 2.0)), ((1.5, None), (2.0, None)), ((None, None), (None, None))]:
        assert run_rule(tangents.accumulate, *args)[1](2.0) == expected


@pytest.mark.parametrize(
    ("d", "like"),
    [
        (A, np.zeros(3)),
        (A, np.zeros((2, 1))),
        (A, 0.0),
        (A, np.zeros((2, 3))),
        (A, F32(0.0)),
        (A.astype(F32), np.zeros(3, F32)),
        (np.float64(1.5), np.zeros((2, 3))),
        (1.5, 2.5),
        (A + 1j, np.zeros(3)),
        (A[0], np.zeros((2, 3))),
        (A, np.array(0.0)),
    ],
)
def test_unbroadcast(d: Any, like: Any) -> None:
    check_rule(tangents.unbroadcast, d, like, constant=(1,))
    y, _, _ = run_rule(tangents.unbroadcast, d, like)
    check_rule(cotangents.rebroadcast, y, d, constant=(1,))


@pytest.mark.parametrize(
    ("y_bar", "p"),
    [(1.5, 2.5), (A, A + 1), (A, 2.0), (1.5, A), (1.5 + 1j, 2.5 - 1j), (A + 1j, A - 2j), (A.astype(F32), F32(2.0))],
)
def test_apply_partial(y_bar: Any, p: Any) -> None:
    check_rule(tangents.apply_partial, y_bar, p)
    check_rule(tangents.apply_partial, y_bar, p, True)


def owned(f: Any, *args: Any, constant: tuple[int, ...]) -> None:
    """Check the rule of a function that changes its first argument, on copies."""

    def copied(*args: Any) -> Any:
        return f(*copy.deepcopy(args))

    @registry.rule(copied)
    def copied_rule(*args):
        return run_rule(f, *copy.deepcopy(args))[:2]

    check_rule(copied, *args, constant=constant)
    registry.opt_out(copied)


def test_quietly() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y, back, _ = run_rule(tangents.quietly, np.divide, np.array([1.0]), np.array([0.0]))
        assert y.tolist() == [np.inf] and back(np.array([0.0]))[0] is None


def test_add_at() -> None:
    owned(tangents.add_at, A, 1, A[0], constant=(1,))
    owned(tangents.add_at, A, (1, 2), 1.5, constant=(1,))
    owned(tangents.add_at, A[0], [0, 0, 1], A[0], constant=(1,))
    owned(tangents.add_at, [1.5, 2.5], 1, 3.5, constant=(1,))
    owned(tangents.add_at, [1.5, 2.5, 3.5], slice(1, 3), [3.5, 4.5], constant=(1,))
    assert run_rule(tangents.add_at, [1.5], 0, None)[1]([1.0]) == ([1.0], None, None)


def test_records() -> None:
    names = ("a", "b")
    y, back, _ = run_rule(tangents.tangent, Point(1, 2), names, 1.5, None)
    assert y == Tangent(Point, {"a": 1.5, "b": None})
    assert back(Tangent(Point, {"a": 2.0, "b": None})) == (None, None, 2.0, None)
    for make in (Tangent, tangents.new_tangent):
        y, back, _ = run_rule(make, Point, {"a": 1.5})
        assert y == Tangent(Point, {"a": 1.5}) and back(Tangent(Point, {"a": 2.0})) == (None, {"a": 2.0})
    y, back, _ = run_rule(tangents.tangents, [Point(1, 2), Point(3, 4)], names, [1.5, None], [2.5, None])
    assert y == [Tangent(Point, {"a": 1.5, "b": 2.5}), None]
    assert back([Tangent(Point, {"a": 2.0, "b": None}), None]) == (None, None, [2.0, None], [None, None])
    g = Tangent(Point, {"a": 1.5, "b": 2.5})
    a_bar = Tangent(Point, {"a": 3.0})
    assert run_rule(tangents.field_bar, g, "a")[1](3.0) == (a_bar, None)
    assert run_rule(Tangent.__getitem__, g, "a")[1](3.0) == (a_bar, None)
    assert run_rule(Tangent.__add__, g, g)[1](a_bar) == (a_bar, a_bar)
    assert run_rule(cotangents.fields_of, g)[1]({"a": 3.0}) == (a_bar,)
    assert run_rule(tangents.field_bar, Point(1.5, 2.5), "y")[1](3.0) == (Point(None, 3.0), None)
    assert run_rule(tangents.field_bar, None, "y")[1](3.0) == (None, None)
    (rest, value), back, _ = run_rule(tangents.set_attribute_back, g, "a")
    assert value == 1.5 and rest == Tangent(Point, {"b": 2.5})
    assert back((Tangent(Point, {"b": 3.0}), 4.0)) == (Tangent(Point, {"b": 3.0, "a": 4.0}), None)


def test_items() -> None:
    check_rule(tangents.item_bar, [1.5, 2.5], -1, constant=(1,))
    check_rule(tangents.item_bar, (1.5, A), 1, constant=(1,))
    check_rule(tangents.item_bar, {"a": 1.5}, "a")
    check_rule(tangents.item_bar, A, 1, constant=(1,))
    assert run_rule(tangents.item_bar, None, 0)[1](1.0) == (None, None)
    check_rule(tangents.sequence_bar, [0.0] * 4, [1.5, 2.5], constant=(0,))
    check_rule(tangents.sequence_bar, (0.0,) * 2, [1.5, 2.5], constant=(0,))
    check_rule(tangents.sequence_bar, np.zeros(3), [1.5, 2.5], constant=(0,))
    check_rule(tangents.reversed_bars, [1.5, 2.5], [0.0, 0.0], constant=(1,))
    assert run_rule(tangents.reversed_bars, None, [0.0])[1]([1.0]) == (None, None)


def test_stores() -> None:
    y, back, _ = run_rule(tangents.append_back, [1.5, 2.5])
    assert y == ([1.5], 2.5) and back(([1.0], 2.0)) == ([1.0, 2.0],)
    assert run_rule(tangents.append_back, [1.5, 2.5])[1]((None, 3.0)) == ([None, 3.0],)
    for index in (1, -1, slice(0, 2), [0, 2]):
        owned(tangents.set_item_back, A[0], index, np.zeros(3)[index], constant=(1, 2))
    owned(tangents.set_item_back, A, (0, 1), 0.0, constant=(1, 2))
    owned(tangents.set_item_back, [1.5, 2.5], 1, 0.0, constant=(1, 2))
    owned(tangents.set_item_back, {"a": 1.5, "b": 2.5}, "a", 0.0, constant=(1, 2))
    assert run_rule(tangents.set_item_back, A[0], 1, 0.0)[1]((None, 2.0))[0].tolist() == [0.0, 2.0, 0.0]
    check_rule(withdrawals.with_item, A, 1, 2.5, constant=(1,))


def test_nothing() -> None:
    assert run_rule(tangents.instantiate_zeros, None)[1](1.0) == (None,)
    assert run_rule(tangents.instantiate_zeros, 1.5)[1](2.0) == (2.0,)
    assert run_rule(tangents.apply_back, None, None, 2)[0] == (None, None)
    y, back, _ = run_rule(tangents.apply_back, lambda d: d**2, 1.5, 1)
    assert y == 2.25 and back(1.0)[1] == pytest.approx(3.0)
    check_rule(tangents.densify, [1.5, 2.5], [0.0, 0.0], constant=(1,))


def test_selections() -> None:
    xs = [1.5, 2.5, 3.5]
    picks = [0, (2, 0), [1, 1]]
    check_rule(iteration.collect, picks, xs, constant=(0,))
    check_rule(iteration.scatter, 3, picks, [1.5, (2.5, 3.5), [4.5, 5.5]], constant=(0, 1))
    for like in (xs, tuple(xs), np.array(xs), Point(1.5, 2.5), {1.5, 2.5}):
        source = iteration.source_of(like)
        bars = xs[: len(like)]
        y, back, _ = run_rule(iteration.spread, source, bars)
        assert back(y) == (None, bars)
        check_rule(iteration.gather, source, y, len(like), constant=(0, 2))
    assert run_rule(iteration.spread, iteration.source_of("abc"), [None])[1](None) == (None, [None])
