"""The builtins that consume an iterable: `sum`, `max`, `sorted`, `zip` and their like."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from ...ir import intrinsics
from ...tangents import densify, unbroadcast
from ..knots import call_pullback
from ..registry import Back, Numeric, non_differentiable, rule, scalar_rule
from .containers import MISSING, same_back
from .iteration import (
    Items,
    Key,
    Materialised,
    Reversible,
    collect,
    entry,
    scatter,
    source_of,
    spread,
    stream_source,
    taken,
)


@rule(sum)
def sum_rule(iterable: Items, start: Any = 0) -> tuple[Any, Back]:
    """y = s + Σ xᵢ; what are not numbers or arrays are added one by one."""
    source = source_of(iterable)
    items = list(iterable)
    if not all(isinstance(x, Numeric) for x in items) or not isinstance(start, Numeric):
        return _fold_sum(source, items, start)

    def sum_back(y_bar: Any) -> tuple[Any, ...]:
        return spread(source, [unbroadcast(y_bar, x) for x in items]), unbroadcast(y_bar, start)

    return sum(items, start), sum_back  # type: ignore[arg-type]


def _fold_sum(source: Any, items: list[Any], start: Any) -> tuple[Any, Back]:
    n = _count_plain(items) if type(start) in _PLAIN else 0
    total = sum(items[:n], start)  # Python may do better than one after the other
    backs = []
    for x in items[n:]:
        total, back = call_pullback(operator.add, total, x)
        backs.append(back)

    def fold_sum_back(y_bar: Any) -> tuple[Any, ...]:
        total_bar, bars = y_bar, []
        for back in reversed(backs):
            total_bar, bar = (None, None) if total_bar is None else back(total_bar)[1:]
            bars.append(bar)
        plain = [None if total_bar is None else unbroadcast(total_bar, x) for x in items[:n]]
        return spread(source, [*plain, *bars[::-1]]), total_bar

    return total, fold_sum_back


_PLAIN = frozenset([float, int, bool, complex])


def _count_plain(items: list[Any]) -> int:
    """The number of Python's numbers before anything else."""
    return next((i for i, x in enumerate(items) if type(x) not in _PLAIN), len(items))


non_differentiable(_count_plain)


@rule(max)
def max_rule(iterable: Items, *, key: Any = None, default: Any = MISSING) -> tuple[Any, Back]:
    """`max(xs)`: what is selected gets all of it."""
    return _extreme(max, iterable, key, default)


@rule(min)
def min_rule(iterable: Items, *, key: Any = None, default: Any = MISSING) -> tuple[Any, Back]:
    """`min(xs)`: what is selected gets all of it."""
    return _extreme(min, iterable, key, default)


@rule(max)
def max_of_arguments_rule(a: Any, b: Any, *more: Any, key: Any = None) -> tuple[Any, Back]:
    """`max(a, b, c)`."""
    return _extreme_argument(max, [a, b, *more], key)


@rule(min)
def min_of_arguments_rule(a: Any, b: Any, *more: Any, key: Any = None) -> tuple[Any, Back]:
    """`min(a, b, c)`."""
    return _extreme_argument(min, [a, b, *more], key)


@scalar_rule(max, call=max_of_arguments_rule)
def max_partials(a: int | float, b: int | float, y):  # type: ignore[no-untyped-def]
    return 0.0 if b > a else 1.0, 1.0 if b > a else 0.0


@scalar_rule(min, call=min_of_arguments_rule)
def min_partials(a: int | float, b: int | float, y):  # type: ignore[no-untyped-def]
    return 0.0 if b < a else 1.0, 1.0 if b < a else 0.0


def _extreme(select: Any, iterable: Any, key: Any, default: Any) -> tuple[Any, Back]:
    source = source_of(iterable)
    note, keys = _noting(key)
    items = list(iterable) if key is None else [(x, _noted(note, x))[0] for x in iterable]
    n = len(items)
    if not items and default is not MISSING:

        def default_back(y_bar: Any) -> tuple[Any, ...]:
            return None, None, y_bar

        return default, default_back
    index = _winner(select, items, keys or items)

    def extreme_back(y_bar: Any) -> tuple[Any, ...]:
        return (spread(source, scatter(n, [index], [y_bar])),)

    return items[index], extreme_back


def _extreme_argument(select: Any, args: list[Any], key: Any) -> tuple[Any, Back]:
    n = len(args)
    index = _winner(select, args, args if key is None else [key(x) for x in args])

    def extreme_argument_back(y_bar: Any) -> tuple[Any, ...]:
        return tuple(scatter(n, [index], [y_bar]))

    return args[index], extreme_argument_back


def _noting(key: Any) -> tuple[Any, list[Any]]:
    """A function that notes the key of an item, before the next item is made, and the list of these keys."""
    keys: list[Any] = []
    return lambda x: keys.append(key(x)), keys


def _noted(note: Any, x: Any) -> Any:
    return note(x)


def _winner(select: Any, items: list[Any], keys: list[Any]) -> int:
    """The place of the extreme item."""
    if not items:
        select(items)  # for its error
    index: int = select(range(len(items)), key=keys.__getitem__)
    return index


