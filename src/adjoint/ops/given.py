"""Result types: what a call gives, where the types of its arguments and its constant options say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from ..ir.types import UNKNOWN, Type
from .bound import Parameters
from .effects import UNSEEN


class Seen(NamedTuple):
    """The result type of what only a run shows, and why."""

    reason: str


def _none() -> Parameters:
    return Parameters(())


class Given(NamedTuple):
    """A call of which the result type is asked: the types of its arguments, those by name after the others, and their
    values where these are known."""

    types: tuple[Type, ...]
    values: tuple[Any, ...]
    names: tuple[str, ...] = ()
    function: Any = None
    parameters: Callable[[], Parameters] = _none
    """Of the function: found only if a name is asked for."""

    @property
    def by_place(self) -> tuple[Type, ...]:
        """The types of the arguments by position."""
        return self.types[: len(self.types) - len(self.names)]

    def at(self, name: str) -> int | None:
        """The argument that a parameter is given; None if it is left as it is."""
        n = len(self.types) - len(self.names)
        if name in self.names:
            return n + self.names.index(name)
        place = self.parameters().place(name) if n else n
        return place if place < n else None

    def type(self, name: str) -> Type | None:
        """The type of what a parameter is given; None if it is left as it is."""
        at = self.at(name)
        return None if at is None else self.types[at]

    def value(self, name: str, default: Any = None) -> Any:
        """The value that a parameter is given, `UNSEEN` if that is not known."""
        at = self.at(name)
        return default if at is None else self.values[at]

    def says(self, *names: str) -> bool:
        """Tell whether one of these parameters may be given something."""
        return any([self.value(name) is not None for name in names])

    def only(self, *names: str) -> bool:
        """Tell whether no other parameters are given."""
        n = len(self.types) - len(self.names)
        return {*self.names} <= {*names} and (not n or {*self.parameters().names[:n]} <= {*names})


Result: TypeAlias = "Type | Seen | Callable[[Given], Type]"
"""The result type of an operation: one for all calls, or by the call."""


def type_given(result: Result | None, given: Given) -> Type:
    """The type of what a call gives; UNKNOWN if that is not said, or of a call with too few arguments, or too many."""
    if isinstance(result, Type):
        return result
    if result is None or isinstance(result, Seen):
        return UNKNOWN
    try:
        return result(given)
    except (IndexError, ValueError):  # by the arguments that are not there: the call raises when it runs
        return UNKNOWN


__all__ = ["UNSEEN", "Given", "Result", "Seen", "type_given"]
