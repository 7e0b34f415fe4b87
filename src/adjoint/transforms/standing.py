"""Objects that stand for arguments: where a loop binds the name of an argument anew, to objects that it makes.

An argument is known by what is found in its fields, and an object that the program makes by the types of these. So that
both are of one type, an object with the fields of the argument is made in front of the loop. Nobody can tell the two
apart: nothing stores into it, compares it by identity, or gives it back.
"""

from __future__ import annotations

import builtins
import operator
from typing import TYPE_CHECKING, Any

from ..ir import changes
from ..ir.changes import FieldsOf
from ..ir.lattice import keyed
from ..ir.nodes import Atom, Const, Loop, Var
from ..ir.types import UNKNOWN, Record, Unknown
from ..tangents import own_dict
from ..tangents.fields import record_fields
from .context import Again
from .facts import Path
from .infer import type_of
from .memory import is_data
from .uses import calls_of, is_call_of

if TYPE_CHECKING:
    from .specialise import Specialiser


def stand_in(sp: Specialiser, loop: Loop, place: int, a: Atom) -> Atom:
    """The initial value of a loop: an object like an argument, if it has been found that one is needed."""
    if sp.context.standing is None or (loop, place) not in sp.context.standing or _names(sp, a) is None:
        return a
    t: Any = type_of(a)
    names, fact = FieldsOf(_names(sp, a) or ()), sp.facts[a]
    if own_dict(fact.example) is not None:  # no others
        fields = keyed(dict.fromkeys(own_dict(fact.example), UNKNOWN))
        sp.context.rely(fact.param, (*fact.names, "__dict__"), fields)
    values = [sp.resolver.emit_call(getattr, [a, Const(name)], loop.span, name) for name in names]
    return sp.resolver.emit_call(changes.object_of, [Const(t.cls), Const(names), *values], loop.span, a.name)  # type: ignore[union-attr]


def ask_for(sp: Specialiser, loop: Loop, place: Any, a: Atom, result: Atom) -> None:
    """Have the program read again, if a loop begins with an argument and goes on with objects of its class."""
    t, u, wanted = type_of(a), type_of(result), sp.context.standing
    if wanted is None or not isinstance(place, int) or (loop, place) in wanted or result is a:
        return
    alike = isinstance(u, Unknown) or type(u) is Record and isinstance(t, Record) and t.cls is u.cls
    if alike and type(t) is Record and t.fields is None and _names(sp, a) is not None:
        wanted.add((loop, place))
        raise Again


def _names(sp: Specialiser, a: Any) -> tuple[str, ...] | None:
    """The fields of an argument, if all of them are known and nothing else stores into such objects."""
    fact, generation = sp.facts.get(a), sp.context.generation
    if not isinstance(fact, Path) or not isinstance(a, Var) or type(a.type) is not Record or a in sp.heap:
        return None
    cls = a.type.cls
    plain = sp.context.plain or generation.only_primal or generation.memory is not None
    if plain or not generation.is_ordinary(cls):
        return None
    fields, own = record_fields(fact.example) or {}, own_dict(fact.example)
    slots = {name for base in cls.__mro__ for name in _slots(base)}
    if {*fields} != {*(own or ()), *slots} or not all(map(str.isidentifier, fields)):
        return None
    return tuple(fields)


def _slots(cls: type) -> tuple[str, ...]:
    found = vars(cls).get("__slots__", ())
    return (
        (found,)
        if isinstance(found, str)
        else tuple([name for name in found if name not in ("__dict__", "__weakref__")])
    )


def check_unseen(sp: Specialiser, results: tuple[Atom, ...]) -> None:
    """Have the program read again without such objects, if somebody may see that they are others."""
    if not sp.context.standing:
        return
    compared = [s for s in calls_of(sp.statements) if is_call_of(s, (operator.is_, operator.is_not, builtins.id))]
    objects = [a for s in compared for a in s.args if isinstance(type_of(a), (Record, Unknown))]  # type: ignore[arg-type]
    if objects or not all([is_data(type_of(a)) for a in results]):
        sp.context.standing = None
        raise Again
