"""Reach of a method: the objects that it can get hold of and ask in turn, by the names in its code and its callees."""

from __future__ import annotations

import dis
import functools
import types
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..cells import captured_by
from ..classify import method_of
from ..identity import IdentityMap
from ..origin import is_users, is_users_class
from ..rules.libraries import on_change
from ..tangents import own_dict
from .implicit_calls import PLAIN, is_written
from .layouts import Layout, layout_of
from .local_stores import all_code
from .names import AS_ARRAY, OF_ITEMS

CONTAINERS = (list, tuple, dict, set, frozenset, deque)
_ALL_FIELDS = frozenset(["__dict__", "vars", "__slots__", "getattr", "attrgetter", "__getattribute__"])
"""Names of what may read any field: by a name that is computed."""
_COMPARING = frozenset(["__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__"])
_OF_ITEMS = frozenset([*OF_ITEMS, "__next__", "__length_hint__"])
_BY_OPERATION = {
    "COMPARE_OP": _COMPARING,
    "CONTAINS_OP": _OF_ITEMS | {"__contains__", "__eq__"},
    "BINARY_OP": AS_ARRAY - _OF_ITEMS - _COMPARING,
    "BINARY_SUBSCR": frozenset(["__getitem__", "__missing__"]),
    "BINARY_SLICE": frozenset(["__getitem__"]),
    "UNARY_NEGATIVE": frozenset(["__neg__"]),
    "UNARY_INVERT": frozenset(["__invert__"]),
    "UNARY_NOT": frozenset(["__bool__", "__len__"]),
    "GET_ITER": _OF_ITEMS,
    "FORMAT_VALUE": frozenset(["__str__", "__repr__", "__format__"]),
    "FORMAT_SIMPLE": frozenset(["__str__", "__repr__", "__format__"]),
}
"""Names for which an instruction of a method may ask the object itself."""


@dataclass(frozen=True)
class Asking:
    """The functions that run where methods of a class run, the names in their code, and the special methods that they
    may ask their own object for."""

    functions: tuple[types.FunctionType, ...] = ()
    names: frozenset[str] = frozenset()
    special: frozenset[str] = frozenset()

    def reached(self, x: Any) -> list[Any]:
        """Objects that they can get hold of, where they are called on `x`."""
        found = [y for f in self.functions for y in _around(f)]
        found += _attributes(x, self.names)
        for y in found:  # `self.a.b`: what is reached is looked into by the same names
            if type(y) not in PLAIN and type(y) not in CONTAINERS and len(found) < _MOST:
                found += [z for z in _attributes(y, self.names) if not any(z is known for known in found)]
        return [y for y in found if not isinstance(y, (type, types.FunctionType, types.ModuleType))]


_MOST = 200
_NOTHING = Asking()
_ASKING: IdentityMap[dict[frozenset[str], tuple[Layout, Asking]]] = IdentityMap()

on_change.append(_ASKING.clear)


def asking_of(cls: type, names: frozenset[str]) -> Asking:
    """Names for which these methods of a class may ask."""
    by_names = _ASKING.get(cls)
    if by_names is None:
        by_names = _ASKING[cls] = {}
    known = by_names.get(names)
    if known is None or known[0] is not layout_of(cls):
        known = by_names[names] = layout_of(cls), _asking(cls, names)
    return known[1]


def _asking(cls: type, names: frozenset[str]) -> Asking:
    functions: dict[types.CodeType, types.FunctionType] = {}
    todo = [f for name in sorted(names) for f in _functions(method_of(cls, name))]
    while todo and len(functions) < _MOST:
        f = todo.pop()
        if f.__code__ in functions:
            continue
        functions[f.__code__] = f
        own = _names_in(f)
        named = [base.__dict__[name] for base in cls.__mro__[:-1] for name in own if name in base.__dict__]
        todo += [g for y in (*named, *_around(f)) for item in _items(y) for g in _functions(item)]
    if not functions:
        return _NOTHING
    all_names = frozenset().union(*map(_names_in, functions.values()))
    special = [_BY_OPERATION.get(name, frozenset()) for f in functions.values() for name in _operations(f)]
    return Asking(
        tuple(functions.values()),
        all_names,
        frozenset([f"__{name.rstrip('_')}__" for name in all_names]).union(all_names, *special),
    )


def _items(x: Any) -> Iterable[Any]:
    """Contents of a container, or the object itself."""
    if type(x) is dict:
        return x.values()
    return x if type(x) in (list, tuple) else (x,)


def _functions(x: Any) -> list[types.FunctionType]:
    """The functions of the user's behind an attribute."""
    if isinstance(x, property):
        x = x.fget
    elif isinstance(x, (functools.cached_property, functools.partialmethod)):
        x = x.func
    elif isinstance(x, (staticmethod, classmethod, types.MethodType)):
        x = x.__func__
    elif isinstance(
        partial := getattr(x, "__partialmethod__", getattr(x, "_partialmethod", None)), functools.partialmethod
    ):
        x = partial.func
    return [x] if type(x) is types.FunctionType and is_written(x) else []


def _names_in(f: types.FunctionType) -> frozenset[str]:
    """The names in the code of a function, and those in its texts, which may be of attributes (`attrgetter("a.b")`)."""
    codes = all_code(f.__code__)
    texts = [const for code in codes for const in code.co_consts if isinstance(const, str)]
    parts = [part for text in texts for part in (text, *text.split("."))]
    return frozenset([name for code in codes for name in code.co_names] + parts)


def _operations(f: types.FunctionType) -> Iterator[str]:
    for code in all_code(f.__code__):
        yield from {step.opname for step in dis.get_instructions(code)}


def _around(f: types.FunctionType) -> list[Any]:
    """Objects that a function finds without being given them: globals, what it captures, its defaults."""
    scope, names = f.__globals__, _names_in(f)
    found = [scope[name] for name in names if name in scope]
    found += captured_by(f).values()
    found += [*(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values()]
    return found


def _attributes(x: Any, names: Iterable[str]) -> list[Any]:
    """Values under these names in an object, its class, or a module of the user's; no property is asked."""
    if isinstance(x, type):
        return [base.__dict__[n] for base in x.__mro__[:-1] if is_users_class(base) for n in names if n in vars(base)]
    fields = own_dict(x)
    if isinstance(x, types.ModuleType) and not is_users(getattr(x, "__file__", None) or ""):
        return []
    every = not _ALL_FIELDS.isdisjoint(names)
    found = []
    if isinstance(fields, dict):
        found = [*fields.values()] if every else [fields[name] for name in names if name in fields]
    for base in type(x).__mro__[:-1]:
        for name, y in vars(base).items():
            if name in names or every:
                found += _slot(y, x) if type(y) is types.MemberDescriptorType else [y]
    return found


def _slot(slot: types.MemberDescriptorType, x: Any) -> list[Any]:
    try:
        return [slot.__get__(x)]
    except AttributeError:  # not set
        return []
