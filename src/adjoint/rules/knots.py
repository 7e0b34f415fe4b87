"""Pullbacks for rules: those of functions such as `map` call `pullback`, which finds rules.

This is the one cycle of the design. The runtime ties it, once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Back = Callable[[Any], tuple[Any, ...]]

_knot: dict[str, Callable[..., Any]] = {}


def call_pullback(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """`(y, back)` of any callable, for rules.

    `back(ȳ)` gives the cotangents of `f`, of each positional argument, then of each keyword argument.
    """
    found: tuple[Any, Back] = _knot["pullback"](f, *args, **kwargs)
    return found


def call_compiled(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], mode: Any = True, inner: bool = False) -> Any:
    """`call_pullback` by compiled programs; None where there are none, and where it is differentiated again. With None
    for `mode` nobody has asked for these, and nothing is said where there are none. Of an `inner` call cotangents are
    all that its caller gets to know: it must not store into what the caller has."""
    return _knot["compiled"](f, args, kwargs, mode, inner)


def call_pushforward(f: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """The value of `f(*args)`, for rules, and its tangent; `dots` are those of `f` and of each argument."""
    found: tuple[Any, Any] = _knot["pushforward"](f, args, dots)
    return found


def pullback_for(*needs: bool) -> Callable[..., tuple[Any, Back]]:
    """`call_pullback` where not all cotangents are asked for: a flag for the function, one for each argument."""
    found: Callable[..., tuple[Any, Back]] = _knot["needing"](needs)
    return found


def handler_of(f: Any, labels: bool = False) -> Any:
    """The function that calls something that is neither a plain function nor has rules; None if nothing is known of
    it."""
    return _knot["handler"](f, labels)


def knot() -> Callable[..., tuple[Any, Back]]:
    """The function that `call_pullback` calls."""
    return _knot["pullback"]


def tie(**knots: Callable[..., Any]) -> None:
    """Say what these call (done once, by the runtime)."""
    _knot.update(knots)
