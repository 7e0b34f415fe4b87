"""Tangents of derivatives that are taken within a program, of functions that are known only when it runs."""

from __future__ import annotations

from typing import Any

from ..runtime.dispatch import call_pullback
from ..runtime.jvp import Names, Values, call_pushforward
from ..runtime.jvp_pullbacks import pulled_back_along, with_gradient
from ..runtime.jvp_stars import spliced
from ..tangents import field_bar, scalar_seed
from ..tangents.sweep import in_sweep
from .pullback import fitted, released

_FLAT = (False, True, True)
"""A function, its arguments and its keywords in one tuple."""


def begun_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """The value of a call, its `back` and what it was given, and their tangents."""
    call, options = args[1:], args[3]
    known, moving = spliced(_FLAT, call, call), spliced(_FLAT, call, dots[2:])
    (y, back), (y_dot, back_dot) = pulled_back_along(call_pullback, known, (None, *moving), tuple(options))
    return (y, back, known), (y_dot, back_dot, moving)


def value_and_bars_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """The value of a call, its gradient and what it was given, and their tangents."""
    function, needs, given, options, name = args
    call = (function, given, options)
    known, moving = spliced(_FLAT, call, call), spliced(_FLAT, call, (dots[1], dots[3], dots[4]))
    (y, bars), (y_dot, bars_dot) = with_gradient(known, moving, tuple(options), needs)
    scalar_seed(y, name)
    return (y, bars, known), (y_dot, bars_dot, moving)


def pulled_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A run of a pullback."""
    (y_bar,) = args
    y_bar = fitted(f, y_bar)
    if y_bar is None:
        return (None,) * len(f._args), None
    bars, bars_dot = call_pushforward(in_sweep, (f._back, y_bar), (None, field_bar(dots[0], "_back"), dots[1]))
    return released(bars, f._args, y_bar), bars_dot


def method_pulled_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """The same, where the pullback is the first argument."""
    return pulled_along(args[0], args[1:], dots[1:], names)
