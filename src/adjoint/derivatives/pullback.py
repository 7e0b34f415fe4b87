"""What `pullback` gives beside the value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..rules.python.iteration import Materialised
from ..rules.registry import non_differentiable, not_implemented
from ..runtime.dispatch import call_pullback
from ..runtime.targets import special
from ..tangents import release, tangent
from ..tangents.form import fit, form_of
from ..tangents.lane_runs import by_lane, has_lanes, in_lanes, lane_count, unlaned, width
from ..tangents.sweep import in_sweep
from .choice import DEBUGGER


class Pullback:
    """What `pullback` returns beside the value: `back(Δ)` gives the cotangents of the function and of each argument.

    It may be called any number of times, from any thread.
    """

    __slots__ = ("_args", "_back", "_form", "_kept", "_lazy", "_name")

    def __init__(
        self, back: Callable[[Any], tuple[Any, ...]], args: tuple[Any, ...], name: str, y: Any, kept: Any = None
    ) -> None:
        self._back = back
        self._args = args
        self._name = name
        self._form = form_of(y)
        self._lazy = y if isinstance(y, Materialised) else None
        self._kept = kept

    def __call__(self, y_bar: Any) -> tuple[Any, ...]:
        form = self._form
        if self._kept is not None:
            self._kept.check()
        if self._lazy is not None and isinstance(y_bar, list):
            self._lazy.make(len(y_bar))
            form = form_of(self._lazy.items)
            y_bar = y_bar + [None] * (len(self._lazy.items) - len(y_bar))
        y_bar = fit(y_bar, form, repr(self))
        if type(y_bar) not in _ONE and has_lanes(y_bar):
            bars: tuple[Any, ...] = unlaned(self.along_lanes(y_bar), width(y_bar))
            return bars
        bars = (None,) * len(self._args) if y_bar is None else in_sweep(self._back, y_bar)
        if (debugger := DEBUGGER.get()) is not None:
            debugger.judge(y_bar, bars, repr(self))
        return _released(bars, self._args, y_bar)

    def along_lanes(self, y_bar: Any) -> Any:
        """The cotangents for several of the result, in lanes."""
        if DEBUGGER.get() is not None:
            return by_lane(self, y_bar)
        return _released(in_lanes(in_sweep, self._back, y_bar), self._args, None)

    def repeated(self, zeros: Any, y_bar: Any) -> Any:
        """Zero cotangents, one in each lane if `y_bar` has several."""
        if type(y_bar) in _ONE:
            return zeros
        return unlaned(zeros, width(fit(y_bar, self._form, repr(self))))

    def __repr__(self) -> str:
        return f"∂({self._name})"


_ONE = (float, np.ndarray, np.float64)
"""Classes of cotangents that have no lanes, as most are."""


@special(Pullback.__call__)
def call_of_pullback_rule(f: Any, self: Pullback, y_bar: Any, /) -> tuple[Any, Any]:
    """The derivative of running a pullback: that of the `back` it holds."""
    y_bar = fit(y_bar, self._form, repr(self))
    if y_bar is None:
        return (None,) * len(self._args), lambda d: (None, None, None)
    bars, back = call_pullback(in_sweep, self._back, y_bar)

    def call_back(d: Any) -> tuple[Any, Any, Any]:
        _, back_bar, y_bar_bar = back(d)
        return None, tangent(self, ("_back",), back_bar), y_bar_bar

    return _released(bars, self._args, y_bar), call_back


def _released(bars: tuple[Any, ...], args: tuple[Any, ...], y_bar: Any) -> tuple[Any, ...]:
    """The cotangents of the function and its arguments, as the user may keep and change them."""
    taken = arrays_of(y_bar)
    return tuple([release(d, x, taken, False) for d, x in zip(bars, args, strict=False)])


def arrays_of(d: Any) -> dict[int, Any]:
    """The arrays in a cotangent, by id."""
    if isinstance(d, np.ndarray):
        return {id(d): d}
    items = d.values() if isinstance(d, dict) else d if isinstance(d, tuple | list) else ()
    return {key: array for item in items for key, array in arrays_of(item).items()}


non_differentiable(arrays_of, form_of, Pullback.repeated, lane_count, has_lanes)
not_implemented(
    by_lane,
    why="rules are differentiated for single values",
    way_out="take one seed after the other in what is differentiated",
)
