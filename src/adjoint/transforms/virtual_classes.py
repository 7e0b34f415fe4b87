"""Attributes that objects, which a program makes for itself, have of their classes, and `hasattr`."""

from __future__ import annotations

import builtins
import inspect
import types
from typing import TYPE_CHECKING, Any

from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import ABSENT, NONE, Inert, Record
from .facts import Path
from .heap import is_plain
from .infer import is_constant, type_of, type_of_constant

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

_MISSING = object()


def of_class(r: Resolver, s: Call, cls: type, name: str, static: Any) -> list[Atom] | None:
    """`base.name`, where the class has data under the name, or the class itself; None of anything else."""
    if name == "__class__" and static is object.__dict__["__class__"]:
        return [Const(cls, cls.__name__)]
    if is_plain(static):
        t = type_of_constant(static)
    elif _is_data(static) and r.generation.memory is None:
        t = r.generation.typeof(static)
    else:
        return None
    r.guard(cls, name, static)
    value = Var(s.out.name or name, t, False)
    r.append(Call((value,), Const(builtins.getattr), (Const(cls), Const(name)), (), s.span))
    return [value]


def _is_data(static: Any) -> bool:
    """Whether a class gives what it has under a name as it is, and it is a list, a dict or a tuple."""
    return type(static) in (list, dict, tuple)


def fold_has(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """`hasattr(x, name)`, where that is known: of a virtual object by its fields and its class, of None and texts."""
    if len(args) != 2 or kwargs or not isinstance(args[1], Const) or not isinstance(args[1].value, str):
        return None
    base, name, t = args[0], args[1].value, type_of(args[0])
    if t in (NONE, Inert(str)):
        return [Const(hasattr(t.cls, name))]  # type: ignore[attr-defined]
    heap = r.sp.heap
    if not isinstance(base, Var) or not heap.is_object(base) or not isinstance(t, Record):
        return None
    if base in heap.items or base in heap.generators or base in heap.managers or isinstance(r.sp.facts.get(base), Path):
        return None
    if name in heap.names(base):
        return [Const(True)]
    static = inspect.getattr_static(t.cls, name, _MISSING)
    if static is _MISSING:
        return None if name.startswith("__") or hasattr(t.cls, "__getattr__") else _absent(r, t.cls, name)
    if is_constant(static) and isinstance(static, types.FunctionType) or is_plain(static) or _is_data(static):
        r.guard(t.cls, name, static)
        return [Const(True)]
    return None


def _absent(r: Resolver, cls: type, name: str) -> list[Atom] | None:
    """That a class has nothing under a name, relied on for each class that it is made of."""
    for base in cls.__mro__[:-1]:
        r.guard(vars(base), name, ABSENT)
    return [Const(False)]
