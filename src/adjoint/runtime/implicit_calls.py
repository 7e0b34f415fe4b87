"""Methods that Python calls by itself, such as `__lt__`, `__bool__` and `__str__`: a program that is reversed by its
structure lets it, so that what they store would be lost. Where one of them may store, the program is to be recorded."""

from __future__ import annotations

import builtins
import collections
import functools
import operator
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..cells import captured_by
from ..classify import classify, method_of
from ..errors import UnsupportedSyntaxError, calling_place
from ..identity import IdentityMap
from ..ops.questions import writing_names
from ..origin import is_made_up, is_read, is_read_class, is_users
from ..rules.libraries import on_change
from ..rules.numpy.callables import PROGRAMS
from ..rules.outside import acts
from ..rules.registry import find_rules
from ..transforms.effects import IN_PLACE, is_library_ufunc
from .calling import called_by, defaults_by_name
from .code_stack import Step
from .layouts import Layout, layout_of
from .local_stores import Own, all_code
from .names import AS_ARRAY, MAKING, SPECIAL_METHODS
from .wrapped import check_special

_STORES = frozenset(
    ["STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE", "STORE_GLOBAL", "DELETE_GLOBAL"]
)
PLAIN = frozenset([float, int, bool, complex, str, bytes, type(None), np.ndarray, np.float64, np.float32, range])
"""Classes of values that have no methods of the user's."""
_RUNNING: IdentityMap[tuple[Layout, bool]] = IdentityMap()
"""True if Python may run a method of a class that stores."""

on_change.append(_RUNNING.clear)


def storing_methods(cls: type, names: Iterable[str]) -> frozenset[str]:
    """The methods of a class, of those with these names, in Python, that may store into something that they did not
    make. A method that calls one of which nothing is known counts as one that stores."""
    pairs = [(name, getattr(cls, name, None)) for name in names]
    written = [(name, f) for name, f in pairs if type(f) is types.FunctionType and is_written(f)]
    return frozenset([name for name, f in written if _stores(f, cls, set(), True)])


_OF_KEYS = ("__hash__", "__eq__", "__index__", "__lt__", "__le__", "__gt__", "__ge__")


def stores_as_key(cls: type) -> bool:
    """Tell whether a method may store that Python calls where an object is a key or a place, or is put in order."""
    return bool(storing_methods(cls, _OF_KEYS))


def runs_stores(cls: type) -> bool:
    """Tell whether Python may run, for an operation on an object of the class, a method that stores: an operator, a
    step of an iterator, a property, a descriptor, a method of the class of the class. A method that calls one of which
    nothing is known counts as one that stores.

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
        found = [f for base in cls.__mro__ for name, x in vars(base).items() for f in functions_in(name, _read_only(x))]
        written = [f for f in found if is_written(f) and not only_makes(f)]
        runs = type(cls) is not type and runs_stores(type(cls)) or any([_stores(f, cls, set(), True) for f in written])
        runs = runs or any(map(_stores_itself, _operators_of_library(cls)))
        known = _RUNNING[cls] = layout_of(cls), runs
    return known[1]


def only_makes(f: types.FunctionType) -> bool:
    """Tell whether a method does no more than to make functions, and objects of which the `__init__` stores fields:
    what these functions do is done when they are called.

    >>> only_makes(lambda self, other: (lambda x: other(self(x)))), only_makes(lambda self, other: other(self))
    (True, False)
    """
    steps = Own(f.__code__, f.__globals__).steps
    if any([step.opname not in MAKING for step in steps]):
        return False
    named = [f.__globals__.get(step.argval) for step in steps if step.opname == "LOAD_GLOBAL"]
    return all([isinstance(x, type) and not acts_in_making(x) for x in named])


_OPERATORS = (SPECIAL_METHODS | AS_ARRAY) - {"__hash__", "__repr__", "__str__", "__format__", "__dir__"}
"""Methods that run where a program computes, asks or runs through something; texts and hashes are often kept by an
object."""


def _operators_of_library(cls: type) -> list[types.FunctionType]:
    """The functions of a library's among them."""
    methods = [vars(base)[name] for base in cls.__mro__ for name in _OPERATORS & vars(base).keys()]
    found = [f for f in methods if type(f) is types.FunctionType and not is_made_up(f) and not is_written(f)]
    return [f for f in found if is_read(f.__code__.co_filename)]


