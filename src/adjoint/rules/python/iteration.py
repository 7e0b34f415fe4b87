"""Shared by the rules of iterables: what is kept of one, iterators that know their place, and selections.

A function such as `sorted`, `zip` or `combinations` only selects: its result is `collect(picks, items)`, whose adjoint
is `scatter`. The cotangent of an iterable has its structure (`spread`); that of an iterator or a view is a list with
one entry per item.
"""

from __future__ import annotations

import collections
import functools
import itertools
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import UnsupportedSyntaxError, calling_place
from ...tangents import accumulate, tuple_like
from ..registry import Back, non_differentiable, rule


class Materialised(Iterator[Any]):
    """An iterator that keeps its items and knows its place: what rules give for `iter`, `zip`, `map` and the like.

    After the items that are there already come those of `more`, each made when it is asked for.

    >>> pairs = Materialised([(1, "a")], iter([(2, "b")]))
    >>> next(pairs), list(pairs)
    ((1, 'a'), [(2, 'b')])
    """

    __slots__ = ("items", "more", "over", "position")

    def __init__(self, items: Any, more: Iterator[Any] | None = None) -> None:
        self.items = items
        self.more = more
        self.over = False
        self.position = 0

    def has_next(self) -> bool:
        """Tell whether there is another item, which is made if need be."""
        if self.position < len(self.items):
            return True
        if self.more is None:
            return False
        before, self.over = self.over, True  # over until it has given something: it must not be asked within
        try:
            item = next(self.more)
        except StopIteration:
            return False
        if before:
            raise UnsupportedSyntaxError(
                "an iterator goes on after its end, or is asked for an item while it makes one",
                "which item comes from where is not followed then",
                "take the items from a list",
                calling_place(),
            )
        self.items.append(item)
        self.over = False
        return True

    def __next__(self) -> Any:
        if not self.has_next():
            raise StopIteration
        self.position += 1
        return self.items[self.position - 1]

    def make(self, n: int) -> None:
        """Make the first `n` items, if there are as many: they have a cotangent without having been asked for."""
        ahead = Materialised(self.items, self.more)
        ahead.position = len(self.items)
        while len(self.items) < n and ahead.has_next():
            ahead.position += 1


class Taken(Iterator[Any]):
    """The items that one receiver takes from such an iterator, and their places: others may take from it in between."""

    __slots__ = ("iterator", "places")

    def __init__(self, iterator: Materialised, places: list[int]) -> None:
        self.iterator = iterator
        self.places = places

    def __next__(self) -> Any:
        item = next(self.iterator)
        self.places.append(self.iterator.position - 1)
        return item


KNOWN = (Materialised, Taken, np.ndindex)
"""Iterators that are written in Python, and taken as they are."""
_COLLECTIONS = (list, tuple, dict, set, frozenset, str, bytes, range, np.ndarray, collections.deque)
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
# Made outside of what is differentiated, or in a part of it through which nothing flows.
_EMPTY: tuple[Any, ...] = (
    *((), [], {}, "", "é", b"", set(), range(0), range(2**99), {}.values(), {}.items()),
    *(collections.deque(), np.zeros(0)),
)
_ITERATORS: tuple[type, ...] = (
    *(zip, map, filter, enumerate, reversed, itertools.count, itertools.cycle, itertools.repeat, itertools.chain),
    *(type(iter(x)) for x in _EMPTY),
    *KNOWN,
)
_WITHOUT_COTANGENT: tuple[type, ...] = (dict, str, bytes, range, type({}.keys()))

ITERABLES = (*_COLLECTIONS, *_VIEWS, *_ITERATORS)

if TYPE_CHECKING:
    Items = Any
    Reversible = Any
    Key = Any
else:
    Key = Callable | None
    Items = functools.reduce(operator.or_, ITERABLES)
    Reversible = functools.reduce(operator.or_, (list, tuple, range, str, np.ndarray, collections.deque, dict, *_VIEWS))


@dataclass(frozen=True, slots=True)
class Source:
    """The part kept of an iterable to give it a cotangent: its class and length, and how much of it was taken before.

    `items` are those of a set, whose cotangent is a dict; `dtype` and `shape` are those of an array; `places` is filled
    with where items are taken from an iterator that others may take from, too.
    """

    cls: type
    length: int
    start: int = 0
    items: tuple[Any, ...] = ()
    shape: tuple[int, ...] = ()
    dtype: Any = None
    places: list[int] | None = None


