"""Checks that a user's rule leaves what it is given as it was.

Up to `LIMIT` entries of an array or a container are compared. Of larger ones all are compared at the first call of a
rule with such types, under `check=True` and in `adjoint.testing`; else `SAMPLES` of them, evenly spaced, so that a rule
costs the same however large its arguments are. (Read-only arrays would tell of each store, but Cython, Numba and C take
no such arrays, what a rule makes of them would stay read-only, and other threads may store.)
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ..tangents.fields import record_fields

LIMIT, SAMPLES = 4096, 256

_NUMBERS = frozenset([int, float, complex, bool, str, bytes, type(None)])
_BYTES = np.ndarray | bytearray
_STORED = (list, dict, set, deque)
_DEPTH = 4

_THOROUGH: ContextVar[bool] = ContextVar("thorough", default=False)
_COMPARED: WeakKeyDictionary[Callable[..., Any], set[Any]] = WeakKeyDictionary()
"""With which types, and when, all that a rule was given has been compared."""


class Content(NamedTuple):
    """An array or container, with what it holds; of more than `limit` entries, with some of them."""

    x: Any
    size: int
    held: Any
    limit: float


@contextmanager
def thorough() -> Iterator[None]:
    """Have all entries compared, at each call."""
    token = _THOROUGH.set(True)
    try:
        yield
    finally:
        _THOROUGH.reset(token)


def contents(call: Callable[..., Any], when: str, given: tuple[Any, ...]) -> list[Content]:
    """The arrays and containers in what a rule is given, with what they hold."""
    if _THOROUGH.get():
        return [*_contents(given, float("inf"), _DEPTH)]
    found = [*_contents(given, LIMIT, _DEPTH)]
    if any(_size(c.x) > LIMIT for c in found) and _is_first(call, (when, *_types(given))):
        return [*_contents(given, float("inf"), _DEPTH)]
    return found


def is_kept(content: Content) -> bool:
    """Tell whether an array or container holds what it held, as far as was noted.

    >>> x = [1.0, 2.0]
    >>> content = contents(abs, "", (x,))[0]
    >>> before = is_kept(content)
    >>> x.reverse()
    >>> before, is_kept(content)
    (True, False)
    """
    now, held = _held(content.x, content.limit), content.held
    if _size(content.x) != content.size:
        return False
    if isinstance(content.x, _BYTES):
        return bool(now == held)
    if isinstance(content.x, set):
        return {*map(id, now)} == {*map(id, held)}
    return len(now) == len(held) and all(a is b for a, b in zip(now, held, strict=True))


def _contents(x: Any, limit: float, depth: int) -> Iterator[Content]:
    if isinstance(x, _BYTES):
        if not (isinstance(x, np.ndarray) and x.dtype.hasobject):
            yield Content(x, _size(x), _held(x, limit), limit)
    elif depth and isinstance(x, (tuple, *_STORED)):
        held = _held(x, limit)
        if not isinstance(x, tuple):
            yield Content(x, _size(x), held, limit)
        for item in held:
            if type(item) not in _NUMBERS:
                yield from _contents(item, limit, depth - 1)
    elif depth and not callable(x) and (fields := record_fields(x)) is not None:
        yield from _contents(tuple(fields.values()), limit, depth - 1)


def _held(x: Any, limit: float) -> Any:
    """The contents of an object: its memory, or the items by which it is told from what it is changed to."""
    n = _size(x)
    step = 1 if n <= limit else -(-n // SAMPLES)
    if isinstance(x, np.ndarray):
        return x.tobytes() if step == 1 else _samples(x.view(np.ndarray).flat, step)
    if isinstance(x, bytearray):
        return bytes(x[::step])
    if isinstance(x, dict):
        return [part for item in (x.items() if step == 1 else _ends(x.items())) for part in item]
    if step == 1:
        return [*x]
    return [*x[::step], x[-1]] if isinstance(x, list | tuple) else _ends(x)


def _samples(entries: Any, step: int) -> bytes:
    return bytes(entries[::step].tobytes() + entries[-1].tobytes())


def _ends(x: Any) -> list[Any]:
    """The first items of what has no places, and the last where it can be run through from there."""
    last = itertools.islice(reversed(x), SAMPLES // 2) if hasattr(x, "__reversed__") else ()
    return [*itertools.islice(x, SAMPLES // 2), *last]


def _size(x: Any) -> int:
    return x.size if isinstance(x, np.ndarray) else len(x)


def _types(given: tuple[Any, ...]) -> Iterator[type]:
    for x in given:
        yield from map(type, x if isinstance(x, tuple) else x.values() if isinstance(x, dict) else (x,))


def _is_first(call: Callable[..., Any], types: tuple[Any, ...]) -> bool:
    """Tell whether a rule was not called with such types yet; it has been then."""
    try:
        seen = _COMPARED.setdefault(call, set())
    except TypeError:  # of a class that cannot be found again
        return True
    return not (types in seen or seen.add(types))  # type: ignore[func-returns-value]
