"""Cotangents as a rule gives them, and as one for each slot of a call."""

from __future__ import annotations

from typing import Any

Values = tuple[Any, ...]


class RuleBack:
    """A rule's `back` with the slot of the function in front, and one slot for every argument."""

    __slots__ = ("back", "slots")

    def __init__(self, back: Any, slots: tuple[int, ...]) -> None:
        self.back = back
        self.slots = slots

    def __call__(self, y_bar: Any) -> Values:
        return arranged(None if y_bar is None else self.back(y_bar), self.slots)


def arranged(bars: Any, slots: tuple[int, ...]) -> Values:
    """A rule's cotangents in these slots, with one for the function in front; None for those that it left off."""
    if bars is None:
        return (None,) * (1 + len(slots))
    n = len(bars)
    return (None, *[bars[i] if i < n else None for i in slots])
