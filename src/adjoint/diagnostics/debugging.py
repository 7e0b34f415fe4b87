"""`debug_nans`: where the first nan of a reverse pass comes from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..derivatives import DEBUGGER


@contextmanager
def debug_nans() -> Iterator[None]:
    """Stop at the first nan or infinity that a reverse pass makes, with the forward line and the operands' values.

    Derivatives that are taken within are recorded, and every cotangent is looked at, which is slow; outside nothing is.
    It holds for this thread or task alone (a context variable). What was there before the reverse began is said so: in
    the cotangent that `back` was given, or in the forward run. A pullback that was made outside has no lines to name.

    Returns
    -------
    A context manager, within which every reverse pass is watched.

    Raises
    ------
    NonFiniteError
        At the first nan or infinity in a cotangent.

    Examples
    --------
    >>> import math
    >>> import adjoint
    >>> def norm(x, y): return math.sqrt(x * x + y * y)
    >>> with debug_nans():
    ...     adjoint.gradient(norm, 0.0, 0.0)
    Traceback (most recent call last):
        ...
    adjoint.errors.NonFiniteError: the reverse of `math.sqrt(x * x + y * y)` makes inf ...
    """
    from .nans import Finder

    token = DEBUGGER.set(Finder())
    try:
        yield
    finally:
        DEBUGGER.reset(token)
