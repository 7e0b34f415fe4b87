"""Streams: what recorded programs have for iterators. A stream gives one item after the other, each with its `back`."""

from __future__ import annotations

import operator
import threading
from collections import OrderedDict, deque
from typing import Any

import numpy as np

from ...rules.registry import non_differentiable
from ...tangents import tuple_like
from ..sweep import Sweep, add, is_valued
from .array_items import of_array
from .base import NOTHING, Back, Record, Result, nothing, only_result, read_slot, unfinished
from .calls import invoke
from .comparisons import PLAIN
from .items import read_item
from .opaque import read_in
from .streaming import Pair, Stream
from .turns import Turns


class _Leaving(threading.local):
    tapes: list[Any] | None = None


_leaving = _Leaving()


def begin_leaving() -> Any:
    """A loop lets go of its iterator; gives what an outer one has seen."""
    outer, _leaving.tapes = _leaving.tapes, []
    return outer


def let_go(tape: Any) -> bool:
    """Note that a generator has ended as it was let go of; whether someone takes the note."""
    if _leaving.tapes is None:
        return False
    _leaving.tapes.append(tape)
    return True


def end_leaving(record: Record, k: int, outer: Any) -> None:
    """The loop has let go: what generators did as they ended is done here."""
    tapes, _leaving.tapes = _leaving.tapes, outer
    for tape in tapes or ():
        record((k, tape.let_go))


non_differentiable(begin_leaving, let_go, end_leaving)


