"""Axes that come and go, and parts of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import arrays
from ..elementary import EQ, FLOORDIV, MOD, NE
from ..kernel import Lit
from ..lower import Lower
from ..values import NONE, ZERO, Arr, CannotCompile, Items, Known, Value, option
from .calls import MEANINGS, means
from .joining import at_least, place_of, with_axis
from .making import shape_of
from .products import einsum, matmul
from .scalars import where

TWO = Lit(2)


@means(np.expand_dims)
def expand_dims(lower: Lower, a: Value, axis: Value) -> Value:
    """A view with an axis of length 1 more."""
    x = arrays.as_array(lower.w, a)
    return with_axis(x, place_of(axis, x.ndim + 1))


def _at_least(function: Any, ndim: int) -> None:
    def at_least_so_many(lower: Lower, a: Value) -> Value:
        """A view with axes of length 1 in front."""
        return at_least(arrays.as_array(lower.w, a), ndim)

    MEANINGS[function] = at_least_so_many


_at_least(np.atleast_1d, 1)
_at_least(np.atleast_2d, 2)


@means(np.squeeze)
def squeeze(lower: Lower, a: Value, axis: Value = NONE) -> Value:
    """A view without the axes of length 1; that any other is of that length is not known here."""
    x = arrays.as_array(lower.w, a)
    gone = [k for k, n in enumerate(x.shape) if n == Lit(1)] if axis == NONE else [place_of(axis, x.ndim)]
    for k, n in enumerate(x.shape):
        if (k in gone) != (n == Lit(1)):
            lower.w.check(lower.w.op(NE if k in gone else EQ, n, 1))
    kept = [k for k in range(x.ndim) if k not in gone]

    def at(index: tuple[object, ...]) -> tuple[object, ...]:
        found = dict(zip(kept, index, strict=True))
        return tuple([found.get(k, Lit(0)) for k in range(x.ndim)])

    return arrays.view_of(x, [x.shape[k] for k in kept], at)  # type: ignore[arg-type]


@means(np.ix_)
def ix_(lower: Lower, *args: Value) -> Value:
    """Indices that lie along an axis each."""
    found = [arrays.as_array(lower.w, x) for x in args]
    if any(x.ndim != 1 or x.kind != "i" for x in found):
        raise CannotCompile("`ix_` of what are no vectors of integers")
    for k, x in enumerate(found):
        for axis in range(len(found)):
            if axis != k:
                x = with_axis(x, axis)
        found[k] = x
    return tuple(found)


@means(np.broadcast_to)
def broadcast_to(lower: Lower, array: Value, shape: Value) -> Value:
    """The same entries in a larger shape: a copy, right as long as nobody stores into one of the two."""
    x, wanted = arrays.as_array(lower.w, array), shape_of(lower, shape)
    if x.ndim > len(wanted):
        raise CannotCompile("`broadcast_to` fewer axes")
    arrays.check_lengths(lower.w, wanted)
    made = arrays.copied(lower.w, arrays.broadcast_to(lower.w, x, wanted), x.kind)
    assert made.buf is not None
    lower.delayed.links.link(x, made.buf)
    return made


@means(np.split)
def split(lower: Lower, ary: Value, indices_or_sections: Value, axis: Value = ZERO) -> Value:
    """Parts of the same length, as views."""
    w, x = lower.w, arrays.as_array(lower.w, ary)
    parts = option(indices_or_sections)
    if type(parts) is not int or not 0 < parts <= 64 or axis != ZERO or not x.ndim:
        raise CannotCompile("`split` into such parts")
    w.check(w.op(NE, w.op(MOD, x.shape[0], parts), 0))
    each = w.op(FLOORDIV, x.shape[0], parts)

    def part(k: int) -> Arr:
        start = w.mul(each, k)
        return arrays.view_of(x, (each, *x.shape[1:]), lambda index: (w.add(start, index[0]), *index[1:]))

    return Items([part(k) for k in range(parts)])


@means(np.tensordot)
def tensordot(lower: Lower, a: Value, b: Value, axes: Value = TWO) -> Value:
    """Sums of products over the last axes of one and the first of the other."""
    x, y = arrays.as_array(lower.w, a), arrays.as_array(lower.w, b)
    n = option(axes)
    if type(n) is not int or not 0 <= n <= min(x.ndim, y.ndim):
        raise CannotCompile("`tensordot` over such axes")
    letters = "abcdefghijklmnopqrstuvwxyz"
    first = letters[: x.ndim]
    second = first[x.ndim - n :] + letters[x.ndim : x.ndim + y.ndim - n]
    return einsum(lower, Known(f"{first},{second}->{first[: x.ndim - n]}{second[n:]}"), x, y)


@means(np.select)
def select(lower: Lower, condlist: Value, choicelist: Value, default: Value = ZERO) -> Value:
    """Entry by entry what belongs to the first condition that is true."""
    pairs = zip(arrays.items_of(lower.w, condlist), arrays.items_of(lower.w, choicelist), strict=True)
    found = default
    for cond, choice in [*pairs][::-1]:
        found = where(lower, cond, choice, found)
    return found


@means(np.linalg.matrix_power)
def matrix_power(lower: Lower, a: Value, n: Value) -> Value:
    """A Aⁿ⁻¹, by squaring as NumPy does."""
    power = option(n)
    if type(power) is not int or not 1 <= power <= 64:
        raise CannotCompile("such a power of a matrix")
    if power == 3:  # in this order, to the last digit
        return matmul(lower, matmul(lower, a, a), a)
    result, square = NONE, a
    while power:
        power, bit = divmod(power, 2)
        if bit:
            result = square if result == NONE else matmul(lower, result, square)
        square = matmul(lower, square, square) if power else square
    return result
