"""Rules of the functions that sum, average, multiply or select along axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import call, check, rng

from adjoint.errors import MutationError, NoRuleError

A = rng(2, 3, 4)
M = rng(3, 4)
Z = rng(3, 4, dtype=np.complex128)
F = rng(3, 4, dtype=np.float32)
NAN = np.where(rng(3, 4, seed=1) > 0.5, np.nan, M)
HOLES = np.array([[1.5, 0.0, 2.0], [0.0, 0.0, -1.0], [0.5, 3.0, 1.0]])
EXTREMA = [np.max, np.min, np.ptp, np.ndarray.max, np.ndarray.min]
SMOOTH = [np.sum, np.mean, np.prod, np.var, np.std, np.ndarray.sum, np.ndarray.mean, np.ndarray.prod]


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        row
        for f in [*SMOOTH, *EXTREMA, np.ndarray.var, np.ndarray.std]
        for row in [
            call(f, A),
            call(f, A, 1),
            call(f, A, axis=-1),
            call(f, A, axis=(0, -1)),
            call(f, A, axis=(0, 2), keepdims=True),
            call(f, A, keepdims=True),
            call(f, A[::-1, :, ::2], axis=0),
            call(f, F),
            call(f, F, axis=1),
            call(f, rng(1)),
            call(f, rng()),
        ]
    ],
)
def test_reductions(f: Any, args: Any, kwargs: Any) -> None:
    check(f, args, kwargs)


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        *(call(f, Z, **k) for f in (np.sum, np.mean, np.prod, np.var, np.std) for k in ({}, {"axis": 0})),
        *(call(f, [1.5, 2.0, -0.5]) for f in (np.sum, np.mean, np.max, np.prod, np.var)),
        *(call(f, [(1.5, 2.0), (np.float64(0.5), -0.5)], axis=0) for f in (np.sum, np.max)),
        *(call(f, np.float64(1.5)) for f in (np.sum, np.mean, np.max, np.prod, np.generic.sum, np.generic.max)),
        call(np.sum, 1.5),
        call(np.sum, [A[0], A[1]], axis=0),
        call(np.sum, np.zeros((0, 3))),
        call(np.sum, np.zeros((0, 3)), axis=0),
        call(np.sum, M, axis=()),
        call(np.prod, M, axis=()),
        call(np.sum, F, dtype=np.float64),
        call(np.sum, M, dtype=np.complex128),
        call(np.sum, M, where=M > 0),
        call(np.sum, M, axis=1, where=M > 0, initial=2.0),
        call(np.prod, M, axis=1, where=M > 0, initial=2.0),
        call(np.prod, HOLES, initial=2.0),
        call(np.max, M, initial=0.1),
        call(np.max, M, axis=0, initial=np.array(0.1)),
        call(np.min, M, axis=-1, keepdims=True, where=M > 0, initial=0.5),
        call(np.mean, M, where=M > -1),
        call(np.mean, M, axis=1, where=M > -1.5),
        call(np.var, M, ddof=1),
        call(np.std, M, axis=0, ddof=1),
        call(np.var, M, correction=1),
        call(np.prod, HOLES),
        call(np.prod, HOLES, axis=0),
        call(np.prod, HOLES, axis=-1, keepdims=True),
        call(np.add.reduce, M),
        call(np.add.reduce, M, axis=1),
        call(np.multiply.reduce, M),
        call(np.maximum.reduce, M, axis=-1),
        call(np.minimum.reduce, M),
        call(np.logaddexp.reduce, M),
        call(np.logaddexp.reduce, M, axis=1, keepdims=True),
        call(np.average, M),
        call(np.average, M, axis=0),
        call(np.average, M, weights=np.abs(rng(3, 4, seed=2)) + 0.5),
        call(np.average, M, 0, np.array([1.0, 0.5, 2.0])),
        call(np.average, M, axis=1, weights=[1.0, 0.5, 2.0, 0.25]),
    ],
)
def test_special_reductions(f: Any, args: Any, kwargs: Any) -> None:
    check(f, args, kwargs)


def test_integers_are_differentiated() -> None:
    check(np.sum, (np.array([[1, 2], [3, 4]]),), {"axis": 0}, constant=(1,))
    check(np.mean, (np.array([1, 2, 5]),), {}, constant=())
    check(np.max, (np.array([1, 2, 5]),), {}, constant=())


@pytest.mark.parametrize("f", [np.nansum, np.nanmean, np.nanprod, np.nanmax, np.nanmin, np.nanvar, np.nanstd])
@pytest.mark.parametrize("kwargs", [{}, {"axis": 0}, {"axis": (0, 1)}, {"axis": -1, "keepdims": True}])
def test_without_nan(f: Any, kwargs: Any) -> None:
    y, back, _ = run_rule(f, NAN, **kwargs)
    assert np.array_equal(y, f(NAN, **kwargs))
    y_bar = rng(*np.shape(y)) if np.ndim(y) else 1.5
    (bar,) = back(y_bar)
    assert bar.shape == NAN.shape and np.all(bar[np.isnan(NAN)] == 0)
    step = rng(3, 4, seed=3)
    change = (f(NAN + 1e-6 * step, **kwargs) - f(NAN - 1e-6 * step, **kwargs)) / 2e-6
    assert np.isclose(np.sum(change * y_bar), np.sum(bar * step), rtol=1e-6)
    (plain,) = run_rule(f, M, **kwargs)[1](y_bar)
    (other,) = run_rule(getattr(np, f.__name__[3:]), M, **kwargs)[1](y_bar)
    assert np.allclose(plain, other)


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


def test_what_is_refused() -> None:
    with pytest.raises(MutationError):
        run_rule(np.sum, M, axis=0, out=np.zeros(4))
    with pytest.raises(NoRuleError):
        run_rule(np.nanmax, M, initial=0.0)