def source_of(iterable: Any) -> Source:
    """The facts of an iterable that `spread` needs, taken before it is consumed."""
    cls = type(iterable)
    if cls is list or cls is tuple:
        return _source_of(cls, len(iterable))  # type: ignore[arg-type]
    if isinstance(iterable, Materialised):
        return Source(cls, len(iterable.items), iterable.position)
    if isinstance(iterable, np.ndarray):
        dtype = iterable.dtype if iterable.dtype.kind in "fc" else np.dtype(float)
        return Source(cls, len(iterable), shape=iterable.shape, dtype=dtype)
    if isinstance(iterable, set | frozenset):
        return Source(cls, len(iterable), items=tuple(iterable))
    return Source(cls, len(iterable) if hasattr(cls, "__len__") else 0)


@functools.lru_cache(maxsize=512)
def _source_of(cls: type, n: int) -> Source:
    """The same of lists and tuples, which differ in their lengths alone."""
    return Source(cls, n)


def stream_source(iterable: Any) -> Source:
    """The same for an iterable that is run through bit by bit, by `taken`."""
    return Source(type(iterable), 0, places=[]) if isinstance(iterable, Materialised) else source_of(iterable)


def taken(iterable: Any, source: Source) -> Any:
    """An iterator over the iterable: `source` gets to know the places."""
    return iter(iterable) if source.places is None else Taken(iterable, source.places)


def draw(iterator: Any) -> Any:
    """The items that an iterator gives from here on."""
    return iterator


def spread(source: Source, bars: Sequence[Any]) -> Any:
    """The cotangent of an iterable from those of the items that were taken from it.

    >>> spread(source_of((1.0, 2.0, 3.0)), [0.5, None])
    (0.5, None, None)
    """
    cls = source.cls
    if cls is list and len(bars) == source.length:
        return [*bars]
    if issubclass(cls, _WITHOUT_COTANGENT):
        return None
    if source.items:
        return {item: bar for item, bar in zip(source.items, bars, strict=False) if bar is not None}
    if source.dtype is not None:
        array = np.zeros(source.shape, source.dtype)
        for i, bar in enumerate(bars):
            if bar is not None:
                array[i] = bar
        return array
    if source.places is not None:
        return scatter(max(source.places, default=-1) + 1, source.places[: len(bars)], bars)
    filled = [None] * source.start + list(bars) + [None] * (source.length - source.start - len(bars))
    if issubclass(cls, tuple):
        return tuple_like(cls, filled)
    return filled


def gather(source: Source, bar: Any, n: int) -> list[Any]:
    """The adjoint of `spread`: the cotangents of the first `n` items that are taken, from that of the iterable."""
    if bar is None or issubclass(source.cls, _WITHOUT_COTANGENT):
        return [None] * n
    if source.items:
        return [bar.get(item) for item in source.items[:n]]
    if source.places is not None:
        return [bar[p] if p < len(bar) else None for p in source.places[:n]]
    return list(itertools.islice(bar, source.start, source.start + n))


Pick = int | tuple[int, ...] | list[int] | range


def collect(picks: Sequence[Pick], items: Sequence[Any]) -> list[Any]:
    """The items at some places: one for each int, a tuple or a list for each tuple or list of ints.

    >>> collect([1, (0, 0)], ["a", "b"])
    ['b', ('a', 'a')]
    """
    return [
        items[p] if isinstance(p, int) else [items[i] for i in p] if isinstance(p, list) else tuple(items[i] for i in p)
        for p in picks
    ]


def scatter(n: int, picks: Sequence[Pick], bars: Sequence[Any]) -> list[Any]:
    """The adjoint of `collect`: a list of `n` cotangents, each the sum over the places where its item was picked.

    >>> scatter(3, [1, (0, 1)], [2.0, (0.5, 1.0)])
    [0.5, 3.0, None]
    """
    total: list[Any] = [None] * n
    for p, bar in zip(picks, bars, strict=True):
        if isinstance(p, int):
            total[p] = accumulate(total[p], bar)
        elif bar is not None:
            for i, b in zip(p, bar, strict=True):
                total[i] = accumulate(total[i], b)
    return total


