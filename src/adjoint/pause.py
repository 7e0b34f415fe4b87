"""The collector of cyclic garbage rests while a program is made, recorded or reversed: what is written down is kept
anyway, and to look through all of it again and again takes longer than to write it."""

from __future__ import annotations

import functools
import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_lock = threading.Lock()
_resting = 0
_was_enabled = False


def begin_pause() -> None:
    """Let the collector rest; recordings may run one in another, and in several threads."""
    global _resting, _was_enabled
    with _lock:
        if _resting == 0:
            _was_enabled = gc.isenabled()
            gc.disable()
        _resting += 1


def end_pause() -> None:
    """Let it go on after the last recording, unless the caller had disabled it."""
    global _resting
    with _lock:
        _resting -= 1
        if _resting == 0 and _was_enabled:
            gc.enable()


@contextmanager
def pausing() -> Iterator[None]:
    """A block in which the collector rests.

    >>> with pausing():
    ...     gc.isenabled()
    False
    """
    begin_pause()
    try:
        yield
    finally:
        end_pause()


def paused(make: Callable[P, R]) -> Callable[P, R]:
    """`make`, while which runs the collector rests.

    >>> paused(gc.isenabled)(), gc.isenabled()
    (False, True)
    """

    @functools.wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> R:
        with pausing():
            return make(*args, **kwargs)

    return made
