"""Rules of the functions and attributes that change shape or dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import rng

from adjoint.errors import NoRuleError
from adjoint.rules.numpy import ATTRIBUTES, INACTIVE_ATTRIBUTES

A = rng(2, 3, 4)
M = rng(3, 4)
F = rng(3, 4, dtype=np.float32)
Z = rng(3, 4, dtype=np.complex128)


def test_order_in_memory() -> None:
    y_bar = rng(24)
    for order in ("A", "K"):
        _, back, _ = run_rule(np.ravel, A.T, order)
        assert np.array_equal(back(y_bar)[0], y_bar.reshape(A.T.shape, order="F"))
    _, back, _ = run_rule(np.reshape, A, 24, "A")
    assert np.array_equal(back(y_bar)[0], y_bar.reshape(A.shape))


@pytest.mark.parametrize("f", [np.squeeze, np.transpose, np.ndarray.copy, np.generic.transpose])
def test_numbers_stay_numbers(f: Any) -> None:
    y, back, _ = run_rule(f, np.float32(1.5))
    assert type(y) is np.float32 and back(np.float32(2.0)) == (2.0,)


def test_what_has_no_rule() -> None:
    for f, args in [
        (np.ravel, (np.broadcast_to(M[:, :1], (3, 4)), "K")),
        (np.ndarray.view, (M, np.int64)),
        (np.ndarray.view, (M, np.float32)),
        (np.ndarray.view, (M, np.ma.MaskedArray)),
        (np.generic.view, (np.float64(1.5), np.int64)),
        (np.ndarray.getfield, (M, np.int32, 4)),
        (np.ndarray.byteswap, (M,)),
    ]:
        with pytest.raises(NoRuleError):
            run_rule(f, *args)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.longdouble, np.complex64, np.clongdouble])
def test_precision_is_kept(dtype: Any) -> None:
    x = M.astype(dtype)
    for f, args in [
        (np.reshape, (12,)), (np.pad, (1,)), (np.pad, (1, "reflect")), (np.diag, ()), (np.roll, (1,)), (np.tile, (2,)),
        (np.repeat, ([1, 2, 0], 0)), (np.take, ([0, 0],)), (np.insert, (1, 2.0)), (np.delete, (1,)), (dtype, ()),
        (np.lib.stride_tricks.sliding_window_view, ((2, 2),)), (np.outer, (x,)), (np.kron, (x,)), (np.matmul, (x.T,)),
    ]:  # fmt: skip
        y, back, _ = run_rule(f, x, *args)
        assert y.dtype == dtype and back(np.ones_like(y))[0].dtype == dtype, f


def test_through_integers_nothing_flows() -> None:
    for f, x in ((np.ndarray.astype, M), (np.require, M), (np.astype, M), (np.generic.astype, np.float64(1.5))):
        y, back, _ = run_rule(f, x, int)
        assert back(np.ones(y.shape)) == (None, None)


@pytest.mark.parametrize("x", [A, F, Z, A[..., ::2], np.float64(2.5), np.complex128(1 + 2j), np.array([1, 2])])
@pytest.mark.parametrize("name", ATTRIBUTES)
def test_attributes(name: str, x: Any) -> None:
    if name in ("T", "mT", "flat") and np.ndim(x) < 2:
        return
    y, back = ATTRIBUTES[name](x)
    plain = getattr(x, name)
    assert np.array_equal(y, np.array(plain) if name == "flat" else plain)
    y_bar = rng(*np.shape(y)) if np.ndim(y) else 1.5
    (bar,) = back(y_bar)
    kind = x.dtype if x.dtype.kind in "fc" else np.float64
    assert np.shape(bar) == np.shape(x) and np.asarray(bar).dtype == kind
    step = rng(*np.shape(x), dtype=kind, seed=5)
    direction = ATTRIBUTES[name](step)[0]
    assert np.isclose(np.sum(np.conj(bar) * step).real, np.sum(y_bar * direction).real, rtol=1e-5)


def test_attributes_without_derivative() -> None:
    assert {"shape", "ndim", "size", "dtype"} <= INACTIVE_ATTRIBUTES and not INACTIVE_ATTRIBUTES & set(ATTRIBUTES)
