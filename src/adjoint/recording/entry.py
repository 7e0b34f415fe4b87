"""The way in: `(y, back)` of a call that is recorded, with cotangents that have the structure of values."""

from __future__ import annotations

import functools
import threading
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..depth import begin_room, end_room
from ..errors import AdjointError
from ..pause import begin_pause, end_pause
from ..rules.registry import non_differentiable
from ..tangents.fields import record_fields
from ..tangents.structural import Tangent
from .aliases import begin_originals, check_shared, end_originals, put_back, shared_holders, still_apart, told_apart
from .captures import cells_of
from .lost import LostData, asked_of, begin_lost, end_lost
from .own_tables import check_own_tables
from .places import LEAVES, deposit, place, template, withdraw
from .reached import begin_reaches, end_reaches
from .refusals import begin_refusals, end_refusals, noted_refusals
from .sweep import Sweep
from .unended import begin_open, end_open


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


def is_given(x: int) -> bool:
    """Whether an integer is one that the function was given, and there is nothing else to differentiate by."""
    leaves = [*_leaves(_memo.given[-1][1:])] if _memo.given else []
    return not any([isinstance(leaf, float | complex | np.inexact) for leaf in leaves]) and x in leaves


def is_shared(x: float) -> bool:
    """Whether a number may be several variables as one and the same object: it was given in a container."""
    held = [value for given in _memo.given for value in given if type(value) is not float]
    return any([leaf is x for leaf in _leaves(held)])


def _leaves(x: Any) -> Iterator[Any]:
    todo, seen = [x], set[int]()
    while todo:
        x = todo.pop()
        if type(x) in LEAVES or isinstance(x, np.generic):
            yield x
        elif id(x) not in seen:
            seen.add(id(x))
            todo += _parts(x)


def _parts(x: Any) -> list[Any]:
    if isinstance(x, np.ndarray):
        return [*x.reshape(-1)[:1].tolist()]
    if isinstance(x, list | tuple):
        return [*x]
    if isinstance(x, dict):
        return [*x.values()]
    if isinstance(x, Tangent):
        return [x[name] for name in x]
    if type(x) is types.FunctionType:
        return [cell.cell_contents for cell in cells_of(x)[1] if type(cell.cell_contents) is float]
    return [] if isinstance(x, type) else [*(record_fields(x) or {}).values()]


def renewed(x: Any) -> Any:
    """The same number as an object of its own: whoever holds it holds the same variable."""
    return x + -0.0 if type(x) is float else x


non_differentiable(memo, begin_memo, end_memo, has_integers, depth, is_given, is_shared, begin_pause, end_pause)
non_differentiable(begin_room, end_room)


def recorded(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Any, tuple[Any, ...]]:
    """The value of `f(*args, **kwargs)`; its `back`, which gives the cotangents of `f`, the arguments and the keywords
    as they were before; and what these looked like then."""
    return recorded_for(None, f, args, kwargs)


@functools.cache
def _invoke() -> Any:
    """What calls a function in a recording: operations record calls in their turn."""
    from .operations.calls import invoke

    return invoke


@functools.cache
def _stored_before() -> Any:
    """What tells which entries of dicts an earlier call has stored."""
    from .operations.entries import stored_before

    return stored_before


def recorded_for(needs: tuple[bool, ...] | None, f: Any, args: Any, kwargs: Any) -> tuple[Any, Any, tuple[Any, ...]]:
    """The same for some of the slots: the function first, then the arguments and the keywords. The others are looked
    through for what is a part of these as well."""
    invoke = _invoke()
    names = tuple(kwargs)
    values, views = told_apart(f, (*args, *kwargs.values()))
    told = [(v, x) for x, v in zip((*args, *kwargs.values()), values, strict=True) if v is not x]
    originals = {id(v): x for v, x in told}
    values = tuple([renewed(x) for x in values])
    n = len(args)
    asked = needs if needs is not None else (True,) * (1 + len(values))
    places = [place(x) if need else None for x, need in zip((f, *values), asked, strict=True)]
    others = [x for x, need in zip(values, asked[1:], strict=True) if not need]
    shared = shared_holders(places[1:], others)
    before = tuple([template(x) if need else x for x, need in zip((f, *values), asked, strict=True)])
    steps: list[Any] = []
    outer, lost, refusals = begin_memo(before), begin_lost(), begin_refusals()
    reaches, named, unended = begin_reaches(), begin_originals(told), begin_open()
    begin_pause()
    begin_room()
    refused, outcome = False, None
    try:
        y, reverse = invoke(steps.append, 0, f, values[:n], dict(zip(names, values[n:], strict=True)))
        check_own_tables()
        outcome = y, f, values
        data = LostData(y)
    except AdjointError as error:
        refused, error.within = True, depth() > 1
        raise
    except Exception as error:
        if noted := noted_refusals():
            raise noted[0] from error  # the program has no error of its own
        raise
    finally:
        end_room()
        end_pause()
        end_memo(outer)
        swallowed = end_refusals(refusals)
        outside = end_lost(lost)
        end_reaches(reaches)
        end_originals(named)
        too_late = end_open(unended, outcome, refused)
    if too_late is not None:
        swallowed.append(too_late)
    if swallowed:
        raise swallowed[0]
    at, apart = place(y), still_apart(views)  # where the views are, still
    tables = [x for x in values if isinstance(x, dict)]
    y = put_back([y, *values], originals)[0] if originals else y

    def back(y_bar: Any, make: type[Sweep] = Sweep) -> tuple[Any, ...]:
        sweep = make(apart)
        begin_pause()
        begin_room()
        try:
            if y_bar is OF_DATA:
                y_bar = None
                data.reach_hidden(sweep)
            elif data:
                y_bar = data.reach(sweep, y_bar, y)
            d = reverse(sweep, deposit(sweep, at, y_bar))
            if sweep.read and (found := _stored_before()(sweep, places, tables)):
                sweep = make(apart)
                sweep.stored_before = found
                d = reverse(sweep, deposit(sweep, at, y_bar))
        finally:
            end_room()
            end_pause()
        if make is Sweep:  # whoever explains looks at each place
            check_shared(shared, sweep)
        given = zip((*places[1:], places[0]), (*d[1 : 1 + len(values)], None), strict=True)  # those of `f` come last
        *bars, f_bar = [withdraw(sweep, p, bar) for p, bar in given]
        if outside and sweep.lost is None:
            bars = [asked_of(x, outside, sweep) or bar for x, bar in zip(values, bars, strict=True)]
        return (f_bar, *bars)

    if data:
        back.of_data = OF_DATA  # type: ignore[attr-defined]
    return y, back, before


OF_DATA = object()
"""The cotangent of all objects of libraries of data in a result: what went into them has none that is known."""
