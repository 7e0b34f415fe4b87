"""Stores of NumPy's that end in an exception, after a part was stored: what stays in the array has no derivative."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ...errors import MutationError, calling_place
from ..observer import refuse
from .contents import contents_of

P = ParamSpec("P")
T = TypeVar("T")

_AFTER_IT_STORED = (FloatingPointError, Warning)
"""What NumPy raises when it has computed and stored (`np.errstate(all="raise")`, warnings that are errors)."""


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


def store_items(a: np.ndarray[Any, Any], store: Callable[[], T]) -> T:
    """`store()`, which stores items one by one into `a`; refused where it raises when it has stored some."""
    before = contents_of(a)
    try:
        return store()
    except Exception:
        if before != contents_of(a):
            refuse(partly_stored())
        raise


def partly_stored() -> MutationError:
    """The refusal of a store that ended in an exception."""
    return MutationError(
        "NumPy raises after it has stored into an array",
        "how much of it was stored is not said, so that the derivative of what is there is not known",
        "compute the values first (`b = np.log(a)`), and store them when they are there: `a[...] = b`",
        calling_place(),
    )
