"""Lazy iterators, which make their items when asked for them: `map`, `chain`, `accumulate` and the like.

Each is the iterator of Python, over streams that note what is taken, and with a function that notes how each item was
made. The lists of what is noted grow as the items are asked for; when the reverse pass reads them, they are complete.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from types import FunctionType, MemberDescriptorType, MethodType
from typing import Any

import numpy as np

from ...cells import bound_value, held_by
from ...errors import UnsupportedSyntaxError, calling_place
from ...tangents import accumulate, apply_back, own_dict, own_slots
from ..knots import knot
from ..registry import Back, non_differentiable, rule
from .containers import add_bars
from .iteration import Materialised, Pick, Source, collect, scatter, source_of, spread, stream_source, taken


def padded(bars: Any, n: int) -> list[Any]:
    """Cotangents of `n` items, those at the end of which nothing was asked filled up.

    >>> padded([1.0], 2), padded(None, 1)
    ([1.0, None], [None])
    """
    return [None] * n if bars is None else list(bars[:n]) + [None] * (n - len(bars))


def pulled(backs: Any, bars: Any, n: int, k: int = 0) -> Any:
    """The result of each `back` for its cotangent, the last first: `n` cotangents, after those of `k` times
    `pullback`."""
    return [apply_back(back, bar, k + n)[k:] for back, bar in zip(backs[::-1], bars[::-1], strict=True)][::-1]


def nested(bar: Any, of_backs: Any) -> Any:
    """The cotangent of `((y, back), back)`."""
    if bar is None and all(d is None for d in of_backs):
        return None
    for d in of_backs:
        bar = (bar, d)
    return bar


def extras(parts: Any, n: int) -> Any:
    """The cotangents of the `back`s of each of `n` items, from those of the lists of them."""
    return [row[1:] for row in zip(range(n), *[padded(part, n) for part in parts], strict=True)]


def _noting(k: int, function: Any, watched: Any, end: Any = ()) -> tuple[Callable[..., Any], list[list[Any]]]:
    """`function` in its k-th form `((y, back), back)`, giving `y`; and the lists that the `back`s go to. Errors of the
    kinds `end` mean that there is nothing more.

    What is `watched` holds the variables that `function` reads. They must be bound to what they were: the `back`s run
    where the reverse pass comes to this place, and add to what a variable was bound to here.
    """
    lists: list[list[Any]] = [[] for _ in range(k)]
    call = function if k == 0 else functools.partial(knot(), *[knot()] * (k - 1), function)
    bound = [(cell, bound_value(cell, _UNBOUND)) for cell in captured_cells(watched)]

    def noting(*args: Any) -> Any:
        for cell, value in bound:
            if bound_value(cell, _UNBOUND) is not value:
                raise UnsupportedSyntaxError(
                    "an iterator calls a function that captures a variable which has been bound again",
                    "it is called when the items are asked for: which value it then sees is not followed",
                    "use a list comprehension, or give the new value a name of its own",
                    calling_place(),
                )
        try:
            y = call(*args)
        except end:
            raise StopIteration from None
        for backs in reversed(lists):
            y, back = y
            backs.append(back)
        return y

    return noting, lists


_UNBOUND = object()
_LEAVES = frozenset([int, float, complex, bool, str, bytes, type(None), np.ndarray, np.float64, range, type])


_OF_PYTHON = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class that a `class` statement made


def captured_cells(*values: Any) -> list[Any]:
    """The captured variables of all functions that these values are or hold."""
    found: list[Any] = []
    seen: dict[int, Any] = {}
    todo = list(values)
    while todo:
        x = todo.pop()
        cls = type(x)
        if cls in _LEAVES or id(x) in seen:
            continue
        seen[id(x)] = x
        if cls is FunctionType:
            cells = x.__closure__ or ()
            found += cells
            todo += held_by(x)
        elif cls is MethodType:
            todo += [x.__func__, x.__self__]
        elif isinstance(x, functools.partial):
            todo += [x.func, *x.args, *x.keywords.values()]
        elif isinstance(x, list | tuple | set | frozenset | dict):
            items = x.values() if isinstance(x, dict) else x
            if not _LEAVES.issuperset(map(type, items)):
                todo += items
        elif cls.__flags__ & _OF_PYTHON and not isinstance(x, type):
            todo += (own_dict(x) or {}).values()
            slots = [d for c in cls.__mro__ for d in vars(c).values() if isinstance(d, MemberDescriptorType)]
            todo += own_slots(x, [d.__name__ for d in slots]).values()
    return found


def mapped(k: int, end: Any, watched: Any, function: Any, *streams: Any) -> Any:
    """`map(function, *streams)`, and the `k` lists of `back`s of its items."""
    noting, lists = _noting(k, function, watched, end)
    return Materialised([], map(noting, *streams)), *lists


@rule(mapped)
def mapped_rule(k: int, end: Any, watched: Any, function: Any, *streams: Any) -> tuple[Any, Back]:
    """The derivative of the k-th form is the next one."""
    made = mapped(k + 1, end, watched, function, *streams)
    backs = made[-1]
    n = 1 + len(streams)

    def mapped_back(y_bar: Any) -> tuple[Any, ...]:
        m = len(backs)
        bars = [nested(d, ds) for d, ds in zip(padded(y_bar[0], m), extras(y_bar[1:], m), strict=True)]
        rows = pulled(backs, bars, n, k)
        return None, None, None, add_bars([row[0] for row in rows]), *[[row[i] for row in rows] for i in range(1, n)]

    return made[:-1], mapped_back


def accumulated(k: int, function: Any, initial: Any, stream: Any) -> Any:
    """`accumulate(stream, function, initial=initial)`, and the `k` lists of `back`s of all items but the first."""
    noting, lists = _noting(k, function, function)
    return Materialised([], itertools.accumulate(stream, noting, initial=initial)), *lists


def unaccumulated(backs: Any, bars: Any, of_backs: Any, k: int = 0) -> Any:
    """The cotangents of the function, of the first item, and of what was added to it."""
    total, f_bar, xs_bar = None, None, []
    for back, bar, ds in zip(backs[::-1], bars[:0:-1], of_backs[::-1], strict=True):
        one_bar, total, x_bar = apply_back(back, nested(accumulate(total, bar), ds), k + 3)[k:]
        f_bar = accumulate(f_bar, one_bar)
        xs_bar.append(x_bar)
    return f_bar, accumulate(total, bars[0]), xs_bar[::-1]


@rule(accumulated)
def accumulated_rule(k: int, function: Any, initial: Any, stream: Any) -> tuple[Any, Back]:
    """The derivative of the k-th form is the next one."""
    made = accumulated(k + 1, function, initial, stream)
    backs = made[-1]
    given = initial is not None

    def accumulated_back(y_bar: Any) -> tuple[Any, ...]:
        n = len(backs)
        f_bar, first, bars = unaccumulated(backs, padded(y_bar[0], n + 1), extras(y_bar[1:], n), k)
        return (None, f_bar, first, bars) if given else (None, f_bar, None, [first, *bars])

    return made[:-1], accumulated_back


def selected(make: Any, fill: Any, *streams: Any) -> Any:
    """A rearrangement of items: `make` does to the places of the items what is then done to the items.

    Place 0 has `fill`; the others are numbered as they are taken, `origins` says from which stream. `make` gets all
    items that were taken, too, for those that are tested.
    """
    pool, origins = [fill], [-1]
    picks: list[Pick] = []

    def numbered(j: int, stream: Any) -> Any:
        def number(x: Any) -> int:
            pool.append(x)
            origins.append(j)
            return len(origins) - 1

        return map(number, stream)

    def pick(p: Pick) -> Any:
        picks.append(p)
        return pool[p] if isinstance(p, int) else collect([p], pool)[0]

    places = [numbered(j, stream) for j, stream in enumerate(streams)]
    return Materialised([], map(pick, make(pool, *places))), picks, origins


def unselected(picks: Any, origins: Any, n: int, bars: Any) -> Any:
    """The cotangents of the filling and of what was taken from each of `n` streams."""
    flat = scatter(len(origins), picks[: len(bars)], bars)
    return flat[0], collect(by_origin(origins, n), flat)


def by_origin(origins: list[int], n: int | None = None) -> list[list[int]]:
    """The places that belong to each of `n` streams, or of as many as there were."""
    found: list[list[int]] = [[] for _ in range(max(origins, default=-1) + 1 if n is None else n)]
    for i, j in enumerate(origins):
        if j >= 0:
            found[j].append(i)
    return found


non_differentiable(by_origin)


@rule(selected)
def selected_rule(make: Any, fill: Any, *streams: Any) -> tuple[Any, Back]:
    """Only the items have a derivative."""
    y = selected(make, fill, *streams)
    _, picks, origins = y
    n = len(streams)

    def selected_back(y_bar: Any) -> tuple[Any, ...]:
        fill_bar, columns = unselected(picks, origins, n, padded(y_bar[0], len(picks)))
        return None, fill_bar, *columns

    return y, selected_back


def select(make: Any, iterables: Any, fill: Any = None) -> tuple[Any, Back]:
    """The rule of what only rearranges; the cotangent of the filling comes after those of the iterables."""
    sources = [stream_source(iterable) for iterable in iterables]
    streams = [taken(iterable, source) for iterable, source in zip(iterables, sources, strict=True)]
    made, picks, origins = selected(make, fill, *streams)
    n = len(sources)

    def select_back(y_bar: Any) -> tuple[Any, ...]:
        fill_bar, columns = unselected(picks, origins, n, y_bar)
        return *[spread(source, column) for source, column in zip(sources, columns, strict=True)], fill_bar

    return made, select_back


def select_tested(choose: Any, test: Any, iterable: Any) -> tuple[Any, Back]:
    """The rule of what chooses items by a test, through which no derivative flows."""

    def make(pool: Any, places: Any) -> Any:
        return choose(lambda i: pool[i] if test is None else test(pool[i]), places)

    y, back = select(make, (iterable,))
    return y, lambda y_bar: (None, back(y_bar)[0])


def flattened(rows: Any) -> Any:
    """The items of each row, row after row; which row each is from, and what the rows are."""
    origins: list[int] = []
    sources: list[Source] = []

    def noted(j: int, row: Any) -> Any:
        sources.append(source_of(row))

        def note(x: Any) -> Any:
            origins.append(j)
            return x

        return map(note, row)

    return Materialised([], itertools.chain.from_iterable(map(noted, itertools.count(), rows))), origins, sources


def unflattened(origins: Any, bars: Any) -> Any:
    """The cotangents of the items of each row."""
    return collect(by_origin(origins), padded(bars, len(origins)))


@rule(flattened)
def flattened_rule(rows: Any) -> tuple[Any, Back]:
    """Each row has a cotangent of its structure."""
    y = flattened(rows)
    _, origins, sources = y

    def flattened_back(y_bar: Any) -> tuple[Any, ...]:
        columns = unflattened(origins, y_bar[0])
        return ([spread(source, column) for source, column in zip(sources, columns, strict=False)],)

    return y, flattened_back
