"""Plain calls of functions that may change what the forward pass has kept: what they can reach is looked at afterwards.

The forward pass keeps arrays and lists for the reverse pass as they are. A function of the user's that is called
without being differentiated may store into them. Where reading it does not tell that it stores into nothing but its
own, what it is given, what it captures and what it can reach by names are compared with what they were before. If
something changed, it is put back, and the call is refused.
"""

from __future__ import annotations

import sys
import types
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..cells import held_by
from ..classify import classify
from ..errors import MutationError, calling_place
from ..ops.data import leaves_reading, only_reads
from ..ops.questions import writing_names
from ..origin import is_users, own_name
from ..tangents import own_dict, own_slots

_NUMBERS = frozenset({int, float, complex, bool, str, bytes, type(None), np.float64})
_BUILTIN = (types.BuiltinFunctionType, types.MethodWrapperType, np.ufunc)


def watched(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`function(*args, **kwargs)`, refused if it changed an array, list or dict that it was given or can reach.

    >>> def clear(xs): xs[:] = []
    >>> watched(clear, [1.0])
    Traceback (most recent call last):
    adjoint.errors.MutationError: `clear` changes what it is given, or can reach
    ...
    """
    if only_reads(function) and leaves_reading(args, kwargs):
        return function(*args, **kwargs)
    before = Contents()
    if isinstance(function, _BUILTIN):  # it reaches no more than its object, and an `out`
        stores = own_name(function) in writing_names()
        arrays = [x for x in (*args, *kwargs.values()) if isinstance(x, np.ndarray)]
        before.add((getattr(function, "__self__", None), args, kwargs) if stores else arrays)
    else:
        before.add((args, kwargs))
        before.add(function, may_grow=True)
    result = function(*args, **kwargs)
    if before.restored():
        raise MutationError(
            f"`{getattr(function, '__name__', function)}` changes what it is given, or can reach",
            "the forward pass may have kept it, and the derivative needs it as it was",
            "change a copy, or return a new value",
            calling_place(),
        )
    return result


def _values_of(f: types.FunctionType) -> Iterator[Any]:
    """Objects that a function can reach by a name: globals, what modules hold, what it captures, and defaults."""
    todo = [f.__code__]
    while todo:
        code = todo.pop()
        todo += [const for const in code.co_consts if isinstance(const, types.CodeType)]
        for name in code.co_names:
            value = f.__globals__.get(name)
            yield value
            if isinstance(value, types.ModuleType) and is_users(getattr(value, "__file__", None) or ""):
                yield from (vars(value)[inner] for inner in code.co_names if inner in vars(value))
    yield from held_by(f)


class Contents:
    """Contents of containers and arrays, so that they can be compared and put back.

    >>> xs = [1.0, [2.0]]
    >>> before = Contents()
    >>> before.add(xs)
    >>> xs[1].append(3.0)
    >>> before.restored(), xs
    (True, [1.0, [2.0]])
    """

    def __init__(self) -> None:
        self.held: dict[int, tuple[Any, Any, bool]] = {}

    def add(self, value: Any, may_grow: bool = False) -> None:
        """Note what can be reached from a value; what `may_grow` may be added to: a log, a table of results."""
        todo = [value]
        while todo:
            x = todo.pop()
            if type(x) in _NUMBERS or id(x) in self.held:
                continue
            if isinstance(x, np.ndarray):
                self.held[id(x)] = x, np.array(x.view(np.ndarray)), False  # what a class makes of it is its own
                continue
            copied = x.copy() if isinstance(x, (list, dict, set, bytearray, deque)) else None
            self.held[id(x)] = x, copied, may_grow
            todo.extend(_parts(x))  # `+=` asks a class of lists first

    def restored(self) -> bool:
        """Put back what has changed; whether anything had."""
        changed = False
        for x, copied, may_grow in self.held.values():
            if copied is None or _is_same(x, copied, may_grow):
                continue
            changed = True
            if isinstance(x, np.ndarray):
                x.view(np.ndarray)[...] = copied
                continue
            x.clear()
            x.update(copied) if isinstance(x, (dict, set)) else x.extend(copied)
        return changed


def _parts(x: Any) -> Iterable[Any]:
    """Contents of an object."""
    if isinstance(x, dict):
        return x.values()
    if isinstance(x, (list, tuple, set, deque)):
        return x
    if type(x) is types.FunctionType:
        return _values_of(x) if is_users(x.__code__.co_filename) else ()
    if isinstance(x, property):
        return x.fget, x.fset
    if isinstance(x, classmethod):
        return (x.__func__,)
    held = classify(x).reaches if callable(x) else ()
    return [*held, *_of_users(x)]


def _of_users(x: Any) -> Iterable[Any]:
    """Contents of an object or class of the user's."""
    cls = x if isinstance(x, type) else type(x)
    module = sys.modules.get(cls.__module__)
    if isinstance(x, types.ModuleType) or not is_users(getattr(module, "__file__", None) or "-packages"):
        return ()
    if isinstance(x, type):
        return [*vars(x).values(), *x.__bases__]
    slots = [name for cls in type(x).__mro__ for name in getattr(cls, "__slots__", ()) if isinstance(name, str)]
    return [cls, *(own_dict(x) or {}).values(), *own_slots(x, slots).values()]


def _is_same(x: Any, copied: Any, may_grow: bool) -> bool:
    if isinstance(x, np.ndarray):
        return bool(x.shape == copied.shape and x.view(np.ndarray).tobytes() == copied.tobytes())
    if isinstance(x, (set, bytearray)):
        return bool(x == copied)
    if isinstance(x, dict):
        grown = len(x) > len(copied) and not may_grow
        return not grown and all(x.get(key, x) is value for key, value in copied.items())
    if len(x) != len(copied) and not (may_grow and len(x) > len(copied) and not _is_read_by_callers(x)):
        return False
    return all(a is b for a, b in zip(x, copied, strict=False))


_FACES = ("adjoint.api", "adjoint.gradients")
"""Modules whose functions are called to differentiate another one."""


def _is_read_by_callers(x: Any) -> bool:
    """Tell whether a function that is being differentiated has a variable for an object, or names a global that it
    is."""
    frame: types.FrameType | None = sys._getframe(3)
    while frame is not None and frame.f_globals.get("__name__") not in _FACES:
        named = [frame.f_globals.get(name) for name in frame.f_code.co_names]
        if any(value is x for value in (*frame.f_locals.values(), *named)):
            return True
        frame = frame.f_back
    return False
