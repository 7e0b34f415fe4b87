"""The parts of structured tangents, one after another: by these the blocks of a Jacobian are laid out."""

from __future__ import annotations

from typing import Any

import numpy as np

from .lanes import Lanes
from .structural import Tangent, class_of, fields_of
from .tables import kind_of, part
from .tuples import tuple_like


def parts(d: Any) -> list[Any]:
    """The numbers and arrays of a tangent that is complete, in order.

    >>> parts(({"a": 1.0, "b": [2.0, None]}, 3.0))
    [1.0, 2.0, 3.0]
    """
    if isinstance(d, np.ndarray | np.generic | int | float | complex):
        return [d]
    if isinstance(d, tuple | list):
        return [found for item in d for found in parts(item)]
    if isinstance(d, dict):
        return [found for item in d.values() for found in parts(item)]
    if isinstance(d, Tangent):
        return [found for item in fields_of(d).values() for found in parts(item)]
    return [] if d is None or kind_of(d) is None else [part(d)]


def arranged(like: Any, items: list[Any], first: int = 0) -> tuple[Any, int]:
    """The structure of the tangent `like` with `items` (from the `first` on) in place of its parts, and how many have
    been used up to there.

    >>> arranged({"a": 1.0, "b": [2.0, None]}, ["x", "y"])
    ({'a': 'x', 'b': ['y', None]}, 2)
    """
    if isinstance(like, np.ndarray | np.generic | int | float | complex):
        return items[first], first + 1
    if isinstance(like, tuple | list):
        found: list[Any] = []
        for inner in like:
            item, first = arranged(inner, items, first)
            found.append(item)
        if isinstance(like, list):
            return found, first
        return tuple_like(type(like), found), first
    if isinstance(like, dict | Tangent):
        named: dict[Any, Any] = {}
        for name, inner in (like if isinstance(like, dict) else fields_of(like)).items():
            item, first = arranged(inner, items, first)
            named[name] = item
        return (named if isinstance(like, dict) else Tangent(class_of(like), named)), first
    if like is not None and kind_of(like) is not None:  # an array stands for a labelled one
        return items[first], first + 1
    return None, first


def units(like: Any, which: int, start: int, stop: int) -> Any:
    """`unit` for some of the numbers of one part, in lanes.

    >>> units((0.0, np.zeros(3)), 1, 0, 2)
    (0.0, Lanes(2 of (3,), float64))
    """
    items = parts(like)
    zeros = np.asarray(items[which])
    items[which] = Lanes(np.eye(stop - start, zeros.size, start, zeros.dtype).reshape(stop - start, *zeros.shape))
    return arranged(like, items)[0]


def unit(like: Any, which: int, k: int) -> Any:
    """The tangent with the structure of the zeros `like` that is 1 at one number of one part.

    >>> unit((0.0, np.zeros(2)), 1, 0)
    (0.0, array([1., 0.]))
    """
    items = parts(like)
    zeros = items[which]
    if isinstance(zeros, np.ndarray):
        items[which] = np.zeros(zeros.shape, zeros.dtype)
        items[which].flat[k] = 1
    else:
        items[which] = type(zeros)(1)
    return arranged(like, items)[0]
