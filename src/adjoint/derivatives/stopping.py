"""The result of `stop_gradient` in a recorded program: the same value at places of its own, to which nothing flows.

Of an array it is another name of the same memory (`recording.memory`). Of what holds values it is a copy, and neither
may change from then on (`recording.cuts`).
"""

from __future__ import annotations

import copy
import functools
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..cells import has_contents, held_by
from ..errors import UnsupportedSyntaxError, calling_place
from ..recording.cuts import watch_copies
from ..recording.given import renewed
from ..recording.memory import cut_view
from ..rules.holding import shares
from ..rules.registry import non_differentiable
from ..runtime.implicit_calls import PLAIN, may_change
from ..tangents.fields import record_fields
from ..wrappers import called_by


def at_places_of_its_own(x: Any) -> Any:
    """The same value at places of its own, with copies of what its functions capture."""
    found, arrays = _functions_in([x])
    twins: dict[int, Any] = {}
    named = [(a, cut_view(a, twins)) for a in arrays]
    memo: dict[int, Any] = {id(a): view for a, view in named if view is not None}
    functions = [f for f in found if _holds_values(f)]
    for f in functions:
        _check(f)
        cells = tuple([types.CellType() for _ in f.__closure__ or ()])
        made = types.FunctionType(f.__code__, f.__globals__, f.__name__, None, cells)
        made.__qualname__, made.__dict__ = f.__qualname__, dict(f.__dict__)
        memo[id(f)] = made
    for f in functions:
        made = memo[id(f)]
        for cell, own in zip(f.__closure__ or (), made.__closure__ or (), strict=True):
            if has_contents(cell):
                own.cell_contents = _copied(cell.cell_contents, memo)
        made.__defaults__ = _copied(f.__defaults__, memo)
        made.__kwdefaults__ = _copied(f.__kwdefaults__, memo)
    y = renewed(_copied(x, memo))
    watch_copies(memo)
    return y


def _copied(x: Any, memo: dict[int, Any]) -> Any:
    try:
        return copy.deepcopy(x, memo)
    except (TypeError, RecursionError) as error:
        raise _refused(
            f"a {type(x).__name__}", f"it cannot be copied: {error}", "stop it at the numbers in it"
        ) from None


def _functions_in(values: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """The functions of Python among values, in what these hold and in what functions capture; and the arrays there."""
    found: list[Any] = []
    arrays: list[Any] = []
    seen, todo = dict[int, Any](), list(values)
    while todo:
        x = todo.pop()
        if isinstance(x, np.ndarray):
            arrays.append(x)
        if type(x) in PLAIN or id(x) in seen:
            continue
        seen[id(x)] = x
        if hasattr(type(x), "__next__"):
            why = "who takes an item from it takes it from all who have it"
            raise _refused("an iterator", why, "make a list of it first")
        if type(x) is types.FunctionType:
            found.append(x)
            todo += held_by(x)
        elif type(x) is types.MethodType:
            todo += [x.__func__, x.__self__]
        elif isinstance(x, functools.partial):
            todo += [x.func, *x.args, *x.keywords.values()]
        elif (called := called_by(x)) is not None:
            if any(map(_holds_values, _functions_in([called])[0])):
                raise _refused(
                    "a function that remembers its results", "it goes on calling the one that it holds", "stop that"
                )
        elif isinstance(x, list | tuple | set | frozenset | dict):
            todo += x.values() if isinstance(x, dict) else x
        elif not isinstance(x, type | types.ModuleType):
            todo += (record_fields(x) or {}).values()
    return found, arrays


def _holds_values(f: types.FunctionType) -> bool:
    """Tell whether a function captures what may be differentiated."""
    todo, seen = held_by(f), {id(f)}
    while todo:
        x = todo.pop()
        if id(x) in seen or isinstance(x, type | types.ModuleType | types.BuiltinFunctionType | str | type(None)):
            continue
        seen.add(id(x))
        if type(x) is not types.FunctionType:
            return True
        todo += held_by(x)
    return False


def _check(f: types.FunctionType) -> None:
    """Raise where a copy would not do what the function does."""
    if may_change(f):
        raise _refused(
            f"`{f.__name__}`, which stores", "a copy of it would store into copies", "stop the numbers that it gives"
        )
    if shares((f,)):
        raise _refused(
            f"`{f.__name__}`, whose variables may be bound anew",
            "a copy of it would not see what they are bound to",
            "give the values that it captures names of their own, or stop the numbers that it gives",
        )


def _refused(what: str, why: str, way_out: str) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(f"`stop_gradient` of {what}", why, way_out, calling_place())


non_differentiable(at_places_of_its_own)