class OfItems(Stream):
    """Over a list, as long as it has more, whatever its class makes of items."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self.at = 0

    def step(self, record: Record, k: int) -> Pair:
        source, at = self.source, self.at
        if source is None or at >= list.__len__(source):
            self.source = None
            raise StopIteration
        self.at = at + 1
        y = list.__getitem__(source, at)
        return read_slot(y, source, at)

    def length_hint(self) -> Any:
        return 0 if self.source is None else max(0, list.__len__(self.source) - self.at)


class OfPlain(Stream):
    """Over what has no cotangents, or has them in a slot that each item names."""

    def __init__(self, source: Any, holder: Any = None) -> None:
        self.iterator = iter(source)
        self.holder = holder

    def step(self, record: Record, k: int) -> Pair:
        y = next(self.iterator)
        return (y, nothing) if self.holder is None else read_slot(y, self.holder, y)

    def length_hint(self) -> Any:
        return operator.length_hint(self.iterator)


class OfLost(OfPlain):
    """Over an object into which numbers may have gone."""

    def __init__(self, source: Any, items: Any) -> None:
        super().__init__(items)
        self.source = source

    def step(self, record: Record, k: int) -> Pair:
        y = next(self.iterator)
        return y, read_in(y, (self.source,)) or nothing


class OfDeque(Stream):
    def __init__(self, source: Any) -> None:
        self.source, self.iterator, self.at = source, deque.__iter__(source), 0

    def step(self, record: Record, k: int) -> Pair:
        y = next(self.iterator)
        self.at += 1
        return read_slot(y, self.source, self.at - 1)


def _pairs(d: Any) -> Any:
    """The items of a dict in its own order, whatever its class makes of `items`."""
    return OrderedDict.items(d) if isinstance(d, OrderedDict) else dict.items(d)


class OfDict(Stream):
    """Over the values, or the pairs, of a dict, from its first or, by `reversed`, from its last."""

    def __init__(self, source: Any, pairs: bool, order: Any = iter) -> None:
        self.source, self.iterator, self.pairs = source, order(_pairs(source)), pairs

    def step(self, record: Record, k: int) -> Pair:
        key, value = next(self.iterator)
        source = self.source
        if not self.pairs:
            return read_slot(value, source, key)
        if not is_valued(value):
            return (key, value), nothing

        def pair_back(sweep: Sweep, y_bar: Any) -> Any:
            if y_bar is not None:
                sweep.add(source, key, y_bar[1])
            return NOTHING

        return (key, value), pair_back


class OfTuple(Stream):
    def __init__(self, source: tuple[Any, ...]) -> None:
        self.source: Any = source
        self.at, self.cls, self.n = 0, type(source), tuple.__len__(source)

    def step(self, record: Record, k: int) -> Pair:
        at = self.at
        if at >= self.n:
            self.source = None  # what reverses it needs no items
            raise StopIteration
        self.at = at + 1
        y = tuple.__getitem__(self.source, at)
        return read_slot(y, self, at)

    def given(self, sweep: Sweep) -> Any:
        """The cotangent of the tuple."""
        slots = sweep.take_slots(self)
        if not slots:
            return None
        return tuple_like(self.cls, [slots.get(i) for i in range(self.n)])


class OfArray(Stream):
    """Over the rows of an array, by the `__getitem__` of its class."""

    def __init__(self, source: Any) -> None:
        self.source, self.at, self.n = source, 0, np.ndarray.__len__(source)

    def step(self, record: Record, k: int) -> Pair:
        at, source = self.at, self.source
        if at >= self.n:
            raise StopIteration
        self.at = at + 1
        return of_array(source, at) if type(source) is np.ndarray else read_item(record, k, source, at)


class OfPairs(Stream):
    """`np.ndenumerate`."""

    def __init__(self, source: Any) -> None:
        self.source, self.indices = source, iter(np.ndindex(*source.shape))

    def step(self, record: Record, k: int) -> Pair:
        index = next(self.indices)
        y, back = of_array(self.source, index)
        return (index, y), lambda sweep, y_bar: back(sweep, None if y_bar is None else y_bar[1])


def all_of(streams: list[Stream], record: Record, k: int, ended: list[int]) -> tuple[list[Any], Turns]:
    """The next item of each; what was taken before one of them came to its end is written down, and which that was."""
    taken = Turns()
    values: list[Any] = []
    for i, stream in enumerate(streams):
        try:
            y, back = stream.step(taken.note, k)
        except BaseException as error:
            for back, _ in taken.backs:
                record((k, unfinished(only_result(back))))
            if isinstance(error, StopIteration):
                ended.append(i)
            raise
        taken.add(back)
        values.append(y)
    return values, taken


class Zipped(Stream):
    """`zip`."""

    def __init__(self, streams: list[Stream], strict: bool) -> None:
        self.streams, self.strict = streams, strict

    def step(self, record: Record, k: int) -> Pair:
        ended: list[int] = []
        try:
            values, taken = all_of(self.streams, record, k, ended)
        except StopIteration:
            self._check(record, k, *ended)
            raise
        if not values:
            raise StopIteration

        def zipped_back(sweep: Sweep, y_bar: Any) -> Any:
            taken.reverse(sweep, y_bar)
            return NOTHING

        return tuple(values), zipped_back

    def _check(self, record: Record, k: int, i: int) -> None:
        if not self.strict:
            return
        if i:
            raise ValueError(f"zip() argument {i + 1} is shorter than argument{'s 1-' if i > 1 else ' '}{i}")
        for j, stream in enumerate(self.streams[1:], start=2):
            try:
                stream.step(record, k)
            except StopIteration:
                continue
            raise ValueError(f"zip() argument {j} is longer than argument{'s 1-' if j > 2 else ' '}{j - 1}")


class Enumerated(Stream):
    """`enumerate`."""

    def __init__(self, stream: Stream, start: int) -> None:
        self.stream, self.at = stream, start

    def step(self, record: Record, k: int) -> Pair:
        y, back = self.stream.step(record, k)
        self.at += 1

        def enumerated_back(sweep: Sweep, y_bar: Any) -> Any:
            return back(sweep, None if y_bar is None else y_bar[1])

        return (self.at - 1, y), enumerated_back


def called(record: Record, k: int, f: Any, values: tuple[Any, ...], taken: Turns) -> Result:
    """`f(*values)` of items that were taken for it; the result is `back(sweep, y_bar)`, without operands."""
    notes: list[Any] = []
    n = len(values)

    def given(sweep: Sweep, bars: Any) -> None:
        for step in reversed(notes):
            d = step[1](sweep, None)
            bars = [add(bar, more) for bar, more in zip(bars, d[1 : 1 + n], strict=True)]
        taken.reverse(sweep, bars)

    def unended(sweep: Sweep, y_bar: Any) -> Any:
        given(sweep, [None] * n)
        return NOTHING

    try:
        y, back = invoke(notes.append, k, f, values, {})
    except BaseException:
        record((k, unfinished(unended)))
        raise

    def called_back(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, y_bar)
        given(sweep, d[1 : 1 + n])
        return (d[0], *NOTHING)

    return y, called_back


def tested(record: Record, k: int, f: Any, y: Any, taken: Back) -> Result:
    """Test of an item by `filter`, by `f` or by its truth; the reverse is that of the test, then that of the item."""
    notes: list[Any] = []

    def both(sweep: Sweep, y_bar: Any) -> Any:
        for step in reversed(notes):
            y_bar = add(y_bar, step[1](sweep, None)[1])
        return taken(sweep, y_bar)

    chosen = y
    try:
        if f is not None:
            chosen, back = invoke(notes.append, k, f, (y,), {})
            notes.append((k, back))
        if type(chosen) not in PLAIN:
            chosen, back = invoke(notes.append, k, bool, (chosen,), {})
            notes.append((k, back if f is None else only_result(back)))
    except BaseException:
        record((k, unfinished(only_result(both))))
        raise
    return chosen, both


class Mapped(Stream):
    """`map`."""

    def __init__(self, function: Any, streams: list[Stream]) -> None:
        self.function, self.streams = function, streams

    def step(self, record: Record, k: int) -> Pair:
        values, taken = all_of(self.streams, record, k, [])
        return called(record, k, self.function, tuple(values), taken)


class Filtered(Stream):
    """`filter`."""

    def __init__(self, function: Any, stream: Stream) -> None:
        self.function, self.stream = function, stream

    def step(self, record: Record, k: int) -> Pair:
        while True:
            y, back = self.stream.step(record, k)
            chosen: Any = y
            if self.function is not None or type(y) not in PLAIN:
                chosen, back = tested(record, k, self.function, y, back)
            if chosen:
                return y, back
            record((k, unfinished(back)))
