"""Fields that code which is not looked into stores in the objects it is given: `__init__` of a library's class, say.

Where a number in such a field comes from is not known. It is refused, if a cotangent ever flows to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import NoRuleError, calling_place
from ...rules.registry import non_differentiable
from ...runtime.handed import is_written
from ...runtime.hidden import PLAIN
from ..aliases import places_in
from ..memory import owner_of
from ..places import fields_dict, place, withdraw
from ..sweep import Sweep
from .base import Back, is_nonzero

Fields = tuple[list[tuple[dict[str, Any], dict[str, Any]]], set[int]]
Stored = list[tuple[dict[str, Any], str, Any]]


def fields_held(values: tuple[Any, ...]) -> Fields | None:
    """The fields of objects of a library's classes with what they hold now, and all that has cotangents by itself in
    the values; None if there are no such objects."""
    found = [fields_dict(x) for x in values if type(x) not in PLAIN and not is_written(type(x))]
    fields = [(own, {**own}) for own in found if type(own) is dict]
    return (fields, {identity for x in values for identity in _identities(place(x))}) if fields else None


def stored_since(before: Fields) -> Stored:
    """The fields that hold something else than they did, and the places of what is in them; None for what the call was
    given, which has its place already."""
    fields, given = before
    changed = [(own, name) for own, old in fields for name, x in own.items() if old.get(name, fields) is not x]
    places = [(own, name, place(own[name])) for own, name in changed]
    return [(own, name, None if given & _identities(at) else at) for own, name, at in places]


def _identities(at: Any) -> set[int]:
    """Of all that has cotangents by itself in a place: memory, and what can be stored into."""
    parts = [owner_of(p) if isinstance(p, np.ndarray) else getattr(p, "holder", None) for p in places_in(at)]
    return {id(part) for part in parts if part is not None}


def refusing_stored(f: Any, stored: Stored, back: Back) -> Back:
    """`back`, and an error if anything flows to a field that `f` has stored."""
    if not stored:
        return back
    site = calling_place()

    def stored_back(sweep: Sweep, y_bar: Any) -> Any:
        bars = back(sweep, y_bar)
        for own, name, at in stored:
            if is_nonzero(withdraw(sweep, at, sweep.take(own, name))):
                raise NoRuleError(
                    f"a derivative by the field `{name}` is asked for, which `{f.__qualname__}` has stored",
                    "it is code of a library that is not looked into, so that nobody knows what the field is made of",
                    f"make the object before the function is differentiated, or read `stop_gradient(x.{name})`",
                    site,
                )
        return bars

    return stored_back


non_differentiable(fields_held, stored_since)
