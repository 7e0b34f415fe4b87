"""Sums, extrema and the like, along axes."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import arrays
from ..elementary import (
    AND,
    ELEMENTARY,
    EQ,
    GE,
    GT,
    LE,
    LINK,
    LT,
    MAXIMUM,
    MINIMUM,
    NE,
    NOT,
    OR,
    SELECT,
    STOP,
)
from ..kernel import Atom, Lit, Reg
from ..lower import Lower
from ..values import NO, ZERO, Arr, CannotCompile, Value, flag, option
from .calls import MEANINGS, Meaning, axis_of, entrywise, kind_of, means, unary_as


def axes_of(x: Arr, axis: Value | None) -> tuple[int, ...]:
    """The axes that are meant, from the front; all of them by None."""
    if (given := option(axis)) is None:
        return tuple(range(x.ndim))
    found = sorted(axis_of(k, x.ndim) for k in (given if isinstance(given, tuple) else (given,)))
    if len(set(found)) < len(found):
        raise CannotCompile("an axis that is given twice")
    return tuple(found)


def reduced(
    lower: Lower,
    a: Value,
    axis: Value | None,
    keepdims: Value,
    start: Any,
    step: Callable[[Atom, Atom], Atom],
    kind: str,
) -> Value:
    """Entries taken together along axes, one after the other."""
    x, w = arrays.as_array(lower.w, a), lower.w
    axes = axes_of(x, axis)
    rest = [k for k in range(x.ndim) if k not in axes]

    def total(outer: tuple[Atom, ...]) -> Atom:
        where_ = dict(zip(rest, outer, strict=True))

        def level(k: int, index: tuple[Atom, ...], so_far: Atom) -> Atom:
            if k == x.ndim:
                return step(so_far, w.as_kind(x.at(index), kind))
            if k in where_:
                return level(k + 1, (*index, where_[k]), so_far)
            return w.for_each(x.shape[k], lambda i, s: [level(k + 1, (*index, i), s)], [so_far])[0]

        first = start(outer) if callable(start) else start
        return level(0, (), first)

    if not rest:
        found: Value = total(())
        if flag(keepdims):
            return Arr((Lit(1),) * x.ndim, kind, lambda index: found)
        return found
    made = arrays.of_buffer(w, buf := w.new(kind, [x.shape[k] for k in rest], zero=False), [x.shape[k] for k in rest])
    w.nest(made.shape, lambda index: w.store(buf, index, total(index)))
    if flag(keepdims):
        shape = tuple([Lit(1) if k in axes else x.shape[k] for k in range(x.ndim)])
        return Arr(shape, kind, lambda index: made.at(tuple([index[k] for k in rest])), parts=(made,))
    return made


@means(np.sum)
def sum_(lower: Lower, a: Value, axis: Value | None = None, *, keepdims: Value = NO) -> Value:
    """Σ a."""
    kind = kind_of(lower, a)
    kind = "i" if kind == "b" else kind
    zero = Lit(0.0 if kind == "f" else 0)
    return reduced(lower, a, axis, keepdims, zero, lower.w.add, kind)


@means(np.prod)
def prod(lower: Lower, a: Value, axis: Value | None = None, *, keepdims: Value = NO) -> Value:
    """∏ a."""
    return reduced(lower, a, axis, keepdims, Lit(1.0), lower.w.mul, "f")


@means(np.mean)
def mean(lower: Lower, a: Value, axis: Value | None = None, *, keepdims: Value = NO) -> Value:
    """Σ a / n."""
    x = arrays.as_array(lower.w, a)
    n: Atom = Lit(1)
    for k in axes_of(x, axis):
        n = lower.w.mul(n, x.shape[k])
    return entrywise(lower, ELEMENTARY[operator.truediv], [sum_(lower, x, axis, keepdims=keepdims), n])


@means(builtins.sum)
def builtin_sum(lower: Lower, xs: Value, start: Value = ZERO) -> Value:
    if isinstance(xs, Arr):
        if xs.ndim != 1:
            raise CannotCompile("`sum` of a matrix")
        return entrywise(lower, ELEMENTARY[operator.add], [start, sum_(lower, xs)])
    for item in arrays.items_of(lower.w, xs):
        start = entrywise(lower, ELEMENTARY[operator.add], [start, item])
    return start


def _extreme(larger: bool) -> Meaning:
    fn = MAXIMUM if larger else MINIMUM

    def extreme(lower: Lower, a: Value, axis: Value | None = None, *, keepdims: Value = NO) -> Value:
        """The extremum; tied entries share its derivative equally."""
        w, x = lower.w, arrays.as_array(lower.w, a)
        if x.kind == "b":
            raise CannotCompile("the extremum of truth values")
        x = arrays.located(w, x)
        for k in axes_of(x, axis):
            w.check(w.op(EQ, x.shape[k], 0))
        first = Lit(-math.inf if larger else math.inf) if x.kind == "f" else Lit(-(2**63) if larger else 2**63 - 1)
        still = Arr(x.shape, x.kind, lambda index: w.op(STOP, x.at(index)), parts=(x,))
        found = reduced(lower, still, axis, Lit(True), first, lambda s, e: w.op(fn, s, e), x.kind)
        if x.kind == "i":
            return squeezed(lower, found, x, axis, keepdims)
        wide = arrays.broadcast_to(w, arrays.as_array(w, found), x.shape)

        def tied(index: tuple[Atom, ...]) -> Atom:
            e = x.at(index)
            return w.op(OR, w.op(EQ, e, wide.at(index)), w.op(NE, e, e))

        picked = Arr(x.shape, "f", lambda i: w.op(SELECT, tied(i), x.at(i), 0.0), parts=(x, wide))
        ties = Arr(x.shape, "b", tied, parts=(x, wide))
        total = sum_(lower, picked, axis, keepdims=Lit(True))
        count = arrays.elementwise(
            w,
            lambda m, n: w.op(SELECT, w.op(NE, m, m), m, w.as_kind(n, "f")),  # nan by what is nan
            [found, sum_(lower, ties, axis, keepdims=Lit(True))],
            "f",
        )
        share = entrywise(lower, ELEMENTARY[np.true_divide], [total, count])
        linked = arrays.elementwise(w, lambda m, s: w.op(LINK, m, s), [found, share], "f")
        return squeezed(lower, linked, x, axis, keepdims)

    return extreme


def squeezed(lower: Lower, a: Value, like: Arr, axis: Value | None, keepdims: Value) -> Value:
    """A reduced array, without its axes of length 1 unless these are to stay."""
    found = arrays.as_array(lower.w, a)
    if flag(keepdims):
        return found
    axes = axes_of(like, axis)
    rest = tuple([n for k, n in enumerate(found.shape) if k not in axes])

    def at(index: tuple[Atom, ...]) -> Atom:
        entries = list(index)
        return found.at(tuple([Lit(0) if k in axes else entries.pop(0) for k in range(like.ndim)]))

    return Arr(rest, found.kind, at, parts=(found,)) if rest else at(())


MEANINGS[np.max] = MEANINGS[np.amax] = _extreme(True)
MEANINGS[np.min] = MEANINGS[np.amin] = _extreme(False)


def place_of_extreme(lower: Lower, x: Arr, larger: bool) -> Value:
    """The place in a vector of the first of its largest or smallest entries, or of the first nan."""
    w, x = lower.w, arrays.located(lower.w, x)
    w.check(w.op(EQ, x.shape[0], 0))

    def step(i: Reg, best: Reg, at: Reg) -> Sequence[Atom]:
        e = w.op(STOP, x.at((i,)))
        better = w.op(GT if larger else LT, e, best)
        if x.kind == "f":  # also where `e` is nan, and the best so far is none
            better = w.op(AND, w.op(NOT, w.op(LE if larger else GE, e, best)), w.op(EQ, best, best))
        return [w.op(SELECT, better, e, best), w.op(SELECT, better, i, at)]

    return w.for_each(x.shape[0], step, [w.op(STOP, x.at((Lit(0),))), Lit(0)], start=1)[1]


def partial_sums(lower: Lower, x: Arr) -> Value:
    """Σ of all up to each entry of a vector."""
    w = lower.w
    made = arrays.of_buffer(w, buf := w.new(x.kind, x.shape, zero=False), x.shape)

    def step(i: Reg, s: Reg) -> Sequence[Atom]:
        total = w.add(s, x.at((i,)))
        w.store(buf, (i,), total)
        return [total]

    w.for_each(x.shape[0], step, [Lit(0.0 if x.kind == "f" else 0)])
    return made


@means(np.count_nonzero)
def count_nonzero(lower: Lower, a: Value) -> Value:
    """The number of entries that are not 0."""
    tested = unary_as(lower, a, "b")
    return sum_(lower, tested)


def _of_all(fn: Any, first: bool) -> Meaning:
    def of_all(lower: Lower, a: Value, axis: Value | None = None, *, keepdims: Value = NO) -> Value:
        """Tell whether all, or any, of the entries or items are true."""
        w = lower.w
        if isinstance(a, Arr):
            return reduced(lower, a, axis, keepdims, Lit(first), lambda s, x: w.op(fn, s, x), "b")
        found: Atom = Lit(first)
        for x in arrays.items_of(w, a):
            found = w.op(fn, found, arrays.truth(w, x))
        return found

    return of_all


def _of_row(of_all: Meaning) -> Meaning:
    def of_row(lower: Lower, xs: Value) -> Value:
        """The same of what Python runs through."""
        if isinstance(xs, Arr) and xs.ndim != 1:
            raise CannotCompile("a test of a matrix")
        return of_all(lower, xs)

    return of_row


for _one, _numpy, _fn, _first in ((builtins.all, np.all, AND, True), (builtins.any, np.any, OR, False)):
    MEANINGS[_numpy] = _of_all(_fn, _first)
    MEANINGS[_one] = _of_row(MEANINGS[_numpy])
