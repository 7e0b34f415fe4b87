"""Products of vectors, and of stacks of them: Kronecker, cross and scalar products, matrices with vectors."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np

from ...tangents import stops_at, unbroadcast
from ..registry import rule
from .lifting import refuse_out
from .linear import bring_back
from .products import Arrays, with_axes


@rule(np.kron, linear="a b")
def kron_rule(a: Arrays, b: Arrays):
    """y = aᵢⱼ b for all i and j, so āᵢⱼ = ⟨b, their block of ȳ⟩ and b̄ = Σ āᵢⱼ of the blocks."""
    x, z = np.asarray(a), np.asarray(b)
    ndim = max(x.ndim, z.ndim)
    x_shape = (1,) * (ndim - x.ndim) + x.shape
    z_shape = (1,) * (ndim - z.ndim) + z.shape

    def kron_back(y_bar):
        d = np.reshape(y_bar, tuple(n for pair in zip(x_shape, z_shape, strict=True) for n in pair))
        outer, inner = tuple(range(0, 2 * ndim, 2)), tuple(range(1, 2 * ndim, 2))
        every = tuple(range(ndim))
        a_bar = np.tensordot(d, np.reshape(z, z_shape).conj(), (inner, every))
        b_bar = np.tensordot(d, np.reshape(x, x_shape).conj(), (outer, every))
        return bring_back(np.reshape(a_bar, x.shape), a), bring_back(np.reshape(b_bar, z.shape), b)

    return np.kron(a, b), kron_back


@rule(np.cross, linear="a b")
def cross_rule(a: Arrays, b: Arrays, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """y = a × b, so ā = b × ȳ and b̄ = ȳ × a: of vectors with three components."""
    if axis is not None:
        axisa = axisb = axisc = axis
    y = np.cross(a, b, axisa, axisb, axisc)

    def cross_back(y_bar):
        x, z = np.moveaxis(np.asarray(a), axisa, -1), np.moveaxis(np.asarray(b), axisb, -1)
        flat = x.shape[-1] == z.shape[-1] == 2
        d = np.expand_dims(y_bar, -1) * np.array([0.0, 0.0, 1.0]) if flat else np.moveaxis(y_bar, axisc, -1)
        a_bar, b_bar = np.cross(with_three(z).conj(), d), np.cross(d, with_three(x).conj())
        a_bar = unbroadcast(a_bar[..., : x.shape[-1]], x)
        b_bar = unbroadcast(b_bar[..., : z.shape[-1]], z)
        return bring_back(np.moveaxis(a_bar, -1, axisa), a), bring_back(np.moveaxis(b_bar, -1, axisb), b)

    return y, cross_back


def with_three(x):
    """Vectors with their third component, 0 if they had two."""
    return x if x.shape[-1] == 3 else np.concatenate((x, np.zeros((*x.shape[:-1], 1))), axis=-1)


@rule(np.linalg.cross, linear="x1 x2")
def linalg_cross_rule(x1: Arrays, x2: Arrays, /, *, axis=-1):
    """y = a × b of vectors with three components."""
    y = np.linalg.cross(x1, x2, axis=axis)
    return y, cross_rule(x1, x2, axis, axis, axis)[1]


def _scalar_products(x1, x2):
    a, b = np.asarray(x1), np.asarray(x2)

    def scalar_products_back(y_bar):
        d = np.expand_dims(y_bar, -1)
        return bring_back(unbroadcast(np.conj(d) * b, a), x1), bring_back(unbroadcast(d * a, b), x2)

    return None, scalar_products_back


def _matrices_with_vectors(x1, x2):
    a, b = np.asarray(x1), np.asarray(x2)

    def matrices_with_vectors_back(y_bar):
        a_bar = np.expand_dims(y_bar, -1) * np.conj(np.expand_dims(b, -2))
        b_bar = np.matmul(np.conj(np.swapaxes(a, -1, -2)), np.expand_dims(y_bar, -1))[..., 0]
        return bring_back(unbroadcast(a_bar, a), x1), bring_back(unbroadcast(b_bar, b), x2)

    return None, matrices_with_vectors_back


def _vectors_with_matrices(x1, x2):
    a, b = np.asarray(x1), np.asarray(x2)

    def vectors_with_matrices_back(y_bar):
        a_bar = np.matmul(b, np.expand_dims(np.conj(y_bar), -1))[..., 0]
        b_bar = np.expand_dims(a, -1) * np.expand_dims(y_bar, -2)
        return bring_back(unbroadcast(a_bar, a), x1), bring_back(unbroadcast(b_bar, b), x2)

    return None, vectors_with_matrices_back


if hasattr(np, "vecdot"):

    @rule(np.vecdot, linear="x1 x2")
    def vecdot_rule(x1: Arrays, x2: Arrays, /, out=None, *, axis=-1, axes=None, keepdims=False, **options):
        """y = Σ conj(a) b over one axis, the others broadcast."""
        refuse_out(out)
        where = {"axis": axis} if axes is None else {"axes": axes}
        y = np.vecdot(x1, x2, **where, keepdims=keepdims, **options)
        if stops_at((x1, x2), y):
            return y, lambda y_bar: (None, None)
        given = axes or (axis, axis, axis)
        first, second, *last = [own[0] if isinstance(own, tuple | list) else own for own in given if np.size(own)]
        place = (*last, -1)[0]
        a, b = np.moveaxis(np.asarray(x1), first, -1), np.moveaxis(np.asarray(x2), second, -1)
        _, back = _scalar_products(a, b)

        def vecdot_back(y_bar):
            a_bar, b_bar = back(np.squeeze(y_bar, place) if keepdims else y_bar)
            return bring_back(np.moveaxis(a_bar, -1, first), x1), bring_back(np.moveaxis(b_bar, -1, second), x2)

        return y, vecdot_back

    @rule(np.linalg.vecdot, linear="x1 x2")
    def linalg_vecdot_rule(x1: Arrays, x2: Arrays, /, *, axis=-1):
        """y = Σ conj(a) b over one axis."""
        y, back = vecdot_rule(x1, x2, axis=axis)
        return np.linalg.vecdot(x1, x2, axis=axis), back


if hasattr(np, "matvec"):

    @rule(np.matvec, linear="x1 x2")
    def matvec_rule(x1: Arrays, x2: Arrays, /, out=None, **options: Any):
        """y = A b over stacks, so Ā = ȳ bᴴ and b̄ = Aᴴ ȳ."""
        refuse_out(out)
        return with_axes(np.matvec, _matrices_with_vectors, ((-2, -1), (-1,), (-1,)), x1, x2, **options)

    @rule(np.vecmat, linear="x1 x2")
    def vecmat_rule(x1: Arrays, x2: Arrays, /, out=None, **options: Any):
        """y = aᴴ B over stacks, so ā = B conj(ȳ) and B̄ = a ȳᵀ."""
        refuse_out(out)
        return with_axes(np.vecmat, _vectors_with_matrices, ((-1,), (-2, -1), (-1,)), x1, x2, **options)
