"""`np.linalg`: linear systems, inverses, determinants, powers.

Source: M. B. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation",
2008; for complex matrices C. Boeddeker et al., "On the computation of complex-valued gradients with application to
statistically optimum beamforming", 2017.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np

from ...tangents import ghost, unbroadcast, unknown
from ..registry import non_differentiable, rule
from .lifting import array_rule, composed, of_arrays
from .linear import bring_back, cast


def adjoint_of(a):
    """Aᴴ, of each matrix in a stack.

    >>> adjoint_of(np.array([[1j, 2.0]]))
    array([[0.-1.j],
           [2.-0.j]])
    """
    return np.swapaxes(a, -1, -2).conj()


# Systems


def solve_tangent(dots, x, a, b):
    """Ẋ = A⁻¹ (Ḃ - Ȧ X)."""
    a_dot, b_dot = dots
    if a_dot is None:
        return np.linalg.solve(a, b_dot)
    vector = np.ndim(b) == 1
    right = -np.matmul(a_dot, np.expand_dims(x, -1) if vector else x)
    if b_dot is not None:
        right = right + (np.expand_dims(b_dot, -1) if vector else b_dot)
    found = np.linalg.solve(a, right)
    return found[..., 0] if vector else found


@rule(
    np.linalg.solve,
    linear="b",
    forward=solve_tangent,
    forward_for=of_arrays(solve_tangent, 2),
)
def solve_rule(a: np.ndarray | list | tuple, b: np.ndarray | list | tuple, *, needs=None):
    """X = A⁻¹ B, so B̄ = A⁻ᴴ X̄ and Ā = -B̄ Xᴴ."""
    x = np.linalg.solve(a, b)
    matrix, vector = np.asarray(a), np.ndim(b) == 1
    a_like, b_like = ghost(a), ghost(b)

    def solve_back(x_bar):
        if vector and matrix.ndim == 2 and type(x_bar) is np.ndarray:
            b_bar = np.linalg.solve(matrix.conj().T, x_bar)
            a_bar = bring_back(np.outer(-b_bar, x.conj()), a_like) if needs is None or needs[0] else None
            return a_bar, bring_back(b_bar, b_like)
        columns, result = (np.expand_dims(x_bar, -1), np.expand_dims(x, -1)) if vector else (x_bar, x)
        b_bar = np.linalg.solve(adjoint_of(matrix), columns)
        a_bar = bring_back(-np.matmul(b_bar, adjoint_of(result)), a_like) if needs is None or needs[0] else None
        return a_bar, bring_back(b_bar[..., 0] if vector else b_bar, b_like)

    return x, solve_back


@rule(np.linalg.tensorsolve, linear="b")
def tensorsolve_rule(a: np.ndarray | list | tuple, b: np.ndarray | list | tuple | float, axes=None):
    """`np.linalg.solve`, with groups of axes in the place of rows and columns."""
    x = np.linalg.tensorsolve(a, b, axes)
    tensor = np.asarray(a)
    order = with_axes_last(tensor.ndim, axes)
    moved = np.transpose(tensor, order)
    matrix = np.reshape(moved, (math.prod(np.shape(b)), -1))
    a_like, b_like = ghost(a), ghost(b)

    def tensorsolve_back(x_bar):
        column = np.linalg.solve(adjoint_of(matrix), np.reshape(x_bar, -1))
        row = np.reshape(x, -1).conj()
        a_bar = np.transpose(np.reshape(np.outer(-column, row), moved.shape), np.argsort(order))
        return bring_back(a_bar, a_like), bring_back(np.reshape(column, np.shape(b)), b_like)

    return x, tensorsolve_back


def with_axes_last(ndim, axes):
    """The order of the axes in which those of `axes` come last.

    >>> with_axes_last(3, (0,)), with_axes_last(2, None)
    ([1, 2, 0], [0, 1])
    """
    last = list(axes or ())
    return [i for i in range(ndim) if i not in last] + last


# Inverses and powers


def inv_tangent(dots, y, a):
    """Ẏ = -Y Ȧ Y."""
    return -np.matmul(np.matmul(y, dots[0]), y)


@array_rule(np.linalg.inv, forward=inv_tangent, forward_for=of_arrays(inv_tangent))
def inv_rule(a: np.ndarray):
    """Y = A⁻¹, so Ā = -Yᴴ Ȳ Yᴴ."""
    y = np.linalg.inv(a)
    kind = a.dtype

    def inv_back(y_bar):
        y_h = adjoint_of(y)
        return (cast(-np.matmul(np.matmul(y_h, y_bar), y_h), kind),)

    return y, inv_back


@array_rule(np.linalg.tensorinv)
def tensorinv_rule(a: np.ndarray, ind=2):
    """`np.linalg.inv`, with groups of axes in the place of rows and columns."""
    y = np.linalg.tensorinv(a, ind)
    shape, kind = a.shape, a.dtype

    def tensorinv_back(y_bar):
        square = (math.prod(shape[ind:]), -1)
        y_h = adjoint_of(np.reshape(y, square))
        return (cast(np.reshape(-np.matmul(np.matmul(y_h, np.reshape(y_bar, square)), y_h), shape), kind),)

    return y, tensorinv_back


def matrix_power_tangent(dots, y, a, n):
    """Ẏ is the upper right block of [[A, Ȧ], [0, A]]ⁿ."""
    m = a.shape[-1]
    lower = np.concatenate((np.zeros(a.shape), a), axis=-1)
    whole = np.concatenate((np.concatenate((a, dots[0]), axis=-1), lower), axis=-2)
    return unbroadcast(np.linalg.matrix_power(whole, n)[..., :m, m:], y)


@array_rule(
    np.linalg.matrix_power,
    forward=matrix_power_tangent,
    forward_for=of_arrays(matrix_power_tangent, options="n"),
)
def matrix_power_rule(a: np.ndarray, n):
    """Y = Aⁿ, so Ā = Σ (Aᴴ)ᵏ Ȳ (Aᴴ)ⁿ⁻¹⁻ᵏ: the upper right block of [[Aᴴ, Ȳ], [0, Aᴴ]]ⁿ.

    Source: R. Mathias, "A chain rule for matrix functions and applications", 1996.
    """
    m, kind = a.shape[-1], a.dtype

    def matrix_power_back(y_bar):
        a_h = adjoint_of(a)
        lower = np.concatenate((np.zeros(a.shape), a_h), axis=-1)
        whole = np.concatenate((np.concatenate((a_h, y_bar), axis=-1), lower), axis=-2)
        return cast(np.linalg.matrix_power(whole, n)[..., :m, m:], kind), None

    return np.linalg.matrix_power(a, n), matrix_power_back


# Determinants

SIGNS = np.array([[1, -1], [-1, 1]], np.int8)


def det_tangent(dots, y, a):
    """ẏ = Σ cᵢⱼ ȧᵢⱼ with the cofactors c."""
    return unbroadcast(np.sum(cofactors(a) * dots[0], axis=(-2, -1)), y)


@array_rule(np.linalg.det, forward=det_tangent, forward_for=of_arrays(det_tangent))
def det_rule(a: np.ndarray):
    """y = det A, so Ā = ȳ conj(cofactors of A)."""
    y = np.linalg.det(a)

    def det_back(y_bar):
        d = y_bar if a.ndim == 2 else np.reshape(y_bar, (*np.shape(y), 1, 1))
        return (cast(d * cofactors(a).conj(), a.dtype),)

    return y, det_back


def cofactors(a):
    """The derivative of det A: det(A) A⁻ᵀ; for matrices that are nearly singular by singular values. Those of a matrix
    of two rows are its entries.

    >>> cofactors(np.array([[1.0, 2.0], [2.0, 4.0]])).round(12)
    array([[ 4., -2.],
           [-2.,  1.]])
    """
    if a.shape[-1] == 2:
        return a[..., ::-1, ::-1] * SIGNS
    if is_well_conditioned(a):
        det = np.linalg.det(a)
        return np.reshape(det, (*np.shape(det), 1, 1)) * np.swapaxes(np.linalg.inv(a), -1, -2)
    return cofactors_of_singular(a)


def is_well_conditioned(a):
    """Tell whether half of the digits of A⁻¹ are right, by the condition ‖A‖₁ ‖A⁻¹‖₁, and det A is not 0; of a stack
    all."""
    if a.size == 0:
        return True
    try:
        inverse = np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return False
    if not np.all(np.linalg.det(a) != 0):
        return False
    condition = np.linalg.norm(a, 1, (-2, -1)) * np.linalg.norm(inverse, 1, (-2, -1))
    return bool(np.all(condition < np.finfo(np.result_type(a, np.float32)).eps ** -0.5))


def cofactors_of_singular(a):
    """A = U S Vᴴ, so the cofactors are det(U) det(Vᴴ) conj(U diag(Π_{j≠i} sⱼ) Vᴴ)."""
    u, s, vh = np.linalg.svd(a)
    sign = np.linalg.det(u) * np.linalg.det(vh)
    return np.matmul((u * np.expand_dims(_products_without(s), -2)).conj(), vh.conj()) * sign[..., None, None]


def _products_without(s):
    """Π sⱼ over all j but i."""
    n = s.shape[-1]
    return np.stack([np.prod(np.delete(s, i, axis=-1), axis=-1) for i in range(n)], axis=-1)


def _products_without_two(s):
    """Π sₖ over all k but i and j; 0 for i = j."""
    n = s.shape[-1]
    pairs = [[np.prod(np.delete(s, [i, j], axis=-1), axis=-1) * (i != j) for j in range(n)] for i in range(n)]
    return np.stack([np.stack(row, axis=-1) for row in pairs], axis=-2)


@rule(cofactors_of_singular)
def cofactors_of_singular_rule(a):
    """C̄ goes to Ā by the second derivative of the determinant."""
    return cofactors_of_singular(a), lambda c_bar: (cast(second_of_singular(a, c_bar), a.dtype),)


def second_of_singular(a, d):
    """The second derivative of det A along D, conjugate. With C = conj(U) D conj(Vᴴ) det(U) det(Vᴴ) for the cofactors,
    E = Uᴴ Ȧ V and M = the products of all but two singular values: Ḋᵢᵢ = Σₖ Mᵢₖ Eₖₖ and Ḋᵢⱼ = -Mᵢⱼ Eⱼᵢ."""
    u, s, vh = np.linalg.svd(a)
    sign, m, eye = np.linalg.det(u) * np.linalg.det(vh), _products_without_two(s), np.eye(s.shape[-1])
    inner = np.matmul(np.matmul(np.swapaxes(u, -1, -2), d), np.swapaxes(vh, -1, -2)) * np.conj(sign)[..., None, None]
    diagonal = np.matmul(m, np.sum(inner * eye, axis=-1, keepdims=True))
    return np.matmul(np.matmul(u, diagonal * eye - m * np.swapaxes(inner, -1, -2)), vh)


@rule(second_of_singular, linear="d")
def second_of_singular_rule(a, d):
    """It is symmetric; singular values have a kink at 0, so that nothing more is known by A."""

    def second_of_singular_back(y_bar):
        by_a = None if a.shape[-1] < 3 else unknown("a matrix that is nearly singular, in a third derivative of `det`")
        return by_a, cast(np.conj(second_of_singular(a, np.conj(y_bar))), d.dtype)

    return second_of_singular(a, d), second_of_singular_back


def slogdet_tangent(dots, y, a):
    """l̇ + i θ̇ = tr A⁻¹ Ȧ; nan where A is singular and moves, for the partial is infinite."""
    (a_dot,) = dots
    regular = y.sign != 0
    inverse = np.linalg.inv(or_identity(a, np.reshape(regular, (*np.shape(regular), 1, 1))))
    flow = np.sum(np.swapaxes(inverse, -1, -2) * a_dot, axis=(-2, -1))
    flow = np.where(regular, flow, np.where(np.all(a_dot == 0, axis=(-2, -1)), 0.0, np.nan))[()]
    turned = 1j * np.imag(flow) * y.sign if a.dtype.kind == "c" else np.zeros_like(y.sign)[()]
    return type(y)(turned, np.real(flow))


@array_rule(np.linalg.slogdet, forward=slogdet_tangent)
def slogdet_rule(a: np.ndarray):
    """log det A = log |det A| + i θ, so Ā = (l̄ + i θ̄) A⁻ᴴ; the sign of a real matrix is constant."""
    result = np.linalg.slogdet(a)
    shape = (*np.shape(result.logabsdet), 1, 1)
    regular = np.reshape(result.sign != 0, shape)

    def slogdet_back(y_bar):
        sign_bar, log_bar = y_bar
        d = np.zeros(shape) if log_bar is None else np.reshape(log_bar, shape)
        if sign_bar is not None and a.dtype.kind == "c":
            theta_bar = np.imag(np.conj(result.sign) * sign_bar)
            d = d + 1j * np.reshape(theta_bar, shape)
        a_bar = d * adjoint_of(np.linalg.inv(or_identity(a, regular)))
        return (cast(where_regular(a_bar, d, regular), a.dtype),)

    return result, slogdet_back


def or_identity(a, regular):
    """The matrices of a stack, the identity in place of those that are not regular."""
    return a if np.all(regular) else np.where(regular, a, np.eye(a.shape[-1]))


def where_regular(a_bar, d, regular):
    """The cotangents of regular matrices; of others 0 where nothing flows, else nan: the partial is infinite."""
    return a_bar if np.all(regular) else np.where(regular, a_bar, np.where(d == 0, 0.0, np.nan))


@composed(np.linalg.cross)
def cross_of_last_axis(x1, x2, /, *, axis=-1):
    """`np.cross`, of vectors of three entries."""
    return np.cross(x1, x2, axis=axis)


non_differentiable(with_axes_last, is_well_conditioned)
