"""Making arrays, and giving them other shapes."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ir import changes
from .. import arrays
from ..elementary import (
    ABS,
    DIV,
    ELEMENTARY,
    EQ,
    INT,
    LT,
    MAXIMUM,
    NOT,
    SELECT,
)
from ..kernel import Atom, Lit
from ..lower import Lower
from ..values import FIFTY, Arr, CannotCompile, Items, Known, Value, is_number, option
from .calls import MEANINGS, Meaning, axis_of, meaning_of, means
from .names import range_, size


def shape_of(lower: Lower, shape: Value) -> tuple[Atom, ...]:
    items = [shape] if is_number(shape) else arrays.items_of(lower.w, shape)
    return tuple(items)


def kind_of_dtype(dtype: Value | None, default: str) -> str:
    if (given := option(dtype)) is None:
        return default
    found = {np.dtype("f8"): "f", np.dtype("i8"): "i", np.dtype("?"): "b"}.get(np.dtype(given))
    if found is None:
        raise CannotCompile(f"an array of {np.dtype(given)}")
    return found


def _new(value: Any) -> tuple[Meaning, Meaning]:
    def new(lower: Lower, shape: Value, dtype: Value | None = None) -> Value:
        return arrays.filled(lower.w, shape_of(lower, shape), kind_of_dtype(dtype, "f"), value)

    def new_like(lower: Lower, a: Value, dtype: Value | None = None) -> Value:
        like = arrays.as_array(lower.w, a)
        return arrays.filled(lower.w, like.shape, kind_of_dtype(dtype, like.kind), value)

    return new, new_like


for _f, _like, _value in (
    (np.zeros, np.zeros_like, Lit(0)), (np.ones, np.ones_like, Lit(1)), (np.empty, np.empty_like, None),
):  # fmt: skip
    MEANINGS[_f], MEANINGS[_like] = _new(_value)


@means(changes.item_in_place)
def item_in_place(lower: Lower, operation: Value, container: Value, item: Value, value: Value) -> Value:
    """The item after `container[i] op= value`, which is stored next."""
    if isinstance(item, Arr) and not (isinstance(container, Arr) and not container.listed):
        raise CannotCompile("an array in a list that is changed in place")
    return in_place(lower, operation, item, value)


@means(np.full)
def full(lower: Lower, shape: Value, value: Value, dtype: Value | None = None) -> Value:
    return full_of(lower, shape_of(lower, shape), value, dtype, arrays.as_array(lower.w, value).kind)


@means(np.full_like)
def full_like(lower: Lower, a: Value, value: Value) -> Value:
    like = arrays.as_array(lower.w, a)
    return full_of(lower, like.shape, value, None, like.kind)


def full_of(lower: Lower, shape: tuple[Atom, ...], value: Value, dtype: Value | None, default: str) -> Arr:
    """A new array of one number, or of an array as often as it is needed."""
    kind = kind_of_dtype(dtype, default)
    if kind == "i" and arrays.as_array(lower.w, value).kind == "f":
        raise CannotCompile("an array of integers that is filled with floats")
    if is_number(value):
        return arrays.filled(lower.w, shape, kind, value)
    arrays.check_lengths(lower.w, shape)
    return arrays.copied(lower.w, arrays.broadcast_to(lower.w, arrays.as_array(lower.w, value), shape), kind)


@means(np.arange)
def arange(lower: Lower, *parts: Value) -> Value:
    w = lower.w
    if all(map(is_number, parts)) and any(p.kind == "f" for p in parts) and 0 < len(parts) <= 3:
        given = (Lit(0.0), *parts, Lit(1.0)) if len(parts) == 1 else (*parts, Lit(1.0))[:3]
        start, stop, step = [w.as_kind(p, "f") for p in given]
        w.check(w.op(EQ, step, 0.0))
        count = w.op(ELEMENTARY[np.ceil][0], w.op(DIV, w.sub(stop, start), step))
        w.check(w.op(NOT, w.op(LT, w.op(ABS, count), 2.0**53)))
        n = w.op(MAXIMUM, w.op(INT, count), 0)
        by = w.sub(w.add(start, step), start)  # as NumPy has it
        return Arr((n,), "f", lambda index: w.add(start, w.mul(w.as_kind(index[0], "f"), by)))
    r = range_(lower, *parts)
    n = arrays.length(lower.w, r)
    return Arr((n,), "i", lambda index: arrays.element(lower.w, r, index[0]))


@means(np.eye, np.identity)
def eye(lower: Lower, n: Value) -> Value:
    w = lower.w
    arrays.check_lengths(w, [n])
    return Arr((n, n), "f", lambda index: w.as_kind(w.op(EQ, *index), "f"))


@means(changes.in_place, changes.in_place_unseen)
def in_place(lower: Lower, operation: Value, target: Value, value: Value, *sources: Value) -> Value:
    """`target += value`: an array stays the one that it is."""
    assert isinstance(operation, Known)
    if isinstance(target, Arr) and target.listed:
        raise CannotCompile("a list that is changed in place by an operator")
    if not isinstance(target, Arr) or not target.shape:
        return meaning_of(lower, Known(PLAIN_OF.get(operation.value, operation.value)), [target, value], {})
    arrays.located(lower.w, target)
    found = meaning_of(lower, Known(PLAIN_OF[operation.value]), [target, value], {})
    lower.delayed.before_store(target)
    w, new = lower.w, arrays.as_array(lower.w, found)
    if target.kind != new.kind:
        raise CannotCompile("a change in place by numbers of another kind")
    arrays.check_shapes(w, target.shape, new.shape)
    other = arrays.as_array(w, value)
    by_entry = operation.value is not operator.imatmul and (target.buf not in other.reads or other is target)
    arrays.store_all(w, target, new if by_entry else arrays.copied(w, new, new.kind))
    return target


PLAIN_OF: dict[Any, Any] = {
    operator.iadd: operator.add, operator.isub: operator.sub, operator.imul: operator.mul,
    operator.itruediv: operator.truediv, operator.ipow: operator.pow, operator.ifloordiv: operator.floordiv,
    operator.imod: operator.mod, operator.imatmul: operator.matmul, operator.iand: operator.and_,
    operator.ior: operator.or_, operator.ixor: operator.xor, operator.ilshift: operator.lshift,
    operator.irshift: operator.rshift,
}  # fmt: skip
for _inplace, _plain in PLAIN_OF.items():
    MEANINGS[_inplace] = lambda lower, x, y, f=_inplace: in_place(lower, Known(f), x, y)


@means(changes.copied, list.copy)
def copied(lower: Lower, a: Value, order: Value | None = None) -> Value:
    """A copy of a list, or of an array."""
    if isinstance(a, Items) and a.cls is list:
        return Items([*a.items])
    found = a if isinstance(a, Arr) else arrays.as_array(lower.w, a)
    made = arrays.copied(lower.w, found, found.kind)
    if made.listed and made.ndim > 1:  # the items are still the same
        lower.in_list(found, made)
    return made


@means(np.array, np.copy)
def array(lower: Lower, a: Value, dtype: Value | None = None) -> Value:
    found = arrays.as_array(lower.w, a)
    return arrays.copied(lower.w, found, kind_of_dtype(dtype, found.kind))


@means(np.ndarray.astype)
def astype(lower: Lower, a: Value, dtype: Value) -> Value:
    """A copy in another kind that holds its numbers."""
    kind = kind_of_dtype(dtype, a.kind)
    if kind == "i" and a.kind == "f":
        return cut_off(lower, a)
    if "bif".index(kind) < "bif".index(a.kind):
        raise CannotCompile("`astype` that cuts numbers off")
    return array(lower, a, dtype)


def cut_off(lower: Lower, a: Value) -> Value:
    """Floats as integers, where integers hold them."""
    w = lower.w

    def one(x: Atom) -> Atom:
        w.check(w.op(NOT, w.op(LT, w.op(ABS, x), 2.0**62)))
        return w.op(INT, x)

    return arrays.located(w, arrays.elementwise(w, one, [a], "i"))


@means(np.asarray)
def as_array(lower: Lower, a: Value, dtype: Value | None = None) -> Value:
    """An array as it is, if it is one of this kind already."""
    same = isinstance(a, Arr) and not a.listed and kind_of_dtype(dtype, a.kind) == a.kind
    return a if same else array(lower, a, dtype)


@means(np.ascontiguousarray)
def contiguous(lower: Lower, a: Value) -> Value:
    found = as_array(lower, a)
    lower.delayed.in_order |= found.reads
    return found if found.place is arrays.whole else maybe_copied(lower, found, found)


def maybe_copied(lower: Lower, x: Arr, made: Arr) -> Arr:
    """Mark memory for which NumPy may have made a copy of `x`, or not: neither is stored into."""
    copy = arrays.copied(lower.w, made, made.kind)
    lower.delayed.maybe_copied |= x.reads | copy.reads
    return copy


# ---- shapes


@means(np.transpose)
def transpose(lower: Lower, a: Value, axes: Value | None = None) -> Value:
    x = arrays.as_array(lower.w, a)
    order = range(x.ndim)[::-1] if axes is None else [place_in(x, k) for k in arrays.items_of(lower.w, axes)]
    if sorted(order) != list(range(x.ndim)):
        raise CannotCompile("such an order of axes")
    return in_order(x, order)


@means(np.swapaxes)
def swapaxes(lower: Lower, a: Value, axis1: Value, axis2: Value) -> Value:
    x = arrays.as_array(lower.w, a)
    first, second, order = place_in(x, axis1), place_in(x, axis2), list(range(x.ndim))
    order[first], order[second] = second, first
    return in_order(x, order)


@means(np.moveaxis)
def moveaxis(lower: Lower, a: Value, source: Value, destination: Value) -> Value:
    x = arrays.as_array(lower.w, a)
    start, end = place_in(x, source), place_in(x, destination)
    order = [k for k in range(x.ndim) if k != start]
    order.insert(end, start)
    return in_order(x, order)


def place_in(x: Arr, axis: Value) -> int:
    """An axis of an array, counted from the front."""
    return axis_of(option(axis), x.ndim)


def in_order(x: Arr, order: Sequence[int]) -> Value:
    """A view of an array with its axes in this order."""

    def where(index: tuple[Atom, ...]) -> tuple[Atom, ...]:
        found = dict(zip(order, index, strict=True))
        return tuple([found[k] for k in range(x.ndim)])

    return arrays.view_of(x, [x.shape[k] for k in order], where)


@means(np.reshape)
def reshape(lower: Lower, a: Value, *shape: Value) -> Value:
    """The same entries in the order of C, in another shape."""
    w, x = lower.w, arrays.as_array(lower.w, a)
    wanted = list(shape_of(lower, shape[0]) if len(shape) == 1 else shape)
    free = [k for k, n in enumerate(wanted) if n == Lit(-1)]
    total = size(lower, x)
    if free:
        known: Atom = Lit(1)
        for k, n in enumerate(wanted):
            known = w.mul(known, n) if k not in free else known
        w.check(w.op(EQ, known, 0))
        wanted[free[0]] = w.op(ELEMENTARY[operator.floordiv][0], total, known)
    count: Atom = Lit(1)
    for n in wanted:
        count = w.mul(count, n)
    arrays.check_shapes(w, [count], [total])
    shaped = flat_as(lower, arrays.located(w, x), tuple(wanted))
    lower.delayed.in_order |= x.reads
    return shaped if x.place is arrays.whole or x.buf in lower.given else maybe_copied(lower, x, shaped)


def flat_as(lower: Lower, x: Arr, shape: tuple[Atom, ...]) -> Arr:
    """A view, entry by entry, by the place in the order of C."""
    w = lower.w

    def where(index: tuple[Atom, ...]) -> tuple[Atom, ...]:
        place: Atom = Lit(0)
        for i, n in zip(index, shape, strict=True):
            place = w.add(w.mul(place, n), i)
        found: list[Atom] = []
        for n in x.shape[:0:-1]:
            found.append(w.op(ELEMENTARY[operator.mod][0], place, n))
            place = w.op(ELEMENTARY[operator.floordiv][0], place, n)
        return (place, *found[::-1]) if x.ndim else ()

    return arrays.view_of(x, shape, where)


@means(np.ravel)
def ravel(lower: Lower, a: Value) -> Value:
    return reshape(lower, a, Lit(-1))


@means(np.ndarray.flatten)
def flatten(lower: Lower, a: Value) -> Value:
    """A copy in one axis."""
    return reshape(lower, array(lower, a), Lit(-1))


@means(np.linspace)
def linspace(lower: Lower, start: Value, stop: Value, num: Value = FIFTY) -> Value:
    """n numbers from start to stop."""
    w = lower.w
    if not all(is_number(x) for x in (start, stop, num)) or num.kind != "i":
        raise CannotCompile("such a `linspace`")
    arrays.check_lengths(w, [num])
    parts = w.sub(num, 1)
    step = w.op(DIV, w.sub(stop, start), w.op(MAXIMUM, parts, 1))

    def at(index: tuple[Atom, ...]) -> Atom:
        inner = w.add(w.mul(index[0], step), w.as_kind(start, "f"))
        last = w.op(EQ, index[0], w.op(MAXIMUM, parts, 1))
        return w.op(SELECT, last, w.as_kind(stop, "f"), inner)

    return Arr((num,), "f", at)
