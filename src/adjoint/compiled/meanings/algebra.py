"""Functions of `numpy.linalg`, by programs in loops."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import algebra, arrays
from ..elementary import NE
from ..lower import Lower
from ..values import Arr, CannotCompile, Items, Value
from .calls import means


def square(lower: Lower, a: Value) -> Arr:
    """A matrix of floats with as many rows as columns, in memory."""
    x = arrays.as_array(lower.w, a)
    if x.ndim != 2 or x.kind != "f":
        raise CannotCompile("linear algebra of stacks of matrices, or of integers")
    lower.w.check(lower.w.op(NE, x.shape[0], x.shape[1]))
    return arrays.located(lower.w, x)


@means(np.linalg.solve)
def solve(lower: Lower, a: Value, b: Value) -> Value:
    x, y = square(lower, a), arrays.located(lower.w, arrays.as_array(lower.w, b))
    if y.ndim not in (1, 2) or y.kind != "f":
        raise CannotCompile("such a right-hand side")
    arrays.check_shapes(lower.w, x.shape[:1], y.shape[:1])
    return lower.call_function(algebra.solved_for_vector if y.ndim == 1 else algebra.solved, [x, y])  # type: ignore[arg-type]


@means(np.linalg.inv)
def inv(lower: Lower, a: Value) -> Value:
    return _called(lower, algebra.inverse, a)


@means(np.linalg.det)
def det(lower: Lower, a: Value) -> Value:
    return _called(lower, algebra.determinant, a)


@means(np.linalg.slogdet)
def slogdet(lower: Lower, a: Value) -> Value:
    found = _called(lower, algebra.log_determinant, a)
    return Items([*found], type(np.linalg.slogdet(np.eye(1))), ("sign", "logabsdet"))


@means(np.linalg.cholesky)
def cholesky(lower: Lower, a: Value) -> Value:
    return _called(lower, algebra.lower_factor, a)


def _called(lower: Lower, f: Any, a: Value) -> Value:
    return lower.call_function(f, [square(lower, a)])
