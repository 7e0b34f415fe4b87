"""Arrays of the caller's that a program stores into: it works on copies of them, so that nothing has happened where the
plain program has to run in its place; what becomes of them is the caller's when all has gone well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..tangents.windows import overlaps_itself, share_memory
from .arrays import whole
from .inputs import Inputs, found_at
from .values import Arr, CannotCompile, Known, Value, leaves

Array = np.ndarray[Any, Any]


def stored_arrays(inputs: Inputs, call: Any) -> list[Array]:
    """The arrays of a call that the program stores into, in the order in which it returns what becomes of them."""
    return [found_at(path, call) for path in inputs.copies]


def may_store(inputs: Inputs, call: Any, given: Sequence[Any]) -> bool:
    """Tell whether the program does to these arrays what the plain one does; where they are read only, that one raises.

    Raises
    ------
    CannotCompile
        If an array that is stored into shares memory with another one, or with itself, or NumPy would make a copy of
        it to give it another shape.
    """
    for path in inputs.copies:
        x = found_at(path, call)
        others = [y for p, y in zip(inputs.paths, given, strict=True) if p != path and isinstance(y, np.ndarray)]
        if any(share_memory(x, y) for y in others) or overlaps_itself(x):
            raise CannotCompile("a store into an array that shares memory with another argument, or with itself")
        if path in inputs.in_order and not x.flags.c_contiguous:
            raise CannotCompile("a store into an array that is given another shape, and is not in the order of C")
    return all(found_at(path, call).flags.writeable for path in inputs.copies)


def hand_back(arrays: Sequence[Array], finals: Sequence[Array]) -> None:
    """Let the caller's arrays be what the program has made of its copies."""
    for x, final in zip(arrays, finals, strict=True):
        np.copyto(x, final)


def with_own(inputs: Inputs, result: Value, outs: Sequence[Any], arrays: Sequence[Array]) -> list[Any]:
    """The numbers and arrays of a result, with the caller's array where it is the result."""
    own = dict(zip(inputs.copies.values(), arrays, strict=True))
    found = [leaf for leaf in leaves(result) if not isinstance(leaf, Known)]
    return [own.get(leaf.buf, x) if is_whole(leaf) else x for leaf, x in zip(found, outs, strict=True)]


def is_whole(leaf: Value) -> bool:
    """Tell whether a part of a result is an array with all of its memory."""
    return isinstance(leaf, Arr) and leaf.buf is not None and leaf.place is whole
