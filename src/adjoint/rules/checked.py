"""A user's rule, held to its contract while it runs: a pair, and one fitting cotangent per argument."""

from __future__ import annotations

import functools
import inspect
import linecache
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import Place, RuleError
from ..tangents import apart, densify
from ..tangents.fields import record_fields
from ..tangents.form import describe
from ..tangents.lane_runs import by_lane, has_lanes, lane_count
from .kept import Content, contents, is_kept
from .signatures import keyword_only


def checked(call: Callable[..., Any], required: int, positional: int) -> Callable[..., Any]:
    """`call`, a rule `(*args) -> (y, back)`, that raises `RuleError` where it or its `back` gives something else.

    Written in what can be differentiated itself, so that second derivatives go through it.
    """

    named = keyword_only(call)

    @functools.wraps(call)
    def checked_rule(*args: Any, **kwargs: Any) -> Any:
        check_keywords(call, tuple(kwargs))
        before = contents(call, "call", (args, kwargs))
        pair = call(*args, **kwargs)
        check_kept(call, before, "an argument")
        check_pair(call, pair)
        y, back = pair

        def checked_back(y_bar: Any) -> Any:
            most = max(positional, len(args)) + len({*named, *kwargs})
            one = functools.partial(held, call, back, args, required, most)
            d = densify(y_bar, y) if has_parts(y) else y_bar  # what is not used flows as zeros
            return by_lane(one, d) if lane_count() is not None and has_lanes(d) else one(d)

        return y, checked_back

    return checked_rule


def checked_tangent(call: Callable[..., Any], forward: Callable[..., Any]) -> Callable[..., Any]:
    """`forward`, the tangent of a rule, that raises `RuleError` where it gives something that is no tangent of y."""

    @functools.wraps(forward)
    def checked_forward(dots: Any, y: Any, /, *args: Any, **kwargs: Any) -> Any:
        before = contents(call, "tangent", (dots, y, args, kwargs))
        y_dot = forward(dots, y, *args, **kwargs)
        check_kept(call, before, "what its tangent is given")
        check_dot(call, y_dot, y)
        return y_dot

    return checked_forward


def has_parts(y: Any) -> bool:
    """Tell whether a result is a container or a record, of which only a part may be used."""
    return isinstance(y, tuple | list | dict) or record_fields(y) is not None


def held(call: Callable[..., Any], back: Any, args: tuple[Any, ...], required: int, most: int, y_bar: Any) -> Any:
    """The cotangents that `back` gives for one cotangent, if that is what a pullback gives."""
    before = contents(call, "back", (y_bar, args))
    bars = back(y_bar)
    check_kept(call, before, "the cotangent that its pullback is given, or an argument")
    check_bars(call, bars, args, required, most)
    return apart(tuple([like(bar, x) for bar, x in zip(bars, args, strict=False)]) + bars[len(args) :], args)


def like(bar: Any, x: Any) -> Any:
    """A cotangent in the precision of its argument.

    >>> like(np.ones(2), np.ones(2, np.float32)).dtype, like(2.0, np.float32(1.0))
    (dtype('float32'), np.float32(2.0))
    """
    if type(x) in (list, tuple) and isinstance(bar, list | tuple) and len(bar) == len(x):
        parts = [like(b, item) for b, item in zip(bar, x, strict=True)]
        return parts if isinstance(bar, list) else tuple(parts)
    if type(x) is dict and isinstance(bar, dict):
        return {key: like(b, x[key]) if key in x else b for key, b in bar.items()}
    if not is_of_another_precision(bar, x):
        return bar
    return bar.astype(x.dtype) if isinstance(bar, np.ndarray | np.generic) else x.dtype.type(bar)


def is_of_another_precision(bar: Any, x: Any) -> bool:
    """Tell whether a cotangent of a number or an array of NumPy's has another dtype than that."""
    if not isinstance(x, np.ndarray | np.inexact) or x.dtype.kind not in "fc":
        return False
    if isinstance(bar, int | float | complex) and not isinstance(bar, np.generic):
        return isinstance(x, np.inexact) and x.dtype != np.float64
    return isinstance(bar, np.ndarray | np.number) and bar.dtype != x.dtype


def check_kept(call: Callable[..., Any], before: list[Content], what: str) -> None:
    """Raise `RuleError` if a rule has stored into what it was given."""
    if all(map(is_kept, before)):
        return
    raise rule_error(
        call,
        f"stores into {what}",
        "others have it, and the derivative needs it as it was",
        "store into a copy, or return a new value",
    )


