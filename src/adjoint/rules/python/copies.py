"""`copy.copy` and `copy.deepcopy` of values that are copied field by field."""

from __future__ import annotations

import copy
import copyreg
import functools
import types
from typing import Any

import numpy as np

from ...errors import NoRuleError, calling_place
from ...tangents import own_dict
from ..registry import Back, non_differentiable, rule
from .containers import same_back

METHODS = (
    *("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__"),
    *("__getstate__", "__setstate__", "__getnewargs__", "__getnewargs_ex__"),
)
"""By these a class says itself what its copies are."""
_ATOMS = frozenset([float, int, bool, complex, str, bytes, type(None), np.ndarray, types.FunctionType])


@rule(copy.copy)
def copy_rule(x: Any) -> tuple[Any, Back]:
    """`copy.copy(x)`."""
    _check([x])
    return copy.copy(x), same_back


@rule(copy.deepcopy)
def deepcopy_rule(x: Any, memo: Any = None) -> tuple[Any, Back]:
    """`copy.deepcopy(x)`."""
    _check(_all_in(x))
    return copy.deepcopy(x, memo), same_back


def _all_in(x: Any) -> list[Any]:
    """The objects that a deep copy comes by: items and fields, each once."""
    found, seen = [x], {id(x)}
    for y in found:
        items: Any = list(y.values()) if isinstance(y, dict) else y if isinstance(y, list | tuple) else ()
        fields = None if isinstance(y, type | types.ModuleType) else own_dict(y)
        for item in (*items, *(fields.values() if isinstance(fields, dict) else ())):
            if type(item) not in _ATOMS and id(item) not in seen:
                seen.add(id(item))
                found.append(item)
    return found


def copied_by(cls: type) -> str | None:
    """By what a class says itself what its copies are; None if Python, or `dataclasses`, copies its fields.

    >>> class Odd:
    ...     def __setstate__(self, state): pass
    >>> copied_by(Odd), copied_by(list)
    ('__setstate__', None)
    """
    if _is_own(copyreg.dispatch_table.get(cls)) and isinstance(vars(cls).get("__module__"), str):
        return "copyreg.pickle"
    return next((name for name in METHODS if _is_own(getattr(cls, name, None))), None)


def _is_own(method: Any) -> bool:
    """True if a method is written in Python, by whoever wrote the class."""
    return isinstance(method, _IN_PYTHON) and getattr(method, "__module__", None) not in _BY_FIELDS


_BY_FIELDS = ("dataclasses", "adjoint.nn.places")
"""Modules whose methods copy each field: the second one adds texts to pickles alone."""
_IN_PYTHON = (types.FunctionType, types.MethodType, functools.partial)


def _check(values: list[Any]) -> None:
    """Raise `NoRuleError` where a class makes its copies by itself."""
    for cls in set(map(type, values)):
        own = copied_by(cls)
        if own is not None:
            raise NoRuleError(
                f"a copy of `{cls.__name__}` is made by its `{own}`",
                "Python runs that by itself, so that it is not followed",
                "write the copy as a method, and call that",
                calling_place(),
            )


non_differentiable(_check, _all_in, copied_by)
