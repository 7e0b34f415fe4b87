"""Room on the stack: a sum of many terms is a deep tree, which is read by functions that call themselves."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from .errors import UnsupportedSyntaxError, calling_place

P = ParamSpec("P")
R = TypeVar("R")

ROOM = 20_000
"""How much deeper programs may call while they are read and made: Python itself compiles some 3,000 terms at most."""

_lock = threading.Lock()
_open: list[int] = []
"""The limit before, once for each call that is open."""


def with_room(make: Callable[P, R]) -> Callable[P, R]:
    """`make`, with room for deep trees while it runs; where that is not enough either, the tree is refused.

    >>> @with_room
    ... def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
    >>> depth(5000)
    5000
    """

    @functools.wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> R:
        _enter()
        try:
            return make(*args, **kwargs)
        except RecursionError:
            raise UnsupportedSyntaxError(
                "statements, expressions or calls are nested too deeply here",
                "what reads them, and the compiler of Python itself, would need a larger stack",
                "divide the program into several functions, or write a rule for a part of it",
                calling_place(),
            ) from None
        finally:
            _leave()

    return made


def _enter() -> None:
    with _lock:
        if not _open:
            sys.setrecursionlimit(sys.getrecursionlimit() + ROOM)
        _open.append(sys.getrecursionlimit() - ROOM)


def _leave() -> None:
    with _lock:
        before = _open.pop()
        if not _open and sys.getrecursionlimit() == before + ROOM:
            sys.setrecursionlimit(before)
