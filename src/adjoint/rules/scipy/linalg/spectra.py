"""Eigenvalues and singular values. Where they coincide, only what does not depend on a basis has one."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.linalg

from ....tangents import unbroadcast
from ...numpy.choices import basis_turn, inverse_differences, refuse_basis, refuse_mixed
from ...numpy.lifting import array_rule, refuse
from ...numpy.singular import svd_bar
from ...registry import non_differentiable, rule
from .factors import check_none_flows
from .matrices import adjoint_of, bring_back, cast, computed, ghost, on_what_is_read

# Singular values


@array_rule(scipy.linalg.svd)
def svd_rule(
    a: np.ndarray, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True, lapack_driver="gesdd"
):
    """A = U diag(s) Vᴴ, so for the singular values alone Ā = U diag(s̄) Vᴴ."""
    result = scipy.linalg.svd(a, full_matrices, compute_uv, False, check_finite, lapack_driver)
    if not compute_uv:
        return result, _of_singular_values(a)
    k = min(a.shape[-2:])
    u, s, vh = result[0][..., :, :k], result[1], result[2][..., :k, :]

    def svd_back(y_bar):
        u_bar, s_bar, vh_bar = y_bar
        if u_bar is not None:
            check_none_flows(u_bar[..., :, k:], "scipy.linalg.svd", "full_matrices=False")
            u_bar = u_bar[..., :, :k]
        if vh_bar is not None:
            check_none_flows(vh_bar[..., k:, :], "scipy.linalg.svd", "full_matrices=False")
            vh_bar = vh_bar[..., :k, :]
        return (cast(svd_bar(u, s, vh, u_bar, s_bar, vh_bar), a.dtype),)

    return result, svd_back


def _of_singular_values(a):
    def singular_values_back(s_bar):
        u, s, vh = scipy.linalg.svd(a, full_matrices=False, check_finite=False)
        s_bar = s_bar + 0.0 * s  # the values count as used
        return (cast(np.matmul(u * np.expand_dims(s_bar, -2), vh), a.dtype),)

    return singular_values_back


@array_rule(scipy.linalg.svdvals)
def svdvals_rule(a: np.ndarray, overwrite_a=False, check_finite=True):
    """The singular values of `svd`."""
    return scipy.linalg.svdvals(a, False, check_finite), _of_singular_values(a)


# Hermitian matrices


def spectral_bar(function, w, v, w_bar, v_bar):
    """The middle of Ā = V (diag(w̄) + F ∘ Vᴴ V̄) Vᴴ with Fᵢⱼ = 1 / (wⱼ - wᵢ), for a Hermitian A = V diag(w) Vᴴ."""
    n = v.shape[-1]
    middle = np.zeros((n, n)) if w_bar is None else np.expand_dims(w_bar, -2) * np.eye(n)
    if v_bar is not None:
        turn = np.matmul(adjoint_of(v), v_bar)
        refuse_basis(function, w, basis_turn(w, turn), v_bar)
        refuse_mixed(function, w, w_bar, turn)
        middle = middle + inverse_differences(w) * turn
    return middle


def completed_spectrum(w, v, w_bar, v_bar, everything):
    """Values, vectors and their cotangents with those that were not asked for, which the vectors' part needs."""
    n, k = v.shape[-2:]
    if n == k or v_bar is None:
        return w, v, w_bar, v_bar
    w_all, v_all = everything()
    i = place_of(w_all, w)
    w, v = np.concatenate((w_all[:i], w, w_all[i + k :])), np.hstack((v_all[:, :i], v, v_all[:, i + k :]))
    v_bar = np.hstack((np.zeros((n, i)), v_bar, np.zeros((n, n - i - k))))
    if w_bar is not None:
        w_bar = np.concatenate((np.zeros(i), w_bar, np.zeros(n - i - k)))
    return w, v, w_bar, v_bar


def place_of(w_all, w):
    """The place in ascending values where a part of them begins.

    >>> place_of(np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.0]))
    1
    """
    return min(int(np.argmin(np.abs(w_all - w[0]))), len(w_all) - len(w)) if len(w) else 0


non_differentiable(place_of)


def _check_type(type):
    if type != 1:
        why = "only A v = w B v has a rule"
        refuse(f"scipy.linalg.eigh(type={type})", why, "bring B to the right side by `solve`")


