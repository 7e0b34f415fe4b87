"""Iterables of loops: containers by their places, generators, the user's own iterators."""

from __future__ import annotations

import functools
import gc
import traceback
from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...errors import check_iterable
from ...rules.registry import non_differentiable
from ...runtime.wrapped import special_method
from ..lost import losses_in
from ..sweep import Sweep, add
from .base import NOTHING, Back, Record, Result, does, handles, handles_methods, nothing, only_result, unfinished
from .calls import invoke
from .elsewhere import ByDrawing
from .items import of_tuple
from .opaque import note_views
from .streaming import Stream, check_size, is_stream
from .streams import OfArray, OfDeque, OfDict, OfItems, OfLost, OfPairs, OfPlain, OfTuple, begin_leaving, end_leaving
from .users_iterators import ByCalls, OfSequence


def stream_of(record: Record, k: int, x: Any) -> Result:
    """`iter(x)` as a stream; the operand is `x`."""
    cls = type(x)
    if is_stream(x):
        return x, nothing
    if cls is np.ndenumerate:
        return OfPairs(x.iter.base), nothing
    own = special_method(cls, "__iter__")
    if own is not None:
        made, back = invoke(record, k, own, (x,), {})
        if is_stream(made):
            return made, back
        after = special_method(type(made), "__next__")
        if after is not None:
            return ByCalls(after, made), back
        stream, inner = stream_of(record, k, made)
        return stream, lambda sweep, y_bar: (None, add(inner(sweep, None)[1], back(sweep, None)[1]))
    after = special_method(cls, "__next__")
    if after is not None:
        return ByCalls(after, x), nothing
    if isinstance(x, tuple | list | np.ndarray | deque):
        return own_stream(x)
    if isinstance(x, VIEWS):
        return of_view(x), nothing
    if isinstance(x, set | frozenset):
        return OfPlain(x, x), nothing
    getter = special_method(cls, "__getitem__") if getattr(cls, "__iter__", None) is None else None
    if getter is not None:
        return OfSequence(getter, x), nothing
    if isinstance(x, np.flatiter) or isinstance(x, Iterator) and not losses_in((x,)):
        return ByDrawing(x), nothing
    return of_others(x, x), nothing


VIEWS: tuple[Any, ...] = (type({}.values()), type({}.items()))


def of_view(x: Any, order: Any = iter) -> Stream:
    """A stream over a view of the values or items of a dict, in the order that `iter` or `reversed` has."""
    if losses_in((x,)):
        return of_others(x, order(x))
    return OfDict(_owner_of_view(x), isinstance(x, VIEWS[1]), order)


def of_others(x: Any, items: Any) -> Stream:
    """A stream over the items of an object of which nothing is known, perhaps backwards."""
    note_views((x,))
    return OfLost(x, items) if losses_in((x,)) else OfPlain(items)


def own_stream(x: Any) -> Result:
    """Stream for the `__iter__` of a builtin container, whatever the class of `x` makes of it."""
    if isinstance(x, tuple):
        source = OfTuple(x)
        return source, lambda sweep, y_bar: (None, source.given(sweep))
    if isinstance(x, list):
        return OfItems(x), nothing
    if isinstance(x, np.ndarray):
        np.ndarray.__iter__(x)  # an array without axes has no items
        return OfArray(x), nothing
    if isinstance(x, deque):
        return OfDeque(x), nothing
    return OfPlain(x), nothing


