"""The module `itertools`. Iterators are made at once; of an endless one only a part can be taken (`islice`, `zip`)."""

from __future__ import annotations

import functools
import itertools
import operator
import sys
from collections.abc import Callable
from typing import Any

from ...tangents import accumulate
from ..registry import Back, call_pullback, rule
from .containers import add_bars
from .iteration import Items, Materialised, Source, collect, scatter, source_of, spread


def _select(picking: Callable[..., Any], iterables: tuple[Any, ...], fill: Any = None) -> tuple[Any, Back]:
    """What only rearranges: `picking` does to the places of the items what the function does to the items.

    A `fill`, where it is used, is the item after all others; its cotangent comes after those of the iterables.
    """
    sources = [source_of(iterable) for iterable in iterables]
    pool: list[Any] = []
    places = []
    for iterable in iterables:
        start = len(pool)
        pool.extend(iterable)
        places.append(range(start, len(pool)))
    n = len(pool) + 1
    picks = list(picking(*places))

    def select_back(y_bar: Any) -> tuple[Any, ...]:
        bars = scatter(n, picks, y_bar)
        of_iterables = [
            spread(source, bars[place.start : place.stop]) for source, place in zip(sources, places, strict=True)
        ]
        return *of_iterables, bars[-1]

    return Materialised(collect(picks, [*pool, fill])), select_back


def _without_fill(y: Any, back: Back, extra: int = 0) -> tuple[Any, Back]:
    def select_back(y_bar: Any) -> tuple[Any, ...]:
        return *back(y_bar)[:-1], *(None,) * extra

    return y, select_back


@rule(itertools.chain)
def chain_rule(*iterables: Items) -> tuple[Any, Back]:
    """`chain(xs, ys)`."""
    return _without_fill(*_select(itertools.chain, iterables))


@rule(itertools.chain.from_iterable)
def chain_from_iterable_rule(iterable: Items) -> tuple[Any, Back]:
    """`chain.from_iterable(rows)`."""
    source = source_of(iterable)
    y, back = _select(itertools.chain, tuple(iterable))

    def chain_from_iterable_back(y_bar: Any) -> tuple[Any, ...]:
        return (spread(source, list(back(y_bar)[:-1])),)

    return y, chain_from_iterable_back


@rule(itertools.pairwise)
def pairwise_rule(iterable: Items) -> tuple[Any, Back]:
    """`pairwise(xs)`."""
    return _without_fill(*_select(itertools.pairwise, (iterable,)))


@rule(itertools.product)
def product_rule(*iterables: Items, repeat: int = 1) -> tuple[Any, Back]:
    """`product(xs, ys)`."""
    return _without_fill(*_select(functools.partial(itertools.product, repeat=repeat), iterables))


@rule(itertools.combinations)
def combinations_rule(iterable: Items, r: int) -> tuple[Any, Back]:
    """`combinations(xs, r)`."""
    return _without_fill(*_select(lambda places: itertools.combinations(places, r), (iterable,)), 1)


@rule(itertools.combinations_with_replacement)
def combinations_with_replacement_rule(iterable: Items, r: int) -> tuple[Any, Back]:
    """`combinations_with_replacement(xs, r)`."""
    return _without_fill(*_select(lambda places: itertools.combinations_with_replacement(places, r), (iterable,)), 1)


@rule(itertools.permutations)
def permutations_rule(iterable: Items, r: int | None = None) -> tuple[Any, Back]:
    """`permutations(xs, r)`."""
    return _without_fill(*_select(lambda places: itertools.permutations(places, r), (iterable,)), 1)


@rule(itertools.zip_longest)
def zip_longest_rule(*iterables: Items, fillvalue: Any = None) -> tuple[Any, Back]:
    """`zip_longest(xs, ys, fillvalue=v)`: the cotangent of the keyword follows."""
    fill = sum(map(len, iterables))
    return _select(functools.partial(itertools.zip_longest, fillvalue=fill), iterables, fillvalue)


if sys.version_info >= (3, 12):
    batched = itertools.batched

    @rule(batched)
    def batched_rule(iterable: Items, n: int, strict: bool = False) -> tuple[Any, Back]:
        """`batched(xs, n)`."""
        options = {"strict": True} if strict else {}
        return _without_fill(*_select(lambda places: batched(places, n, **options), (iterable,)), 1)


@rule(itertools.compress)
def compress_rule(data: Items, selectors: Any) -> tuple[Any, Back]:
    """`compress(xs, selectors)`."""
    return _without_fill(*_select(lambda places: itertools.compress(places, selectors), (data,)), 1)


