"""Keys of rules: functions, methods and classes, which are hashed by identity."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

BY_CLASS: dict[type, Callable[[Any], None]] = {}
"""What declares the rule of an object of a class when it is first met."""

BY_IDENTITY = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
    type,
    np.ufunc,
    type(np.sum),
    type(np.random.random),
)
"""What rules are kept for: hashed by identity, without running code of the user's."""


def is_by_identity(f: Any) -> bool:
    """Tell whether something is one of these, and no proxy, which says that it is of another class."""
    return issubclass(type(f), BY_IDENTITY)


OF_OBJECTS: set[type] = set()
"""The classes of objects for which rules have been declared."""


def has_identity(f: Any) -> bool:
    """Tell whether rules may be kept for it. What Cython makes has a type of its own in each version."""
    cls = type(f)
    return is_by_identity(f) or cls.__name__ == "cython_function_or_method" or cls in BY_CLASS or cls in OF_OBJECTS
