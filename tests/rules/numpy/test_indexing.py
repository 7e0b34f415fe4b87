"""Rules of reading parts of arrays."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import call, check, rng

A = rng(3, 4)
T = rng(3, 4, 5)
F = A.astype(np.float32)
I = np.array([0, 2, 2, 1])  # noqa: E741
INDICES: list[tuple[Any, Any]] = [
    (A, 0),
    (A, -1),
    (A, np.int64(1)),
    (A, (1, 2)),
    (A, slice(None, None, -2)),
    (A, (slice(1, 3), -1)),
    (A, (..., 1)),
    (A, None),
    (A, (slice(None), None, 2)),
    (A, ...),
    (A, A > 0),
    (A, A[:, 0] > -10),
    (A, (A[:, 0] > 0, 1)),
    (A, I),
    (A, [0, 0, 1]),
    (A, (I[:3], I[:3])),
    (A, (I[:, None], np.array([0, 0, 3]))),
    (A, np.array([[0, 1], [1, 1]])),
    (A, (slice(None), I)),
    (T, (I, slice(1, 3), I)),
    (T, (0, slice(None), I)),
    (T, (I, ..., None, 1)),
    (T, np.ix_([0, 2], [1, 1, 3])),
    (T, np.nonzero(T > 0)),
    (A, np.array(1)),
    (A, ()),
    (A, slice(0, 0)),
    (F, (1, slice(None))),
    (F, I),
    (A.T, (I, 1)),
    (np.array(2.5), ()),
    (np.array(2.5), None),
    (np.array([1, 2, 3]), I),
    (rng(3, 4, dtype=np.complex128), (slice(None), I)),
]


@pytest.mark.parametrize(("x", "index"), INDICES)
def test_getitem(x: Any, index: Any) -> None:
    check(operator.getitem, (x, index), {}, constant=(1,))


@pytest.mark.parametrize("index", [(), None, ...])
def test_getitem_of_numbers(index: Any) -> None:
    check(operator.getitem, (np.float64(2.5), index), {}, constant=(1,))


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        call(np.take, A, I),
        call(np.take, A, 5),
        call(np.take, A, I, axis=0),
        call(np.take, A, [[0, 3], [3, 3]], axis=-1),
        call(np.take, A, 2, axis=1),
        call(np.take, A, np.array([5, -7]), mode="wrap", axis=0),
        call(np.take, A, np.array([5, -7]), mode="clip", axis=0),
        call(np.take, [1.5, 2.5], I[:1]),
        call(np.ndarray.take, F, I, axis=0),
        call(np.take_along_axis, A, np.argsort(A, axis=1), axis=1),
        call(np.take_along_axis, A, np.array([[0, 2, 2, 1]]), axis=0),
        call(np.take_along_axis, A, np.array([[0], [2], [-1]]), 1),
        call(np.take_along_axis, A, np.array([3, 3]), axis=None),
        call(np.delete, A, 1),
        call(np.delete, A, [0, 2], axis=0),
        call(np.delete, A, slice(1, 3), axis=-1),
        call(np.compress, [True, False, True], A, axis=0),
        call(np.compress, [True, False, True], A),
        call(np.ndarray.compress, A, [True, False, True], axis=0),
        call(np.extract, A > 0, A),
        call(np.choose, I, [rng(4), rng(4, seed=1), 2.5]),
        call(np.select, [A > 0.5, A > -0.5], [A, 2 * A]),
        call(np.select, [A > 0.5, A > -0.5], (A, 2.5), 0.25),
        call(np.ndarray.item, np.array([2.5])),
        call(np.ndarray.item, A, 5),
        call(np.ndarray.item, A, 1, 2),
        call(np.ndarray.item, A, (1, 2)),
        call(np.ndarray.item, np.array(2.5)),
        call(np.generic.item, np.float64(2.5)),
        call(np.ndarray.tolist, A),
        call(np.ndarray.tolist, np.array(2.5)),
        call(np.generic.tolist, np.float64(2.5)),
        call(np.bincount, I, rng(4)),
        call(np.bincount, I, [0.5, 1.5, 2.5, 3.5], 6),
    ],
)
def test_reading(f: Any, args: Any, kwargs: Any) -> None:
    check(f, args, kwargs)


def test_rows_without_cotangent() -> None:
    _, back, _ = run_rule(np.ndarray.tolist, A)
    assert back([None, [1.0, None, 2.0, 3.0], None])[0].tolist() == [[0.0] * 4, [1.0, 0.0, 2.0, 3.0], [0.0] * 4]
