"""What tasks share: parameters, blocks that are kept, arrays of the caller's. None of them may store into it."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint.errors import MutationError, raising_place
from adjoint.trees import build, structure_of


def guarded(x: Any) -> Any:
    """The same with containers and records of its own, arrays that cannot be stored into, and copies of tables.

    >>> given = {"w": np.zeros(2)}
    >>> own = guarded(given)
    >>> own is given, own["w"].flags.writeable, given["w"].flags.writeable
    (False, False, True)
    """
    form = structure_of(x)
    return build(form, list(map(_alone, form.ends)))


def _alone(end: Any) -> Any:
    if isinstance(end, np.ndarray):
        view = end.view()
        view.flags.writeable = False
        return view
    is_table = type(end).__module__.partition(".")[0] == "pandas" and hasattr(end, "copy")
    return end.copy() if is_table else end


def stored(error: Exception) -> Exception:
    """The error to be told: of a store into what tasks share, with what to do about it."""
    if not isinstance(error, ValueError) or "read-only" not in str(error):
        return error
    return MutationError(
        "a function of partitions stores into an array that is read-only",
        "the arrays that it is given are: other tasks have the same parameters, and may have the same data",
        "store into a copy, `x = x.copy()`, or compute a new array: `x = x + 1.0`",
        raising_place(error),
    )
