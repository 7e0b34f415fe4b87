"""Methods that Python calls by itself, such as `__lt__`, `__bool__` and `__str__`: a program that is reversed by its
structure lets it, so that what they store would be lost. Where one of them may store, the program is to be recorded."""

from __future__ import annotations

import collections
import dis
import functools
import sys
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..errors import UnsupportedSyntaxError, calling_place
from ..identity import IdentityMap
from ..ir.changes import WRITING_METHODS
from ..ir.types import Record, Type
from ..origin import is_users
from ..rules.libraries import on_change
from ..rules.registry import non_differentiable
from ..tangents import own_dict
from .layouts import Layout, layout_of
from .own import Own, Step

_NAMES = """
    lt le eq ne gt ge bool len contains hash int float complex index str repr format bytes abs round trunc floor ceil
    divmod rdivmod reversed length_hint dir missing instancecheck subclasscheck array del
"""
SPECIAL_METHODS = tuple([f"__{name}__" for name in _NAMES.split()])

_STORES = frozenset(
    ["STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE", "STORE_GLOBAL", "DELETE_GLOBAL"]
)
PLAIN = frozenset([float, int, bool, complex, str, bytes, type(None), np.ndarray, np.float64, np.float32, range])
"""Classes of values that have no methods of the user's."""
_CLOSED = PLAIN | {types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type}
"""Classes of values that are not looked into."""
_HIDING: IdentityMap[tuple[Layout, frozenset[str]]] = IdentityMap()
"""The methods of classes that Python calls by itself, and that may store."""
_NONE: frozenset[str] = frozenset()
_RUNNING: IdentityMap[tuple[Layout, bool]] = IdentityMap()
"""Whether Python may run a method of a class that stores."""

on_change.append(_HIDING.clear)
on_change.append(_RUNNING.clear)


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
    if known is None or known[0] is not layout_of(cls):
        known = _HIDING[cls] = layout_of(cls), _found(cls, SPECIAL_METHODS)
    return known[1]


def _found(cls: type, names: Iterable[str]) -> frozenset[str]:
    pairs = [(name, getattr(cls, name, None)) for name in names]
    return frozenset([name for name, f in pairs if type(f) is types.FunctionType and _stores(f, cls, set())])


def runs_stores(cls: type) -> bool:
    """Whether Python may run, for an operation on an object of the class, a method that stores: an operator, a step of
    an iterator, a property, a descriptor, a method of the class of the class. A method that calls one of which nothing
    is known counts as one that stores.

    >>> class Walk:
    ...     def __next__(self):
    ...         self.at = self.at + 0.1
    ...         return self.at
    >>> runs_stores(Walk), runs_stores(list)
    (True, False)
    """
    known = _RUNNING.get(cls)
    if known is None or known[0] is not layout_of(cls):
        if cls in PLAIN or cls.__module__ == "builtins":
            return False
        found = [f for base in cls.__mro__ for name, x in vars(base).items() for f in _functions_in(name, x)]
        runs = type(cls) is not type and runs_stores(type(cls)) or any([_stores(f, cls, set(), True) for f in found])
        known = _RUNNING[cls] = layout_of(cls), runs
    return known[1]


_FOLLOWED = frozenset(
    ["__call__", "__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__", "__prepare__"]
)
"""What runs where an object is called or made, or a class: that is followed."""


def _functions_in(name: str, x: Any) -> list[types.FunctionType]:
    """The functions behind an attribute of a class that Python may call by itself."""
    found: list[Any] = []
    if isinstance(x, property):
        found = [x.fget, x.fset, x.fdel]
    elif isinstance(x, functools.cached_property):
        found = [x.func]
    elif name.startswith("__") and name.endswith("__") and name not in _FOLLOWED:
        found = [x.__func__ if isinstance(x, classmethod | staticmethod) else x]
    elif isinstance(getattr(type(x), "__get__", None), types.FunctionType):
        found = [vars(base).get(hook) for base in type(x).__mro__ for hook in ("__get__", "__set__", "__delete__")]
    return [f for f in found if type(f) is types.FunctionType]


def stores(f: types.FunctionType, classes: tuple[type, ...] = (), unknown: bool = False) -> bool:
    """Whether the code of a function, or of what it calls by name, stores into more than its own variables; methods are
    looked up in the classes of what it captures, and in `classes`. With `unknown`, one that is found nowhere counts."""
    return _stores(f, object, set(), unknown, classes)


def may_change(x: Any) -> bool:
    """Whether what is handed on as a function stores, or may do so: a function, a method, the name of a builtin one.

    >>> may_change(len), may_change([].append), may_change(functools.partial([].append, 1.0))
    (False, True, True)
    """
    if isinstance(x, functools.partial):
        return may_change(x.func)
    if type(x) is types.FunctionType:
        return stores(x, unknown=True)
    if type(x) is types.MethodType:
        own = x.__func__
        return isinstance(own, types.FunctionType) and _stores(own, type(x.__self__), set(), True)
    if isinstance(x, classmethod | staticmethod):
        return may_change(x.__func__)
    called: Any = None if isinstance(x, type) else getattr(type(x), "__call__", None)  # noqa: B004 - the method itself
    if isinstance(called, types.FunctionType):
        return _stores(called, type(x), set(), True)
    name = x if isinstance(x, str) else x.__name__ if isinstance(x, _METHODS) else ""
    return name in WRITING_METHODS


_METHODS = (types.BuiltinMethodType, types.MethodDescriptorType, types.WrapperDescriptorType, types.MethodWrapperType)


