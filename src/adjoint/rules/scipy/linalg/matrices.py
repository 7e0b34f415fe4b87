"""The parts of a matrix that a solver reads, and the way of its cotangent."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ....tangents import ghost, unbroadcast
from ...numpy.decompositions import or_zeros
from ...numpy.linalg import adjoint_of
from ...numpy.linear import bring_back, cast
from ...registry import non_differentiable

KINDS = {
    "sym": "symmetric",
    "her": "hermitian",
    "pos": "hermitian",
    "positive definite": "hermitian",
    "gen": "general",
    "banded": "general",
}
"""What scipy.linalg.solve calls the structure of a matrix, by what of it is read."""


def kind_of(assume_a):
    """The kind of a matrix, by what of it is read where this structure is assumed.

    >>> kind_of(None), kind_of("pos"), kind_of("upper triangular")
    ('general', 'hermitian', 'upper triangular')
    """
    return KINDS.get(assume_a, assume_a) or "general"


def on_what_is_read(g, kind, lower):
    """The cotangent of a matrix of which a part is read, from that of the whole that it stands for.

    >>> on_what_is_read(np.array([[1.0, 2.0], [3.0, 4.0]]), "symmetric", True)
    array([[1., 0.],
           [5., 4.]])
    """
    if kind == "symmetric":
        return (
            np.tril(g) + np.swapaxes(np.triu(g, 1), -1, -2)
            if lower
            else np.triu(g) + np.swapaxes(np.tril(g, -1), -1, -2)
        )
    if kind == "hermitian":
        other = adjoint_of(g)
        strict = np.tril(g + other, -1) if lower else np.triu(g + other, 1)
        return strict + np.real(g) * np.eye(g.shape[-1])
    if kind == "upper triangular":
        return np.triu(g)
    if kind == "lower triangular":
        return np.tril(g)
    if kind == "diagonal":
        return g * np.eye(g.shape[-1])
    if kind == "tridiagonal":
        return np.tril(np.triu(g, -1), 1)
    return g


def as_columns(x, vector):
    """Right-hand sides or solutions as matrices of columns."""
    return np.expand_dims(x, -1) if vector else x


def outer_bar(b_bar, x):
    """-B̄ Xᴴ: the cotangent of A where X = A⁻¹ B.

    >>> outer_bar(np.array([[1.0], [2.0]]), np.array([[3.0], [4.0]]))
    array([[-3., -4.],
           [-6., -8.]])
    """
    return -np.matmul(b_bar, adjoint_of(x))


def computed(a):
    """An array in a precision that LAPACK has: half and long doubles become doubles.

    >>> computed(np.ones(1, np.longdouble)).dtype
    dtype('float64')
    """
    a = np.asarray(a)
    return a if a.dtype.char in "fdFD" else a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)


__all__ = [
    "adjoint_of",
    "as_columns",
    "bring_back",
    "cast",
    "computed",
    "ghost",
    "kind_of",
    "on_what_is_read",
    "or_zeros",
    "outer_bar",
    "unbroadcast",
]

non_differentiable(kind_of)
