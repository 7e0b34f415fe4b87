"""Globals that a program stores and reads by `globals()`: they are those of the function's module."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from adjoint import gradient
from adjoint.errors import UnsupportedSyntaxError
from adjoint.recording import entry

from .differences import check, check_forward

KNOWN = 3.0
NEW: Any
MADE: Any


def stored(x: float) -> float:
    globals()["KNOWN"] = x * x
    return KNOWN * x


def added(x: float) -> float:
    globals()["NEW"] = x * x
    return NEW * x  # noqa: F821


def updated(x: float) -> float:
    globals().update(KNOWN=x * x)
    names = globals()
    names["KNOWN"] *= x
    return KNOWN * x


def read(x: float) -> float:
    global KNOWN
    KNOWN = x * x
    return globals()["KNOWN"] * x + globals().get("absent", x)


def seen_by_another(x: float) -> float:
    globals()["KNOWN"] = x * x
    return another() * x


def another() -> float:
    return KNOWN * 2.0


def of_a_function(x: float) -> float:
    globals()["MADE"] = lambda v: v * x
    return MADE(x)  # noqa: F821


def deleted(x: float) -> float:
    globals()["NEW"] = x
    del globals()["NEW"]
    try:
        return NEW  # noqa: F821
    except NameError:
        return x * x


def within_others(x: float) -> float:
    def given() -> Iterator[float]:
        globals()["KNOWN"] = x * x
        yield KNOWN
        yield (lambda: globals()["KNOWN"] * x)()

    return sum([v * globals()["KNOWN"] for v in given()])


PROGRAMS = [stored, added, updated, read, seen_by_another, of_a_function, deleted, within_others]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_they_are_followed(f: Callable[[float], float]) -> None:
    check(f, 1.3, order=2)
    check_forward(f, 1.3)
    assert not {"KNOWN", "NEW", "MADE"} & vars(sys.modules["adjoint.recording.operations.calls"]).keys()
    assert not {"KNOWN", "NEW", "MADE"} & vars(entry).keys()


def test_another_name_of_globals_is_refused() -> None:
    def f(x: float) -> float:
        of_module = [globals][0]
        of_module()["KNOWN"] = x
        return KNOWN * x

    with pytest.raises(UnsupportedSyntaxError, match="`globals` is not differentiated"):
        gradient(f, 1.3)


def test_a_store_into_the_builtins_is_refused() -> None:
    def f(x: float) -> float:
        builtins.for_all = x * x  # type: ignore[attr-defined]
        return for_all * x  # type: ignore[name-defined, no-any-return]  # noqa: F821

    with pytest.raises(UnsupportedSyntaxError, match="builtins"):
        gradient(f, 1.3)


def variables(x: float) -> float:
    return x * len(vars())


def names(x: float) -> float:
    return x * len(dir())


@pytest.mark.parametrize("f", [variables, names], ids=lambda f: f.__name__)
def test_the_variables_of_the_running_function_are_refused(f: Callable[[float], float]) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="not differentiated"):
        gradient(f, 1.3)