@rule(scipy.linalg.eigh)
def eigh_rule(
    a,
    b=None,
    *,
    lower=True,
    eigvals_only=False,
    overwrite_a=False,
    overwrite_b=False,
    type=1,  # noqa: A002
    check_finite=True,
    subset_by_index=None,
    subset_by_value=None,
    driver=None,
):
    """A V = B V diag(w), Vᴴ B V = I, so Ā = V M Vᴴ and B̄ = -V (M diag(w) + ½ diag(Vᴴ V̄)) Vᴴ."""
    _check_type(type)
    options = {"lower": lower, "check_finite": check_finite}
    chosen = {"subset_by_index": subset_by_index, "subset_by_value": subset_by_value, "driver": driver}
    result = scipy.linalg.eigh(a, b, eigvals_only=eigvals_only, type=type, **options, **chosen)
    a_like, b_like = ghost(a), ghost(b)
    given = not eigvals_only
    w, v = result if given else (result, None)
    general = b is not None

    def eigh_back(y_bar):
        w_bar, v_bar = y_bar if given else (y_bar, None)
        vectors = v
        if not given:
            again, vectors = scipy.linalg.eigh(a, b, **options, **chosen)
            w_bar = w_bar + 0.0 * again  # the values count as used
        values, vectors, w_bar, v_bar = completed_spectrum(
            w, vectors, w_bar, v_bar, lambda: scipy.linalg.eigh(a, b, **options)
        )
        middle = spectral_bar("scipy.linalg.eigh", values, vectors, w_bar, v_bar)
        a_bar = np.matmul(np.matmul(vectors, middle), adjoint_of(vectors))
        a_bar = bring_back(on_what_is_read((a_bar + adjoint_of(a_bar)) / 2, "hermitian", lower), a_like)
        if not general:
            return a_bar, None
        middle = middle * np.expand_dims(values, -2)
        if v_bar is not None:
            along = np.real(np.sum(vectors.conj() * v_bar, axis=-2, keepdims=True))
            middle = middle + along * np.eye(vectors.shape[-1]) / 2
        b_bar = -np.matmul(np.matmul(vectors, middle), adjoint_of(vectors))
        return a_bar, bring_back(on_what_is_read((b_bar + adjoint_of(b_bar)) / 2, "hermitian", lower), b_like)

    return result, eigh_back


@rule(scipy.linalg.eigvalsh)
def eigvalsh_rule(
    a,
    b=None,
    *,
    lower=True,
    overwrite_a=False,
    overwrite_b=False,
    type=1,  # noqa: A002
    check_finite=True,
    subset_by_index=None,
    subset_by_value=None,
    driver=None,
):
    """The eigenvalues of `eigh`."""
    chosen = {"subset_by_index": subset_by_index, "subset_by_value": subset_by_value}
    options = {"lower": lower, "type": type, "check_finite": check_finite, **chosen}
    y = scipy.linalg.eigvalsh(a, b, driver=driver, **options)
    _, back = eigh_rule(a, b, eigvals_only=True, **options)
    return y, back


def band_of(g, width, lower):
    """The cotangent of a band that stands for a Hermitian matrix, from that of the matrix."""
    both = on_what_is_read((g + adjoint_of(g)) / 2, "hermitian", lower)
    n = g.shape[-1]
    offsets = range(width) if lower else range(width - 1, -1, -1)
    rows = []
    for k in offsets:
        diagonal, rest = np.diagonal(both, -k if lower else k), np.zeros(min(k, n))
        rows.append(np.concatenate((diagonal, rest) if lower else (rest, diagonal)))
    return np.stack(rows)


@array_rule(scipy.linalg.eig_banded)
def eig_banded_rule(
    a_band: np.ndarray,
    lower=False,
    eigvals_only=False,
    overwrite_a_band=False,
    select="a",
    select_range=None,
    max_ev=0,
    check_finite=True,
):
    """As `eigh`, on the band."""
    chosen = {"select": select, "select_range": select_range, "max_ev": max_ev}
    result = scipy.linalg.eig_banded(a_band, lower, eigvals_only, **chosen, check_finite=check_finite)

    def eig_banded_back(y_bar):
        w_bar, v_bar = (y_bar, None) if eigvals_only else y_bar
        w, v = scipy.linalg.eig_banded(a_band, lower, **chosen) if eigvals_only else result
        if eigvals_only:
            w_bar = w_bar + 0.0 * w  # the values count as used
        everything = completed_spectrum(w, v, w_bar, v_bar, lambda: scipy.linalg.eig_banded(a_band, lower))
        vectors = everything[1]
        g = vectors @ spectral_bar("scipy.linalg.eig_banded", *everything) @ adjoint_of(vectors)
        return (cast(band_of(g, a_band.shape[0], lower), a_band.dtype),)

    return result, eig_banded_back


@array_rule(scipy.linalg.eigvals_banded)
def eigvals_banded_rule(
    a_band: np.ndarray, lower=False, overwrite_a_band=False, select="a", select_range=None, check_finite=True
):
    """The eigenvalues of `eig_banded`."""
    options = {"select": select, "select_range": select_range, "check_finite": check_finite}
    y = scipy.linalg.eigvals_banded(a_band, lower, **options)
    return y, eig_banded_rule(a_band, lower, True, **options)[1]


