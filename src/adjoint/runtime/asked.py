"""What C code asks an object by: special methods that it runs by itself, where nobody follows what they store."""

from __future__ import annotations

import types
from collections.abc import Iterable
from typing import Any

from ..identity import IdentityMap
from ..rules.libraries import on_change
from ..rules.registry import non_differentiable
from ..tangents import own_dict
from .hidden import PLAIN, storing_methods
from .layouts import Layout, layout_of

_NAMES = """
    lt le eq ne gt ge bool len contains hash int float complex index str repr format bytes abs round trunc floor ceil
    divmod rdivmod reversed length_hint dir missing instancecheck subclasscheck array del
"""
SPECIAL_METHODS = frozenset([f"__{name}__" for name in _NAMES.split()])
_NUMERIC = """
    array len length_hint getitem iter next float complex int index bool neg pos abs invert lt le eq ne gt ge
    add sub mul truediv floordiv mod pow matmul lshift rshift or xor and
    radd rsub rmul rtruediv rfloordiv rmod rpow rmatmul rlshift rrshift ror rxor rand
"""
AS_ARRAY = frozenset([f"__{name}__" for name in _NUMERIC.split()])
"""What NumPy asks an object that it is given for numbers: for these, or, in an array of objects, for its operators."""

OF_ITEMS = ("__len__", "__getitem__", "__iter__")
"""What a sequence is asked for its items."""

_HIDING: IdentityMap[tuple[Layout, frozenset[str]]] = IdentityMap()
"""The methods of classes that C code asks for, and that may store."""
_NONE: frozenset[str] = frozenset()

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
        known = _HIDING[cls] = layout_of(cls), storing_methods(cls, SPECIAL_METHODS | AS_ARRAY)
    return known[1] & names


def storing(x: Any, names: frozenset[str], depth: int = 4) -> str | None:
    """The special method that stores, of those with these names, that C code may run for an object: one of its class,
    or of what the object holds, which its own method may ask in turn (`len(self.items)`).

    >>> class Counted:
    ...     def __len__(self):
    ...         self.count += 1
    ...         return 2
    >>> class Holder:
    ...     def __init__(self):
    ...         self.items = Counted()
    ...     def __len__(self):
    ...         return len(self.items)
    >>> storing(Holder(), frozenset(["__len__"]))
    'Counted.__len__'
    """
    cls = type(x)
    if cls in PLAIN or cls.__module__ == "builtins" and cls not in (list, tuple):
        return None
    if found := hidden_methods(cls, names):
        return f"{cls.__name__}.{min(found)}"
    held: Iterable[Any] = x if cls is list or cls is tuple else _held(x, names)
    if not depth or PLAIN.issuperset(map(type, held)):
        return None
    return next(filter(None, [storing(item, names, depth - 1) for item in held]), None)


def _held(x: Any, names: frozenset[str]) -> Iterable[Any]:
    """What an object holds that has one of these methods in Python."""
    fields = own_dict(x)
    if not isinstance(fields, dict) or isinstance(x, type | types.ModuleType):
        return ()
    cls = type(x)
    return fields.values() if any([type(getattr(cls, n, None)) is types.FunctionType for n in names]) else ()


non_differentiable(hidden_methods, storing)
