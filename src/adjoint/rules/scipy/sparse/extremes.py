"""A few eigenvalues or singular values of a large matrix, which follow by their vectors. These themselves are refused:
the slope of one needs all others."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl

from ....tangents.unknown import unknown
from ...numpy.lifting import refuse
from ...numpy.linear import cast
from ...registry import non_differentiable, rule
from .products import of_outer


def check_values(name, bar):
    """Refuse a cotangent of vectors."""
    if bar is not None:
        refuse(
            f"scipy.sparse.linalg.{name} of which the vectors are used",
            "the slope of a vector needs all others, and those that are not asked for are not computed",
            "use the values alone, or `scipy.linalg.eigh` or `svd` of `A.toarray()`",
        )


def of_vectors(a, left, right):
    """Ā = L Rᴴ, at the entries of A."""
    if sp.issparse(a):
        return of_outer(a, left, right)
    if isinstance(a, np.ndarray):
        return cast(np.matmul(left, np.conj(np.transpose(right))), a.dtype)
    return unknown("a linear operator")


@rule(sl.eigsh)
def eigsh_rule(A, k=6, M=None, sigma=None, which="LM", v0=None, *others, return_eigenvectors=True, **options):  # noqa: N803
    """ẇ = vᴴ Ȧ v, so Ā = V diag(w̄) Vᴴ."""
    if M is not None or others:
        refuse("scipy.sparse.linalg.eigsh(M=)", "the generalized problem is not followed", "use `scipy.linalg.eigh`")
    result = sl.eigsh(A, k, None, sigma, which, v0, return_eigenvectors=return_eigenvectors, **options)
    w, v = result if return_eigenvectors else sl.eigsh(A, k, None, sigma, which, v0, **options)
    if not return_eigenvectors:
        v = v[:, ranked(w, result)]

    def eigsh_back(y_bar):
        w_bar, v_bar = y_bar if return_eigenvectors else (y_bar, None)
        check_values("eigsh", v_bar)
        return (None if w_bar is None else of_vectors(A, v * w_bar, v),)

    return result, eigsh_back


@rule(sl.svds)
def svds_rule(A, k=6, *others, return_singular_vectors=True, **options):  # noqa: N803
    """ṡ = uᴴ Ȧ v, so Ā = U diag(s̄) Vᴴ."""
    if others or return_singular_vectors not in (True, False):
        refuse("scipy.sparse.linalg.svds with these options", "they are not followed", "name them; take all vectors")
    result = sl.svds(A, k, return_singular_vectors=return_singular_vectors, **options)
    u, s, vh = result if return_singular_vectors else sl.svds(A, k, **options)
    if not return_singular_vectors:
        u, vh = u[:, ranked(s, result)], vh[ranked(s, result)]

    def svds_back(y_bar):
        u_bar, s_bar, vh_bar = y_bar if return_singular_vectors else (None, y_bar, None)
        check_values("svds", u_bar)
        check_values("svds", vh_bar)
        return (None if s_bar is None else of_vectors(A, u * s_bar, np.conj(np.transpose(vh))),)

    return result, svds_back


def ranked(w, other):
    """The places in `w` of the same values in another order."""
    order = np.argsort(w)
    order[np.argsort(other)] = order.copy()
    return order


non_differentiable(check_values, ranked)
