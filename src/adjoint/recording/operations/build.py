"""Displays and comprehensions: tuples by value, lists, dicts and sets as new holders of what is put into them."""

from __future__ import annotations

from typing import Any

from ...errors import check_iterable, class_name
from ..given import note_made
from ..sweep import Sweep, is_valued
from .base import NOTHING, Record
from .iteration import materialised, tuple_given
from .merging import Merging
from .native import check_key, check_keys
from .streaming import check_size

MERGED = object()
"""Stands for a key where a whole mapping is merged in."""


def build_tuple(record: Record, k: int, *items: Any) -> tuple[Any, ...]:
    """`(a, b)`."""
    record((k, _tuple_back))
    return items


def _tuple_back(sweep: Sweep, y_bar: Any) -> Any:
    return NOTHING if y_bar is None else (None, *y_bar)


def packed(record: Record, k: int, stars: tuple[bool, ...], *values: Any) -> tuple[Any, ...]:
    """`(a, *b)`."""
    items: list[Any] = []
    parts: list[Any] = []
    for star, value in zip(stars, values, strict=True):
        if star and type(value) is tuple:
            parts.append((len(items), len(value), tuple_given))
            items += value
        elif star:
            check_iterable(value, "Value after * must be an iterable, not")
            check_size(value)
            found, back = materialised(record, k, value)
            parts.append((len(items), len(found), back))
            items += found
        else:
            parts.append((len(items), 1, None))
            items.append(value)

    def packed_back(sweep: Sweep, y_bar: Any) -> Any:
        bars: list[Any] = []
        for first, n, back in reversed(parts):
            if back is not None:
                bars.append(back(sweep, None if y_bar is None else y_bar[first : first + n])[1])
            else:
                bars.append(None if y_bar is None else y_bar[first])
        return (None, *reversed(bars))

    record((k, packed_back))
    return tuple(items)


def build_list(record: Record, k: int, *items: Any) -> list[Any]:
    """`[a, b]`."""
    y, n = list(items), len(items)

    def list_back(sweep: Sweep, y_bar: Any) -> Any:
        slots = sweep.take_slots(y)
        return NOTHING if not slots else (None, *[slots.get(i) for i in range(n)])

    record((k, list_back))
    return y


def list_of(record: Record, k: int, items: tuple[Any, ...]) -> list[Any]:
    """`[*items]` of a tuple."""
    y, n = list(items), len(items)

    def list_back(sweep: Sweep, y_bar: Any) -> Any:
        slots = sweep.take_slots(y)
        return NOTHING if not slots else (None, tuple([slots.get(i) for i in range(n)]))

    record((k, list_back))
    return y


def set_of(record: Record, k: int, items: tuple[Any, ...]) -> set[Any]:
    """`{*items}` of a tuple: of equal items the first stays."""
    check_keys(items)
    y = set(items)
    first: dict[Any, int] = {}
    for i, item in enumerate(items):
        first.setdefault(item, i)

    def set_back(sweep: Sweep, y_bar: Any) -> Any:
        slots = sweep.take_slots(y)
        if not slots:
            return NOTHING
        bars: list[Any] = [None] * len(items)
        for item, d in slots.items():
            bars[first[item]] = d
        return None, tuple(bars)

    record((k, set_back))
    return y


def build_dict(record: Record, k: int, *parts: Any) -> dict[Any, Any]:
    """`{key: value, **others}`, the operands being the values and the mappings."""
    keys, values = parts[::2], parts[1::2]
    if any(key is MERGED for key in keys):
        return _with_merged(record, k, keys, values)
    y: dict[Any, Any] = {}
    for key, value in zip(keys, values, strict=True):
        check_key(key)
        y[key] = value

    def dict_back(sweep: Sweep, y_bar: Any) -> Any:
        slots = sweep.take_slots(y)
        if not slots:
            return NOTHING
        bars = [slots.pop(key, None) for key in reversed(keys)]
        return (None, *reversed(bars))

    note_made(y)
    record((k, dict_back))
    return y


def build_keywords(record: Record, k: int, *parts: Any) -> dict[Any, Any]:
    """The keywords of a call with `**options`: none is given twice."""
    given: set[Any] = set()
    for key, value in zip(parts[::2], parts[1::2], strict=True):
        if key is MERGED and not hasattr(value, "keys"):
            raise TypeError(f"argument after ** must be a mapping, not {class_name(value)}")
        for name in (*value,) if type(value) is dict and key is MERGED else () if key is MERGED else (key,):
            if name in given:
                raise TypeError(f"got multiple values for keyword argument {name!r}")
            given.add(name)
    if all([type(value) is dict for key, value in zip(parts[::2], parts[1::2], strict=True) if key is MERGED]):
        return _of_dicts(record, k, parts)
    return build_dict(record, k, *parts)


def _of_dicts(record: Record, k: int, parts: tuple[Any, ...]) -> dict[Any, Any]:
    """A dict of items and of dicts that have no key in common with one another."""
    y: dict[Any, Any] = {}
    taken: list[Any] = []
    for key, value in zip(parts[::2], parts[1::2], strict=True):
        if key is MERGED:
            y.update(value)
            taken.append((value, (*value,)))
        else:
            y[key] = value
            taken.append((None, key))

    def keywords_back(sweep: Sweep, y_bar: Any) -> Any:
        slots = sweep.take_slots(y)
        if not slots:
            return NOTHING
        bars = []
        for source, names in taken:
            bars.append(slots.get(names) if source is None else None)
            for name in names if source is not None else ():
                sweep.add(source, name, slots.get(name))
        return (None, *bars)

    record((k, keywords_back))
    return y


def _with_merged(record: Record, k: int, keys: Any, values: Any) -> dict[Any, Any]:
    y: dict[Any, Any] = {}
    merging, n = Merging(y), len(values)

    def merged_back(sweep: Sweep, y_bar: Any) -> Any:
        return (None, *merging.give(sweep, n))

    merging.display(record, k, [None if key is MERGED else (key,) for key in keys], values, merged_back)
    note_made(y)
    record((k, merged_back))
    return y


# ---- comprehensions


def collected(record: Record, k: int, items: list[Any]) -> list[Any]:
    """The list of a comprehension; gives the cotangents of its items to the steps that made them."""
    n = len(items)
    if not any(map(is_valued, items)):
        record((k, lambda sweep: [None] * n))
        return items

    def items_of(sweep: Sweep) -> list[Any]:
        slots = sweep.take_slots(items)
        return [slots.get(i) for i in range(n)]

    record((k, items_of))
    return items


def collected_set(record: Record, k: int, items: list[Any]) -> set[Any]:
    """The set of a comprehension: of equal items the first stays."""
    check_keys(items)
    y: dict[Any, int] = {}
    for i, item in enumerate(items):
        y.setdefault(item, i)
    made, n = set(items), len(items)

    def items_of(sweep: Sweep) -> list[Any]:
        slots = sweep.take_slots(made)
        bars: list[Any] = [None] * n
        for item, d in slots.items():
            bars[y[item]] = d
        return bars

    record((k, items_of))
    return made


def collected_dict(record: Record, k: int, pairs: list[Any]) -> dict[Any, Any]:
    """The dict of a comprehension: of equal keys the last value stays."""
    check_keys([key for key, _ in pairs])
    made, last, n = dict(pairs), {key: i for i, (key, _) in enumerate(pairs)}, len(pairs)

    def items_of(sweep: Sweep) -> list[Any]:
        slots = sweep.take_slots(made)
        bars: list[Any] = [None] * n
        for key, d in slots.items():
            bars[last[key]] = d
        return bars

    note_made(made)
    record((k, items_of))
    return made
