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
from ..values import NO, Arr, CannotCompile, Value, option
from ..writer import wider_of
from .calls import entrywise, means
from .joining import with_axis


@means(np.outer)
def outer(lower: Lower, a: Value, b: Value) -> Value:
    """x yᵀ."""
    w = lower.w
    x, y = arrays.located(w, arrays.as_array(w, a)), arrays.located(w, arrays.as_array(w, b))
    if x.ndim != 1 or y.ndim != 1:
        raise CannotCompile("the outer product of matrices")
    shape = (x.shape[0], y.shape[0])
    return Arr(shape, "f", lambda i: w.mul(x.at((i[0],)), y.at((i[1],))), parts=(x, y))


@means(np.dot)
def dot(lower: Lower, a: Value, b: Value) -> Value:
    """A B, or a multiple."""
    x, y = arrays.as_array(lower.w, a), arrays.as_array(lower.w, b)
    if not x.ndim or not y.ndim:
        return entrywise(lower, ELEMENTARY[operator.mul], [a, b])
    if x.ndim > 2 or y.ndim > 2:
        raise CannotCompile("`dot` of stacks of matrices")
    return matmul(lower, a, b)


@means(operator.matmul, np.matmul)
def matmul(lower: Lower, a: Value, b: Value) -> Value:
    """A B, of vectors, matrices and stacks of matrices."""
    w = lower.w
    x, y = arrays.as_array(w, a), arrays.as_array(w, b)
    if not x.ndim or not y.ndim:
        raise CannotCompile("`@` of a number")
    if x.ndim > 2 or y.ndim > 2:
        return of_stacks(lower, arrays.located(w, x), arrays.located(w, y))
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


@means(np.einsum)
def einsum(lower: Lower, pattern: Value, *operands: Value, optimize: Value = NO) -> Value:
    """Sums of products by a pattern that is written down."""
    w = lower.w
    text = str(option(pattern)).replace(" ", "")
    inputs, arrow, output = text.partition("->")
    parts = inputs.split(",")
    if not arrow:
        letters = inputs.replace(",", "")
        output = "".join(sorted(x for x in set(letters) if letters.count(x) == 1))
    arrs = [arrays.located(w, arrays.as_array(w, x)) for x in operands]
    fits = [len(part) for part in parts] == [x.ndim for x in arrs] and "".join(parts).isalpha()
    if not fits or len(set(output)) < len(output) or not {*output} <= {*inputs}:
        raise CannotCompile("such a pattern of `einsum`")
    sizes: dict[str, Atom] = {}
    for part, x in zip(parts, arrs, strict=True):
        for letter, n in zip(part, x.shape, strict=True):
            if letter in sizes:
                arrays.check_shapes(w, [sizes[letter]], [n])
            sizes.setdefault(letter, n)
    kind = wider_of([Reg("", x.kind) for x in arrs])
    summed = [x for x in sizes if x not in output]

    def term(at: dict[str, Atom]) -> Atom:
        found: Atom | None = None
        for part, x in zip(parts, arrs, strict=True):
            factor = w.as_kind(x.at(tuple([at[letter] for letter in part])), kind)
            found = factor if found is None else w.mul(found, factor)
        assert found is not None
        return found

    def total(at: dict[str, Atom], rest: list[str], so_far: Atom) -> Atom:
        if not rest:
            return w.add(so_far, term(at))
        return w.for_each(sizes[rest[0]], lambda i, s: [total({**at, rest[0]: i}, rest[1:], s)], [so_far])[0]

    shape = tuple([sizes[x] for x in output])
    zero = Lit(0.0 if kind == "f" else 0)
    if not shape:
        return total({}, summed, zero)
    made = arrays.of_buffer(w, buf := w.new(kind, shape, zero=False), shape)
    w.nest(shape, lambda index: w.store(buf, index, total(dict(zip(output, index, strict=True)), summed, zero)))
    return made


def of_stacks(lower: Lower, x: Arr, y: Arr) -> Value:
    """The products of the matrices of two stacks, or of one and a matrix or vector."""
    w = lower.w
    rows = x if x.ndim > 1 else with_axis(x, 0)
    columns = y if y.ndim > 1 else with_axis(y, 1)
    stack = arrays.broadcast_shape(w, [rows.shape[:-2], columns.shape[:-2]])
    arrays.check_shapes(w, rows.shape[-1:], columns.shape[-2:-1])
    wide = arrays.broadcast_to(w, rows, (*stack, *rows.shape[-2:]))
    other = arrays.broadcast_to(w, columns, (*stack, *columns.shape[-2:]))
    kind = "i" if x.kind == y.kind == "i" else "f"
    shape = (*stack, rows.shape[-2], columns.shape[-1])
    made = by_rows(lower, wide, other, shape, kind)
    if x.ndim == 1:
        return arrays.view_of(made, (*stack, shape[-1]), lambda index: (*index[:-1], Lit(0), index[-1]))
    if y.ndim == 1:
        return arrays.view_of(made, shape[:-1], lambda index: (*index, Lit(0)))
    return made


def by_rows(lower: Lower, x: Arr, y: Arr, shape: Sequence[Atom], kind: str = "f") -> Arr:
    """The products of matrices, or of stacks as long, as sums of rows: the innermost loop, and that of its reverse,
    goes along memory, so that processors take several entries at once. Each is summed in its own order."""
    w = lower.w
    made = arrays.of_buffer(w, buf := w.new(kind, shape), shape)

    def term(index: tuple[Atom, ...]) -> None:
        *stack, i, k = index
        factor = w.as_kind(x.at(index), kind)

        def add(j: tuple[Atom, ...]) -> None:
            place = (*stack, i, *j)
            w.store(buf, place, w.add(w.load(buf, place), w.mul(factor, y.at((*stack, k, *j)))))

        w.nest(shape[-1:], add)

    w.nest(x.shape, term)
    return made
