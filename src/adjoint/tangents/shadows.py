"""Shadows: the cotangents of the fields of objects that others may have, while a reverse pass runs.

A read adds to the cotangent of its field, a store takes it: what was there before gets none of it. Two names of one
object have one shadow, by its identity; the shadow holds the object, so that no other one has that identity meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .accumulate import accumulate
from .sweep import locate

Shadows = dict[int, Any]
"""By the identity of the object."""


class _Home:
    """The place where a sweep keeps them."""


_HOME = _Home()


def shadows_here() -> Shadows:
    """The shadows of the sweep that is running."""
    slot = locate(_HOME)
    if slot.bar is None:
        slot.bar = {}
    return slot.bar  # type: ignore[no-any-return]


def shadow_class(name: str, fields: Mapping[str, bool]) -> type:
    """A class of shadows, with a slot for each field; those that hold real numbers begin with zero, others with None.

    >>> shadow = shadow_class("Walk", {"at": True, "path": False})(owner := object())
    >>> shadow.at, shadow.path, shadow.__owner__ is owner
    (0.0, None, True)
    """
    starts = [(field, 0.0 if real else None) for field, real in fields.items()]

    def initialise(self: Any, owner: Any) -> None:
        self.__owner__ = owner
        for field, start in starts:
            setattr(self, field, start)

    return type(f"{name}Shadow", (), {"__slots__": ("__owner__", *fields), "__init__": initialise})


def shadow_of(shadows: Shadows, owner: Any, cls: type) -> Any:
    """The shadow of an object, made when it is first asked for."""
    found = shadows.get(id(owner))
    if found is None:
        found = shadows[id(owner)] = cls(owner)
    return found


def cotangent_of_field(shadow: Any, name: str) -> Any:
    """The cotangent that has come to a field."""
    return getattr(shadow, name)


def set_cotangent_of_field(shadow: Any, name: str, d: Any) -> None:
    """Let this be what has come to a field."""
    setattr(shadow, name, d)


def add_number_to_field(shadow: Any, name: str, d: Any) -> None:
    """Add to what has come to a field that holds real numbers."""
    setattr(shadow, name, getattr(shadow, name) + d)


def add_to_field(shadow: Any, name: str, d: Any) -> None:
    """The same of any other field."""
    if d is not None:
        setattr(shadow, name, accumulate(getattr(shadow, name), d))