def _stores(
    f: types.FunctionType, cls: type, seen: set[int], unknown: bool = False, more: tuple[type, ...] = ()
) -> bool:
    """The same; methods that it calls are looked up in a class, and in those of what it captures."""
    code = f.__code__
    written = code.co_filename != "<string>" and is_users(code.co_filename)
    if id(code) in seen or not written:
        return False
    if len(seen) > 50:
        return unknown
    seen.add(id(code))
    captured = _cells(f)
    classes = (cls, *more, *{type(x) for x in captured.values() if type(x) not in PLAIN})
    return any([_code_stores(inner, f, captured, classes, seen, unknown) for inner in _all_code(code)])


def _all_code(code: types.CodeType) -> list[types.CodeType]:
    """A code, and that of what is defined in it."""
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return [code, *[found for c in inner for found in _all_code(c)]]


def _cells(f: types.FunctionType) -> dict[str, Any]:
    """What a function captures, by name."""
    found = {}
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=False):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not bound yet
            continue
    return found


def _code_stores(
    code: types.CodeType,
    f: types.FunctionType,
    captured: dict[str, Any],
    classes: tuple[type, ...],
    seen: set[int],
    unknown: bool,
) -> bool:
    own = Own(code, f.__globals__)
    for i, step in enumerate(own.steps):
        name = step.argval
        rebinds = step.opname == "STORE_DEREF" and name in f.__code__.co_freevars
        if rebinds or step.opname in _STORES and not own.stores(i):
            return True
        if step.opname == "BINARY_OP" and step.argrepr.endswith("=") and not own.adds(i):
            return True  # what it adds to may be a list or an array of somebody's
        called: list[Any] = []
        if step.opname in ("LOAD_METHOD", "LOAD_ATTR"):
            if name in WRITING_METHODS and not own.calls(i):
                return True
            module = _module(own.steps, i - 1, f.__globals__)
            if module is not None:
                called = [getattr(module, name, None)]
            else:
                called = [getattr(cls, name, None) for cls in classes]
                if unknown and step.calls and name not in _of_library() and not any(called):
                    called = [
                        getattr(x, name) for x in f.__globals__.values() if isinstance(x, type) and hasattr(x, name)
                    ]
                    if not called:
                        return True  # somebody's method
            called = [x.fget if isinstance(x, property) else x for x in called]
        elif step.opname == "LOAD_GLOBAL":
            called = [f.__globals__.get(name)]
        elif step.opname == "LOAD_DEREF":
            called = [captured.get(name)]
        for x in called:
            x, of = (x.__func__, type(x.__self__)) if type(x) is types.MethodType else (x, classes[0])
            if type(x) is types.FunctionType and _stores(x, of, seen, unknown, classes[1:]):
                return True
    return False


@functools.cache
def _of_library() -> frozenset[str]:
    """Names of methods of well-known classes: those that store into the object itself are in `WRITING_METHODS`."""
    import datetime
    import fractions
    import io
    import logging
    import pathlib
    import random
    import re

    classes = (
        *(list, dict, set, frozenset, tuple, str, bytes, int, float, complex, range, slice, memoryview, BaseException),
        *(np.ndarray, np.random.Generator, np.random.RandomState, random.Random, types.GeneratorType),
        *(types.FunctionType, collections.deque, collections.Counter, collections.OrderedDict, re.Pattern, re.Match),
        *(logging.Logger, io.TextIOWrapper, io.BytesIO, datetime.datetime, datetime.timedelta, fractions.Fraction),
        pathlib.Path,
    )
    return frozenset([name for cls in classes for name in dir(cls)])


def _module(steps: list[Step], at: int, names: dict[str, Any]) -> Any:
    """The module that an attribute is read from, if what stands before it names one: `np.linalg`."""
    chain: list[str] = []
    while at >= 0 and steps[at].opname in ("LOAD_ATTR", "LOAD_METHOD"):
        chain.append(steps[at].argval)
        at -= 1
    x = names.get(steps[at].argval) if at >= 0 and steps[at].opname == "LOAD_GLOBAL" else None
    for name in reversed(chain):
        x = getattr(x, name, None)
    return x if isinstance(x, types.ModuleType) else None


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
    modules = [x for x in (*found, *map(sys.modules.get, names)) if isinstance(x, types.ModuleType)]
    found += [vars(module).get(name) for module in modules if _is_written(module) for name in names]
    found += _cells(function).values()
    for x in found:
        if holds_hidden(x):
            raise _refusal(type(x))
    classes = [x if isinstance(x, type) else type(x) for x in found]
    for cls in (*classes, *(t.cls for t in arg_types if isinstance(t, Record))):
        check_class(cls)
        if searches and cls.__module__ != "builtins" and _found(cls, ("__iter__", "__getitem__", "__next__")):
            raise _refusal(cls)


def _is_written(module: types.ModuleType) -> bool:
    return is_users(getattr(module, "__file__", None) or "")


def check_class(cls: type) -> None:
    """Raise `UnsupportedSyntaxError` if what Python runs by itself for objects of a class may store."""
    if runs_stores(cls):
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
    if cls in _CLOSED or depth == 0:
        return False
    if cls is tuple or cls is list:
        return _any_hidden(x, depth)
    if isinstance(x, type):
        return False
    if runs_stores(cls):
        return True
    if isinstance(x, dict):
        return _any_hidden(x.values(), depth) or _any_hidden(x, depth)
    if isinstance(x, list | tuple | set | frozenset):
        return _any_hidden(x, depth)
    fields = own_dict(x)
    return isinstance(fields, dict) and _any_hidden(fields.values(), depth)


def _any_hidden(items: Iterable[Any], depth: int) -> bool:
    """The same of the items of a container: this runs before every call, and most hold nothing but numbers."""
    return not _CLOSED.issuperset(map(type, items)) and any([holds_hidden(item, depth - 1) for item in items])


non_differentiable(holds_hidden, hidden_methods)
