"""Products that sum over axes: of matrices, vectors and arrays of any rank.

A rule that is told what `needs` a cotangent computes no other, and keeps only the operands that are used for it.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import operator
from typing import Any

import numpy as np

from ...ops import Alloc, each, gives
from ...ops.cotangent_types import of_product
from ...tangents import ghost, stops_at, unbroadcast
from ..calls import refuse_stores
from ..registry import Back, rule
from .lifting import array_rule, declared, refuse, refuse_out
from .linear import axes_of, bring_back, cast, nested

Arrays = np.ndarray | np.generic | list | tuple | int | float | complex


@rule(np.matmul, operator.matmul, np.linalg.matmul, np.ndarray.__matmul__, linear="a b")
def matmul_rule(a: np.ndarray, b: np.ndarray, *, out=None, needs=None, **options):
    """Y = A B, so Ā = Ȳ Bᴴ and B̄ = Aᴴ Ȳ."""
    if out is not None:
        refuse_out(out)
    if options:
        return with_axes(np.matmul, matmul_rule, ((-2, -1), (-2, -1), (-2, -1)), a, b, needs=needs, **options)
    return a @ b, _product_back(a, b, needs)


def with_axes(f, call, usual, *operands, needs=None, axes=None, **options):
    """The rule of a product that is told where its operands and its result have their axes, or how to compute.

    `call` is its rule for the `usual` axes.
    """
    y = f(*operands, **({} if axes is None else {"axes": axes}), **options)
    if stops_at(operands, y):
        return y, lambda y_bar: (None,) * len(operands)
    likes = [ghost(x) for x in operands]
    places = [(own,) if isinstance(own, int) else tuple(own) for own in (axes or ())]
    places += [()] * (3 - len(places))
    lasts = [last[len(last) - len(own) :] for own, last in zip(places, usual, strict=True)]
    moved = [np.moveaxis(x, own, last) if own else x for x, own, last in zip(operands, places, lasts, strict=False)]
    _, back = call(*moved, **({} if needs is None else {"needs": needs}))

    def with_axes_back(y_bar):
        bars = back(np.moveaxis(y_bar, places[2], lasts[2]) if places[2] else y_bar)
        return tuple(
            bar if bar is None or not own else bring_back(np.moveaxis(bar, last, own), like)
            for bar, own, last, like in zip(bars, places, lasts, likes, strict=False)
        )

    return y, with_axes_back


@rule(np.matmul, operator.matmul, np.linalg.matmul, np.ndarray.__matmul__, linear="a b")
def matmul_of_sequences_rule(
    a: np.ndarray | list | tuple, b: np.ndarray | list | tuple, out=None, *, needs=None, **options
):
    """Lists and tuples of numbers count as arrays."""
    y, back = matmul_rule(np.asarray(a), np.asarray(b), out=out, needs=needs, **options)

    def matmul_of_sequences_back(y_bar):
        a_bar, b_bar = back(y_bar)
        return None if a_bar is None else nested(a_bar, a), None if b_bar is None else nested(b_bar, b)

    return y, matmul_of_sequences_back


@rule(operator.matmul, np.ndarray.__matmul__)
def matmul_without_arrays_rule(a: list | tuple, b: list | tuple, *, needs=None):
    """Python has no `@` of two lists, and says so."""
    y = operator.matmul(a, b)
    refuse("`@` of lists", "a class of its own says what it gives", "use np.matmul")
    return y, None


def right_bar(a, y_bar):
    """B̄ = Aᵀ Ȳ, for vectors and matrices of float64."""
    if y_bar is None:
        return None
    if a.ndim == 1:
        return y_bar * a if np.ndim(y_bar) == 0 else np.outer(a, y_bar)
    return y_bar @ a if np.ndim(y_bar) == 1 else a.T @ y_bar


def left_bar(b, y_bar):
    """Ā = Ȳ Bᵀ, for vectors and matrices of float64."""
    if y_bar is None:
        return None
    if b.ndim == 1:
        return y_bar * b if np.ndim(y_bar) == 0 else np.outer(y_bar, b)
    return b @ y_bar if np.ndim(y_bar) == 1 else y_bar @ b.T


@rule(right_bar, linear="a y_bar")
def right_bar_rule(a: Any, y_bar: Any, *, needs=None):
    """It is linear in both: with D the cotangent, Ā = Ȳ Dᵀ, and A D is that of Ȳ."""

    def right_bar_back(d):
        if y_bar is None:
            return None, None
        return (
            left_bar(d, y_bar) if needs is None or needs[0] else None,
            a @ d if needs is None or needs[1] else None,
        )

    return right_bar(a, y_bar), right_bar_back


@rule(left_bar, linear="b y_bar")
def left_bar_rule(b: Any, y_bar: Any, *, needs=None):
    """It is linear in both: with D the cotangent, B̄ = Dᵀ Ȳ, and D B is that of Ȳ."""

    def left_bar_back(d):
        if y_bar is None:
            return None, None
        return (
            right_bar(d, y_bar) if needs is None or needs[0] else None,
            d @ b if needs is None or needs[1] else None,
        )

    return left_bar(b, y_bar), left_bar_back


def image(a, d):
    """A D, for vectors and matrices of float64."""
    return None if d is None else a @ d


@rule(image, linear="a d")
def image_rule(a: Any, d: Any, *, needs=None):
    """A product like any other."""

    def image_back(y_bar):
        if d is None:
            return None, None
        return (
            left_bar(d, y_bar) if needs is None or needs[0] else None,
            right_bar(a, y_bar) if needs is None or needs[1] else None,
        )

    return image(a, d), image_back


each((Alloc(),), left_bar, right_bar)
gives(of_product, left_bar, right_bar)
declared(np.matmul, matmul_rule).direct = (left_bar, right_bar)
declared(right_bar, right_bar_rule).direct = (None, image)


def _product_back(a, b, needs):
    left = a if needs is None or needs[1] else None
    right = b if needs is None or needs[0] else None
    if a.ndim > 2 or b.ndim > 2:
        return _stacked_back(a, b, left, right)
    if a.ndim < 2 or b.ndim < 2:
        return _vector_back(a, b, left, right)
    a_kind, b_kind = a.dtype, b.dtype

    def product_back(y_bar):
        a_bar = None if right is None else cast(y_bar @ right.conj().T, a_kind)
        b_bar = None if left is None else cast(left.conj().T @ y_bar, b_kind)
        return a_bar, b_bar

    return product_back


def _vector_back(a, b, left, right):
    """The back of y = A b, y = aᵀ B or y = aᵀ b; `left` and `right` are what it has need of."""
    row, column = a.ndim == 1, b.ndim == 1
    a_kind, b_kind = a.dtype, b.dtype

    def vector_back(y_bar):
        a_bar = b_bar = None
        if right is not None:
            w = right.conj()
            a_bar = cast(y_bar * w if row and column else w @ y_bar if row else np.outer(y_bar, w), a_kind)
        if left is not None:
            v = left.conj()
            b_bar = cast(y_bar * v if row and column else np.outer(v, y_bar) if row else y_bar @ v, b_kind)
        return a_bar, b_bar

    return vector_back


def _stacked_back(a, b, left, right):
    """The back for stacks of matrices that broadcast; a vector is a matrix of one row or column."""
    row, column = a.ndim == 1, b.ndim == 1
    a_like, b_like = ghost(a), ghost(b)

    def stacked_back(y_bar):
        d = np.expand_dims(y_bar, -2) if row else np.expand_dims(y_bar, -1) if column else y_bar
        a_bar = b_bar = None
        if right is not None:
            columns = np.expand_dims(right, -1) if column else right
            a_bar = np.matmul(d, np.swapaxes(columns.conj(), -1, -2))
            a_bar = unbroadcast(a_bar[..., 0, :] if row else a_bar, a_like)
        if left is not None:
            rows = np.expand_dims(left, 0) if row else left
            b_bar = np.matmul(np.swapaxes(rows.conj(), -1, -2), d)
            b_bar = unbroadcast(b_bar[..., 0] if column else b_bar, b_like)
        return a_bar, b_bar

    return stacked_back


def _contraction(y, a, b, a_axes, b_axes, needs) -> tuple[Any, Back]:
    """The rule of `np.tensordot`, of which most products are a form; `y` is its result."""
    x, z = np.asarray(a), np.asarray(b)
    left = x if needs is None or needs[1] else None
    right = z if needs is None or needs[0] else None
    a_like, b_like, a_kind, b_kind = ghost(a), ghost(b), x.dtype, z.dtype
    a_free = tuple(i for i in range(x.ndim) if i not in a_axes)
    b_free = tuple(i for i in range(z.ndim) if i not in b_axes)

    def contraction_back(y_bar):
        n = len(a_free)
        a_bar = b_bar = None
        if right is not None:
            d = np.tensordot(y_bar, right.conj(), (tuple(range(n, n + len(b_free))), b_free))
            # The axes that are left of `right` come in its own order.
            order = a_free + tuple(i for _, i in sorted(zip(b_axes, a_axes, strict=True)))
            a_bar = bring_back(cast(np.transpose(d, np.argsort(order)) if order else d, a_kind), a_like)
        if left is not None:
            d = np.tensordot(left.conj(), y_bar, (a_free, tuple(range(n))))
            order = tuple(i for _, i in sorted(zip(a_axes, b_axes, strict=True))) + b_free
            b_bar = bring_back(cast(np.transpose(d, np.argsort(order)) if order else d, b_kind), b_like)
        return a_bar, b_bar

    return y, contraction_back


@rule(np.tensordot, np.linalg.tensordot, linear="a b")
def tensordot_rule(a: Any, b: Any, axes=2, *, needs=None):
    """y = Σ a b over pairs of axes."""
    x, z = np.asarray(a), np.asarray(b)
    if np.ndim(axes) == 0:
        a_axes, b_axes = tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes))
    else:
        first, second = axes
        a_axes = axes_of(tuple(first) if np.ndim(first) else first, x.ndim)
        b_axes = axes_of(tuple(second) if np.ndim(second) else second, z.ndim)
    return _contraction(np.tensordot(a, b, axes), a, b, a_axes, b_axes, needs)


@rule(np.dot, np.ndarray.dot, linear="a b")
def dot_rule(a: Arrays, b: Arrays, out=None, *, needs=None):
    """y = Σ a b over the last axis of a and the last but one of b (its only one); plain products with numbers."""
    if out is not None:
        refuse_out(out)
    y = np.dot(a, b)
    n, m = np.ndim(a), np.ndim(b)
    if 1 <= n <= 2 and 1 <= m <= 2 and isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return y, _product_back(a, b, needs)
    if n == 0 or m == 0:
        return _contraction(y, a, b, (), (), needs)
    return _contraction(y, a, b, (n - 1,), (max(m - 2, 0),), needs)


declared(np.dot, dot_rule).direct = (left_bar, right_bar)


@rule(np.inner, linear="a b")
def inner_rule(a: Arrays, b: Arrays, /, *, needs=None):
    """y = Σ a b over the last axes."""
    y = np.inner(a, b)
    n, m = np.ndim(a), np.ndim(b)
    if n == 0 or m == 0:
        return _contraction(y, a, b, (), (), needs)
    return _contraction(y, a, b, (n - 1,), (m - 1,), needs)


@rule(np.vdot, linear="a b")
def vdot_rule(a: Arrays, b: Arrays, /):
    """y = Σ conj(aᵢ) bᵢ, so ā = conj(ȳ) b and b̄ = ȳ a."""

    def vdot_back(y_bar):
        x, z = np.asarray(a), np.asarray(b)
        a_bar = bring_back(np.reshape(np.conj(y_bar) * z, x.shape), a)
        return a_bar, bring_back(np.reshape(y_bar * x, z.shape), b)

    return np.vdot(a, b), vdot_back


@rule(np.outer, np.linalg.outer, linear="a b")
def outer_rule(a: Arrays, b: Arrays, out=None, *, needs=None):
    """yᵢⱼ = aᵢ bⱼ, so ā = Ȳ conj(b) and b̄ = Ȳᵀ conj(a)."""
    refuse_out(out)
    u, v = np.ravel(a), np.ravel(b)
    left = u if needs is None or needs[1] else None
    right = v if needs is None or needs[0] else None
    a_like, b_like = ghost(a), ghost(b)

    def outer_back(y_bar):
        a_bar = None if right is None else bring_back(np.reshape(y_bar @ right.conj(), np.shape(a_like)), a_like)
        b_bar = None if left is None else bring_back(np.reshape(y_bar.T @ left.conj(), np.shape(b_like)), b_like)
        return a_bar, b_bar

    return np.outer(u, v), outer_back


@rule(np.linalg.multi_dot)
def multi_dot_rule(arrays, *, out=None):
    """y = A B C ..., so each has ȳ between what is left and what is right of it, transposed."""
    refuse_out(out)

    matrices = [np.asarray(a) for a in arrays]

    def multi_dot_back(y_bar):
        first = np.atleast_2d(matrices[0])
        last = matrices[-1][:, None] if matrices[-1].ndim == 1 else matrices[-1]
        factors = [first, *matrices[1:-1], last]
        d = np.reshape(y_bar, (first.shape[0], last.shape[1]))
        bars: list[Any] = []
        for i, matrix in enumerate(matrices):
            d_i = d
            if i > 0:
                left = factors[0] if i == 1 else np.linalg.multi_dot(factors[:i])
                d_i = left.conj().T @ d_i
            if i < len(matrices) - 1:
                right = factors[-1] if i == len(matrices) - 2 else np.linalg.multi_dot(factors[i + 1 :])
                d_i = d_i @ right.conj().T
            bars.append(bring_back(np.reshape(d_i, matrix.shape), arrays[i]))
        if isinstance(arrays, np.ndarray):
            return (np.stack(bars),)
        return (tuple(bars) if isinstance(arrays, tuple) else bars,)

    return np.linalg.multi_dot(arrays), multi_dot_back


# Matrices and vectors as ufuncs know them


@array_rule(np.multiply.outer, linear="A B")
def multiply_outer_rule(A: np.ndarray, B, /, **options):  # noqa: N803
    """yᵢⱼ = aᵢ bⱼ for indices of any rank."""
    return _outer(np.multiply, A, B, options, lambda y: _contraction(y, A, B, (), (), None))


@array_rule(np.add.outer, linear="A+B")
def add_outer_rule(A: np.ndarray, B, /, **options):  # noqa: N803
    """yᵢⱼ = aᵢ + bⱼ for indices of any rank."""
    return _outer(np.add, A, B, options, lambda y: _outer_sum(y, A, B, 1))


@array_rule(np.subtract.outer, linear="A+B")
def subtract_outer_rule(A: np.ndarray, B, /, **options):  # noqa: N803
    """yᵢⱼ = aᵢ - bⱼ for indices of any rank."""
    return _outer(np.subtract, A, B, options, lambda y: _outer_sum(y, A, B, -1))


def _outer(f, a, b, options, rule_of):
    """`f.outer(a, b)` and its rule, which is none where integers are made of other numbers."""
    refuse_stores(options)
    y = f.outer(a, b, **options)
    return (y, lambda y_bar: (None, None)) if stops_at((a, b), y) else rule_of(y)


def _outer_sum(y, a, b, sign):
    a_like, b_like = ghost(a), ghost(b)

    def outer_sum_back(y_bar):
        n = np.ndim(a_like)
        a_bar = np.sum(y_bar, axis=axes_of(tuple(range(n, y_bar.ndim)), y_bar.ndim))
        b_bar = np.sum(y_bar, axis=tuple(range(n)))
        return bring_back(a_bar, a_like), bring_back(sign * b_bar, b_like)

    return y, outer_sum_back
