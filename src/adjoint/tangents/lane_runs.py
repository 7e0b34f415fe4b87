"""Runs with lanes: of tangents of any structure, all lanes together, or one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import CotangentError, calling_place
from .floats import is_of_floats
from .lanes import ONE_BY_ONE, Lanes, NoLanes, current
from .structural import Tangent, class_of, fields_of
from .tables import KINDS
from .tuples import tuple_like
from .unknown import Unknown


def lane_count() -> int | None:
    """The number of lanes of the program that is running; None where it has none."""
    return current.count


def lane_of_tangent(d: Any, i: int) -> Any:
    """One lane of a tangent of any structure."""
    if type(d) is Lanes:
        return d.data[i].copy() if d.ndim else d.data[i]
    return mapped(lambda item: lane_of_tangent(item, i), d)


def has_lanes(d: Any) -> bool:
    """Tell whether there are lanes anywhere in a structure."""
    return any(True for _ in _widths(d))


def mapped(f: Callable[[Any], Any], d: Any) -> Any:
    """A container with `f` of each of its items; anything else as it is."""
    if isinstance(d, tuple):
        items = [f(item) for item in d]
        return tuple_like(type(d), items)
    if isinstance(d, list):
        return [f(item) for item in d]
    if isinstance(d, dict):
        return {key: f(item) for key, item in d.items()}
    if type(d) is Tangent:
        return Tangent(class_of(d), {name: f(item) for name, item in fields_of(d).items()})
    return d


def joined_tangents(items: Sequence[Any]) -> Any:
    """Tangents of one structure as the lanes of one; None stands for zeros.

    >>> joined_tangents([(1.0, None), (2.0, None)])
    (Lanes(2 of (), float64), None)
    """
    first: Any = next((x for x in items if x is not None), None)
    if _is_numeric(first) and not (_is_count(first) and all([type(x) is int and x == first for x in items])):
        if any([x is not None and (not _is_numeric(x) or np.shape(x) != np.shape(first)) for x in items]):
            raise NoLanes
        return Lanes(np.stack([np.zeros_like(first) if x is None else x for x in items]))
    if isinstance(first, tuple | list):
        if any([x is not None and (type(x) is not type(first) or len(x) != len(first)) for x in items]):
            raise NoLanes
        columns = [joined_tangents([None if x is None else x[i] for x in items]) for i in range(len(first))]
        if isinstance(first, list):
            return columns
        return tuple_like(type(first), columns)
    if isinstance(first, dict | Tangent):
        if any([x is not None and type(x) is not type(first) for x in items]):
            raise NoLanes
        fields = [{} if x is None else fields_of(x) if isinstance(x, Tangent) else x for x in items]
        found = {key: joined_tangents([x.get(key) for x in fields]) for key in {key: None for x in fields for key in x}}
        return Tangent(class_of(first), found) if isinstance(first, Tangent) else found
    if type(first) is Unknown:
        return first
    if type(first) in KINDS or any([type(x) is not type(first) or x is not first and x != first for x in items]):
        raise NoLanes
    return first


def _is_count(x: Any) -> bool:
    return isinstance(x, int) and not isinstance(x, bool)


def _is_numeric(x: Any) -> bool:
    return isinstance(x, np.ndarray | float | complex | np.number) or _is_count(x)


def by_lane(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`, one lane after the other."""
    n = width((args, kwargs))
    if not n:
        raise NoLanes
    return joined_tangents([f(*lane_of_tangent(args, i), **lane_of_tangent(kwargs, i)) for i in range(n)])


ONE_BY_ONE.append(by_lane)


def width(d: Any) -> int | None:
    """The number of lanes in a structure; None if there are none.

    Raises
    ------
    CotangentError
        If some of it has more lanes than others.
    """
    found = {*_widths(d)}
    if len(found) > 1:
        raise CotangentError(
            f"seeds of the lengths {' and '.join(map(str, sorted(found)))} are given together",
            "the first of one goes with the first of the others",
            "give as many of each, or None for what stays",
            calling_place(),
        )
    return found.pop() if found else None


def _widths(d: Any) -> Iterator[int]:
    if type(d) is Lanes:
        yield len(d.data)
    elif isinstance(d, tuple | list | dict | Tangent) and not is_of_floats(d):
        items = fields_of(d) if type(d) is Tangent else d
        for item in items.values() if isinstance(items, dict) else items:
            yield from _widths(item)


def in_lanes(f: Callable[..., Any], /, *args: Any) -> Any:
    """`f(*args)`, a function that is linear in what has lanes: of all together if that can be, else one by one."""
    n = width(args)
    if n is None:
        return f(*args)
    if current.within:
        raise NoLanes  # those of the arguments are no seeds
    outer, current.count = current.count, n
    try:
        return f(*args)
    except (NoLanes, Exception) as error:  # noqa: B014 - what is wrong with a single lane is raised again below
        current.count, current.refused = None, error.with_traceback(None)
        found = [f(*lane_of_tangent(args, i)) for i in range(n)]
    finally:
        current.count = outer
    try:
        return joined_tangents(found)
    except NoLanes:
        if outer is not None:
            raise
        raise CotangentError(
            "what several seeds give differs in more than its numbers",
            "results of one structure and of one shape can be stacked",
            "give the seeds one after the other",
            calling_place(),
        ) from None


def alone(f: Callable[..., Any], /, *args: Any) -> Any:
    """`f(*args)`, none of which has lanes, in the midst of a program that has them."""
    outer, current.count = current.count, None
    try:
        return f(*args)
    finally:
        current.count = outer


def largest_of(f: Callable[..., Any], /, *args: Any) -> tuple[Any, int]:
    """`f(*args)`, and how many numbers the largest lanes had on the way."""
    outer, current.largest = current.largest, 0
    try:
        return f(*args), current.largest
    finally:
        current.largest = max(outer, current.largest)


def unlaned(d: Any, n: int | None) -> Any:
    """Tangents with `n` lanes as arrays with one more axis in front; what is the same in all lanes is repeated.

    >>> unlaned((Lanes(np.zeros(2)), 1.0), 2)
    (array([0., 0.]), array([1., 1.]))
    """
    if n is None:
        return d
    if type(d) is Lanes:
        return d.data.copy(order="C")
    if isinstance(d, np.ndarray | int | float | complex | np.generic) and not isinstance(d, bool | np.bool_):
        return np.repeat(np.asarray(d)[None], n, axis=0)
    return mapped(lambda item: unlaned(item, n), d)
