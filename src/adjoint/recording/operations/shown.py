"""Warnings, records of logging and what looks at frames say where they come from: the user's line, and not that of the
operation which calls them."""

from __future__ import annotations

import inspect
import sys
import traceback
import types
import warnings
from collections.abc import Iterator
from typing import Any

from ...ops.frames import LOOKING
from ...ops.logs import LOGGING
from ...origin import is_ours
from ...rules.registry import non_differentiable

Args = tuple[Any, ...]
Kwargs = dict[str, Any]

_BY_POSITION = 2
"""Place of `stacklevel` among the arguments of `warnings.warn`."""


def at_users(f: Any, args: Args, kwargs: Kwargs) -> tuple[Any, Args, Kwargs]:
    """The function and the arguments with which the function that asks for them calls `f`: what says where it is
    called from counts the functions of this library as well, and what looks at frames sees the user's alone."""
    if type(f) is types.FunctionType and f in LOGGING:
        if type(level := kwargs.get("stacklevel", 1)) in _LEVELS:
            return f, args, {**kwargs, "stacklevel": _counted(level)}
    elif f is warnings.warn:
        level = args[_BY_POSITION] if len(args) > _BY_POSITION else kwargs.get("stacklevel", 1)
        if type(level) in _LEVELS and len(args) > _BY_POSITION:
            return f, (*args[:_BY_POSITION], _counted(level), *args[_BY_POSITION + 1 :]), kwargs
        if type(level) in _LEVELS:
            return f, args, {**kwargs, "stacklevel": _counted(level)}
    elif type(f) in _FUNCTIONS and f in _AS_USERS:
        return _AS_USERS[f], args, kwargs
    return f, args, kwargs


_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType)


class _Counted(int):
    """A number among all functions that have called, with the one among the user's. A recording of a recording counts
    anew, as others have called there."""

    level: int


_LEVELS = (int, _Counted)


def _counted(level: int) -> _Counted:
    """The number of a function of the user's that has called, among all that have called: 1 is the nearest."""
    level = level.level if type(level) is _Counted else level
    frame, found, users = sys._getframe(2), 1, 0
    while True:
        users += not is_ours(frame.f_code.co_filename)
        if users >= max(level, 1) or frame.f_back is None:
            break
        frame, found = frame.f_back, found + 1
    counted = _Counted(found + max(level - users, 0))
    counted.level = level
    return counted


# ---- what looks at frames, as it sees the user's


def _frames(frame: types.FrameType | None) -> Iterator[tuple[types.FrameType, int]]:
    """The user's frames from one on, the nearest first, each with its line."""
    while frame is not None:
        if not is_ours(frame.f_code.co_filename):
            yield frame, frame.f_lineno
        frame = frame.f_back


def caller_of(frame: types.FrameType) -> types.FrameType | None:
    """The nearest of the user's frames that a frame was called from."""
    return next(_frames(frame.f_back), (None, 0))[0]


def _getframe(depth: int = 0, /) -> types.FrameType:
    for found, _ in _frames(sys._getframe(1)):
        if depth <= 0:
            return found
        depth -= 1
    raise ValueError("call stack is not deep enough")


def _currentframe() -> types.FrameType | None:
    return next(_frames(sys._getframe(1)), (None, 0))[0]


def _stack(context: int = 1) -> list[inspect.FrameInfo]:
    return [info for info in inspect.stack(context)[1:] if not is_ours(info.filename)]


def _walk_stack(f: types.FrameType | None) -> Iterator[tuple[types.FrameType, int]]:
    return _frames(f or sys._getframe(1))


def _extract_stack(f: types.FrameType | None = None, limit: int | None = None) -> traceback.StackSummary:
    found = traceback.StackSummary.extract(_frames(f or sys._getframe(1)), limit=limit)
    found.reverse()
    return found


def _format_stack(f: types.FrameType | None = None, limit: int | None = None) -> list[str]:
    return _extract_stack(f or sys._getframe(1), limit).format()


def _print_stack(f: types.FrameType | None = None, limit: int | None = None, file: Any = None) -> None:
    traceback.print_list(_extract_stack(f or sys._getframe(1), limit), file=file)


_OWN: dict[str, Any] = {
    "_getframe": _getframe, "currentframe": _currentframe, "stack": _stack, "walk_stack": _walk_stack,
    "extract_stack": _extract_stack, "format_stack": _format_stack, "print_stack": _print_stack,
}  # fmt: skip
_AS_USERS = {f: _OWN[f.__name__] for f in LOOKING if f.__name__ in _OWN}

non_differentiable(at_users, caller_of, *_OWN.values())
