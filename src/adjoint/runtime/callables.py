"""Callables that are neither plain functions nor have rules: methods, classes, partial functions, callable objects."""

from __future__ import annotations

import collections
import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..classify import classify, descriptor_of, kind_of
from ..errors import MutationError, UnsupportedSyntaxError, calling_place
from ..ops.questions import mutators
from ..origin import own_name
from ..rules import knots
from ..rules.found_by import is_by_identity
from ..rules.python.objects import replace_in_tuple, tuple_as_dict
from ..rules.registry import Back, find_rules, non_differentiable
from ..tangents import accumulate, add_at_location, field_bar, take_at_location, tangent, zeros_like
from ..tangents.sweep import Awaited, in_noted_sweep, memo, restore, set_aside, take_aside
from ..wrappers import called_by
from .construct import constructor_of
from .dispatch import call_pullback, needing
from .operators import call_operator
from .spec import CALLERS, OPERATORS
from .targets import BY_CODE, HANDLED, find_target, special


def handler_of(f: Any, labels: bool = False) -> Any:
    """The handler of such a callable, `handler(f, *args, **kwargs) -> (y, back)`; None if nothing is known of it. With
    `labels`, no argument is differentiated."""
    kind = kind_of(f)
    if (handler := _HANDLERS.get(kind)) is not None:
        return handler
    if kind == "class":
        return call_operator if f in OPERATORS else constructor_of(f)
    c = classify(f)
    if kind == "cached" and c.callee is not None:
        return cached_by_labels if labels else cached
    if kind == "builtin" and c.args:
        return _method
    if is_by_identity(f) and f in OPERATORS:
        return call_operator
    if kind == "object" and not c.args:
        return _passing
    call = getattr(type(f), "__call__", None)  # noqa: B004 - the method itself is wanted
    known = kind != "ufunc" and find_rules(call) is not None
    return _object if known or isinstance(call, types.FunctionType) else None


knots.tie(handler=handler_of)


def function_behind(method: Any) -> Any:
    """Function that a bound method calls with its object first."""
    owner, name = method.__self__, own_name(method)
    made_there = _of_named_tuples(method)
    if made_there and name == "_replace" and not _of_named_tuples(type(owner)._make):
        owner, name = type(owner), "_make"  # which it calls
    if name == "_make" and isinstance(owner, type) and hasattr(owner, "_fields"):
        raise UnsupportedSyntaxError(
            f"`{owner.__name__}._make`",
            "how it makes the tuple is not written in Python",
            f"call the class: `{owner.__name__}(*values)`",
            calling_place(),
        )
    if type(method) is types.MethodType:
        return _OF_NAMED_TUPLES.get(name, method.__func__) if made_there else method.__func__
    if isinstance(owner, (list, dict, set)) and name in mutators():
        raise MutationError(
            f"`.{name}(...)` changes a {type(owner).__name__} in place that others can see",
            "what others can see must not change while the derivative is taken",
            "build a new one instead",
            calling_place(),
        )
    return descriptor_of(method)


def _of_named_tuples(method: Any) -> bool:
    """Tell whether a method was written by `namedtuple`."""
    return getattr(getattr(method, "__func__", None), "__globals__", None) is vars(collections)


def called_plainly(f: Any) -> Any:
    """Callee to which a static method by itself passes a call on to, or an object whose `__call__` is one."""
    return classify(f).callee


_OF_NAMED_TUPLES = {"_replace": replace_in_tuple, "_asdict": tuple_as_dict}

non_differentiable(function_behind, called_plainly)


