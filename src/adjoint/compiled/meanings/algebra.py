"""Functions of `numpy.linalg`, by programs in loops."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import algebra, arrays
from ..elementary import EQ, ISFINITE, LINK, NE, NOT
from ..kernel import Atom, Buf, Eigen
from ..lower import Lower
from ..values import Arr, CannotCompile, Items, Known, Value, option
from .calls import means

LOWER = Known("L")


def square(lower: Lower, a: Value, ranks: tuple[int, ...] = (2,)) -> Arr:
    """A matrix of floats with as many rows as columns, in memory; or a stack of such."""
    x = arrays.as_array(lower.w, a)
    if x.ndim not in ranks or x.kind != "f":
        raise CannotCompile("linear algebra of such stacks of matrices, or of integers")
    lower.w.check(lower.w.op(NE, x.shape[-2], x.shape[-1]))
    return arrays.located(lower.w, x)


@means(np.linalg.solve)
def solve(lower: Lower, a: Value, b: Value) -> Value:
    x, y = square(lower, a, (2, 3)), arrays.located(lower.w, arrays.as_array(lower.w, b))
    if x.ndim == y.ndim == 3 and y.kind == "f":
        arrays.check_shapes(lower.w, x.shape[:2], y.shape[:2])
        return _stacked(lower, algebra.solved, [x, y], [y.shape])[0]
    if x.ndim != 2 or y.ndim not in (1, 2) or y.kind != "f":
        raise CannotCompile("such a right-hand side")
    arrays.check_shapes(lower.w, x.shape[:1], y.shape[:1])
    return _program(lower, algebra.solved_for_vector if y.ndim == 1 else algebra.solved, x, y)


@means(np.linalg.inv)
def inv(lower: Lower, a: Value) -> Value:
    return _called(lower, algebra.inverse, a, 2)[0]


@means(np.linalg.det)
def det(lower: Lower, a: Value) -> Value:
    return _called(lower, algebra.determinant, a, 0)[0]


@means(np.linalg.slogdet)
def slogdet(lower: Lower, a: Value) -> Value:
    found = _called(lower, algebra.log_determinant, a, 0, 0)
    return Items(found, type(np.linalg.slogdet(np.eye(1))), ("sign", "logabsdet"))


@means(np.linalg.cholesky)
def cholesky(lower: Lower, a: Value) -> Value:
    return _called(lower, algebra.lower_factor, a, 2)[0]


@means(np.linalg.eigh)
def eigh(lower: Lower, a: Value, UPLO: Value = LOWER) -> Value:  # noqa: N803
    """Eigenvalues and eigenvectors: those of the library, with derivatives of their own."""
    w, v, whole = _eigen(lower, a, UPLO)
    of_values = _program(lower, algebra.turned_diagonal, whole, v)
    of_vectors = _program(lower, algebra.turns, whole, w, v)
    items = [_linked(lower, w, of_values), _linked(lower, v, of_vectors)]
    return Items(items, type(np.linalg.eigh(np.eye(1))), ("eigenvalues", "eigenvectors"))


@means(np.linalg.eigvalsh)
def eigvalsh(lower: Lower, a: Value, UPLO: Value = LOWER) -> Value:  # noqa: N803
    """Eigenvalues alone, which may coincide."""
    w, v, whole = _eigen(lower, a, UPLO)
    return _linked(lower, w, _program(lower, algebra.turned_diagonal, whole, v))


def _eigen(lower: Lower, a: Value, triangle: Value) -> tuple[Arr, Arr, Arr]:
    """Eigenvalues and eigenvectors, as constants, and the matrix."""
    w = lower.w
    if str(option(triangle)).upper() != "L":
        raise CannotCompile("eigenvalues by the upper triangle")
    if importlib.util.find_spec("scipy") is None:
        raise CannotCompile("eigenvalues without SciPy, by which Numba has them")
    x = square(lower, a)
    w.check(w.op(EQ, x.shape[0], 0))
    whole = _program(lower, algebra.symmetric, x)
    total = arrays.located(w, arrays.as_array(w, whole))
    w.nest(whole.shape, lambda index: w.check(w.op(NOT, w.op(ISFINITE, whole.at(index)))))
    values, vectors = Buf("w", "f", 1), Buf("v", "f", 2)
    assert total.buf is not None
    w.emit(Eigen(values, vectors, total.buf))
    lower.first_order = "eigenvalues and eigenvectors"
    n = x.shape[0]
    return arrays.of_buffer(w, values, (n,)), arrays.of_buffer(w, vectors, (n, n)), whole


def _linked(lower: Lower, x: Arr, carrier: Value) -> Value:
    """Numbers with the derivatives of others."""
    return arrays.elementwise(lower.w, lambda value, moving: lower.w.op(LINK, value, moving), [x, carrier], "f")


def _called(lower: Lower, f: Any, a: Value, *ranks: int) -> list[Value]:
    """The results of a program for a matrix, or for each of a stack, of these ranks."""
    x = square(lower, a, (2, 3))
    if x.ndim == 2:
        found = _program(lower, f, x)
        return [*found] if isinstance(found, tuple) else [found]
    return _stacked(lower, f, [x], [x.shape[: 1 + rank] for rank in ranks])


def _stacked(lower: Lower, f: Any, stacks: Sequence[Arr], shapes: Sequence[Sequence[Atom]]) -> list[Value]:
    """The results of a program for each member of stacks, as stacks of these shapes."""
    w = lower.w
    made = [arrays.of_buffer(w, w.new("f", shape, zero=False), shape) for shape in shapes]

    def member(stack: Arr, at: tuple[Atom, ...]) -> Arr:
        return arrays.view_of(stack, stack.shape[1:], lambda index: (*at, *index))

    def one(at: tuple[Atom, ...]) -> None:
        found = _program(lower, f, *[member(stack, at) for stack in stacks])
        for stack, part in zip(made, found if isinstance(found, tuple) else (found,), strict=True):
            arrays.store_all(w, member(stack, at), arrays.as_array(w, part))

    w.nest(stacks[0].shape[:1], one)
    return [*made]


def _program(lower: Lower, f: Any, *args: Value) -> Value:
    return lower.call_function(f, args)