def _stores_itself(f: types.FunctionType) -> bool:
    """Tell whether the code of a function stores into what it did not make, whatever it calls."""
    own = Own(f.__code__, f.__globals__)
    return any([step.opname in _STORES and not own.stores(i) for i, step in enumerate(own.steps)])


_FOLLOWED = frozenset(
    ["__call__", "__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__", "__prepare__"]
)
"""Methods that run where an object is called or made, or a class: that is followed."""
_WRITTEN = frozenset(["__setitem__", "__delitem__", *[f"__{operation.__name__}__" for operation in IN_PLACE]])
"""Methods that run where a program says `a[i] = x`, `del a[i]` or `a += b`, and nowhere else: that is followed."""


def _read_only(x: Any) -> Any:
    """An attribute of a class; of a property what runs where a program only reads it: a store says itself what runs."""
    return property(x.fget) if isinstance(x, property) and type(x) is property else x


def functions_in(name: str, x: Any) -> list[types.FunctionType]:
    """The functions behind an attribute of a class that Python may call by itself."""
    found: list[Any] = []
    if isinstance(x, property):
        found = [x.fget, x.fset, x.fdel]
    elif isinstance(x, functools.cached_property):
        found = [x.func]
    elif name.startswith("__") and name.endswith("__") and name not in _FOLLOWED | _WRITTEN:
        found = [x.__func__ if isinstance(x, (classmethod, staticmethod)) else x]
    elif isinstance(getattr(type(x), "__get__", None), types.FunctionType):
        found = [vars(base).get(hook) for base in type(x).__mro__ for hook in ("__get__", "__set__", "__delete__")]
    return [f for f in found if type(f) is types.FunctionType]


CALLED = 2
"""Of a function that is surely called: calls of what its code does not name count as well, of items, of results."""


def stores(f: types.FunctionType, classes: tuple[type, ...] = (), unknown: int = False) -> bool:
    """Tell whether the code of a function, or of what it calls by name, stores into more than its own variables;
    methods are looked up in the classes of what it captures, and in `classes`. With `unknown`, one that is found
    nowhere counts."""
    return _stores(f, object, set(), unknown, classes)


def may_change(x: Any, seen: set[int] | None = None, unknown: int = True) -> bool:
    """Tell whether what is handed on as a function stores or acts, or may do so: of what is not known, yes.

    >>> may_change(len), may_change([].append), may_change(functools.partial([].append, 1.0)), may_change(print)
    (False, True, True, True)
    """
    seen = set() if seen is None else seen
    if isinstance(x, str):
        return x in writing_names()
    if not callable(x) or id(x) in seen:
        return False
    if type(x) is types.FunctionType and is_read_on(x):
        return _stores(x, object, seen, unknown)
    c = classify(x)
    if c.kind == "bound":
        own = c.callee
        if type(own) is types.FunctionType and is_read_on(own):
            return _stores(own, type(c.receiver), seen, unknown)
        return may_change(own, seen, unknown)
    seen.add(id(x))
    if c.kind == "class":
        return acts_in_making(x, seen)
    if c.kind == "object" and c.args:
        return _call_may_change(x, seen, unknown)
    if c.runs is not None:
        return any([may_change(f, seen, unknown) for f in c.runs])
    if isinstance(x, operator.methodcaller):
        name = _name_called(x)
        return name in writing_names() or name not in _of_library()
    if isinstance(x, _METHODS) and x.__name__ in writing_names():
        return True
    return not (c.kind == "ufunc" and is_library_ufunc(x)) and acts(x)


def _call_may_change(x: Any, seen: set[int], unknown: int) -> bool:
    """The same of an object that is called by its class: a rule says all that it does, or its code."""
    called: Any = type(x).__call__
    if isinstance(called, types.FunctionType) and is_read_on(called):
        return _stores(called, type(x), seen, unknown)
    return not _is_known(called) and not type(x).__module__.startswith("adjoint.") and acts(x)


