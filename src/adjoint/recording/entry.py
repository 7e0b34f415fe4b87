"""The way in: `(y, back)` of a call that is recorded, with cotangents that have the structure of values."""

from __future__ import annotations

import threading
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import AdjointError
from ..rules.registry import non_differentiable
from ..tangents.structural import Tangent
from .aliases import put_back, still_apart, told_apart
from .lost import asked_of, begin_lost, end_lost
from .pause import begin_pause, end_pause
from .places import cells_of, deposit, place, template, withdraw
from .reached import begin_reaches, end_reaches
from .refusals import begin_refusals, end_refusals, noted_refusals
from .sweep import Sweep


class _Memo(threading.local):
    entries: dict[Any, Any] | None = None
    given: tuple[Any, ...] = ()
    depth: int = 0


_memo = _Memo()


def memo() -> dict[Any, Any]:
    """The private caches of this recording, by the function that is cached."""
    return {} if _memo.entries is None else _memo.entries


def depth() -> int:
    """How many recordings are running one in another."""
    return _memo.depth


def begin_memo(given: tuple[Any, ...]) -> Any:
    """Begin to remember anew, in a recording of a function with these arguments; gives what was remembered before."""
    outer = _memo.entries, _memo.given, _memo.depth
    _memo.entries, _memo.given, _memo.depth = {}, (*outer[1], given), outer[2] + 1
    return outer


def end_memo(outer: Any) -> None:
    """Go back to what was remembered before."""
    _memo.entries, _memo.given, _memo.depth = outer


def has_integers() -> bool:
    """Whether this recording, or one around it, was given integers, which may be differentiated."""
    return any(
        [
            isinstance(x, int | np.integer) and not isinstance(x, bool)
            for given in _memo.given
            for x in _leaves(given[1:])
        ]
    )


def is_shared(x: float) -> bool:
    """Whether a number may be several variables as one and the same object: it was given in a container."""
    held = [value for given in _memo.given for value in given if type(value) is not float]
    return any([leaf is x for leaf in _leaves(held)])


def _leaves(x: Any) -> Iterator[Any]:
    if isinstance(x, np.ndarray):
        x = x.reshape(-1)[:1].tolist()
    if isinstance(x, list | tuple):
        for item in x:
            yield from _leaves(item)
    elif isinstance(x, dict):
        yield from _leaves(list(x.values()))
    elif isinstance(x, Tangent):
        yield from _leaves([x[name] for name in x])
    elif type(x) is types.FunctionType:
        yield from _leaves([cell.cell_contents for cell in cells_of(x)[1] if type(cell.cell_contents) is float])
    else:
        yield x


def renewed(x: Any) -> Any:
    """The same number as an object of its own: whoever holds it holds the same variable."""
    return x + -0.0 if type(x) is float else x


non_differentiable(memo, begin_memo, end_memo, has_integers, depth, is_shared)


def recorded(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Any, tuple[Any, ...]]:
    """The value of `f(*args, **kwargs)`; its `back`, which gives the cotangents of `f`, the arguments and the keywords
    as they were before; and what these looked like then."""
    from .operations.calls import invoke
    from .operations.generators import end_open

    names = tuple(kwargs)
    values, views = told_apart(f, (*args, *kwargs.values()))
    originals = {id(v): x for x, v in zip((*args, *kwargs.values()), values, strict=True) if v is not x}
    values = tuple([renewed(x) for x in values])
    n = len(args)
    places = [place(x) for x in (*values, f)]
    before = tuple([template(x) for x in (f, *values)])
    steps: list[Any] = []
    outer, lost, refusals = begin_memo(before), begin_lost(), begin_refusals()
    reaches = begin_reaches()
    begin_pause()
    refused = False
    try:
        y, reverse = invoke(steps.append, 0, f, values[:n], dict(zip(names, values[n:], strict=True)))
    except AdjointError as error:
        refused, error.within = True, depth() > 1
        raise
    except Exception as error:
        if noted := noted_refusals():
            raise noted[0] from error  # the program has no error of its own
        raise
    finally:
        end_pause()
        end_memo(outer)
        swallowed = end_refusals(refusals)
        outside = end_lost(lost)
        end_reaches(reaches)
        if depth() == 0:
            end_open(refused)
    if swallowed:
        raise swallowed[0]
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
        if outside and sweep.lost is None:
            bars = [asked_of(x, outside, sweep) or bar for x, bar in zip(values, bars, strict=True)]
        return (f_bar, *bars)

    return y, back, before
