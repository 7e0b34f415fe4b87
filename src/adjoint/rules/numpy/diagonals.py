"""Functions that read diagonals and triangles of matrices, or write them."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ...tangents import unbroadcast
from ..registry import non_differentiable
from .lifting import array_rule, refuse_out
from .linear import carried, cast, scatter_diagonal, spread
from .rearranging import undone_back


@array_rule(np.diag, linear="v")
def diag_rule(v: np.ndarray, k=0):
    """The diagonal of a matrix, or the matrix of a diagonal: each is the adjoint of the other."""
    shape, kind = v.shape, v.dtype

    def diag_back(y_bar):
        if len(shape) == 1:
            return (cast(np.diagonal(y_bar, k), kind),)
        return (cast(scatter_diagonal(y_bar, shape, k, 0, 1), kind),)

    return np.diag(v, k), diag_back


@array_rule(np.diagflat, linear="v")
def diagflat_rule(v: np.ndarray, k=0):
    """The matrix that has the entries of v on a diagonal."""
    shape = v.shape
    return np.diagflat(v, k), undone_back(v, lambda d: np.reshape(np.diagonal(d, k), shape))


@array_rule(np.diagonal, np.ndarray.diagonal, np.generic.diagonal, linear="a")
def diagonal_rule(a: np.ndarray, offset=0, axis1=0, axis2=1):
    """Diagonals of two of the axes, along a last one."""
    shape = a.shape
    y = np.diagonal(a, offset, axis1, axis2)
    return y, undone_back(a, lambda d: scatter_diagonal(d, shape, offset, axis1, axis2))


@array_rule(np.linalg.diagonal, linear="x")
def linalg_diagonal_rule(x: np.ndarray, /, *, offset=0):
    """Diagonals of the last two axes."""
    return diagonal_rule(x, offset, -2, -1)


def diagonal_shape(shape, offset, axis1, axis2):
    """The shape of the diagonals of an array, which stand along its last axis.

    >>> diagonal_shape((2, 3), 1, 0, 1), diagonal_shape((2, 3, 4), -1, 0, 2), diagonal_shape((2, 3), 9, 0, 1)
    ((2,), (3, 1), (0,))
    """
    axes = axis1 % len(shape), axis2 % len(shape)
    rows, columns = shape[axis1], shape[axis2]
    n = min(rows + min(offset, 0), columns - max(offset, 0))
    return (*[length for i, length in enumerate(shape) if i not in axes], max(n, 0))


non_differentiable(diagonal_shape)


@array_rule(np.trace, np.ndarray.trace, np.generic.trace, linear="a")
def trace_rule(a: np.ndarray, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """y = Σ aᵢᵢ, so ā = ȳ I."""
    refuse_out(out)
    shape, kind = a.shape, a.dtype
    y = np.trace(a, offset, axis1, axis2, dtype)
    flows = carried(kind, y.dtype)

    def trace_back(y_bar):
        if not flows:
            return (None,)
        n = diagonal_shape(shape, offset, axis1, axis2)
        d = spread(y_bar if len(n) == 1 else np.expand_dims(y_bar, -1), n, kind)
        return (cast(scatter_diagonal(d, shape, offset, axis1, axis2), kind),)

    return y, trace_back


@array_rule(np.linalg.trace, linear="x")
def linalg_trace_rule(x: np.ndarray, /, *, offset=0, dtype=None):
    """The trace over the last two axes."""
    return trace_rule(x, offset, -2, -1, dtype)


@array_rule(np.tril, linear="m")
def tril_rule(m: np.ndarray, k=0):
    """m with zeros above a diagonal."""
    return np.tril(m, k), _triangle_back(m, lambda d: np.tril(d, k))


@array_rule(np.triu, linear="m")
def triu_rule(m: np.ndarray, k=0):
    """m with zeros below a diagonal."""
    return np.triu(m, k), _triangle_back(m, lambda d: np.triu(d, k))


def _triangle_back(m, cut):
    # One vector counts as every row of the matrix.
    like = m

    def triangle_back(y_bar):
        return (unbroadcast(cut(y_bar), like),)

    return triangle_back
