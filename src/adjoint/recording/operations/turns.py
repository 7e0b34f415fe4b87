"""Operations within one: items that are taken, from several iterators or one, and what is called with them.

All of them may take from the same iterator, so that their reverse goes back through them in their very order: through
those that gave something, and those that came to no end. Where the whole comes to no end, they are written down.
"""

from __future__ import annotations

from typing import Any

from ..sweep import Sweep, add
from .base import NOTHING, Back, Record, Result, only_result
from .calls import invoke, unfinished
from .comparisons import PLAIN


class Turns:
    """What was taken so far, in order."""

    __slots__ = ("backs", "count")

    def __init__(self) -> None:
        self.backs: list[tuple[Back, int | None]] = []
        self.count = 0

    def note(self, step: Any) -> None:
        """Something came to no end."""
        self.backs.append((step[1], None))

    def add(self, back: Back) -> None:
        """An item was taken."""
        self.backs.append((back, self.count))
        self.count += 1

    def reverse(self, sweep: Sweep, bars: Any) -> None:
        """Give each item its cotangent."""
        for back, i in reversed(self.backs):
            back(sweep, None if bars is None or i is None else bars[i])

    def write(self, record: Record, k: int) -> None:
        """The whole comes to no end."""
        for back, _ in self.backs:
            record((k, unfinished(only_result(back))))


def called(record: Record, k: int, f: Any, values: tuple[Any, ...], taken: Turns) -> Result:
    """`f(*values)` of items that were taken for it; the result is `back(sweep, y_bar)`, without operands."""
    notes: list[Any] = []
    n = len(values)

    def given(sweep: Sweep, bars: Any) -> None:
        for step in reversed(notes):
            d = step[1](sweep, None)
            bars = [add(bar, more) for bar, more in zip(bars, d[1 : 1 + n], strict=True)]
        taken.reverse(sweep, bars)

    def unended(sweep: Sweep, y_bar: Any) -> Any:
        given(sweep, [None] * n)
        return NOTHING

    try:
        y, back = invoke(notes.append, k, f, values, {})
    except BaseException:
        record((k, unfinished(unended)))
        raise

    def called_back(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, y_bar)
        given(sweep, d[1 : 1 + n])
        return (d[0], *NOTHING)

    return y, called_back


def tested(record: Record, k: int, f: Any, y: Any, taken: Back) -> Result:
    """What `filter` asks of an item, by `f` or by its truth; the reverse is that of the test, then that of the item."""
    notes: list[Any] = []

    def both(sweep: Sweep, y_bar: Any) -> Any:
        for step in reversed(notes):
            y_bar = add(y_bar, step[1](sweep, None)[1])
        return taken(sweep, y_bar)

    chosen = y
    try:
        if f is not None:
            chosen, back = invoke(notes.append, k, f, (y,), {})
            notes.append((k, back))
        if type(chosen) not in PLAIN:
            chosen, back = invoke(notes.append, k, bool, (chosen,), {})
            notes.append((k, back if f is None else only_result(back)))
    except BaseException:
        record((k, unfinished(only_result(both))))
        raise
    return chosen, both
