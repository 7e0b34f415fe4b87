"""The way in: `(y, back)` of a call that is recorded, with cotangents that have the structure of values."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from ..rules.registry import non_differentiable
from ..tangents.structural import Tangent
from .aliases import put_back, still_apart, told_apart
from .lost import begin_lost, end_lost
from .pause import begin_pause, end_pause
from .places import deposit, place, template, withdraw
from .sweep import Sweep


class _Memo(threading.local):
    entries: dict[Any, Any] | None = None
    integers: bool = False
    depth: int = 0


_memo = _Memo()


def memo() -> dict[Any, Any]:
    """The private caches of this recording, by the function that is cached."""
    return {} if _memo.entries is None else _memo.entries


def has_integers() -> bool:
    """Whether this recording, or one around it, was given integers, which may be differentiated."""
    return _memo.integers


def depth() -> int:
    """How many recordings are running one in another."""
    return _memo.depth


def begin_memo(given: Any) -> Any:
    """Begin to remember anew, in a recording with these arguments; gives what was remembered before."""
    outer = _memo.entries, _memo.integers, _memo.depth
    _memo.entries, _memo.depth = {}, _memo.depth + 1
    _memo.integers = _memo.integers or _with_integers(given)
    return outer


def end_memo(outer: Any) -> None:
    """Go back to what was remembered before."""
    _memo.entries, _memo.integers, _memo.depth = outer


def _with_integers(x: Any) -> bool:
    if isinstance(x, np.ndarray | np.integer):
        return x.dtype.kind in "iu"
    if isinstance(x, list | tuple):
        return any(map(_with_integers, x))
    if isinstance(x, dict):
        return any(map(_with_integers, x.values()))
    if isinstance(x, Tangent):
        return any([_with_integers(x[name]) for name in x])
    return isinstance(x, int) and not isinstance(x, bool)


non_differentiable(memo, begin_memo, end_memo, has_integers, depth)


def recorded(f: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any, tuple[Any, ...]]:
    """The value of `f(*args, **kwargs)`; its `back`, which gives the cotangents of `f`, the arguments and the keywords
    as they were before; and what these looked like then."""
    from .operations.calls import invoke

    names = tuple(kwargs)
    values, views = told_apart(f, (*args, *kwargs.values()))
    n = len(args)
    places = [place(x) for x in (*values, f)]
    before = tuple([template(x) for x in (f, *values)])
    steps: list[Any] = []
    outer, lost = begin_memo(before[1:]), begin_lost()
    begin_pause()
    try:
        y, reverse = invoke(steps.append, 0, f, values[:n], dict(zip(names, values[n:], strict=True)))
    finally:
        end_pause()
        end_memo(outer)
        end_lost(lost)
    originals = {id(v): x for x, v in zip((*args, *kwargs.values()), values, strict=True) if v is not x}
    y = put_back([y, *values], originals)[0] if originals else y
    at, apart = place(y), still_apart(views)

    def back(y_bar: Any, make: type[Sweep] = Sweep) -> tuple[Any, ...]:
        sweep = make(apart)
        begin_pause()
        try:
            d = reverse(sweep, deposit(sweep, at, y_bar))
        finally:
            end_pause()
        *bars, f_bar = [withdraw(sweep, p, bar) for p, bar in zip(places, (*d[1 : 1 + len(values)], None), strict=True)]
        return (f_bar, *bars)

    return y, back, before
