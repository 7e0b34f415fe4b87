"""Operations within one: items that are taken, from several iterators or one.

All of them may take from the same iterator, so that their reverse goes back through them in their very order: through
those that gave something, and those that came to no end.
"""

from __future__ import annotations

from typing import Any

from ..sweep import Sweep


class Turns:
    """Items that were taken so far, in order."""

    __slots__ = ("backs", "count")

    def __init__(self) -> None:
        self.backs: list[tuple[Any, int | None]] = []
        self.count = 0

    def note(self, step: Any) -> None:
        """Something came to no end."""
        self.backs.append((step[1], None))

    def add(self, back: Any) -> None:
        """An item was taken."""
        self.backs.append((back, self.count))
        self.count += 1

    def reverse(self, sweep: Sweep, bars: Any) -> None:
        """Give each item its cotangent."""
        for back, i in reversed(self.backs):
            back(sweep, None if bars is None or i is None else bars[i])
