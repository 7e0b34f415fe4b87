"""Fields of records: what the objects of a class hold, and which of it carries a derivative."""

from __future__ import annotations

import functools
import inspect
import types
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .data import holds_data
from .held import get_own, has_own_dict, own_dict, own_slots
from .structural import Tangent, fields_of
from .tables import kind_of

_OPAQUE = (str, bytes, int, float, complex, type, type(None), range, slice, type(np), np.dtype)


@dataclass(frozen=True, slots=True)
class Opaque:
    """The form of a function, an iterator or whatever else is neither a number nor made of numbers."""

    what: str
    kinds: tuple[type, ...]
    """Of what classes its cotangents are."""


def record_fields(x: Any) -> dict[str, Any] | None:
    """The fields of a user's record, or of a cotangent; None if `x` is neither."""
    cls = type(x)
    slots = _SLOTS.get(cls)
    if slots is None:
        if cls is Tangent:
            return fields_of(x)
        if cls is Opaque:
            return None
        carried = _CARRIED.get(cls)
        if carried is not None:
            return {name: getattr(x, name) for name in carried} or None
        if len(_SLOTS) > MAX_CLASSES:
            for known in (_SLOTS, WITH_DICT, WITH_SLOTS):
                known.clear()
        slots = _SLOTS[cls] = _slots_of(x)
        if slots == () and not issubclass(cls, functools.partial) and has_own_dict(cls):
            WITH_DICT.add(cls)
        elif slots and not has_own_dict(cls):
            WITH_SLOTS.add(cls)
    if slots is False:
        return None
    fields: dict[str, Any] = own_dict(x) or {}
    if slots:
        fields = {**fields, **own_slots(x, slots)}
    return fields or None


def all_fields(x: Any) -> dict[str, Any] | None:
    """The same; of a `functools.partial` that has fields besides, with what it holds.

    >>> import functools
    >>> f = functools.partial(max, 1.0)
    >>> f.scale = 2.0
    >>> all_fields(f)
    {'func': <built-in function max>, 'args': (1.0,), 'keywords': {}, 'scale': 2.0}
    """
    if type(x) in WITH_DICT:
        return get_own(x, "__dict__") or None
    fields = record_fields(x)
    if fields is None or not isinstance(x, functools.partial):
        return fields
    return {"func": x.func, "args": x.args, "keywords": x.keywords, **fields}


_HOLDING = (tuple, list, dict, deque, np.ndarray)


def has_besides(cls: type) -> Any:
    """False of a class whose objects hold nothing but fields, or nothing but items; else the names of its slots."""
    names = _BESIDES.get(cls)
    if names is None:
        if len(_BESIDES) > MAX_CLASSES:
            _BESIDES.clear()
        holding = issubclass(cls, _HOLDING) and cls not in _CARRIED
        names = _BESIDES[cls] = holding and (_slot_names(cls) or cls.__dictoffset__ != 0 and ())
    return names


def fields_besides(x: Any) -> dict[str, Any] | None:
    """The fields of a container or an array of a user's class, besides what it holds; None if it has none.

    A number of such a class is differentiated by its value alone.

    >>> class Scaled(list): pass
    >>> xs = Scaled([1.0])
    >>> xs.scale = 2.0
    >>> fields_besides(xs), fields_besides([1.0])
    ({'scale': 2.0}, None)
    """
    names = has_besides(type(x))
    if names is False:
        return None
    own = own_dict(x)
    fields = own if type(own) is dict else {}
    return ({**fields, **own_slots(x, names)} if names else fields) or None


def holds_besides(x: Any, depth: int = 6) -> bool:
    """Tell whether a value, or something in it, is a container or an array that has fields besides.

    >>> class Scaled(list): pass
    >>> xs = Scaled([1.0])
    >>> xs.scale = 2.0
    >>> holds_besides({"a": [xs]}), holds_besides({"a": [[1.0]]})
    (True, False)
    """
    if type(x) in _NO_FIELDS or depth == 0:
        return False
    if fields_besides(x):
        return True
    if not isinstance(x, (list, tuple)):
        x = (x if isinstance(x, dict) else record_fields(x) or {}).values()
    return any([holds_besides(item, depth - 1) for item in x])


