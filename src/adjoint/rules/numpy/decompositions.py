"""Matrix decompositions: Cholesky, QR, eigenvalues, singular values. Stacks of matrices go through at once.

Where eigenvalues or singular values coincide the vectors have no derivative; their part is then left out.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from .lifting import array_rule, refuse
from .linalg import adjoint_of
from .linear import cast


def _or_zeros(d, like):
    return np.zeros(like.shape) if d is None else d


@array_rule(np.linalg.cholesky, returns="array alike")
def cholesky_rule(a: np.ndarray, /, *, upper=False):
    """A = L Lᴴ, so Ā = ½ L⁻ᴴ (P + Pᴴ) L⁻¹ with P = the lower triangle of Lᴴ L̄, its diagonal halved."""
    y = np.linalg.cholesky(a, upper=upper)
    lower = adjoint_of(y) if upper else y

    def cholesky_back(y_bar):
        l_bar = np.tril(adjoint_of(y_bar) if upper else y_bar)
        p = np.tril(np.matmul(adjoint_of(lower), l_bar)) * halved_diagonal(a.shape[-1])
        middle = np.linalg.solve(adjoint_of(lower), p + adjoint_of(p))
        return (cast(adjoint_of(np.linalg.solve(adjoint_of(lower), adjoint_of(middle))) / 2, a.dtype),)

    return y, cholesky_back


def halved_diagonal(n):
    """Ones, and one half on the diagonal.

    >>> halved_diagonal(2)
    array([[0.5, 1. ],
           [1. , 0.5]])
    """
    return np.ones((n, n)) - 0.5 * np.eye(n)


@array_rule(np.linalg.qr)
def qr_rule(a: np.ndarray, mode="reduced"):
    """A = Q R, so Ā = (Q̄ + Q copyltu(R R̄ᴴ - Q̄ᴴ Q)) R⁻ᴴ, for matrices with at least as many rows as columns."""
    if mode not in ("reduced", "r") or a.shape[-2] < a.shape[-1]:
        why = "only 'reduced' and 'r', and no fewer rows than columns, have a rule"
        refuse("np.linalg.qr", why, "use one of these, or decompose the transpose")
    result = np.linalg.qr(a, mode)
    q, r = np.linalg.qr(a) if mode == "r" else result

    def qr_back(y_bar):
        q_bar, r_bar = (None, y_bar) if mode == "r" else y_bar
        q_bar, r_bar = _or_zeros(q_bar, q), np.triu(_or_zeros(r_bar, r))
        m = np.tril(np.matmul(r, adjoint_of(r_bar)) - np.matmul(adjoint_of(q_bar), q)) * halved_diagonal(a.shape[-1])
        inner = q_bar + np.matmul(q, m + adjoint_of(m))
        return (cast(adjoint_of(np.linalg.solve(r, adjoint_of(inner))), a.dtype),)

    return result, qr_back


@array_rule(np.linalg.eigh)
def eigh_rule(a: np.ndarray, UPLO="L"):  # noqa: N803
    """A = V diag(w) Vᴴ, so Ā = V (diag(w̄) + F ∘ Vᴴ V̄) Vᴴ with Fᵢⱼ = 1 / (wⱼ - wᵢ)."""
    result = np.linalg.eigh(a, UPLO)
    w, v = result.eigenvalues, result.eigenvectors

    def eigh_back(y_bar):
        w_bar, v_bar = y_bar
        middle = np.zeros(a.shape) if w_bar is None else np.expand_dims(w_bar, -2) * np.eye(a.shape[-1])
        if v_bar is not None:
            middle = middle + inverse_differences(w) * np.matmul(adjoint_of(v), v_bar)
        return (_of_triangle(np.matmul(np.matmul(v, middle), adjoint_of(v)), a, UPLO),)

    return result, eigh_back


@array_rule(np.linalg.eigvalsh, returns="array")
def eigvalsh_rule(a: np.ndarray, UPLO="L"):  # noqa: N803
    """The eigenvalues of `np.linalg.eigh`, so Ā = V diag(w̄) Vᴴ."""
    _, v = np.linalg.eigh(a, UPLO)

    def eigvalsh_back(w_bar):
        return (_of_triangle(np.matmul(v * np.expand_dims(w_bar, -2), adjoint_of(v)), a, UPLO),)

    return np.linalg.eigvalsh(a, UPLO), eigvalsh_back


def _of_triangle(a_bar, a, triangle):
    """The cotangent of a matrix of which only one triangle is read: both halves of a symmetric one fall on it."""
    both = (a_bar + adjoint_of(a_bar)) / 2
    weights = 2 * np.ones(a.shape[-2:]) - np.eye(a.shape[-1])
    return cast((np.tril(both) if triangle.upper() == "L" else np.triu(both)) * weights, a.dtype)


def inverse_differences(w):
    """Fᵢⱼ = 1 / (wⱼ - wᵢ), 0 where these are equal.

    >>> inverse_differences(np.array([1.0, 3.0]))
    array([[ 0. ,  0.5],
           [-0.5,  0. ]])
    """
    difference = np.expand_dims(w, -2) - np.expand_dims(w, -1)
    return np.where(difference == 0, 0.0, 1 / np.where(difference == 0, 1, difference))


@array_rule(np.linalg.eig)
def eig_rule(a: np.ndarray):
    """A V = V diag(w), so Ā = V⁻ᴴ (diag(w̄) + conj(F) ∘ (Vᴴ V̄ - Vᴴ V diag(Re(Vᴴ V̄)))) Vᴴ."""
    result = np.linalg.eig(a)
    w, v = result.eigenvalues, result.eigenvectors

    def eig_back(y_bar):
        w_bar, v_bar = y_bar
        eye = np.eye(a.shape[-1])
        middle = np.zeros(a.shape) if w_bar is None else np.expand_dims(w_bar, -2) * eye
        if v_bar is not None:
            v_h = adjoint_of(v)
            projected = np.matmul(v_h, v_bar)
            # The eigenvectors keep length 1.
            along = np.matmul(v_h, v) * np.real(np.sum(projected * eye, axis=-2, keepdims=True))
            middle = middle + inverse_differences(w).conj() * (projected - along)
        return (cast(np.linalg.solve(adjoint_of(v), np.matmul(middle, adjoint_of(v))), a.dtype),)

    return result, eig_back


@array_rule(np.linalg.eigvals, returns="array")
def eigvals_rule(a: np.ndarray):
    """The eigenvalues of `np.linalg.eig`, so Ā = V⁻ᴴ diag(w̄) Vᴴ."""
    w, v = np.linalg.eig(a)

    def eigvals_back(w_bar):
        v_h = adjoint_of(v)
        return (cast(np.linalg.solve(v_h, np.expand_dims(w_bar, -1) * v_h), a.dtype),)

    return np.linalg.eigvals(a), eigvals_back


@array_rule(np.linalg.svd)
def svd_rule(a: np.ndarray, full_matrices=True, compute_uv=True, hermitian=False):
    """A = U diag(s) Vᴴ, so for the singular values alone Ā = U diag(s̄) Vᴴ."""
    if hermitian:
        refuse("np.linalg.svd(hermitian=True)", "only the general form has a rule", "use np.linalg.eigh")
    result = np.linalg.svd(a, full_matrices, compute_uv)
    if not compute_uv:
        u, _, vh = np.linalg.svd(a, full_matrices=False)

        def singular_values_back(s_bar):
            return (cast(np.matmul(u * np.expand_dims(s_bar, -2), vh), a.dtype),)

        return result, singular_values_back

    def svd_back(y_bar):
        if full_matrices and a.shape[-1] != a.shape[-2] and (y_bar[0] is not None or y_bar[2] is not None):
            refuse("np.linalg.svd", "the vectors that complete a basis have no derivative", "pass full_matrices=False")
        k = min(a.shape[-2:])
        u, s, vh = result.U[..., :, :k], result.S, result.Vh[..., :k, :]
        return (cast(_svd_bar(u, s, vh, *y_bar), a.dtype),)

    return result, svd_back


def _svd_bar(u, s, vh, u_bar, s_bar, vh_bar):
    eye, v, row = np.eye(s.shape[-1]), adjoint_of(vh), np.expand_dims(s, -2)
    middle = np.zeros((*s.shape, s.shape[-1])) if s_bar is None else np.expand_dims(s_bar, -2) * eye
    f = inverse_differences(s * s)
    inverse = np.where(row == 0, 0.0, 1 / np.where(row == 0, 1, row))
    a_bar = 0.0
    if u_bar is not None:
        j = f * np.matmul(adjoint_of(u), u_bar)
        middle = middle + (j + adjoint_of(j)) * row
        rest = u_bar - np.matmul(u, np.matmul(adjoint_of(u), u_bar))
        a_bar = a_bar + np.matmul(rest * inverse, vh)
    if vh_bar is not None:
        v_bar = adjoint_of(vh_bar)
        k = f * np.matmul(vh, v_bar)
        middle = middle + np.swapaxes(row, -1, -2) * (k + adjoint_of(k))
        rest = v_bar - np.matmul(v, np.matmul(vh, v_bar))
        a_bar = a_bar + np.matmul(u, adjoint_of(rest * inverse))
        if np.iscomplexobj(v_bar):
            # What turns the phase of a pair (u, v) is split between both; all of it is put on v here.
            diagonal = np.imag(np.matmul(vh, v_bar) * eye)
            middle = middle - 1j * diagonal * inverse
    return a_bar + np.matmul(np.matmul(u, middle), vh)
