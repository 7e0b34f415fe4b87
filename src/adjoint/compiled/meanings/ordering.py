"""Sorting and sums along an axis: programs for vectors, which are run for each row of an array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import arrays, ordering
from ..elementary import ELEMENTARY
from ..kernel import Atom, Lit
from ..lower import Lower
from ..values import LAST, NO, NONE, ZERO, Arr, CannotCompile, Known, Value, flag, is_number, option
from .calls import MEANINGS, Meaning, entrywise, means
from .joining import flattened, place_of, with_axis
from .library import check_word
from .reductions import partial_sums, place_of_extreme, prod, sum_

LEFT, LINEAR, KINDS = Known("left"), Known("linear"), ("quicksort", "heapsort", "stable", "mergesort")


def along(
    lower: Lower, a: Value, axis: Value, of_row: Callable[[Arr], Value], kind: str = "f", keepdims: Value | None = None
) -> Value:
    """The results of a function of vectors along an axis, of all entries if that is None: vectors of the same length;
    or numbers, if it is said whether they keep the axis."""
    w, x = lower.w, arrays.as_array(lower.w, a)
    kept = flag(keepdims)
    if axis == NONE and kept:
        raise CannotCompile("such an axis, where numbers are sorted or summed up along it")
    if axis == NONE:
        x, axis = flattened(lower, x) if x.ndim != 1 else x, LAST
    k = place_of(axis, x.ndim)
    if x.ndim == 1 and not kept:
        return of_row(x)
    x = arrays.located(w, x)
    rest = (*x.shape[:k], *x.shape[k + 1 :])
    shape = rest if keepdims is not None else x.shape
    made = arrays.of_buffer(w, w.new(kind, shape, zero=False), shape)

    def row_of(array: Arr, at: tuple[Atom, ...]) -> Arr:
        return arrays.view_of(array, (x.shape[k],), lambda index: (*at[:k], index[0], *at[k:]))

    def one(at: tuple[Atom, ...]) -> None:
        found = of_row(row_of(x, at))
        if keepdims is None:
            arrays.store_all(w, row_of(made, at), arrays.as_array(w, found))
        else:
            arrays.put(w, made, at, found)

    w.nest(rest, one)
    return with_axis(made, k) if kept else made


def _by(lower: Lower, program: Any, *more: Value) -> Callable[[Arr], Value]:
    def of_row(row: Arr) -> Value:
        if row.kind != "f":
            raise CannotCompile(f"`{program.__name__}` of integers")
        return lower.call_function(program, [row, *more])

    return of_row


@means(np.sort)
def sort(lower: Lower, a: Value, axis: Value = LAST, kind: Value = NONE) -> Value:
    """From the smallest to the largest."""
    check_word(kind, None, *KINDS)
    return along(lower, a, axis, _by(lower, ordering.sort))


@means(np.argsort)
def argsort(lower: Lower, a: Value, axis: Value = LAST, kind: Value = NONE, *, stable: Value = NONE) -> Value:
    """The places of the entries in order."""
    check_word(kind, None, *KINDS)
    steady = flag(stable) or option(kind) in ("stable", "mergesort")
    return along(lower, a, axis, _by(lower, ordering.argsort, Lit(steady)), "i")


@means(np.median)
def median(lower: Lower, a: Value, axis: Value = NONE, *, keepdims: Value = NO) -> Value:
    """The median along an axis."""
    return along(lower, a, axis, _by(lower, ordering.median), keepdims=keepdims)


def _share(function: Any, program: Any) -> None:
    def share(
        lower: Lower, a: Value, q: Value, axis: Value = NONE, *, method: Value = LINEAR, keepdims: Value = NO
    ) -> Value:
        """Below which a share of the entries lies."""
        check_word(method, "linear")
        if not is_number(q):
            raise CannotCompile("several quantiles")
        return along(lower, a, axis, _by(lower, program, lower.w.as_kind(q, "f")), keepdims=keepdims)

    MEANINGS[function] = share


_share(np.quantile, ordering.quantile)
_share(np.percentile, ordering.percentile)


@means(np.cumprod)
def cumprod(lower: Lower, a: Value, axis: Value = NONE) -> Value:
    """Products of all up to each."""
    return along(lower, a, axis, _by(lower, ordering.cumprod))


@means(np.cumsum)
def cumsum(lower: Lower, a: Value, axis: Value = NONE) -> Value:
    """Sums of all up to each."""
    return along(lower, a, axis, lambda row: partial_sums(lower, row), arrays.as_array(lower.w, a).kind)


def _place(function: Any, larger: bool) -> None:
    def place(lower: Lower, a: Value, axis: Value = NONE, *, keepdims: Value = NO) -> Value:
        """The place of the largest or the smallest entry."""
        return along(lower, a, axis, lambda row: place_of_extreme(lower, row, larger), "i", keepdims)

    MEANINGS[function] = place


_place(np.argmax, True)
_place(np.argmin, False)


def _of_ufunc(ufunc: Any, reduce: Meaning, accumulate: Meaning | None = None) -> None:
    MEANINGS[ufunc, "reduce"] = lambda lower, a, axis=ZERO, *, keepdims=NO: reduce(
        lower, a, None if axis == NONE else axis, keepdims=keepdims
    )
    if accumulate is not None:
        MEANINGS[ufunc, "accumulate"] = lambda lower, a, axis=ZERO: accumulate(lower, a, axis)


_of_ufunc(np.add, sum_, cumsum)
_of_ufunc(np.multiply, prod, cumprod)
_of_ufunc(np.maximum, MEANINGS[np.max])
_of_ufunc(np.minimum, MEANINGS[np.min])


@means((np.multiply, "outer"))
def outer(lower: Lower, a: Value, b: Value) -> Value:
    """Products of all with all."""
    x, y = arrays.as_array(lower.w, a), arrays.as_array(lower.w, b)
    for _ in range(y.ndim):
        x = with_axis(x, x.ndim)
    return entrywise(lower, ELEMENTARY[np.multiply], [x, y])


@means(np.nanmax)
def nanmax(lower: Lower, a: Value, axis: Value = NONE, *, keepdims: Value = NO) -> Value:
    """The largest but nan."""
    return along(lower, a, axis, _by(lower, ordering.nanmax), keepdims=keepdims)


@means(np.nanmin)
def nanmin(lower: Lower, a: Value, axis: Value = NONE, *, keepdims: Value = NO) -> Value:
    """The smallest but nan."""
    return along(lower, a, axis, _by(lower, ordering.nanmin), keepdims=keepdims)


@means(np.searchsorted)
def searchsorted(lower: Lower, a: Value, v: Value, side: Value = LEFT) -> Value:
    """The place where a number belongs in a sorted vector."""
    x, program = arrays.as_array(lower.w, a), ordering.searchsorted
    if x.ndim != 1 or not is_number(v):
        raise CannotCompile("`searchsorted` of several numbers")
    check_word(side, "left", "right")
    return lower.call_function(program, [x, v, side])  # type: ignore[arg-type]