@rule(scipy.linalg.eigh_tridiagonal)
def eigh_tridiagonal_rule(
    d, e, eigvals_only=False, select="a", select_range=None, check_finite=True, tol=0.0, lapack_driver="auto"
):
    """As `eigh`, on the diagonal and the one beside it, which stands for two."""
    chosen = {"select": select, "select_range": select_range}
    options = {"check_finite": check_finite, "tol": tol, "lapack_driver": lapack_driver}
    result = scipy.linalg.eigh_tridiagonal(d, e, eigvals_only, **chosen, **options)

    def eigh_tridiagonal_back(y_bar):
        w_bar, v_bar = (y_bar, None) if eigvals_only else y_bar
        w, v = scipy.linalg.eigh_tridiagonal(d, e, **chosen) if eigvals_only else result
        if eigvals_only:
            w_bar = w_bar + 0.0 * w  # the values count as used
        everything = completed_spectrum(w, v, w_bar, v_bar, lambda: scipy.linalg.eigh_tridiagonal(d, e))
        vectors = everything[1]
        left = vectors @ spectral_bar("scipy.linalg.eigh_tridiagonal", *everything)
        beside = np.sum(left[1:] * vectors[:-1], axis=-1) + np.sum(left[:-1] * vectors[1:], axis=-1)
        return bring_back(np.sum(left * vectors, axis=-1), d), bring_back(beside, e)

    return result, eigh_tridiagonal_back


@rule(scipy.linalg.eigvalsh_tridiagonal)
def eigvalsh_tridiagonal_rule(d, e, select="a", select_range=None, check_finite=True, tol=0.0, lapack_driver="auto"):
    """The eigenvalues of `eigh_tridiagonal`."""
    options = {"select": select, "select_range": select_range, "check_finite": check_finite}
    y = scipy.linalg.eigvalsh_tridiagonal(d, e, **options, tol=tol, lapack_driver=lapack_driver)
    return y, eigh_tridiagonal_rule(d, e, True, **options, tol=tol, lapack_driver=lapack_driver)[1]


# Matrices in general


def _eigen_bar(w, v, w_bar, v_bar):
    """M̄ where M V = V diag(w), the vectors of length 1: V⁻ᴴ (diag(w̄) + conj(F) ∘ (Vᴴ V̄ - along)) Vᴴ."""
    v_h, eye = adjoint_of(v), np.eye(v.shape[-1])
    middle = np.zeros(v.shape) if w_bar is None else np.expand_dims(w_bar, -2) * eye
    if v_bar is not None:
        projected = np.matmul(v_h, v_bar)
        along = np.matmul(v_h, v) * np.real(np.sum(projected * eye, axis=-2, keepdims=True))
        refuse_basis("scipy.linalg.eig", w, projected, v_bar, own=True)
        refuse_mixed("scipy.linalg.eig", w, w_bar)
        middle = middle + inverse_differences(w).conj() * (projected - along)
    return np.linalg.solve(v_h, np.matmul(middle, v_h))


def _of_eigen(a, b, w, m_bar):
    """Ā and B̄ from the cotangent of M = B⁻¹ A."""
    if b is None:
        return unbroadcast(m_bar, a), None
    a_bar = np.linalg.solve(adjoint_of(b), m_bar)
    m_h = adjoint_of(np.linalg.solve(b, a))
    return unbroadcast(a_bar, a), unbroadcast(-np.matmul(a_bar, m_h), b)


def _array_or_none(b):
    return None if b is None else computed(b)


@rule(scipy.linalg.eig)
def eig_rule(
    a,
    b=None,
    left=False,
    right=True,
    overwrite_a=False,
    overwrite_b=False,
    check_finite=True,
    homogeneous_eigvals=False,
):
    """A V = B V diag(w), by the eigenvalues and right vectors of M = B⁻¹ A."""
    if left or homogeneous_eigvals:
        what = "scipy.linalg.eig(left=True)" if left else "scipy.linalg.eig(homogeneous_eigvals=True)"
        refuse(what, "only eigenvalues and right vectors have a rule", "use the eigenvalues of the adjoint matrix")
    result = scipy.linalg.eig(a, b, left, right, check_finite=check_finite)
    matrix, other = computed(a), _array_or_none(b)
    w, v = result if right else scipy.linalg.eig(a, b, check_finite=False)

    def eig_back(y_bar):
        w_bar, v_bar = y_bar if right else (y_bar, None)
        a_bar, b_bar = _of_eigen(matrix, other, w, _eigen_bar(w, v, w_bar, v_bar))
        return bring_back(a_bar, a), None if b_bar is None else bring_back(b_bar, b)

    return result, eig_back


@rule(scipy.linalg.eigvals)
def eigvals_rule(a, b=None, overwrite_a=False, check_finite=True, homogeneous_eigvals=False):
    """The eigenvalues of `eig`."""
    if homogeneous_eigvals:
        refuse(
            "scipy.linalg.eigvals(homogeneous_eigvals=True)",
            "both numbers are known up to a common factor",
            "leave `homogeneous_eigvals` out",
        )
    y = scipy.linalg.eigvals(a, b, check_finite=check_finite)
    return y, eig_rule(a, b, right=False, check_finite=check_finite)[1]
