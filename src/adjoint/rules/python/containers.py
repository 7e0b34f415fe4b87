"""Lists, tuples, dicts and sets: construction, access, and the builtins that consume them."""

from __future__ import annotations

import bisect
import operator
from collections import deque
from typing import Any

import numpy as np

from ...errors import check_iterable, restate
from ...ir import changes, checks, intrinsics
from ...ir.runs import runs_of
from ...tangents import accumulate, check_numbers, set_item_back
from ..knots import call_pullback
from ..registry import Back, Numeric, non_differentiable, rule
from .iteration import ITERABLES, Items, place, scatter, source_of, spread

Sequential = list[Any] | tuple[Any, ...]
Text = str | bytes
MISSING: Any = object()


def same_back(y_bar: Any) -> tuple[Any, ...]:
    """The cotangent of the only argument, whose structure and items the result has."""
    return (y_bar,)


def add_bars(bars: list[Any]) -> Any:
    """Σ of cotangents.

    >>> add_bars([None, 1.0, 2.0])
    3.0
    """
    total = None
    for bar in bars:
        total = accumulate(total, bar)
    return total


# Construction


@rule(intrinsics.make_tuple)
def make_tuple_rule(*items: Any) -> tuple[Any, Back]:
    """`(a, b)`."""

    def make_tuple_back(y_bar: Any) -> tuple[Any, ...]:
        return tuple(y_bar)

    return items, make_tuple_back


@rule(intrinsics.make_list)
def make_list_rule(*items: Any) -> tuple[Any, Back]:
    """`[a, b]`."""

    def make_list_back(y_bar: Any) -> tuple[Any, ...]:
        return tuple(y_bar)

    return list(items), make_list_back


@rule(intrinsics.make_set)
def make_set_rule(*items: Any) -> tuple[Any, Back]:
    """`{a, b}`; the cotangent of a set is a dict, by item."""
    kept = _first_places(items)

    def make_set_back(y_bar: Any) -> tuple[Any, ...]:
        return tuple(y_bar.get(x) if i in kept else None for i, x in enumerate(items))

    return set(items), make_set_back


@rule(list)
def list_rule(iterable: Items = ()) -> tuple[Any, Back]:
    """`list(xs)`."""
    source = source_of(iterable)

    def list_back(y_bar: Any) -> tuple[Any, ...]:
        return (spread(source, y_bar),)

    return list(iterable), list_back


@rule(tuple)
def tuple_rule(iterable: Items = ()) -> tuple[Any, Back]:
    """`tuple(xs)`."""
    source = source_of(iterable)

    def tuple_back(y_bar: Any) -> tuple[Any, ...]:
        return (spread(source, list(y_bar)),)

    return tuple(iterable), tuple_back


@rule(set)
def set_rule(iterable: Items = ()) -> tuple[Any, Back]:
    """`set(xs)`."""
    return _set_of(set, iterable)


@rule(frozenset)
def frozenset_rule(iterable: Items = ()) -> tuple[Any, Back]:
    """`frozenset(xs)`."""
    return _set_of(frozenset, iterable)


def _set_of(cls: Any, iterable: Any) -> tuple[Any, Back]:
    source = source_of(iterable)
    items = list(iterable)
    kept = _first_places(items)

    def set_back(y_bar: Any) -> tuple[Any, ...]:
        return (spread(source, [y_bar.get(x) if i in kept else None for i, x in enumerate(items)]),)

    return cls(items), set_back


def _first_places(items: Any) -> set[int]:
    """Of equal items a set keeps the first."""
    places: dict[Any, int] = {}
    for i, x in enumerate(items):
        places.setdefault(x, i)
    return set(places.values())


non_differentiable(_first_places)


@rule(list.copy)
def list_copy_rule(self: list) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`xs.copy()`."""
    return self.copy(), same_back


# Access


@rule(operator.getitem)
def getitem_rule(a: list | tuple | deque, b: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`xs[i]` and `xs[i:j]`."""
    source, y = source_of(a), a[b]
    index = b if isinstance(b, slice) else operator.index(b)

    def getitem_back(y_bar: Any) -> tuple[Any, ...]:
        return place(source, index, y_bar), None

    return y, getitem_back


@rule(operator.getitem)
def getitem_text_rule(a: str | bytes | range, b: Any) -> tuple[Any, Back]:
    """`"text"[i]`."""

    def getitem_text_back(_: Any) -> tuple[Any, ...]:
        return None, None

    return a[b], getitem_text_back


