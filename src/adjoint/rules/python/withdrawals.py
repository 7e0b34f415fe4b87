"""The reverses of stores, so that they can be differentiated again: each takes a cotangent out of another one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ir.changes import written
from ...tangents import Tangent, append_back, set_attribute_back, set_item_back, unbroadcast
from ...tangents.structural import class_of, fields_of
from ..registry import Back, rule
from .cotangents import rebroadcast


@rule(append_back)
def append_back_rule(d: Any, place: Any = None) -> tuple[Any, Back]:
    """Both halves of the list together again."""
    n = 0 if d is None else len(d) - 1 if place is None else place

    def append_back_back(y_bar: Any) -> tuple[Any, ...]:
        if d is None:
            return (None,)
        items_bar, item_bar_bar = y_bar
        rest = list(items_bar or ())[:n]
        return ([*rest, *[None] * (n - len(rest)), item_bar_bar],)

    return append_back(d, place), append_back_back


@rule(set_item_back)
def set_item_back_rule(d: Any, index: Any, like: Any) -> tuple[Any, Back]:
    """Pass what was taken from the slot back into it; what replaced it (nothing) is constant."""
    n = len(d) if isinstance(d, list) else 0
    if isinstance(d, np.number | float | complex):
        d = np.asarray(d)  # of an array without axes

    def set_item_back_back(y_bar: Any) -> tuple[Any, ...]:
        if d is None:
            return None, None, None
        rest_bar, value_bar = y_bar
        if isinstance(d, np.ndarray):
            kept = np.zeros_like(d) if rest_bar is None else rest_bar
            return with_item(kept, index, 0 if value_bar is None else rebroadcast(value_bar, d[index])), None, None
        if isinstance(d, dict):
            rest = {} if rest_bar is None else rest_bar
            return {**{key: bar for key, bar in rest.items() if key != index}, index: value_bar}, None, None
        rest_items = [None] * n if rest_bar is None else rest_bar
        place_ = range(n)[index]
        return [value_bar if i == place_ else bar for i, bar in enumerate(rest_items)], None, None

    return set_item_back(d, index, like), set_item_back_back


def with_item(x: Any, index: Any, value: Any) -> Any:
    """A copy of the array `x` in which `value` is at `index`.

    >>> import numpy as np
    >>> with_item(np.zeros(3), 1, 2.0)
    array([0., 2., 0.])
    """
    copied = np.array(x)
    copied[index] = value
    return copied


@rule(with_item)
def with_item_rule(x: Any, index: Any, value: Any) -> tuple[Any, Back]:
    """x̄ is ȳ without the item, and the item's cotangent is that of the value."""

    def with_item_back(y_bar: Any) -> tuple[Any, ...]:
        return with_item(y_bar, index, 0), None, unbroadcast(y_bar[index], value)

    return with_item(x, index, value), with_item_back


@rule(set_attribute_back)
def set_attribute_back_rule(d: Any, name: str) -> tuple[Any, Back]:
    """The fields together again."""

    def set_attribute_back_back(y_bar: Any) -> tuple[Any, ...]:
        if d is None:
            return None, None
        rest_bar, value_bar = y_bar
        rest = {} if rest_bar is None else fields_of(rest_bar)
        return Tangent(class_of(d), {**rest, name: value_bar}), None

    return set_attribute_back(d, name), set_attribute_back_back


@rule(written, returns="like")
def written_rule(y: Any, *stores: Any) -> tuple[Any, Back]:
    """The result, and what is left in the arguments: nothing flows back from there."""
    return written(y, *stores), lambda y_bar: (y_bar, *(None for _ in stores))
