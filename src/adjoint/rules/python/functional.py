"""Functions of functions: `map`, `filter`, `functools` and the callables of `operator`."""

from __future__ import annotations

import functools
import operator
from typing import Any

from ...tangents import accumulate
from ..registry import Back, call_pullback, non_differentiable, rule
from .containers import MISSING, add_bars
from .iteration import Items, Materialised, check_apart, scatter, source_of, spread


@rule(map)
def map_rule(func: Any, *iterables: Items) -> tuple[Any, Back]:
    """`map(f, xs, ys)`."""
    check_apart(iterables)
    return _map(func, [source_of(iterable) for iterable in iterables], list(zip(*iterables, strict=False)))


def _map(func: Any, sources: list[Any], rows: list[Any]) -> tuple[Any, Back]:
    results = [call_pullback(func, *row) for row in rows]
    backs = [back for _, back in results]
    nothing = (None,) * (1 + len(sources))

    def map_back(y_bar: Any) -> tuple[Any, ...]:
        rows_bar = [nothing if bar is None else back(bar) for back, bar in zip(backs, y_bar, strict=True)]
        columns = [spread(source, [row[i] for row in rows_bar]) for i, source in enumerate(sources, start=1)]
        return add_bars([row[0] for row in rows_bar]), *columns

    return Materialised([y for y, _ in results]), map_back


@rule(filter)
def filter_rule(function: Any, iterable: Items) -> tuple[Any, Back]:
    """`filter(f, xs)`: no derivative flows through the test."""
    source = source_of(iterable)
    items = list(iterable)
    kept = [i for i, x in enumerate(items) if (x if function is None else function(x))]
    n = len(items)

    def filter_back(y_bar: Any) -> tuple[Any, ...]:
        return None, spread(source, scatter(n, kept, y_bar))

    return Materialised([items[i] for i in kept]), filter_back


@rule(functools.reduce)
def reduce_rule(function: Any, iterable: Items, initial: Any = MISSING) -> tuple[Any, Back]:
    """`reduce(f, xs, start)`: y₀ = start, yᵢ = f(yᵢ₋₁, xᵢ)."""
    source = source_of(iterable)
    items = list(iterable)
    given = initial is not MISSING
    if not items and not given:
        functools.reduce(function, items)  # for its error
    total = initial if given else items[0]
    backs = []
    for x in items if given else items[1:]:
        total, back = call_pullback(function, total, x)
        backs.append(back)

    def reduce_back(y_bar: Any) -> tuple[Any, ...]:
        total_bar, f_bar, bars = y_bar, None, []
        for back in reversed(backs):
            one_bar, total_bar, bar = (None, None, None) if total_bar is None else back(total_bar)
            f_bar = accumulate(f_bar, one_bar)
            bars.append(bar)
        if given:
            return f_bar, spread(source, bars[::-1]), total_bar
        return f_bar, spread(source, [total_bar, *bars[::-1]])

    return total, reduce_back


# Wrappers


@rule(functools.update_wrapper)
def update_wrapper_rule(wrapper: Any, *rest: Any, **options: Any) -> tuple[Any, Back]:
    """The wrapper itself, with the name and the docstring of what it wraps."""

    def update_wrapper_back(y_bar: Any) -> tuple[Any, ...]:
        return (y_bar,)

    return functools.update_wrapper(wrapper, *rest, **options), update_wrapper_back


# Its result takes names and docstrings from the function, nothing that carries a derivative.
non_differentiable(functools.wraps, functools.cmp_to_key)


# The callables of `operator`; what they were made from shows in how they are pickled


@rule(operator.itemgetter.__call__)
def itemgetter_rule(self: operator.itemgetter, obj: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`itemgetter(i, j)(xs)`."""
    return _get_all([(operator.getitem, key) for key in _made_from(self)], obj)


@rule(operator.attrgetter.__call__)
def attrgetter_rule(self: operator.attrgetter, obj: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`attrgetter("a", "b.c")(x)`."""
    return _get_all([(_get_path, name) for name in _made_from(self)], obj)


def _made_from(getter: Any) -> Any:
    return getter.__reduce__()[1]


def _get_path(obj: Any, path: str) -> Any:
    for name in path.split("."):
        obj = getattr(obj, name)
    return obj


def _get_all(getters: list[Any], obj: Any) -> tuple[Any, Back]:
    results = [call_pullback(get, obj, key) for get, key in getters]
    backs = [back for _, back in results]
    single = len(results) == 1

    def get_all_back(y_bar: Any) -> tuple[Any, ...]:
        obj_bar = None
        for back, bar in zip(backs, [y_bar] if single else y_bar, strict=True):
            if bar is not None:
                obj_bar = accumulate(obj_bar, back(bar)[1])
        return None, obj_bar

    return results[0][0] if single else tuple(y for y, _ in results), get_all_back


@rule(operator.methodcaller.__call__)
def methodcaller_rule(self: operator.methodcaller, obj: Any) -> tuple[Any, Back]:
    """`methodcaller("name", x)(obj)`: what the caller holds counts as constant."""
    method, args, keywords = _call_of(self, type(obj))
    y, back = call_pullback(method, obj, *args, **keywords)

    def methodcaller_back(y_bar: Any) -> tuple[Any, ...]:
        return None, back(y_bar)[1]

    return y, methodcaller_back


def _call_of(caller: Any, cls: type) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """The method that a `methodcaller` calls, and with what."""
    made, made_from = caller.__reduce__()
    whole = made is operator.methodcaller
    name, *args = made_from if whole else (*made.args, *made_from)
    return getattr(cls, name), tuple(args), {} if whole else made.keywords


non_differentiable(operator.itemgetter, operator.attrgetter, _made_from, _call_of)
