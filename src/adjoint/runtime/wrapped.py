"""Special methods that are no functions: Python runs by itself what their class makes of a call, or a wrapper in C."""

from __future__ import annotations

import functools
import types
from typing import Any

from ..errors import UnsupportedSyntaxError, calling_place
from ..identity import IdentityMap
from ..rules.registry import non_differentiable
from ..wrappers import stands_for_another
from .layouts import Layout, layout_of
from .names import BY_THEMSELVES, OPERATORS

_MAKING = frozenset(["__init__", "__new__", "__init_subclass__", "__class_getitem__", "__wrapped__"])
"""What is called by its name, or to make an object: that is followed."""
_BOUND_OTHERWISE = (staticmethod, classmethod, property)

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


def _found(cls: type) -> tuple[str, str]:
    for base in cls.__mro__[:-1]:
        for name, f in vars(base).items():
            if name[:2] == "__" == name[-2:] and name not in _MAKING and (kind := _kind(name, f)):
                return name, kind
    return "", ""


def _kind(name: str, f: Any) -> str:
    """What an attribute is that Python does not call as it calls a function; empty if it does."""
    if stands_for_another(f):
        return "a wrapper in C around one"
    if name not in BY_THEMSELVES or isinstance(f, types.FunctionType):
        return ""
    if isinstance(f, functools.partialmethod):
        return "" if name in OPERATORS else "a partial method"
    if name == "__call__" and isinstance(f, staticmethod):  # is called as any attribute
        return ""
    if type(f) in _BOUND_OTHERWISE:
        return f"a {type(f).__name__}"
    in_python = [hook for hook in ("__get__", "__call__") if type(getattr(type(f), hook, None)) is types.FunctionType]
    return f"an object of `{type(f).__name__}`" if in_python else ""


non_differentiable(check_special)
