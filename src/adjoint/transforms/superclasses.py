"""`super()`: methods and properties that the classes behind one have."""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..ir.exceptions import is_init
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import ABSENT, Record
from .facts import Bound
from .infer import type_of
from .memory import class_of
from .uses import is_call_of

if TYPE_CHECKING:
    from .resolve import Resolver


@dataclass(frozen=True)
class Above:
    """A fact: `super(cls, receiver)` of an object, which is of the class `own`."""

    cls: type
    receiver: Var
    own: type


def above(r: Resolver, s: Call, args: list[Any]) -> Var | None:
    """`super(cls, self)` of a reference, or of an object that is read, of which methods are called or properties are
    asked; None of anything else."""
    reads: list[Any] = r.uses.displays.uses.get(s.out, [])
    if len(args) != 2 or not isinstance(args[0], Const):
        return None
    if not all([use is not None and is_call_of(use, (getattr,)) for use in reads]):
        return None
    t: Any = type_of(args[1])
    own = class_of(t)
    if own is None and type(t) is not Record:
        return None
    fact = Above(args[0].value, args[1], own or t.cls)
    if own is None and not all([_is_known(r, fact, use) for use in reads]):
        return None
    out = Var(s.out.name)
    r.sp.facts[out] = fact
    return out


def _is_known(r: Resolver, fact: Above, read: Call) -> bool:
    """Tell whether `super().name` is a function of a class, which is called, or a property."""
    name = read.args[1].value if len(read.args) == 2 and isinstance(read.args[1], Const) else None
    static = found_behind(fact, name)[2] if isinstance(name, str) else None
    if isinstance(static, property):
        return type(static.fget) is types.FunctionType
    return type(static) is types.FunctionType and read.outs[0] in r.uses.only_called


def behind(r: Resolver, s: Call, fact: Above, name: str) -> list[Atom] | None:
    """A method, or what a property gives, that the classes behind one have."""
    others, owner, static = found_behind(fact, name)
    known = type(static) is types.FunctionType or is_init(static) or static is object.__dict__["__setattr__"]
    known = known or is_left(r, fact.receiver, name, static)
    reads = isinstance(static, property) and type(static.fget) is types.FunctionType
    if not reads and not (known and s.out in r.uses.only_called):
        return None
    for cls in others[: others.index(owner)]:
        r.guard(cls, name, ABSENT)
    r.guard(owner, name, static)
    if isinstance(static, property):
        return [r.general(s, Const(static.fget), [fact.receiver], [])]
    return [bound_to(r, s, fact.receiver, name, static)]


def found_behind(fact: Above, name: str) -> tuple[tuple[type, ...], type, Any]:
    """The classes behind one, which of them has the name, and what it has there."""
    mro = fact.own.__mro__
    others = mro[mro.index(fact.cls) + 1 :] if fact.cls in mro else ()
    owner = next((cls for cls in others if name in vars(cls)), object)
    return others, owner, vars(owner).get(name)


def bound_to(r: Resolver, s: Call, receiver: Var, name: str, function: Any) -> Var:
    """A method, of which nothing is written where it is called at once."""
    out = Var(s.out.name, type_of(receiver), True)
    r.sp.facts[out] = Bound(receiver, name, function)
    return out


def is_left(r: Resolver, own: Any, name: str, function: Any) -> bool:
    """Tell whether a method is that of dict or list, of an object whose class is one of these."""
    base = r.sp.heap.contents.get(own)
    return base is not None and function is not None and vars(base).get(name) is function
