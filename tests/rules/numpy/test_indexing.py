"""Rules of reading parts of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from rules.checker import run_rule
from rules.numpy.table import rng

from adjoint import gradient

A = rng(3, 4)


def test_rows_without_cotangent() -> None:
    _, back, _ = run_rule(np.ndarray.tolist, A)
    assert back([None, [1.0, None, 2.0, 3.0], None])[0].tolist() == [[0.0] * 4, [1.0, 0.0, 2.0, 3.0], [0.0] * 4]


def test_conditions_made_indices_carry_nothing() -> None:
    y, back, _ = run_rule(np.ix_, [True, False, True], np.array([0.5, 1.5]))
    first, second = back(y)
    assert first is None and second.tolist() == [0.5, 1.5]


def test_indices_outside_an_array() -> None:
    _, back, _ = run_rule(np.take, np.ones(3), [5, -7], mode="clip")
    assert back(np.array([1.0, 2.0]))[0].tolist() == [2.0, 0.0, 1.0]
    _, back, _ = run_rule(np.choose, np.array([3, -1]), [np.ones(2), np.ones(2)], mode="wrap")
    assert [bar.tolist() for bar in back(np.array([1.0, 2.0]))[1]] == [[0.0, 0.0], [1.0, 2.0]]


def test_grids_of_constants() -> None:
    def stored(x: float) -> Any:
        kept = {"x": x}
        return (np.mgrid[0:1:0.25] * kept["x"]).sum()

    for f in (lambda x: (np.mgrid[0:1:0.25] * x).sum(), stored):
        assert gradient(f, 2.0) == (1.5,)
