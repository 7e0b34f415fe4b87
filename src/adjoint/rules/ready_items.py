"""Items of lists and tuples, ready to be read again and again."""

from __future__ import annotations

from typing import Any

from .python.containers import getitem_rule
from .ready import Ready
from .rulesets import Method

_NOTHING = (None,) * 3


def ready_item(method: Method, classes: tuple[type, ...]) -> Ready | None:
    """Give what reads an item of a list or a tuple by its place; None for any other call."""
    if method.call is not getitem_rule or classes not in ((list, int), (tuple, int)):
        return None
    of_tuple = classes[0] is tuple

    def item(a: Any, b: int) -> tuple[Any, Any]:
        y, n = a[b], len(a)

        def item_back(y_bar: Any) -> tuple[Any, ...]:
            if y_bar is None:
                return _NOTHING
            bars = [None] * n
            bars[b] = y_bar
            return None, tuple(bars) if of_tuple else bars, None

        return y, item_back

    return item
