"""What is special about rules of reductions; see `rules.samples.numpy_reductions`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.sampling import normal

from adjoint import gradient, pullback
from adjoint.calculus import pushforward
from adjoint.errors import MutationError, NoRuleError

M = normal(3, 4)
NAN = np.array([[1.5, np.nan, 2.0], [np.nan, np.nan, np.nan]])


@pytest.mark.parametrize("f", [np.sum, np.mean, np.max, np.prod, np.var, np.median, np.nansum])
def test_integers_are_differentiated(f: Any) -> None:
    x = np.array([1, 2, 5])
    y, back, _ = run_rule(f, x)
    (bar,) = back(1.0)[:1]
    _, plain, _ = run_rule(f, x.astype(float))
    assert bar.dtype == np.float64 and np.allclose(bar, plain(1.0)[0])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.longdouble, np.complex64])
@pytest.mark.parametrize("f", [np.sum, np.mean, np.prod, np.var, np.std, np.max, np.nansum, np.nanstd, np.median])
def test_precisions_that_are_kept(f: Any, dtype: Any) -> None:
    x = np.array([1.5, 0.25, 2.0, 0.5], dtype)
    y, back, _ = run_rule(f, x, axis=0)
    assert back(y)[0].dtype == dtype


@pytest.mark.parametrize("f", [np.sum, np.mean, np.prod, np.cumsum, np.add.reduce, np.maximum.reduce, np.nansum])
def test_nothing_flows_through_integers(f: Any) -> None:
    _, back, _ = run_rule(f, np.array([1.5, 2.5]), dtype=int)
    assert back(np.ones(2) if f is np.cumsum else 1.0)[0] is None


@pytest.mark.parametrize("f", [np.nansum, np.nanmean, np.nanprod, np.nanmax, np.nanmin, np.nanvar, np.nanmedian])
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_rows_without_numbers(f: Any) -> None:
    _, back, _ = run_rule(f, NAN, axis=1)
    bar = back(np.ones(2))[0]
    assert np.isfinite(bar).all() and not bar[np.isnan(NAN)].any()


def test_a_mask_that_is_broadcast() -> None:
    _, back, _ = run_rule(np.mean, M, axis=0, where=np.array([[True], [False], [True]]))
    assert back(np.ones(4))[0].tolist() == [[0.5] * 4, [0.0] * 4, [0.5] * 4]


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_no_degree_of_freedom() -> None:
    y, back, _ = run_rule(np.var, np.array([2.0]), ddof=1)
    assert np.isnan(y) and np.isnan(back(1.0)[0]).all()


def test_ties_share_equally() -> None:
    x = np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])
    _, back, _ = run_rule(np.max, x)
    assert back(1.0)[0].tolist() == [[0.0, 0.5, 0.5], [0.0, 0.0, 0.0]]
    _, back, _ = run_rule(np.max, x, axis=1)
    assert back(np.array([1.0, 3.0]))[0].tolist() == [[0.0, 0.5, 0.5], [1.0, 1.0, 1.0]]
    _, back, _ = run_rule(np.min, x, axis=0)
    assert back(np.ones(3))[0].tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]]


def test_std_of_equal_entries() -> None:
    _, back, _ = run_rule(np.std, np.ones(3))
    assert back(1.0)[0].tolist() == [0.0, 0.0, 0.0]


def test_cotangents_can_be_written_to() -> None:
    _, back, _ = run_rule(np.sum, M, axis=0)
    assert back(np.ones(4))[0].flags.writeable


@pytest.mark.parametrize("f", [np.maximum.reduce, np.fmax.reduce, np.nanmax])
def test_the_start_is_one_more_entry(f: Any) -> None:
    _, back, _ = run_rule(f, np.array([1.0, 3.0]), axis=0, initial=3.0)
    bars = back(1.0)
    assert bars[0].tolist() == [0.0, 0.5] and 0.5 in bars[1:]


def test_results_in_arrays_of_the_caller() -> None:
    with pytest.raises(MutationError):
        run_rule(np.sum, M, axis=0, out=np.zeros(4))

    def f(x: Any) -> Any:
        y = np.ones(4)
        np.nanvar(x, axis=0, out=y)
        return (y * y).sum()

    assert np.allclose(gradient(f, M)[0], gradient(lambda x: (x.var(axis=0) ** 2).sum(), M)[0])


@pytest.mark.parametrize("f", [np.median, np.max, lambda x: np.quantile(x, 0.3), lambda x: np.percentile(x, [20, 50])])
def test_what_is_nan_moves_by_nan_in_both_modes(f: Any) -> None:
    x = np.array([1.0, np.nan, 3.0])
    y, y_dot = pushforward(f, (x,), (np.ones(3),))
    assert np.all(np.isnan(y_dot))
    np.testing.assert_array_equal(pullback(f, x)[1](np.ones_like(y))[1], [0.0, np.nan, 0.0])


@pytest.mark.parametrize("f", [np.median, np.nanmedian])
def test_what_stores_into_its_argument_is_refused(f: Any) -> None:
    with pytest.raises(NoRuleError):
        run_rule(f, M, overwrite_input=True)


@pytest.mark.parametrize("f", [np.power, np.arctan2])
def test_what_numpy_computes_otherwise_on_other_machines_is_refused(f: Any) -> None:
    with pytest.raises(NoRuleError):
        gradient(lambda x: f.reduce(x, axis=0).sum(), np.ones((3, 2)))
    with pytest.raises(NoRuleError):
        gradient(lambda x: f.reduceat(x, [0, 2]).sum(), np.ones(3))


@pytest.mark.parametrize(
    "f",
    [np.max, np.min, np.ptp, np.median, np.maximum.reduce, lambda a, axis=None: np.quantile(a, 0.3, axis)]
    + [lambda a, axis=None: np.max(a, axis, initial=7.0), lambda a, axis=None: np.percentile(a, [20.0, 60.0], axis)],
)
def test_a_result_that_is_nan_has_no_slope(f: Any) -> None:
    """By the entries that are nan it is nan; by the others 0, and so where nothing flows."""
    a = np.array([[1.0, np.nan, 3.0], [1.0, 2.0, 4.0]])

    def rows(a: Any, w: Any) -> Any:
        return np.sum(f(a, axis=1) * w)

    lost = gradient(rows, a, np.ones(2))[0]
    assert np.isnan(lost).tolist() == [[False, True, False], [False, False, False]]
    assert not lost[0, [0, 2]].any()
    assert np.array_equal(lost[1], gradient(rows, a[1:], np.ones(1))[0][0])
    assert not np.isnan(gradient(lambda a: np.sum(np.where([False, True], f(a, axis=1), 0.0)), a)[0]).any()
    assert np.isnan(gradient(lambda a: np.sum(f(a, axis=None)), a[0])[0]).tolist() == [False, True, False]


def test_forward_mode_of_variances_without_degrees_of_freedom() -> None:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for f, a in (
            (lambda a: np.std(a, ddof=1), np.array([1.0])),
            (lambda a: np.var(a, ddof=3), np.array([1.0, 2.0])),
            (np.var, np.array([])),
        ):
            y, dot = pushforward(f, (a,), (np.ones(a.shape) * np.arange(1.0, a.size + 1),))
            assert np.isnan(y) == np.isnan(f(a)) and not np.isfinite(dot)


def test_the_mean_of_many_halves() -> None:
    d = gradient(np.mean, np.ones(100_000, np.float16))[0]
    assert d.dtype == np.float16 and np.allclose(d, 1e-5, rtol=1e-2)