def calls_may_change(cls: type, unknown: int = True) -> bool:
    """The same of a call of any object of a class: one that runs a function which the object holds may store.

    >>> calls_may_change(np.vectorize), calls_may_change(np.poly1d), calls_may_change(float)
    (True, False, False)
    """
    if not any(["__call__" in vars(base) for base in cls.__mro__]):
        return False
    called: Any = cls.__call__
    if isinstance(called, types.FunctionType) and is_read_on(called):
        return stores(called, (cls,), unknown)
    return not _is_known(called)


def _is_known(called: Any) -> bool:
    """Tell whether there is a rule for a `__call__`, which says all that it does: not one that runs functions of the
    user's."""
    return find_rules(called) is not None and called not in PROGRAMS


_METHODS = (types.BuiltinMethodType, types.MethodDescriptorType, types.WrapperDescriptorType, types.MethodWrapperType)


def _name_called(x: operator.methodcaller) -> str:
    """The name of the method that a `methodcaller` calls."""
    reduced: Any = x.__reduce__()
    made, given = reduced[:2]
    return str(made.args[0] if isinstance(made, functools.partial) else given[0])


def acts_in_making(cls: type, seen: set[int] | None = None) -> bool:
    """Tell whether making an object of a class may do more than to store its fields."""
    if not is_read_class(cls):
        return acts(cls)
    call = type(cls).__call__
    if isinstance(call, types.FunctionType) and is_read_on(call):
        return True
    inherited = [
        base for base in cls.__mro__[1:-1] if not is_read_class(base) and {"__new__", "__init__"} & {*vars(base)}
    ]
    made = [getattr(cls, name, None) for name in ("__new__", "__init__", "__post_init__")]
    seen = set() if seen is None else seen
    stored = any([isinstance(f, types.FunctionType) and _stores(f, cls, seen, True) for f in made])
    return stored or any(map(acts, inherited))


def is_written(f: types.FunctionType) -> bool:
    """Tell whether a function is the user's, and has a text to be read."""
    return not is_made_up(f) and is_users(f.__code__.co_filename)


def is_read_on(f: types.FunctionType) -> bool:
    """Tell whether a function has a text that is read where the user's calls it."""
    return not is_made_up(f) and is_read(f.__code__.co_filename)


def _is_looked_into(f: types.FunctionType, unknown: int) -> bool:
    """Tell whether the code of a function is looked at: that of a library only where what is unknown counts."""
    return is_read_on(f) if unknown else is_written(f)


def _stores(
    f: types.FunctionType, cls: type, seen: set[int], unknown: int = False, more: tuple[type, ...] = ()
) -> bool:
    """The same; methods that it calls are looked up in a class, and in those of what it captures."""
    code = f.__code__
    if id(code) in seen or not _is_looked_into(f, unknown):
        return False
    if len(seen) > 50:
        return bool(unknown)
    seen.add(id(code))
    captured = captured_by(f)
    if unknown == CALLED and _calls_anything(f, seen):
        return True
    classes = (cls, *more, *{type(x) for x in captured.values() if type(x) not in PLAIN})
    return any([_code_stores(inner, f, captured, classes, seen, unknown) for inner in all_code(code)])


def _calls_anything(f: types.FunctionType, seen: set[int]) -> bool:
    """Tell whether a function calls what cannot be looked at, or may store: an item, a result, a parameter."""
    called = called_by(f.__code__, f.__globals__)
    if called.unknown:
        return True
    given = defaults_by_name(f.__code__, f.__defaults__ or (), f.__kwdefaults__ or {})
    return any([may_change(given.get(name), seen, CALLED) for name in called.defaults])


