"""Exceptions, which keep what they are made of: as their arguments, and some in fields that code in C reads."""

from __future__ import annotations

import types
from typing import Any

from ..sweep import Sweep, add, is_valued
from .base import NOTHING, Record, Result, handles_methods, nothing
from .slots import pure

Args = tuple[Any, ...]
Kwargs = dict[str, Any]


def keeping(error: BaseException, args: Args, kwargs: Kwargs, before: int) -> Any:
    """The reverse of a call by which an exception keeps operands; so many others stand before these."""
    operands, own = (*args, *kwargs.values()), error.args
    fields = _fields(error)
    places = _places(fields, operands)
    wholes = [".args", *[f".{name}" for name, value in fields if own and value is own]]
    n = min(len(own), len(args))  # some classes keep the first ones alone

    def keeping_back(sweep: Sweep, y_bar: Any) -> Any:
        bars = [None] * len(operands)
        for whole in wholes:
            given = sweep.take(error, whole)
            if given is not None:
                bars[:n] = [add(a, b) for a, b in zip(bars[:n], given, strict=False)]
        for name, i in places:
            bars[i] = add(bars[i], sweep.take(error, f".{name}"))
        return (None, *NOTHING[:before], *bars)

    return keeping_back


def _fields(error: BaseException) -> list[tuple[str, Any]]:
    """The fields that builtin classes of exceptions have: `OSError.errno`, `SystemExit.code`, `StopIteration.value`."""
    bases = [cls for cls in type(error).__mro__ if cls.__module__ == "builtins"]
    named = [(name, static) for cls in bases for name, static in vars(cls).items()]
    return [(name, static.__get__(error)) for name, static in named if type(static) is types.MemberDescriptorType]


def _places(fields: list[tuple[str, Any]], operands: Args) -> list[tuple[str, int]]:
    """The operand in each field; where two are the same object, fields come in the order of operands."""
    rest, found = [*enumerate(operands)], []
    for name, value in fields:
        at = next((at for at, (_, x) in enumerate(rest) if x is value), None) if is_valued(value) else None
        if at is not None:
            found.append((name, rest.pop(at)[0]))
    return found


@handles_methods(BaseException, "__init__")
def _initialise(record: Record, k: int, error: Any, args: Args, kwargs: Kwargs) -> Result:
    base = next(c for c in type(error).__mro__ if not isinstance(vars(c).get("__init__"), types.FunctionType | None))
    before = error.args
    vars(base)["__init__"](error, *args, **kwargs)
    return None, nothing if error.args is before and args else keeping(error, args, kwargs, 1)


@handles_methods(BaseException, "__new__")
def _new(record: Record, k: int, cls: Any, args: Args, kwargs: Kwargs) -> Result:
    """By the `__new__` of the builtin class. Its arguments are taken note of here, unless `__init__` does."""
    y = cls.__new__(*args, **kwargs)
    return y, keeping(y, args[1:], kwargs, 2)


pure(BaseException, "add_note", "with_traceback")

__all__ = ["keeping"]
