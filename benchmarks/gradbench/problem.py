"""What a problem offers: functions from JSON to JSON, of which only the part in the middle is timed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Function:
    """A function of a problem: `read(input)` gives the arguments of `run`, and `write(result)` what is answered.

    >>> double = Function(read=lambda x: (x,), run=lambda x: 2.0 * x)
    >>> double.write(double.run(*double.read(3.0)))
    6.0
    """

    read: Callable[[Any], tuple[Any, ...]]
    run: Callable[..., Any]
    write: Callable[[Any], Any] = lambda result: result
