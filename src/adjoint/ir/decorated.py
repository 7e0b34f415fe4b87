"""Functions of which a decorator in a library says what goes on around their calls, as programs that are read."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any

import numpy as np

_SETTINGS = ("_all", "_divide", "_over", "_under", "_invalid")
_CODE: CodeType | None = getattr(np.errstate()(abs), "__code__", None)
"""The code of what `np.errstate(...)` makes of a function."""


def under_settings(
    function: Any, all_: Any, divide: Any, over: Any, under: Any, invalid: Any, /, *args: Any, **kwargs: Any
) -> Any:
    """`function(*args, **kwargs)` under settings of NumPy's for floating-point errors."""
    with np.errstate(all=all_, divide=divide, over=over, under=under, invalid=invalid):
        return function(*args, **kwargs)


def under_settings_by_place(
    function: Any, all_: Any, divide: Any, over: Any, under: Any, invalid: Any, /, *args: Any
) -> Any:
    """The same of a call without keywords."""
    with np.errstate(all=all_, divide=divide, over=over, under=under, invalid=invalid):
        return function(*args)


def around(f: Any, by_name: bool = True) -> tuple[Any, tuple[Any, ...]] | None:
    """The program that does what a decorated function does, which may be given keywords, and what that is given first;
    None of any other function.

    >>> program, given = around(np.errstate(divide="ignore")(len))
    >>> program(*given, [1, 2]), given
    (2, (<built-in function len>, None, 'ignore', None, None, None))
    """
    if type(f) is not FunctionType or f.__code__ is not _CODE:
        return None
    held = dict(zip(f.__code__.co_freevars, [cell.cell_contents for cell in f.__closure__ or ()], strict=True))
    function, manager = held.get("func"), held.get("self")
    settings = [getattr(manager, name, _UNKNOWN) for name in _SETTINGS]
    plain = all([s is None or type(s) is str for s in settings])
    if not plain or getattr(manager, "_call", _UNKNOWN) is not _UNSET or not callable(function):
        return None
    return under_settings if by_name else under_settings_by_place, (function, *settings)


_UNKNOWN = object()
_UNSET = getattr(np.errstate(), "_call", _UNKNOWN)
"""The mark that nothing is to be called where an error occurs."""
