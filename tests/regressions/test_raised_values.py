"""Values that are raised with an exception: who reads them from it has their derivative."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

import pytest

from adjoint import pullback
from adjoint.testing import check_gradient


class Error(Exception):
    """What has a value of its own."""

    def __init__(self, v: Any) -> None:
        self.v = v


class Manager:
    """What adds up what comes with exceptions."""

    def __init__(self, read: Callable[[Any], Any]) -> None:
        self.total, self.error, self.read = 0.0, None, read

    def __enter__(self) -> Manager:
        return self


class ByArgs(Manager):
    def __exit__(self, kind: Any, error: Any, tb: TracebackType | None) -> bool:
        self.total += error.args[0] if isinstance(error, Error) else 1.0
        return True


class ByField(Manager):
    def __exit__(self, kind: Any, error: Any, tb: TracebackType | None) -> bool:
        if kind is Error:
            self.total += error.v
        return True


class ByName(Manager):
    def __exit__(self, kind: Any, error: Any, tb: TracebackType | None) -> bool:
        self.total += getattr(error, "v", 0.0)
        return True


class ByPattern(Manager):
    def __exit__(self, kind: Any, error: Any, tb: TracebackType | None) -> bool:
        match error:
            case Error(v=found):
                self.total += found
        return True


class ByItsDict(Manager):
    def __exit__(self, kind: Any, error: Any, tb: TracebackType | None) -> bool:
        self.total += vars(error)["v"] if error else 0.0
        return True


class AllTogether(Manager):
    def __exit__(self, *given: Any) -> bool:
        if given[0] is Error:
            self.total += given[1].v
        return True


class BySystem(Manager):
    def __exit__(self, kind: Any, error: Any, tb: TracebackType | None) -> bool:
        found = sys.exc_info()[1]
        self.total += found.v if isinstance(found, Error) else 0.0
        return True


class ByFunction(Manager):
    def __exit__(self, kind: Any, error: Any, tb: TracebackType | None) -> bool:
        self.total += read(error)
        return True


class ByCallback(Manager):
    def __exit__(self, kind: Any, error: Any, tb: TracebackType | None) -> bool:
        self.total += self.read(error)
        return True


class Keeping(Manager):
    def __exit__(self, kind: Any, error: Any, tb: TracebackType | None) -> bool:
        self.error = self.error or error
        return True


def read(error: Any) -> Any:
    return 0.5 if error is None else error.v


@pytest.mark.parametrize(
    "cls",
    [ByArgs, ByField, ByName, ByPattern, ByItsDict, AllTogether, BySystem, ByFunction, ByCallback, Keeping],
)
def test_what_leaves_a_with(cls: type[Manager]) -> None:
    def program(x: float) -> Any:
        manager, y = cls(read), 1.0
        for v in (x, 2.0 * x, -x):
            with manager:  # type: ignore[attr-defined]
                y += v * v
                if v > 1.0:
                    raise Error(v)
        return (manager.total + read(manager.error)) * y

    assert pullback(program, 0.9)[0] == program(0.9)
    check_gradient(program, 0.9)


class OfNew(Exception):  # noqa: N818
    def __new__(cls, v: Any, w: Any) -> OfNew:
        return super().__new__(cls, v * 2, w)

    def __init__(self, v: Any, w: Any) -> None:
        self.w = w


class OfInit(Exception):  # noqa: N818
    def __init__(self, v: Any, w: Any) -> None:
        super().__init__(w, v * v)


class OfStore(Exception):  # noqa: N818
    def __init__(self, v: Any, w: Any) -> None:
        self.args = (w, v * v)


class OfNeither(Exception):  # noqa: N818
    def __init__(self, v: Any, w: Any) -> None:
        self.w = w


class Derived(OfNeither):
    def __init__(self, v: Any, w: Any) -> None:
        super().__init__(v + w, w * v)


@pytest.mark.parametrize("cls", [ValueError, OfNew, OfInit, OfStore, OfNeither, Derived])
def test_arguments_of_exceptions(cls: Any) -> None:
    def program(x: float) -> Any:
        try:
            raise cls(x * x, x)
        except cls as error:
            return error.args[1] * x + error.args[0]

    _, back = pullback(program, 0.9)
    assert back(1.0) == back(1.0)
    check_gradient(program, 0.9)


def test_exceptions_are_shown_in_the_structure() -> None:
    def program(x: float) -> Any:
        names, y = list[str](), x
        for v in (x, 2.0 * x):
            try:
                if v > 1.0:
                    raise ValueError("too large")
                y += v * v
            except ValueError as error:
                names.append(f"{type(error).__name__}: {error}")
        return y

    check_gradient(program, 0.9)
