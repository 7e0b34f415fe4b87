"""Plain calls of functions that may change what the forward pass has kept: what they can reach is looked at afterwards.

The forward pass keeps arrays and lists for the reverse pass as they are. A function of the user's that is called
without being differentiated may store into them. Where its code says that it stores nowhere it is called as it is;
else what it is given, what it captures and the globals it names are compared with what they were before. If something
changed, it is put back, and the call is refused.
"""

from __future__ import annotations

import dis
import functools
import itertools
import math
import operator
import sys
import types
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..errors import MutationError, calling_place
from ..origin import is_users
from .changes import MUTATORS

_STORES = frozenset({"STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE", "STORE_GLOBAL"})
_UNKNOWN = frozenset({"exec", "eval", "setattr", "delattr", "vars", "globals", "locals", "getattr"})
_NAMES = MUTATORS | {
    *("__setitem__", "__delitem__", "__setattr__", "__iadd__", "byteswap", "shuffle", "at", "copyto", "place"),
    *("putmask", "fill_diagonal", "put_along_axis", "setitem", "delitem", "nditer", "heappush", "heappop", "heapify"),
    *("heapreplace", "heappushpop", "insort", "insort_left", "insort_right", "permuted"),
    *(f"i{name}" for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "concat")),
}
"""Names of functions and methods that store."""
_KINDS = (str, bytes, int, float, complex, list, tuple, dict, set, range, np, np.ndarray, np.linalg, math)
_HARMLESS = frozenset(name for kind in (*_KINDS, itertools, functools, operator) for name in dir(kind)) - _NAMES
"""Names of methods that store nothing, unless a class of the user's says otherwise."""
_NUMBERS = frozenset({int, float, complex, bool, str, bytes, type(None), np.float64})
MAX_FUNCTIONS = 100
_KNOWN: dict[types.CodeType, bool] = {}
MAX_KNOWN = 1000


def may_store(function: Any) -> bool:
    """Whether a function, or one that it calls, may store into what it did not make: by its code alone.

    >>> def total(m): return sum(m)
    >>> may_store(total), may_store(lambda m: m.sort())
    (False, True)
    """
    found = list(_reached(function))
    return len(found) >= MAX_FUNCTIONS or any(_stores(f.__code__) for f in found)


def _reached(function: Any) -> Iterator[types.FunctionType]:
    """A function, and those that it may call as far as names tell."""
    seen: set[int] = set()
    todo = [function]
    while todo and len(seen) < MAX_FUNCTIONS:
        f = todo.pop()
        f = getattr(f, "__func__", f)
        if id(f) in seen:
            continue
        seen.add(id(f))
        if isinstance(f, type):
            todo += [vars(cls)[name] for cls in f.__mro__[:-1] for name in ("__init__", "__new__") if name in vars(cls)]
        elif isinstance(f, types.FunctionType) and is_users(f.__code__.co_filename):
            yield f
            todo += [value for value in _values_of(f) if callable(value)]


def _stores(code: types.CodeType) -> bool:
    """Whether the code of a function has a store, or a call of a method that may be one."""
    known = _KNOWN.get(code)
    if known is None:
        if len(_KNOWN) > MAX_KNOWN:
            _KNOWN.clear()
        inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
        writes = any(isinstance(const, tuple) and "out" in const for const in code.co_consts)  # a keyword
        known = writes or any(map(_is_store, dis.get_instructions(code))) or any(map(_stores, inner))
        _KNOWN[code] = known
    return known


def _is_store(i: dis.Instruction) -> bool:
    if i.opname in _STORES or i.opname == "BINARY_OP" and i.argrepr.endswith("="):
        return True
    if i.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
        return i.argval in _UNKNOWN or i.argval in _NAMES
    called = i.opname == "LOAD_METHOD" or i.opname in ("LOAD_ATTR", "LOAD_SUPER_ATTR") and "NULL|self" in i.argrepr
    if called and i.argval not in _HARMLESS:
        return True
    return i.opname in ("LOAD_ATTR", "LOAD_METHOD") and i.argval in _NAMES


def _values_of(f: types.FunctionType) -> Iterator[Any]:
    """What a function can reach by a name: globals and what it captures."""
    todo = [f.__code__]
    while todo:
        code = todo.pop()
        todo += [const for const in code.co_consts if isinstance(const, types.CodeType)]
        yield from (f.__globals__[name] for name in code.co_names if name in f.__globals__)
    for cell in f.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not bound yet
            continue
    yield from f.__defaults__ or ()


def watched(function: Any, *args: Any, **kwargs: Any) -> Any:
    """`function(*args, **kwargs)`, refused if it changed an array, list or dict that it was given or can reach."""
    code = isinstance(getattr(function, "__func__", function), types.FunctionType)
    own = isinstance(vars(type(function)).get("__call__"), types.FunctionType)
    passed = any(callable(x) and not isinstance(x, type) for x in (*args, *kwargs.values()))
    fills = isinstance(getattr(function, "__self__", None), np.random.Generator)  # an `out` may be among the arguments
    if not own and not passed and not fills and not (code and may_store(function)):
        return function(*args, **kwargs)
    before = Contents()
    before.add((args, kwargs))
    before.add(function, may_grow=True)
    result = function(*args, **kwargs)
    if before.restored():
        raise MutationError(
            f"`{getattr(function, '__name__', function)}` changes what it is given",
            "the forward pass has kept it, and the derivative needs it as it was",
            "change a copy, or return a new value",
            calling_place(),
        )
    return result


class Contents:
    """What containers and arrays hold, so that it can be compared and put back.

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
                self.held[id(x)] = x, x.copy(), False
                continue
            copied = x.copy() if isinstance(x, list | dict | set | bytearray | deque) else None
            self.held[id(x)] = x, copied, may_grow
            todo += _parts(x)

    def restored(self) -> bool:
        """Put back what has changed; whether anything had."""
        changed = False
        for x, copied, may_grow in self.held.values():
            if copied is None or _is_same(x, copied, may_grow):
                continue
            changed = True
            if isinstance(x, np.ndarray):
                x[...] = copied
                continue
            x.clear()
            x.update(copied) if isinstance(x, dict | set) else x.extend(copied)
        return changed


def _parts(x: Any) -> Iterable[Any]:
    """What an object holds."""
    if isinstance(x, dict):
        return x.values()
    if isinstance(x, list | tuple | set | deque):
        return x
    if isinstance(x, types.FunctionType):
        return _values_of(x) if is_users(x.__code__.co_filename) else ()
    if isinstance(x, types.MethodType):
        return x.__func__, x.__self__
    if isinstance(x, functools.partial):
        return x.func, x.args, x.keywords
    module = sys.modules.get(type(x).__module__)
    if isinstance(x, type | types.ModuleType) or not is_users(getattr(module, "__file__", None) or ""):
        return ()
    slots = [name for cls in type(x).__mro__ for name in getattr(cls, "__slots__", ()) if isinstance(name, str)]
    return [*getattr(x, "__dict__", {}).values(), *(getattr(x, name) for name in slots if hasattr(x, name))]


def _is_same(x: Any, copied: Any, may_grow: bool) -> bool:
    if isinstance(x, np.ndarray):
        return bool(x.shape == copied.shape and x.tobytes() == copied.tobytes())
    if isinstance(x, set | bytearray):
        return may_grow or bool(x == copied)
    if len(x) < len(copied) or len(x) > len(copied) and not may_grow:
        return False
    if isinstance(x, dict):
        return all(x.get(key, x) is value for key, value in copied.items())
    return all(a is b for a, b in zip(x, copied, strict=False))
