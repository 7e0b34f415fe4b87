"""Matrices made of vectors or of other matrices: linear, but for companions."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy
import scipy.linalg

from ...numpy.lifting import composed
from ...registry import non_differentiable, rule
from .matrices import bring_back


@rule(scipy.linalg.block_diag, linear="*arrs")
def block_diag_rule(*arrs):
    """Each block has its part of Ȳ."""
    y = scipy.linalg.block_diag(*arrs)
    blocks = places_of_blocks(arrs)

    def block_diag_back(y_bar):
        parts = [y_bar[..., rows, columns] for rows, columns in blocks]
        return tuple([bring_back(np.reshape(p, _shape(p, a)), a) for p, a in zip(parts, arrs, strict=True)])

    return y, block_diag_back


if "kron" in vars(scipy.linalg):  # until SciPy 1.16

    @composed(vars(scipy.linalg)["kron"])
    def kron(a, b):
        """Every product of an entry of `a` with one of `b`."""
        return np.kron(np.asarray(a), np.asarray(b))


def places_of_blocks(arrs):
    """The rows and columns of each block.

    >>> places_of_blocks([np.eye(2), [1.0, 2.0]])
    [(slice(0, 2, None), slice(0, 2, None)), (slice(2, 3, None), slice(2, 4, None))]
    """
    i = j = 0
    places = []
    for a in arrs:
        m, n = np.atleast_2d(a).shape[-2:]
        places.append((slice(i, i + m), slice(j, j + n)))
        i, j = i + m, j + n
    return places


def _shape(part, a):
    """A stack of blocks may be broadcast; a vector is a row."""
    return np.shape(part) if np.ndim(a) > 1 else (*np.shape(part)[:-2], *np.shape(a))


def by_place(rows, columns, offset):
    """The place i - j of each entry."""
    return np.arange(rows)[:, None] - np.arange(columns) + offset


non_differentiable(places_of_blocks, _shape, by_place)


RAVELS = tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 17)
"""True if `toeplitz` and `hankel` take all numbers of a matrix in a row, and not its rows one by one."""


@composed(scipy.linalg.toeplitz)
def toeplitz(c, r=None):
    """Entry (i, j) is c[i - j], or r[j - i] above the diagonal."""
    c = np.asarray(c)
    r = c.conj() if r is None else np.asarray(r)
    if c.ndim == 0 or r.ndim == 0 or RAVELS:
        c, r = np.reshape(c, (-1,)), np.reshape(r, (-1,))
    values = np.concatenate((np.flip(r[..., 1:], -1), c), axis=-1)
    m, n = c.shape[-1], r.shape[-1]
    return values[..., by_place(m, n, n - 1)]


@composed(scipy.linalg.hankel)
def hankel(c, r=None):
    """Entry (i, j) is that at i + j of the column followed by the row."""
    c = np.asarray(c)
    r = np.zeros(c.shape) if r is None else np.asarray(r)
    if c.ndim == 0 or r.ndim == 0 or RAVELS:
        c, r = np.reshape(c, (-1,)), np.reshape(r, (-1,))
    values = np.concatenate((c, r[..., 1:]), axis=-1)
    m, n = c.shape[-1], r.shape[-1]
    return values[..., np.flip(by_place(m, n, n - 1), -1)]


@composed(scipy.linalg.circulant)
def circulant(c):
    """Entry (i, j) is c[i - j], counted around."""
    c = np.atleast_1d(np.asarray(c))
    n = c.shape[-1]
    return c[..., by_place(n, n, 0) % max(n, 1)]


@composed(scipy.linalg.convolution_matrix)
def convolution_matrix(a, n, mode="full"):
    """A Toeplitz matrix, of which a mode keeps some rows."""
    a = np.asarray(a)
    m = a.shape[-1]
    padded = np.concatenate((np.zeros((*a.shape[:-1], n - 1)), a, np.zeros((*a.shape[:-1], n - 1))), axis=-1)
    whole = padded[..., by_place(m + n - 1, n, n - 1)]
    first, last = rows_of_mode(m, n, mode)
    return whole[..., first:last, :]


def rows_of_mode(m, n, mode):
    """The rows that a mode of `convolution_matrix` keeps."""
    if mode == "full":
        return 0, m + n - 1
    length = max(m, n) if mode == "same" else max(m, n) - min(m, n) + 1
    first = (m + n - 1 - length) // 2 if mode == "same" else min(m, n) - 1
    return first, first + length


non_differentiable(rows_of_mode)


def _beside(values, below):
    """Values on the diagonal under or over the main one, of a matrix one larger."""
    n = values.shape[-1] + 1
    zeros = np.zeros((*values.shape[:-1], 1))
    if below:
        return np.expand_dims(np.concatenate((values, zeros), axis=-1), -2) * np.eye(n, k=-1)
    return np.expand_dims(np.concatenate((zeros, values), axis=-1), -2) * np.eye(n, k=1)


def _with_first_row(row, rest):
    """A row on top, and `rest` without its first row below."""
    return np.concatenate((np.expand_dims(row, -2), rest[..., 1:, :]), axis=-2)


@composed(scipy.linalg.companion)
def companion(a):
    """The first row is -a[1:] / a[0]; the ones below the diagonal are constant."""
    a = np.asarray(a)
    row = -a[..., 1:] / a[..., :1]
    n = row.shape[-1]
    return _with_first_row(row, np.broadcast_to(np.eye(n, k=-1), (*row.shape, n)))


@composed(scipy.linalg.fiedler)
def fiedler(a):
    """Entry (i, j) is |aᵢ - aⱼ|."""
    a = np.atleast_1d(np.asarray(a))
    return np.abs(np.expand_dims(a, -1) - np.expand_dims(a, -2))


@composed(scipy.linalg.leslie)
def leslie(f, s):
    """The first row is f, the diagonal below the main one s."""
    f, s = np.asarray(f), np.asarray(s)
    f, s = np.atleast_1d(f), np.atleast_1d(s)
    return _with_first_row(f, _beside(s, True))


@composed(scipy.linalg.diagsvd)
def diagsvd(s, M, N):  # noqa: N803
    """Values on the main diagonal of an oblong matrix."""
    s = np.asarray(s)
    k = s.shape[-1]
    return np.expand_dims(s, -1) * np.eye(k, max(N, k))[:, :N] if k == M else np.eye(M, k) * np.expand_dims(s, -2)


@composed(scipy.linalg.khatri_rao)
def khatri_rao(a, b):
    """The Kronecker product of each pair of columns."""
    a, b = np.asarray(a), np.asarray(b)
    product = np.expand_dims(a, -2) * np.expand_dims(b, -3)
    return np.reshape(product, (*product.shape[:-3], a.shape[-2] * b.shape[-2], a.shape[-1]))
