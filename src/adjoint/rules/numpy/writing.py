"""Functions of NumPy that write into an array, by what they leave there: a new array, as a function of the old one.

`after_put(a, ind, v)` is what `np.put(a, ind, v)` makes of `a`. Its value is what the function itself leaves in a copy,
its derivative that of a program: the items that are stored are taken from the value, by their places.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="type-arg, misc"

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops import Alloc, Given, each, gives, leaves
from ...tangents import unbroadcast
from ..knots import call_pullback
from ..registry import non_differentiable, rule
from .indexing import broadcast_index
from .lifting import composed

Array = np.ndarray[Any, Any]
Size = tuple[int, ...]
Chosen = Callable[[Array, dict[str, Any], Size], tuple[Array, Array]]
"""Into which places a function stores, by their number, and which item of a value of some shape goes into each."""


# ---- which item goes where


def in_turn(places, size):
    """The items in turn, and again from the first when there are no more."""
    return places, np.arange(places.size) % math.prod(size)


def by_index(a, given, size):
    """`np.put`"""
    places = np.asarray(given["ind"], np.intp).reshape(-1)
    if given.get("mode", "raise") == "clip":
        return in_turn(np.clip(places, 0, a.size - 1), size)
    return in_turn(places % max(a.size, 1), size)


def by_mask(a, given, size):
    """`np.place`"""
    return in_turn(np.flatnonzero(given["mask"]), size)


def by_mask_and_number(a, given, size):
    """`np.putmask`"""
    places = np.flatnonzero(given["mask"])
    return places, places % math.prod(size)


def on_diagonal(a, given, size):
    """`np.fill_diagonal`"""
    if a.ndim > 2:
        return in_turn(np.arange(0, a.size, 1 + int(np.cumprod(a.shape[:-1]).sum())), size)
    end = a.size if given.get("wrap", False) else min(a.shape[1] ** 2, a.size)
    return in_turn(np.arange(0, end, a.shape[1] + 1), size)


def along_axis(a, given, size):
    """`np.put_along_axis`"""
    indices, axis = np.asarray(given["indices"]), given.get("axis", -1)
    if axis is None:
        return in_turn(indices.reshape(-1) % max(a.size, 1), size)
    index: Any = broadcast_index(indices % max(a.shape[axis], 1), axis % a.ndim, a.shape)
    places = np.ravel_multi_index(tuple(np.broadcast_arrays(*index)), a.shape)
    items = np.arange(math.prod(size)).reshape(size)
    return places.reshape(-1), np.broadcast_to(items, places.shape).reshape(-1)


STORES: dict[Any, tuple[tuple[str, ...], str, Chosen]] = {
    np.put: (("a", "ind", "v", "mode"), "v", by_index),
    np.place: (("arr", "mask", "vals"), "vals", by_mask),
    np.putmask: (("a", "mask", "values"), "values", by_mask_and_number),
    np.fill_diagonal: (("a", "val", "wrap"), "val", on_diagonal),
    np.put_along_axis: (("arr", "indices", "values", "axis"), "values", along_axis),
}
"""Functions that store items of a value into places of their first argument: the names of their parameters, which is
the value, and which item goes where."""


def chosen(f, a, others, size):
    """Into which places `f` stores, and which items, of an array and a value of these forms."""
    return STORES[f][2](np.broadcast_to(np.zeros(()), a), others, size) if math.prod(size) else _NOTHING


_NOTHING = (np.zeros(0, np.intp), np.zeros(0, np.intp))

non_differentiable(in_turn, by_index, by_mask, by_mask_and_number, on_diagonal, along_axis, chosen)


def stored(f, a, value, others):
    """The items of the value at their places, and the old ones elsewhere."""
    places, sources = chosen(f, np.shape(a), others, np.shape(value))
    items = np.reshape(a, -1).copy()
    items[places] = np.reshape(value, -1)[sources]
    return np.reshape(items, np.shape(a))


# ---- what is left


def after_put(a, ind, v, mode="raise"):
    """`a` after `np.put(a, ind, v)`.

    >>> after_put(np.zeros(3), [0, 2], [1.0, 2.0])
    array([1., 0., 2.])
    """
    new = a.copy()
    np.put(new, ind, v, mode)
    return new


@composed(after_put)
def put(a, ind, v, mode="raise"):
    return stored(np.put, a, v, {"ind": ind, "mode": mode})


def after_place(arr, mask, vals):
    """`arr` after `np.place(arr, mask, vals)`."""
    new = arr.copy()
    np.place(new, mask, vals)
    return new


@composed(after_place)
def place(arr, mask, vals):
    return stored(np.place, arr, vals, {"mask": mask})


def after_putmask(a, mask, values):
    """`a` after `np.putmask(a, mask, values)`."""
    new = a.copy()
    np.putmask(new, mask, values)
    return new


@composed(after_putmask)
def putmask(a, mask, values):
    return stored(np.putmask, a, values, {"mask": mask})


def after_fill_diagonal(a, val, wrap=False):
    """`a` after `np.fill_diagonal(a, val)`."""
    new = a.copy()
    np.fill_diagonal(new, val, wrap)
    return new


def fill_diagonal(a, val, wrap=False):
    return stored(np.fill_diagonal, a, val, {"wrap": wrap})


@rule(after_fill_diagonal, program=fill_diagonal)
def fill_diagonal_rule(a, val, wrap=False):
    """ā is 0 on the diagonal; of a matrix with one number there v̄ is the trace of ȳ."""
    y = after_fill_diagonal(a, val, wrap)
    if y.ndim != 2 or np.ndim(val) or wrap:
        back = call_pullback(fill_diagonal, a, val, wrap)[1]
        return y, lambda y_bar: back(y_bar)[1:]
    return y, lambda y_bar: (after_fill_diagonal(y_bar, 0.0), unbroadcast(np.trace(y_bar), val), None)


def after_put_along_axis(arr, indices, values, axis=-1):
    """`arr` after `np.put_along_axis(arr, indices, values, axis)`."""
    new = arr.copy()
    np.put_along_axis(new, indices, values, axis)
    return new


@composed(after_put_along_axis)
def put_along_axis(arr, indices, values, axis=-1):
    return stored(np.put_along_axis, arr, values, {"indices": indices, "axis": axis})


def after_copyto(dst, src, casting="same_kind", where=True):
    """`dst` after `np.copyto(dst, src, where=where)`."""
    new = dst.copy()
    np.copyto(new, src, casting, where)
    return new


@composed(after_copyto)
def copyto(dst, src, casting="same_kind", where=True):
    return np.where(where, src, dst)


def after_masked(f, old, where, *operands):
    """`old` after `f(*operands, out=old, where=where)`, of a ufunc.

    >>> after_masked(np.log, np.zeros(3), np.array([True, False, True]), np.array([1.0, 0.0, 1.0]))
    array([0., 0., 0.])
    """
    return f(*operands, out=old.copy(), where=where)


@composed(after_masked)
def masked(f, old, where, *operands):
    at = np.broadcast_to(where, old.shape)
    new = old.copy()
    new[at] = f(*[np.broadcast_to(x, old.shape)[at] for x in operands])
    return new


def turns(places: Array) -> list[Array]:
    """The indices, in a row of places, of those named for the first time, of those named for the second time, and so
    on.

    >>> turns(np.array([4, 2, 4, 4]))
    [array([0, 1]), array([2]), array([3])]
    """
    if places.size == 0:
        return []
    order = np.argsort(places, kind="stable")
    new = np.concatenate(([True], np.diff(places[order]) != 0))
    count = np.arange(places.size)
    times = np.empty_like(count)
    times[order] = count - np.maximum.accumulate(np.where(new, count, 0))
    return np.split(np.argsort(times, kind="stable"), np.cumsum(np.bincount(times))[:-1])


def places_at(shape: Size, indices: Any) -> Array:
    """The places that an index names of an array of a shape, counted row after row."""
    places: Array = np.arange(math.prod(shape)).reshape(shape)[indices]
    return places


non_differentiable(turns, places_at)


def after_at(f, old, indices, *operands):
    """`old` after `f.at(old, indices, *operands)`, of a ufunc.

    >>> after_at(np.multiply, np.ones(3), [0, 2, 0], np.array([2.0, 3.0, 4.0]))
    array([8., 1., 3.])
    """
    new = old.copy()
    f.at(new, indices, *operands)
    return new


@composed(after_at)
def at(f, old, indices, *operands):
    """In turns, in each of which all places are different."""
    places = places_at(np.shape(old), indices)
    row = [np.reshape(np.broadcast_to(x, np.shape(places)), -1) for x in operands]
    places = places.reshape(-1)
    items = np.reshape(old, -1).copy()
    for turn in turns(places):
        chosen = places[turn]
        items[chosen] = f(items[chosen], *[x[turn] for x in row])
    return np.reshape(items, np.shape(old))


def like_old(given: Given):
    """An array of the form of the old one."""
    return given.by_place[0]


def like_out(given: Given):
    """One of the form of what a ufunc writes into, which follows the ufunc."""
    return given.by_place[1]


_AFTER = (after_put, after_place, after_putmask, after_fill_diagonal, after_put_along_axis, after_copyto)
each((Alloc(),), *_AFTER, after_masked, after_at)
gives(like_old, *_AFTER)
gives(like_out, after_masked, after_at)
leaves(after_put, np.put, np.ndarray.put)
leaves(after_place, np.place)
leaves(after_putmask, np.putmask)
leaves(after_fill_diagonal, np.fill_diagonal)
leaves(after_put_along_axis, np.put_along_axis)
leaves(after_copyto, np.copyto)
leaves(after_masked, np.ufunc.__call__)
leaves(after_at, np.ufunc.at)
leaves(np.sort, np.ndarray.sort)
leaves(np.partition, np.ndarray.partition)
