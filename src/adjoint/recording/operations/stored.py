"""Fields that code which is not looked into stores in the objects it is given: `__init__` of a library's class, say.

Where a number in such a field comes from is not known. It is refused, if a cotangent ever flows to it.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

import numpy as np

from ...origin import is_users_class
from ...rules.registry import non_differentiable
from ...runtime.implicit_calls import PLAIN
from ...tangents.fields import record_fields
from ...tangents.windows import owner_of
from ..aliases import places_in
from ..places import Extended, Held, Placed, field_slot, fields_dict, place

Fields = tuple[list[tuple[Any, dict[str, Any]]], set[int]]
Stored = Sequence[tuple[Any, str, Any]]


def fields_held(values: tuple[Any, ...], places: list[Any]) -> Fields | None:
    """The fields of objects of a library's classes with what they hold now, and all that has cotangents by itself at
    the places of the values; None if there are no such objects."""
    found = [x for x in values if type(x) not in PLAIN and not isinstance(x, type) and not is_users_class(type(x))]
    fields = [(x, {**(record_fields(x) or {})}) for x in found if type(fields_dict(x)) is dict or record_fields(x)]
    return (fields, {identity for p in places for identity in identities_in(p)}) if fields else None


def stored_since(before: Fields) -> Stored:
    """The fields that hold something else than they did, and the places of what is in them; None for what the call was
    given, which has its place already."""
    fields, given = before
    every = [(x, old, name, value) for x, old in fields for name, value in (record_fields(x) or {}).items()]
    changed = [(x, name, place(value)) for x, old, name, value in every if old.get(name, fields) is not value]
    return [(*field_slot(x, name), None if given & identities_in(at) else at) for x, name, at in changed]


def changed_in(objects: list[Any]) -> Stored:
    """The places of objects of a library's classes, which have changed."""
    return [({}, "", place(x)) for x in objects]


def identities_in(at: Any) -> set[int]:
    """Of all that has cotangents by itself in a place: memory, and what can be stored into."""
    parts = [owner_of(p) if isinstance(p, np.ndarray) else getattr(p, "holder", None) for p in places_in(at)]
    return {id(part) for part in parts if part is not None}


def apart_from(at: Any, given: Set[int]) -> Any:
    """A place without what has its place already, by the identities of that."""
    if isinstance(at, np.ndarray):
        return None if id(owner_of(at)) in given else at
    if isinstance(at, Placed):
        return at._replace(places=tuple([apart_from(p, given) for p in at.places]))
    if isinstance(at, Extended):
        return at._replace(place=apart_from(at.place, given), places=tuple([apart_from(p, given) for p in at.places]))
    if not isinstance(at, Held):
        return at
    if id(at.holder) in given:
        return None
    if at.kind == "cells":
        return at._replace(places=tuple([(*p[:2], apart_from(p[2], given)) for p in at.places]))
    return at._replace(places=tuple([apart_from(p, given) for p in at.places]))


non_differentiable(fields_held, stored_since, changed_in, identities_in, apart_from)
