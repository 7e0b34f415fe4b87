"""Handing cotangents to the user: complete, and sharing memory with nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np

from .structural import Tangent, class_of, fields_of
from .zeros import record_fields


def own(d: Any, taken: set[int]) -> Any:
    """`d`, with every array in it made its own: views, and arrays whose id is in `taken`, are copied.

    `taken` then holds the arrays of `d` too, so that no two cotangents share memory.

    >>> import numpy as np
    >>> y_bar = np.ones(2)
    >>> own(y_bar, {id(y_bar)}) is y_bar
    False
    """
    if isinstance(d, np.ndarray):
        if d.base is not None or id(d) in taken:
            d = d.copy()
        taken.add(id(d))
        return d
    if isinstance(d, tuple):
        items = [own(item, taken) for item in d]
        return type(d)(*items) if hasattr(d, "_fields") else tuple(items)
    if isinstance(d, list):
        return [own(item, taken) for item in d]
    if isinstance(d, dict):
        return {key: own(item, taken) for key, item in d.items()}
    if isinstance(d, Tangent):
        return Tangent(class_of(d), {name: own(item, taken) for name, item in fields_of(d).items()})
    return d


def arrays_of(x: Any) -> set[int]:
    """The ids of the arrays in a value: what a cotangent must not be."""
    if isinstance(x, np.ndarray):
        return {id(x)}
    if isinstance(x, tuple | list):
        return {i for item in x for i in arrays_of(item)}
    if isinstance(x, dict):
        return {i for item in x.values() for i in arrays_of(item)}
    if isinstance(x, int | float | str | type(None)):
        return set()
    return {i for item in (record_fields(x) or {}).values() if item is not x for i in arrays_of(item)}


def complete(d: Any, x: Any) -> Any:
    """The cotangent of a record with all its fields, None for those through which nothing flows."""
    if not isinstance(d, Tangent):
        return d
    fields = record_fields(x)
    if fields is None:
        return d
    known = fields_of(d)
    return Tangent(class_of(d), {name: complete(known.get(name), value) for name, value in fields.items()})
