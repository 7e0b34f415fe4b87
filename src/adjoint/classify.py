"""Kinds of callables: what each passes a call on to, and what it holds.

Everyone who meets a callable asks here, so that all treat it as the same thing. Identity and the class decide, never a
name; of a class that is not listed, its `__call__`. What each makes of a kind is its own matter.
"""

from __future__ import annotations

import functools
import inspect
import operator
import types
from collections.abc import Callable as Function
from typing import Any, Literal, NamedTuple

import numpy as np

from .wrappers import CALLEES, TRANSPARENT, called_by, callees, function_of, held_by, stands_for_another

Kind = Literal[
    "python",  # a function
    "suspended",  # a function that makes a generator or a coroutine
    "dispatch",  # one that calls another one by the classes of the arguments
    "builtin",  # a function in C, or a method of a class in C that is bound to a class
    "ufunc",
    "dispatcher",  # a function of NumPy's that asks the classes of the arguments first
    "descriptor",  # a method of a class in C
    "bound",  # a method in Python, and its object
    "method",  # a method in C, and its object
    "static",  # a `staticmethod` by itself
    "partial",
    "cached",
    "compiled",  # what Numba has compiled of a function, or is to compile
    "entries",  # calls a function for each entry of arrays
    "wrapper",  # chooses which of the functions that it holds it calls
    "class",
    "gradient",  # a function that gives a gradient, and perhaps the value
    "pullback",
    "getter",  # `itemgetter`, `attrgetter`, `methodcaller`
    "proxy",  # an object in C that stands for one of another class
    "object",  # its class says in Python what a call does
    "other",
]

NO_NAMES: Any = types.MappingProxyType({})
_SUSPENDED = 0x3A0
"""Flags of the code of generators and coroutines."""


class Callable(NamedTuple):
    """The kind and the parts of a callable.

    >>> c = classify(functools.partial(pow, 2.0))
    >>> c.kind, c.callee, c.args, classify(len).kind, classify([].append).kind
    ('partial', <built-in function pow>, (2.0,), 'builtin', 'method')
    """

    kind: Kind
    itself: Any
    callee: Any = None
    """The callee, where all that a call does is to call it; None where it does anything else."""
    args: tuple[Any, ...] = ()
    """The values that the callee is given first."""
    kwargs: Any = NO_NAMES
    """The values that the callee is given by name, where the call says nothing else."""

    @property
    def function(self) -> types.FunctionType | None:
        """The function in Python that runs in the end; None where there is none, or more than that runs."""
        f = passed_on(self.itself, (), NO_NAMES)[0]
        return f if type(f) is types.FunctionType else None

    @property
    def receiver(self) -> Any:
        """The object of a method, the class of a builtin class method, what is called by its class."""
        return self.args[0] if self.args and self.kind in _WITH_RECEIVER else None

    @property
    def runs(self) -> tuple[Any, ...] | None:
        """The functions that a call may call, and no others; None where that is not known."""
        if self.callee is not None:
            return (self.callee, *self.args, *self.kwargs.values()) if self.kind == "partial" else (self.callee,)
        found = _RUNS.get(self.kind)
        return None if found is None else found(self.itself)

    @property
    def reaches(self) -> tuple[Any, ...]:
        """The values that it holds, besides what its code names: fields of objects and cells of functions are not among
        it."""
        if self.kind in _BY_CODE:
            return ()
        if self.kind == "object":
            return _held_in_c(self.itself)
        if self.kind == "partial":
            return self.callee, self.args, self.kwargs
        if self.callee is not None:
            return (self.callee, *self.args)
        runs = self.args if self.kind == "method" else self.runs
        return tuple(held_by(self.itself)) if runs is None else runs


_WITH_RECEIVER = frozenset(["bound", "builtin", "method", "object"])
_BY_CODE = frozenset(
    ["python", "suspended", "dispatch", "class", "builtin", "ufunc", "dispatcher", "descriptor", "pullback"]
)
"""Kinds of what runs its own code alone, and keeps what this may reach in names, cells and fields."""


