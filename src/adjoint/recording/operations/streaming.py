"""Streams, which are the iterators of a recorded program: they give one item after the other, each with its `back`."""

from __future__ import annotations

from typing import Any

from ...errors import UnsupportedSyntaxError, calling_place
from ...rules.registry import non_differentiable
from ...runtime.asked import storing
from .base import Back, Record, Result, handles, nothing

Pair = tuple[Any, Back]


def level() -> int:
    """Depth of the running code among recordings of recordings: what is recorded does not see itself run."""
    return 0


@handles(level)
def _level(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    return level() + 1, nothing


def is_stream(x: Any) -> bool:
    """Tell whether `x` is a stream of this recording, and not an object of one that is itself recorded."""
    return isinstance(x, Stream) and x.level == level()


class Stream:
    """An iterator whose items come with what gives their cotangents back.

    What it runs through by value (a tuple) has its cotangent in the slot 0 of the stream.
    """

    level: int
    asked: Any = None
    """Object that Python asks, by `__len__` or `__length_hint__`, when the iterator is asked how many items are
    left."""

    def __new__(cls, *args: Any) -> Any:
        self = object.__new__(cls)
        self.level = level()
        return self

    def step(self, record: Record, k: int) -> Pair:
        """The next item and its `back`; `StopIteration` at the end."""
        raise NotImplementedError

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> Any:
        raise UnsupportedSyntaxError(
            "code that is not looked into runs through an iterator of a program that is differentiated",
            "which items it takes would not be known",
            "give it a list: `list(...)`",
            calling_place(),
        )

    def length_hint(self) -> Any:
        """Number of items that are left, if that is known."""
        return NotImplemented

    def __length_hint__(self) -> Any:
        return self.length_hint()


_OF_SIZES = frozenset(["__len__", "__length_hint__"])


def check_size(x: Any) -> None:
    """Raise where a container that is made of an iterable asks it how many items it has, and that stores."""
    x = x.asked if isinstance(x, Stream) else x
    found = None if type(x) in (list, tuple) else storing(x, _OF_SIZES)
    if found:
        raise UnsupportedSyntaxError(
            f"what takes all items may run `{found}` for their number, which stores",
            "Python runs it by itself, so that what it stores is not followed",
            "take the items in a `for` statement, which asks for no size",
            calling_place(),
        )


non_differentiable(check_size)
