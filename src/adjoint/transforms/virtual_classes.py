"""Attributes that objects, which a program makes for itself, have of their classes, and `hasattr`."""

from __future__ import annotations

import builtins
import inspect
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import ABSENT, NONE, UNKNOWN, Array, Inert, List, Record, Scalar
from ..origin import looks_up_plainly
from ..tangents import own_dict
from .facts import Exactly, Gives, Path
from .global_counters import counter_type
from .heap import is_plain
from .infer import type_of, type_of_constant

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

_MISSING = object()


def of_class(r: Resolver, s: Call, cls: type, name: str, static: Any) -> list[Atom] | None:
    """`base.name`, where the class has data under the name, or the class itself; None of anything else."""
    if name == "__class__" and static is object.__dict__["__class__"]:
        return [Const(cls, cls.__name__)]
    if type(static) is tuple and static and {*map(type, static)} == {str}:  # names of fields, as of slots
        option = option_of(r, cls, name, static)
        return None if option is None else [option]
    if is_plain(static):
        t = type_of_constant(static)
    elif (counter := counter_type(static)) is not None:
        t = counter
    elif _is_data(static) and r.generation.memory is None:
        t = r.generation.typeof(static)
    else:
        return None
    r.guard(cls, name, static)
    value = Var(s.out.name or name, t, False)
    r.append(Call((value,), Const(builtins.getattr), (Const(cls), Const(name)), (), s.span))
    return [value]


def option_of(r: Resolver, cls: type, name: str, static: Any) -> Const | None:
    """A text, a flag or a tuple of numbers and texts that a class has, which decides branches: the program is for this
    very value. None of anything else."""
    if type(static) not in (str, bool, tuple) or not is_closed(static):
        return None
    r.context.guards[id(cls), f"{name} is"] = (cls, name, Exactly(static))
    return Const(static)


def texts_of(r: Resolver, s: Call, cls: type, name: str, static: Any) -> Var | None:
    """A list of texts that a class has, as names of fields; None of anything else."""
    if not has_texts(cls, name):
        return None
    r.guard(cls, name, static)
    r.context.guards[id(cls), f"{name} has texts"] = (cls, "", Gives(has_texts, (cls, name), True))
    out = Var(s.out.name or name, List(Inert(str)), False)
    r.append(Call((out,), Const(builtins.getattr), (Const(cls), Const(name)), (), s.span))
    return out


def has_texts(cls: type, name: str) -> bool:
    """Tell whether a class has a list of texts under a name."""
    static = inspect.getattr_static(cls, name, None)
    return type(static) is list and {*map(type, static)} == {str}


def is_closed(x: Any) -> bool:
    """Tell whether a value is a number, a text or None, or a tuple of such."""
    return all(map(is_closed, x)) if type(x) is tuple else is_plain(x)


def _is_data(static: Any) -> bool:
    """Tell whether a class gives what it has under a name as it is, and it is a list, a dict or a tuple."""
    return type(static) in (list, dict, tuple)


def fold_has(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """`hasattr(x, name)`, where that is known."""
    found = None if len(args) != 2 or kwargs else has(r, *args)
    return None if found is None else [Const(found)]


def has(r: Resolver, base: Atom, named: Atom) -> bool | None:
    """Tell whether an object has an attribute: of None and texts their class says it, of a virtual object its fields
    and its class, of one that is found in an argument both, under guards; None where it is not known."""
    if not isinstance(named, Const) or not isinstance(named.value, str):
        return None
    name, t = named.value, type_of(base)
    if isinstance(t, (Array, Scalar)):
        return _numbers_have(t, name)
    if t == NONE or t == Inert(str):
        return hasattr(type(None) if t == NONE else str, name)
    if not isinstance(base, Var) or not isinstance(t, Record) or t.fields is not None or hasattr(t.cls, "__getattr__"):
        return None
    heap, fact = r.sp.heap, r.sp.facts.get(base)
    if heap.is_object(base) and base not in (heap.items.keys() | heap.generators.keys() | heap.managers.keys()):
        known = None if isinstance(fact, Path) else name in heap.names(base)
    elif type(inspect.getattr_static(t.cls, name, None)) is types.FunctionType:
        known = False  # what an object has itself under this name is there as well
    else:
        known = _held(r, fact, name) if base not in heap and isinstance(fact, Path) else None
    return _of_class_has(r, t.cls, name) if known is False else known


def _held(r: Resolver, fact: Path, name: str) -> bool | None:
    """Tell whether an object in an argument holds a field itself, relied on at each call; None where the program
    stores."""
    held = own_dict(fact.example)
    if r.generation.writes or r.generation.memory is not None:
        return None
    if type(held) is not dict or not looks_up_plainly(type(fact.example)):
        return None
    static = type(inspect.getattr_static(type(fact.example), name, None))
    if hasattr(static, "__set__") or hasattr(static, "__delete__"):
        return None  # a property comes before what the object holds
    t = r.generation.typeof(held[name]) if name in held else ABSENT
    if t == UNKNOWN:
        return None  # a guard does not ask for it
    r.context.rely(fact.param, (*fact.names, name), t)
    return name in held


def _of_class_has(r: Resolver, cls: type, name: str) -> bool | None:
    static = inspect.getattr_static(cls, name, _MISSING)
    if static is _MISSING:
        return None if name.startswith("__") else _absent(r, cls, name)
    if isinstance(static, types.FunctionType) or is_plain(static) or _is_data(static):
        r.guard(cls, name, static)
        return True
    return None


def _absent(r: Resolver, cls: type, name: str) -> bool:
    """False, as a class has nothing under a name: relied on for each class that it is made of."""
    for base in cls.__mro__[:-1]:
        r.guard(base, name, ABSENT)
    return False


def _numbers_have(t: Array | Scalar, name: str) -> bool | None:
    """Tell whether arrays or numbers of a type have an attribute, as their classes never change; None where it
    depends."""
    found = {hasattr(cls, name) for cls in classes_of(t)}
    return found.pop() if len(found) == 1 else None


def classes_of(t: Array | Scalar) -> tuple[type, ...]:
    """The classes that a value may have of this type; none where an item may be of any."""
    if isinstance(t, Scalar):
        return _NUMBERS
    if t.scalar is not False and t.kind not in "biufc":
        return ()
    numpy: list[type] = [cls for cls in {*np.sctypeDict.values()} if np.dtype(cls).kind == t.kind]
    numbers: tuple[type, ...] = (bool, int, float, complex, *numpy)  # Python's may have been joined with one of NumPy's
    return (np.ndarray,) if t.scalar is False else numbers if t.scalar else (np.ndarray, *numbers)


_NUMBERS = (bool, int, float, complex, np.bool_, np.int64, np.float64, np.complex128)
NUMBERS: tuple[type, ...] = (bool, int, float, complex, np.ndarray, *dict.fromkeys(np.sctypeDict.values()))
"""The classes of numbers and arrays: an item may be taken for an array, and one of Python's for one of NumPy's."""
