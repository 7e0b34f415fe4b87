"""Where a derivative was lost in a recording: bytes, texts and objects of C code into which numbers have gone.

What is read from them later has no derivative that is known. It is refused, naming what the numbers went into, if a
cotangent ever flows to it.
"""

from __future__ import annotations

import threading
from typing import Any

from ..rules.registry import non_differentiable


class _Lost(threading.local):
    found: dict[Any, tuple[Any, Any]] | None = None


_lost = _Lost()


def begin_lost() -> Any:
    """Begin with nothing lost; gives what was lost before."""
    outer, _lost.found = _lost.found, {}
    return outer


def end_lost(outer: Any) -> None:
    """Go back to what was lost before."""
    _lost.found = outer


def _key(x: Any) -> Any:
    return (type(x), x) if isinstance(x, bytes | str) else id(x)


def note_lost(x: Any, function: Any) -> None:
    """Note that numbers have gone into `x` by a function."""
    empty = isinstance(x, bytes | str) and not x
    if _lost.found is not None and x is not None and not isinstance(x, bool) and not empty:
        _lost.found[_key(x)] = x, function  # who has an id must be kept


def lost_in(values: Any) -> Any:
    """The function by which numbers went into one of these values; None if there is none."""
    if not _lost.found:
        return None
    for x in values:
        known = _lost.found.get(_key(x))
        if known is not None:
            return known[1]
    return None


def is_any_lost() -> bool:
    """Whether numbers have gone anywhere at all from where nothing is known of them."""
    return bool(_lost.found)


non_differentiable(begin_lost, end_lost, note_lost, lost_in, is_any_lost)
