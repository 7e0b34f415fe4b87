"""`np.linalg`: norms of vectors and matrices, condition numbers.

A norm is taken to have the derivative 0, of every order, where it is 0; extreme entries, sums and singular values that
are tied share equally.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ...ops import Alloc, each, gives
from ...ops.cotangent_types import of_operands
from ...tangents import unbroadcast
from ..registry import non_differentiable
from .extrema import shares
from .lifting import array_rule, declared, of_arrays, refuse
from .linalg import inv_rule, or_identity, where_regular
from .linear import axes_of, cast, kept


def norm_tangent(dots, y, x, ord=None, axis=None, keepdims=False):
    """ẏ = Re Σ pᵢ* ẋᵢ with the partials p: for the Euclidean norm x / y, 0 where y is 0."""
    axes = axes_of(axis, x.ndim)
    if ord is None or (ord in ("fro", "f") and len(axes) == 2):
        total = np.sum(real_products(x, dots[0]), axis=axis, keepdims=keepdims)
        return unbroadcast(total / np.where(y == 0, np.inf, y), y)
    if len(axes) == 1:
        partial = vector_norm_partial(x, kept(y, x.shape, axis), ord)
    else:
        partial = matrix_norm_partial(x, ord, axes)
    return unbroadcast(np.sum(real_products(partial, dots[0]), axis=axis, keepdims=keepdims), y)


def real_products(partial, d):
    """The real parts of p* d, entry by entry.

    >>> real_products(np.array([1j]), np.array([2.0 + 3j]))
    array([3.])
    """
    return partial * d if partial.dtype.kind != "c" else np.real(np.conj(partial) * d)


@array_rule(np.linalg.norm, forward=norm_tangent, forward_for=of_arrays(norm_tangent, options="ord axis keepdims"))
def norm_rule(x: np.ndarray, ord=None, axis=None, keepdims=False, *, needs=None):
    """y = ‖x‖; for the Euclidean norm x̄ = ȳ x / y, 0 where y is 0."""
    y = np.linalg.norm(x, ord, axis, keepdims)
    axes = axes_of(axis, x.ndim)
    if ord is None or (ord in ("fro", "f") and len(axes) == 2):

        def norm_back(y_bar):
            if axis is None and not keepdims:
                return (norm_bar(y_bar, x, y),)
            scale = kept(y_bar / np.where(y == 0, np.inf, y), x.shape, axis)
            return (cast(scale * x, x.dtype),)

        return y, norm_back
    if len(axes) == 1:
        return y, _vector_norm_back(x, y, ord, axis, needs)

    def matrix_norm_back(y_bar):
        return (cast(kept(y_bar, x.shape, axis) * matrix_norm_partial(x, ord, axes), x.dtype),)

    return y, matrix_norm_back


def norm_bar(y_bar, x, y):
    """x̄ = ȳ x / y of the Euclidean norm of all entries."""
    return cast(y_bar / (y if y else np.inf) * x, x.dtype)


each((Alloc(),), norm_bar)
gives(of_operands((True,)), norm_bar)
declared(np.linalg.norm, norm_rule).bars = lambda needs: norm_bar if needs == (True,) else None


def vector_norm_tangent(dots, y, x, /, *, ord=2, axis=None, keepdims=False):
    """ẏ = Re Σ pᵢ* ẋᵢ with the partials p."""
    partial = vector_norm_partial(x, kept(y, x.shape, axis), ord)
    return unbroadcast(np.sum(real_products(partial, dots[0]), axis=axis, keepdims=keepdims), y)


@array_rule(
    np.linalg.vector_norm,
    forward=vector_norm_tangent,
    forward_for=of_arrays(vector_norm_tangent, options="ord axis keepdims"),
)
def vector_norm_rule(x: np.ndarray, /, **options):
    """The norm of all entries along the axes, as of one vector."""
    y = np.linalg.vector_norm(x, **options)
    back = _vector_norm_back(x, y, options.get("ord", 2), options.get("axis"), None)

    def vector_norm_back(y_bar):
        x_bar, ord_bar = back(y_bar)
        return x_bar, *[ord_bar if name == "ord" else None for name in options]

    return y, vector_norm_back


def _vector_norm_back(x, y, ord, axis, needs):
    axes = axes_of(axis, x.ndim)
    by_order = isinstance(ord, float) and 0 < abs(ord) < np.inf and (needs is None or len(needs) < 2 or needs[1])

    def vector_norm_back(y_bar):
        d, whole = kept(y_bar, x.shape, axis), kept(y, x.shape, axis)
        if not by_order:
            return cast(d * vector_norm_partial(x, whole, ord), x.dtype), None
        x_bar = cast(d * general_partial(x, whole, ord), x.dtype)
        return x_bar, unbroadcast(d * partial_by_order(x, whole, ord, axes), ord)

    return vector_norm_back


def matrix_norm_tangent(dots, y, x, /, *, keepdims=False, ord="fro"):
    """The same of the matrices in the last two axes."""
    return norm_tangent(dots, y, x, ord, (-2, -1), keepdims)


@array_rule(
    np.linalg.matrix_norm,
    forward=matrix_norm_tangent,
    forward_for=of_arrays(matrix_norm_tangent, options="ord keepdims"),
)
def matrix_norm_rule(x: np.ndarray, /, *, keepdims=False, ord="fro"):
    """The norm of the matrices in the last two axes."""
    return norm_rule(x, ord, (-2, -1), keepdims)


def vector_norm_partial(x, y, ord):
    """∂‖x‖ₚ/∂x = |x|ᵖ⁻¹ sign(x) / yᵖ⁻¹, for p = ±∞ the sign of the extreme entry."""
    if ord == 2:
        return x / np.where(y == 0, np.inf, y)
    if ord == 0:
        return np.zeros(x.shape)
    if ord == 1:
        return np.sign(x)
    return np.sign(x) * shares(np.abs(x), y) if abs(ord) == np.inf else general_partial(x, y, ord)


def general_partial(x, y, ord):
    """The partial of ‖x‖ₚ for any p that is finite and not 0."""
    size = np.abs(x)
    none = (size == 0) | (y == 0)
    ratio = np.where(none, 1, size) / np.where(none, 1, y)
    at_0 = x / np.where(y == 0, np.inf, y) if ord == 2 else 0.0
    return np.where(none, at_0, np.sign(x) * ratio ** (ord - 1))


def partial_by_order(x, y, ord, axes):
    """∂‖x‖ₚ/∂p = y / p Σ rᵖ log r with r = |x| / y."""
    size = np.abs(x)
    none = (size == 0) | (y == 0)
    ratio = np.where(none, 1, size) / np.where(none, 1, y)
    return y / ord * np.sum(ratio**ord * np.log(ratio), axis=axes, keepdims=True)


def matrix_norm_partial(x, ord, axes):
    """The derivative of the norms by singular values (2, -2, "nuc") and by sums of rows and columns (±1, ±∞)."""
    moved = np.moveaxis(x, axes, (-2, -1))
    if ord in ("nuc", 2, -2):
        u, s, vh = np.linalg.svd(moved, full_matrices=False)
        partial = np.matmul(u * np.expand_dims(weights_of(s, ord), -2), vh)
    elif abs(ord) in (1, np.inf):
        size = np.abs(moved)
        sums = np.sum(size, axis=-2 if abs(ord) == 1 else -1, keepdims=True)
        extreme = np.max(sums, axis=(-2, -1), keepdims=True) if ord > 0 else np.min(sums, axis=(-2, -1), keepdims=True)
        partial = np.sign(moved) * shares(sums, extreme)
    else:
        refuse(f"np.linalg.norm(ord={ord!r})", "there is no rule for this norm", "write its formula out")
    return np.moveaxis(partial, (-2, -1), axes)


def weights_of(s, ord):
    """The derivative of a norm by the singular values; those that are 0 up to rounding have none.

    >>> weights_of(np.array([2.0, 2.0, 0.0]), "nuc"), weights_of(np.array([2.0, 2.0, 0.0]), 2)
    (array([1., 1., 0.]), array([0.5, 0.5, 0. ]))
    """
    largest = np.max(s, axis=-1, keepdims=True, initial=0.0)
    least = s.shape[-1] * np.finfo(s.dtype).eps * largest
    if ord == "nuc":
        return (s > least) * 1.0
    return shares(s, largest if ord == 2 else np.min(s, axis=-1, keepdims=True)) * (s > least)


@array_rule(np.linalg.cond)
def cond_rule(x: np.ndarray, p=None):
    """κ = ‖x‖ ‖x⁻¹‖, in the 2-norm σ₁ / σₙ, so x̄ = ȳ (u₁ v₁ᴴ - κ uₙ vₙᴴ) / σₙ."""
    y = np.linalg.cond(x, p)
    shape = (*np.shape(y), 1, 1)

    def cond_back(y_bar):
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        largest, least = s[..., :1], s[..., -1:]
        of_largest, of_least = shares(s, largest), shares(s, least)
        d = np.expand_dims(y_bar, -1)
        regular = least != 0
        bottom = np.where(regular, least, 1)
        if p == -2:
            top = np.where(largest == 0, 1, largest)
            weights = of_least / top - of_largest * (least / top**2)
        else:
            weights = where_regular(of_largest / bottom - of_least * (largest / bottom**2), d, regular)
        return (cast(np.matmul(u * np.expand_dims(weights * d, -2), vh), x.dtype),)

    def other_cond_back(y_bar):
        y_bar = np.real(y_bar)  # NumPy 2.0 gives a complex number whose imaginary part is 0
        regular = np.reshape(np.isfinite(y), shape)
        inverse, inverse_back = inv_rule(or_identity(x, regular))
        size, size_back = norm_rule(x, p, (-2, -1))
        of_inverse, of_inverse_back = norm_rule(inverse, p, (-2, -1))
        x_bar = size_back(y_bar * of_inverse)[0] + inverse_back(of_inverse_back(y_bar * size)[0])[0]
        return (cast(where_regular(x_bar, np.reshape(y_bar, shape), regular), x.dtype),)

    return y, cond_back if p in (None, 2, -2) else other_cond_back


non_differentiable(weights_of)
