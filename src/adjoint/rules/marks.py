"""Marks on functions that have a rule of the user's.

A function that is pickled by value arrives in another process without its rule, which is kept by identity. Its own
code must not be differentiated there in the rule's place: the mark travels in the function's `__dict__`, and says so.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ..errors import NoRuleError, calling_place

MARK = "__adjoint_rule__"


def mark(f: Any) -> None:
    """Note on a function of Python that it has a rule."""
    if type(f) is FunctionType:
        f.__dict__[MARK] = _own_name(f)


def unmark(f: Any) -> None:
    """Note that it has none any more."""
    if type(f) is FunctionType:
        f.__dict__.pop(MARK, None)


def check_unmarked(f: Any) -> None:
    """Raise `NoRuleError` for a marked function.

    >>> def f(x): return x
    >>> check_unmarked(f)
    >>> mark(f)
    >>> check_unmarked(f)
    Traceback (most recent call last):
        ...
    adjoint.errors.NoRuleError: the rule of `f` is not here
      ...
    """
    # What `functools.wraps` made has the mark of what it wraps.
    if f.__dict__.get(MARK) == _own_name(f):
        raise NoRuleError(
            f"the rule of `{f.__qualname__}` is not here",
            "this is a copy of the function that it was declared for: pickling by value does not take rules along",
            "put the function and its rule into a module, which every process imports",
            calling_place(),
        )


def _own_name(f: FunctionType) -> tuple[str, int]:
    return f.__code__.co_qualname, f.__code__.co_firstlineno
