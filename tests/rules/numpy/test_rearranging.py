"""Rules of the functions that flip, shift, repeat, pad or cut out entries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view
from rules.checker import run_rule
from rules.numpy.table import rng

from adjoint import gradient
from adjoint.errors import NoRuleError
from adjoint.testing import check_gradient

A = rng(3, 4)
V = rng(5)


def test_a_margin_made_by_a_function_is_refused() -> None:
    def fill(row: Any, widths: Any, axis: int, kwargs: Any) -> None:
        row[: widths[0]] = row[widths[0]]

    with pytest.raises(NoRuleError, match="function"):
        run_rule(np.pad, A, 1, fill)


def test_margins_of_equal_entries_share_their_cotangent() -> None:
    (bar,) = gradient(lambda x: np.pad(x, (1, 0), "maximum")[0], np.array([2.0, 1.0, 2.0]))
    assert bar.tolist() == [0.5, 0.0, 0.5]


def test_margins_of_integers() -> None:
    _, back, _ = run_rule(np.pad, np.array([1, 2]), 1, "mean")
    assert back(np.ones(4))[0].tolist() == [1.0, 1.0]
    _, back, _ = run_rule(np.pad, np.array([1, 2]), 1, constant_values=0.5)
    assert back(np.ones(4))[0].tolist() == [1.0, 1.0] and len(back(np.ones(4))) == 2


def test_what_is_cut_off_by_the_dtype_carries_nothing() -> None:
    _, back, _ = run_rule(np.insert, np.array([1, 2]), 1, 2.5)
    assert back(np.ones(3))[2] is None and back(np.ones(3))[0].tolist() == [1.0, 1.0]


def test_memory_that_is_not_of_the_array() -> None:
    x = np.zeros(6)[1:3]
    with pytest.raises(NoRuleError, match="as_strided"):
        run_rule(as_strided, x, (3,), (8,))
    y, back, _ = run_rule(as_strided, np.broadcast_to(np.array(1.5), (3,)), (2,), (0,))
    assert back(np.ones(2))[0].sum() == 2.0


def windows_of_what_was_stored(x: Any) -> Any:
    y = np.zeros(4)
    y[:] = x
    y[1] *= 2.0
    windows = sliding_window_view(y, 2)
    a, b = np.meshgrid(y, y, copy=False)
    return (windows[:, 0] * windows[:, 1]).sum() + (a * b).sum() + (np.ix_(y)[0] ** 2).sum() + np.trim_zeros(y).sum()


def test_views_of_what_was_stored() -> None:
    check_gradient(windows_of_what_was_stored, V[:4])
