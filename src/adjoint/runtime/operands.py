"""Order of operands: when Python asks a builtin class for an operation before the user's class on the right."""

from __future__ import annotations

import types
from collections import deque
from typing import Any

import numpy as np

from ..rules.registry import non_differentiable

_SEQUENCES = (list, tuple, str, bytes, bytearray, deque)
_VIEWS: tuple[Any, ...] = (type({}.keys()), type({}.items()))
_OF_SETS = frozenset(["or", "and", "xor", "sub"])


def is_first(name: str, a: Any, b: Any) -> bool:
    """Tell whether `a op b` is what the builtin class of `a` makes of it, though that of `b` has an `__rop__` in
    Python.

    That is asked first only where it is a narrower class that overrides it, and the operation of numbers before that of
    sequences.

    >>> class Left(float): ...
    >>> class Right(float):
    ...     def __radd__(self, other):
    ...         return "reflected"
    >>> is_first("add", Left(1.0), Right(1.0)), Left(1.0) + Right(1.0)
    (True, 2.0)
    >>> is_first("add", 1.0, Right(1.0)), 1.0 + Right(1.0)
    (False, 'reflected')
    """
    ta, tb = type(a), type(b)
    method, reflected = getattr(ta, f"__{name}__", None), f"__r{name}__"
    if method is None or type(method) is types.FunctionType:
        return False
    right = getattr(tb, reflected, None)
    own = getattr(ta, reflected, None)
    if ta is not tb and issubclass(tb, ta) and type(right) is types.FunctionType and right is not own:
        return False
    return _takes(name, a, b, type(own) is types.FunctionType)


def _takes(name: str, a: Any, b: Any, asked: bool) -> bool:
    """Tell whether a builtin class gives a result for these operands: that of a sequence, only where its method is
    `asked` as one in Python is, by name."""
    if isinstance(a, np.generic):
        return isinstance(b, (int, float, complex, np.generic, np.ndarray)) and not _is_deferred_to(a, b)
    if isinstance(a, complex):
        return isinstance(b, (int, float, complex))
    if isinstance(a, float):
        return isinstance(b, (int, float))
    if isinstance(a, int):
        return isinstance(b, int)
    if isinstance(a, (set, frozenset)):
        return name in _OF_SETS and isinstance(b, (set, frozenset))
    if isinstance(a, _VIEWS):
        return name in _OF_SETS
    if isinstance(a, dict):
        return name == "or" and isinstance(b, dict)
    if isinstance(a, (str, bytes, bytearray)) and name == "mod":
        return True
    base: Any = next((cls for cls in _SEQUENCES if isinstance(a, cls)), None)
    return asked and base is not None and isinstance(b, base if name == "add" else int)


def _is_deferred_to(a: np.generic, b: Any) -> bool:
    """Tell whether a number of NumPy's leaves an operation to the other operand's class."""
    if type(b) in (int, float, complex) or isinstance(b, np.generic):
        return False
    if hasattr(type(b), "__array_ufunc__"):
        return type(b).__array_ufunc__ is None
    return bool(getattr(b, "__array_priority__", a.__array_priority__) > a.__array_priority__)


non_differentiable(is_first)
