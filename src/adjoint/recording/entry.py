"""The way in: `(y, back)` of a call that is recorded, with cotangents that have the structure of values."""

from __future__ import annotations

import threading
from typing import Any

from ..rules.registry import non_differentiable
from .aliases import put_back, still_apart, told_apart
from .places import deposit, place, template, withdraw
from .sweep import Sweep


class _Memo(threading.local):
    entries: dict[Any, Any] | None = None


_memo = _Memo()


def memo() -> dict[Any, Any]:
    """What `lru_cache` would have remembered in this recording."""
    return {} if _memo.entries is None else _memo.entries


def begin_memo() -> Any:
    """Begin to remember anew; gives what was remembered before."""
    outer, _memo.entries = _memo.entries, {}
    return outer


def end_memo(outer: Any) -> None:
    """Go back to what was remembered before."""
    _memo.entries = outer


non_differentiable(memo, begin_memo, end_memo)


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
    outer = begin_memo()
    try:
        y, reverse = invoke(steps.append, 0, f, values[:n], dict(zip(names, values[n:], strict=True)))
    finally:
        end_memo(outer)
    originals = {id(v): x for x, v in zip((*args, *kwargs.values()), values, strict=True) if v is not x}
    y = put_back([y, *values], originals)[0] if originals else y
    at, apart = place(y), still_apart(views)

    def back(y_bar: Any, make: type[Sweep] = Sweep) -> tuple[Any, ...]:
        sweep = make(apart)
        d = reverse(sweep, deposit(sweep, at, y_bar))
        *bars, f_bar = [withdraw(sweep, p, bar) for p, bar in zip(places, (*d[1 : 1 + len(values)], None), strict=True)]
        return (f_bar, *bars)

    return y, back, before
