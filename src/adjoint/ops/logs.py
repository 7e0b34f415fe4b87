"""Logs: what loggers do with what they are given, and the types of what they give."""

from __future__ import annotations

import logging
import types
from typing import Any

from ..ir.types import BOOL, INT, NONE, Inert, Type
from .effects import Effects, Keeps, World
from .registry import each, gives

LOGGERS = (logging.Logger, logging.RootLogger)
"""Classes of loggers: those of a user's own, or of another library, may do anything."""
_LEVELS = ("debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log")
_OWNERS = (logging, logging.Logger, logging.LoggerAdapter)
LOGGING = frozenset([getattr(owner, name) for owner in _OWNERS for name in _LEVELS if hasattr(owner, name)])
"""The methods that write a message."""
ASKING = (logging.Logger.isEnabledFor, logging.Logger.getEffectiveLevel, logging.Logger.hasHandlers)

LOGGED: Effects = (World("out"), Keeps("*"))
"""A handler may hold a record, and what the message is of."""
each((World("out"),), *[f for f in vars(logging).values() if isinstance(f, types.FunctionType)])
each(LOGGED, *LOGGING)
each((World("in"),), *ASKING)
gives(lambda given: NONE, *LOGGING)
gives(lambda given: BOOL, logging.Logger.isEnabledFor, logging.Logger.hasHandlers)
gives(lambda given: INT, logging.Logger.getEffectiveLevel)
gives(lambda given: Inert(logging.Logger), logging.getLogger)


def method_of_logger(t: Type, name: str) -> Any:
    """The method of this name of a logger; None of anything else."""
    method = getattr(t.cls, name, None) if isinstance(t, Inert) and t.cls in LOGGERS else None
    return method if isinstance(method, types.FunctionType) else None


__all__ = ["ASKING", "LOGGED", "LOGGERS", "LOGGING", "method_of_logger"]
