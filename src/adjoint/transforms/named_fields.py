"""Fields whose name only the run shows: a store by `setattr`, or a read, is a branch on which of the fields it is.

    for name, value in zip(names, theta):         if name == "k": model.k = value
        setattr(model, name, value)           →   else: model.c = value

Any other name gives the run up.
"""

from __future__ import annotations

import builtins
import dataclasses
import inspect
import operator
from typing import TYPE_CHECKING, Any

from ..ir import changes, checks, intrinsics
from ..ir.lattice import join
from ..ir.nodes import Atom, Block, Call, Const, If, Statement, Var
from ..ir.types import UNKNOWN, Inert, Maybe, Record, Ref, Type
from ..ops.arithmetic import element_of
from .infer import type_of
from .mapping import named, run
from .memory import held_in

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

MAX_FIELDS = 12
"""The number of fields of which it is one."""


def store(r: Resolver, s: Call, target: Any, name: Any, value: Any) -> list[Atom] | None:
    """The results of `setattr(target, name, value)`; None where the fields are not known."""
    fields = _fields(r, target, name, type_of(value))
    if not fields:
        return None
    base, given = named(r, target), named(r, value)

    def put(field: str, out: Var) -> Call:
        return Call(
            (Var(), out), Const(changes.call_with), (base, Const(builtins.setattr), Const(field), given), span=s.span
        )

    return [Const(None), _one_of(r, s, name, fields, put, s.outs[1].name)]


def read(r: Resolver, s: Call, target: Any, name: Any) -> Atom | None:
    """`getattr(target, name)`; None where the fields are not known, or are of several types."""
    fields = _fields(r, target, name, None)
    if not fields:
        return None
    base = named(r, target)

    def get(field: str, out: Var) -> Call:
        return Call((out,), Const(builtins.getattr), (base, Const(field)), span=s.span)

    return _one_of(r, s, name, fields, get, s.outs[0].name)


def fold_fields(r: Resolver, s: Call, args: list[Any], kwargs: Kwargs) -> list[Atom] | None:
    """`dataclasses.fields(x)`: a constant of the class."""
    if len(args) != 1 or kwargs or r.context.plain:
        return None
    cls: Any = args[0].value if isinstance(args[0], Const) else getattr(type_of(args[0]), "cls", None)
    if not isinstance(cls, type) or not dataclasses.is_dataclass(cls) or isinstance(type_of(args[0]), Maybe):
        return None
    r.guard(cls, "__dataclass_fields__", inspect.getattr_static(cls, "__dataclass_fields__"))
    return [Const(dataclasses.fields(cls))]


def _one_of(r: Resolver, s: Call, name: Any, fields: list[str], do: Any, label: str) -> Atom:
    """The use of the field of a name, which is checked to be one of these."""
    r.append(Call((), Const(intrinsics.check), (name, Const(checks.check_name), Const(tuple(fields))), (), s.span))
    key = named(r, name)

    def branch(rest: list[str]) -> tuple[list[Statement], Var]:
        done = Var(label)
        if len(rest) == 1:
            return [do(rest[0], done)], done
        here, out, asked = Var(label), Var(label), Var()
        others, other = branch(rest[1:])
        ask = Call((asked,), Const(operator.eq), (key, Const(rest[0])), span=s.span)
        then = Block((), (do(rest[0], here),), (here,))
        return [ask, If((out,), asked, then, Block((), tuple(others), (other,)), s.span)], out

    statements, out = branch(fields)
    return run(r, statements, out)


def _fields(r: Resolver, target: Any, name: Any, t: Type | None) -> list[str]:
    """The fields of an object that may hold a value of a type, or which are all of one type; none where it is not known
    what the name is of."""
    of: Any = type_of(target)
    if type_of(name) != Inert(str) or isinstance(name, Const) or not isinstance(of, Record) or r.context.plain:
        return []
    found = _held(r, target, of)
    kinds = [*found.values()]
    if t is None and kinds:
        t = next((kind for kind in kinds if kind.differentiable), kinds[0])
    names = [field for field, kind in found.items() if t is not None and join(kind, t) != UNKNOWN]
    return names if len(names) <= MAX_FIELDS and t != UNKNOWN else []


def _held(r: Resolver, target: Any, of: Any) -> dict[str, Type]:
    """The fields of an object, with their types."""
    heap, memory = r.sp.heap, r.generation.memory
    if heap.is_object(target):
        if target not in heap.items:
            return {name: type_of(heap.get(target, name)) for name in heap.names(target)}
        group = heap.items[target].group
        return {name: element_of(type_of(heap.get(group, name))) for name in heap.names(target)}
    if not isinstance(of, Ref) or memory is None:
        return {}
    return {name: held_in(memory, cls, name) for cls, name in memory if cls is of.cls}
