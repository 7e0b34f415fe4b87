"""Functions through `lru_cache`: each remembered result has its derivative by the arguments of every call that is given
it, for equal numbers may be different variables."""

from __future__ import annotations

import functools
import types
import weakref
from typing import Any

import numpy as np

from ...errors import UnsupportedSyntaxError, calling_place
from ...origin import is_users
from ...rules.registry import non_differentiable
from ...tangents.structural import Tangent
from ...tangents.unknown import unknown
from ..cached import Cache
from ..given import depth, has_integers, is_shared, memo, renewed
from ..places import place, template
from ..sweep import Sweep, add, is_valued, scaled
from .base import NOTHING, Record, Result, does, handles, nothing, with_first
from .calls import invoke
from .native import check_keys

Args = tuple[Any, ...]
Kwargs = dict[str, Any]


SAME, OTHER = "same variables", "other variables"
WAITING = frozenset([SAME, OTHER])


class Entry:
    """A remembered result: what it was computed of, and its `back`. In a sweep, cotangents wait here for the call that
    computed it: those of calls with the same variables, and of others, which gave the arguments theirs already."""

    __slots__ = ("back", "given", "value")

    def __init__(self, value: Any, given: Args, back: Any) -> None:
        self.value = value
        self.given = given
        self.back = back


