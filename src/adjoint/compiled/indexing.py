"""Indices: entries, slices, new axes, integer arrays; and stores by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import masks
from .arrays import ONE, as_array, broadcast_shape, broadcast_to, put, store_all, view_of
from .elementary import FLOORDIV, GE, LT, MAXIMUM, MINIMUM, SELECT
from .kernel import Atom, Buf, Lit
from .memory import is_below, least
from .values import Arr, CannotCompile, Index, Items, Known, Value, describe, is_number
from .writer import Writer


def store(w: Writer, target: Arr, key: Value, value: Value) -> None:
    """`target[key] = value`."""
    key = with_arrays(w, key)
    if masks.is_mask(key):
        masks.store(w, target, key, value)
        return
    if isinstance(key, Arr) or isinstance(key, tuple) and any(isinstance(k, Arr) for k in key):
        scattered(w, target, key if isinstance(key, tuple) else (key,), value)
        return
    part = view(w, target, key)
    if not isinstance(part, Arr):
        assert isinstance(target.buf, Buf)
        if isinstance(value, Arr) and value.ndim == 0:
            value = value.at(())
        if not is_number(value):
            raise CannotCompile(f"{describe(value)} in one entry of an array")
        w.store(target.buf, part.place, value)
        return
    if is_number(value):
        w.nest(part.shape, lambda index: put(w, part, index, value))
        return
    stored = as_array(w, value)
    fitted = broadcast_to(w, stored, part.shape)
    store_all(w, part, fitted)


def with_arrays(w: Writer, key: Value) -> Value:
    """An index in which lists are arrays."""
    if isinstance(key, Items) and key.cls is list or isinstance(key, Arr) and key.listed:
        return as_array(w, key)
    return tuple([with_arrays(w, k) for k in key]) if isinstance(key, tuple) else key


class Entry:
    """One entry of an array in memory."""

    def __init__(self, place: Index) -> None:
        self.place = place


def view(w: Writer, a: Arr, key: Value) -> Arr | Entry:
    """A part of an array in memory, or one entry of it."""
    picks, shape = picked(w, a, key)
    assert a.place is not None
    return view_of(a, shape, picks) if shape else Entry(a.place(picks(())))


def item(w: Writer, a: Arr, key: Value) -> Value:
    """`a[key]`."""
    key = with_arrays(w, key)
    if masks.is_mask(key):
        return masks.taken(w, a, key)
    if isinstance(key, Arr):
        return gathered(w, a, (key,))
    if isinstance(key, tuple) and any(isinstance(k, Arr) for k in key):
        return gathered(w, a, key)
    picks, shape = picked(w, a, key)
    return view_of(a, shape, picks) if shape else w.number_of_numpy(a.at(picks(())))


def picked(w: Writer, a: Arr, key: Value) -> tuple[Callable[[Index], Index], tuple[Atom, ...]]:
    """For basic indexing: where each entry of the part lies in the array, and the shape of the part."""
    axis, shape, parts = 0, list[Atom](), list[Any]()
    for k in spread(a, key):
        if _is(k, None):
            shape.append(ONE)
            parts.append(None)
            continue
        n = a.shape[axis]
        axis += 1
        if is_number(k):
            parts.append(within(w, as_index(k), n))
        elif is_slice(k):
            start, step, size = bounds(w, k if isinstance(k, Slice) else Slice.of(k.value), n)
            parts.append((start, step))
            shape.append(size)
        else:
            raise CannotCompile(f"an index that is {describe(k)}")

    def picks(index: Index) -> Index:
        found, entries = [], list(index)
        for part in parts:
            if part is None:
                entries.pop(0)
            elif isinstance(part, tuple):
                found.append(w.add(w.mul(entries.pop(0), part[1]), part[0]))
            else:
                found.append(part)
        return tuple(found)

    return picks, tuple(shape)


def as_index(k: Atom) -> Atom:
    """A number as an index."""
    if k.kind == "f":
        raise CannotCompile("a float as an index")
    return k


class Slice:
    """`start:stop:step`, of values."""

    def __init__(self, start: Any, stop: Any, step: Any) -> None:
        self.start, self.stop, self.step = self.parts = start, stop, step

    @staticmethod
    def of(s: slice) -> Slice:
        return Slice(*[None if x is None else Lit(x) for x in (s.start, s.stop, s.step)])


def within(w: Writer, k: Atom, n: Atom) -> Atom:
    """An index from the start, and a check that there is such an entry."""
    if k.kind == "b":
        raise CannotCompile("a truth value as an index")
    if isinstance(k, Lit) and isinstance(n, Lit):
        i = int(k.value)
        if not -n.value <= i < n.value:
            raise CannotCompile("an index out of bounds")
        return Lit(i % int(n.value))
    if isinstance(k, Lit):
        i = int(k.value)
        w.check(w.op(LT, n, -i if i < 0 else i + 1))
        return w.add(n, i) if i < 0 else k
    low, i_ = least(w, k), from_start(w, k, n)
    if low < 0:
        w.check(w.op(LT, i_, 0))
    if i_ is not k or not is_below(w, k, n):
        w.check(w.op(GE, i_, n))
    return i_


def all_within(w: Writer, keys: Arr, n: Atom) -> None:
    """Check that there are such entries, whether they are read or not."""

    def one(index: Index) -> None:
        within(w, keys.at(index), n)

    w.nest(keys.shape, one)


def from_start(w: Writer, k: Atom, n: Atom) -> Atom:
    """An index that is counted from the start."""
    return k if least(w, k) >= 0 else w.op(SELECT, w.op(LT, k, 0), w.add(k, n), k)


def bounds(w: Writer, s: Slice, n: Atom) -> tuple[Atom, Atom, Atom]:
    """The start of a slice, its step, and the number of its entries."""
    step = s.step or ONE
    if not isinstance(step, Lit):
        raise CannotCompile("a slice whose step is computed")
    by = int(step.value)
    if (only := only_place(s)) is not None:
        start = Lit(only) if only >= 0 else w.add(n, only)
        w.check(w.op(LT, n, only + 1) if only >= 0 else w.op(LT, start, 0), "an array that has not even one such entry")
        return start, ONE, ONE
    low, high = (Lit(0), n) if by > 0 else (Lit(-1), w.sub(n, 1))

    def clipped(x: Any, default: Atom) -> Atom:
        if x is None:
            return default
        if isinstance(x, Lit) and x.value >= 0 and by > 0:
            return x if x.value == 0 else w.op(MINIMUM, x, n)
        shifted = w.op(SELECT, w.op(LT, x, 0), w.add(x, n), x)
        return w.op(MINIMUM, w.op(MAXIMUM, shifted, low), high)

    start = clipped(s.start, low if by > 0 else high)
    stop = clipped(s.stop, high if by > 0 else low)
    if by == 1:
        size = stop if start == Lit(0) else w.op(MAXIMUM, w.sub(stop, start), 0)
    else:
        span = w.sub(stop, start) if by > 0 else w.sub(start, stop)
        size = w.op(MAXIMUM, w.op(FLOORDIV, w.add(span, abs(by) - 1), abs(by)), 0)
    return start, step, size


def only_place(s: Slice) -> int | None:
    """The place of the one entry of a slice that is written to have one, from the end if negative: it is broadcast."""
    start = 0 if s.start is None else s.start.value if isinstance(s.start, Lit) else None
    stop = s.stop.value if isinstance(s.stop, Lit) else None
    if s.step not in (None, ONE) or start is None or not (stop is not None or s.stop is None and start == -1):
        return None
    found = (start, 0 if stop is None else stop)
    return int(start) if found[1] == found[0] + 1 and (start >= 0) == (found[1] > 0) else None


def gathered(w: Writer, a: Arr, keys: tuple[Any, ...]) -> Arr:
    """`a[keys]`, of which some are integer arrays."""
    where, shape, arrs = by_integers(w, a, keys)
    return Arr(shape, a.kind, lambda index: a.at(where(index)), parts=(a, *arrs))


def scattered(w: Writer, target: Arr, keys: tuple[Any, ...], value: Value) -> None:
    """`target[keys] = value`: of what is stored in one place the last stays."""
    where, shape, _ = by_integers(w, target, keys)
    stored = broadcast_to(w, as_array(w, value), shape)
    w.nest(shape, lambda index: put(w, target, where(index), w.as_kind(stored.at(index), target.kind)))


def by_integers(
    w: Writer, a: Arr, keys: tuple[Any, ...]
) -> tuple[Callable[[Index], Index], tuple[Atom, ...], list[Arr]]:
    """The place in the array of each entry of `a[keys]`, the shape of the result, and the indices.

    The axes of the integer arrays stand where these stand, and first of all if anything is between them.
    """
    axis, parts, arrs, sizes = 0, list[Any](), list[Arr](), list[Atom]()
    for k in spread(a, keys):
        if _is(k, None):
            parts.append(None)
            sizes.append(ONE)
            continue
        n = a.shape[axis]
        axis += 1
        if is_slice(k):
            start, step, size = bounds(w, k if isinstance(k, Slice) else Slice.of(k.value), n)
            parts.append((start, step))
            sizes.append(size)
            continue
        found = as_array(w, k)
        if found.kind != "i":
            raise CannotCompile("a mask beside other indices")
        all_within(w, found, n)
        parts.append(len(arrs))
        arrs.append(found)
    places = [at for at, part in enumerate(parts) if isinstance(part, int)]
    together = places[-1] - places[0] == len(places) - 1
    first = places[0] if together else 0
    common = broadcast_shape(w, [k.shape for k in arrs])
    wide = [broadcast_to(w, k, common) for k in arrs]

    def where(index: Index) -> Index:
        chosen, rest = index[first : first + len(common)], [*index[:first], *index[first + len(common) :]]
        entries: list[Atom] = []
        for part in parts:
            if isinstance(part, int):
                entries.append(from_start(w, wide[part].at(chosen), a.shape[len(entries)]))
            elif part is None:
                rest.pop(0)
            else:
                entries.append(w.add(w.mul(rest.pop(0), part[1]), part[0]))
        return tuple(entries)

    return where, (*sizes[:first], *common, *sizes[first:]), arrs


def spread(a: Arr, key: Value) -> list[Any]:
    """An index with one part for each axis, and `None` where there is to be a new one."""
    keys = list(key) if isinstance(key, tuple) else [key]
    given = [k for k in keys if not _is(k, None)]
    dots = [i for i, k in enumerate(keys) if _is(k, ...)]
    missing = a.ndim - len(given) + len(dots)
    if missing < 0 or len(dots) > 1:
        raise CannotCompile("more indices than an array has axes")
    at = dots[0] if dots else len(keys)
    keys[at : at + len(dots)] = [Known(slice(None))] * missing
    return keys


def is_slice(k: Any) -> bool:
    return isinstance(k, Slice) or isinstance(k, Known) and isinstance(k.value, slice)


def _is(k: Any, value: Any) -> bool:
    return isinstance(k, Known) and k.value is value
