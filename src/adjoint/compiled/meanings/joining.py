"""Arrays that are put together, or taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import arrays
from ..elementary import ADD, GE, LT, SELECT
from ..kernel import Atom, Lit, Reg
from ..lower import Lower
from ..values import NONE, ZERO, Arr, CannotCompile, Value, option
from ..writer import wider_of
from .calls import axis_of, means
from .making import flat_as


@means(np.concatenate)
def concatenate(lower: Lower, parts: Value, axis: Value = ZERO) -> Value:
    """One after the other, along an axis."""
    return joined(lower, arrays_of(lower, parts), axis)


@means(np.hstack)
def hstack(lower: Lower, parts: Value) -> Value:
    """Along the second axis, or the only one."""
    arrs = [at_least(x, 1) for x in arrays_of(lower, parts)]
    return joined(lower, arrs, Lit(min(1, arrs[0].ndim - 1)))


@means(np.vstack)
def vstack(lower: Lower, parts: Value) -> Value:
    """As rows."""
    return joined(lower, [at_least(x, 2) for x in arrays_of(lower, parts)], ZERO)


@means(np.column_stack)
def column_stack(lower: Lower, parts: Value) -> Value:
    """As columns."""
    arrs = arrays_of(lower, parts)
    return joined(lower, [with_axis(x, 1) if x.ndim == 1 else at_least(x, 2) for x in arrs], Lit(1))


@means(np.stack)
def stack(lower: Lower, parts: Value, axis: Value = ZERO) -> Value:
    """Along a new axis."""
    arrs = arrays_of(lower, parts)
    k = place_of(axis, arrs[0].ndim + 1)
    for x in arrs:
        arrays.check_shapes(lower.w, arrs[0].shape, x.shape)
    return joined(lower, [with_axis(x, k) for x in arrs], axis)


@means(np.delete)
def delete(lower: Lower, arr: Value, obj: Value, axis: Value = NONE) -> Value:
    """All but what is at one index along an axis."""
    w = lower.w
    x = arrays.as_array(w, arr)
    if axis == NONE:
        x, axis = arrays.located(w, flattened(lower, x)), ZERO
    k = place_of(axis, x.ndim)
    if not isinstance(obj, Reg | Lit) or obj.kind != "i":
        raise CannotCompile("`delete` of several entries, or of a slice")
    n = x.shape[k]
    at = w.op(SELECT, w.op(LT, obj, 0), w.op(ADD, obj, n), obj)
    w.check(w.op(LT, at, 0))
    w.check(w.op(GE, at, n))

    def entry(index: tuple[Atom, ...]) -> Atom:
        i = w.op(SELECT, w.op(LT, index[k], at), index[k], w.op(ADD, index[k], 1))
        return x.at((*index[:k], i, *index[k + 1 :]))

    shape = (*x.shape[:k], w.sub(n, 1), *x.shape[k + 1 :])
    return arrays.located(w, Arr(shape, x.kind, entry, parts=(x,)))


# ---- what these have in common


def arrays_of(lower: Lower, parts: Value) -> list[Arr]:
    """The arrays in a sequence."""
    found = [arrays.as_array(lower.w, p) for p in arrays.items_of(lower.w, parts)]
    if not found:
        raise CannotCompile("no arrays to put together")
    return found


def joined(lower: Lower, arrs: Sequence[Arr], axis: Value) -> Value:
    """A new array of these, one after the other along an axis; flat if there is none."""
    w = lower.w
    if axis == NONE:
        arrs, axis = [flattened(lower, x) for x in arrs], ZERO
    ndim = arrs[0].ndim
    k = place_of(axis, ndim)
    if any(x.ndim != ndim for x in arrs):
        raise CannotCompile("arrays of different numbers of axes that are put together")
    n: Atom = Lit(0)
    for x in arrs:
        for i in range(ndim):
            if i != k:
                arrays.check_shapes(w, arrs[0].shape[i : i + 1], x.shape[i : i + 1])
        n = w.add(n, x.shape[k])
    shape = (*arrs[0].shape[:k], n, *arrs[0].shape[k + 1 :])
    kind = wider_of([Reg("", x.kind) for x in arrs])
    made = arrays.of_buffer(w, buf := w.new(kind, shape, zero=False), shape)
    start: Atom = Lit(0)
    for x in arrs:

        def put(index: tuple[Atom, ...], x: Arr = x, start: Atom = start) -> Any:
            return w.store(buf, (*index[:k], w.add(start, index[k]), *index[k + 1 :]), x.at(index))

        w.nest(x.shape, put)
        start = w.add(start, x.shape[k])
    return made


def place_of(axis: Value, ndim: int) -> int:
    """The place of an axis, counted from the first."""
    return axis_of(option(axis), ndim)


def with_axis(x: Arr, k: int) -> Arr:
    """A view with an axis of length 1 more."""
    shape = (*x.shape[:k], Lit(1), *x.shape[k:])
    return arrays.view_of(x, shape, lambda index: (*index[:k], *index[k + 1 :]))


def at_least(x: Arr, ndim: int) -> Arr:
    """A view with as many axes, if it has fewer."""
    while x.ndim < ndim:
        x = with_axis(x, 0)
    return x


def flattened(lower: Lower, x: Arr) -> Arr:
    """All entries, in the order of C."""
    n: Atom = Lit(1)
    for m in x.shape:
        n = lower.w.mul(n, m)
    return flat_as(lower, x, (n,))
