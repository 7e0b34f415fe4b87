"""What is special about rules of running sums and of sampled functions; see `rules.samples.numpy_scans`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.sampling import normal

V = normal(5)


@pytest.mark.parametrize("f", [np.cumsum, np.cumprod, np.diff, np.gradient, np.trapezoid, np.ediff1d, np.nancumsum])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.longdouble, np.complex64])
def test_precisions_that_are_kept(f: Any, dtype: Any) -> None:
    y, back, _ = run_rule(f, V.astype(dtype))
    assert back(np.ones_like(y))[0].dtype == dtype


@pytest.mark.parametrize("f", [np.maximum.accumulate, np.minimum.accumulate, np.fmax.accumulate])
def test_of_equal_entries_the_last_is_taken(f: Any) -> None:
    _, back, _ = run_rule(f, np.ones(3))
    assert back(np.array([1.0, 2.0, 4.0]))[0].tolist() == [1.0, 2.0, 4.0]


def test_running_extrema_with_nan() -> None:
    x = np.array([np.nan, 1.0, np.nan, 0.5, 2.0])
    _, back, _ = run_rule(np.fmax.accumulate, x)
    assert back(np.array([1.0, 2.0, 4.0, 8.0, 16.0]))[0].tolist() == [1.0, 14.0, 0.0, 0.0, 16.0]
    _, back, _ = run_rule(np.maximum.accumulate, x[1:])
    assert back(np.array([1.0, 2.0, 4.0, 8.0]))[0].tolist() == [1.0, 14.0, 0.0, 0.0]


def test_interpolation_at_the_ends() -> None:
    grid = np.array([0.0, 1.0, 2.0])
    _, back, _ = run_rule(np.interp, np.array([-1.0, 0.0, 2.0, 3.0]), grid, grid**2, -5.0, 5.0)
    x_bar, _, f_bar, left_bar, right_bar = back(np.ones(4))
    assert x_bar.tolist() == [0.0, 1.0, 3.0, 0.0] and f_bar.tolist() == [1.0, 0.0, 1.0]
    assert left_bar == right_bar == 1.0


def test_slopes_of_long_arrays_take_no_square_of_their_length() -> None:
    x = np.linspace(0.0, 1.0, 100_000)
    _, back, _ = run_rule(np.gradient, x * x, x)
    assert back(np.ones_like(x))[0].shape == x.shape
