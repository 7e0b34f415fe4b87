"""The sum of two cotangents. None is the cotangent through which nothing flows: it is neutral."""

from __future__ import annotations

import itertools
from collections import deque
from types import FunctionType
from typing import Any

import numpy as np

from .fields import _BESIDES, fields_besides, has_besides
from .held import own_dict
from .lanes import Lanes
from .structural import ADDED, Tangent, class_of, fields_of, new_tangent, owner_of
from .tables import CHANGED, KINDS, kind_of, total
from .tuples import tuple_like
from .unknown import Unknown, unknown_field


def accumulate(a: Any, b: Any) -> Any:
    """`a + b` for cotangents of any structure; neither is changed.

    Parameters
    ----------
    a, b : cotangents of one value, each a number, an array, a structure, a `Tangent` or None.

    Returns
    -------
    The sum, of the structure of both; the other one where one is None.

    Examples
    --------
    >>> accumulate(None, 2.0), accumulate((1.0, None), (2.0, 3.0))
    (2.0, (3.0, 3.0))
    """
    cls = type(a)
    if (cls is float or cls is np.ndarray) and type(b) is cls:
        return a + b
    if a is None:
        return b
    if b is None:
        return a
    if type(b) is Unknown:
        return b
    if cls is Tangent:
        return new_tangent(class_of(a), _sum_of_fields(fields_of(a), fields_of(b)))
    if isinstance(a, tuple):
        items = [x + y if type(x) is type(y) is float else accumulate(x, y) for x, y in zip(a, b, strict=True)]
        return tuple(items) if cls is tuple else tuple_like(cls, items)
    if isinstance(a, list):
        if isinstance(b, list):
            # Cotangents of one list before and after it grew: what is missing is zero.
            pairs = itertools.zip_longest(a, b)
            return [x + y if type(x) is type(y) is float else accumulate(x, y) for x, y in pairs]
        if isinstance(b, deque):
            return accumulate(a, [*b])
    elif cls is deque:
        return deque(accumulate([*a], [*b]))  # which `+` would put one behind the other
    elif isinstance(a, dict):
        return {
            **{key: accumulate(value, b.get(key)) for key, value in a.items()},
            **{key: value for key, value in b.items() if key not in a},
        }
    if cls in KINDS and type(b) in KINDS and not (cls is type(b) and KINDS[cls].agree(a, b)):
        return Unknown(*CHANGED)
    return a + b


