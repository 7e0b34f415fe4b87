"""The fields of records, and of the records of a list: their cotangents come by themselves, and are put together where
the record or the list is wanted as a whole.

A loop that reads fields of the items of a list gives a list for each field: a *column*.

    for p in ps: s += p.x * p.m    ps_x_bars, ps_m_bars    and not    [Tangent(P, {"x": ..., "m": ...}), ...]
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ..ir.changes import object_of
from ..ir.nodes import Atom, Const, Var
from ..ir.types import List, Record, Type

MAX_OTHERS = 8
"""How many fields for which nothing came are named."""


def in_order(fields: dict[str, Atom], t: Type, others: bool) -> dict[str, Atom]:
    """The cotangents of fields in the order in which the objects of a dataclass have them; with `others`, of the fields
    for which nothing came too."""
    if not isinstance(t, Record) or not dataclasses.is_dataclass(t.cls):
        return fields
    names = [field.name for field in dataclasses.fields(t.cls)]
    if not fields.keys() <= {*names}:
        return fields
    others = others and len(names) <= len(fields) + MAX_OTHERS
    return {name: fields.get(name, Const(None)) for name in names if others or name in fields}


def is_list_of_records(v: Any) -> bool:
    """Tell whether a list is known to hold records of one class."""
    return isinstance(v, Var) and v.active and isinstance(v.type, List) and isinstance(v.type.item, Record)


def taken(sums: dict[Any, Any], v: Var, kind: str) -> dict[tuple[str, Any], Any]:
    """The cotangents of the parts of a value, of one kind if it is named, taken out of the sums."""
    keys = [key for key in sums if isinstance(key, tuple) and key[0] is v and kind in ("", key[1][0])]
    return {key[1]: sums.pop(key) for key in keys}


def has_fields_alone(sums: dict[Any, Any], v: Var) -> bool:
    """Tell whether all that came for a value came for fields of it."""
    return v not in sums and all([key[1][0] == "field" for key in sums if isinstance(key, tuple) and key[0] is v])


def owner_of(v: Var) -> Atom:
    """The value that a cotangent is told to be of: a record; of an exception one of its class, as there may be none."""
    t = v.type
    return Const(object_of(t.cls, ())) if isinstance(t, Record) and issubclass(t.cls, BaseException) else v
