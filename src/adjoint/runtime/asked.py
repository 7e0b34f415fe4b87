"""Special methods that C code runs by itself, where nobody follows what they store."""

from __future__ import annotations

from typing import Any

from ..identity import IdentityMap
from ..origin import is_users_class
from ..rules.libraries import on_change
from ..rules.registry import non_differentiable
from .implicit_calls import PLAIN, storing_methods
from .layouts import Layout, layout_of
from .names import AS_ARRAY, COPYING, SPECIAL_METHODS
from .reaching import CONTAINERS, asking_of
from .wrapped import check_special

_HIDING: IdentityMap[tuple[Layout, frozenset[str]]] = IdentityMap()
"""The methods of classes that C code asks for, and that may store."""
_NONE: frozenset[str] = frozenset()
_HIDDEN = SPECIAL_METHODS | AS_ARRAY | COPYING | {"__call__"}

on_change.append(_HIDING.clear)


def hidden_methods(cls: type, names: frozenset[str] = SPECIAL_METHODS) -> frozenset[str]:
    """The special methods of a class that may store into something that they did not make, of those with these names.

    >>> class Counted:
    ...     def __lt__(self, other):
    ...         self.count += 1
    ...         return True
    >>> hidden_methods(Counted), hidden_methods(complex)
    (frozenset({'__lt__'}), frozenset())
    """
    if cls in PLAIN or cls.__module__ == "builtins":
        return _NONE
    known = _HIDING.get(cls)
    if known is None or known[0] is not layout_of(cls):
        known = _HIDING[cls] = layout_of(cls), storing_methods(cls, _HIDDEN)
    return known[1] & names


def storing(x: Any, names: frozenset[str], depth: int = 4) -> str | None:
    """The special method that stores, of those with these names, that C code may run for an object: one of its class,
    or of another object that its own method may ask in turn (`len(self.items)`).

    >>> class Counted:
    ...     def __len__(self):
    ...         self.count += 1
    ...         return 2
    >>> class Holder:
    ...     def __init__(self):
    ...         self.items = {"all": Counted()}
    ...     def __len__(self):
    ...         return len(self.items["all"])
    >>> storing(Holder(), frozenset(["__len__"]))
    'Counted.__len__'
    """
    cls = type(x)
    if cls in CONTAINERS:
        return _storing_in(x, names, depth)
    if cls in PLAIN or cls.__module__ == "builtins":
        return None
    if is_users_class(cls):
        check_special(cls)
    if found := hidden_methods(cls, names):
        return f"{cls.__name__}.{min(found)}"
    asking = asking_of(cls, names)
    if not asking.functions:
        return None
    if found := hidden_methods(cls, asking.special):
        return f"{cls.__name__}.{min(found)}"
    return _storing_in(asking.reached(x), _HIDDEN, depth)


def _storing_in(held: Any, names: frozenset[str], depth: int) -> str | None:
    """The same of all that is in a container."""
    if not depth:
        return None
    for part in (held, held.values()) if isinstance(held, dict) else (held,):
        if not PLAIN.issuperset(map(type, part)):
            for item in part:
                if found := storing(item, names, depth - 1):
                    return found
    return None


non_differentiable(hidden_methods, storing)
