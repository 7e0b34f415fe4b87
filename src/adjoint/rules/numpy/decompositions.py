"""Matrix decompositions: Cholesky, QR, eigenvalues; `singular` has those by singular values.

Functions that read one triangle of a Hermitian matrix have their derivative in this triangle. What a decomposition
leaves to choice has none: see `choices`.

Sources: M. Seeger et al., "Auto-differentiating linear algebra", 2017; for QR of all shapes S. F. Walter and
L. Lehmann, "Algorithmic differentiation of linear algebra functions with application in optimum experimental design",
2010, and D. A. O. Roberts and L. R. Roberts, "QR and LQ decomposition matrix backpropagation algorithms for square,
wide, and deep matrices", 2020; for eigenvectors in general C. Boeddeker et al., 2017.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ...tangents import unbroadcast
from ..registry import non_differentiable, rule
from .choices import basis_turn, completed, inverse_differences, refuse_basis, refuse_mixed, without_phase
from .lifting import array_rule, of_arrays, refuse
from .linalg import adjoint_of
from .linear import cast


def or_zeros(d, like):
    """A cotangent, zeros where nothing flows."""
    return np.zeros(like.shape) if d is None else d


# Cholesky


def cholesky_tangent(dots, y, a, /, *, upper=False):
    """L̇ = L P with P = the lower triangle of L⁻¹ Ȧ L⁻ᴴ, its diagonal halved."""
    lower = adjoint_of(y) if upper else y
    half = np.linalg.solve(lower, hermitian(dots[0], "U" if upper else "L"))
    inner = np.linalg.solve(lower, adjoint_of(half))
    l_dot = np.matmul(lower, np.tril(inner) * halved_diagonal(a.shape[-1]))
    return unbroadcast(adjoint_of(l_dot) if upper else l_dot, y)


@array_rule(
    np.linalg.cholesky,
    forward=cholesky_tangent,
    forward_for=of_arrays(cholesky_tangent, options="upper"),
)
def cholesky_rule(a: np.ndarray, /, *, upper=False):
    """A = L Lᴴ, so Ā = ½ L⁻ᴴ (P + Pᴴ) L⁻¹ with P = the lower triangle of Lᴴ L̄, its diagonal halved."""
    y = np.linalg.cholesky(a, upper=upper)
    lower = adjoint_of(y) if upper else y

    def cholesky_back(y_bar):
        l_bar = np.tril(adjoint_of(y_bar) if upper else y_bar)
        p = np.tril(np.matmul(adjoint_of(lower), l_bar)) * halved_diagonal(a.shape[-1])
        middle = np.linalg.solve(adjoint_of(lower), p + adjoint_of(p))
        a_bar = adjoint_of(np.linalg.solve(adjoint_of(lower), adjoint_of(middle))) / 2
        return (of_triangle(a_bar, a, "U" if upper else "L"),)

    return y, cholesky_back


def halved_diagonal(n):
    """Ones, and one half on the diagonal.

    >>> halved_diagonal(2)
    array([[0.5, 1. ],
           [1. , 0.5]])
    """
    return np.ones((n, n)) - 0.5 * np.eye(n)


def hermitian(a, triangle):
    """The Hermitian matrix that a function sees which reads one triangle.

    >>> hermitian(np.array([[1.0, 2.0], [3.0, 4.0]]), "L")
    array([[1., 3.],
           [3., 4.]])
    """
    lower = np.tril(a, -1) if triangle.upper() == "L" else adjoint_of(np.triu(a, 1))
    return lower + adjoint_of(lower) + np.real(a) * np.eye(a.shape[-1])


def of_triangle(a_bar, a, triangle):
    """The cotangent of a matrix of which only one triangle is read: both halves of a symmetric one fall on it."""
    both = (a_bar + adjoint_of(a_bar)) / 2
    weights = 2 * np.ones(a.shape[-2:]) - np.eye(a.shape[-1])
    return cast((np.tril(both) if triangle.upper() == "L" else np.triu(both)) * weights, a.dtype)


# QR


@array_rule(np.linalg.qr)
def qr_rule(a: np.ndarray, mode="reduced"):
    """A = Q R, so Ā = (Q̄ + Q copyltu(R R̄ᴴ - Q̄ᴴ Q)) R⁻ᴴ; further columns A₂ of a wide matrix are Q R₂."""
    if mode not in ("reduced", "complete", "r"):
        refuse("np.linalg.qr", "'raw' gives the reflectors of LAPACK, which are not followed", "use another mode")
    result = np.linalg.qr(a, mode)
    q, r = np.linalg.qr(a) if mode == "r" else result
    k, wide = min(a.shape[-2:]), a.shape[-1] > a.shape[-2]

    def qr_back(y_bar):
        q_bar, r_bar = (None, y_bar) if mode == "r" else y_bar
        q_bar, r_bar = or_zeros(q_bar, q), np.triu(or_zeros(r_bar, r))[..., :k, :]
        q1, r1, d = q[..., :k], r[..., :k, :k], q_bar[..., :k]
        if q.shape[-1] > k:
            d = d - completed("np.linalg.qr", q1, q[..., k:], q_bar[..., k:])
        if wide:
            d = d + np.matmul(a[..., k:], adjoint_of(r_bar[..., k:]))
        m = np.tril(np.matmul(r1, adjoint_of(r_bar[..., :k])) - np.matmul(adjoint_of(d), q1)) * halved_diagonal(k)
        inner = d + np.matmul(q1, m + adjoint_of(m))
        a_bar = adjoint_of(np.linalg.solve(r1, adjoint_of(inner)))
        if wide:
            a_bar = np.concatenate((a_bar, np.matmul(q1, r_bar[..., k:])), axis=-1)
        return (cast(a_bar, a.dtype),)

    return result, qr_back


# Eigenvalues of Hermitian matrices


def eigh_tangent(dots, y, a, UPLO="L"):  # noqa: N803
    """ẇᵢ = vᵢᵀ Ȧ vᵢ and V̇ = V (F ∘ Vᵀ Ȧ V)."""
    w, v = y.eigenvalues, y.eigenvectors
    refuse_mixed("np.linalg.eigh", w, w)
    inner = np.matmul(np.swapaxes(v, -1, -2), np.matmul(hermitian(dots[0], UPLO), v))
    w_dot = np.sum(inner * np.eye(a.shape[-1]), axis=-1)
    v_dot = np.matmul(v, inverse_differences(w) * inner)
    return type(y)(unbroadcast(w_dot, w), unbroadcast(v_dot, v))


@array_rule(
    np.linalg.eigh,
    forward=eigh_tangent,
    forward_for=of_arrays(eigh_tangent, options="UPLO", holomorphic=False),
)
def eigh_rule(a: np.ndarray, UPLO="L"):  # noqa: N803
    """A = V diag(w) Vᴴ, so Ā = V (diag(w̄) + F ∘ Vᴴ V̄) Vᴴ with Fᵢⱼ = 1 / (wⱼ - wᵢ)."""
    result = np.linalg.eigh(a, UPLO)
    w, v = result.eigenvalues, result.eigenvectors
    # LAPACK starts from this row, which stays real.
    row = 0 if UPLO.upper() == "L" else -1

    def eigh_back(y_bar):
        w_bar, v_bar = y_bar
        middle = np.zeros(a.shape) if w_bar is None else np.expand_dims(w_bar, -2) * np.eye(a.shape[-1])
        if v_bar is not None:
            turn = np.matmul(adjoint_of(v), without_phase("np.linalg.eigh", v_bar, v, row))
            refuse_basis("np.linalg.eigh", w, basis_turn(w, turn), v_bar)
            refuse_mixed("np.linalg.eigh", w, w_bar, turn)
            middle = middle + inverse_differences(w) * turn
        return (of_triangle(np.matmul(np.matmul(v, middle), adjoint_of(v)), a, UPLO),)

    return result, eigh_back


def eigvalsh_tangent(dots, y, a, UPLO="L"):  # noqa: N803
    """ẇᵢ = vᵢᴴ Ȧ vᵢ."""
    v = eigenvectors_of_hermitian(a, UPLO)
    return unbroadcast(real_sums(v, np.matmul(hermitian(dots[0], UPLO), v)), y)


def real_sums(v, d):
    """Re Σ vᵢ* dᵢ of each column."""
    return np.sum(v * d if v.dtype.kind != "c" else np.real(np.conj(v) * d), axis=-2)


@array_rule(np.linalg.eigvalsh, forward=eigvalsh_tangent, forward_for=of_arrays(eigvalsh_tangent, options="UPLO"))
def eigvalsh_rule(a: np.ndarray, UPLO="L"):  # noqa: N803
    """The eigenvalues of `np.linalg.eigh`, so Ā = V diag(w̄) Vᴴ."""
    v = eigenvectors_of_hermitian(a, UPLO)

    def eigvalsh_back(w_bar):
        return (of_triangle(np.matmul(v * np.expand_dims(w_bar, -2), adjoint_of(v)), a, UPLO),)

    return np.linalg.eigvalsh(a, UPLO), eigvalsh_back


def eigenvectors_of_hermitian(a, triangle):
    """The eigenvectors of `np.linalg.eigh`."""
    return np.linalg.eigh(a, triangle).eigenvectors


@rule(eigenvectors_of_hermitian)
def eigenvectors_of_hermitian_rule(a, triangle):
    """As of `np.linalg.eigh`, where the eigenvalues count as used, too."""
    result, back = eigh_rule(a, triangle)

    def eigenvectors_back(v_bar):
        return back((np.zeros(a.shape[:-1]), v_bar))[0], None

    return result.eigenvectors, eigenvectors_back


# Eigenvalues in general


@array_rule(np.linalg.eig)
def eig_rule(a: np.ndarray):
    """A V = V diag(w), so Ā = V⁻ᴴ (diag(w̄) + conj(F) ∘ (Vᴴ V̄ - Vᴴ V diag(Re(Vᴴ V̄)))) Vᴴ."""
    result = np.linalg.eig(a)
    w, v = result.eigenvalues, result.eigenvectors

    def eig_back(y_bar):
        w_bar, v_bar = y_bar
        v_h, eye = adjoint_of(v), np.eye(a.shape[-1])
        middle = np.zeros(a.shape)
        if v_bar is not None:
            turn = np.matmul(v_h, without_phase("np.linalg.eig", v_bar, v))
            # Vᴴ V̄ is 0 there for V f(w) V⁻¹ as well.
            refuse_mixed("np.linalg.eig", w, w_bar)
            # The eigenvectors keep length 1.
            along = np.matmul(v_h, v) * np.real(np.sum(turn * eye, axis=-2, keepdims=True))
            refuse_basis("np.linalg.eig", w, turn, v_bar, own=True)
            middle = inverse_differences(w).conj() * (turn - along)
        if w_bar is None:
            return (cast(np.linalg.solve(v_h, np.matmul(middle, v_h)), a.dtype),)
        return (cast(of_eigenvalues(v_h, w_bar, middle), a.dtype),)

    return result, eig_back


def of_eigenvalues(v_h, w_bar, middle):
    """V⁻ᴴ (diag(w̄) + M) Vᴴ. Where all w̄ are equal (that is the trace) there need not be as many eigenvectors."""
    mean = np.expand_dims(w_bar[..., :1], -1)
    scaled = np.expand_dims(w_bar - w_bar[..., :1], -1) * v_h + np.matmul(middle, v_h)
    return mean * np.eye(v_h.shape[-1]) + np.linalg.solve(v_h, scaled)


@array_rule(np.linalg.eigvals)
def eigvals_rule(a: np.ndarray):
    """The eigenvalues of `np.linalg.eig`, so Ā = V⁻ᴴ diag(w̄) Vᴴ."""
    v = eigenvectors_of(a)

    def eigvals_back(w_bar):
        v_h = adjoint_of(v)
        return (cast(of_eigenvalues(v_h, w_bar, np.zeros(a.shape)), a.dtype),)

    return np.linalg.eigvals(a), eigvals_back


def eigenvectors_of(a):
    """The eigenvectors of `np.linalg.eig`."""
    return np.linalg.eig(a).eigenvectors


@rule(eigenvectors_of)
def eigenvectors_of_rule(a):
    """As of `np.linalg.eig`, where the eigenvalues count as used, too."""
    result, back = eig_rule(a)

    def eigenvectors_back(v_bar):
        return (back((np.zeros(a.shape[:-1]), v_bar))[0],)

    return result.eigenvectors, eigenvectors_back


non_differentiable(halved_diagonal)
