"""Functions that the IR calls where Python has `except`, `raise` and `with`."""

from __future__ import annotations

import contextlib
import sys
import threading
import warnings
from typing import Any, NoReturn

import numpy as np

from ..errors import PASSING, class_name

MANAGERS: tuple[Any, ...] = (
    *(np.errstate, np.printoptions, warnings.catch_warnings, contextlib.suppress),
    *(type(threading.Lock()), type(threading.RLock())),
)
"""Context managers that change nothing of the program's."""


def completes() -> NoReturn:
    """Whether a block comes to its end: the condition of an attempt (see `ir.nodes.ATTEMPT`), never called."""
    raise AssertionError


def caught() -> Any:
    """The exception that has left the first block of an attempt, in its second one."""
    return sys.exc_info()[1]


def matches(error: BaseException, classes: Any) -> bool:
    """Whether `except classes` catches an exception: none that `adjoint` raises through the program."""
    todo = classes if isinstance(classes, tuple) else (classes,)
    if not all(isinstance(c, type) and issubclass(c, BaseException) for c in todo):
        raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    return not isinstance(error, PASSING) and any(c in type(error).__mro__ for c in todo)


def swallows(given: Any, error: BaseException) -> bool:
    """Whether `with` goes on behind an exception, where `__exit__` has given this."""
    return bool(given) and not isinstance(error, PASSING)


def raise_again() -> NoReturn:
    """`raise`, of the exception that has left the first block of an attempt."""
    raise  # noqa: PLE0704 - in the second block


def enter(manager: Any) -> Any:
    """What `with` does first: `__enter__`, looked for in the class as Python does."""
    for name in ("__enter__", "__exit__"):
        if not hasattr(type(manager), name):
            raise TypeError(f"{class_name(type(manager))!r} object does not support the context manager protocol")
    return type(manager).__enter__(manager)


def leave(manager: Any, error: Any) -> Any:
    """What `with` does last: `__exit__`, which is told of the exception that has come, or of None."""
    return type(manager).__exit__(manager, *told_of(error))


def told_of(error: Any) -> tuple[Any, Any, Any]:
    """What `__exit__` is told of an exception."""
    return (None, None, None) if error is None else (type(error), error, error.__traceback__)
