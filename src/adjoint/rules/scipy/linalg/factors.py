"""Factors of matrices: Cholesky, LU, QR, and the polar decomposition."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.linalg

from ...numpy.decompositions import halved_diagonal
from ...numpy.lifting import array_rule, composed, refuse
from ...registry import non_differentiable
from .matrices import adjoint_of, cast, on_what_is_read, or_zeros
from .systems import order_of

# Cholesky


@array_rule(scipy.linalg.cholesky)
def cholesky_rule(a: np.ndarray, lower=False, overwrite_a=False, check_finite=True):
    """A = L Lᴴ or Uᴴ U, of which one triangle is read."""
    y = scipy.linalg.cholesky(a, lower, check_finite=check_finite)

    def cholesky_back(y_bar):
        return (cast(on_what_is_read(cholesky_bar(y, y_bar, lower), "hermitian", lower), a.dtype),)

    return y, cholesky_back


def cholesky_bar(y, y_bar, lower):
    """½ L⁻ᴴ (P + Pᴴ) L⁻¹ with P = the lower triangle of Lᴴ L̄, its diagonal halved.

    Source: I. Murray, "Differentiation of the Cholesky decomposition", 2016.
    """
    factor, bar = (np.tril(y), np.tril(y_bar)) if lower else (adjoint_of(np.triu(y)), adjoint_of(np.triu(y_bar)))
    p = np.tril(np.matmul(adjoint_of(factor), bar)) * halved_diagonal(y.shape[-1])
    middle = _by_factor(factor, p + adjoint_of(p))
    return _by_factor(factor, adjoint_of(middle)) / 2


def _by_factor(factor, b):
    """L⁻ᴴ B."""
    if np.ndim(factor) > 2:
        return np.linalg.solve(adjoint_of(factor), b)
    return scipy.linalg.solve_triangular(factor, b, 2, True, check_finite=False)


@array_rule(scipy.linalg.cho_factor)
def cho_factor_rule(a: np.ndarray, lower=False, overwrite_a=False, check_finite=True):
    """As `cholesky`; what is in the other triangle of the result SciPy does not say."""
    result = scipy.linalg.cho_factor(a, lower, check_finite=check_finite)
    c = result[0]

    def cho_factor_back(y_bar):
        c_bar = y_bar[0]
        if c_bar is None:
            return (None,)
        _check_triangle(c_bar, lower)
        return (cast(on_what_is_read(cholesky_bar(c, c_bar, lower), "hermitian", lower), a.dtype),)

    return result, cho_factor_back


def _check_triangle(c_bar, lower):
    if np.any(np.triu(c_bar, 1) if lower else np.tril(c_bar, -1)):
        why = "what the factor holds beside its triangle is not specified"
        refuse("scipy.linalg.cho_factor", why, "use `scipy.linalg.cholesky`")


non_differentiable(_check_triangle)


# LU


@array_rule(scipy.linalg.lu_factor)
def lu_factor_rule(a: np.ndarray, overwrite_a=False, check_finite=True):
    """P L U = A, both factors in one array; the order of the rows is constant."""
    lu, piv = scipy.linalg.lu_factor(a, check_finite=check_finite)
    m, n = a.shape[-2:]
    k = min(m, n)
    result = lu, piv

    def lu_factor_back(y_bar):
        lu_bar = y_bar[0]
        if lu_bar is None:
            return (None,)
        lower = np.tril(lu[..., :, :k], -1) + np.eye(m, k)
        upper = np.triu(lu[..., :k, :])
        rows = lu_bar_of_rows(lower, upper, np.tril(lu_bar[..., :, :k], -1), np.triu(lu_bar[..., :k, :]))
        back = np.argsort(order_of_rows(piv, m), axis=-1)
        return (cast(np.take_along_axis(rows, np.expand_dims(back, -1), -2), a.dtype),)

    return result, lu_factor_back


def order_of_rows(piv, m):
    """The order of all `m` rows after the interchanges, of which there may be fewer.

    >>> order_of_rows(np.array([2]), 3)
    array([2, 1, 0])
    """
    rest = np.broadcast_to(np.arange(piv.shape[-1], m), (*piv.shape[:-1], m - piv.shape[-1]))
    return order_of(np.concatenate((piv, rest), axis=-1))


non_differentiable(order_of_rows)


def lu_bar_of_rows(lower, upper, lower_bar, upper_bar):
    """The cotangent of L U: L⁻ᴴ (tril(Lᴴ L̄) + triu(Ū Uᴴ)) U⁻ᴴ, the first strictly; what is beyond the square follows.

    Below, L₂ = A₂ U⁻¹; on the right, U₂ = L⁻¹ A₂.
    """
    m, n, k = lower.shape[-2], upper.shape[-1], lower.shape[-1]
    square_l, square_u = lower[..., :k, :], upper[..., :, :k]
    l_bar, u_bar = lower_bar[..., :k, :], upper_bar[..., :, :k]
    below = right = None
    if m > k:
        below = adjoint_of(np.linalg.solve(square_u, adjoint_of(lower_bar[..., k:, :])))
        u_bar = u_bar - np.matmul(adjoint_of(lower[..., k:, :]), below)
    if n > k:
        right = np.linalg.solve(adjoint_of(square_l), upper_bar[..., :, k:])
        l_bar = l_bar - np.matmul(right, adjoint_of(upper[..., :, k:]))
    middle = np.tril(np.matmul(adjoint_of(square_l), l_bar), -1) + np.triu(np.matmul(u_bar, adjoint_of(square_u)))
    left = np.linalg.solve(adjoint_of(square_l), middle)
    whole = adjoint_of(np.linalg.solve(square_u, adjoint_of(left)))
    if below is not None:
        return np.concatenate((whole, below), axis=-2)
    return whole if right is None else np.concatenate((whole, right), axis=-1)


@array_rule(scipy.linalg.lu)
def lu_rule(a: np.ndarray, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    """A = P L U; P is constant."""
    result = scipy.linalg.lu(a, permute_l, check_finite=check_finite, p_indices=p_indices)
    _, lower, upper = scipy.linalg.lu(a, check_finite=False) if permute_l else result
    p = _order(scipy.linalg.lu(a, check_finite=False, p_indices=True)[0] if permute_l or not p_indices else result[0])
    back = np.argsort(p, axis=-1)

    def lu_back(y_bar):
        l_bar, u_bar = or_zeros(y_bar[-2], lower), or_zeros(y_bar[-1], upper)
        l_bar = np.take_along_axis(l_bar, np.expand_dims(back, -1), -2) if permute_l else l_bar
        rows = lu_bar_of_rows(lower, upper, np.tril(l_bar, -1), np.triu(u_bar))
        return (cast(np.take_along_axis(rows, np.expand_dims(p, -1), -2), a.dtype),)

    return result, lu_back


def _order(p):
    return np.asarray(p, dtype=int)


non_differentiable(_order)


# QR


@array_rule(scipy.linalg.qr)
def qr_rule(a: np.ndarray, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    """A = Q R, so Ā = (Q̄ + Q copyltu(R R̄ᴴ - Q̄ᴴ Q)) R⁻ᴴ for the square part; what is on its right is Q R₂."""
    if mode == "raw":
        refuse("scipy.linalg.qr(mode='raw')", "reflectors have no rule", "use mode='economic'")
    result = scipy.linalg.qr(a, mode=mode, pivoting=pivoting, check_finite=check_finite)
    k = min(a.shape[-2:])
    q, r = scipy.linalg.qr(a, mode="economic", pivoting=pivoting, check_finite=False)[:2] if mode == "r" else result[:2]
    q, r = q[..., :, :k], r[..., :k, :]
    back = np.argsort(result[-1], axis=-1) if pivoting else None

    def qr_back(y_bar):
        q_bar, r_bar = (None, y_bar[0]) if mode == "r" else y_bar[:2]
        if q_bar is not None and q_bar.shape[-1] > k:
            check_none_flows(q_bar[..., :, k:], "scipy.linalg.qr", "mode='economic'")
            q_bar = q_bar[..., :, :k]
        r_bar = None if r_bar is None else r_bar[..., :k, :]
        a_bar = qr_bar(q, r, or_zeros(q_bar, q), np.triu(or_zeros(r_bar, r)))
        if back is not None:
            index = np.expand_dims(back, -2)
            a_bar = np.take_along_axis(a_bar, np.broadcast_to(index, a_bar.shape), -1)
        return (cast(a_bar, a.dtype),)

    return result, qr_back


def qr_bar(q, r, q_bar, r_bar):
    """The cotangent of Q R, Q having orthonormal columns.

    Source: S. Walter, L. Lehmann, "Algorithmic differentiation of linear algebra functions", 2010.
    """
    k = r.shape[-2]
    square, right = r[..., :, :k], None
    if r.shape[-1] > k:
        right = np.matmul(q, r_bar[..., :, k:])
        q_bar = q_bar + np.matmul(q, np.matmul(r[..., :, k:], adjoint_of(r_bar[..., :, k:])))
    m = np.tril(np.matmul(square, adjoint_of(r_bar[..., :, :k])) - np.matmul(adjoint_of(q_bar), q))
    m = m * halved_diagonal(k)
    inner = q_bar + np.matmul(q, m + adjoint_of(m))
    left = adjoint_of(np.linalg.solve(square, adjoint_of(inner)))
    return left if right is None else np.concatenate((left, right), axis=-1)


def check_none_flows(d, what, way_out):
    """Refuse where something flows to vectors that complete a basis.

    >>> check_none_flows(np.zeros(2), "qr", "")
    """
    if np.any(d):
        refuse(what, "the vectors that complete a basis have no derivative", f"pass {way_out}")


non_differentiable(check_none_flows)


@array_rule(scipy.linalg.rq)
def rq_rule(a: np.ndarray, overwrite_a=False, lwork=None, mode="full", check_finite=True):
    """A = R Q. With its rows in reverse order, the adjoint of A has a QR decomposition."""
    result = scipy.linalg.rq(a, mode=mode, check_finite=check_finite)
    k = min(a.shape[-2:])
    r, q = scipy.linalg.rq(a, mode="economic", check_finite=False) if mode == "r" else result
    if a.shape[-2] > a.shape[-1]:
        refuse("scipy.linalg.rq", "only matrices with at least as many columns as rows have a rule", "use `qr`")
    extra = q.shape[-2] - k

    def rq_back(y_bar):
        r_bar, q_bar = (y_bar, None) if mode == "r" else y_bar
        if q_bar is not None and extra:
            check_none_flows(q_bar[..., :extra, :], "scipy.linalg.rq", "mode='economic'")
        r_bar, q_bar = or_zeros(r_bar, r)[..., :, -k:], or_zeros(q_bar, q)[..., -k:, :]
        turned = adjoint_of(np.flip(q[..., -k:, :], -2)), adjoint_of(np.flip(r[..., :, -k:], (-2, -1)))
        bars = adjoint_of(np.flip(q_bar, -2)), np.triu(adjoint_of(np.flip(r_bar, (-2, -1))))
        return (cast(np.flip(adjoint_of(qr_bar(*turned, *bars)), -2), a.dtype),)

    return result, rq_back


@composed(scipy.linalg.qr_multiply)
def qr_multiply(a, c, mode="right", pivoting=False, conjugate=False, overwrite_a=False, overwrite_c=False):
    """`c @ q` or `q @ c`, and R."""
    factors = scipy.linalg.qr(a, mode="economic", pivoting=pivoting)
    q = factors[0].conj() if conjugate else factors[0]
    return (np.asarray(c) @ q if mode == "right" else q @ np.asarray(c), *factors[1:])


# Polar


@array_rule(scipy.linalg.polar)
def polar_rule(a: np.ndarray, side="right"):
    """A = U P with P² = Aᴴ A: P̄ + what U = A P⁻¹ leaves on it goes through a Sylvester equation."""
    result = scipy.linalg.polar(a, side)
    right = side == "right"
    tall = a.shape[-2] >= a.shape[-1]
    if a.shape[-2] != a.shape[-1] and tall != right:
        way_out = f"pass side={'left' if right else 'right'!r}"
        refuse("scipy.linalg.polar", "the other factor is singular, where it has no derivative", way_out)
    u, p = result if right else (adjoint_of(result[0]), result[1])

    def polar_back(y_bar):
        u_bar, p_bar = y_bar
        p_bar = or_zeros(p_bar, p)
        a_bar = 0.0
        if u_bar is not None:
            a_bar = adjoint_of(np.linalg.solve(p, adjoint_of(u_bar if right else adjoint_of(u_bar))))
            p_bar = p_bar - np.matmul(adjoint_of(u), a_bar)
        x = scipy.linalg.solve_sylvester(p, p, p_bar + adjoint_of(p_bar)) / 2
        a_bar = a_bar + 2 * np.matmul(np.matmul(u, p), x)
        return (cast(a_bar if right else adjoint_of(a_bar), a.dtype),)

    return result, polar_back


@composed(scipy.linalg.orthogonal_procrustes)
def orthogonal_procrustes(A, B, check_finite=True):  # noqa: N803
    """The unitary factor of Aᴴ B, and the sum of its singular values."""
    u, p = scipy.linalg.polar(np.asarray(A).conj().T @ np.asarray(B))
    return u, np.trace(p).real
