"""Faults of this library: where a faster way is given up for a slower one, a test is told of what only hides one."""

from __future__ import annotations

import os
from types import TracebackType

from .errors import AdjointError
from .origin import is_ours

SHOWN = "ADJOINT_SHOW_FAULTS"
"""The variable of the environment by which faults are raised; `tests/conftest.py` sets it."""

_OF_PROGRAMS = (AdjointError, ArithmeticError, RecursionError, MemoryError, Warning)
"""Exceptions that the user's program, or what it does to numbers, may raise within functions of this library."""


def show_fault(error: BaseException) -> None:
    """Raise an exception that is to be caught if it comes from this library, and faults are shown.

    >>> show_fault(ZeroDivisionError())
    """
    if os.environ.get(SHOWN) and is_fault(error):
        raise error


def is_fault(error: BaseException) -> bool:
    """Tell whether an exception comes from a function of this library, and is none of those of the user's program.

    >>> is_fault(KeyError())
    False
    """
    if isinstance(error, _OF_PROGRAMS) or error.__traceback__ is None:
        return False
    at: TracebackType = error.__traceback__
    while at.tb_next is not None:
        at = at.tb_next
    return is_ours(at.tb_frame.f_code.co_filename)
