"""Derivatives of what the library does around a derivative: its sweeps, and gradients that are found at run time."""

from __future__ import annotations

from typing import Any

from ..rules.registry import Back
from ..tangents import densify, scalar_seed
from ..tangents.sweep import in_noted_sweep, in_pass, in_shared, in_sweep
from .dispatch import call_pullback, value_and_bars
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


@special(in_pass)
def in_pass_rule(f: Any, function: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """A derivative's forward run, inside of what is differentiated."""
    y, back = in_pass(call_pullback, function, *args, **kwargs)
    return y, lambda y_bar: (None, *back(y_bar))


@special(value_and_bars)
def value_and_bars_rule(
    f: Any, function: Any, needs: tuple[bool, ...], args: tuple[Any, ...], kwargs: dict[str, Any], name: str, /
) -> tuple[Any, Back]:
    """The derivative of taking a gradient, of a function that is known only now."""
    names = tuple(kwargs)
    (y, back), outer = call_pullback(call_pullback, function, *args, **kwargs)
    bars, again = call_pullback(in_sweep, back, scalar_seed(y, name))
    n = len(args)

    def value_and_bars_back(d: Any) -> tuple[Any, ...]:
        y_bar, bars_bar = (None, None) if d is None else d
        back_bar = None if bars_bar is None else again(bars_bar)[1]
        _, f_bar, *of_args = outer((y_bar, back_bar))
        by_name = dict(zip(names, of_args[n:], strict=True))
        return (None, f_bar, None, tuple(of_args[:n]), by_name, None)

    return (y, bars), value_and_bars_back
