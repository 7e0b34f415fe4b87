"""Exceptions in programs as data: nothing records a program where it is given up."""

from __future__ import annotations

from types import FunctionType
from typing import Any, NoReturn

from ..errors import PASSING, GivenUpError
from ..ir.exceptions import Catching, give_up, is_made, matches, opened, throwing


def end_run(error: BaseException) -> NoReturn:
    """Leave a run of a program that has no way on from an exception. An interrupt leaves it."""
    if not isinstance(error, Exception) or isinstance(error, PASSING):
        raise  # noqa: PLE0704 - in the second block
    raise GivenUpError(
        "cannot run the program on from an exception: it has no form for that",
        "what was done before it came is seen then, or its handler looks into it",
        "call the function that the program was made of, which runs and is differentiated as it is",
    )


def unchecked(error: BaseException) -> BaseException:
    """An exception that a handler looks into, in a program that is no derivative: whatever it carries is seen."""
    return error


def checked(error: BaseException) -> BaseException:
    """The same in a program that may be a derivative, which would lose what such an exception carries."""
    try:
        return opened(error)
    except GivenUpError:
        raise GivenUpError(
            "cannot run the program on from an exception: its handler looks into it",
            "a program for certain types may be a derivative, and what the exception carries would have none",
            "make the program for any types, `adjoint.ir.of(f)`, which runs and is differentiated",
        ) from None


def is_caught(error: BaseException, around: Catching) -> bool:
    """Tell whether a handler around takes an exception that is raised: in a program that is no derivative each is
    followed to it."""
    return matches(error, around.classes)


def call_within(around: Catching, f: Any, *args: Any, **kwargs: Any) -> tuple[Any, bool, Any]:
    """Result of a call, the flag that an exception leaves it which a handler around takes, and that."""
    taken: Any = around.classes
    try:
        return f(*args, **kwargs), False, None
    except taken as error:
        if isinstance(error, PASSING):
            raise
        return None, True, error


_UNTYPED: dict[Any, Any] = {opened: unchecked, is_made: is_caught, throwing: call_within}
"""The functions that a program calls which is no derivative, in place of those that know of some exceptions only."""


def as_run(f: Any, may_be_derivative: bool) -> Any:
    """The function that a program calls where it runs as data, in place of one that gives a derivative up.

    >>> as_run(opened, False) is unchecked, as_run(opened, True) is checked, as_run(len, True) is len
    (True, True, True)
    """
    if f is opened and may_be_derivative:
        return checked
    if isinstance(f, FunctionType) and not may_be_derivative and f in _UNTYPED:
        return _UNTYPED[f]
    return end_run if f is give_up else f
