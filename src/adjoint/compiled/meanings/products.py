"""Products of vectors and matrices."""

from __future__ import annotations

import operator
from collections.abc import Sequence

import numpy as np

from .. import arrays
from ..elementary import (
    ELEMENTARY,
)
from ..kernel import Atom, Lit, Reg
from ..lower import Lower
from ..values import Arr, CannotCompile, Value
from .calls import entrywise, means


@means(np.outer)
def outer(lower: Lower, a: Value, b: Value) -> Value:
    """x yᵀ."""
    w = lower.w
    x, y = arrays.located(w, arrays.as_array(w, a)), arrays.located(w, arrays.as_array(w, b))
    if x.ndim != 1 or y.ndim != 1:
        raise CannotCompile("the outer product of matrices")
    shape = (x.shape[0], y.shape[0])
    return Arr(shape, "f", lambda i: w.mul(x.at((i[0],)), y.at((i[1],))), parts=(x, y))


@means(np.dot, operator.matmul, np.matmul)
def matmul(lower: Lower, a: Value, b: Value) -> Value:
    """A B, of vectors and matrices."""
    w = lower.w
    x, y = arrays.as_array(w, a), arrays.as_array(w, b)
    if not x.ndim or not y.ndim:
        return entrywise(lower, ELEMENTARY[operator.mul], [a, b])
    if x.ndim > 2 or y.ndim > 2:
        raise CannotCompile("products of stacks of matrices")
    x, y = arrays.located(w, x), arrays.located(w, y)
    n = x.shape[-1]
    arrays.check_shapes(w, [n], [y.shape[0]])

    def entry(index: tuple[Atom, ...]) -> Atom:
        row, column = index[: x.ndim - 1], index[x.ndim - 1 :]

        def step(k: Reg, s: Reg) -> Sequence[Atom]:
            return [w.add(s, w.mul(x.at((*row, k)), y.at((k, *column))))]

        return w.for_each(n, step, [Lit(0.0)], name="k")[0]

    shape = (*x.shape[:-1], *y.shape[1:])
    if not shape:
        return entry(())
    if x.ndim == y.ndim == 2:
        return by_rows(lower, x, y, shape)
    made = arrays.of_buffer(w, buf := w.new("f", shape, zero=False), shape)
    w.nest(shape, lambda index: w.store(buf, index, entry(index)))
    return made


def by_rows(lower: Lower, x: Arr, y: Arr, shape: Sequence[Atom]) -> Value:
    """The product of matrices as sums of rows: the innermost loop, and that of its reverse, goes along memory, so that
    processors take several entries at once. Each is summed in the same order as by itself."""
    w = lower.w
    made = arrays.of_buffer(w, buf := w.new("f", shape), shape)

    def term(index: tuple[Atom, ...]) -> None:
        i, k = index
        factor = w.as_kind(x.at((i, k)), "f")

        def add(j: tuple[Atom, ...]) -> None:
            w.store(buf, (i, *j), w.add(w.load(buf, (i, *j)), w.mul(factor, y.at((k, *j)))))

        w.nest(shape[1:], add)

    w.nest(x.shape, term)
    return made
