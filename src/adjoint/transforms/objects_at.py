"""Objects at places of lists and tuples, and under keys of dicts, found from an argument or a global name on; and what
stands in the specifications that a function captures or finds by a global name: rows of texts, functions and numbers.
"""

from __future__ import annotations

import operator
import sys
import types
from typing import TYPE_CHECKING, Any

from ..ir.lattice import keyed
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import Dict, Known, List, Record, Scalar, Tuple, Type
from .facts import Key, Path, Structural, is_active
from .infer import type_of
from .options import OPTIONS, is_captured, option_at

if TYPE_CHECKING:
    from .resolve import Resolver


MAX_ROWS = 24
MAX_DEPTH = 4
"""The depth to which texts and functions are looked for in a row."""


def object_at(r: Resolver, s: Call, fact: Path, container: Atom, place: Any) -> Atom | None:
    """The object at a place or under a key, of which the class is known, or a part of a specification, under a guard;
    None of anything else."""
    found, kind = fact.example, type_of(container)
    readable = isinstance(kind, List) or isinstance(kind, (Tuple, Dict)) and not is_active(container)
    if not _may_be_read(r) or not readable or not _is_there(found, place):
        return None
    t, step = r.generation.typeof(found[place]), place if type(place) is int else Key(place)
    specified = not isinstance(t, Record) and _is_specified(r, fact, found[place])
    if not isinstance(t, Record) and not specified:
        return None
    if specified and type(t) is Dict and isinstance(t.item, Scalar) and {*map(type, found[place])} == {str}:
        t = keyed(dict.fromkeys(found[place], t.item))  # `f(x, **options)` of a row
    if type(place) is int:
        least = place + 1 if place >= 0 else -place
        r.context.rely(fact.param, fact.names, range(least, sys.maxsize))
    if specified and type(found[place]) in OPTIONS:
        return option_at(r, fact, step, found[place])
    path = (*fact.names, step)
    r.context.rely(fact.param, path, t)
    if isinstance(t, Known):
        return Const(t.value)
    out = Var(s.out.name, t, is_active(container))
    r.sp.facts[out] = Path(fact.param, path, found[place])
    if container in r.given:
        r.given.add(out)
    r.append(Call((out,), Const(operator.getitem), (container, Const(place)), (), s.span, _how(out)))
    return out


def _is_there(found: Any, place: Any) -> bool:
    if type(found) in (list, tuple):
        return type(place) is int and -len(found) <= place < len(found)
    return type(found) is dict and place in found


def _how(out: Var) -> Any:
    return Structural("element") if out.active else None


def _is_specified(r: Resolver, fact: Path, value: Any) -> bool:
    """Tell whether something is a text, a flag or a function in a specification, or a row with such."""
    return is_captured(r, fact) and _says(value)


def _says(value: Any, depth: int = MAX_DEPTH) -> bool:
    """Tell whether a value is a text, a flag or a function, or a short container that holds one."""
    cls = type(value)
    if cls is list or cls is tuple or cls is dict:
        inner = [*value, *value.values()] if cls is dict else value
        return depth > 0 and len(inner) <= MAX_ROWS and any([_says(x, depth - 1) for x in inner])
    return cls in OPTIONS or cls is types.FunctionType


def rows_in(r: Resolver, sequence: Any, fact: Any) -> list[Type]:
    """The types of the objects, or of the rows of a specification, that are all that a list holds, under a guard that
    asks for their number; nothing of any other."""
    known = _may_be_read(r) and isinstance(fact, Path) and type(fact.example) is list
    if not known or type(type_of(sequence)) is not List:
        return []
    kinds = [r.generation.typeof(x) for x in fact.example]
    specified = all([type(x) in (tuple, dict) and _is_specified(r, fact, x) for x in fact.example])
    return kinds if specified or all([isinstance(t, Record) for t in kinds]) else []


def _may_be_read(r: Resolver) -> bool:
    """Tell whether items stay where they are, and are no memory."""
    others = r.context.plain or r.generation.only_primal or r.generation.memory is not None
    return not (others or r.grows or r.resizes)


__all__ = ["object_at", "rows_in"]