def _of_function(f: Any) -> Kind:
    code = f.__code__
    if code.co_flags & _SUSPENDED:
        return "suspended"
    return "dispatch" if code is _DISPATCH else "python"


def _of_builtin(f: Any) -> Kind:
    owner = f.__self__
    return "builtin" if owner is None or isinstance(owner, types.ModuleType | type) else "method"


def _of_ufunc(f: Any) -> Kind:
    return "ufunc" if function_of(f) is None else "entries"


_DISPATCH = functools.singledispatch(len).__code__  # type: ignore[attr-defined]
"""The code of all that it makes."""
_KEY = type(functools.cmp_to_key(max))

KINDS: dict[type, Kind | Function[[Any], Kind]] = {
    types.FunctionType: _of_function,
    types.BuiltinFunctionType: _of_builtin,
    types.MethodType: "bound",
    types.MethodWrapperType: "method",
    types.MethodDescriptorType: "descriptor",
    types.WrapperDescriptorType: "descriptor",
    types.ClassMethodDescriptorType: "descriptor",
    np.ufunc: _of_ufunc,
    type(np.sum): "dispatcher",
    staticmethod: "static",
    functools.partial: "partial",
    functools._lru_cache_wrapper: "cached",
    operator.itemgetter: "getter",
    operator.attrgetter: "getter",
    operator.methodcaller: "getter",
    np.vectorize: "entries",
    _KEY: "wrapper",
    type: "class",
}
"""The kinds of callables by their classes. A library may add its own."""


def kind_of(f: Any) -> Kind:
    """The kind of a callable.

    >>> kind_of(len), kind_of(lambda: 0), kind_of(list), kind_of(np.sin), kind_of(3.0)
    ('builtin', 'python', 'class', 'ufunc', 'other')
    """
    found = KINDS.get(type(f))
    if found is None:
        found = _of_class(f)
    return found if type(found) is str else found(f)  # type: ignore[operator]


def _of_class(f: Any) -> Kind | Function[[Any], Kind]:
    """The kind of an object of a class that is not listed: that of a base which has the same `__call__`."""
    cls: Any = type(f)
    if cls in TRANSPARENT:
        return "compiled"
    if cls in CALLEES:
        return "wrapper"
    if issubclass(cls, type):
        return "class"
    if hasattr(cls, "__adjoint_gradient__"):
        return "gradient"
    if type(cls.__dict__.get("__call__")) is types.FunctionType:  # as most
        return "object"
    call = call_of(cls)
    for base in cls.__mro__[:-1]:
        if (base in KINDS or base in CALLEES) and call_of(base) is call:
            return KINDS.get(base, "wrapper")
    if isinstance(call, types.FunctionType | staticmethod | types.BuiltinFunctionType):
        return "object"
    return "proxy" if stands_for_another(f) else "other"


def call_of(cls: type) -> Any:
    """The `__call__` of a class, as it stands there; None if it has none.

    >>> call_of(functools.partial) is functools.partial.__call__, call_of(float)
    (True, None)
    """
    for base in cls.__mro__:
        if "__call__" in base.__dict__:
            return base.__dict__["__call__"]
    return None


def method_of(cls: type, name: str) -> Any:
    """The attribute of a class under a name, static and class methods as they are called; None if it has none. What
    the user's descriptors compute is left alone, and so is `__getattr__` of an `Enum`.

    >>> method_of(dict, "get") is dict.get, method_of(dict, "fromkeys") == dict.fromkeys, method_of(dict, "no")
    (True, True, None)
    """
    found = inspect.getattr_static(cls, name, None)
    bound = isinstance(found, (staticmethod, classmethod, types.ClassMethodDescriptorType))
    return found.__get__(None, cls) if bound else found


def classify(f: Any) -> Callable:
    """Tell the kind and the parts of a callable."""
    kind = kind_of(f)
    parts = _PARTS.get(kind)
    return Callable(kind, f) if parts is None else Callable(kind, f, *parts(f))


Parts = tuple[Any, tuple[Any, ...], Any]


