"""Fields in which objects keep results of earlier calls, as the methods of their class say together: one compares a
number with a field, another one stores it there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import CodeType
from typing import Any, TypeVar

from ..errors import AdjointError
from ..frontend import Kept, course_by, kept_by, remembered_by, stored_at_each_call
from ..identity import IdentityMap
from .fields import written_in
from .generation import Generation
from .layouts import Layout, layout_of

T = TypeVar("T")

_KEPT: IdentityMap[tuple[Layout, Kept]] = IdentityMap()
"""What is known of classes, each with the layout that it was found for."""


def kept_in(cls: type) -> Kept:
    """The fields by which objects of a class find results of earlier calls, each with a dot before its name.

    >>> class Squares:
    ...     def is_new(self, x): return self.x != x
    ...     def renew(self, x): self.x, self.y = x, x * x
    >>> kept_in(Squares).latest
    frozenset({'.x'})
    """
    known = _KEPT.get(cls)
    if known is None or known[0] is not layout_of(cls):
        known = _KEPT[cls] = layout_of(cls), _kept_in(cls)
    return known[1]


def _kept_in(cls: type) -> Kept:
    kept = kept_by(_of_methods(cls, remembered_by))
    steady = stored_at_each_call(_of_methods(cls, course_by)) if kept.latest else frozenset[str]()
    return replace(kept, latest=kept.latest - steady, steady=steady)


def _of_methods(cls: type, say: Callable[[CodeType, dict[str, Any]], T | None]) -> list[T]:
    """Facts about the methods of a class, but for those of which nothing is said."""
    found: list[T] = []
    for f in [f for base in cls.__mro__ for name, x in vars(base).items() for f in written_in(name, x)]:
        try:
            own = say(f.__code__, f.__globals__)
        except AdjointError:
            continue  # it is read, and refused, where it is called
        found += [] if own is None else [own]
    return found


Generation.kept_in = staticmethod(kept_in)

__all__ = ["kept_in"]
