"""Derivatives of what the library does around a derivative: its sweeps, and gradients that are found at run time."""

from __future__ import annotations

from typing import Any

from ..rules.registry import Back
from ..tangents import scalar_seed
from ..tangents.sweep import in_pass, in_sweep
from .dispatch import call_pullback, value_and_bars
from .targets import special


@special(in_sweep)
def in_sweep_rule(f: Any, back: Any, /, *args: Any) -> tuple[Any, Back]:
    """A derivative's reverse run, inside of what is differentiated."""
    y, again = in_sweep(call_pullback, back, *args)
    return y, lambda y_bar: (None, *again(y_bar))


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
    bars, again = in_sweep(call_pullback, back, scalar_seed(y, name))
    n = len(args)

    def value_and_bars_back(d: Any) -> tuple[Any, ...]:
        y_bar, bars_bar = (None, None) if d is None else d
        back_bar = None if bars_bar is None else again(bars_bar)[0]
        _, f_bar, *of_args = outer((y_bar, back_bar))
        by_name = dict(zip(names, of_args[n:], strict=True))
        return (None, f_bar, None, tuple(of_args[:n]), by_name, None)

    return (y, bars), value_and_bars_back
