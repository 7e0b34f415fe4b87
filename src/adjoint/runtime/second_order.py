"""Derivatives of derivatives: the rules of `call_pullback` and of what it is made of."""

from __future__ import annotations

import functools
import types
from typing import Any

from ..rules import registry
from ..tangents import accumulate, field_bar, scalar_seed
from ..tangents.sweep import in_pass, in_sweep
from .dispatch import Back, call_pullback, find_target, special, value_and_bars

Kwargs = dict[str, Any]


@special(registry.call_pullback)
@special(call_pullback)
def pullback_of_pullback(f: Any, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """The derivative of taking a derivative: `(f, args) -> (y, back)` is itself a function, the rule of `f`."""
    target, target_args, adapt = find_target(f, args, kwargs)
    (y, raw), outer = call_pullback(target, *target_args)
    back = raw if adapt is None else adapt(raw)
    own = isinstance(f, types.FunctionType) and target_args and target_args[0] is f

    def outer_back(d: Any) -> tuple[Any, ...]:
        if d is None:
            return (None,) * (2 + len(args) + len(kwargs))
        y_bar, back_bar = d
        if adapt is not None:
            back_bar = field_bar(back_bar, "back")
        target_bar, *bars = outer((y_bar, back_bar))
        # The cotangents of the target's arguments, as a `back` of the call would give them.
        f_bar, *of_args = bars if own else (None, *bars)
        if adapt is not None:
            f_bar, *of_args = adapt(_Given((f_bar, *of_args) if own else tuple(of_args)))(())
        elif kwargs:
            stored = None if target_bar is None else target_bar["keywords"] or target_bar["args"][1]
            of_args = [*of_args, *(None if stored is None else stored.get(k) for k in kwargs)]
        return (None, accumulate(f_bar, _of_partial(target, f, target_bar)), *of_args)

    return (y, back), outer_back


@special(in_sweep)
def in_sweep_rule(f: Any, *args: Any) -> tuple[Any, Back]:
    """A derivative's reverse run, inside of what is differentiated."""
    y, back = in_sweep(call_pullback, f, *args)
    return y, lambda y_bar: (None, *back(y_bar))


@special(in_pass)
def in_pass_rule(f: Any, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """A derivative's forward run, inside of what is differentiated."""
    y, back = in_pass(call_pullback, f, *args, **kwargs)
    return y, lambda y_bar: (None, *back(y_bar))


class _Given:
    """A `back` that gives what it was made with."""

    def __init__(self, bars: tuple[Any, ...]) -> None:
        self.bars = bars

    def __call__(self, y_bar: Any) -> tuple[Any, ...]:
        return self.bars


def _of_partial(target: Any, f: Any, target_bar: Any) -> Any:
    """The cotangent of `f` where it is the first thing that a target has stored."""
    stored = isinstance(target, functools.partial) and target.args and target.args[0] is f
    return target_bar["args"][0] if stored and target_bar is not None else None


@special(find_target)
def find_target_rule(f: Any, args: tuple[Any, ...], kwargs: Kwargs) -> tuple[Any, Back]:
    """Third derivatives and higher differentiate `pullback_of_pullback`, which looks for the target."""
    found = find_target(f, args, kwargs)
    target, target_args, _ = found
    own = target_args and target_args[0] is f and len(target_args) == len(args) + 1

    def find_target_back(d: Any) -> tuple[Any, ...]:
        target_bar, bars, _ = (None, None, None) if d is None else d
        bars = (None,) * len(target_args) if bars is None else bars
        f_bar = _of_partial(target, f, target_bar)
        if own:
            f_bar, bars = accumulate(f_bar, bars[0]), bars[1:]
        return (None, f_bar, tuple(bars[: len(args)]), None)

    return found, find_target_back


@special(value_and_bars)
def value_and_bars_rule(
    f: Any, needs: tuple[bool, ...], args: tuple[Any, ...], kwargs: Kwargs, name: str
) -> tuple[Any, Back]:
    """The derivative of taking a gradient, of a function that is known only now."""
    (y, back), outer = pullback_of_pullback(f, *args, **kwargs)
    bars, again = in_sweep(call_pullback, back, scalar_seed(y, name))

    def value_and_bars_back(d: Any) -> tuple[Any, ...]:
        y_bar, bars_bar = (None, None) if d is None else d
        back_bar = None if bars_bar is None else again(bars_bar)[0]
        _, f_bar, *of_args = outer((y_bar, back_bar))
        return (None, f_bar, None, tuple(of_args[: len(args)]), None, None)

    return (y, bars), value_and_bars_back
