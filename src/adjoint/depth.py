"""Room on the stack: a sum of many terms is a deep tree, which is read by functions that call themselves."""

from __future__ import annotations

import contextlib
import contextvars
import ctypes
import functools
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec, TypeVar

from .errors import UnsupportedSyntaxError, calling_place

P = ParamSpec("P")
R = TypeVar("R")

ROOM = 10_000
"""The depth by which programs may call further while they are read and made: Python itself compiles some 3,000 terms at
most."""

_LEVEL = 700
"""Bytes of the stack that a call within the limit takes at most: some 520 are the most that were measured."""
_AMPLE = 6 << 20
"""Bytes of a stack that is large enough for all that Python compiles."""
_PATIENCE = 1.0
"""Seconds that a thread with a small stack waits until the limit is one that it can hold."""

_changed = threading.Condition()
_open: list[int] = []
"""The limits that the threads can hold which are in such a call."""
_raised: list[int] = []
"""The limit as it was and as it is, while it is raised."""
_resizing = threading.Lock()


class _Here(threading.local):
    """Of this thread: the limit that its stack can hold (0: not asked yet), and how many such calls it is in."""

    limit: int = 0
    calls: int = 0


_here = _Here()


def with_room(make: Callable[P, R]) -> Callable[P, R]:
    """`make`, with room for deep trees while it runs; where that is not enough either, the tree is refused.

    >>> @with_room
    ... def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
    >>> depth(5000)
    5000
    """

    @functools.wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> R:
        begin_room()
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
            end_room()

    return made


@contextlib.contextmanager
def room() -> Iterator[None]:
    """The same for what runs the user's code, whose errors stay as they are.

    >>> def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
    >>> with room(): depth(5000)
    5000
    """
    begin_room()
    try:
        yield
    finally:
        end_room()


def begin_room() -> None:
    """Let calls be so much deeper until `end_room`: several may stand for one of the user's program."""
    _here.calls += 1
    if _here.calls > 1:
        return
    mine = _here.limit = _here.limit or _stack_size() // _LEVEL
    with _changed:
        # it is not lowered for a small stack: that would end a thread which is far down already
        _changed.wait_for(lambda: not _raised or _raised[1] <= mine, _PATIENCE)
        _open.append(mine)
        before = sys.getrecursionlimit()
        wanted = min(before + ROOM, *_open)
        if not _raised and wanted > before:
            sys.setrecursionlimit(wanted)
            _raised[:] = before, wanted


def end_room() -> None:
    """The limit is as it was, once all have ended."""
    _here.calls -= 1
    if _here.calls:
        return
    with _changed:
        _open.remove(_here.limit)
        if _raised and not _open:
            before, raised = _raised
            _raised.clear()
            if sys.getrecursionlimit() == raised:
                sys.setrecursionlimit(before)
            _changed.notify_all()


def on_ample_stack(f: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """`f(*args, **kwargs)`, for a parser or compiler in C that minds no limit: if the stack of this thread is small, in
    a thread of its own, so `f` may take no lock and ask for nothing that belongs to a thread.

    >>> on_ample_stack(eval, "1 + 1")
    2
    """
    _here.limit = _here.limit or _stack_size() // _LEVEL
    if _here.limit >= _AMPLE // _LEVEL:
        return f(*args, **kwargs)
    result: list[Any] = []
    context = contextvars.copy_context()

    def run() -> None:
        try:
            result[:] = True, context.run(f, *args, **kwargs)
        except BaseException as error:
            result[:] = False, error

    helper = threading.Thread(target=run, daemon=True)
    with _resizing:
        size = threading.stack_size(2 * _AMPLE)
        try:
            helper.start()
        finally:
            threading.stack_size(size)
    helper.join()
    succeeded, value = result
    if not succeeded:
        raise value
    return value  # type: ignore[no-any-return]


def _stack_size() -> int:
    """The bytes of this thread's stack; where the system does not tell, as if it were a small one."""
    try:
        if sys.platform == "win32":
            low, high = ctypes.c_size_t(), ctypes.c_size_t()
            ctypes.windll.kernel32.GetCurrentThreadStackLimits(ctypes.byref(low), ctypes.byref(high))
            return high.value - low.value
        library = ctypes.CDLL(None)
        me = library.pthread_self
        me.restype = ctypes.c_void_p
        if sys.platform == "darwin":
            ask = library.pthread_get_stacksize_np
            ask.restype, ask.argtypes = ctypes.c_size_t, (ctypes.c_void_p,)
            return int(ask(me()))
        attributes, size = (ctypes.c_uint64 * 64)(), ctypes.c_size_t()
        if library.pthread_getattr_np(ctypes.c_void_p(me()), attributes):
            return 0
        library.pthread_attr_getstacksize(attributes, ctypes.byref(size))
        library.pthread_attr_destroy(attributes)
        return size.value
    except (AttributeError, OSError, TypeError):
        return 0
