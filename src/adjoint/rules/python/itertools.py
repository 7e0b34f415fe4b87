"""The module `itertools`: iterators whose items are made when they are asked for."""

from __future__ import annotations

import itertools
import operator
import sys
from typing import Any

from ...ir import intrinsics
from ..knots import call_pullback
from ..registry import Back, rule
from .containers import add_bars
from .iteration import Items, Materialised, spread, stream_source, taken
from .lazy import accumulated, flattened, mapped, padded, pulled, select, select_tested, unaccumulated, unflattened


def _rearranged(picking: Any, iterables: Any, extra: int = 0) -> tuple[Any, Back]:
    """The rule of what only rearranges, with `extra` arguments after the iterables."""
    y, back = select(lambda pool, *places: picking(*places), iterables)
    return y, lambda y_bar: (*back(y_bar)[:-1], *(None,) * extra)


@rule(itertools.chain)
def chain_rule(*iterables: Items) -> tuple[Any, Back]:
    """`chain(xs, ys)`."""
    return _rearranged(itertools.chain, iterables)


@rule(itertools.chain.from_iterable)
def chain_from_iterable_rule(iterable: Items) -> tuple[Any, Back]:
    """`chain.from_iterable(rows)`."""
    rows, back = call_pullback(map, intrinsics.iterate, iterable)
    y, origins, _ = flattened(rows)

    def chain_from_iterable_back(y_bar: Any) -> tuple[Any, ...]:
        return (back(unflattened(origins, y_bar))[2],)

    return y, chain_from_iterable_back


@rule(itertools.pairwise)
def pairwise_rule(iterable: Items) -> tuple[Any, Back]:
    """`pairwise(xs)`."""
    return _rearranged(itertools.pairwise, (iterable,))


@rule(itertools.product)
def product_rule(*iterables: Items, repeat: int = 1) -> tuple[Any, Back]:
    """`product(xs, ys)`."""
    return _rearranged(lambda *places: itertools.product(*places, repeat=repeat), iterables)


@rule(itertools.combinations)
def combinations_rule(iterable: Items, r: int) -> tuple[Any, Back]:
    """`combinations(xs, r)`."""
    return _rearranged(lambda places: itertools.combinations(places, r), (iterable,), 1)


@rule(itertools.combinations_with_replacement)
def combinations_with_replacement_rule(iterable: Items, r: int) -> tuple[Any, Back]:
    """`combinations_with_replacement(xs, r)`."""
    return _rearranged(lambda places: itertools.combinations_with_replacement(places, r), (iterable,), 1)


@rule(itertools.permutations)
def permutations_rule(iterable: Items, r: int | None = None) -> tuple[Any, Back]:
    """`permutations(xs, r)`."""
    return _rearranged(lambda places: itertools.permutations(places, r), (iterable,), 1)


@rule(itertools.zip_longest)
def zip_longest_rule(*iterables: Items, fillvalue: Any = None) -> tuple[Any, Back]:
    """`zip_longest(xs, ys, fillvalue=v)`: the cotangent of the keyword follows."""
    return select(lambda pool, *places: itertools.zip_longest(*places, fillvalue=0), iterables, fillvalue)


if sys.version_info >= (3, 12):
    batched = itertools.batched

    @rule(batched)
    def batched_rule(iterable: Items, n: int, strict: bool = False) -> tuple[Any, Back]:
        """`batched(xs, n)`."""
        options = {"strict": True} if strict else {}
        return _rearranged(lambda places: batched(places, n, **options), (iterable,), 1)


@rule(itertools.compress)
def compress_rule(data: Items, selectors: Any) -> tuple[Any, Back]:
    """`compress(xs, selectors)`."""
    return _rearranged(lambda places: itertools.compress(places, selectors), (data,), 1)


@rule(itertools.cycle)
def cycle_rule(iterable: Items) -> tuple[Any, Back]:
    """`cycle(xs)`."""
    return _rearranged(itertools.cycle, (iterable,))


@rule(itertools.islice)
def islice_rule(iterable: Items, *limits: Any) -> tuple[Any, Back]:
    """`islice(xs, start, stop, step)`: what is not reached is not taken."""
    return _rearranged(lambda places: itertools.islice(places, *limits), (iterable,), len(limits))


@rule(itertools.takewhile)
def takewhile_rule(predicate: Any, iterable: Items) -> tuple[Any, Back]:
    """`takewhile(f, xs)`: no derivative flows through the test."""
    return select_tested(itertools.takewhile, predicate, iterable)


@rule(itertools.dropwhile)
def dropwhile_rule(predicate: Any, iterable: Items) -> tuple[Any, Back]:
    """`dropwhile(f, xs)`: no derivative flows through the test."""
    return select_tested(itertools.dropwhile, predicate, iterable)


@rule(itertools.filterfalse)
def filterfalse_rule(predicate: Any, iterable: Items) -> tuple[Any, Back]:
    """`filterfalse(f, xs)`: no derivative flows through the test."""
    return select_tested(itertools.filterfalse, predicate, iterable)


@rule(itertools.repeat)
def repeat_rule(object: Any, *times: Any) -> tuple[Any, Back]:
    """`repeat(x)` and `repeat(x, n)`."""
    nothing = (None,) * len(times)

    def repeat_back(y_bar: Any) -> tuple[Any, ...]:
        return add_bars(y_bar), *nothing

    return Materialised([], itertools.repeat(object, *times)), repeat_back


@rule(itertools.tee)
def tee_rule(iterable: Items, n: int = 2) -> tuple[Any, Back]:
    """`tee(xs, n)`."""
    itertools.tee((), n)  # it refuses a number below zero
    source = stream_source(iterable)
    items: list[Any] = []
    more = taken(iterable, source)

    def tee_back(y_bar: Any) -> tuple[Any, ...]:
        return spread(source, add_bars(list(y_bar))), None

    return tuple(Materialised(items, more) for _ in range(n)), tee_back


@rule(itertools.starmap)
def starmap_rule(function: Any, iterable: Items) -> tuple[Any, Back]:
    """`starmap(f, rows)`."""
    source = stream_source(iterable)
    made, backs = mapped(1, (), function, _starred, itertools.repeat(function), taken(iterable, source))

    def starmap_back(y_bar: Any) -> tuple[Any, ...]:
        rows = pulled(backs, padded(y_bar, len(backs)), 3)
        return add_bars([row[1] for row in rows]), spread(source, [row[2] for row in rows])

    return made, starmap_back


def _starred(function: Any, row: Any) -> Any:
    return function(*row)


@rule(itertools.accumulate)
def accumulate_rule(iterable: Items, func: Any = None, initial: Any = None) -> tuple[Any, Back]:
    """`accumulate(xs, f)`: y₀ = x₀, yᵢ = f(yᵢ₋₁, xᵢ)."""
    source = stream_source(iterable)
    function = operator.add if func is None else func
    made, backs = accumulated(1, function, initial, taken(iterable, source))
    given = initial is not None

    def accumulate_back(y_bar: Any) -> tuple[Any, ...]:
        n = len(backs)
        f_bar, first, bars = unaccumulated(backs, padded(y_bar, n + 1), [()] * n)
        return spread(source, bars if given or not y_bar else [first, *bars]), f_bar, first if given else None

    return made, accumulate_back
