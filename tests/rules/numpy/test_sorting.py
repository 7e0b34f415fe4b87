"""What is special about rules of what orders entries or ranks them; see `rules.samples.numpy_sorting`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule

from adjoint.errors import NoRuleError

TWICE = np.array([2.5, 1.5, 2.5])


def test_of_equal_entries_the_first_is_taken() -> None:
    _, back, _ = run_rule(np.unique, TWICE)
    assert back(np.array([1.0, 2.0]))[0].tolist() == [2.0, 1.0, 0.0]
    for f in (np.unique_values, np.unique_counts, np.unique_all, np.unique_inverse):
        y, back, _ = run_rule(f, TWICE)
        d = np.where((y if f is np.unique_values else y.values) == 2.5, 2.0, 1.0)
        bars = back(d if f is np.unique_values else (d, *[None] * (len(y) - 1)))
        assert bars[0].tolist() == [2.0, 1.0, 0.0]


def test_different_rows() -> None:
    y, back, _ = run_rule(np.unique, np.array([[1.0, 2.0], [0.5, 3.0], [1.0, 2.0]]), axis=0, return_counts=True)
    assert back((np.ones((2, 2)), None))[0].tolist() == [[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]


@pytest.mark.parametrize("f", [np.quantile, np.nanquantile])
def test_quantiles_at_the_ends(f: Any) -> None:
    x = np.array([4.0, 1.0, 2.0])
    for q, expected in ((0.0, [0.0, 1.0, 0.0]), (1.0, [1.0, 0.0, 0.0])):
        _, back, _ = run_rule(f, x, q)
        x_bar, q_bar = back(1.0)
        assert x_bar.tolist() == expected and q_bar == (2.0 if q == 0.0 else 4.0)


def test_quantiles_that_do_not_follow_q() -> None:
    for method in ("lower", "inverted_cdf", "nearest", "midpoint"):
        assert not run_rule(np.quantile, np.array([4.0, 1.0, 2.0]), 0.3, method=method)[1](1.0)[1]
    assert not run_rule(np.quantile, np.array([4.0, 1.0, 2.0]), 0.01, method="weibull")[1](1.0)[1]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.longdouble])
@pytest.mark.parametrize("f", [np.sort, np.median, np.quantile, np.nanpercentile, np.unique])
def test_precisions_that_are_kept(f: Any, dtype: Any) -> None:
    y, back, _ = run_rule(
        f, np.array([1.5, 0.25, 2.0, 0.5], dtype), *((0.4,) if f in (np.quantile, np.nanpercentile) else ())
    )
    assert back(y)[0].dtype == dtype


def test_what_stores_into_its_argument_is_refused() -> None:
    with pytest.raises(NoRuleError):
        run_rule(np.quantile, TWICE, 0.5, overwrite_input=True)
