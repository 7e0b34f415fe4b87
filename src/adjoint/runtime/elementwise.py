"""An array on the left of an operator, and an object of the user's on the right: NumPy is asked first, and hands each
item to the object's method, or makes an array of the object."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedSyntaxError, calling_place
from ..rules.registry import non_differentiable


def check_whole(a: Any, b: Any, reflected: str) -> None:
    """Raise `UnsupportedSyntaxError` where `b` is not given the whole of `a` by its reflected method.

    >>> class Scale:
    ...     def __rmul__(self, other):
    ...         return other * 2.0
    >>> check_whole(2.0, Scale(), "__rmul__")
    >>> check_whole(np.ones(2), Scale(), "__rmul__")
    Traceback (most recent call last):
    adjoint.errors.UnsupportedSyntaxError: `Scale.__rmul__` is given an array item by item
    ...
    """
    if isinstance(a, (np.ndarray, np.generic)) and not _defers(a, b):
        cls = type(b)
        raise UnsupportedSyntaxError(
            f"`{cls.__name__}.{reflected}` is given an array item by item",
            "NumPy makes an array of what is on the right and calls the method by itself, which is not followed",
            f"put the array on the right, or let the class say `__array_ufunc__ = None`: then `{reflected}` is given "
            "the whole array",
            calling_place(),
        )


def _defers(a: Any, b: Any) -> bool:
    """Tell whether NumPy leaves an operator to the right operand, or gives it the array as it is."""
    cls = type(b)
    if hasattr(cls, "__array_ufunc__"):
        return True
    if isinstance(a, np.generic) and not any([hasattr(cls, name) for name in MAKE_ARRAYS]):
        return True  # it is an item already
    priority = getattr(b, "__array_priority__", None)
    return isinstance(b, type(a)) or isinstance(priority, (int, float)) and priority > a.__array_priority__


MAKE_ARRAYS = ("__getitem__", "__array__", "__array_interface__")
"""Attributes that let NumPy make an array of an object."""


non_differentiable(check_whole)
