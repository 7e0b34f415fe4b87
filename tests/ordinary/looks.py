"""What values look like, to the last bit: numbers, structure, and which things are one and the same."""

from __future__ import annotations

from collections import deque
from enum import Enum
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from adjoint import Tangent

CONTAINERS = (list, tuple, dict, set, frozenset, deque)


def look(value: Any, known: dict[int, int] | None = None) -> tuple[Any, list[Any]]:
    """How `value` looks, and all that can be changed in it, in the order in which it was met.

    Two values look the same if nobody can tell them apart: the same bits, the same structure, the same things met
    again at the same places, arrays that overlap in the same way. `known` gives labels to what was there before, by id,
    so that what was changed in place looks different from what was replaced by something new.
    """
    nodes: list[Any] = []
    seen: dict[int, int] = {}
    arrays: list[Any] = []
    known = known or {}

    def met(x: Any) -> Any:
        seen[id(x)] = len(nodes)
        nodes.append(x)
        return known.get(id(x))

    def of(x: Any) -> Any:
        if isinstance(x, np.ndarray):
            return ("again", seen[id(x)]) if id(x) in seen else of_array(x)
        if isinstance(x, float | complex | np.generic):
            return type(x).__name__, np.asarray(x).tobytes().hex()
        if x is None or isinstance(x, bool | int | str | bytes | range | slice | type):
            return type(x).__name__, repr(x)
        if id(x) in seen:
            return "again", seen[id(x)]
        if isinstance(x, tuple | frozenset):
            return type(x).__name__, items_of(x)
        fields = fields_of(x)
        if not isinstance(x, CONTAINERS) and not fields:
            return type(x).__name__, getattr(x, "__qualname__", "")
        label = met(x)
        kind = type(x).__name__, getattr(x, "__qualname__", ""), getattr(x, "maxlen", None)
        items = items_of(x) if isinstance(x, CONTAINERS) else ()
        return kind, label, items, [(name, of(get(x, name))) for name in fields]

    def items_of(x: Any) -> Any:
        if isinstance(x, dict):
            return [(repr(key), of(item)) for key, item in x.items()]
        return sorted(map(repr, x)) if isinstance(x, set | frozenset) else [of(item) for item in x]

    def of_array(x: Any) -> Any:
        label = met(x)
        start = address(x)
        shares = [(k, start - address(a), x.strides) for k, a in enumerate(arrays) if np.shares_memory(a, x)]
        arrays.append(x)
        return (
            type(x).__name__,
            label,
            x.dtype.str,
            x.shape,
            x.flags.writeable,
            shares[:1],
            [of(item) for item in x.flat] if x.dtype.hasobject else x.tobytes().hex(),
        )

    return of(value), nodes


def same_bits(a: Any, b: Any) -> bool:
    """Whether two values are the same to the last bit."""
    return bool(look(a)[0] == look(b)[0])


def address(x: Any) -> int:
    """Where the first item of an array is in memory."""
    return int(x.__array_interface__["data"][0])


def fields_of(x: Any) -> list[str]:
    """The names of the fields of a user's object, and of the variables that a function captures."""
    if isinstance(x, FunctionType):
        cells = zip(x.__code__.co_freevars, x.__closure__ or (), strict=True)
        return [name for name, cell in cells if cell != type(cell)()]
    if isinstance(x, MethodType):
        return ["__self__"]
    if isinstance(x, Tangent):
        return list(x)
    if isinstance(x, Enum | ModuleType) or type(x).__module__ in ("builtins", "numpy", "collections", "functools"):
        return []
    slots = [name for cls in type(x).__mro__ for name in _slots_of(cls)]
    return [*(name for name in slots if hasattr(x, name)), *getattr(x, "__dict__", ())]


def _slots_of(cls: type) -> list[str]:
    slots = cls.__dict__.get("__slots__", ())
    names = [slots] if isinstance(slots, str) else list(slots)
    private = f"_{cls.__name__.lstrip('_')}"
    names = [private + name if name.startswith("__") and not name.endswith("__") else name for name in names]
    return [name for name in names if name not in ("__dict__", "__weakref__")]


def get(x: Any, name: str) -> Any:
    """A field of an object, or a variable that a function captures."""
    if isinstance(x, FunctionType):
        return cell_of(x, name).cell_contents
    if isinstance(x, Tangent):
        return x[name]
    own = getattr(x, "__dict__", {})
    return own[name] if name in own else getattr(x, name)


def put(x: Any, name: str, value: Any) -> None:
    """Give an object's field a value, without asking the object."""
    if isinstance(x, FunctionType):
        cell_of(x, name).cell_contents = value
    elif name in getattr(x, "__dict__", ()):
        x.__dict__[name] = value
    else:
        object.__setattr__(x, name, value)


def cell_of(f: Any, name: str) -> Any:
    """The cell of a captured variable."""
    return f.__closure__[f.__code__.co_freevars.index(name)]
