"""Callables that pass a call on to a function that they hold.

`__wrapped__` says which function a wrapper was made of, not which one it calls: a decorator may change the arguments or
the result, and multiple dispatch may call another one. Which wrapper passes a call on as it is, its class tells.
"""

from __future__ import annotations

import functools
import gc
import inspect
import types
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from .identity import IdentityMap

TRANSPARENT: dict[type, str] = {functools._lru_cache_wrapper: "__wrapped__", staticmethod: "__func__"}
"""Classes of wrappers that call a function with what they are given and give what it gives: to where they hold it."""

PLAIN: dict[type, str] = {}
"""Those whose objects add nothing to the function that they hold, by which they are differentiated."""

PASSING: dict[types.CodeType, tuple[str, Callable[[Any], bool]]] = {}
"""Codes of functions that pass a call on to the one that they capture under a name, unless they take an argument for
themselves: the name, and what tells that of an argument."""

STORING: IdentityMap[bool] = IdentityMap()
"""Functions that store into what they are given, of those that such wrappers hold: no rule has a derivative of that."""

CALLEES: dict[type, Callable[[Any], list[Any]]] = {np.vectorize: lambda f: [f.pyfunc]}
"""Classes whose objects choose which of the functions that they hold they call, and what gives these functions."""


def callees(f: Any) -> list[Any] | None:
    """The functions of which an object of such a class calls one; None of anything else.

    >>> callees(np.vectorize(abs)), callees(abs)
    ([<built-in function abs>], None)
    """
    listed = next((CALLEES[base] for base in type(f).__mro__ if base in CALLEES), None)
    return None if listed is None else listed(f)


def plainly(f: Any) -> Any:
    """The function that an object of such a class holds; anything else as it is.

    >>> plainly(abs)
    <built-in function abs>
    """
    name = PLAIN.get(type(f))
    return f if name is None else getattr(f, name)


def passed_by(f: Any) -> tuple[Any, Callable[[Any], bool]] | None:
    """The function that such a one passes a call on to, and what tells which arguments it takes for itself; None of
    anything else, and where that function captures what may have a cotangent.

    >>> passed_by(passed_by)
    """
    if type(f) is not types.FunctionType or (found := PASSING.get(f.__code__)) is None:
        return None
    name, takes = found
    held = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))[name].cell_contents
    return None if getattr(held, "__closure__", None) else (held, takes)


def called_for(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The function that a call of such a one with these arguments is passed on to; else None.

    >>> called_for(abs, (1.0,), {})
    """
    found = passed_by(f)
    if found is None or any(map(found[1], args)) or not kwargs.keys().isdisjoint(own_keywords(f)):
        return None
    return found[0]


def own_keywords(f: types.FunctionType) -> tuple[str, ...]:
    """The names of what a function takes by name alone.

    >>> own_keywords(signature_of)
    ()
    """
    code = f.__code__
    return code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]


def stands_for_another(x: Any) -> bool:
    """Tell whether an object is one of C code that stands for another one: it says of itself that it is of that one's
    class.

    >>> stands_for_another(abs)
    False
    """
    if type(x) in _WEAK:
        return True
    says: Any = next((vars(base)["__class__"] for base in type(x).__mro__[:-1] if "__class__" in vars(base)), None)
    return type(says) is types.GetSetDescriptorType


_WEAK = (weakref.ProxyType, weakref.CallableProxyType)


def called_by(f: Any) -> Any:
    """The function that such a wrapper calls; None of anything else, and where it is hidden.

    >>> def f(x): return x
    >>> called_by(functools.cache(f)) is f, called_by(staticmethod(f)) is f, called_by(f)
    (True, True, None)
    >>> called_by(functools.wraps(abs)(functools.cache(f)))  # it says that it is `abs`
    """
    name = TRANSPARENT.get(type(f))
    found = None if name is None else getattr(f, name, None)
    return None if type(f) is functools._lru_cache_wrapper and not _is_held(f, found) else found


def storing_in(f: Any) -> Any:
    """The function that a compiled one calls, where it is known to store into what it is given; None of others."""
    if type(f) not in TRANSPARENT or type(f) in _UNCOMPILED:
        return None
    function = called_by(f)
    return function if function is not None and STORING.get(function) else None


_UNCOMPILED = frozenset(TRANSPARENT)
"""Those that only pass a call on."""


def _is_held(cache: Any, found: Any) -> bool:
    """Tell whether a cache holds the function that it says it is around; this is looked at once."""
    if _HELD.get(cache) != id(found):
        if not any(x is found for x in gc.get_referents(cache)):
            return False
        _HELD[cache] = id(found)
    return True


_HELD: IdentityMap[int] = IdentityMap()
"""Caches, and the identities of their functions."""


def function_of(ufunc: Any) -> Any:
    """The Python function that `np.frompyfunc` made a ufunc of; None for other ufuncs."""
    if not ufunc.__name__.endswith(" (vectorized)") or set(ufunc.types) != {"O" * ufunc.nin + "->" + "O" * ufunc.nout}:
        return None
    return next((f for f in gc.get_referents(ufunc) if callable(f)), None)


def held_by(f: Any) -> list[Any]:
    """The callees of a callable that is written in C: whatever it holds.

    >>> import operator
    >>> held_by(operator.itemgetter(slice(3)))
    [slice(None, 3, None)]
    """
    held = [*(callees(f) or ()), *gc.get_referents(f)]
    return [x for x in held if not isinstance(x, type | types.ModuleType)]


def signature_of(f: Any) -> inspect.Signature:
    """The signature of a callable: its own; that of the function it was made of only where its own says nothing.

    >>> @functools.wraps(pow)
    ... def backwards(exponent, base): return base ** exponent
    >>> list(signature_of(backwards).parameters)
    ['exponent', 'base']
    """
    try:
        own = inspect.signature(f, follow_wrapped=False)
    except ValueError:  # there is none: multiple dispatch
        return inspect.Signature()
    says = all(p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in own.parameters.values())
    return own if says or not _is_followed(f) else inspect.signature(f)


def _is_followed(f: Any) -> bool:
    """Tell whether a callable is written in Python, or passes a call on: what says that it was made of a function."""
    return isinstance(type(f).__call__, types.FunctionType) or type(f) in _OF_PYTHON or type(f) in TRANSPARENT


_OF_PYTHON = frozenset([types.FunctionType, types.MethodType, functools.partial])