def check_keywords(call: Callable[..., Any], keywords: tuple[str, ...]) -> None:
    """Raise `RuleError` unless a rule has parameters of these names."""
    if not keywords:
        return
    parameters = inspect.signature(call).parameters.values()
    named = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    missing = [] if any(p.kind is p.VAR_KEYWORD for p in parameters) else sorted({*keywords} - named)
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        raise rule_error(call, f"has no parameter {names}, which the call gives by keyword", *SAME_PARAMETERS)


SAME_PARAMETERS = ("a rule is called as its function is", "give it the parameters of the function: names and defaults")


def check_pair(call: Callable[..., Any], pair: Any) -> None:
    """Raise `RuleError` unless a rule returned `(y, back)`."""
    if not isinstance(pair, tuple) or len(pair) != 2 or not callable(pair[1]):
        why = "a rule returns the value and its pullback"
        raise rule_error(call, f"returned {describe(pair)}", why, "`return y, back`")


def check_bars(call: Callable[..., Any], bars: Any, args: tuple[Any, ...], required: int, most: int) -> None:
    """Raise `RuleError` unless a rule's `back` returned one fitting cotangent per argument."""
    needed = min(required, len(args))
    if not isinstance(bars, tuple):
        hint = "`return (x_bar,)`, with the comma" if needed == 1 else "`return x_bar, y_bar, ...`"
        raise rule_error(call, f"has a pullback that returned {describe(bars)}", "a pullback returns a tuple", hint)
    if not needed <= len(bars) <= most:
        number = str(needed) if needed == most else f"{needed} to {most}"
        raise rule_error(
            call,
            f"has a pullback that returned {len(bars)} cotangent{'s' * (len(bars) != 1)} where {number} belong",
            "a pullback returns one cotangent per positional argument, then one per keyword-only parameter",
            "return None for an argument through which nothing flows",
        )
    for i, (bar, x) in enumerate(zip(bars, args, strict=False)):
        if bar is not None and (wanted := _misfit(bar, x)):
            raise rule_error(
                call,
                f"has a pullback that returned {describe(bar)} for argument {i}, which {wanted}",
                "a cotangent has the structure and the shape of its argument",
                "sum over the axes that were broadcast, take the real part for a real argument",
            )


def check_dot(call: Callable[..., Any], y_dot: Any, y: Any) -> None:
    """Raise `RuleError` unless the tangent of a rule has the structure and the shape of the result."""
    if y_dot is not None and not has_lanes(y_dot) and (wanted := _misfit(y_dot, y)):
        raise rule_error(
            call,
            f"has a tangent that returned {describe(y_dot)} for the result, which {wanted}",
            "a tangent has the structure and the shape of its value",
            "return ẏ = J ẋ for the arguments that move (None in `dots`: it stays), or None if nothing does",
        )


def _misfit(bar: Any, x: Any) -> str:
    """A description of the argument, if `bar` cannot be a cotangent of it; else an empty string."""
    if isinstance(bar, str | bytes):
        return f"is {describe(x)}"
    if isinstance(x, np.ndarray | np.number | int | float | complex):
        if not isinstance(bar, np.ndarray | int | float | complex | np.number):
            return f"is {describe(x)}"
        zero = isinstance(bar, int | float) and bar == 0
        if np.shape(bar) != np.shape(x) and not zero:
            return f"has shape {np.shape(x)}"
        if np.iscomplexobj(bar) and not np.iscomplexobj(x):
            return "is real"
    elif isinstance(x, tuple | list):
        if not isinstance(bar, tuple | list) or len(bar) != len(x):
            return f"is {describe(x)}"
    elif isinstance(x, dict) and not isinstance(bar, dict):
        return f"is {describe(x)}"
    elif isinstance(x, str | bytes | None):
        return "carries no derivative"
    return ""


def rule_error(call: Callable[..., Any], what: str, why: str, way_out: str) -> RuleError:
    """The error for a rule that is none, with its place."""
    code = getattr(call, "__code__", None)
    place = None
    if code is not None:
        line = linecache.getline(code.co_filename, code.co_firstlineno)
        start = len(line) - len(line.lstrip())
        place = Place(code.co_filename, (code.co_firstlineno, start, code.co_firstlineno, len(line.rstrip())), line)
    return RuleError(f"the rule `{call.__qualname__}` {what}", why, way_out, place)