@functools.cache
def _methods(needs: tuple[bool, ...] | None) -> Callable[..., tuple[Any, Back]]:
    """The handler of bound methods, of which these cotangents are needed."""
    pullback = call_pullback if needs is None else needing((False, *needs))

    def method(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
        y, back = pullback(function_behind(f), f.__self__, *args, **kwargs)

        def method_back(y_bar: Any) -> tuple[Any, ...]:
            _, self_bar, *bars = back(y_bar)
            return (None if self_bar is None else tangent(f, ("__self__",), self_bar), *bars)

        return y, method_back

    return method


_method = _methods(None)
"""A bound method, of the user's class or of a builtin one: `model.predict`, `x.sum`."""


def _object(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    y, back = call_pullback(type(f).__call__, f, *args, **kwargs)
    return y, lambda y_bar: back(y_bar)[1:]


def _passing(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    y, back = call_pullback(called_plainly(f), *args, **kwargs)
    return y, back if type(f) is staticmethod else lambda y_bar: (None, *back(y_bar)[1:])


@special(functools.partial)
def make_partial(f: Any, func: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """`functools.partial(...)`: its cotangent has the fields `func`, `args` and `keywords`."""
    y = functools.partial(func, *args, **kwargs)
    nested = y.func is not func  # a partial of a partial may become one
    n, names = len(y.args), tuple(kwargs)
    before = n - len(args)

    def make_partial_back(y_bar: Any) -> tuple[Any, ...]:
        func_bar = field_bar(y_bar, "func")
        own = field_bar(y_bar, "args") or (None,) * n
        keywords = field_bar(y_bar, "keywords") or {}
        if nested:
            rest = {k: v for k, v in keywords.items() if k not in names}
            func_bar = tangent(func, ("func", "args", "keywords"), func_bar, own[:before], rest)
        return (None, func_bar, *own[before:], *[keywords.get(k) for k in names])

    return y, make_partial_back


def _partial(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    keywords = {**f.keywords, **kwargs}
    stored = f.args
    y, back = call_pullback(f.func, *stored, *args, **keywords)
    n, m = len(stored), len(stored) + len(args)
    own, given = tuple(k for k in f.keywords if k not in kwargs), tuple(kwargs)
    names = tuple(keywords)

    def partial_back(y_bar: Any) -> tuple[Any, ...]:
        func_bar, *bars = back(y_bar)
        by_name = dict(zip(names, bars[m:], strict=True))
        kept = {k: by_name[k] for k in own}
        f_bar = tangent(f, ("func", "args", "keywords"), func_bar, tuple(bars[:n]), kept)
        return (f_bar, *bars[n:m], *[by_name[k] for k in given])

    return y, partial_back


_HANDLERS: dict[str, Any] = {"partial": _partial, "bound": _method, "method": _method, "static": _passing}

HANDLED.update({types.MethodType: _methods, functools.partial: lambda needs: _partial})


def cached(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """Through `lru_cache`, where integers may be differentiated, too."""
    return _cached(f, args, kwargs, str | None)


def cached_by_labels(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """Through `lru_cache`, where no argument is differentiated."""
    return _cached(f, args, kwargs, int | str | None)


@functools.cache
def _through_cache(needs: Any) -> Any:
    """The handler of functions through `lru_cache`, where these slots are differentiated."""
    return cached if needs is None or any(needs[1:]) else cached_by_labels


HANDLED[functools._lru_cache_wrapper] = _through_cache


def _cached(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], labels: Any) -> tuple[Any, Back]:
    """Through `lru_cache`: a private cache for this pass. Or the derivative of that, `f` being a pullback and the first
    argument what is cached: a cache of derivatives.

    Equal numbers may be different variables, so that each hit runs the `back` of the entry for its own arguments. Where
    what flows can only go to the variables of a closure, a hit adds its cotangent to the entry instead, whose `back`
    runs once, where the result was first computed. The first call decides which of both its hits do.
    """
    order, wrapper = _unwrap(f, args)
    values, wrapped = args[order:], wrapper.__wrapped__
    typed = tuple(map(type, values)) if wrapper.cache_parameters()["typed"] else ()
    key = (id(wrapper), order, values, tuple(kwargs.items()), typed)
    entries = memo()
    entry = entries.get(key)
    n = 1 + len(args) + len(kwargs)
    if entry is None and called_by(wrapper) is None:  # it hides what it calls
        target, given, _ = find_target(f, args, kwargs)
        return target(*given)  # type: ignore[no-any-return]
    inner = (wrapped, *values) if order == 0 else (f, *args[: order - 1], wrapped, *values)
    if entry is None and not _is_shared(wrapped, (*values, *kwargs.values()), labels):
        y, back = call_pullback(*inner, **kwargs)
        entry = entries[key] = _Entry(y, wrapper, back)
        return y, _first(entry, n) if getattr(wrapped, "__closure__", None) else _by_units(entry)
    if entry is not None and entry.back is not None:
        entry.is_hit = True
        return entry.value, _again(entry) if getattr(wrapped, "__closure__", None) else _by_units(entry)
    if entry is not None:
        if not _is_shared(wrapped, (*values, *kwargs.values()), labels):
            raise _no_label(wrapped)
        location = entry

        def hit_back(y_bar: Any) -> tuple[Any, ...]:
            add_at_location(location, y_bar)
            return (None,) * n

        return entry.value, hit_back
    pull = needing((True, *(False,) * (n - 1))) if order == 0 else call_pullback  # by labels within it, too
    y, back = pull(*inner, **kwargs)
    made = entries[key] = _Entry(y, wrapper)

    def first_back(y_bar: Any) -> tuple[Any, ...]:
        total = accumulate(y_bar, take_at_location(made))
        if total is None:  # results that were first computed in here may be waiting for theirs
            total = zeros_like(y)
        return (None,) * n if total is None else back(total)

    first_back.always = True  # type: ignore[attr-defined]
    return y, first_back


def _by_units(entry: _Entry) -> Back:
    """The `back` of a call whose result is remembered, for arguments of its own. It is linear: of a number that has
    been asked for again it runs once, for one, or a recursion would run it as often as if nothing were remembered."""
    if type(entry.value) is not float or getattr(entry.back, "always", False):
        return entry.back  # type: ignore[no-any-return]

    def back(y_bar: Any) -> tuple[Any, ...]:
        if type(y_bar) is float and entry.is_hit:
            if entry.units is None:
                units, located = in_noted_sweep(entry.back, 1.0)
                plain = not located and all([type(unit) in _SCALED for unit in units])
                entry.units = units if plain else ()  # what goes to locations goes there each time
            if entry.units:
                return tuple([None if unit is None else unit * y_bar for unit in entry.units])
        return entry.back(y_bar)  # type: ignore[no-any-return]

    return back


_SCALED = (float, np.float64, np.ndarray, type(None))


def _first(entry: _Entry, n: int) -> Back:
    """The `back` of a call whose result is remembered, with what later calls left for the variables it captured."""

    def first_back(y_bar: Any) -> tuple[Any, ...]:
        waiting, others = take_aside(entry)
        restore(waiting)
        if y_bar is None:  # results that were first computed in here may be waiting for theirs
            y_bar = zeros_like(entry.value)
        bars: tuple[Any, ...] = (None,) * n if y_bar is None else entry.back(y_bar)
        restore(others)
        return bars

    first_back.always = True  # type: ignore[attr-defined]
    return first_back


def _again(entry: _Entry) -> Back:
    """The `back` of a call that is given what was remembered: the variables that the function captured were read by the
    first call, and may have been bound anew since."""
    return lambda y_bar: set_aside(entry, entry.back, y_bar)


def _no_label(function: Any) -> Exception:
    return UnsupportedSyntaxError(
        f"`{function.__name__}` is given a number that was a label where its cache remembered the result",
        "how the result changes with that number was not asked for then",
        "call it first with the variable, or call the function without its cache",
        calling_place(),
    )


def _unwrap(f: Any, args: tuple[Any, ...]) -> tuple[int, Any]:
    """Number of times that a cached function is differentiated in `f(*args)`, and the function."""
    order = 0
    while f in CALLERS:
        f = args[order]
        order += 1
    return order, f


def _is_shared(function: Any, args: tuple[Any, ...], labels: Any) -> bool:
    """Tell whether a cached function has variables of its own, and labels for arguments."""
    return bool(getattr(function, "__closure__", None)) and all(isinstance(x, labels) for x in args)


class _Entry(Awaited):
    def __init__(self, value: Any, function: Any, back: Any = None) -> None:
        self.value = value
        self.function = function  # its id is in the key
        self.back = back
        self.is_hit = False
        self.units: tuple[Any, ...] | None = None
        """The cotangents of the arguments where that of the result is one; none where the `back` runs each time."""


@special(functools._lru_cache_wrapper)
def make_cached(f: Any, function: Any, /, *args: Any) -> tuple[Any, Back]:
    """A function through `lru_cache`, made here: its cotangent is that of the function."""
    y: Any = functools._lru_cache_wrapper(function, *args)  # type: ignore[call-arg]
    return y, lambda y_bar: (None, y_bar, *(None,) * len(args))


def decorate(f: Any, function: Any, /) -> tuple[Any, Back]:
    """`decorator(f)`, of the decorator that `lru_cache(maxsize=...)` gives."""
    return f(function), lambda y_bar: (None, y_bar)


BY_CODE[id(functools.lru_cache(None).__code__)] = decorate


@special(functools.lru_cache)
@special(functools.cache)
def cache(f: Any, function: Any = 128, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """`lru_cache(f)`, or the decorator that `lru_cache(maxsize=...)` gives."""
    y = functools.lru_cache(function, *args, **kwargs)
    return y, lambda y_bar: (None, y_bar, *(None,) * (len(args) + len(kwargs)))
