"""The collector of cyclic garbage rests while a program is made, recorded or reversed: what is written down is kept
anyway, and to look through all of it again and again takes longer than to write it. While a structured derivative runs
it comes more rarely: a tape of a thousand calls took it six times as long as the derivative."""

from __future__ import annotations

import functools
import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_lock = threading.Lock()


class _Setting:
    """A setting of the collector for as long as something runs: one in another, and in several threads."""

    __slots__ = ("_before", "_put_back", "_running", "_take")

    def __init__(self, take: Callable[[], Any], put_back: Callable[[Any], None]) -> None:
        self._take, self._put_back, self._running, self._before = take, put_back, 0, None

    def begin(self) -> None:
        """Take the setting, unless something runs already."""
        with _lock:
            if self._running == 0:
                self._before = self._take()
            self._running += 1

    def end(self) -> None:
        """Put back what was there, after the last that ran."""
        with _lock:
            self._running -= 1
            if self._running == 0:
                self._put_back(self._before)


RARELY = (100_000, 50, 100)
"""The thresholds of the collector while a derivative runs: its cyclic garbage never is more than some ten megabytes."""


def _switch_off() -> bool:
    was_enabled = gc.isenabled()
    gc.disable()
    return was_enabled


def _switch_on(was_enabled: bool) -> None:
    if was_enabled:
        gc.enable()


def _come_rarely() -> tuple[int, int, int]:
    thresholds = gc.get_threshold()
    if 0 < thresholds[0] < RARELY[0]:
        gc.set_threshold(*RARELY)
    return thresholds


def _come_as_before(thresholds: tuple[int, int, int]) -> None:
    if gc.get_threshold() == RARELY:  # else the program has chosen others
        gc.set_threshold(*thresholds)


_off, _rare = _Setting(_switch_off, _switch_on), _Setting(_come_rarely, _come_as_before)


def begin_pause() -> None:
    """Let the collector rest."""
    _off.begin()


def end_pause() -> None:
    """Let it go on, after the last recording."""
    _off.end()


@contextmanager
def pausing(ages: bool = False) -> Iterator[None]:
    """A block in which the collector rests. If it `ages` what it makes, that is taken for old without a look at it: to
    look through the modules of a package takes as long as a third of their import, and finds nothing.

    >>> with pausing():
    ...     gc.isenabled()
    False
    """
    _off.begin()
    try:
        yield
    finally:
        if ages and not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        _off.end()


begin_run, end_run = _rare.begin, _rare.end
"""Let the collector come rarely, and as before after the last derivative."""


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
