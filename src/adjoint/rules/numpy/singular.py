"""Decompositions by singular values, pseudo-inverses and least squares.

Sources: M. Seeger et al., "Auto-differentiating linear algebra", 2017, in a form that stays finite where singular
values coincide: Uᴴ U̇ and Vᴴ V̇ by their sum and difference; G. H. Golub and V. Pereyra, "The differentiation of
pseudo-inverses and nonlinear least squares problems whose variables separate", 1973; N. J. Higham, "Functions of
Matrices", 2008, for differences of functions of singular values.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ...tangents import ghost, unbroadcast
from ..registry import non_differentiable, rule
from .choices import coincide, completed, inverse_differences, refuse_basis, refuse_mixed, without_phase
from .decompositions import of_triangle, or_zeros, real_sums
from .lifting import array_rule, of_arrays
from .linalg import adjoint_of
from .linear import bring_back, cast

# Singular values


def svd_tangent(dots, y, a, full_matrices=True, compute_uv=True, hermitian=False):
    """Of the singular values alone: ṡᵢ = Re uᵢᴴ Ȧ vᵢ."""
    return svdvals_tangent(dots, y, a)


def is_of_values(dots, a, full_matrices=True, compute_uv=True, hermitian=False):
    """Tell whether only the singular values of an array are asked for."""
    return not compute_uv and not hermitian and BY_VALUES(dots, a)


BY_VALUES = of_arrays(svd_tangent)


@array_rule(np.linalg.svd, forward=svd_tangent, forward_for=is_of_values)
def svd_rule(a: np.ndarray, full_matrices=True, compute_uv=True, hermitian=False):
    """A = U diag(s) Vᴴ: Ā = U (diag(s̄) + M) Vᴴ, and what goes out of the spaces of U and V.

    With X = Uᴴ Ū and Y = Vᴴ V̄, and K the anti-Hermitian part, Mᵢⱼ = K(X + Y)ᵢⱼ / (sⱼ - sᵢ) + K(X - Y)ᵢⱼ / (sᵢ + sⱼ).
    """
    if not compute_uv:
        return _singular_values(np.linalg.svd(a, full_matrices, False, hermitian), a, hermitian)
    result = np.linalg.svd(a, full_matrices, True, hermitian)
    k = min(a.shape[-2:])

    def svd_back(y_bar):
        u, s, vh = result.U[..., :k], result.S, result.Vh[..., :k, :]
        u_bar, s_bar, vh_bar = y_bar
        if u_bar is not None and result.U.shape[-1] > k:
            d = completed("np.linalg.svd", u, result.U[..., k:], u_bar[..., k:])
            u_bar = u_bar[..., :k] - d
        if vh_bar is not None and result.Vh.shape[-2] > k:
            d = completed(
                "np.linalg.svd", adjoint_of(vh), adjoint_of(result.Vh[..., k:, :]), adjoint_of(vh_bar[..., k:, :])
            )
            vh_bar = vh_bar[..., :k, :] - adjoint_of(d)
        a_bar = svd_bar(u, s, vh, u_bar, s_bar, vh_bar)
        return (of_triangle(a_bar, a, "L") if hermitian else cast(a_bar, a.dtype),)

    return result, svd_back


def svdvals_tangent(dots, y, x, /):
    """ṡᵢ = Re uᵢᴴ Ȧ vᵢ."""
    u, vh = singular_vectors(x, False)
    return unbroadcast(real_sums(u, np.matmul(dots[0], adjoint_of(vh))), y)


@array_rule(np.linalg.svdvals, forward=svdvals_tangent, forward_for=of_arrays(svdvals_tangent))
def svdvals_rule(x: np.ndarray, /):
    """The singular values of `np.linalg.svd`."""
    return _singular_values(np.linalg.svdvals(x), x, False)


def _singular_values(s, a, hermitian):
    u, vh = singular_vectors(a, hermitian)

    def singular_values_back(s_bar):
        a_bar = np.matmul(u * np.expand_dims(s_bar, -2), vh)
        return (of_triangle(a_bar, a, "L") if hermitian else cast(a_bar, a.dtype),)

    return s, singular_values_back


def singular_vectors(a, hermitian):
    """U and Vᴴ of `np.linalg.svd`."""
    result = np.linalg.svd(a, False, True, hermitian)
    return result.U, result.Vh


@rule(singular_vectors)
def singular_vectors_rule(a, hermitian):
    """As of `np.linalg.svd`, where the singular values count as used, too."""
    result, back = svd_rule(a, False, True, hermitian)

    def singular_vectors_back(y_bar):
        return back((y_bar[0], np.zeros(result.S.shape), y_bar[1]))[0], None

    return (result.U, result.Vh), singular_vectors_back


def svd_bar(u, s, vh, u_bar, s_bar, vh_bar):
    if u_bar is None and vh_bar is None:
        return np.matmul(u * np.expand_dims(or_zeros(s_bar, s), -2), vh)
    v, u_bar = adjoint_of(vh), or_zeros(u_bar, u)
    v_bar = adjoint_of(or_zeros(vh_bar, vh))
    if u.dtype.kind == "c":
        # LAPACK starts from the first row of V, of U for wide matrices, which stays real.
        if u.shape[-2] < v.shape[-2]:
            other = np.imag(np.sum(np.conj(v_bar) * v, axis=-2, keepdims=True))
            u_bar = without_phase("np.linalg.svd", u_bar, u, 0, other)
        else:
            other = np.imag(np.sum(np.conj(u_bar) * u, axis=-2, keepdims=True))
            v_bar = without_phase("np.linalg.svd", v_bar, v, 0, other)
    x, y = np.matmul(adjoint_of(u), u_bar), np.matmul(vh, v_bar)
    both = np.abs(u_bar) + np.max(np.abs(v_bar), initial=0.0)
    refuse_basis("np.linalg.svd", s, _antihermitian(x + y), both)
    refuse_mixed("np.linalg.svd", s, s_bar, np.abs(x) + np.abs(y))
    middle = inverse_differences(s) * _antihermitian(x + y) + inverse_sums(s) * _antihermitian(x - y)
    middle = middle + np.expand_dims(or_zeros(s_bar, s), -2) * np.eye(s.shape[-1])
    a_bar = np.matmul(np.matmul(u, middle), vh)
    if u.shape[-2] > s.shape[-1]:
        a_bar = a_bar + np.matmul((u_bar - np.matmul(u, x)) * np.expand_dims(_inverses(s), -2), vh)
    if v.shape[-2] > s.shape[-1]:
        a_bar = a_bar + np.matmul(u, adjoint_of((v_bar - np.matmul(v, y)) * np.expand_dims(_inverses(s), -2)))
    return a_bar


def _antihermitian(x):
    return (x - adjoint_of(x)) / 2


def inverse_sums(s):
    """1 / (sᵢ + sⱼ), 0 where both are 0.

    >>> inverse_sums(np.array([1.0, 0.0]))
    array([[0.5, 1. ],
           [1. , 0. ]])
    """
    total = np.expand_dims(s, -2) + np.expand_dims(s, -1)
    none = _is_zero(total, s)
    return np.where(none, 0.0, 1 / np.where(none, 1, total))


def _inverses(s):
    none = _is_zero(s, s)
    return np.where(none, 0.0, 1 / np.where(none, 1, s))


def _is_zero(x, s):
    """A mask of the values that are 0 up to rounding, beside these singular values."""
    largest = np.max(s, axis=-1, initial=0.0).reshape(*s.shape[:-1], *(1,) * (x.ndim - s.ndim + 1))
    return x <= s.shape[-1] * np.finfo(s.dtype).eps * largest


# Pseudo-inverses


def pinv_tangent(dots, y, a, rcond=None, hermitian=False, *, rtol=None):
    """Ṗ, which is for Ȧᴴ what Āᴴ is for P̄: the derivative of a function of singular values is self-adjoint."""
    return unbroadcast(adjoint_of(_pinv_bar(a, y, adjoint_of(dots[0]))), y)


@array_rule(
    np.linalg.pinv,
    forward=pinv_tangent,
    forward_for=of_arrays(pinv_tangent, options="rcond rtol"),
)
def pinv_rule(a: np.ndarray, rcond=None, hermitian=False, *, rtol=np._NoValue):
    """P = A⁺, where no singular value passes the bound under which it counts as 0."""
    options = {} if rtol is np._NoValue else {"rtol": rtol}
    p = np.linalg.pinv(a, rcond, hermitian, **options)

    def pinv_back(p_bar):
        if hermitian:
            lower = np.tril(a, -1)
            whole = lower + adjoint_of(lower) + np.real(a) * np.eye(a.shape[-1])
            return (of_triangle(_pinv_bar(whole, p, p_bar), a, "L"),)
        return (cast(_pinv_bar(a, p, p_bar), a.dtype),)

    return p, pinv_back


def _pinv_bar(a, p, p_bar):
    """dP = -P dA P + P Pᴴ dAᴴ (I - A P) + (I - P A) dAᴴ Pᴴ P, if nothing but zeros was left out."""
    if leaves_out(a, p):
        return _truncated_pinv_bar(a, p, p_bar)
    p_h, d = adjoint_of(p), adjoint_of(p_bar)
    a_bar = -np.matmul(np.matmul(p_h, p_bar), p_h)
    left, right = np.eye(a.shape[-2]) - np.matmul(a, p), np.eye(a.shape[-1]) - np.matmul(p, a)
    a_bar = a_bar + np.matmul(np.matmul(left, d), np.matmul(p, p_h))
    return a_bar + np.matmul(np.matmul(p_h, p), np.matmul(d, right))


def leaves_out(a, p):
    """Tell whether `p` is the pseudo-inverse of less than the matrix: singular values that are not 0 were left out."""
    size = np.max(np.abs(a), axis=(-2, -1), initial=0.0, keepdims=True)
    rest = np.abs(a - np.matmul(np.matmul(a, p), a))
    return bool(np.any(rest > np.sqrt(np.finfo(rest.dtype).eps) * size))


def _truncated_pinv_bar(a, p, p_bar):
    """Pᴴ = U diag(g) Vᴴ with g = 1/s or 0: as of `np.linalg.svd`, by (gᵢ ± gⱼ) / (sᵢ ± sⱼ)."""
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    v, taken = adjoint_of(vh), taken_values(p, u, s, vh)
    g = np.where(taken, 1 / np.where(taken, s, 1), 0.0)
    column, row = np.expand_dims(g, -1), np.expand_dims(g, -2)
    both = np.expand_dims(taken, -1) & np.expand_dims(taken, -2)
    of_difference = np.where(both, -column * row, (row - column) * inverse_differences(s))
    of_sum = (column + row) * inverse_sums(s)
    d = adjoint_of(p_bar)
    of_rows, of_columns = np.matmul(d, v), np.matmul(adjoint_of(u), d)
    inner = np.matmul(of_columns, v)
    middle = (of_sum + of_difference) / 2 * inner + (of_difference - of_sum) / 2 * adjoint_of(inner)
    outside = np.matmul((of_rows - np.matmul(u, inner)) * row**2, vh)
    outside = outside + np.matmul(u, column**2 * (of_columns - np.matmul(inner, vh)))
    return np.matmul(np.matmul(u, middle), vh) + outside


def taken_values(p, u, s, vh):
    """A mask of the singular values that a pseudo-inverse was made of."""
    return np.real(np.sum(np.matmul(vh, p) * np.swapaxes(u, -1, -2), axis=-1)) * s > 0.5


# Least squares


@rule(np.linalg.lstsq)
def lstsq_rule(a: np.ndarray | list | tuple, b: np.ndarray | list | tuple, rcond=None):
    """x = A⁺ b; the residuals r = |b - A x|² have b̄ = 2 (b - A x) r̄ and Ā = -b̄ xᴴ, x being where they are least."""
    result = np.linalg.lstsq(a, b, rcond)
    x = result[0]
    matrix, columns = np.asarray(a), np.asarray(b)
    a_like, b_like, vector = ghost(a), ghost(b), columns.ndim == 1
    if vector:
        columns, x = np.expand_dims(columns, -1), np.expand_dims(x, -1)

    def lstsq_back(y_bar):
        x_bar, residuals_bar, _, s_bar = y_bar
        a_bar, b_bar = np.zeros(matrix.shape), np.zeros(columns.shape)
        if x_bar is not None:
            d = np.expand_dims(x_bar, -1) if vector else x_bar
            p = np.linalg.pinv(matrix, least_ratio(result[0], matrix.shape, rcond))
            a_bar = a_bar + _pinv_bar(matrix, p, np.matmul(d, adjoint_of(columns)))
            b_bar = b_bar + np.matmul(adjoint_of(p), d)
        if residuals_bar is not None and residuals_bar.size > 0:
            d = 2 * (columns - np.matmul(matrix, x)) * residuals_bar
            a_bar, b_bar = a_bar - np.matmul(d, adjoint_of(x)), b_bar + d
        if s_bar is not None:
            u, vh = singular_vectors(matrix, False)
            a_bar = a_bar + np.matmul(u * s_bar, vh)
        return bring_back(a_bar, a_like), bring_back(b_bar[..., 0] if vector else b_bar, b_like)

    return result, lstsq_back


def least_ratio(x, shape, rcond):
    """The fraction of the largest singular value up to which others count as 0 for `np.linalg.lstsq`."""
    eps = np.finfo(x.dtype).eps
    return eps * max(shape) if rcond is None else eps if rcond < 0 else rcond


non_differentiable(_is_zero, leaves_out, taken_values, least_ratio, coincide)
