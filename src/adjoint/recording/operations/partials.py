"""`functools.partial`: made, and called."""

from __future__ import annotations

import functools
from typing import Any

from ..sweep import Sweep
from .base import NOTHING, Record, Result, adapting, does, handles, handles_methods, with_first
from .calls import invoke_as

Args = tuple[Any, ...]
Kwargs = dict[str, Any]


@does("partial")
def call_partial(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """A call of a partial function."""
    own, named = f.args, f.keywords
    n, names = len(own), tuple({**named, **kwargs})

    def of_partial(back: Any) -> Any:
        def reverse(sweep: Sweep, y_bar: Any) -> Any:
            d = back(sweep, y_bar)
            if any(bar is not None for bar in d[1 : 1 + n]):
                sweep.add(f, ".args", tuple(d[1 : 1 + n]))
            m = 1 + n + len(args)
            by_name = dict(zip(names, d[m:], strict=False))
            for name in named:
                if name not in kwargs:
                    sweep.add(named, name, by_name.get(name))
            return (d[0], *d[1 + n : m], *[by_name.get(name) for name in kwargs])

        return reverse

    return invoke_as(of_partial, record, k, f.func, (*own, *args), {**named, **kwargs})


@handles(functools.partial)
def _make_partial(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    make: Any = functools.partial
    y = make(*args, **kwargs)
    inner = args[0] if isinstance(args[0], functools.partial) and y.func is not args[0] else None
    before = len(y.args) - len(args) + 1

    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        bars = sweep.take(y, ".args")
        bars = NOTHING[: len(y.args)] if bars is None else bars
        if inner is not None:
            if before:
                sweep.add(inner, ".args", tuple(bars[:before]))
            for name in inner.keywords:
                if name not in kwargs:
                    sweep.add(inner.keywords, name, sweep.take(y.keywords, name))
        return (None, None, *bars[before:], *[sweep.take(y.keywords, name) for name in kwargs])

    return y, reverse


@handles_methods(functools.partial, "__call__")
def _partial_by_name(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """Call as `functools.partial.__call__` does: of a class of the user's, too, whose own `__call__` may call it."""
    adapted = adapting(record, with_first)
    y, back = call_partial(adapted, k, f, args, kwargs)
    return y, with_first(back)
