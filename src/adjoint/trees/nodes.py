"""The nodes of a model, one at a time: the parts of one, and the same node made of others."""

from __future__ import annotations

import copy
import numbers
from collections import deque
from enum import Enum
from functools import cached_property, partial
from types import MappingProxyType, MethodType, SimpleNamespace
from typing import Any

import numpy as np

from ..errors import StructureError, calling_place
from ..rules.libraries import load_seen
from ..tangents import Tangent, get_own, new_tangent, own_dict
from ..tangents.data import holds_data
from ..tangents.fields import record_fields
from ..tangents.static import Marks, marks_of
from ..tangents.structural import class_of, fields_of

HOW_STATIC = "the field of a dataclass as `nn.field(static=True)`, of another class by `_static_ = ('name',)` in it"


def is_number(x: Any) -> bool:
    """True if `x` is a number or an array: flags are none, and arrays of texts and of times are none."""
    if isinstance(x, np.ndarray):
        return x.dtype.kind not in "SUMm"
    return isinstance(x, numbers.Number) and not isinstance(x, (bool, np.bool_))


def is_parameter(x: Any) -> bool:
    """Tell whether `x` is a number or an array that can be moved by a little: integers cannot."""
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
"""The readers of the parts of objects of a class; forgotten when there are many."""
_UNKNOWN = object()
MAX_CLASSES = 500


def _reader_of(model: Any) -> Any:
    if is_number(model) or isinstance(model, (bool, np.bool_, np.ndarray)):
        return None
    if isinstance(model, (tuple, list, deque)):
        return lambda model: dict(enumerate(model))
    if isinstance(model, dict):
        return lambda model: model
    if isinstance(model, Tangent):
        return fields_of
    if isinstance(model, MethodType):
        return lambda method: {"__self__": method.__self__}
    if isinstance(model, partial):
        return lambda f: {"func": f.func, "args": f.args, "keywords": f.keywords} | _fields_in(f)
    if isinstance(model, (type, Enum)):
        return None
    return _fields_in if _is_record(type(model)) else None


def _is_record(cls: type) -> bool:
    """True if objects of a class have fields: it is written in Python, and no function, module or library of data."""
    if any([base.__module__.startswith("scipy.") for base in cls.__mro__]):
        load_seen()  # with the rules of a library comes what its objects hold
    in_python = isinstance(vars(cls).get("__module__"), str)
    return (in_python or cls is SimpleNamespace) and not holds_data(cls)


def _fields_in(record: Any) -> dict[str, Any]:
    """The fields of a record that have derivatives; those of a dataclass in its order.

    What a cached property has kept is none: it belongs to the numbers of this very record.
    """
    found = record_fields(record) or {}
    cls = type(record)
    first = [name for name in getattr(cls, "__dataclass_fields__", ()) if name in found]
    if not first and not _cached(cls):
        return found
    cached = _cached(cls)
    return {name: found[name] for name in dict.fromkeys([*first, *found]) if name not in cached}


def holds_unseen(model: Any) -> list[Any] | None:
    """The contents of a container whose items have no places, or cannot be made others; `None` of all else."""
    if isinstance(model, (set, frozenset)):
        return [*model]
    return [*model.values()] if isinstance(model, MappingProxyType) else None


def marks_in(model: Any) -> Marks:
    """The parts of a node that are static, and those that are buffers; of a gradient, as the record has them that it is
    of."""
    return marks_of(class_of(model) if isinstance(model, Tangent) else type(model))


def buffers(model: Any) -> frozenset[str]:
    """The parts of a record that are buffers: leaves that are no parameters."""
    return marks_in(model).buffers


def unknown_lists(model: Any, marks: Marks, parts: dict[Any, Any]) -> list[tuple[str, str]]:
    """The names that the class of a record lists as static or as buffers, and the record has not: by which
    attribute."""
    if not marks.listed or type(model) is Tangent:
        return []
    return [(attribute, name) for attribute, name in marks.listed if name not in parts]


def names_of(model: Any, keys: list[Any]) -> list[str]:
    """The names in a path of the parts with these keys: those of a named tuple by name."""
    fields = getattr(model, "_fields", None) if isinstance(model, tuple) else None
    return [*fields] if fields else [str(key) for key in keys]


def has_identity(x: Any) -> bool:
    """Tell whether it matters that two places have the very same: not of numbers, strings and tuples."""
    return type(x) not in _VALUES and not isinstance(x, (tuple, int, float, complex, str, bytes, np.generic))


_VALUES = frozenset([tuple, int, float, complex, str, bytes, bool, type(None)])


def rebuilt(model: Any, parts: dict[Any, Any], changed: dict[Any, Any]) -> Any:
    """A copy of a node in which some parts are others, and all else of `parts` is what it is, whatever copies make."""
    if isinstance(model, (tuple, list, deque)):
        return _sequence(model, [*(parts | changed).values()])
    if isinstance(model, Tangent):
        return new_tangent(class_of(model), parts | changed)
    if isinstance(model, MethodType):
        return MethodType(model.__func__, changed["__self__"])
    new = _copied(model)
    if isinstance(model, dict):
        for key, value in (parts | changed).items():  # past the `update` of a counter, which would add
            dict.__setitem__(new, key, value)
        return new
    if isinstance(model, partial):
        func, args, keywords = [(parts | changed)[name] for name in ("func", "args", "keywords")]
        partial.__setstate__(new, (func, args, keywords, {**vars(model)}))  # type: ignore[attr-defined]
    # A frozen record, and one whose `__init__` does more than store, are rebuilt alike: copied, then filled.
    _fill(new, parts | changed)
    return new


def _copied(model: Any) -> Any:
    """A copy of a record or a dict, which is to be filled: another object, with parts of the same names."""
    new = copy.copy(model)
    if new is model:
        why = "cannot be copied"
    elif type(new) is not type(model):
        why = f"is copied into a {type(new).__name__}"
    elif _has_other_parts(new, model):
        why = "is copied into one with other fields or keys"
    else:
        return new
    raise StructureError(
        f"a {type(model).__name__} holds numbers and {why}, so that it cannot be mapped over",
        "what is mapped over is made anew with other numbers",
        f"let that be static: {HOW_STATIC}",
        calling_place(),
    )


def _has_other_parts(new: Any, model: Any) -> bool:
    """True if a copy has parts that its model has not; a dict may not lack any, whose keys have an order."""
    found, known = (parts_of(new) or {}).keys(), (parts_of(model) or {}).keys()
    return found != known if isinstance(model, dict) else not found <= known


def _sequence(model: Any, items: list[Any]) -> Any:
    """A list, tuple or deque of a class with other items: its `__init__` is not called, and it keeps its fields."""
    cls = type(model)
    if cls is list:
        return items
    if isinstance(model, tuple):
        try:
            new = tuple.__new__(cls, items)
        except TypeError:  # a class in C, such as that of `time.localtime()`
            return cls(items)
    else:
        new = copy.copy(model)
        new.clear()
        new.extend(items)
    if fields := own_dict(model):
        get_own(new, "__dict__").update(fields)
    return new


def _fill(record: Any, changed: dict[str, Any]) -> None:
    """Store fields past whatever the class makes of storing them, and forget what was cached of others."""
    own = own_dict(record)
    for name, value in changed.items():
        if own is not None and name in own:
            own[name] = value
        elif name not in _OF_PARTIALS or not isinstance(record, partial):
            object.__setattr__(record, name, value)
    for name in _cached(type(record)) & own.keys() if own else ():
        del own[name]


_OF_PARTIALS = frozenset(["func", "args", "keywords"])


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
