"""Small functions that users of autograd import from it: `autograd.util`."""

from __future__ import annotations

from typing import TypeVar

from .deprecated import quick_grad_check
from .substituted import subval, subvals

T = TypeVar("T")


def func(f: T) -> T:
    """The function itself.

    >>> func(abs) is abs
    True
    """
    return f


__all__ = ["func", "quick_grad_check", "subval", "subvals"]