def _order(items: list[Any], key: Any, reverse: bool) -> list[int]:
    """The places that the items come from when they are sorted."""
    keys = items if key is None else [key(x) for x in items]
    return sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)


non_differentiable(_noting, _noted, _winner, _order)


@rule(sorted)
def sorted_rule(iterable: Items, key: Key = None, reverse: Any = False) -> tuple[Any, Back]:
    """`sorted(xs)`: a permutation, and its inverse."""
    source = source_of(iterable)
    items = list(iterable)
    n = len(items)
    order = _order(items, key, reverse)

    def sorted_back(y_bar: Any) -> tuple[Any, ...]:
        return (spread(source, scatter(n, order, y_bar)),)

    return collect(order, items), sorted_back


@rule(reversed)
def reversed_rule(sequence: Reversible) -> tuple[Any, Back]:
    """`reversed(xs)`."""
    source = source_of(sequence)

    def reversed_back(y_bar: Any) -> tuple[Any, ...]:
        return (spread(source, y_bar[::-1]),)

    return Materialised(list(reversed(sequence))), reversed_back


@rule(enumerate)
def enumerate_rule(iterable: Items, start: int = 0) -> tuple[Any, Back]:
    """`enumerate(xs)`."""
    source = stream_source(iterable)

    def enumerate_back(y_bar: Any) -> tuple[Any, ...]:
        return (spread(source, [None if bar is None else bar[1] for bar in y_bar]),)

    return Materialised([], enumerate(taken(iterable, source), start)), enumerate_back


@rule(zip)
def zip_rule(*iterables: Items, strict: bool = False) -> tuple[Any, Back]:
    """`zip(xs, ys)`."""
    sources = [stream_source(iterable) for iterable in iterables]
    streams = [taken(iterable, source) for iterable, source in zip(iterables, sources, strict=True)]

    def zip_back(y_bar: Any) -> tuple[Any, ...]:
        return tuple(
            spread(source, [None if bar is None else bar[i] for bar in y_bar]) for i, source in enumerate(sources)
        )

    return Materialised([], zip(*streams, strict=strict)), zip_back


def columns_tangent(dots: Any, y: Any, rows: Any, strict: bool = False) -> Any:
    """The columns of the tangents."""
    return intrinsics.columns(densify(dots[0], rows), strict)


def are_rows(dots: Any, rows: Any, strict: bool = False) -> bool:
    """Tell whether these are lists or tuples of floats."""
    if type(rows) not in (list, tuple) or any([type(row) not in (list, tuple) for row in rows]):
        return False
    return all([type(x) is float for row in rows for x in row])


@rule(intrinsics.columns, forward=columns_tangent, forward_for=are_rows)
def columns_rule(rows: Items, strict: bool = False) -> tuple[Any, Back]:
    """`zip(*rows)` where its columns are lists: the cotangent of a row is made of items of those of the columns."""
    source, kinds = source_of(rows), [source_of(row) for row in rows]

    def columns_back(y_bar: Any) -> tuple[Any, ...]:
        if all([d is None for d in y_bar]):
            return spread(source, [None] * len(kinds)), None
        full = zip(*[[None] * len(kinds) if d is None else d for d in y_bar], strict=True)
        return spread(source, [spread(kind, row) for kind, row in zip(kinds, full, strict=True)]), None

    return intrinsics.columns(rows, strict), columns_back


@rule(iter)
def iter_rule(iterable: Items) -> tuple[Any, Back]:
    """`iter(xs)`."""
    if isinstance(iterable, Materialised):
        return iterable, same_back
    source = source_of(iterable)

    def iter_back(y_bar: Any) -> tuple[Any, ...]:
        return (spread(source, y_bar),)

    made = Materialised([], iterable) if isinstance(iterable, Iterator) else Materialised(list(iterable))
    return made, iter_back


@rule(next)
def next_rule(iterator: Materialised, default: Any = MISSING) -> tuple[Any, Back]:
    """`next(it)`: the item at the present place."""
    if default is not MISSING and not _has_next(iterator):

        def default_back(y_bar: Any) -> tuple[Any, ...]:
            return None, y_bar

        return default, default_back

    y = next(iterator)
    index, n = _last(iterator)

    def next_back(y_bar: Any) -> tuple[Any, ...]:
        return (entry(n, index, y_bar),)

    return y, next_back


def _has_next(iterator: Materialised) -> bool:
    return iterator.has_next()


def _last(iterator: Materialised) -> tuple[int, int]:
    """The place of the item that was taken last, and the number of items."""
    return iterator.position - 1, len(iterator.items)


non_differentiable(_has_next, _last)


@rule(intrinsics.iterate)
def iterate_rule(iterable: Items) -> tuple[Any, Back]:
    """The items that a `for` runs over: those that its body takes from the same iterator are none of its rounds."""
    source = stream_source(iterable)

    def iterate_back(y_bar: Any) -> tuple[Any, ...]:
        return (spread(source, y_bar),)

    return taken(iterable, source) if isinstance(iterable, Materialised) else iterable, iterate_back
