"""Derivatives of what the library does around a derivative: its sweeps, and gradients that are found at run time."""

from __future__ import annotations

from typing import Any

from ..rules.registry import Back
from ..tangents import densify
from ..tangents.lane_runs import in_lanes
from ..tangents.sweep import in_noted_sweep, in_pass, in_shared, in_sweep
from .dispatch import call_pullback
from .targets import special


@special(in_sweep)
def in_sweep_rule(f: Any, back: Any, /, *args: Any) -> tuple[Any, Back]:
    """A derivative's reverse run, inside of what is differentiated."""
    (y, again), shared = in_noted_sweep(call_pullback, back, *args)
    return y, lambda y_bar: (None, *reversing(again, y_bar, y, shared))


@special(in_noted_sweep)
def in_noted_sweep_rule(f: Any, back: Any, /, *args: Any) -> tuple[Any, Back]:
    """The same, where it is itself differentiated."""
    (y, again), shared = in_noted_sweep(call_pullback, back, *args)
    return (y, shared), lambda d: (None, *reversing(again, None if d is None else d[0], y, shared))


@special(in_shared)
def in_shared_rule(f: Any, back: Any, /, *args: Any) -> tuple[Any, Back]:
    """The reversal of such a run, where it is itself differentiated."""
    y, again = in_shared(call_pullback, back, *args)
    return y, lambda y_bar: (None, *reversing(again, y_bar, y, True))


def reversing(again: Any, y_bar: Any, y: Any, shared: bool) -> Any:
    """`again(ȳ)`, with zeros for None where locations are shared: what was added to them reaches the results by ways of
    its own."""
    return in_shared(again, densify(y_bar, y)) if shared else again(y_bar)


@special(in_lanes)
def in_lanes_rule(f: Any, function: Any, /, *args: Any) -> tuple[Any, Back]:
    """A linear map, inside of what is differentiated: without lanes."""
    y, back = call_pullback(function, *args)
    return y, lambda y_bar: (None, *back(y_bar))


@special(in_pass)
def in_pass_rule(f: Any, function: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """A derivative's forward run, inside of what is differentiated."""
    y, back = in_pass(call_pullback, function, *args, **kwargs)
    return y, lambda y_bar: (None, *back(y_bar))
