"""Functions that look at the frames of who calls them: they see where the program itself is called from."""

from __future__ import annotations

import inspect
import sys
import traceback
import types
from typing import Any

LOOKING = frozenset(
    [sys._getframe, inspect.currentframe, inspect.stack, traceback.extract_stack, traceback.format_stack]
    + [traceback.print_stack, traceback.walk_stack, getattr(sys, "_getframemodulename", sys._getframe)]
)
_NAMES = frozenset([f.__name__ for f in LOOKING])


def looks_at_frames(f: Any) -> bool:
    """Tell whether a function sees who has called whom, or calls what does.

    >>> import sys
    >>> looks_at_frames(sys._getframe), looks_at_frames(len)
    (True, False)
    """
    is_function = isinstance(f, types.BuiltinFunctionType | types.FunctionType)
    return is_function and (f in LOOKING or isinstance(f, types.FunctionType) and _names_one(f))


def _names_one(f: types.FunctionType) -> bool:
    """Tell whether a function names one that looks: what calls it may be what that looks at."""
    named = _NAMES.intersection(f.__code__.co_names)
    if not named:
        return False
    found = [f.__globals__.get(name) for name in f.__code__.co_names]
    found += [getattr(x, name, None) for x in found if isinstance(x, types.ModuleType) for name in named]
    return any([isinstance(x, types.BuiltinFunctionType | types.FunctionType) and x in LOOKING for x in found])


__all__ = ["LOOKING", "looks_at_frames"]
