"""Stores of NumPy's that end in an exception, after a part was stored: what stays in the array has no derivative."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ...errors import MutationError, calling_place
from ...tangents.windows import Array
from ..observer import refuse

P = ParamSpec("P")
T = TypeVar("T")

_AFTER_IT_STORED = (FloatingPointError, Warning)
"""Exceptions that NumPy raises when it has computed and stored (`np.errstate(all="raise")`, warnings that are
errors)."""


def wholly(operation: Callable[P, T]) -> Callable[P, T]:
    """An operation that computes into an array, refused where NumPy raises when it has stored."""

    @functools.wraps(operation)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return operation(*args, **kwargs)
        except _AFTER_IT_STORED:
            refuse(partly_stored())
            raise

    return run


def store_items(a: Array, store: Callable[[Array], T]) -> T:
    """`store(a)`, which stores items one by one; refused where it raises when it has stored some."""
    try:
        return store(a)
    except Exception:
        if _stores_any(a, store):
            refuse(partly_stored())
        raise


def _stores_any(a: Array, store: Callable[[Array], Any]) -> bool:
    """Tell whether a store that raises has stored before: then arrays of other items are alike at some place."""
    probes = [np.full(np.shape(a), item, a.dtype) for item in (0, 1)]
    for probe in probes:
        with suppress(Exception):
            store(probe)
    return bool(np.any(probes[0] == probes[1]))


def partly_stored() -> MutationError:
    """The refusal of a store that ended in an exception."""
    return MutationError(
        "NumPy raises after it has stored into an array",
        "how much of it was stored is not said, so that the derivative of what is there is not known",
        "compute the values first (`b = np.log(a)`), and store them when they are there: `a[...] = b`",
        calling_place(),
    )
