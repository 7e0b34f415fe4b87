"""Observers of a recording: they are told of each function, operation and refusal, by a context variable.

With an observer, functions of the user's are recorded in a form of their own (`watching`), whose operations tell it
what they did; without one, nothing is looked at and nothing costs more.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from typing import Any, NamedTuple

from ..errors import AdjointError, Site, calling_site
from ..rules.registry import non_differentiable


class Operation(NamedTuple):
    """An operation of the program: `callee(*args, **kwargs)`, which gave `result`.

    `operands` are the values whose cotangents its `back` gives, in their order.
    """

    site: Site | None
    callee: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    operands: tuple[Any, ...]
    result: Any


class Observer:
    """Looks on, and changes nothing: what others are made from."""

    def entered(self, f: Any, refusals: list[AdjointError]) -> None:
        """A function of the user's begins, in which these statements are refused."""
        for error in refusals:
            raise error

    def refused(self, error: AdjointError, site: Site | None) -> None:
        """Something cannot be differentiated. An observer that does not raise has it run plainly."""
        raise error

    def done(self, operation: Operation, back: Any) -> Any:
        """An operation came to its end; gives what is to be its `back`."""
        return back

    def ended(self, site: Site | None, role: str, value: Any) -> Any:
        """A value goes where nothing is differentiated (`role`: a comparison, a key); gives the `back` of that."""
        raise NotImplementedError

    def named(self, site: Site | None, name: str, value: Any) -> Any:
        """A name is bound to a value, or the function gives it (`RETURNED`); gives the `back` of that, which hands the
        cotangent on."""
        return handed_on


YIELDED = "yield"
"""The name of what a generator gives."""
RETURNED = "return"
"""The name of what a function gives."""


def handed_on(sweep: Any, y_bar: Any) -> tuple[None, Any]:
    """The `back` of a value that only gets a name."""
    return None, y_bar


OBSERVER: ContextVar[Observer | None] = ContextVar("observer", default=None)


def watch(observer: Observer | None) -> Token[Observer | None]:
    """Let an observer look on at what is recorded from now on; None: let nobody."""
    return OBSERVER.set(observer)


def unwatch(token: Token[Observer | None]) -> None:
    """Let those look on who did before."""
    OBSERVER.reset(token)


@contextmanager
def observed_by(observer: Observer | None) -> Iterator[None]:
    """Let an observer look on at what is recorded."""
    token = watch(observer)
    try:
        yield
    finally:
        unwatch(token)


def refuse(error: AdjointError) -> None:
    """Raise a refusal that comes after the call has run, unless somebody looks on who would go on."""
    observer = OBSERVER.get()
    if observer is None:
        raise error
    observer.refused(error, calling_site())


# A derivative inside of a program is not looked on at: its steps are the program's own.
non_differentiable(watch, unwatch, refuse)
