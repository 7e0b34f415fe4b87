"""Derivatives, held to finite differences as they are taken."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from typing import Any

from ..derivatives import begin, value_and_bars
from ..derivatives.pullback import released
from ..errors import WrongGradientError, calling_place, calling_site
from ..rules.kept import thorough
from ..runtime.argnums import name_of
from ..tangents.sweep import in_sweep
from .blaming import blamed
from .comparing import compare, is_reached_from, overlap
from .explaining import names_of_arguments
from .first_run import FirstRun
from .state import State

_TOLD: set[str] = set()
"""The warnings of effects that were given already."""


def check_derivative(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], places: Any, form: str, derive: Any = None
) -> None:
    """Raise `WrongGradientError` if the derivative of a call, by the arguments at these places (None: all), is not that
    of finite differences; warn if it cannot be told.

    `form` says what is checked: a "gradient", one of a function "with aux", or a "pullback". What `derive` gives, if it
    gives anything, is the compiled gradient, which is then the one that is checked.
    """
    inputs, names = (f, *args, *kwargs.values()), tuple(kwargs)
    if any(hasattr(type(x), "__next__") for x in inputs):
        return _warn(f, "an argument is an iterator, which can be run through once")
    if overlap(inputs):
        return _warn(f, "its arguments share memory, or are one another")
    called = names_of_arguments(f, len(args), list(kwargs))
    state = State({name_of(f): f, **dict(zip(called, inputs[1:], strict=True))})
    if state.run_through:
        return _warn(f, f"it can reach {', '.join(state.run_through)}, which can be run through once")
    needs = tuple([i > 0 and (places is None or i - 1 in places) for i in range(len(inputs))])
    first, n = FirstRun(), len(args)

    @first.looking_on
    def run(function: Any, *values: Any) -> Any:
        try:
            return function(*values[:n], **dict(zip(names, values[n:], strict=True)))
        except Exception as error:
            raise _Raised from error

    def differentiate(function: Any, *values: Any) -> Any:
        given, named = values[:n], dict(zip(names, values[n:], strict=True))
        if derive is not None and (compiled := derive(function, given, named)) is not None:
            placed = dict(zip(places, compiled[1], strict=True))
            return compiled[0], lambda seed: tuple([placed.get(i - 1) for i in range(len(inputs))])
        return plainly(function, given, named)

    def plainly(function: Any, given: Any, named: Any) -> Any:
        held = (function, *given, *named.values())
        if form == "gradient":
            y, bars, _ = value_and_bars(function, needs, given, named, name_of(f))
            whole = released(bars, held, None)
            return y, lambda seed: whole
        y, back, _ = begin(None, function, given, named)
        return y, lambda y_bar: released(in_sweep(back, y_bar), held, y_bar)

    seed = {"gradient": 1.0, "with aux": (1.0, None)}.get(form)
    try:
        with thorough():
            found = compare(state, inputs, run, differentiate, needs, seed)
    except _Raised as raised:
        error = raised.__cause__
        return _warn(f, f"near these arguments it raises {type(error).__name__}: {error}")
    finally:
        _tell(f, first.effects)
    if found is None or found.agrees:
        return None
    if not found.numeric.settled:
        return _warn(f, "finite differences do not settle here: it is kinked, jumps, or is ill-conditioned")

    if is_reached_from(f, inputs[1:]):
        return _warn(f, f"it is {found}; the function reaches a part of its arguments by itself, too")

    if derive is not None and _agrees_without(state, inputs, run, plainly, needs, seed, n, names):
        raise WrongGradientError(
            f"the compiled gradient of `{name_of(f)}` is wrong: it is {found}",
            "the gradient that is not compiled agrees with the differences",
            "leave `compile` off, and tell the makers of this library",
            calling_place(),
        )
    derive = None  # whose fault it is tells the plain one

    def by(i: int) -> Any:
        return compare(state, inputs, run, differentiate, tuple([i == j for j in range(len(inputs))]), seed)

    asked = {name: i for i, name in enumerate(called, 1) if needs[i]}
    verdict = blamed(f, args, kwargs, state, found, {name: by(i) for name, i in asked.items()}, list(first.stops))
    if isinstance(verdict, str):
        return _warn(f, verdict)
    raise verdict


def _agrees_without(
    state: State, inputs: Any, run: Any, plainly: Any, needs: Any, seed: Any, n: int, names: tuple[str, ...]
) -> bool:
    """Tell whether the gradient agrees where it is not compiled."""

    def differentiate(function: Any, *values: Any) -> Any:
        return plainly(function, values[:n], dict(zip(names, values[n:], strict=True)))

    found = compare(state, inputs, run, differentiate, needs, seed)
    return found is not None and found.agrees


class _Raised(Exception):
    """A run of the user's function raised."""


def _warn(f: Any, why: str) -> None:
    _say(f"the gradient of `{name_of(f)}` was not checked: {why}", RuntimeWarning)


def _tell(f: Any, effects: Collection[str]) -> None:
    """Say, once, that a function does more than compute, and has done it again."""
    text = f"`{name_of(f)}` does more than compute, and the check has run it some ten times: {', '.join(effects)}"
    if effects and text not in _TOLD:
        _TOLD.add(text)
        _say(text, UserWarning)


def _say(text: str, category: type[Warning]) -> None:
    site = calling_site()
    place = None if site is None else site.place()
    at = ("<unknown>", 1) if place is None else (place.filename, place.span[0])
    warnings.warn_explicit(text, category, *at)
