"""Operators that the class of an operand may define, as far as types tell."""

from __future__ import annotations

import operator
import types
from typing import Any

from ..ir.types import Record, Type, Unknown
from ..rules.registry import RULES
from ..transforms.effects import PLAIN
from .spec import COMPARISONS, OPERATORS, STEPS


def overridden(f: Any, arg_types: list[Type]) -> bool:
    """Tell whether `f` is an operator that the class of an operand may define."""
    classes = [getattr(t, "cls", None) for t in arg_types]
    return f in OPERATORS and any(cls is not None and cls.__module__ not in ("builtins", "numpy") for cls in classes)


def operator_methods(f: Any) -> tuple[tuple[str, ...], str | None]:
    """The special methods of the left operand that an operator is looked up by, in order, and the reflected one of
    the right operand."""
    if f in (operator.concat, operator.iconcat):  # which ask whether these are sequences
        return (), None
    name, reflected = OPERATORS[f]
    if f in PLAIN:
        names, reflected = operator_methods(PLAIN[f])
        return (name, *names), reflected
    return (name,), reflected if reflected is not None and reflected.startswith("__r") else None


def may_be_own(f: Any, arg_types: list[Type], tested: bool = False) -> bool:
    """Tell whether `f`, through which nothing flows for numbers, may be what the class of an operand makes of it, where
    that is more than `tested`."""
    if f in COMPARISONS:
        return not tested and any(isinstance(t, Unknown) or _compares(t) for t in arg_types)
    return f in STEPS and any(isinstance(t, (Unknown, Record)) for t in arg_types)


def is_ruled(cls: type) -> bool:
    """Tell whether some object of a class has rules of its own, which come before what its class says."""
    return any([type(f) is cls for f in RULES])


def _compares(t: Type) -> bool:
    """Tell whether a class says itself how its objects are compared."""
    own = [getattr(t.cls, f"__{f.__name__}__", None) for f in COMPARISONS] if isinstance(t, Record) else []
    return any([isinstance(method, types.FunctionType) for method in own])
