"""Deep copies of calls, around what cannot be copied."""

from __future__ import annotations

import copy
import types
import warnings
from typing import Any

from ..cells import has_contents
from ..rules.registry import find_rules
from .state import State


def copied(f: Any, values: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """Deep copies of a function and of values, in which what was one thing is one thing again: of what the function
    captures and of its defaults as well. What cannot be copied (a lock, a generator) is itself in the copies."""
    memo: dict[int, Any] = {}
    for x in State({"f": f, "values": values}).opaque:
        if _copy(x, memo) is x:
            memo[id(x)] = x
    return _copy_of_callable(f, memo), tuple([_copy(x, memo) for x in values])


def _copy(x: Any, memo: dict[int, Any]) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that of `itertools`, that its objects will not be copied for ever
            return copy.deepcopy(x, memo)
    except Exception:
        return x


def _copy_of_callable(f: Any, memo: dict[int, Any]) -> Any:
    if isinstance(f, types.MethodType):
        return types.MethodType(f.__func__, _copy(f.__self__, memo))
    if not isinstance(f, types.FunctionType):
        return _copy(f, memo)
    if find_rules(f) is not None or not (f.__closure__ or f.__defaults__ or f.__kwdefaults__):
        return f
    cells = tuple(
        [
            types.CellType(_copy(cell.cell_contents, memo)) if has_contents(cell) else cell
            for cell in f.__closure__ or ()
        ]
    )
    made = types.FunctionType(f.__code__, f.__globals__, f.__name__, _copy(f.__defaults__, memo), cells)
    made.__kwdefaults__ = _copy(f.__kwdefaults__, memo)
    made.__qualname__ = f.__qualname__
    made.__dict__.update(f.__dict__)
    return made
