"""Derivatives inside of recorded programs: they are recorded like everything else."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..recording.entry import recorded
from ..recording.observer import unwatch, watch
from ..recording.operations.base import Record, Result, handles, nothing
from ..recording.operations.calls import run
from ..rules import knots
from ..rules.implicit import solved, solved_in_full
from ..rules.registry import non_differentiable
from ..runtime.dispatch import call_pullback
from ..runtime.jvp import call_pushforward, transposed, transposed_along, transposed_here
from ..tangents import quietly, scalar_seed
from ..tangents.lane_runs import in_lanes
from ..tangents.sweep import close_table, in_located_sweep, in_pass, in_sweep, open_table
from . import DEBUGGER, begin, stop_gradient, value_and_bars
from .forward import linear_map, pushforward_of
from .lanes import columns_in_turn, rows_in_turn, stacked_columns, stacked_rows
from .rerun import run_again
from .stopping import at_places_of_its_own


def _gradient(f: Any, needs: Any, args: Any, kwargs: Any, name: str) -> Any:
    y, back, given = recorded(f, *args, **kwargs)
    return y, back(scalar_seed(y, name)), given


def _begin(needs: Any, f: Any, args: Any, kwargs: Any) -> Any:
    return recorded(f, *args, **kwargs)


def _pullback(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    y, back, _ = recorded(f, *args, **kwargs)
    return y, back


def _called(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    return f(*args, **kwargs)


def _applied(f: Any, args: Any, kwargs: Any) -> Any:
    return f(*args, **kwargs)


@handles(stop_gradient, at_places_of_its_own)
def _stop(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    """The same value at places of its own."""
    return at_places_of_its_own(*args, **kwargs), nothing


def _quietly(f: Any, /, *args: Any) -> Any:
    with np.errstate(all="ignore"):
        return f(*args)


def _located(f: Any, /, *args: Any) -> Any:
    outer, found = open_table(), []
    try:
        result = f(*args)
    finally:
        found = close_table(outer)
    return result, [(slot.location, slot.bar) for slot in found if slot.bar is not None]


non_differentiable(open_table, close_table)


_TWINS: dict[Any, Any] = {
    quietly: _quietly,
    value_and_bars: _gradient,
    begin: _begin,
    call_pullback: _pullback,
    in_pass: _called,
    in_lanes: _called,
    in_sweep: _called,
    in_located_sweep: _located,
    linear_map: transposed,
    transposed_here: transposed,
    pushforward_of: transposed_along,
    call_pushforward: transposed_along,
    knots.call_pushforward: transposed_along,
    run_again: _applied,
    stacked_columns: columns_in_turn,
    stacked_rows: rows_in_turn,
    solved: solved_in_full,
}


@handles(*_TWINS)
def _nested(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    token = watch(None)
    try:
        found = run(record, k, _TWINS[f], args, kwargs)
    finally:
        unwatch(token)
    if f is value_and_bars and (debugger := DEBUGGER.get()) is not None:
        function, _, given, named, _ = args
        debugger.judge_within(function, given, named, found[0][1])
    elif f is in_sweep and (debugger := DEBUGGER.get()) is not None:
        debugger.judge(args[1], found[0], "a pullback within what is differentiated")
    return found
