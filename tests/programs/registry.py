"""The registry of the corpus: each program with its arguments and the families of constructs it exercises."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

FAMILIES = (
    "numbers",
    "control flow",
    "functions",
    "objects",
    "data",
    "effects",
    "numpy",
    "confused",
    "higher",
)


@dataclass(frozen=True)
class Program:
    """One program of the corpus: a callable, arguments away from its kinks, and what it exercises."""

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    families: tuple[str, ...]
    order: int
    integers: bool
    rtol: float

    def __str__(self) -> str:
        return self.name


PROGRAMS: dict[str, Program] = {}


def program(
    *args: Any,
    rows: str | tuple[str, ...],
    name: str | None = None,
    kwargs: dict[str, Any] | None = None,
    order: int = 1,
    integers: bool = False,
    rtol: float = 1e-5,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enter a callable into the corpus with the arguments it is checked at; the callable is returned unchanged.

    `rows` names the families it exercises, `order` how often it is differentiated, `integers` whether its integer
    arguments are differentiated too.
    """
    families = (rows,) if isinstance(rows, str) else rows
    unknown = set(families) - set(FAMILIES)
    if unknown:
        raise ValueError(f"unknown families {sorted(unknown)}")

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        key = name or function.__name__
        if key in PROGRAMS:
            raise ValueError(f"two programs are called {key!r}")
        PROGRAMS[key] = Program(key, function, args, kwargs or {}, families, order, integers, rtol)
        return function

    return enter
