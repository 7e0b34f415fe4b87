"""Reads from exceptions: values that were raised with them are not followed in its structure."""

from __future__ import annotations

import builtins
import inspect
import operator
import sys
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UnsupportedSyntaxError
from ..ir import exceptions, intrinsics
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import Inert, Record
from .frames import place_of
from .infer import type_of

if TYPE_CHECKING:
    from .resolve import Resolver

_SHOWING = frozenset([
    *(isinstance, issubclass, type, str, repr, format, print, bool, id, operator.is_, operator.is_not, operator.not_),
    *(exceptions.matches, exceptions.swallows, exceptions.told_of, exceptions.leave, exceptions.enter),
    *(intrinsics.make_tuple, intrinsics.unpack, builtins.getattr),
])  # fmt: skip
"""Calls that ask an exception for nothing that it carries; of attributes `check_attribute` is asked."""
_ASKING = frozenset(f for f in (sys.exc_info, getattr(sys, "exception", None)) if f is not None)
_OF_NO_VALUE = frozenset(["__class__", "__traceback__", "with_traceback", "add_note"])


def is_exception(a: Any) -> bool:
    """Tell whether a value is an exception that was caught, of which it is not known what it carries."""
    t = a.type if isinstance(a, Var) else None
    return isinstance(t, Inert) and t.cls is BaseException


def check_call(r: Resolver, s: Call, fn: Atom, args: Sequence[Any]) -> None:
    """Refuse a call that may read from an exception; a function of the user's is looked into itself."""
    value: Any = fn.value if isinstance(fn, Const) else None
    if not any(map(is_exception, args)):
        if isinstance(value, types.BuiltinFunctionType) and value in _ASKING:
            _refuse(r, s)
        return
    if value is builtins.getattr and len(args) > 2:
        _refuse(r, s)
    if isinstance(fn, Const) and (isinstance(value, types.FunctionType) or value in _SHOWING):
        return
    rules = r.generation.find_rules(value) if isinstance(fn, Const) else None
    if rules is None or rules.differentiable:
        _refuse(r, s)


def check_attribute(r: Resolver, s: Call, base: Atom, name: str) -> None:
    """Refuse an attribute of an exception that may hold what was raised with it, or tells what it has been through."""
    t = type_of(base)
    if is_exception(base) and name not in _OF_NO_VALUE or isinstance(t, Record) and _tells(t, name):
        _refuse(r, s)


def is_field(t: Record, name: str) -> bool:
    """Tell whether an attribute is a field of an exception that was made here."""
    return issubclass(t.cls, BaseException) and name in dict(t.fields or ())


def _tells(t: Record, name: str) -> bool:
    """Tell whether an attribute of such an exception says what it has been through."""
    if not issubclass(t.cls, BaseException) or is_field(t, name) or name == "__class__":
        return False
    static = inspect.getattr_static(t.cls, name, None)
    return name == "__notes__" or any([static is value for value in vars(BaseException).values()])


def _refuse(r: Resolver, s: Call) -> None:
    raise UnsupportedSyntaxError(
        "what is read from an exception that was caught",
        "values that were raised with it are not followed where a program is reversed by its structure",
        "return the value, or keep it in a variable",
        place_of(r.context.function, s),
    )