@rule(intrinsics.unpack)
def unpack_rule(iterable: Items, before: int, after: int = -1) -> tuple[Any, Back]:
    """`a, *b, c = xs`."""
    source = source_of(iterable)
    y = intrinsics.unpack(iterable, before, after)
    starred = 0 if after < 0 else len(y[before])

    def unpack_back(y_bar: Any) -> tuple[Any, ...]:
        if after < 0:
            return spread(source, list(y_bar)), None
        middle = [None] * starred if y_bar[before] is None else y_bar[before]
        return spread(source, [*y_bar[:before], *middle, *y_bar[before + 1 :]]), None

    return y, unpack_back


@rule(changes.stored)
def stored_in_list_rule(target: list, key: Any, value: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`xs[i] = v`, as a function of the old list: it loses what is at `i`."""
    if not isinstance(key, slice):
        return _stored_item(target, key, value)
    before = len(target)
    places = range(before)[key]
    replaced = list(places)
    if not isinstance(value, ITERABLES):  # it has an `__iter__` of its own
        items, of_items = call_pullback(list, value)
        y, of_list = stored_in_list_rule(target, key, items)

        def stored_items_back(y_bar: Any) -> tuple[Any, ...]:
            target_bar, _, items_bar = of_list(y_bar)
            return target_bar, None, of_items(items_bar)[1]

        return y, stored_items_back
    source = source_of(value)
    y = changes.stored(target, key, value)
    grown = len(y) - before

    def stored_in_list_back(y_bar: Any) -> tuple[Any, ...]:
        if not grown:
            rest = [None if i in replaced else bar for i, bar in enumerate(y_bar)]
            return rest, None, spread(source, [y_bar[i] for i in replaced])
        start, n = places.start, len(replaced)
        rest = [*y_bar[:start], *[None] * n, *y_bar[start + n + grown :]]
        return rest, None, spread(source, y_bar[start : start + n + grown])

    return y, stored_in_list_back


def _stored_item(target: list[Any], key: Any, value: Any) -> tuple[Any, Back]:
    y = changes.stored(target, key, value)
    at = range(len(y))[key]
    return y, lambda y_bar: ([*y_bar[:at], None, *y_bar[at + 1 :]], None, y_bar[at])


@rule(changes.deleted)
def deleted_rule(target: list, key: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`del xs[i]`, as a function of the old list."""
    n, y = len(target), changes.deleted(target, key)
    deleted = range(n)[key]
    gone = {deleted} if isinstance(deleted, int) else set(deleted)
    kept = [i for i in range(n) if i not in gone]

    def deleted_back(y_bar: Any) -> tuple[Any, ...]:
        return scatter(n, kept, y_bar), None

    return y, deleted_back


@rule(changes.list_append)
def list_append_rule(items: list, item: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`xs.append(v)`, as a function of the old list."""

    def list_append_back(y_bar: Any) -> tuple[Any, ...]:
        return y_bar[:-1], y_bar[-1]

    return changes.list_append(items, item), list_append_back


# Concatenation and repetition


@rule(changes.stored)
def stored_rule(target: Any, key: Any, value: Any) -> tuple[Any, Back]:
    """The old value loses what is replaced; what becomes an integer passes nothing on."""
    kept = not isinstance(target, np.ndarray) or target.dtype.kind in "fc"

    if isinstance(target, np.ndarray):
        check_numbers(target.dtype)

    def stored_back(y_bar: Any) -> tuple[Any, ...]:
        target_bar, value_bar = set_item_back(y_bar, key, value)
        return target_bar, None, value_bar if kept else None

    return changes.stored(target, key, value), stored_back


@rule(changes.stored_unseen)
def stored_unseen_rule(target: Any, key: Any, value: Any, *sources: Any) -> tuple[Any, Back]:
    """As `stored`; nothing flows to what the target was made from, for it has flowed to the target."""
    changes.check_container(target, sources)
    y, back = call_pullback(changes.stored, target, key, value)
    return y, lambda y_bar: (*back(y_bar)[1:], *(None,) * len(sources))


@rule(changes.item_in_place)
def item_in_place_rule(operation: Any, container: Any, item: Any, value: Any) -> tuple[Any, Back]:
    """`container[i] op= value`, as a function of the old item."""
    changes.check_item(container, item)
    y, back = call_pullback(changes.in_place, operation, item, value)

    def item_in_place_back(y_bar: Any) -> tuple[Any, ...]:
        _, operation_bar, *bars = back(y_bar)
        return (operation_bar, None, *bars)

    return y, item_in_place_back


@rule(changes.in_place)
def in_place_rule(operation: Any, target: Any, value: Any, *sources: Any) -> tuple[Any, Back]:
    """`target op= value`, as a function of the old value: the derivative is that of `target op value`.

    What is neither a number nor an array says itself what the operation does.
    """
    nothing = (None,) * len(sources)
    changes.check_sources(target, sources)
    if not isinstance(target, Numeric):
        y, back = call_pullback(operation, target, value)
        return y, lambda y_bar: (*back(y_bar), *nothing)
    name = operation.__name__[1:]
    plain = getattr(operator, name, None) or getattr(operator, f"{name}_")
    y, back = call_pullback(plain, target, value)
    return _fitting(y, target), lambda y_bar: (*back(y_bar), *nothing)


def _fitting(y: Any, target: Any) -> Any:
    """The result of an operation as it stands in an array where it was done in place."""
    if not isinstance(target, np.ndarray):
        return y
    if y.shape != target.shape:
        raise ValueError(f"an in-place operation would change the shape {target.shape} to {y.shape}")
    y = np.asarray(y)  # without axes it is a number
    return y if y.dtype == target.dtype else y.astype(target.dtype, casting="same_kind")


@rule(changes.extended)
def extended_rule(target: list, items: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """One list after the other."""
    n = len(target)

    def extended_back(y_bar: Any) -> tuple[Any, ...]:
        return y_bar[:n], y_bar[n:]

    return [*target, *items], extended_back


@rule(operator.add, operator.concat, linear="a+b")
def concat_rule(a: Sequential, b: Sequential) -> tuple[Any, Back]:
    """`xs + ys`."""
    n, first, second = len(a), source_of(a), source_of(b)

    def concat_back(y_bar: Any) -> tuple[Any, ...]:
        return spread(first, y_bar[:n]), spread(second, y_bar[n:])

    return a + b, concat_back  # type: ignore[operator]


@rule(operator.iadd, operator.iconcat, linear="a+b")
def concat_tuples_rule(a: tuple, b: tuple) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`xs += ys`, for what cannot be changed in place."""
    return concat_rule(a, b)


@rule(operator.mul)
def repeat_rule(a: Sequential, b: int) -> tuple[Any, Back]:
    """`xs * n`."""
    n, source = len(a), source_of(a)
    y = a * b

    def repeat_back(y_bar: Any) -> tuple[Any, ...]:
        return spread(source, scatter(n, [i % n for i in range(len(y_bar))], y_bar)), None

    return y, repeat_back


@rule(operator.mul)
def repeated_rule(a: int, b: Sequential) -> tuple[Any, Back]:
    """`n * xs`."""
    y, back = repeat_rule(b, a)

    def repeated_back(y_bar: Any) -> tuple[Any, ...]:
        return None, back(y_bar)[0]

    return y, repeated_back


@rule(operator.add, operator.iadd, operator.concat, operator.iconcat)
def concat_text_rule(a: Text, b: Text) -> tuple[Any, Back]:
    """`"a" + "b"`."""

    def concat_text_back(_: Any) -> tuple[Any, ...]:
        return None, None

    return a + b, concat_text_back  # type: ignore[operator]


@rule(operator.mul, operator.imul)
def repeat_text_rule(a: Text, b: int) -> tuple[Any, Back]:
    """`"-" * n`."""

    def repeat_text_back(_: Any) -> tuple[Any, ...]:
        return None, None

    return a * b, repeat_text_back


non_differentiable(len, operator.length_hint, operator.countOf, operator.indexOf, range, slice)
non_differentiable(intrinsics.argmax, intrinsics.argmin)
non_differentiable(operator.contains, intrinsics.not_contains, any, all)
non_differentiable(list.index, list.count, tuple.index, tuple.count, bisect.bisect_left, bisect.bisect_right)
non_differentiable(intrinsics.format_value, intrinsics.fstring, changes.check_none)
non_differentiable(intrinsics.observe, intrinsics.expect, intrinsics.check, checks.check_lengths)
non_differentiable(checks.check_given, checks.check_several, checks.check_unpacks)
non_differentiable(check_iterable, restate, runs_of)
