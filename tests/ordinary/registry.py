"""The table of ordinary programs: one construct a row, with a program that shows it and its arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Row:
    """One program that shows a construct.

    Attributes
    ----------
    name : the name of the function.
    family, construct : what it shows.
    function : the program; it returns a float, and may change its arguments and what it can reach besides.
    make_args : gives the arguments, new ones at each call and always the same.
    state : what the program may change besides its arguments, to be looked at; or None.
    reset : puts that back to how it was at the start; or None.
    order : 2 if the second derivative is checked too. The arguments are then numbers, arrays, and lists, tuples and
        dicts of them, none of them twice.
    single : whether there is single precision on the way: then differences are wider, and bounds looser.
    """

    name: str
    family: str
    construct: str
    function: Callable[..., Any]
    make_args: Callable[[], tuple[Any, ...]]
    state: Callable[[], Any] | None = None
    reset: Callable[[], None] | None = None
    order: int = 1
    single: bool = False

    def __str__(self) -> str:
        return f"{self.function.__module__.rpartition('.')[2]}-{self.name}"


ROWS: list[Row] = []
DEMANDED: dict[str, list[str]] = {}
"""By family, the constructs which must have a row."""


def row(
    family: str,
    construct: str,
    make_args: Callable[[], tuple[Any, ...]],
    *,
    state: Callable[[], Any] | None = None,
    reset: Callable[[], None] | None = None,
    order: int = 1,
    single: bool = False,
) -> Callable[[F], F]:
    """Enter a program into the table; it is returned unchanged. Parameters as in `Row`."""

    def enter(function: F) -> F:
        new = Row(function.__name__, family, construct, function, make_args, state, reset, order, single)
        if any(str(known) == str(new) for known in ROWS):
            raise ValueError(f"two programs are called {new}")
        ROWS.append(new)
        return function

    return enter


def demand(family: str, *constructs: str) -> None:
    """Say which constructs of a family must have a row, and that it has no others."""
    DEMANDED.setdefault(family, []).extend(constructs)
