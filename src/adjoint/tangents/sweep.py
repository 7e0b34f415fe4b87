"""What one run of a pullback keeps beside its values: the cotangents of shared variables, and of cached results.

A variable that is rebound after an inner function captured it is a location, not a value; its cotangent lives here
while the reverse pass runs. Forward, a sweep holds what `lru_cache` would have remembered: a private cache, forgotten
with it.
"""

from __future__ import annotations

import threading
from typing import Any

from .accumulate import accumulate


class _Current(threading.local):
    bars: dict[int, tuple[Any, Any]] | None = None
    memo: dict[Any, Any] | None = None


_current = _Current()


def in_sweep(f: Any, *args: Any) -> Any:
    """`f(*args)` as one outermost run of a pullback."""
    outer, _current.bars = _current.bars, {}
    try:
        return f(*args)
    finally:
        _current.bars = outer


def in_pass(f: Any, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)` as one outermost forward run."""
    outer, _current.memo = _current.memo, {}
    try:
        return f(*args, **kwargs)
    finally:
        _current.memo = outer


def memo() -> dict[Any, Any]:
    """The private cache of the running forward pass."""
    if _current.memo is None:
        return {}
    return _current.memo


def add_at_location(location: Any, d: Any) -> None:
    """Add `d` to the cotangent of a location."""
    if d is not None:
        bars = _bars()
        old = bars.get(id(location))
        bars[id(location)] = (location, d if old is None else accumulate(old[1], d))


def take_at_location(location: Any) -> Any:
    """The cotangent of a location, which is zero afterwards."""
    found = _bars().pop(id(location), None)
    return None if found is None else found[1]


def _bars() -> dict[int, tuple[Any, Any]]:
    if _current.bars is None:
        raise RuntimeError("a generated pullback with shared variables ran outside of `adjoint.pullback`")
    return _current.bars
