"""Of what class the cotangent of a tuple is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_READING = ("__new__", "__init__", "__getitem__", "__iter__", "__len__", "__reversed__", "__getattribute__")
"""The functions by which a tuple is made and read."""


def plain_tuple(cls: Any) -> Any:
    """The class nearest to a class of tuples that makes and reads them as Python does: a named tuple, or `tuple`.

    >>> from collections import namedtuple
    >>> Pair = namedtuple("Pair", "a b")
    >>> class Odd(Pair):
    ...     def __getitem__(self, i): return -tuple.__getitem__(self, i)
    >>> plain_tuple(Odd) is Pair
    True
    """
    found: Any = tuple
    for base in reversed(cls.__mro__[: cls.__mro__.index(tuple)]):
        if any([name in vars(base) and not _is_made(vars(base)[name]) for name in _READING]):
            break
        if "_make" in vars(base) or found is not tuple and issubclass(base, found):
            found = base
    return found


def _is_made(f: Any) -> bool:
    """Tell whether a function was written by `namedtuple`."""
    f = getattr(f, "__func__", f)  # `__new__` is a static method
    return str(getattr(f, "__globals__", {}).get("__name__", "")).startswith("namedtuple_")


def tuple_like(cls: Any, items: Iterable[Any]) -> Any:
    """The cotangent of a tuple of a class, from those of its items: no code of the user's makes it or reads it."""
    plain = cls if cls is tuple else plain_tuple(cls)
    return tuple(items) if plain is tuple else plain(*items)
