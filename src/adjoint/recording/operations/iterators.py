"""Iterators that builtins make of others: `iter`, `next`, `zip`, `map`, `filter`, `enumerate`, `reversed`."""

from __future__ import annotations

import operator
import types
from collections import deque
from typing import Any

import numpy as np

from ..sweep import Sweep
from .base import Back, Record, Result, adapting, handles, handles_methods, nothing, read_slot
from .calls import invoke
from .comparisons import size
from .elsewhere import drawn
from .functions import written
from .items import read_item
from .iteration import VIEWS, of_others, of_view, stream_of
from .streaming import Pair, Stream, is_stream
from .streams import Enumerated, Filtered, Mapped, OfTuple, Zipped
from .users_iterators import ByCalls, UntilSentinel


@handles(iter)
def _iter(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    if len(args) == 2:
        return UntilSentinel(*args), nothing
    made, back = stream_of(record, k, *args)
    return (made.asked if isinstance(made, ByCalls) and not is_stream(args[0]) else made), back


@handles(next)
def _next(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    x, *default = args
    own = getattr(type(x), "__next__", None)
    try:
        if is_stream(x):
            y, back = x.step(adapting(record, _with_default), k)
        elif isinstance(own, types.FunctionType):
            y, back = invoke(adapting(record, _with_default), k, own, (x,), {})
        else:
            y, back = drawn(record, k, x)
    except StopIteration:
        if not default:
            raise
        return default[0], lambda sweep, y_bar: (None, None, y_bar)
    return y, _with_default(back)


def _with_default(back: Back) -> Back:
    """The same with the default as one more operand, to which nothing flows."""
    return lambda sweep, y_bar: (*back(sweep, y_bar)[:2], None)


@handles(zip)
def _zip(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    streams, back = _streams(record, k, args)
    return Zipped(streams, kwargs.get("strict", False)), back


@handles(map)
def _map(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    streams, back = _streams(record, k, args[1:])
    return Mapped(args[0], streams), lambda sweep, y_bar: (None, *back(sweep, y_bar))


@handles(filter)
def _filter(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    streams, back = _streams(record, k, args[1:])
    return Filtered(args[0], streams[0]), lambda sweep, y_bar: (None, *back(sweep, y_bar))


@handles(enumerate)
def _enumerate(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    streams, back = _streams(record, k, args[:1])
    start = args[1] if len(args) > 1 else kwargs.get("start", 0)
    return Enumerated(streams[0], operator.index(start)), lambda sweep, y_bar: (*back(sweep, y_bar), None)


def _streams(record: Record, k: int, args: Any) -> tuple[list[Stream], Any]:
    pairs = [stream_of(record, k, x) for x in args]
    backs = [back for _, back in pairs]

    def streams_back(sweep: Sweep, y_bar: Any) -> Any:
        bars = [back(sweep, None)[1] for back in reversed(backs)]
        return (None, *reversed(bars))

    return [stream for stream, _ in pairs], streams_back


class _OwnBackwards(Stream):
    """Over a list or a deque from its end, by Python's own iterator: it says what comes of stores in the meantime."""

    def __init__(self, cls: Any, source: Any) -> None:
        self.source, self.iterator, self.at = source, cls.__reversed__(source), cls.__len__(source)

    def length_hint(self) -> Any:
        return operator.length_hint(self.iterator)

    def step(self, record: Record, k: int) -> Pair:
        y = next(self.iterator)
        self.at -= 1
        return read_slot(y, self.source, self.at)


@handles_methods(list, "__reversed__")
def _list_reversed(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    return _OwnBackwards(list, self), nothing


@handles_methods(deque, "__reversed__")
def _deque_reversed(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    return _OwnBackwards(deque, self), nothing


class _Backwards(Stream):
    """By the items' places, by `__getitem__`."""

    def __init__(self, record: Record, k: int, source: Any) -> None:
        self.source = self.asked = source
        self.at = size(record, k, source)

    def length_hint(self) -> Any:
        return self.at

    def step(self, record: Record, k: int) -> Pair:
        if self.at <= 0:
            raise StopIteration
        self.at -= 1
        try:
            y, back = read_item(record, k, self.source, self.at)
        except IndexError:  # the class says that there are more
            self.at = 0
            raise StopIteration from None

        def item_back(sweep: Sweep, y_bar: Any) -> Any:
            d = back(sweep, y_bar)
            sweep.add(self, 0, d[1])
            return d

        return y, item_back


@handles(reversed)
def _reversed(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    own = written(type(args[0]), "__reversed__") if len(args) == 1 else None
    if own is not None:
        return invoke(record, k, own, args, {})
    (x,) = args
    own = getattr(type(x), "__reversed__", None)
    if isinstance(own, types.FunctionType):
        return stream_of(record, k, invoke(record, k, own, (x,), {})[0])
    if isinstance(x, tuple) and written(type(x), "__getitem__", "__len__") is None:
        source = OfTuple(x[::-1])
        return source, lambda sweep, y_bar: (None, _turned(source.given(sweep)))
    if isinstance(x, list | deque):
        return _OwnBackwards(list if isinstance(x, list) else deque, x), nothing
    if isinstance(x, tuple | np.ndarray) or isinstance(getattr(type(x), "__getitem__", None), types.FunctionType):
        made = _Backwards(record, k, x)
        return made, lambda sweep, y_bar: (None, sweep.take(made, 0))
    if isinstance(x, VIEWS):
        return of_view(x, reversed), nothing
    return of_others(x, reversed(x)), nothing


def _turned(d: Any) -> Any:
    return None if d is None else d[::-1]
