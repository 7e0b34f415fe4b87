"""Keys, and a mapping from objects by identity that does not keep them alive.

Equal code is not the same code: two modules can hold the same text, and two generated functions the same text with
other links.
"""

from __future__ import annotations

import enum
import weakref
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType, ModuleType
from typing import Any, Generic, TypeVar

V = TypeVar("V")


_BY_IDENTITY = frozenset([FunctionType, BuiltinFunctionType, MethodDescriptorType, type, ModuleType])
"""Types of what is looked up by what it is."""


def is_hashable(f: Any) -> bool:
    """Tell whether something can be looked up in a table: functions of `ctypes` have a `__hash__`, which raises.

    A `__hash__` that a program writes is not run: it may store into its object.

    >>> is_hashable(len), is_hashable([])
    (True, False)
    """
    if type(f) in _BY_IDENTITY:
        return True
    own = type(f).__hash__
    if own.__class__ is FunctionType and own is not enum.Enum.__hash__:
        return False
    try:
        hash(f)
    except TypeError:
        return False
    return True


class Same:
    """One object and no other, as a key: as long as it is kept here, no other one takes its place in memory."""

    __slots__ = ("x",)

    def __init__(self, x: Any) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.x is other.x

    def __hash__(self) -> int:
        return id(self.x)


class IdentityMap(Generic[V]):
    """Values by the identity of a key, forgotten when the key dies.

    >>> def f(): ...
    >>> m = IdentityMap()
    >>> m[f.__code__] = 1
    >>> m.get(f.__code__), m.get((lambda: 0).__code__)
    (1, None)
    """

    def __init__(self) -> None:
        self._entries: dict[int, tuple[weakref.ref[Any], V]] = {}

    def __setitem__(self, key: Any, value: V) -> None:
        entries, i = self._entries, id(key)
        entries[i] = (weakref.ref(key, lambda _: entries.pop(i, None)), value)

    def get(self, key: Any) -> V | None:
        entry = self._entries.get(id(key))
        return None if entry is None or entry[0]() is not key else entry[1]

    def __len__(self) -> int:
        return len(self._entries)

    def shorten(self, limit: int) -> None:
        """Forget the oldest entries beyond a number."""
        while len(self._entries) > limit:
            self._entries.pop(next(iter(self._entries), None), None)  # type: ignore[arg-type]

    def clear(self) -> None:
        self._entries.clear()
