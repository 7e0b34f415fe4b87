"""Linear systems, determinants, inverses and norms; `decompositions` has the rest of `np.linalg`."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ...tangents import unbroadcast
from ..registry import rule
from .lifting import array_rule, refuse
from .linear import axes_of, bring_back, cast, ghost, kept
from .reductions import shares


def adjoint_of(a):
    """Aᴴ, of each matrix in a stack.

    >>> adjoint_of(np.array([[1j, 2.0]]))
    array([[0.-1.j],
           [2.-0.j]])
    """
    return np.swapaxes(a, -1, -2).conj()


@rule(np.linalg.solve, returns="array solution")
def solve_rule(a: np.ndarray | list | tuple, b: np.ndarray | list | tuple, *, needs=None):
    """X = A⁻¹ B, so B̄ = A⁻ᴴ X̄ and Ā = -B̄ Xᴴ."""
    x = np.linalg.solve(a, b)
    matrix, vector = np.asarray(a), np.ndim(b) == 1
    a_like, b_like = ghost(a), ghost(b)

    def solve_back(x_bar):
        columns, result = (np.expand_dims(x_bar, -1), np.expand_dims(x, -1)) if vector else (x_bar, x)
        b_bar = np.linalg.solve(adjoint_of(matrix), columns)
        a_bar = bring_back(-np.matmul(b_bar, adjoint_of(result)), a_like) if needs is None or needs[0] else None
        return a_bar, bring_back(b_bar[..., 0] if vector else b_bar, b_like)

    return x, solve_back


@array_rule(np.linalg.inv, returns="array alike")
def inv_rule(a: np.ndarray):
    """Y = A⁻¹, so Ā = -Yᴴ Ȳ Yᴴ."""
    y = np.linalg.inv(a)
    kind = a.dtype

    def inv_back(y_bar):
        y_h = adjoint_of(y)
        return (cast(-np.matmul(np.matmul(y_h, y_bar), y_h), kind),)

    return y, inv_back


@array_rule(np.linalg.det)
def det_rule(a: np.ndarray):
    """y = det A, so Ā = ȳ conj(cofactors of A)."""
    y = np.linalg.det(a)

    def det_back(y_bar):
        return (cast(np.reshape(y_bar, (*np.shape(y), 1, 1)) * cofactors(a).conj(), a.dtype),)

    return y, det_back


def cofactors(a):
    """The derivative of det A: det(A) A⁻ᵀ; for singular matrices by the decomposition A = U S Vᴴ.

    >>> cofactors(np.array([[1.0, 2.0], [2.0, 4.0]])).round(12)
    array([[ 4., -2.],
           [-2.,  1.]])
    """
    det = np.linalg.det(a)
    if np.all(det != 0) and np.all(np.linalg.cond(a) < 1e10):
        return np.reshape(det, (*np.shape(det), 1, 1)) * np.swapaxes(np.linalg.inv(a), -1, -2)
    u, s, vh = np.linalg.svd(a)
    sign = np.linalg.det(u) * np.linalg.det(vh)
    n = a.shape[-1]
    without = [np.concatenate((s[..., :i], s[..., i + 1 :]), axis=-1) for i in range(n)]
    others = np.stack([np.prod(values, axis=-1) for values in without], axis=-1)
    scaled = u.conj() * np.expand_dims(others * np.expand_dims(sign, -1), -2)
    return np.matmul(scaled, vh.conj())


@array_rule(np.linalg.slogdet)
def slogdet_rule(a: np.ndarray):
    """log det A = log |det A| + i θ, so Ā = (l̄ + i θ̄) A⁻ᴴ; the sign of a real matrix is constant."""
    result = np.linalg.slogdet(a)
    shape = (*np.shape(result.logabsdet), 1, 1)

    def slogdet_back(y_bar):
        sign_bar, log_bar = y_bar
        d = 0.0 if log_bar is None else np.reshape(log_bar, shape)
        if sign_bar is not None and a.dtype.kind == "c":
            theta_bar = np.imag(np.conj(result.sign) * sign_bar)
            d = d + 1j * np.reshape(theta_bar, shape)
        return (cast(d * adjoint_of(np.linalg.inv(a)), a.dtype),)

    return result, slogdet_back


@array_rule(np.linalg.matrix_power, returns="array alike")
def matrix_power_rule(a: np.ndarray, n):
    """Y = Aⁿ, so Ā = Σ (A^k)ᴴ Ȳ (A^{n-1-k})ᴴ; for a negative n it is a power of the inverse."""
    if n < 0:
        inverse, inverse_back = inv_rule(a)
        y, back = matrix_power_rule(inverse, -n)

        def negative_power_back(y_bar):
            return inverse_back(back(y_bar)[0])[0], None

        return np.linalg.matrix_power(a, n), negative_power_back

    def matrix_power_back(y_bar):
        a_h = adjoint_of(a)
        powers = [np.linalg.matrix_power(a_h, k) for k in range(n)]
        a_bar = np.zeros(a.shape)
        for k in range(n):
            a_bar = a_bar + np.matmul(np.matmul(powers[k], y_bar), powers[n - 1 - k])
        return cast(a_bar, a.dtype), None

    return np.linalg.matrix_power(a, n), matrix_power_back


# Norms


@array_rule(np.linalg.norm)
def norm_rule(x: np.ndarray, ord=None, axis=None, keepdims=False):
    """y = ‖x‖; for the Euclidean norm x̄ = ȳ x / y, 0 where y is 0."""
    y = np.linalg.norm(x, ord, axis, keepdims)
    axes = axes_of(axis, x.ndim)
    if ord is None or (ord == "fro" and len(axes) == 2) or (len(axes) == 1 and ord == 2):

        def norm_back(y_bar):
            scale = kept(y_bar / np.where(y == 0, 1, y), x.shape, axis)
            return (cast(scale * x, x.dtype),)

        return y, norm_back
    partial = vector_norm_partial if len(axes) == 1 else matrix_norm_partial

    def other_norm_back(y_bar):
        return (cast(kept(y_bar, x.shape, axis) * partial(x, kept(y, x.shape, axis), ord, axes), x.dtype),)

    return y, other_norm_back


@array_rule(np.linalg.vector_norm)
def vector_norm_rule(x: np.ndarray, /, *, axis=None, keepdims=False, ord=2):
    """The norm of all entries along the axes, as of one vector."""
    y = np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)

    def vector_norm_back(y_bar):
        partial = vector_norm_partial(x, kept(y, x.shape, axis), ord, axes_of(axis, x.ndim))
        return (cast(kept(y_bar, x.shape, axis) * partial, x.dtype),)

    return y, vector_norm_back


@array_rule(np.linalg.matrix_norm)
def matrix_norm_rule(x: np.ndarray, /, *, keepdims=False, ord="fro"):
    """The norm of the matrices in the last two axes."""
    return norm_rule(x, ord, (-2, -1), keepdims)


def vector_norm_partial(x, y, ord, axes):
    """∂‖x‖ₚ/∂x = |x|ᵖ⁻¹ sign(x) / yᵖ⁻¹, for p = ±∞ the sign of the extreme entry."""
    size = np.abs(x)
    direction = x / np.where(size == 0, 1, size)
    if ord == 0:
        return np.zeros(x.shape)
    if ord == 1:
        return direction
    if abs(ord) == np.inf:
        return direction * shares(size, y)
    ratio = np.where(size == 0, 1, size) / np.where(y == 0, 1, y)
    return np.where(size == 0, 0.0, direction * ratio ** (ord - 1))


def matrix_norm_partial(x, y, ord, axes):
    """The derivative of the norms by singular values (2, -2, "nuc") and by sums of rows and columns (±1, ±∞)."""
    moved = np.moveaxis(x, axes, (-2, -1))
    if ord in ("nuc", 2, -2):
        u, s, vh = np.linalg.svd(moved, full_matrices=False)
        if ord == "nuc":
            least = max(moved.shape[-2:]) * np.finfo(s.dtype).eps * np.max(s, axis=-1, keepdims=True, initial=0.0)
            weights = (s > least) * 1.0
        else:
            weights = shares(s, np.max(s, axis=-1, keepdims=True) if ord == 2 else np.min(s, axis=-1, keepdims=True))
        partial = np.matmul(u * np.expand_dims(weights, -2), vh)
    elif abs(ord) in (1, np.inf):
        size = np.abs(moved)
        sums = np.sum(size, axis=-2 if abs(ord) == 1 else -1, keepdims=True)
        extreme = np.max(sums, axis=(-2, -1), keepdims=True) if ord > 0 else np.min(sums, axis=(-2, -1), keepdims=True)
        partial = moved / np.where(size == 0, 1, size) * shares(sums, extreme)
    else:
        refuse(f"np.linalg.norm(ord={ord!r})", "there is no rule for this norm", "write its formula out")
    return np.moveaxis(partial, (-2, -1), axes)


@array_rule(np.linalg.cond)
def cond_rule(x: np.ndarray, p=None):
    """κ = σ₁ / σₙ, so x̄ = ȳ (u₁ v₁ᴴ - κ uₙ vₙᴴ) / σₙ."""
    if p not in (None, 2):
        why = "only the condition number in the 2-norm has a rule"
        refuse(f"np.linalg.cond(p={p!r})", why, "multiply the norms of the matrix and of its inverse")
    y = np.linalg.cond(x, p)

    def cond_back(y_bar):
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        weights = np.zeros(s.shape[-1])
        first, last = (np.arange(s.shape[-1]) == i for i in (0, s.shape[-1] - 1))
        weights = first / s[..., -1:] - last * (s[..., :1] / s[..., -1:] ** 2)
        x_bar = np.matmul(u * np.expand_dims(weights * np.expand_dims(y_bar, -1), -2), vh)
        return (cast(x_bar, x.dtype),)

    return y, cond_back


# Least squares


@array_rule(np.linalg.pinv, returns="array")
def pinv_rule(a: np.ndarray, rcond=None, hermitian=False, *, rtol=None):
    """P = A⁺, by Golub and Pereyra's formula, where the rank does not change."""
    if hermitian:
        refuse("np.linalg.pinv(hermitian=True)", "only the general form has a rule", "leave `hermitian` out")
    options = {} if rtol is None and rcond is None else {"rtol": rtol} if rcond is None else {"rcond": rcond}
    p = np.linalg.pinv(a, **options)

    def pinv_back(p_bar):
        p_h, d = adjoint_of(p), adjoint_of(p_bar)
        # dP = -P dA P + P Pᴴ dAᴴ (I - A P) + (I - P A) dAᴴ Pᴴ P
        a_bar = -np.matmul(np.matmul(p_h, p_bar), p_h)
        left, right = np.eye(a.shape[-2]) - np.matmul(a, p), np.eye(a.shape[-1]) - np.matmul(p, a)
        a_bar = a_bar + np.matmul(np.matmul(left, d), np.matmul(p, p_h))
        a_bar = a_bar + np.matmul(np.matmul(p_h, p), np.matmul(d, right))
        return (cast(a_bar, a.dtype),)

    return p, pinv_back


@rule(np.linalg.lstsq)
def lstsq_rule(a: np.ndarray, b: np.ndarray, rcond=None):
    """x = A⁺ b; the residuals and singular values carry nothing."""
    result = np.linalg.lstsq(a, b, rcond)
    p, pinv_back = pinv_rule(a)

    def lstsq_back(y_bar):
        x_bar, residuals_bar, _, s_bar = y_bar
        if residuals_bar is not None or s_bar is not None:
            refuse("np.linalg.lstsq", "only the solution has a rule", "compute residuals as b - a @ x")
        if x_bar is None:
            return None, None
        p_bar = np.outer(x_bar, b.conj()) if b.ndim == 1 else x_bar @ adjoint_of(b)
        return pinv_back(p_bar)[0], unbroadcast(adjoint_of(p) @ x_bar, b)

    return result, lstsq_back
