"""Lists of Python's floats, of which nothing is asked item by item."""

from __future__ import annotations

from typing import Any

_FLOAT = frozenset([float])


def is_of_floats(x: Any) -> bool:
    """Tell whether something is a list of floats, and nothing else.

    >>> is_of_floats([1.0, 2.0]), is_of_floats([1.0, 2]), is_of_floats([])
    (True, False, False)
    """
    return type(x) is list and _FLOAT.issuperset(map(type, x)) and bool(x)
