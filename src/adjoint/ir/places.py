"""Places at which functions within generated programs have what they capture.

A program that is read again may lay out otherwise what a function within it captures, under the same positions.
"""

from __future__ import annotations

from typing import Any

PLACES: dict[int, dict[str, int]] = {}
"""By the identity of the code, which `runtime.generated` keeps: by the name that stands for a position, the cell or,
below zero, the default."""

PLAIN: dict[str, int] = {}
"""Those of any other function."""

NOTHING, LEFT_OUT = -(1 << 30), -(1 << 30) - 1
"""Places of None, and of what the text leaves out."""

_LEFT_OUT = type("LeftOut", (), {"__slots__": ()})()
"""The mark that stands for a value that the text leaves out; nothing can be done with it."""


def held_at(function: Any, place: int) -> Any:
    """A default of a function; `-1` is the first."""
    if place <= NOTHING:
        return None if place == NOTHING else _LEFT_OUT
    return function.__defaults__[-1 - place]