_NO_FIELDS = frozenset([float, int, bool, complex, str, type(None), np.ndarray, np.float64])


def _slot_names(cls: type) -> tuple[str, ...]:
    return tuple([name for base in cls.__mro__ for name in _own_slot_names(base)])


def slots_of(x: Any) -> dict[str, Any]:
    """Read what the slots of any object hold; no code of its class runs.

    >>> class Point:
    ...     __slots__ = ("x", "y")
    >>> point = Point()
    >>> point.x = 1.0
    >>> slots_of(point)
    {'x': 1.0}
    """
    cls = type(x)
    names = [n for n in _slot_names(cls) if isinstance(inspect.getattr_static(cls, n), types.MemberDescriptorType)]
    return own_slots(x, names)


def _own_slot_names(cls: type) -> list[str]:
    """The slots of a class as its objects have them: private ones by the name that Python gives them."""
    names = cls.__dict__.get("__slots__", ())
    private = f"_{cls.__name__.lstrip('_')}"
    return [
        private + name if name[:2] == "__" and name[-2:] != "__" else name
        for name in ((names,) if isinstance(names, str) else names)
        if name not in ("__dict__", "__weakref__")
    ]


_BESIDES: dict[type, Any] = {}
"""The slots of such a class, False for any other; forgotten when there are many."""

_CARRIED: dict[type, tuple[str, ...]] = {}
"""The fields that carry a derivative, of classes of libraries that have others too."""


def carry(cls: type, names: tuple[str, ...], contents: Callable[[Any], Any] | None = None) -> None:
    """Declare which fields of a class carry a derivative; and for one whose objects change and have a `copy()`, the
    arrays that tell whether one was changed."""
    _CARRIED[cls] = names
    _BESIDES.pop(cls, None)
    _SLOTS.pop(cls, None)
    WITH_DICT.discard(cls)
    WITH_SLOTS.discard(cls)
    if contents is not None:
        _CONTENTS[cls] = contents


def carried(cls: type) -> tuple[str, ...] | None:
    """The fields of a class of a library that carry a derivative; None if that was not declared."""
    return _CARRIED.get(cls)


def contents_carried(x: Any) -> Any:
    """The arrays that tell whether an object of such a class was changed; None for any other object."""
    contents = _CONTENTS.get(type(x))
    return None if contents is None else contents(x)


def hides_zeros(cls: Any) -> bool:
    """Tell whether the cotangents of a class leave out what flows to zeros that its objects do not store."""
    return cls in _CONTENTS


_CONTENTS: dict[type, Callable[[Any], Any]] = {}


def carry_whole(cls: type) -> None:
    """Declare that a class of a library, which has no fields and does not change, carries a derivative as numbers do:
    by value."""
    _WHOLE.add(cls)


def is_carried_whole(x: Any) -> bool:
    """Tell whether a value is of such a class, or a labelled array of numbers."""
    return type(x) in _WHOLE or kind_of(x) is not None


_WHOLE: set[type] = set()


_SLOTS: dict[type, Any] = {}
"""By class; forgotten when there are many."""
WITH_DICT: set[type] = set()
"""Of these the classes whose objects have all their fields in their `__dict__`."""
WITH_SLOTS: set[type] = set()
"""Those whose objects have slots alone."""
MAX_CLASSES = 500


def _slots_of(x: Any) -> Any:
    """The slots of a class of records, False for any other class."""
    if isinstance(x, _OPAQUE) or hasattr(type(x), "__code__") or holds_data(type(x)):
        return False
    return _slot_names(type(x))
