"""Attempts to run all lanes together: a call of a kind that ran as the loop is not tried together each time."""

from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

from ..derivatives.named import NamedFunction
from ..identity import IdentityMap
from ..rules.libraries import on_change

MAX_KINDS, MOST_LEFT_OUT = 20, 63


class Attempts:
    """Of calls of one kind: how many were tried in vain, one after the other, and how many are left out now."""

    __slots__ = ("in_vain", "left_out")

    def __init__(self) -> None:
        self.in_vain = self.left_out = 0

    def is_left_out(self) -> bool:
        """True if the next call is not tried: after each attempt in vain, twice as many are not."""
        if not self.left_out:
            return False
        self.left_out -= 1
        return True

    def note(self, together: bool) -> None:
        """Keep how an attempt ended."""
        self.in_vain = 0 if together else self.in_vain + 1
        self.left_out = 0 if together else min(2**self.in_vain - 1, MOST_LEFT_OUT)


_KNOWN: IdentityMap[dict[Any, Attempts]] = IdentityMap()
on_change.append(_KNOWN.clear)


def attempts_of(f: Any, args: tuple[Any, ...]) -> Attempts:
    """The attempts for calls of this kind: the code of a function, and dtypes and numbers of axes of arrays."""
    owner = _owner(f)
    known = _KNOWN.get(owner)
    if known is None:
        known = _KNOWN[owner] = {}
    key = (type(f), *map(_kind, args))
    if key not in known:
        if len(known) >= MAX_KINDS:
            known.clear()
        known[key] = Attempts()
    return known[key]


def _kind(x: Any) -> Any:
    return (x.dtype, x.ndim) if isinstance(x, np.ndarray) else type(x)


def _owner(f: Any) -> Any:
    """The key by which calls of a function are known: its code, or its class."""
    while not isinstance(f, types.FunctionType):
        if isinstance(f, NamedFunction) and hasattr(f, "_f"):
            f = f._f
        elif isinstance(f, functools.partial):
            f = f.func
        elif isinstance(f, types.MethodType):
            f = f.__func__
        else:
            return type(f)
    return f.__code__
