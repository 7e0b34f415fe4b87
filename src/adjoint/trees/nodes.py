"""What a model is made of, one node at a time: its parts, and the same node made of others."""

from __future__ import annotations

import copy
import numbers
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np

from ..tangents import Tangent, new_tangent
from ..tangents.static import buffer_fields, static_fields
from ..tangents.structural import class_of, fields_of


def is_number(x: Any) -> bool:
    """Whether `x` is a number or an array: flags are none."""
    return isinstance(x, np.ndarray) or (isinstance(x, numbers.Number) and not isinstance(x, (bool, np.bool_)))


def is_parameter(x: Any) -> bool:
    """Whether `x` is a number or an array that can be moved by a little: integers cannot."""
    return is_number(x) and np.asarray(x).dtype.kind in "fc"


def parts_of(model: Any) -> dict[Any, Any] | None:
    """The parts of a node by index, key or name; `None` for what has none.

    >>> parts_of([1.0, "a"]), parts_of("a")
    ({0: 1.0, 1: 'a'}, None)
    """
    cls = type(model)
    reader = _READERS.get(cls, _UNKNOWN)
    if reader is _UNKNOWN:
        if len(_READERS) > MAX_CLASSES:
            _READERS.clear()
        reader = _READERS[cls] = _reader_of(model)
    return None if reader is None else reader(model)


_READERS: dict[type, Any] = {}
"""How the parts of objects of a class are read; forgotten when there are many."""
_UNKNOWN = object()
MAX_CLASSES = 500


def _reader_of(model: Any) -> Any:
    if is_number(model) or isinstance(model, (bool, np.bool_)):
        return None
    if isinstance(model, (tuple, list)):
        return lambda model: dict(enumerate(model))
    if isinstance(model, dict):
        return lambda model: model
    if isinstance(model, Tangent):
        return fields_of
    if isinstance(model, (type, Enum)):
        return None
    if is_dataclass(model):
        names = [field.name for field in fields(model)]
        return lambda model: {name: getattr(model, name) for name in names if hasattr(model, name)}
    # An instance of a class written in Python: no function, module or C object.
    return _state if isinstance(vars(type(model)).get("__module__"), str) else None


def static_parts(model: Any) -> frozenset[str]:
    """Which parts of a record are static; of a gradient, those of the record that it is of."""
    cls = _class_of(model)
    return static_fields(cls) - buffer_fields(cls)


def buffers(model: Any) -> frozenset[str]:
    """Which parts of a record are buffers: leaves that are no parameters."""
    return buffer_fields(_class_of(model))


def _class_of(model: Any) -> Any:
    return class_of(model) if isinstance(model, Tangent) else type(model)


def names_of(model: Any, keys: list[Any]) -> list[str]:
    """How the parts with these keys are called in a path: those of a named tuple by name."""
    fields = getattr(model, "_fields", None) if isinstance(model, tuple) else None
    return [*fields] if fields else [str(key) for key in keys]


def has_identity(x: Any) -> bool:
    """Whether it matters that two places have the very same: not of numbers, strings and tuples."""
    return type(x) not in _VALUES and not isinstance(x, (tuple, int, float, complex, str, bytes, np.generic))


_VALUES = frozenset([tuple, int, float, complex, str, bytes, bool, type(None)])


def rebuilt(model: Any, parts: dict[Any, Any], changed: dict[Any, Any]) -> Any:
    """A copy of a node in which some parts are others."""
    if isinstance(model, tuple) and hasattr(model, "_make"):
        return model._make((parts | changed).values())
    if isinstance(model, (tuple, list)):
        return type(model)((parts | changed).values())
    if isinstance(model, Tangent):
        return new_tangent(class_of(model), parts | changed)
    new = copy.copy(model)
    if new is model:
        raise TypeError(f"{type(model).__name__} holds numbers but cannot be copied, so it cannot be mapped over")
    if isinstance(model, dict):
        new.update(changed)
        return new
    # A frozen record, and one whose `__init__` does more than store, are rebuilt alike: copied, then filled.
    for name, value in changed.items():
        object.__setattr__(new, name, value)
    for name in _cached(type(model)) & vars(new).keys() if hasattr(new, "__dict__") else ():
        del new.__dict__[name]
    return new


def _state(record: Any) -> dict[str, Any]:
    slots = [name for cls in type(record).__mro__ for name in _slot_names(cls)]
    state = {name: getattr(record, name) for name in slots if hasattr(record, name)}
    cached = _cached(type(record))
    return state | {name: value for name, value in getattr(record, "__dict__", {}).items() if name not in cached}


def _slot_names(cls: type) -> list[str]:
    names = vars(cls).get("__slots__", ())
    names = [names] if isinstance(names, str) else list(names)
    private = f"_{cls.__name__.lstrip('_')}"
    return [
        private + name if name.startswith("__") and not name.endswith("__") else name
        for name in names
        if name not in ("__dict__", "__weakref__")
    ]


def _cached(cls: type) -> frozenset[str]:
    """The names of the cached properties of a class."""
    found = _CACHED.get(cls)
    if found is None:
        if len(_CACHED) > MAX_CLASSES:
            _CACHED.clear()
        own = [name for base in cls.__mro__ for name, x in vars(base).items() if isinstance(x, cached_property)]
        found = _CACHED[cls] = frozenset(own)
    return found


_CACHED: dict[type, frozenset[str]] = {}
