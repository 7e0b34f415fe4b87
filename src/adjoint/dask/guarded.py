"""Things that tasks share: parameters, blocks that are kept, arrays of the caller's. None of them may store into it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint.errors import MutationError, raising_place
from adjoint.interop.programs import seen
from adjoint.trees import build, structure_of


def guarded(x: Any) -> Any:
    """The same with containers, records and tables of its own, and with arrays that cannot be stored into.

    >>> given = {"w": np.zeros(2)}
    >>> own = guarded(given)
    >>> own is given, own["w"].flags.writeable, given["w"].flags.writeable
    (False, False, True)
    """
    form = structure_of(x, _is_plain)
    return build(form, list(map(_alone, form.ends)))


_ATOMS = frozenset((float, int, complex, bool, str, bytes, type(None), np.float64))


def _is_plain(x: Any) -> bool:
    """Tell whether `x` is a list of numbers, texts, or tuples of such, which may be long: nothing else is in it."""
    if type(x) is not list:
        return False
    kinds = set(map(type, x))
    return kinds <= _ATOMS or kinds == {tuple} and all([set(map(type, row)) <= _ATOMS for row in x])


def _alone(end: Any) -> Any:
    if isinstance(end, np.ndarray):
        return seen(end)
    if isinstance(end, list):
        return [*end]
    library = type(end).__module__.partition(".")[0]
    return _OF_LIBRARIES.get(library, lambda end: end)(end) if hasattr(end, "copy") else end


def _own_table(end: Any) -> Any:
    """A copy of a table of pandas, which from version 3 on copies what is stored into by itself."""
    return end.copy(deep=int(sys.modules["pandas"].__version__.partition(".")[0]) < 3)


def _own_labelled(end: Any) -> Any:
    """A labelled array, or several, over arrays that cannot be stored into; what is not in memory yet stays so.

    That is a private name: `tests/interop/test_private_names.py` has checked it with xarray 2026.9.
    """
    made = end.copy(deep=False)
    own = made.variables.values() if hasattr(made, "variables") else (made.variable, *made.coords.variables.values())
    for variable in own:
        if isinstance(variable._data, np.ndarray):
            variable.data = seen(variable._data)
    return made


_OF_LIBRARIES: dict[str, Callable[[Any], Any]] = {"pandas": _own_table, "xarray": _own_labelled}
"""Functions that keep what belongs to a library from stores that others would see."""


def stored(error: Exception) -> Exception:
    """The error to be told: of a store into what tasks share, with what to do about it."""
    if not isinstance(error, ValueError) or not any([words in str(error) for words in _READ_ONLY]):
        return error
    return MutationError(
        "a function of partitions stores into an array that is read-only",
        "the arrays that it is given are: other tasks have the same parameters, and may have the same data",
        "store into a copy, `x = x.copy()`, or compute a new array: `x = x + 1.0`",
        raising_place(error),
    )


_READ_ONLY = ("read-only", "Assignment destination is a view")
"""The words of NumPy, and of xarray in its place."""
