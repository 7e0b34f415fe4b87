"""Special methods that are no functions: Python runs by itself what their class makes of a call, or a wrapper in C."""

from __future__ import annotations

import functools
import types
from typing import Any

from ..errors import UnsupportedSyntaxError, calling_place
from ..identity import IdentityMap
from ..origin import is_users_class
from ..rules.registry import non_differentiable
from ..wrappers import stands_for_another
from .layouts import Layout, layout_of
from .names import BY_THEMSELVES, OPERATORS

_MAKING = frozenset(["__init__", "__new__", "__init_subclass__", "__class_getitem__", "__wrapped__"])
"""Methods that are called by their names, or to make an object: that is followed."""
_BOUND_OTHERWISE = (staticmethod, classmethod, property)
_DESCRIPTORS = (types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType)
"""Classes of the methods of builtin classes."""
_IN_C = frozenset(["cython_function_or_method", "instancemethod"])
"""Classes of the methods that Cython and pybind11 make."""

_FOUND: IdentityMap[tuple[Layout, str, str]] = IdentityMap()
"""The first such method of a class, and what it is."""


def check_special(cls: type) -> None:
    """Raise `UnsupportedSyntaxError` where Python runs such a method for objects of a class."""
    if cls.__module__ == "builtins":
        return
    known = _FOUND.get(cls)
    if known is None or known[0] is not layout_of(cls):
        known = _FOUND[cls] = layout_of(cls), *_found(cls)
    if known[1]:
        raise UnsupportedSyntaxError(
            f"`{cls.__name__}.{known[1]}` is no function, but {known[2]}",
            "Python runs it by itself, and how it calls the function is not followed there",
            "call what it does from a plain special method",
            calling_place(),
        )


def special_method(cls: type, name: str) -> Any:
    """The function behind a special method of a class, None if it has none in Python: for objects of any origin."""
    found = getattr(cls, name, None)
    if found is None or isinstance(found, _DESCRIPTORS):
        return None
    static = next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)
    if static is not None and type(static) is not types.FunctionType and is_users_class(cls):
        check_special(cls)
    return found if isinstance(found, types.FunctionType) else None


def _found(cls: type) -> tuple[str, str]:
    for base in cls.__mro__[:-1]:
        for name, f in vars(base).items():
            if name[:2] == "__" == name[-2:] and name not in _MAKING and (kind := _kind(name, f)):
                return name, kind
    return "", ""


def _kind(name: str, f: Any) -> str:
    """Kind of an attribute that Python does not call as it calls a function; empty if it does."""
    if stands_for_another(f):
        return "a wrapper in C around one"
    if name not in BY_THEMSELVES or f is None or _is_method(f):
        return ""
    if isinstance(f, functools.partialmethod):
        return "" if name in OPERATORS and _is_method(f.func) else "a partial method"
    if name == "__call__" and isinstance(f, staticmethod) and _is_method(f.__func__):  # is called as any attribute
        return ""
    if name == "__call__" and isinstance(f, types.BuiltinFunctionType) and isinstance(f.__self__, types.ModuleType):
        return ""
    if type(f) in _BOUND_OTHERWISE:
        return f"a {type(f).__name__}"
    return "a class" if isinstance(f, type) else f"an object of `{type(f).__name__}`"


def _is_method(f: Any) -> bool:
    """Tell whether a class binds it to an object as it binds a function: one in Python, or one in C."""
    return isinstance(f, (types.FunctionType, *_DESCRIPTORS)) or type(f).__name__ in _IN_C


non_differentiable(check_special)
