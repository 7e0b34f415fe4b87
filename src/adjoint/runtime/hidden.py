"""Methods that Python calls by itself, such as `__lt__`, `__bool__` and `__str__`: a program that is reversed by its
structure lets it, so that what they store would be lost. Where one of them may store, the program is to be recorded."""

from __future__ import annotations

import dis
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..errors import UnsupportedSyntaxError, calling_place
from ..ir.changes import WRITING_METHODS
from ..ir.types import Record, Type
from ..origin import is_users
from ..rules.registry import non_differentiable, on_change
from .identity import IdentityMap

_NAMES = """
    lt le eq ne gt ge bool len contains hash int float complex index str repr format bytes abs round trunc floor ceil
    divmod rdivmod reversed length_hint dir missing instancecheck subclasscheck
"""
SPECIAL_METHODS = tuple([f"__{name}__" for name in _NAMES.split()])

_STORES = frozenset(
    ["STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE", "STORE_GLOBAL", "DELETE_GLOBAL"]
)
PLAIN = frozenset([float, int, bool, complex, str, bytes, type(None), np.ndarray, np.float64, np.float32, range])
"""Classes of values that have no methods of the user's."""
_HIDING: IdentityMap[frozenset[str]] = IdentityMap()
"""The methods of classes that Python calls by itself, and that may store."""
_NONE: frozenset[str] = frozenset()

on_change.append(_HIDING.clear)


def hidden_methods(cls: type) -> frozenset[str]:
    """The special methods of a class, in Python, that may store into something that they did not make.

    >>> class Counted:
    ...     def __lt__(self, other):
    ...         self.count += 1
    ...         return True
    >>> hidden_methods(Counted), hidden_methods(complex)
    (frozenset({'__lt__'}), frozenset())
    """
    if cls in PLAIN or cls.__module__ == "builtins":
        return _NONE
    known = _HIDING.get(cls)
    if known is None:
        known = _HIDING[cls] = _found(cls, SPECIAL_METHODS)
    return known


def _found(cls: type, names: Iterable[str]) -> frozenset[str]:
    pairs = [(name, getattr(cls, name, None)) for name in names]
    return frozenset([name for name, f in pairs if isinstance(f, types.FunctionType) and _stores(f, cls, set())])


def _stores(f: types.FunctionType, cls: type, seen: set[int]) -> bool:
    """Whether the code of a function, or of what it calls by name, stores into more than its own variables."""
    code = f.__code__
    written = code.co_filename != "<string>" and is_users(code.co_filename)
    if id(code) in seen or len(seen) > 50 or not written:
        return False
    seen.add(id(code))
    for step in dis.get_instructions(code):
        name = step.argval
        if step.opname in _STORES or step.opname == "STORE_DEREF" and name in code.co_freevars:
            return True
        if step.opname == "BINARY_OP" and step.argrepr.endswith("="):
            return True  # what it adds to may be a list or an array of somebody's
        if step.opname in ("LOAD_METHOD", "LOAD_ATTR"):
            if name in WRITING_METHODS:
                return True
            called = getattr(cls, name, None)
            called = called.fget if isinstance(called, property) else called
        elif step.opname == "LOAD_GLOBAL":
            called = f.__globals__.get(name)
        else:
            continue
        if isinstance(called, types.FunctionType) and _stores(called, cls, seen):
            return True
    return False


def check_seen(function: types.FunctionType, arg_types: Iterable[Type]) -> None:
    """Raise `UnsupportedSyntaxError` if a function names a class whose special methods may store, or has an argument of
    such a class."""
    codes, searches = [function.__code__], False
    names: set[str] = set()
    while codes:
        code = codes.pop()
        names.update(code.co_names)
        searches = searches or any([step.opname == "CONTAINS_OP" for step in dis.get_instructions(code)])
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    found = [function.__globals__.get(name) for name in names]
    for cell in function.__closure__ or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:
            continue
    classes = [x if isinstance(x, type) else type(x) for x in found]
    for cls in (*classes, *(t.cls for t in arg_types if isinstance(t, Record))):
        check_class(cls)
        if searches and cls.__module__ != "builtins" and _found(cls, ("__iter__", "__getitem__", "__next__")):
            raise _refusal(cls)


def check_class(cls: type) -> None:
    """Raise `UnsupportedSyntaxError` if special methods of a class may store."""
    if hidden_methods(cls):
        raise _refusal(cls)


def _refusal(cls: type) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"`{cls.__name__}` has a method that Python calls by itself, and that stores",
        "what it stores there is not followed where a program is reversed by its structure",
        "call the method by its name",
        calling_place(),
    )


def holds_hidden(x: Any, depth: int = 6) -> bool:
    """Whether an object of such a class is met in a value."""
    cls = type(x)
    if cls in PLAIN or depth == 0 or isinstance(x, type | types.ModuleType | types.FunctionType):
        return False
    if isinstance(x, list | tuple | set | frozenset | dict):
        items = x.values() if isinstance(x, dict) else x
        if not set(map(type, items)) <= PLAIN and any([holds_hidden(item, depth - 1) for item in items]):
            return True
        return (
            isinstance(x, dict)
            and not set(map(type, x)) <= PLAIN
            and any(map(holds_hidden, x))
            or bool(hidden_methods(cls))
        )
    if hidden_methods(cls):
        return True
    fields = getattr(x, "__dict__", None)
    return isinstance(fields, dict) and holds_hidden(fields, depth - 1)


non_differentiable(holds_hidden, hidden_methods)
