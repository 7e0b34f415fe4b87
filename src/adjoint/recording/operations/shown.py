"""Warnings and records of logging say where they come from: the user's line, and not that of the operation which calls
what shows them."""

from __future__ import annotations

import sys
import types
import warnings
from typing import Any

from ...ops.logs import LOGGING
from ...origin import is_ours
from ...rules.registry import non_differentiable

Args = tuple[Any, ...]
Kwargs = dict[str, Any]

_BY_POSITION = 2
"""Place of `stacklevel` among the arguments of `warnings.warn`."""


def at_users(f: Any, args: Args, kwargs: Kwargs) -> tuple[Args, Kwargs]:
    """The arguments with which the function that asks for them calls `f`: what says where it is called from counts the
    functions of this library as well."""
    if type(f) is types.FunctionType and f in LOGGING:
        if type(level := kwargs.get("stacklevel", 1)) is int:
            return args, {**kwargs, "stacklevel": _counted(level)}
    elif f is warnings.warn:
        level = args[_BY_POSITION] if len(args) > _BY_POSITION else kwargs.get("stacklevel", 1)
        if type(level) is int and len(args) > _BY_POSITION:
            return (*args[:_BY_POSITION], _counted(level), *args[_BY_POSITION + 1 :]), kwargs
        if type(level) is int:
            return args, {**kwargs, "stacklevel": _counted(level)}
    return args, kwargs


def _counted(level: int) -> int:
    """The number of a function of the user's that has called, among all that have called: 1 is the nearest."""
    frame, found, users = sys._getframe(2), 1, 0
    while True:
        users += not is_ours(frame.f_code.co_filename)
        if users >= max(level, 1) or frame.f_back is None:
            return found + max(level - users, 0)
        frame, found = frame.f_back, found + 1


non_differentiable(at_users)
