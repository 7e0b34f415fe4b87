"""Iterators of the user's: by `__next__`, by `__getitem__`, by calls up to a sentinel."""

from __future__ import annotations

from typing import Any

from .base import Record, unfinished
from .calls import invoke
from .streaming import Pair, Stream


class ByCalls(Stream):
    """An iterator by the function that gives its next item: of the user's, `__next__`."""

    def __init__(self, function: Any, iterator: Any) -> None:
        self.function, self.asked = function, iterator

    def step(self, record: Record, k: int) -> Pair:
        return invoke(record, k, self.function, (self.asked,), {})


class OfSequence(Stream):
    """The user's own sequence, by its `__getitem__`."""

    def __init__(self, getter: Any, source: Any) -> None:
        self.getter, self.asked, self.at = getter, source, 0

    def step(self, record: Record, k: int) -> Pair:
        if self.asked is None:
            raise StopIteration
        try:
            found = invoke(record, k, self.getter, (self.asked, self.at), {})
        except (IndexError, StopIteration):
            self.asked = None
            raise StopIteration from None
        self.at += 1
        return found

    def length_hint(self) -> Any:
        if self.asked is None:
            return 0
        return max(0, len(self.asked) - self.at) if hasattr(type(self.asked), "__len__") else NotImplemented


class UntilSentinel(Stream):
    def __init__(self, function: Any, sentinel: Any) -> None:
        self.function, self.sentinel, self.over = function, sentinel, False

    def step(self, record: Record, k: int) -> Pair:
        if self.over:
            raise StopIteration
        y, back = invoke(record, k, self.function, (), {})
        if y == self.sentinel:
            self.over = True
            record((k, unfinished(back)))
            raise StopIteration
        return y, back


__all__ = ["ByCalls", "OfSequence", "UntilSentinel"]
