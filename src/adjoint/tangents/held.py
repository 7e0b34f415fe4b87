"""The fields that an object holds itself: never asked of its `__getattr__`, which may answer for another object."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from types import GetSetDescriptorType
from typing import Any

_BY_THEMSELVES = (type, threading.local)
"""Classes that find the `__dict__` of their objects in a way of their own: for a `local`, that of this thread."""


def own_dict(x: Any) -> Any:
    """The `__dict__` of an object, a module or a class; None if it has none.

    >>> class Proxy:
    ...     __slots__ = ("inner",)
    ...     def __getattr__(self, name): return getattr(self.inner, name)
    >>> own_dict(Proxy()) is None
    True
    """
    if isinstance(x, _BY_THEMSELVES):
        return x.__dict__
    try:
        return object.__getattribute__(x, "__dict__")
    except AttributeError:
        return None


def has_own_dict(cls: type) -> bool:
    """Tell whether the objects of a class have a `__dict__` as Python gives it: a class, or a proxy that is written in
    C, may make something else of that name."""
    found = [vars(base)["__dict__"] for base in cls.__mro__ if "__dict__" in vars(base)]
    return bool(found) and _is_given(found[0]) and not issubclass(cls, type)


class _Plain:
    """A class whose objects have a `__dict__`."""


def _is_given(x: Any) -> bool:
    return type(x) is GetSetDescriptorType and x.__doc__ == vars(_Plain)["__dict__"].__doc__


get_own = object.__getattribute__
"""An attribute of an object, past what its class makes of it: `get_own(x, "__dict__")`."""


def own_slots(x: Any, names: Iterable[str]) -> dict[str, Any]:
    """The values that the slots of these names hold, of those that hold something."""
    found = {}
    for name in names:
        try:
            found[name] = object.__getattribute__(x, name)
        except AttributeError:
            continue
    return found
