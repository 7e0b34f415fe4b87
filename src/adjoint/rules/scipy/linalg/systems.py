"""Linear systems, by the matrix or by what it was factorised into; inverses, determinants, least squares."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.linalg

from ...knots import call_pullback
from ...numpy.lifting import array_rule, refuse
from ...registry import non_differentiable, rule
from .matrices import adjoint_of, as_columns, bring_back, cast, computed, ghost, kind_of, on_what_is_read, outer_bar

_FLIPPED = {"upper triangular": "lower triangular", "lower triangular": "upper triangular"}


def _assumed(assume_a):
    return {} if assume_a is None else {"assume_a": assume_a}


non_differentiable(_assumed)


@rule(scipy.linalg.solve, linear="b")
def solve_rule(
    a,
    b,
    lower=False,
    overwrite_a=False,
    overwrite_b=False,
    check_finite=True,
    assume_a=None,
    transposed=False,
    *,
    needs=None,
):
    """X = A⁻¹ B, so B̄ = A⁻ᴴ X̄ and Ā = -B̄ Xᴴ, on the part of A that is read."""
    a_like, b_like, vector = ghost(a), ghost(b), np.ndim(b) == 1
    options = {"check_finite": check_finite, **_assumed(assume_a)}
    x = scipy.linalg.solve(a, b, lower, transposed=transposed, **options)
    kind, matrix = kind_of(assume_a), np.asarray(a)

    def solve_back(y_bar):
        x_bar = as_columns(y_bar, vector)
        if transposed or kind == "symmetric":
            b_bar = scipy.linalg.solve(matrix.conj(), x_bar, lower, **options)
        elif kind == "hermitian":
            b_bar = scipy.linalg.solve(matrix, x_bar, lower, **options)
        else:
            turned = {**options, **_assumed(_FLIPPED.get(assume_a, assume_a))}
            b_bar = scipy.linalg.solve(adjoint_of(matrix), x_bar, lower, **turned)
        if needs is not None and not needs[0]:
            return None, bring_back(b_bar[..., 0] if vector else b_bar, b_like)
        g = outer_bar(b_bar, as_columns(x, vector))
        g = np.swapaxes(g, -1, -2) if transposed else g
        return bring_back(on_what_is_read(g, kind, lower), a_like), bring_back(
            b_bar[..., 0] if vector else b_bar, b_like
        )

    return x, solve_back


@rule(scipy.linalg.solve_triangular, linear="b")
def solve_triangular_rule(
    a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True, *, needs=None
):
    """X = op(T)⁻¹ B, so B̄ = op(T)⁻ᴴ X̄ and the cotangent of op(T) is -B̄ Xᴴ, on the triangle that is read."""
    a_like, b_like, vector = ghost(a), ghost(b), np.ndim(b) == 1
    x = scipy.linalg.solve_triangular(a, b, trans, lower, unit_diagonal, check_finite=check_finite)
    matrix, turn = np.asarray(a), turn_of(trans)

    def solve_triangular_back(y_bar):
        x_bar = as_columns(y_bar, vector)
        turned = matrix.conj() if turn == 1 else matrix
        b_bar = scipy.linalg.solve_triangular(
            turned, x_bar, 0 if turn else 2, lower, unit_diagonal, check_finite=check_finite
        )
        if needs is not None and not needs[0]:
            return None, bring_back(b_bar[..., 0] if vector else b_bar, b_like)
        g = turned_back(outer_bar(b_bar, as_columns(x, vector)), turn)
        inner = 1 if unit_diagonal else 0
        g = np.tril(g, -inner) if lower else np.triu(g, inner)
        return bring_back(g, a_like), bring_back(b_bar[..., 0] if vector else b_bar, b_like)

    return x, solve_triangular_back


def turn_of(trans):
    """0, 1 or 2: whether a matrix, its transpose or its adjoint is solved with.

    >>> turn_of("T"), turn_of(2)
    (1, 2)
    """
    return {"N": 0, "T": 1, "C": 2}.get(trans, trans)


def turned_back(g, turn):
    """The cotangent of a matrix, from that of its transpose or adjoint."""
    return g if turn == 0 else np.swapaxes(g, -1, -2) if turn == 1 else adjoint_of(g)


non_differentiable(turn_of)


# By factors


@rule(scipy.linalg.cho_solve, linear="b")
def cho_solve_rule(c_and_lower, b, overwrite_b=False, check_finite=True):
    """X = (L Lᴴ)⁻¹ B, so B̄ = (L Lᴴ)⁻¹ X̄ and L̄ = (G + Gᴴ) L with G = -B̄ Xᴴ."""
    c, lower = c_and_lower
    b_like, vector = ghost(b), np.ndim(b) == 1
    x = scipy.linalg.cho_solve(c_and_lower, b, check_finite=check_finite)

    def cho_solve_back(x_bar):
        b_bar = scipy.linalg.cho_solve((c, lower), as_columns(x_bar, vector), check_finite=check_finite)
        g = outer_bar(b_bar, as_columns(x, vector))
        both = g + adjoint_of(g)
        c_bar = np.tril(np.matmul(both, np.tril(c))) if lower else np.triu(np.matmul(np.triu(c), both))
        return (bring_back(c_bar, c), None), bring_back(b_bar[..., 0] if vector else b_bar, b_like)

    return x, cho_solve_back


@rule(scipy.linalg.lu_solve, linear="b")
def lu_solve_rule(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    """X = op(P L U)⁻¹ B, so with G = -B̄ Xᴴ turned back, L̄ = Pᵀ G Uᴴ and Ū = Lᴴ Pᵀ G."""
    lu, piv = lu_and_piv
    b_like, vector = ghost(b), np.ndim(b) == 1
    x = scipy.linalg.lu_solve(lu_and_piv, b, trans, check_finite=check_finite)

    def lu_solve_back(y_bar):
        x_bar = as_columns(y_bar, vector)
        if trans == 1:
            b_bar = scipy.linalg.lu_solve((lu.conj(), piv), x_bar, 0, check_finite=check_finite)
        else:
            b_bar = scipy.linalg.lu_solve((lu, piv), x_bar, 0 if trans else 2, check_finite=check_finite)
        rows = turned_back(outer_bar(b_bar, as_columns(x, vector)), trans)
        rows = np.take_along_axis(rows, np.expand_dims(order_of(piv), -1), -2)
        lower_h = adjoint_of(np.tril(lu, -1)) + np.eye(lu.shape[-1])
        lu_bar = np.tril(np.matmul(rows, adjoint_of(np.triu(lu))), -1) + np.triu(np.matmul(lower_h, rows))
        return (bring_back(lu_bar, lu), None), bring_back(b_bar[..., 0] if vector else b_bar, b_like)

    return x, lu_solve_back


def order_of(piv):
    """The order of the rows after the interchanges that `lu_factor` gives.

    >>> order_of(np.array([2, 1, 2]))
    array([2, 1, 0])
    """
    piv = np.asarray(piv)
    order = np.broadcast_to(np.arange(piv.shape[-1]), piv.shape).copy()
    for of_one, of_stack in zip(order.reshape(-1, piv.shape[-1]), piv.reshape(-1, piv.shape[-1]), strict=True):
        for i, j in enumerate(of_stack):
            of_one[i], of_one[j] = of_one[j], of_one[i]
    return order


non_differentiable(order_of)


# Inverses, determinants, norms


@array_rule(scipy.linalg.inv)
def inv_rule(a: np.ndarray, overwrite_a=False, check_finite=True, *, assume_a=None, lower=False):
    """Y = A⁻¹, so Ā = -Yᴴ Ȳ Yᴴ, on the part of A that is read."""
    options = {**_assumed(assume_a), **({"lower": lower} if lower else {})}
    y = scipy.linalg.inv(a, check_finite=check_finite, **options)
    kind = kind_of(assume_a)

    def inv_back(y_bar):
        y_h = adjoint_of(y)
        return (cast(on_what_is_read(-np.matmul(np.matmul(y_h, y_bar), y_h), kind, lower), a.dtype),)

    return y, inv_back


@array_rule(scipy.linalg.det)
def det_rule(a: np.ndarray, overwrite_a=False, check_finite=True):
    """y = det A, by the rule of `np.linalg.det`."""
    _, back = call_pullback(np.linalg.det, computed(a))
    return scipy.linalg.det(a, check_finite=check_finite), lambda y_bar: (cast(back(y_bar)[1], a.dtype),)


@array_rule(scipy.linalg.norm)
def norm_rule(a: np.ndarray, ord=None, axis=None, keepdims=False, check_finite=True):
    """y = ‖A‖, by the rule of `np.linalg.norm`."""
    _, back = call_pullback(np.linalg.norm, a, ord, axis, keepdims)
    return scipy.linalg.norm(a, ord, axis, keepdims, check_finite), lambda y_bar: (back(y_bar)[1],)


def pinv_bar(a, p, p_bar):
    """Ā where P = A⁺, by Golub and Pereyra's formula, where the rank does not change.

    Source: G. Golub, V. Pereyra, SIAM J. Numer. Anal. 10 (1973).
    """
    p_h, d = adjoint_of(p), adjoint_of(p_bar)
    left, right = np.eye(a.shape[-2]) - np.matmul(a, p), np.eye(a.shape[-1]) - np.matmul(p, a)
    a_bar = np.matmul(np.matmul(left, d), np.matmul(p, p_h)) - np.matmul(np.matmul(p_h, p_bar), p_h)
    return a_bar + np.matmul(np.matmul(p_h, p), np.matmul(d, right))


@array_rule(scipy.linalg.pinv)
def pinv_rule(a: np.ndarray, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    """P = A⁺, where the rank does not change."""
    y = scipy.linalg.pinv(a, atol=atol, rtol=rtol, return_rank=return_rank, check_finite=check_finite)
    p = y[0] if return_rank else y

    def pinv_back(y_bar):
        p_bar = y_bar[0] if return_rank else y_bar
        return (None if p_bar is None else cast(pinv_bar(a, p, p_bar), a.dtype),)

    return y, pinv_back


@array_rule(scipy.linalg.pinvh)
def pinvh_rule(a: np.ndarray, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):
    """P = A⁺ of a Hermitian matrix, of which one triangle is read."""
    y = scipy.linalg.pinvh(a, atol, rtol, lower, return_rank, check_finite)
    p = y[0] if return_rank else y

    def pinvh_back(y_bar):
        p_bar = y_bar[0] if return_rank else y_bar
        if p_bar is None:
            return (None,)
        half = np.tril(a, -1) if lower else np.triu(a, 1)
        whole = half + adjoint_of(half) + np.real(a) * np.eye(a.shape[-1])
        return (cast(on_what_is_read(pinv_bar(whole, p, p_bar), "hermitian", lower), a.dtype),)

    return y, pinvh_back


@rule(scipy.linalg.lstsq)
def lstsq_rule(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, lapack_driver=None):
    """x = A⁺ b; the squared residuals are those of b - A x, and by A the singular values are those of A."""
    result = scipy.linalg.lstsq(a, b, cond, check_finite=check_finite, lapack_driver=lapack_driver)
    matrix, right = computed(a), computed(b)
    a_like, b_like, vector, x = ghost(a), ghost(b), np.ndim(b) == 1, result[0]

    def lstsq_back(y_bar):
        x_bar, residuals_bar, _, s_bar = y_bar
        a_bar, b_bar = np.zeros(matrix.shape), np.zeros(right.shape)
        columns = right[:, None] if vector else right
        solution = x[:, None] if vector else x
        if x_bar is not None:
            p = scipy.linalg.pinv(matrix, rtol=cond)
            x_columns = x_bar[:, None] if vector else x_bar
            a_bar = a_bar + pinv_bar(matrix, p, x_columns @ adjoint_of(columns))
            b_bar = b_bar + adjoint_of(p) @ x_bar
        if residuals_bar is not None and np.size(residuals_bar):
            rest = 2 * (columns - matrix @ solution) * residuals_bar
            a_bar = a_bar - rest @ adjoint_of(solution)
            b_bar = b_bar + (rest[:, 0] if vector else rest)
        if s_bar is not None:
            u, _, vh = np.linalg.svd(matrix, full_matrices=False)
            a_bar = a_bar + (u * s_bar) @ vh
        return bring_back(a_bar, a_like), bring_back(b_bar, b_like)

    if np.ndim(a) > 2 or np.ndim(b) > 2:
        refuse("scipy.linalg.lstsq of a stack", "only one system at a time has a rule", "loop over the systems")
    return result, lstsq_back