class Entries(Sequence[Any]):
    """The cotangent of an iterator of which items were taken one by one: a list of them, made when it is read.

    A loop that takes an item in each of n rounds adds n of these; as lists that would take n² steps.

    >>> [*entry(3, 1, 2.0) + entry(3, 0, 0.5) + [None, 1.0]]
    [0.5, 3.0, None]
    """

    __slots__ = ("items", "parts")

    def __init__(self, *parts: Any) -> None:
        self.parts = parts
        self.items: list[Any] | None = None

    def __add__(self, other: Any) -> Entries:
        return Entries(self, other)

    def __radd__(self, other: Any) -> Entries:
        return Entries(other, self)

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, i: Any) -> Any:
        return self._all()[i]

    def _all(self) -> list[Any]:
        if self.items is None:
            found: list[Any] = []
            waiting: list[Any] = [self]
            while waiting:
                part = waiting.pop()
                if isinstance(part, Entries) and part.items is None:
                    waiting += reversed(part.parts)
                    continue
                n, given = (part[0], [part[1:]]) if isinstance(part, tuple) else (len(part), enumerate(part))
                found += [None] * (n - len(found))
                for i, bar in given:
                    found[i] = accumulate(found[i], bar)
            self.items, self.parts = found, ()
        return self.items


def entry(n: int, index: int, bar: Any) -> Entries:
    """The cotangent of an iterator of `n` items of which the one at `index` was taken."""
    return Entries((n, index, bar))


def place(source: Source, index: Any, bar: Any) -> Any:
    """The cotangent of a sequence of which only `[index]` (an int or a slice) was read."""
    places = range(source.length)[index]
    if isinstance(places, int):
        return spread(source, scatter(source.length, [places], [bar]))
    return spread(source, scatter(source.length, list(places), list(bar)))


non_differentiable(source_of, stream_source)


@rule(spread)
def spread_rule(source: Source, bars: Any) -> tuple[Any, Back]:
    """`spread` and `gather` are adjoint to each other."""
    n = len(bars)
    as_tuple = isinstance(bars, tuple)

    def spread_back(y_bar: Any) -> tuple[Any, ...]:
        items = gather(source, y_bar, n)
        return None, tuple(items) if as_tuple else items

    return spread(source, bars), spread_back


@rule(gather)
def gather_rule(source: Source, bar: Any, n: int) -> tuple[Any, Back]:
    """`gather` and `spread` are adjoint to each other."""

    def gather_back(y_bar: Any) -> tuple[Any, ...]:
        return None, None if bar is None else spread(source, y_bar), None

    return gather(source, bar, n), gather_back


@rule(collect)
def collect_rule(picks: Any, items: Any) -> tuple[Any, Back]:
    """`collect` and `scatter` are adjoint to each other."""
    n = len(items)
    as_tuple = isinstance(items, tuple)

    def collect_back(y_bar: Any) -> tuple[Any, ...]:
        bars = scatter(n, picks, y_bar)
        return None, tuple(bars) if as_tuple else bars

    return collect(picks, items), collect_back


@rule(scatter)
def scatter_rule(n: int, picks: Any, bars: Any) -> tuple[Any, Back]:
    """`scatter` and `collect` are adjoint to each other."""

    def scatter_back(y_bar: Any) -> tuple[Any, ...]:
        return None, None, collect(picks, y_bar)

    return scatter(n, picks, bars), scatter_back


@rule(entry)
def entry_rule(n: int, index: int, bar: Any) -> tuple[Any, Back]:
    """The cotangent of an entry is that of the list at its place: one that is differentiated in its turn is a list."""

    def entry_back(y_bar: Any) -> tuple[Any, ...]:
        return None, None, y_bar[index]

    return scatter(n, [index], [bar]), entry_back


@rule(taken)
def taken_rule(iterable: Any, source: Source) -> tuple[Any, Back]:
    """The cotangents of what is taken, in order."""

    def taken_back(y_bar: Any) -> tuple[Any, ...]:
        return spread(source, y_bar), None

    return taken(iterable, source), taken_back


@rule(Materialised)
def materialised_rule(items: Any, more: Any = None) -> tuple[Any, Back]:
    """The cotangent of an iterator is the list of those of its items."""
    source = source_of(items)
    n = len(items)

    def materialised_back(y_bar: Any) -> tuple[Any, ...]:
        return spread(source, y_bar[:n]), y_bar[n:]

    return Materialised(items, more), materialised_back
