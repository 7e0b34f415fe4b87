"""Functions of functions: `map`, `filter`, `functools` and the callables of `operator`."""

from __future__ import annotations

import functools
import operator
import types
import typing
from typing import Any

from ...errors import MutationError, calling_place
from ...tangents import accumulate, densify
from ..knots import call_pullback
from ..registry import Back, non_differentiable, rule
from .containers import MISSING, add_bars
from .iteration import Items, spread, stream_source, taken
from .lazy import mapped, padded, pulled, select_tested


@rule(map)
def map_rule(func: Any, *iterables: Items) -> tuple[Any, Back]:
    """`map(f, xs, ys)`."""
    sources = [stream_source(iterable) for iterable in iterables]
    streams = [taken(iterable, source) for iterable, source in zip(iterables, sources, strict=True)]
    made, backs = mapped(1, (), func, func, *streams)
    n = 1 + len(sources)

    def map_back(y_bar: Any) -> tuple[Any, ...]:
        rows = pulled(backs, padded(y_bar, len(backs)), n)
        columns = [spread(source, [row[i] for row in rows]) for i, source in enumerate(sources, start=1)]
        return add_bars([row[0] for row in rows]), *columns

    return made, map_back


@rule(filter)
def filter_rule(function: Any, iterable: Items) -> tuple[Any, Back]:
    """`filter(f, xs)`: no derivative flows through the test."""
    return select_tested(filter, function, iterable)


@rule(functools.reduce)
def reduce_rule(function: Any, iterable: Items, initial: Any = MISSING) -> tuple[Any, Back]:
    """`reduce(f, xs, start)`: y₀ = start, yᵢ = f(yᵢ₋₁, xᵢ)."""
    source = stream_source(iterable)
    given = initial is not MISSING
    total = initial
    backs = []
    for x in taken(iterable, source):
        if total is MISSING:
            total = x
        else:
            total, back = call_pullback(function, total, x)
            backs.append(back)
    if total is MISSING:
        functools.reduce(function, [])  # for its error

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
    """The wrapper itself, with the name and the docstring of what it wraps. An object that is no function keeps it."""
    if not isinstance(wrapper, types.FunctionType):
        raise MutationError(
            f"`functools.update_wrapper` stores what it wraps into a {type(wrapper).__name__}",
            "whoever else holds it would see the change, and its derivative cannot follow yet",
            "let the object do it in its own `__init__`",
            calling_place(),
        )

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
        return None, None if obj_bar is None else densify(obj_bar, obj)

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


non_differentiable(typing.get_type_hints)  # annotations that are text are evaluated