@does("cached")
def call_cached(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """Through `lru_cache`: with a private cache for each recording, for what others computed has no derivative here."""
    of_texts = all(map(_is_text, (*args, *kwargs.values()))) and _is_of_library(f)
    if of_texts and f in _OF_TEXTS:
        y = f(*args, **kwargs)  # as libraries remember what is installed
        if is_passive_result(y):
            return y, nothing
        _OF_TEXTS.discard(f)
    caches = memo()
    if id(f) not in caches:
        found = f.cache_parameters()
        caches[id(f)] = f, Cache(f.__wrapped__, found["maxsize"], found["typed"])  # who has an id must be kept
    y, back = _through(record, k, caches[id(f)][1], args, kwargs)
    if of_texts and is_passive_result(y):
        _OF_TEXTS.add(f)
    return y, back


def _is_text(x: Any) -> bool:
    return type(x) in _TEXTS or type(x) is tuple and all(map(_is_text, x))


_TEXTS = frozenset([str, bytes, bool, type(None)])
_OF_TEXTS: weakref.WeakSet[Any] = weakref.WeakSet()
"""Functions of libraries of which a call with texts has given what nothing can flow to."""


def _is_of_library(f: Any) -> bool:
    function = f.__wrapped__
    return type(function) is types.FunctionType and not is_users(function.__code__.co_filename)


@handles(Cache.__call__)
def _call_twin(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    y, back = _through(record, k, args[0], args[1:], kwargs)
    return y, with_first(back)


def _through(record: Record, k: int, cache: Any, args: Args, kwargs: Kwargs) -> Result:
    given = (*args, *kwargs.values())
    check_keys(given)
    key = cache.key(args, kwargs)
    entry = cache.found(key)
    if entry is not None:
        return _remembered(cache, entry, given)
    y, back = invoke(record, k, cache.__wrapped__, args, kwargs)
    made = cache.kept(key, Entry(y, given, back))
    if not is_valued(y):
        return y, back

    def first_back(sweep: Sweep, y_bar: Any) -> Any:
        own, other = add(y_bar, sweep.take(made, SAME)), sweep.take(made, OTHER)
        if other is None:
            return back(sweep, own)
        _, apart, by = _run_apart(sweep, made, other)
        waiting = sweep.add_scaled(apart, by, WAITING)  # what was first computed in there takes it there
        bars = back(sweep, own)
        sweep.add_scaled(apart, by, without=waiting)  # the arguments have been given theirs: this goes to places
        return bars

    return y, first_back


def _run_apart(sweep: Sweep, entry: Entry, y_bar: Any) -> tuple[Any, Sweep, Any]:
    """Results of the `back` of an entry in a sweep of its own: the cotangents of the arguments, the sweep, and by what
    both are still to be multiplied. Of a number they are found once: else the time would double with each level of a
    recursion."""
    if type(y_bar) is not float:
        apart = Sweep(sweep.apart, sweep.partials)
        return entry.back(apart, y_bar), apart, 1.0
    found = sweep.partials.get(id(entry))
    if found is None:
        apart = Sweep(sweep.apart, sweep.partials)
        found = sweep.partials[id(entry)] = entry.back(apart, 1.0), apart
    return (*found, y_bar)


def _remembered(cache: Any, entry: Any, given: Args) -> Result:
    """A result that was remembered, for these arguments."""
    y = renewed(entry.value)
    if _same(entry.given, given):
        if not is_valued(y):
            return y, nothing

        def same_back(sweep: Sweep, y_bar: Any) -> Any:
            sweep.add(entry, SAME, y_bar)
            return NOTHING

        return y, same_back
    if is_passive_result(y):
        return y, nothing
    known = all([place(x) is None or _same(a, x) for a, x in zip(entry.given, given, strict=True)])
    if place(y) is not None or not known or _in_another():
        raise _other_variables(cache.__wrapped__)

    pairs = zip(entry.given, given, strict=True)
    others = [i for i, (a, x) in enumerate(pairs, start=1) if _are_of_other_kinds(a, x)]

    def other_back(sweep: Sweep, y_bar: Any) -> Any:
        if y_bar is None:
            return NOTHING
        sweep.add(entry, OTHER, y_bar)
        bars, _, by = _run_apart(sweep, entry, y_bar)
        found = [scaled(d, by) for d in bars]
        for i in others:
            found[i] = unknown(*_of_another_kind(cache.__wrapped__))
        return tuple(found)

    return y, other_back


def is_passive_result(y: Any) -> bool:
    """Tell whether nothing can flow to a result."""
    return not is_valued(y) and place(y) is None


def _same(a: Any, b: Any) -> bool:
    """Tell whether equal arguments are certainly the same variables: what may be a number of its own is not."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return all([_same(x, y) for x, y in zip(a, b, strict=True)])
    if _are_of_other_kinds(a, b):
        return False
    if isinstance(a, int | float | complex | np.generic):
        return not _is_variable(a) or a is b and type(a) is float and not _is_shared(a)
    return a is b or not _holds_variables(template(b))


def _are_of_other_kinds(a: Any, b: Any) -> bool:
    """Tell whether `b`, which equals `a`, is another kind of number, and no integer: what was computed of the integer 2
    says nothing of how it changes with 2.0."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return any(map(_are_of_other_kinds, a, b))
    numbers = isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS)
    return numbers and not isinstance(b, int | np.integer) and np.asarray(a).dtype.kind != np.asarray(b).dtype.kind


_NUMBERS = (int, float, complex, np.number)


def _is_variable(x: Any) -> bool:
    """Tell whether a number may be differentiated: an integer is a label, unless this recording was given some."""
    if isinstance(x, int | np.integer):
        return not isinstance(x, bool) and has_integers()
    return is_valued(x)


def _is_shared(x: float) -> bool:
    return is_shared(x)


def _holds_variables(x: Any) -> bool:
    if isinstance(x, Tangent):
        return any([_holds_variables(x[name]) for name in x])
    if isinstance(x, dict):
        return any(map(_holds_variables, x.values()))
    if isinstance(x, list | tuple | set | frozenset):
        return any(map(_holds_variables, x))
    return isinstance(x, np.ndarray) or _is_variable(x)


def _in_another() -> bool:
    """Tell whether the recording is itself recorded: then the remembered `back` has a derivative, by the first
    arguments."""
    return depth() > 1


def _other_variables(function: Any) -> Exception:
    return UnsupportedSyntaxError(
        f"`{function.__name__}` is given equal numbers again, and its cache gives what it made of the first ones",
        "they may be other variables; in a derivative of a derivative, and where the result is an array, a list or an "
        "object, which of them a cotangent belongs to is not known",
        f"call the function itself, without its cache: `{function.__name__}.__wrapped__`",
        calling_place(),
    )


def _of_another_kind(function: Any) -> tuple[str, str, str]:
    return (
        f"a number that `{function.__name__}` remembers as one of another kind",
        "its cache holds equal numbers for the same, an integer and a float, and gives what it made of the first one",
        f"`lru_cache(typed=True)`, or call the function without its cache: `{function.__name__}.__wrapped__`",
    )


@handles(functools.wraps, functools.update_wrapper)
def _updated(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    return f(*args, **kwargs), nothing


# Whose arguments are the same is no part of what is computed.
non_differentiable(_same, is_passive_result, _in_another)

__all__ = ["call_cached"]
