"""Result types of factors, norms and least squares of `numpy.linalg`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..ir.types import NONE, UNKNOWN, Array, Inert, Scalar, Tuple, Type
from .arithmetic import is_number
from .given import Given
from .numpy_types import family, multiplied, solved
from .registry import gives
from .statistic_types import floats_of
from .ufunc_types import WHOLE, real
from .words import array_of, of_rank, rank_left


def length(given: Given) -> Type:
    """`np.linalg.norm(x, ord, axis, keepdims)`: one number, or one for each of those along axes."""
    x, order = given.type("x"), given.type("ord") or NONE
    if not isinstance(x, Array) or not is_number(x) or not isinstance(order, (Scalar, Inert)):
        return UNKNOWN
    t = Array("f", x.dtype if x.kind == "f" else "float64" if x.kind in "iu" else "")
    if given.only("x", "ord"):
        return of_rank(t, 0)
    ndim = rank_left(x.ndim, given) if x.ndim and given.value("axis") is not None else None
    return UNKNOWN if ndim is None else of_rank(t, ndim)


def vector_length(given: Given) -> Type:
    """`np.linalg.vector_norm(x)` of all items."""
    t = floats_of(given.types[0]) if len(given.types) == 1 else UNKNOWN
    return of_rank(real(t), 0)


def _matrix(given: Given, name: str = "a") -> Array | None:
    """The first argument as floats, or complex numbers, if it is a matrix, or many."""
    a = array_of(given.type(name) or UNKNOWN)
    t = floats_of(a) if a is not None and a.ndim and a.ndim >= 2 else UNKNOWN
    return of_rank(t, a.ndim) if isinstance(t, Array) and a is not None else None  # type: ignore[return-value]


def matrix_length(given: Given) -> Type:
    """`np.linalg.matrix_norm(x)`, `np.linalg.cond(x)`."""
    t = _matrix(given, "x") if given.only("x") else None
    return UNKNOWN if t is None else of_rank(real(t), t.ndim - 2)  # type: ignore[operator]


def _rows(t: Array) -> Type:
    """The real values of a matrix, in a row."""
    return of_rank(real(t), t.ndim - 1)  # type: ignore[operator]


def eigen(given: Given) -> Type:
    """`np.linalg.eigh(a)`: values and vectors."""
    t = _matrix(given)
    return UNKNOWN if t is None else Tuple((_rows(t), t), _EIGEN)


def singular(given: Given) -> Type:
    """`np.linalg.svd(a, full_matrices, compute_uv)`."""
    t, vectors = _matrix(given), given.value("compute_uv", True)
    if t is None or type(vectors) is not bool:
        return UNKNOWN
    return Tuple((t, _rows(t), t), _SINGULAR) if vectors else _rows(t)


def singular_values(given: Given) -> Type:
    """`np.linalg.svdvals(x)`."""
    t = _matrix(given, "x")
    return UNKNOWN if t is None else _rows(t)


def orthogonal(given: Given) -> Type:
    """`np.linalg.qr(a, mode)`."""
    t, mode = _matrix(given), given.value("mode", "reduced")
    if t is None or mode not in ("reduced", "complete", "r"):
        return UNKNOWN
    return t if mode == "r" else Tuple((t, t), _ORTHOGONAL)


def least_squares(given: Given) -> Type:
    """`np.linalg.lstsq(a, b)`: the solution, residuals, the rank and the singular values."""
    a, b = (array_of(given.type(name) or UNKNOWN) for name in "ab")
    t = floats_of(a, b) if a is not None and b is not None and a.ndim == 2 and b.ndim else UNKNOWN
    if not isinstance(t, Array) or b is None:
        return UNKNOWN
    return Tuple((of_rank(t, b.ndim), of_rank(real(t), 1), WHOLE, of_rank(real(t), 1)))


def matrix_rank(given: Given) -> Type:
    """`np.linalg.matrix_rank(a)` of one matrix."""
    a = given.types[0]
    return WHOLE if isinstance(a, Array) and a.ndim == 2 and len(given.types) == 1 else UNKNOWN


_EIGEN, _SINGULAR, _ORTHOGONAL = [type(f(np.eye(1))) for f in (np.linalg.eigh, np.linalg.svd, np.linalg.qr)]

gives(length, np.linalg.norm)
family(vector_length, "vector_norm", np.linalg)
family(matrix_length, "matrix_norm cond", np.linalg)
family(eigen, "eigh", np.linalg)
family(singular, "svd", np.linalg)
family(singular_values, "svdvals", np.linalg)
family(orthogonal, "qr", np.linalg)
family(least_squares, "lstsq", np.linalg)
family(matrix_rank, "matrix_rank", np.linalg)
family(solved(1, lambda ranks: None), "tensorinv", np.linalg)
family(solved(2, lambda ranks: None), "tensorsolve", np.linalg)

# ---- products of vectors and matrices


def products(a_axes: int, b_axes: int) -> Callable[[Given], Type]:
    """Products of matrices and vectors: the axes of many of them come first."""

    def rank(ranks: Sequence[int | None]) -> int | None:
        a, b = ranks[:2]
        if len(ranks) > 2 or a is None or b is None or a < a_axes or b < b_axes:
            return None
        return max(a - a_axes, b - b_axes) + (a_axes != b_axes)

    return multiplied(2, rank)


family(products(2, 1), "matvec")
family(products(1, 2), "vecmat")
family(products(1, 1), "vecdot")
family(products(1, 1), "vecdot", np.linalg)
