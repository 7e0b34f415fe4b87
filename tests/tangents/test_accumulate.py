"""Sums of cotangents: structural, neutral for None, and never in place."""

from collections import namedtuple
from typing import Any

import numpy as np
import pytest

from adjoint.tangents import (
    Tangent,
    accumulate,
    add_at,
    append_back,
    apply_back,
    buffer_like,
    sequence_bar,
    set_attribute_back,
    set_item_back,
)

Pair = namedtuple("Pair", "a b")


class Record:
    """Something with fields."""


SUMS: list[tuple[Any, Any, Any]] = [
    (None, None, None),
    (None, 2.0, 2.0),
    (2.0, None, 2.0),
    (1.0, 2.0, 3.0),
    ((1.0, None), (2.0, 3.0), (3.0, 3.0)),
    (Pair(1.0, None), Pair(None, 2.0), Pair(1.0, 2.0)),
    ([1.0, None], [2.0, None], [3.0, None]),
    ([1.0], [2.0, 3.0], [3.0, 3.0]),
    ({"a": 1.0}, {"a": 2.0, "b": 3.0}, {"a": 3.0, "b": 3.0}),
    (Tangent(Record, {"x": 1.0}), Tangent(Record, {"x": 2.0, "y": 3.0}), Tangent(Record, {"x": 3.0, "y": 3.0})),
    ((([1.0],),), (([2.0],),), (([3.0],),)),
]


@pytest.mark.parametrize(("a", "b", "total"), SUMS)
def test_sums(a: Any, b: Any, total: Any) -> None:
    before = repr((a, b))
    assert accumulate(a, b) == total and type(accumulate(a, b)) is type(total)
    assert accumulate(b, a) == total
    assert repr((a, b)) == before


def test_arrays_are_not_added_into() -> None:
    a, b = np.ones(2), np.ones(2)
    assert accumulate(a, b).tolist() == [2.0, 2.0]
    assert a.tolist() == b.tolist() == [1.0, 1.0]
    assert accumulate(a, 1.0).tolist() == [2.0, 2.0]


def test_buffers() -> None:
    assert buffer_like([1.0, 2.0]) == [None, None]
    assert buffer_like(np.ones(2, np.float32)).dtype == np.float32
    assert buffer_like(np.ones(2, int)).dtype == np.float64


@pytest.mark.parametrize("index", [1, -1, slice(1), ..., np.array([True, False]), (0,), [0, 0], np.array([1, 1, 0])])
def test_adding_at_an_index_counts_repetitions(index: Any) -> None:
    x = np.zeros(2)
    d = np.ones_like(x[index])
    expected = np.zeros(2)
    np.add.at(expected, index, d)
    assert add_at(x, index, d).tolist() == expected.tolist()


def test_adding_into_lists() -> None:
    assert add_at([None, 1.0], 1, 2.0) == [None, 3.0]
    assert add_at([None, 1.0, None], slice(0, 3, 2), [1.0, 2.0]) == [1.0, 1.0, 2.0]
    assert add_at([1.0], 0, None) == [1.0]


def test_nothing_for_nothing() -> None:
    assert apply_back(lambda d: (d, d), None, 2) == (None, None)
    assert apply_back(lambda d: (d, d), 1.0, 2) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("sequence", "expected"),
    [([0, 0, 0], [1.0, 2.0, None]), ((0, 0), (1.0, 2.0)), (Pair(0, 0), Pair(1.0, 2.0)), ({"a": 0, "b": 0}, None)],
)
def test_what_a_loop_ran_through(sequence: Any, expected: Any) -> None:
    assert sequence_bar(sequence, [2.0, 1.0]) == expected
    assert sequence_bar(np.zeros(3), [2.0, 1.0]).tolist() == [1.0, 2.0, 0.0]


def test_stores_backwards() -> None:
    given = [1.0, 2.0]
    assert append_back(given) == ([1.0], 2.0) and given == [1.0, 2.0]
    assert set_item_back(given, 0, 0.0) == ([0.0, 2.0], 1.0) and given == [1.0, 2.0]
    assert set_item_back([None, 2.0], 0, [0.0]) == ([None, 2.0], None)
    assert set_item_back({"a": 1.0}, "a", 0.0) == ({}, 1.0)
    array = np.array([1.0, 2.0])
    rest, item = set_item_back(array, 0, 0.0)
    assert rest.tolist() == [0.0, 2.0] and item == 1.0 and array.tolist() == [1.0, 2.0]
    rest, field = set_attribute_back(Tangent(Record, {"x": 1.0, "y": 2.0}), "x")
    assert field == 1.0 and rest == Tangent(Record, {"y": 2.0})
    assert append_back(None) == set_item_back(None, 0, 0.0) == set_attribute_back(None, "x") == (None, None)
