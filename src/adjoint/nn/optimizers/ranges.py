"""In which ranges the numbers are that optimizers and schedules are made of."""

from __future__ import annotations

import math
import reprlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjoint.errors import OptionError, calling_place
from adjoint.nn.given import is_number, takes
from adjoint.rules import non_differentiable


@dataclass(frozen=True)
class Range:
    """Numbers between two, the first included, the last if `with_high`; in words, and why these."""

    text: str
    why: str
    low: float = -math.inf
    high: float = math.inf
    with_low: bool = True
    with_high: bool = False
    or_else: str = ""

    def holds(self, x: Any) -> bool:
        """True if a number is in it; infinities are where the range ends with one."""
        above = self.low < x or self.with_low and x == self.low != -math.inf
        return bool(above and (x < self.high or self.with_high and x == self.high))


ANY = Range("finite number", "steps are computed with it")
FROM_0 = Range("number from 0 on", "less than nothing has no meaning here", 0.0)
RATE = Range(
    "learning rate from 0 on",
    "updates go down with it, and with a negative one up",
    0.0,
    or_else=", or a schedule: a function of the steps before",
)
DECAY = Range(
    "decay of weights from 0 on",
    "with a negative one weights would grow without an end",
    0.0,
    or_else=", or a schedule: a function of the steps before",
)
SHARE = Range(
    "number from 0 up to 1, without 1",
    "β is the share of what was before, and 1 - β that of what is new",
    0.0,
    1.0,
)
MOMENTUM = Range("number from 0 to 1", "past updates would count more and more", 0.0, 1.0, with_high=True)
LIMIT = Range("number from 0 on", "nothing is smaller in size than 0", 0.0, with_high=True)
POSITIVE = Range("positive number", "what is clipped is divided by it", 0.0, with_low=False, with_high=True)


def number(name: str, value: Any, within: Range = ANY) -> Any:
    """A number that is given as `name`; one of NumPy's as one of Python's, which leaves arrays in their precision.

    Raises
    ------
    OptionError
        If it is no number of the range.

    >>> number("b1", np.float64(0.5), SHARE)
    0.5
    >>> number("b1", 1.5, SHARE)
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: b1=1.5 is no number from 0 up to 1, without 1 ...
    """
    check_number(name, value, within)
    return plain(value)


def number_or_schedule(name: str, value: Any, within: Range) -> Any:
    """A number of a range, or a function of the steps before.

    Raises
    ------
    OptionError
        If it is neither.
    """
    if callable(value):
        check_schedule(name, value)
        return value
    return number(name, value, within)


def check_schedule(name: str, value: Any) -> None:
    """Raise `OptionError` unless it can be called with a count.

    >>> check_schedule("learning_rate", 0.1)
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: learning_rate=0.1 is no schedule ...
    """
    if not callable(value) or not takes(value, 0):
        raise OptionError(
            f"{name}={_shown(value)} is no schedule",
            "a schedule is a function of one argument: how many steps there were before",
            "give one, `lambda count: ...`, or what makes one with its arguments: `exponential_decay(0.1, 100, 0.5)`",
            calling_place(),
        )


def check_number(name: str, value: Any, within: Range = ANY) -> None:
    """Raise `OptionError` unless it is a number of the range."""
    if not is_number(value) or not within.holds(value):
        raise OptionError(
            f"{name}={_shown(value)} is no {within.text}",
            within.why,
            f"give a {within.text}{within.or_else}",
            calling_place(),
        )


def _shown(value: Any) -> str:
    name = getattr(value, "__name__", None)
    return name if isinstance(name, str) else reprlib.repr(value)


def plain(x: Any) -> Any:
    """A number of NumPy as one of Python, which leaves arrays in their precision."""
    return x.item() if isinstance(x, np.generic) or isinstance(x, np.ndarray) and x.ndim == 0 else x


non_differentiable(check_number, check_schedule)