def _code_stores(
    code: types.CodeType,
    f: types.FunctionType,
    captured: dict[str, Any],
    classes: tuple[type, ...],
    seen: set[int],
    unknown: int,
) -> bool:
    own = Own(code, f.__globals__)
    for i, step in enumerate(own.steps):
        name = step.argval
        rebinds = step.opname == "STORE_DEREF" and name in f.__code__.co_freevars
        if rebinds or step.opname in _STORES and not own.stores(i) and not own.initialises(i, f.__name__):
            return True
        if step.opname == "BINARY_OP" and step.argrepr.endswith("=") and not own.adds(i):
            return True  # what it adds to may be a list or an array of somebody's
        called: list[Any] = []
        if step.opname in ("LOAD_METHOD", "LOAD_ATTR"):
            if name in writing_names() and not own.calls(i):
                return True
            owner = _owner(own.steps, i - 1, f.__globals__)
            if isinstance(owner, types.ModuleType):
                called = [getattr(owner, name, None)]
            else:
                of = classes if owner is None else (type(owner), *classes)
                called = [_method(cls, name) for cls in of]
                if unknown and own.is_called(i) and not any(called):
                    found = [_method(x, name) for x in f.__globals__.values() if isinstance(x, type)]
                    called = [x for x in found if x is not None]
                    if not called and name not in _of_library():
                        return True  # somebody's method
            called = [x.fget if isinstance(x, property) else x for x in called]
        elif step.opname == "LOAD_GLOBAL":
            called = [f.__globals__.get(name, getattr(builtins, name, None))]
        elif step.opname == "LOAD_DEREF":
            called = [captured.get(name)]
        for x in called:
            x, of_x = (x.__func__, type(x.__self__)) if type(x) is types.MethodType else (x, classes[0])
            if type(x) is types.FunctionType and _is_looked_into(x, unknown):
                if _stores(x, of_x, seen, unknown, classes[1:]):
                    return True
            elif unknown and may_change(x, seen, unknown):
                return True
    return False


def _method(cls: type, name: str) -> Any:
    """Attribute that a class has under a name, if that is no slot: that holds anything."""
    found = method_of(cls, name)
    return None if type(found) is types.MemberDescriptorType else found


@functools.cache
def _of_library() -> frozenset[str]:
    """Names of methods of well-known classes, which do not act: those that store into the object itself are in
    `writing_names`."""
    import datetime
    import fractions
    import re

    classes = (
        *(list, dict, set, frozenset, tuple, str, bytes, int, float, complex, range, slice, memoryview, BaseException),
        *(np.ndarray, types.FunctionType, collections.deque, collections.Counter, collections.OrderedDict),
        *(re.Pattern, re.Match, datetime.datetime, datetime.timedelta, fractions.Fraction),
    )
    return frozenset([name for cls in classes for name in dir(cls)])


def _owner(steps: list[Step], at: int, names: dict[str, Any]) -> Any:
    """Object that an attribute is read from, if what stands before it is a global name, or a module's: `np.linalg`."""
    chain: list[str] = []
    while at >= 0 and steps[at].opname in ("LOAD_ATTR", "LOAD_METHOD"):
        chain.append(steps[at].argval)
        at -= 1
    x = names.get(steps[at].argval) if at >= 0 and steps[at].opname == "LOAD_GLOBAL" else None
    for name in reversed(chain):
        x = getattr(x, name, None) if isinstance(x, types.ModuleType) else None
    return x


def check_class(cls: type) -> None:
    """Raise `UnsupportedSyntaxError` if what Python runs by itself for objects of a class may store."""
    check_special(cls)
    if not may_be_made(cls):
        raise refusal(cls)


def may_be_made(cls: type) -> bool:
    """Tell whether nothing that Python runs by itself for objects of a class may store, or compute."""
    return not runs_stores(cls) and not computes_functions(cls)


def computes_functions(cls: type) -> bool:
    """Tell whether NumPy lets a class compute what its functions give, by a method in Python."""
    return takes_over(cls, "__array_function__")


def takes_over(cls: type, hook: str) -> bool:
    """Tell whether a class has such a hook of NumPy's, written in Python by the user."""
    method = getattr(cls, hook, None)
    return type(method) is types.FunctionType and is_written(method)


class StoringMethodError(UnsupportedSyntaxError):
    """Refuses objects for which Python may run what stores: where objects are memory it is known what that does."""


def refusal(cls: type) -> StoringMethodError:
    return StoringMethodError(
        f"`{cls.__name__}` has a method that Python calls by itself, and that stores or computes",
        "what it does there is not followed where a program is reversed by its structure",
        "call the method by its name",
        calling_place(),
    )
