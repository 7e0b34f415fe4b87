"""Rules of the functions and attributes that change shape or dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import call, check, rng

from adjoint.errors import NoRuleError
from adjoint.rules.numpy import ATTRIBUTES, INACTIVE_ATTRIBUTES

A = rng(2, 3, 4)
M = rng(3, 4)
F = rng(3, 4, dtype=np.float32)
Z = rng(3, 4, dtype=np.complex128)


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        call(np.reshape, A, (6, 4)),
        call(np.reshape, A, -1),
        call(np.reshape, A.T, (4, -1), "F"),
        call(np.reshape, 1.5, (1, 1)),
        call(np.reshape, [1.5, 2.5], (2, 1)),
        call(np.reshape, np.array([1, 2]), (2, 1)),
        call(np.ndarray.reshape, A, 6, 4),
        call(np.ndarray.reshape, A, (6, 4)),
        call(np.ndarray.reshape, M, 2, -1, order="F"),
        call(np.ndarray.reshape, F, -1),
        call(np.generic.reshape, np.float64(1.5), 1),
        call(np.ravel, A),
        call(np.ravel, A.T, "F"),
        call(np.ndarray.ravel, M),
        call(np.ndarray.flatten, M, "F"),
        call(np.squeeze, A[:, :1]),
        call(np.squeeze, A[:1, :, :1], 0),
        call(np.ndarray.squeeze, A[:1]),
        call(np.expand_dims, M, 1),
        call(np.expand_dims, M, (0, -1)),
        call(np.expand_dims, 2.5, 0),
        call(np.atleast_1d, 1.5),
        call(np.atleast_2d, M[0]),
        call(np.atleast_2d, [1.5, 2.5]),
        call(np.atleast_3d, M),
        call(np.atleast_2d, M[0], 2.5),
        call(np.transpose, M),
        call(np.transpose, A, (1, 2, 0)),
        call(np.transpose, A, (-1, 0, 1)),
        call(np.ndarray.transpose, A),
        call(np.ndarray.transpose, A, 2, 0, 1),
        call(np.ndarray.transpose, A, (2, 0, 1)),
        call(np.ndarray.transpose, A, None),
        call(np.swapaxes, A, 0, -1),
        call(np.ndarray.swapaxes, A, 1, 2),
        call(np.moveaxis, A, 0, -1),
        call(np.moveaxis, A, (0, 1), (1, 2)),
        call(np.rollaxis, A, 2),
        call(np.rollaxis, A, 0, 2),
        call(np.rollaxis, A, -1, 1),
        call(np.matrix_transpose, A),
        call(np.linalg.matrix_transpose, M),
        call(np.broadcast_to, M, (2, 3, 4)),
        call(np.broadcast_to, M[:, :1], (3, 4)),
        call(np.broadcast_to, 2.5, (3, 4)),
        call(np.broadcast_arrays, M, M[0], 2.5),
        call(np.copy, M),
        call(np.copy, 2.5),
        call(np.ndarray.copy, F),
        call(np.generic.copy, np.float64(1.5)),
        call(np.ndarray.astype, M, np.complex128),
        call(np.ndarray.astype, F, np.float64),
        call(np.ndarray.astype, np.array([1, 2]), float),
        call(np.generic.astype, np.float64(1.5), np.complex128),
        call(np.astype, M, np.complex128),
        call(np.ndarray.view, M),
        call(np.float64, 1.5),
        call(np.float64, M),
        call(np.complex128, 1.5),
        call(np.float32, np.float32(2.5)),
    ],
)
def test_shaping(f: Any, args: Any, kwargs: Any) -> None:
    check(f, args, kwargs, constant=tuple(range(1, len(args))) if f not in (np.atleast_2d, np.broadcast_arrays) else ())


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
    with pytest.raises(NoRuleError):
        run_rule(np.ravel, A[:, ::2].transpose(1, 0, 2), "K")
    with pytest.raises(NoRuleError):
        run_rule(np.ndarray.view, M, np.int64)


def test_through_integers_nothing_flows() -> None:
    y, back, _ = run_rule(np.ndarray.astype, M, int)
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
