"""Systems with banded, Toeplitz and circulant matrices, which are given by their diagonals."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.linalg

from ...numpy.lifting import array_rule, composed, refuse
from ...registry import non_differentiable, rule
from .factors import cholesky_bar
from .matrices import as_columns, bring_back
from .spectra import band_of


def refuse_stack(name, *arrays):
    """Refuse more axes than one system has."""
    if any(np.ndim(a) > 2 for a in arrays):
        refuse(f"scipy.linalg.{name} of a stack", "only one system at a time has a rule", "loop over the systems")


def diagonals(u, x, offsets):
    """Σ over columns of uᵢ xⱼ*, by diagonal j - i and column j, zeros outside.

    >>> diagonals(np.array([[1.0], [2.0]]), np.array([[3.0], [4.0]]), (1, 0))
    array([[0., 4.],
           [3., 8.]])
    """
    n = len(u)
    rows = []
    for k in offsets:
        if abs(k) >= n:
            rows.append(np.zeros(n))
        elif k >= 0:
            rows.append(np.concatenate((np.zeros(k), np.sum(u[: n - k] * x[k:].conj(), axis=-1))))
        else:
            rows.append(np.concatenate((np.sum(u[-k:] * x[:k].conj(), axis=-1), np.zeros(-k))))
    return np.stack(rows)


def adjoint_band(ab, lower, upper):
    """The diagonals of Aᴴ, from those of A with `lower` below and `upper` above the main one.

    >>> adjoint_band(np.array([[0.0, 2.0], [1.0, 3.0]]), 0, 1)
    array([[1., 3.],
           [2., 0.]])
    """
    n = ab.shape[-1]
    rows = []
    for r in range(lower + upper, -1, -1):
        k = upper - r  # the diagonal j - i of A in row r; in Aᴴ it is -k
        row = ab[r].conj()
        if abs(k) >= n:
            rows.append(np.zeros(n))
        elif k >= 0:
            rows.append(np.concatenate((row[k:], np.zeros(k))))
        else:
            rows.append(np.concatenate((np.zeros(-k), row[:k])))
    return np.stack(rows)


@rule(scipy.linalg.solve_banded, linear="b")
def solve_banded_rule(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True):
    """X = A⁻¹ B, so B̄ = A⁻ᴴ X̄ and Ā = -B̄ Xᴴ on the diagonals."""
    refuse_stack("solve_banded", ab, b)
    x = scipy.linalg.solve_banded(l_and_u, ab, b, check_finite=check_finite)
    lower, upper = l_and_u
    band, vector = np.asarray(ab), np.ndim(b) == 1

    def solve_banded_back(x_bar):
        b_bar = scipy.linalg.solve_banded((upper, lower), adjoint_band(band, lower, upper), x_bar)
        band_bar = -diagonals(as_columns(b_bar, vector), as_columns(x, vector), range(upper, -lower - 1, -1))
        return None, bring_back(band_bar, ab), bring_back(b_bar, b)

    return x, solve_banded_back


@rule(scipy.linalg.solveh_banded, linear="b")
def solveh_banded_rule(ab, b, overwrite_ab=False, overwrite_b=False, lower=False, check_finite=True):
    """X = A⁻¹ B for a Hermitian A, of which the diagonals on one side are read."""
    refuse_stack("solveh_banded", ab, b)
    x = scipy.linalg.solveh_banded(ab, b, lower=lower, check_finite=check_finite)
    band, vector = np.asarray(ab), np.ndim(b) == 1

    def solveh_banded_back(x_bar):
        b_bar = scipy.linalg.solveh_banded(band, x_bar, lower=lower)
        u, s = as_columns(b_bar, vector), as_columns(x, vector)
        width = len(band)
        offsets = range(0, -width, -1) if lower else range(width - 1, -1, -1)
        both = -(diagonals(u, s, offsets) + diagonals(s, u, offsets))
        main = np.reshape(np.asarray(offsets) == 0, (-1, 1))
        return bring_back(np.where(main, np.real(both) / 2, both), ab), bring_back(b_bar, b)

    return x, solveh_banded_back


def dense(cb, lower):
    """The triangular matrix of which these are the diagonals.

    >>> dense(np.array([[1.0, 2.0], [3.0, 0.0]]), True)
    array([[1., 0.],
           [3., 2.]])
    """
    width, n = cb.shape
    total = np.zeros((n, n))
    for k in range(min(width, n)):
        total = total + (np.diag(cb[k, : n - k], -k) if lower else np.diag(cb[width - 1 - k, k:], k))
    return total


@array_rule(scipy.linalg.cholesky_banded)
def cholesky_banded_rule(ab: np.ndarray, overwrite_ab=False, lower=False, check_finite=True):
    """As `cholesky`, on the diagonals."""
    refuse_stack("cholesky_banded", ab)
    cb = scipy.linalg.cholesky_banded(ab, lower=lower, check_finite=check_finite)

    def cholesky_banded_back(y_bar):
        g = cholesky_bar(dense(cb, lower), dense(y_bar, lower), lower)
        return (bring_back(band_of(g, len(ab), lower) + y_bar * outside(cb, lower), ab),)

    return cb, cholesky_banded_back


def outside(cb, lower):
    """One where the ends of the diagonals, which are not part of the matrix, are handed through.

    >>> outside(np.ones((2, 2)), True)
    array([[0., 0.],
           [0., 1.]])
    """
    width, n = cb.shape
    offsets = np.arange(width)[:, None]
    columns = np.arange(n)
    return 1.0 * (columns >= n - offsets if lower else columns < width - 1 - offsets)


@composed(scipy.linalg.cho_solve_banded)
def cho_solve_banded(cb_and_lower, b, overwrite_b=False, check_finite=True):
    """As `cho_solve`."""
    cb, lower = cb_and_lower
    return scipy.linalg.cho_solve((dense(np.asarray(cb), lower), lower), b)


# Toeplitz and circulant matrices


def pair_of(c_or_cr):
    """The first column and row that a Toeplitz matrix is given by; None for the row of a Hermitian one."""
    return c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, None)


non_differentiable(refuse_stack, outside)


@rule(scipy.linalg.solve_toeplitz, linear="b")
def solve_toeplitz_rule(c_or_cr, b, check_finite=True):
    """X = T⁻¹ B, so B̄ = T⁻ᴴ X̄ and T̄ = -B̄ Xᴴ, summed along its diagonals."""
    x = scipy.linalg.solve_toeplitz(c_or_cr, b, check_finite)
    column, row = pair_of(c_or_cr)
    refuse_stack("solve_toeplitz", column, b)
    if np.ndim(column) > 1:
        refuse(
            "scipy.linalg.solve_toeplitz of a stack", "only one system at a time has a rule", "loop over the systems"
        )
    c, vector = np.asarray(column), np.ndim(b) == 1
    r = c.conj() if row is None else np.asarray(row)

    def solve_toeplitz_back(x_bar):
        first = np.concatenate((c[:1], r[1:])).conj()
        b_bar = scipy.linalg.solve_toeplitz((first, c.conj()), x_bar, False)
        u, s = as_columns(b_bar, vector), as_columns(x, vector)
        below, above = -correlation(u, s), -correlation(s, u).conj()
        above = np.concatenate((np.zeros(1), above[1:]))
        if row is None:
            bar = bring_back(below + above.conj(), column)
            return bar if not isinstance(c_or_cr, tuple) else (bar, None), bring_back(b_bar, b)
        return (bring_back(below, column), bring_back(above, row)), bring_back(b_bar, b)

    return x, solve_toeplitz_back


def correlation(u, x):
    """Σⱼ uⱼ₊ₖ xⱼ* for k = 0, 1, ..., summed over columns."""
    n = len(u)
    return np.stack([np.sum(u[k:] * x[: n - k].conj()) for k in range(n)])


@composed(scipy.linalg.matmul_toeplitz)
def matmul_toeplitz(c_or_cr, x, check_finite=False, workers=None):
    """The product with the whole matrix."""
    c, r = pair_of(c_or_cr)
    return scipy.linalg.toeplitz(c, r) @ np.asarray(x)


@rule(scipy.linalg.solve_circulant, linear="b")
def solve_circulant_rule(c, b, singular="raise", tol=None, caxis=-1, baxis=0, outaxis=0):
    """X = C⁻¹ B, so B̄ = C⁻ᴴ X̄, which is circulant too, and c̄ₖ = -Σⱼ B̄ⱼ₊ₖ Xⱼ*, counted around."""
    if singular != "raise" or np.ndim(c) != 1 or baxis != 0 or outaxis != 0:
        why = "only one regular matrix, with right-hand sides in columns, has a rule"
        refuse("scipy.linalg.solve_circulant", why, "solve with `scipy.linalg.circulant(c)`")
    x = scipy.linalg.solve_circulant(c, b)
    column = np.asarray(c)
    n = len(column)

    def solve_circulant_back(x_bar):
        turned = np.concatenate((column[:1], np.flip(column[1:]))).conj()
        b_bar = scipy.linalg.solve_circulant(turned, x_bar)
        u, s = np.reshape(b_bar, (n, -1)), np.reshape(x, (n, -1))
        products = np.matmul(u, s.conj().T)
        c_bar = -np.sum(products[(np.arange(n) + np.arange(n)[:, None]) % n, np.arange(n)], axis=-1)
        return bring_back(c_bar, c), bring_back(b_bar, b)

    return x, solve_circulant_back