def _called_by_class(f: Any) -> Parts:
    call = type(f).__dict__.get("__call__") or call_of(type(f))
    if type(call) is types.FunctionType:
        return call, (f,), NO_NAMES
    return call.__func__ if isinstance(call, staticmethod) else call, (), NO_NAMES  # it is called without the object


def _called_by_metaclass(cls: type) -> Parts:
    call = call_of(type(cls))
    return (call, (cls,), NO_NAMES) if isinstance(call, types.FunctionType) else (None, (), NO_NAMES)


def _behind(f: Any) -> Parts:
    return called_by(f), (), NO_NAMES


_PARTS: dict[Kind, Function[[Any], Parts]] = {
    "bound": lambda f: (f.__func__, (f.__self__,), NO_NAMES),
    "method": lambda f: (None, (f.__self__,), NO_NAMES),
    "builtin": lambda f: (None, (f.__self__,) if isinstance(f.__self__, type) else (), NO_NAMES),
    "partial": lambda f: (f.func, f.args, f.keywords),
    "static": lambda f: (f.__func__, (), NO_NAMES),
    "cached": _behind,
    "compiled": _behind,
    "class": _called_by_metaclass,
    "object": _called_by_class,
}
"""The callee, and what it is given besides the arguments."""


_RUNS: dict[Kind, Function[[Any], Any]] = {
    "entries": lambda f: (function_of(f),) if isinstance(f, np.ufunc) else tuple(callees(f) or ()),
    "wrapper": lambda f: tuple([x for x in held_by(f) if callable(x)]),
    "gradient": lambda f: (type(f).__adjoint_gradient__(f)[0],),
    "getter": lambda f: None if isinstance(f, operator.methodcaller) else (),
}


def _held_in_c(f: Any) -> tuple[Any, ...]:
    """The values that an object holds besides its fields, by a base in C that its class gives another call."""
    if isinstance(f, functools.partial):
        return f.func, f.args, f.keywords
    return (f.__func__,) if isinstance(f, staticmethod) else ()


def descriptor_of(method: Any) -> Any:
    """The attribute that a class in C has under the name of a method that is bound; None where there is nothing.

    >>> descriptor_of([].append) is list.append, descriptor_of(dict.fromkeys) is vars(dict)["fromkeys"]
    (True, True)
    """
    owner, name = method.__self__, method.__name__
    if isinstance(method, types.MethodWrapperType):
        return getattr(method.__objclass__, name)
    if isinstance(owner, type) and not hasattr(type(owner), name):  # a class method: `Decimal.from_float`
        return next((vars(base)[name] for base in owner.__mro__ if name in vars(base)), None)
    found = [vars(base)[name] for base in type(owner).__mro__ if name in vars(base)]  # the user's own may stand first
    return next((f for f in found if isinstance(f, types.MethodDescriptorType)), getattr(type(owner), name, None))


def passed_on(
    f: Any, args: tuple[Any, ...], kwargs: Any, through: frozenset[Kind] | None = None
) -> tuple[Any, tuple[Any, ...], Any]:
    """The callee in the end, and what it is given, where callables of these kinds pass a call on; of any by default.

    >>> passed_on(functools.partial(pow, 2), (3,), {})
    (<built-in function pow>, (2, 3), {})
    """
    while type(f) is not types.FunctionType:
        kind = kind_of(f)
        if through is not None and kind not in through or kind not in _PARTS:
            break
        callee, own, named = _PARTS[kind](f)
        if callee is None:
            break
        f, args, kwargs = callee, (*own, *args) if own else args, {**named, **kwargs} if named else kwargs
    return f, args, kwargs


APPLIED: frozenset[Kind] = frozenset(["bound", "partial"])
"""The kinds of what is a function with some of its arguments."""


_CACHED: frozenset[Kind] = frozenset(["cached"])


def uncached(f: Any) -> Any:
    """The function behind a cache of `functools`; anything else as it is.

    >>> uncached(functools.lru_cache(kind_of)) is kind_of, uncached(len)
    (True, <built-in function len>)
    """
    return passed_on(f, (), {}, _CACHED)[0]
