"""The collector of cyclic garbage rests while a program is made, recorded or reversed: what is written down is kept
anyway, and to look through all of it again and again takes longer than to write it. While a structured derivative runs
it comes more rarely: a tape of a thousand calls took it six times as long as the derivative."""

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
def pausing(ages: bool = False) -> Iterator[None]:
    """A block in which the collector rests. If it `ages` what it makes, that is taken for old without a look at it: to
    look through the modules of a package takes as long as a third of their import, and finds nothing.

    >>> with pausing():
    ...     gc.isenabled()
    False
    """
    begin_pause()
    try:
        yield
    finally:
        if ages and not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        end_pause()


RARELY = (100_000, 50, 100)
"""The thresholds of the collector while a derivative runs: its cyclic garbage never is more than some ten megabytes."""
_running = 0
_thresholds = RARELY


def begin_run() -> None:
    """Let the collector come rarely; derivatives may run one in another, and in several threads."""
    global _running, _thresholds
    with _lock:
        if _running == 0:
            _thresholds = gc.get_threshold()
            if 0 < _thresholds[0] < RARELY[0]:
                gc.set_threshold(*RARELY)
        _running += 1


def end_run() -> None:
    """Let it come as before after the last derivative, unless the program has chosen other thresholds."""
    global _running
    with _lock:
        _running -= 1
        if _running == 0 and gc.get_threshold() == RARELY:
            gc.set_threshold(*_thresholds)


def rarely_collected(run: Callable[P, R]) -> Callable[P, R]:
    """`run`, while which the collector comes rarely.

    >>> rarely_collected(divmod)(7, 2)
    (3, 1)
    """

    def made(*args: P.args, **kwargs: P.kwargs) -> R:
        begin_run()
        try:
            return run(*args, **kwargs)
        finally:
            end_run()

    return made


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