@rule(itertools.islice)
def islice_rule(iterable: Items, *limits: Any) -> tuple[Any, Back]:
    """`islice(xs, start, stop, step)`: what is not reached is not taken."""
    source = source_of(iterable)
    # The places are told first: they do not consume the items.
    taken = list(itertools.islice(enumerate(iterable), *limits))
    places = [i for i, _ in taken]
    n = places[-1] + 1 if places else 0
    nothing = (None,) * len(limits)

    def islice_back(y_bar: Any) -> tuple[Any, ...]:
        return spread(source, scatter(n, places, y_bar)), *nothing

    return Materialised([x for _, x in taken]), islice_back


def _taken(source: Source, items: list[Any], kept: list[int]) -> tuple[Any, Back]:
    n = len(items)

    def taken_back(y_bar: Any) -> tuple[Any, ...]:
        return None, spread(source, scatter(n, kept, y_bar))

    return Materialised([items[i] for i in kept]), taken_back


@rule(itertools.takewhile)
def takewhile_rule(predicate: Any, iterable: Items) -> tuple[Any, Back]:
    """`takewhile(f, xs)`: no derivative flows through the test."""
    source = source_of(iterable)
    items = list(itertools.takewhile(predicate, iterable))
    return _taken(source, items, list(range(len(items))))


@rule(itertools.dropwhile)
def dropwhile_rule(predicate: Any, iterable: Items) -> tuple[Any, Back]:
    """`dropwhile(f, xs)`: no derivative flows through the test."""
    source, items = source_of(iterable), list(iterable)
    return _taken(source, items, list(itertools.dropwhile(lambda i: predicate(items[i]), range(len(items)))))


@rule(itertools.filterfalse)
def filterfalse_rule(predicate: Any, iterable: Items) -> tuple[Any, Back]:
    """`filterfalse(f, xs)`: no derivative flows through the test."""
    source, items = source_of(iterable), list(iterable)
    return _taken(source, items, [i for i, x in enumerate(items) if not (x if predicate is None else predicate(x))])


@rule(itertools.repeat)
def repeat_rule(object: Any, times: int) -> tuple[Any, Back]:
    """`repeat(x, n)`."""

    def repeat_back(y_bar: Any) -> tuple[Any, ...]:
        return add_bars(y_bar), None

    return Materialised([object] * times), repeat_back


@rule(itertools.tee)
def tee_rule(iterable: Items, n: int = 2) -> tuple[Any, Back]:
    """`tee(xs, n)`."""
    source = source_of(iterable)
    items = list(iterable)

    def tee_back(y_bar: Any) -> tuple[Any, ...]:
        return spread(source, add_bars(list(y_bar))), None

    return tuple(Materialised(items) for _ in range(n)), tee_back


@rule(itertools.starmap)
def starmap_rule(function: Any, iterable: Items) -> tuple[Any, Back]:
    """`starmap(f, rows)`."""
    source = source_of(iterable)
    kept = list(iterable)
    kinds, rows = [source_of(row) for row in kept], [tuple(row) for row in kept]
    results = [call_pullback(function, *row) for row in rows]
    backs = [back for _, back in results]

    def starmap_back(y_bar: Any) -> tuple[Any, ...]:
        rows_bar = [(None,) if bar is None else back(bar) for back, bar in zip(backs, y_bar, strict=True)]
        items_bar = [spread(kind, row[1:]) for kind, row in zip(kinds, rows_bar, strict=True)]
        return add_bars([row[0] for row in rows_bar]), spread(source, items_bar)

    return Materialised([y for y, _ in results]), starmap_back


@rule(itertools.accumulate)
def accumulate_rule(iterable: Items, func: Any = None, initial: Any = None) -> tuple[Any, Back]:
    """`accumulate(xs, f)`: y₀ = x₀, yᵢ = f(yᵢ₋₁, xᵢ)."""
    source = source_of(iterable)
    items = list(iterable)
    given = initial is not None
    ys = [initial] if given else items[:1]
    backs = []
    for x in items if given else items[1:]:
        y, back = call_pullback(operator.add if func is None else func, ys[-1], x)
        ys.append(y)
        backs.append(back)

    def accumulate_back(y_bar: Any) -> tuple[Any, ...]:
        if not y_bar:
            return spread(source, []), None, None
        total_bar, f_bar, bars = None, None, []
        for back, bar in zip(reversed(backs), reversed(y_bar[1:]), strict=True):
            total_bar = accumulate(total_bar, bar)
            one_bar, total_bar, x_bar = (None, None, None) if total_bar is None else back(total_bar)
            f_bar = accumulate(f_bar, one_bar)
            bars.append(x_bar)
        total_bar = accumulate(total_bar, y_bar[0])
        if given:
            return spread(source, bars[::-1]), f_bar, total_bar
        return spread(source, [total_bar, *bars[::-1]]), f_bar, None

    return Materialised(ys), accumulate_back