def _sum_of_fields(a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
    """Fields of two cotangents of one record."""
    merged = {**a}
    for name, value in b.items():
        old = a.get(name)
        if old is None:
            merged[name] = value
        elif value is not None:
            merged[name] = old + value if type(old) is type(value) is float else accumulate(old, value)
    return merged


def scaled(d: Any, factor: Any) -> Any:
    """`factor * d` for a cotangent of any structure, which is not changed.

    >>> scaled((1.0, {"a": 2.0, "b": None}), 3.0)
    (3.0, {'a': 6.0, 'b': None})
    """
    if d is None:
        return None
    if type(d) is Tangent:
        return new_tangent(class_of(d), {name: scaled(bar, factor) for name, bar in fields_of(d).items()})
    if isinstance(d, tuple):
        return tuple_like(type(d), [scaled(bar, factor) for bar in d])
    if isinstance(d, list | deque):
        return [scaled(bar, factor) for bar in d]
    if isinstance(d, dict):
        return {key: scaled(bar, factor) for key, bar in d.items()}
    return factor * d


def dotted(a: Any, b: Any) -> Any:
    """Σ conj(aᵢ) bᵢ over the numbers of two cotangents of one form; None is zero.

    >>> dotted((1.0, {"a": 2.0, "b": None}), (3.0, {"a": 4.0, "b": 1.0}))
    11.0
    """
    if a is None or b is None:
        return 0.0
    if isinstance(a, tuple | list | deque):
        return sum([dotted(x, y) for x, y in zip(a, b, strict=True)], 0.0)
    if isinstance(a, dict):
        return sum([dotted(x, b[key]) for key, x in a.items() if key in b], 0.0)
    if isinstance(a, Tangent):
        return sum([dotted(a[name], b[name]) for name in a if name in b], 0.0)
    if (kind := kind_of(a)) is not None:
        return total(a * b, kind)
    return np.sum(np.conj(a) * b) if isinstance(a, np.ndarray | complex) else a * b


def instantiate_zeros(d: Any) -> Any:
    """`d`, or 0 if nothing flowed; 0 stands for a zero of any shape."""
    return 0.0 if d is None else d


def apply_back(back: Any, d: Any, n: int) -> tuple[Any, ...]:
    """`back(d)`, or `n` times nothing if nothing flowed (unless `back` also waits for what flows elsewhere)."""
    if d is None and not getattr(back, "always", False):
        return (None,) * n
    bars: tuple[Any, ...] = back(d)
    return bars


def slot(bars: Any, index: int) -> Any:
    """One of the cotangents that a rule gave; those of trailing defaults may be left off."""
    return bars[index] if index < len(bars) else None


def reversed_bars(d: Any, collected: list[Any]) -> Any:
    """The cotangents of the items of a collected list, the last round first."""
    if d is None:
        return [None] * len(collected)
    return d[::-1]


def spread(d: Any, like: Any) -> Any:
    """The cotangent of a list from that of the sum of its items."""
    return None if d is None else [d] * len(like)


def folded(d: Any, n: int) -> Any:
    """The cotangent of a list of `n` numbers from that of its repetitions.

    >>> folded([1.0, 2.0, None, 4.0], 2)
    [1.0, 6.0]
    """
    return None if d is None else [_total([bar for bar in d[i::n] if bar is not None]) for i in range(n)]


def _total(bars: list[Any]) -> Any:
    return sum(bars[1:], bars[0]) if bars else None


def unsorted(d: Any, items: list[Any]) -> Any:
    """The cotangent of a list from that of what `sorted` makes of it: equal items stay in their order.

    >>> unsorted([1.0, None, 3.0], [0.5, 0.1, 0.1])
    [3.0, 1.0, None]
    """
    if d is None:
        return None
    bars = [None] * len(items)
    for i, place in enumerate(sorted(range(len(items)), key=items.__getitem__)):
        bars[place] = d[i]
    return bars


def listed_bar(d: Any) -> Any:
    """The cotangent of a list from that of a tuple of its items.

    >>> listed_bar((1.0, None)), listed_bar(None)
    ([1.0, None], None)
    """
    return [*d] if isinstance(d, tuple) else d


def tupled_bar(d: Any) -> Any:
    """The cotangent of a tuple from that of a list of its items.

    >>> tupled_bar([1.0, None]), tupled_bar(None)
    ((1.0, None), None)
    """
    return tuple(d) if isinstance(d, list) else d


def cut_bar(d: Any, start: int, stop: int) -> Any:
    """The cotangents of some items of a tuple.

    >>> cut_bar((1.0, None, 3.0), 1, 3), cut_bar(None, 1, 3)
    ((None, 3.0), None)
    """
    return None if d is None else d[start:stop]


def sorted_beside(d: Any, items: list[Any]) -> Any:
    """The tangents of what `sorted` makes of a list, from those of the list.

    >>> sorted_beside([1.0, None, 3.0], [0.5, 0.1, 0.1])
    [None, 3.0, 1.0]
    """
    return None if d is None else [d[place] for place in sorted(range(len(items)), key=items.__getitem__)]


def shortened(d: Any, n: int) -> Any:
    """The first `n` items of the cotangent of a list that grew later."""
    return d[:n] if isinstance(d, list) and len(d) > n else d


def set_attribute_back(d: Any, name: str) -> tuple[Any, Any]:
    """The cotangents of `target` and `value`, from that of `target` after `target.name = value`."""
    if d is None or isinstance(d, Unknown):
        return d, d
    fields = dict(fields_of(d))
    value_bar = fields.pop(name, None)
    return Tangent(class_of(d), fields), value_bar


def field_bar(d: Any, name: str) -> Any:
    """The cotangent of one field, from that of the record (or of a captured value, from that of the function)."""
    if d is None:
        return None
    if isinstance(d, Tangent):
        return fields_of(d).get(name)
    if isinstance(d, dict):
        return d.get(name)
    fields = getattr(type(d), "_fields", ())  # of a named tuple, whose class may have a property of this name
    return d[fields.index(name)] if name in fields else getattr(d, name, None)


def item_bar(d: Any, key: Any) -> Any:
    """The cotangent of one item, from that of the container."""
    if d is None:
        return None
    return d.get(key) if isinstance(d, dict) else d[key]


def listed(d: Any, shape: tuple[int, ...]) -> Any:
    """The cotangent of the list that an array of this shape was made of, from that of the array.

    >>> listed(np.array([1.0, 2.0]), (2,)), listed(None, (2,))
    ([1.0, 2.0], [0.0, 0.0])
    """
    if type(d) is np.ndarray and d.shape == shape:
        return d.tolist()
    if type(d) is Lanes or type(d) is Unknown:
        return _parted(d, shape)
    return np.broadcast_to(instantiate_zeros(d), shape).tolist()


def _parted(d: Any, shape: tuple[int, ...]) -> Any:
    """The same, of what is no array."""
    if not shape:
        return d
    return [_parted(d if type(d) is Unknown else d[i], shape[1:]) for i in range(shape[0])]


def with_field(d: Any, name: str, value: Any, owner: Any) -> Any:
    """The tangent `d` of a record after something was stored into one of its fields."""
    known = fields_of(d) if isinstance(d, Tangent) else {}
    return Tangent(owner_of(owner), {**known, name: value})


def tangents(owners: list[Any], names: tuple[str, ...], *columns: Any) -> Any:
    """The cotangents of records from those of their fields: a list for each field, or None; None for a record to which
    nothing came.

    >>> from types import SimpleNamespace
    >>> tangents([SimpleNamespace(a=1.0, b=2.0)] * 2, ("a", "b"), [1.0, None], None)
    [Tangent(SimpleNamespace)(a=1.0, b=None), None]
    """
    if all([column is None for column in columns]):
        return None
    rows = itertools.zip_longest(*[() if column is None else column for column in columns])
    pairs = zip(owners, rows)  # noqa: B905 - a list may have grown since
    return [tangent(x, names, *row) if any([bar is not None for bar in row]) else None for x, row in pairs]


def tangent(owner: Any, names: tuple[str, ...] = (), /, *bars: Any, **fields: Any) -> Any:
    """The cotangent of a record or function with these fields, by their names or each as a keyword; of what holds more
    than fields it is not known."""
    if names:
        fields = dict(zip(names, bars))  # noqa: B905 - generated in step
    cls = type(owner)
    if cls is FunctionType or cls is Tangent:
        return new_tangent(owner_of(owner), fields)
    if _BESIDES.get(cls, True) is not False and has_besides(cls) is not False:
        if isinstance(owner, dict) and own_dict(owner) is owner:
            return fields
        if fields_besides(owner) and any([bar is not None for bar in fields.values()]):
            return unknown_field(cls, next(iter(fields)))
    return new_tangent(cls, fields)


ADDED.update(sum=accumulate, multiple=scaled)
