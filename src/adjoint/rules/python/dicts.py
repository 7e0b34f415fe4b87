"""Dicts: a cotangent holds those keys for which something flows."""

from __future__ import annotations

import operator
from typing import Any

from ...ir import changes, intrinsics
from ..registry import Back, non_differentiable, rule
from .containers import add_bars, same_back
from .iteration import Items, source_of, spread


@rule(intrinsics.make_dict)
def make_dict_rule(*items: Any) -> tuple[Any, Back]:
    """`{k: v}`, from keys and values in turn; of equal keys the last counts."""
    keys = items[::2]
    last = {key: i for i, key in enumerate(keys)}

    def make_dict_back(y_bar: Any) -> tuple[Any, ...]:
        bars: list[Any] = []
        for i, key in enumerate(keys):
            bars = [*bars, None, y_bar.get(key) if last[key] == i else None]
        return tuple(bars)

    return intrinsics.make_dict(*items), make_dict_back


@rule(changes.updated)
def updated_rule(target: dict, *others: dict) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`target.update(other)`, as `{**target, **other}`."""
    _, back = merge_dicts_rule(target, *others)
    return changes.updated(target, *others), back


@rule(intrinsics.merge_dicts)
def merge_dicts_rule(*dicts: Any) -> tuple[Any, Back]:
    """`{**a, **b}`; of equal keys the last counts."""
    y = intrinsics.merge_dicts(*dicts)
    last = {key: i for i, d in enumerate(dicts) for key in d}
    keys = [[key for key in d if last[key] == i] for i, d in enumerate(dicts)]

    def merge_dicts_back(y_bar: Any) -> tuple[Any, ...]:
        return tuple([_entries(y_bar, own) for own in keys])

    return y, merge_dicts_back


def _entries(bars: Any, keys: Any) -> Any:
    """The cotangents under some keys, of those that there are."""
    return {key: bars[key] for key in keys if key in bars}


@rule(intrinsics.dict_from_items)
def dict_from_items_rule(keys: Any, values: Any) -> tuple[Any, Back]:
    """`{k: v for ...}`; of equal keys the last counts."""
    source = source_of(values)
    y = intrinsics.dict_from_items(keys, values)
    names = list(keys[: source.length])
    last = None if len(y) == len(names) else {key: i for i, key in enumerate(names)}

    def dict_from_items_back(y_bar: Any) -> tuple[Any, ...]:
        if last is None:
            return None, spread(source, [*map(y_bar.get, names)])
        return None, spread(source, [y_bar.get(key) if last[key] == i else None for i, key in enumerate(names)])

    return y, dict_from_items_back


@rule(dict)
def dict_rule(mapping: dict = {}, **items: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]  # noqa: B006
    """`dict(d, a=x)`: the cotangents of the keywords follow."""
    own = [key for key in mapping if key not in items]
    names = list(items)

    def dict_back(y_bar: Any) -> tuple[Any, ...]:
        return {key: y_bar[key] for key in own if key in y_bar}, *[y_bar.get(name) for name in names]

    return dict(mapping, **items), dict_back


@rule(dict)
def dict_of_pairs_rule(iterable: Items, **items: Any) -> tuple[Any, Back]:
    """`dict(pairs, a=x)`."""
    source = source_of(iterable)
    pairs = list(iterable)
    y = dict(pairs, **items)  # it says what is no pair
    last = {key: i for i, (key, _) in enumerate(pairs) if key not in items}
    keys = [key for key, _ in pairs]
    as_lists = [isinstance(pair, list) for pair in pairs]
    names = list(items)

    def dict_of_pairs_back(y_bar: Any) -> tuple[Any, ...]:
        bars = [y_bar.get(key) if last.get(key) == i else None for i, key in enumerate(keys)]
        of_pairs = [[None, bar] if as_list else (None, bar) for bar, as_list in zip(bars, as_lists, strict=True)]
        return spread(source, of_pairs), *[y_bar.get(name) for name in names]

    return y, dict_of_pairs_back


@rule(dict.fromkeys)
def fromkeys_rule(iterable: Any, value: Any = None) -> tuple[Any, Back]:
    """`dict.fromkeys(names, x)`: one value at all keys."""

    def fromkeys_back(y_bar: Any) -> tuple[Any, ...]:
        return None, add_bars(list(y_bar.values()))

    return dict.fromkeys(iterable, value), fromkeys_back


@rule(operator.getitem)
def getitem_dict_rule(a: dict, b: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`d[key]`."""

    def getitem_dict_back(y_bar: Any) -> tuple[Any, ...]:
        return {b: y_bar}, None

    return a[b], getitem_dict_back


@rule(dict.get)
def get_rule(self: dict, key: Any, *default: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`d.get(key)` and `d.get(key, default)`."""
    found, n = key in self, len(default)

    def get_back(y_bar: Any) -> tuple[Any, ...]:
        return ({key: y_bar}, None, None)[: 2 + n] if found else (None, None, y_bar)[: 2 + n]

    return self.get(key, *default), get_back


@rule(dict.values)
def values_rule(self: dict) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`d.values()`; the cotangent of a view is a list."""
    keys = list(self)

    def values_back(y_bar: Any) -> tuple[Any, ...]:
        return ({key: bar for key, bar in zip(keys, y_bar, strict=True) if bar is not None},)

    return self.values(), values_back


@rule(dict.items)
def items_rule(self: dict) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`d.items()`."""
    keys = list(self)

    def items_back(y_bar: Any) -> tuple[Any, ...]:
        return ({key: bar[1] for key, bar in zip(keys, y_bar, strict=True) if bar is not None},)

    return self.items(), items_back


@rule(dict.copy, linear="self")
def dict_copy_rule(self: dict) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`d.copy()`."""
    return self.copy(), same_back


@rule(intrinsics.mapping_rest)
def mapping_rest_rule(subject: dict, *keys: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """The items of a dict that `**rest` captures."""

    def mapping_rest_back(y_bar: Any) -> tuple[Any, ...]:
        return y_bar, *[None for _ in keys]

    return intrinsics.mapping_rest(subject, *keys), mapping_rest_back


@rule(operator.or_, linear="a+b")
def merge_rule(a: dict, b: dict) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`a | b`."""
    return merge_dicts_rule(a, b)


@rule(changes.stored)
def stored_in_dict_rule(target: dict, key: Any, value: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`d[key] = v`, as a function of the old dict: it loses what is at `key`."""

    def stored_in_dict_back(y_bar: Any) -> tuple[Any, ...]:
        return {k: bar for k, bar in y_bar.items() if k != key}, None, y_bar.get(key)

    return changes.stored(target, key, value), stored_in_dict_back


@rule(changes.deleted)
def deleted_from_dict_rule(target: dict, key: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`del d[key]`, as a function of the old dict."""

    def deleted_from_dict_back(y_bar: Any) -> tuple[Any, ...]:
        return y_bar, None

    return changes.deleted(target, key), deleted_from_dict_back


non_differentiable(dict.keys)
non_differentiable(intrinsics.is_sequence, intrinsics.is_mapping)
non_differentiable(dict.__contains__)