@handles_methods(tuple, "__iter__")
@handles_methods(list, "__iter__")
@handles_methods(np.ndarray, "__iter__")
@handles_methods(deque, "__iter__")
def _own_iter(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    return own_stream(self)


def _view_iter(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    return of_view(self), nothing


def _view_reversed(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    return of_view(self, reversed), nothing


for _view in (*VIEWS, type(OrderedDict().values()), type(OrderedDict().items())):
    handles_methods(_view, "__iter__")(_view_iter)
    handles_methods(_view, "__reversed__")(_view_reversed)


@handles_methods(tuple, "__getitem__")
def _own_item(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    y, back = of_tuple(self, *args)
    return y, lambda sweep, y_bar: (*back(sweep, y_bar)[:2], None)


def _owner_of_view(view: Any) -> Any:
    """The dict that a view of its values or items is of."""
    return next(o for o in gc.get_referents(view) if isinstance(o, dict))


@handles(_owner_of_view)
def _known_owner(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    """The dict itself, whose items have their cotangents by its places: nothing of it is out of sight."""
    return f(*args), nothing


def loop(record: Record, k: int, each: int, x: Any) -> Iterator[Any]:
    """Items that a `for` runs through: each is written down before it is given."""
    y = None
    stream, back = stream_of(record, k, x)
    record((k, back))
    try:
        while True:
            try:
                y, back = stream.step(record, each)
            except StopIteration:
                return
            record((each, back))
            yield y
    finally:
        outer = begin_leaving()
        del stream, back, x, y  # generators end when nobody has them
        end_leaving(record, k, outer)


@does("list")
def materialised(
    record: Record, k: int, x: Any, rest: int | None = None, most: int | None = None
) -> tuple[list[Any], Any]:
    """All items of an iterable, or `most` of them; `back(sweep, bars)` takes one cotangent for each, and gives that of
    the iterable. After `rest` items the iterator is asked for the number of the others."""
    stream, first = stream_of(record, k, x)
    items: list[Any] = []
    steps: list[Any] = []  # what came to no end, and the `back` of each item in its place
    while len(items) != most:
        try:
            if len(items) == rest:
                if isinstance(stream, ByCalls):  # Python makes a list of the iterator: its `__iter__` is asked again
                    stream, again = stream_of(steps.append, k, stream.asked)
                    steps.append((0, again))
                check_size(stream)
            y, back = stream.step(steps.append, k)
        except StopIteration:
            break
        except BaseException:
            record((k, unfinished(only_result(_of_source(first)))))
            for done in steps:
                record((k, unfinished(only_result(_of_item(done)))))
            raise
        items.append(y)
        steps.append((0, back, len(items) - 1))

    def materialised_back(sweep: Sweep, bars: Any) -> Any:
        for step in reversed(steps):
            step[1](sweep, bars[step[2]] if bars is not None and len(step) == 3 else None)
        return None, first(sweep, None)[1]

    return items, materialised_back


def _of_source(first: Back) -> Back:
    return lambda sweep, y_bar: (None, first(sweep, None)[1])


def _of_item(step: Any) -> Back:
    return lambda sweep, y_bar: step[1](sweep, None)


def _of_items(back: Any) -> Back:
    return lambda sweep, y_bar: back(sweep, None)


# ---- unpacking


def unpack(record: Record, k: int, pattern: Any, value: Any) -> Any:
    """`a, (b, *c) = value`: the values for the names, and a `back` for cotangents of the same shape. What was taken
    before it fails is written down."""
    if type(value) is tuple and len(value) == len(pattern) and _is_flat(pattern):
        record((k, tuple_given))
        return value
    notes: list[Any] = []
    try:
        y, back = _unpacked(notes.append, k, pattern, value)
    except BaseException as error:
        for note in notes:
            record(note[:2])
        if _is_of_count(error):
            outer = begin_leaving()
            del value  # a handler finds what was unpacked let go of
            traceback.clear_frames(error.__traceback__)
            end_leaving(record, k, outer)
        raise
    for note in notes:
        if note[2:] != TAKEN:
            record(note)
    record((k, back))
    return y


@functools.cache
def _is_flat(pattern: tuple[Any, ...]) -> bool:
    """Tell whether a pattern is names alone."""
    return "*" not in pattern and not any([isinstance(p, tuple) for p in pattern])


def tuple_given(sweep: Sweep, bars: Any) -> Any:
    """The `back` of a tuple that is taken apart."""
    return NOTHING if bars is None or all([bar is None for bar in bars]) else (None, tuple(bars))


def _is_of_count(error: BaseException) -> bool:
    """Tell whether an error is that of another number of items than there are names."""
    frames = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]
    return frames[-1] is _check_count.__code__


non_differentiable(_is_of_count, traceback.clear_frames)

TAKEN = ("taken",)


def unpacked(record: Record, k: int, pattern: Any, stream: Any) -> Iterator[Any]:
    """The same for each item that a `for` runs through."""
    for value in stream:
        yield unpack(record, k, pattern, value)


def _unpacked(record: Record, k: int, pattern: Any, value: Any) -> Result:
    n, star = len(pattern), pattern.index("*") if "*" in pattern else None
    back = None
    if type(value) is tuple:
        items = list(value)
    else:
        check_iterable(value, "cannot unpack non-iterable", " object")
        items, back = materialised(record, k, value, star, n + 1 if star is None else None)
        if type(value) is not list:  # of a list nothing is used up
            record((k, unfinished(only_result(_of_items(back))), *TAKEN))
    if star is not None or len(items) != n:
        _check_count(len(items), n, star)
    rest: list[Any] | None = None
    if star is not None:
        after = n - star - 1
        rest = items[star : len(items) - after]
        items[star : len(items) - after] = [rest]
    values, inner = [], []
    for i, (p, v) in enumerate(zip(pattern, items, strict=True)):
        if isinstance(p, tuple):
            y, turn = _unpacked(record, k, p, v)
            values.append(y)
            inner.append((i, turn))
        else:
            values.append(v)
    m = len(rest) if rest is not None else 0

    def unpacked_back(sweep: Sweep, d: Any) -> Any:
        bars: list[Any] = list(d) if d is not None else [None] * n
        for i, turn in reversed(inner):
            bars[i] = turn(sweep, bars[i])[1]
        if star is not None:
            slots = sweep.take_slots(rest)
            bars[star : star + 1] = [slots.get(j) for j in range(m)]
        if all(bar is None for bar in bars) and back is None:
            return NOTHING
        return (None, tuple(bars)) if back is None else back(sweep, bars)

    return tuple(values), unpacked_back


def _check_count(found: int, n: int, star: int | None) -> None:
    if star is None and found != n:
        few = f"not enough values to unpack (expected {n}, got {found})"
        raise ValueError(few if found < n else f"too many values to unpack (expected {n})")
    if star is not None and found < n - 1:
        raise ValueError(f"not enough values to unpack (expected at least {n - 1}, got {found})")
