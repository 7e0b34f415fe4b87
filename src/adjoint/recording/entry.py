"""The way in: `(y, back)` of a call that is recorded, with cotangents that have the structure of values."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ..depth import begin_room, end_room
from ..errors import AdjointError
from ..pause import begin_pause, end_pause
from ..rules.registry import non_differentiable
from ..runtime.implicit_calls import is_written
from .aliases import (
    begin_originals,
    check_shared,
    end_originals,
    keep_flags,
    put_back,
    put_back_in,
    shared_holders,
    still_apart,
    told_apart,
)
from .answers import check_answers
from .cuts import begin_cuts, check_cuts, end_cuts
from .given import begin_memo, depth, end_memo, renewed
from .held_aliases import NONE_APART, held_apart
from .lost import LostData, asked_of, begin_lost, end_lost
from .operations.calls import invoke
from .operations.entries import stored_before
from .own_tables import check_own_tables, missed
from .places import gather_cotangent, place, scatter_cotangent, template
from .reached import begin_reaches, begin_stored, end_reaches, end_stored
from .refusals import begin_refusals, end_refusals, noted_refusals
from .sweep import Sweep
from .unended import begin_open, end_open

non_differentiable(begin_pause, end_pause)
non_differentiable(begin_room, end_room)


def _is_users(f: Any) -> bool:
    function = getattr(f, "__func__", f)
    return type(function) is FunctionType and is_written(function)


def recorded(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Any, tuple[Any, ...]]:
    """The value of `f(*args, **kwargs)`; its `back`, which gives the cotangents of `f`, the arguments and the keywords
    as they were before; and what these looked like then."""
    return recorded_for(None, f, args, kwargs)


def recorded_for(needs: tuple[bool, ...] | None, f: Any, args: Any, kwargs: Any) -> tuple[Any, Any, tuple[Any, ...]]:
    """The same for some of the slots: the function first, then the arguments and the keywords. The others are looked
    through for what is a part of these as well."""
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
    parted = held_apart(places[1:], others, shared) if shared else NONE_APART
    if parted.told:
        told += parted.told
        views += parted.views
        originals |= {id(v): x for v, x in parted.told}
        places = [place(x) if need else None for x, need in zip((f, *values), asked, strict=True)]
    steps: list[Any] = []
    stores = begin_stored(bool(told) and depth() == 0 and _is_users(f))
    outer, lost, refusals = begin_memo(before), begin_lost(), begin_refusals()
    reaches, named, unended, cuts = begin_reaches(), begin_originals(told), begin_open(), begin_cuts()
    begin_pause()
    begin_room()
    refused, outcome = False, None
    try:
        y, reverse = invoke(steps.append, 0, f, values[:n], dict(zip(names, values[n:], strict=True)))
        check_own_tables()
        check_answers()
        check_cuts()
        outcome = y, f, values
        data = LostData(y)
    except AdjointError as error:
        refused, error.within = True, depth() > 1
        raise
    except Exception as error:
        if noted := noted_refusals():
            raise noted[0] from error  # the program has no error of its own
        if (lacking := missed(error)) is not None:
            refused, lacking.within = True, depth() > 1
            raise lacking from error
        raise
    finally:
        if outcome is None:
            parted.restore()
        end_room()
        end_pause()
        end_memo(outer)
        swallowed = end_refusals(refusals)
        outside = end_lost(lost)
        end_reaches(reaches)
        end_cuts(cuts)
        end_originals(named)
        holders = end_stored(stores)
        too_late = end_open(unended, outcome, refused)
    if too_late is not None:
        swallowed.append(too_late)
    if swallowed:
        parted.restore()
        raise swallowed[0]
    try:
        at, apart = place(y), still_apart(views)  # where the views are, still
    finally:
        parted.restore()
    shared = parted.still_shared(shared, apart)
    tables = [x for x in values if isinstance(x, dict)]
    if originals:
        y = put_back([y, *values], originals)[0]
        put_back_in(holders, originals)
        keep_flags(told)

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
            d = reverse(sweep, scatter_cotangent(sweep, at, y_bar))
            if sweep.read and (found := stored_before(sweep, places, tables)):
                sweep = make(apart)
                sweep.stored_before = found
                d = reverse(sweep, scatter_cotangent(sweep, at, y_bar))
        finally:
            end_room()
            end_pause()
        if make is Sweep:  # whoever explains looks at each place
            check_shared(shared, sweep.arrays, sweep.slots)
        given = zip((*places[1:], places[0]), (*d[1 : 1 + len(values)], None), strict=True)  # those of `f` come last
        *bars, f_bar = [gather_cotangent(sweep, p, bar) for p, bar in given]
        if outside and sweep.lost is None:
            bars = [asked_of(x, outside, sweep) or bar for x, bar in zip(values, bars, strict=True)]
        return (f_bar, *bars)

    if data:
        back.of_data = OF_DATA  # type: ignore[attr-defined]
    return y, back, before


OF_DATA = object()
"""The cotangent of all objects of libraries of data in a result: what went into them has none that is known."""
