"""Objects at places of lists and tuples, and under keys of dicts, found from an argument or a global name on."""

from __future__ import annotations

import operator
import sys
from typing import TYPE_CHECKING, Any

from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import Dict, List, Record, Tuple, Type
from .facts import Key, Path, Structural, is_active
from .infer import type_of

if TYPE_CHECKING:
    from .resolve import Resolver


def object_at(r: Resolver, s: Call, fact: Path, container: Atom, place: Any) -> Atom | None:
    """The object at a place or under a key, of which the class is known, under a guard; None of anything else."""
    found, kind = fact.example, type_of(container)
    readable = isinstance(kind, List) or isinstance(kind, (Tuple, Dict)) and not is_active(container)
    if not _may_be_read(r) or not readable or not _is_there(found, place):
        return None
    t = r.generation.typeof(found[place])
    if not isinstance(t, Record):
        return None
    if type(place) is int:
        least = place + 1 if place >= 0 else -place
        r.context.rely(fact.param, fact.names, range(least, sys.maxsize))
    path = (*fact.names, place if type(place) is int else Key(place))
    r.context.rely(fact.param, path, t)
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


def classes_in(r: Resolver, sequence: Any, fact: Any) -> list[Type]:
    """The types of the objects that are all that a list holds, under a guard that asks for their number; nothing of
    any other."""
    known = _may_be_read(r) and isinstance(fact, Path) and type(fact.example) is list
    if not known or type(type_of(sequence)) is not List:
        return []
    types = [r.generation.typeof(x) for x in fact.example]
    return types if all([isinstance(t, Record) for t in types]) else []


def _may_be_read(r: Resolver) -> bool:
    """Tell whether items stay where they are, and are no memory."""
    others = r.context.plain or r.generation.only_primal or r.generation.memory is not None
    return not (others or r.grows or r.resizes)


__all__ = ["classes_in", "object_at"]
