"""Checks of the numbers and sources of numbers that are given: whole ones, real ones, seeds."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint.errors import OptionError, calling_place
from adjoint.nn.arguments import is_whole
from adjoint.rules import non_differentiable


def is_number(x: Any) -> bool:
    """True if it is a real number, or an array of shape () of one; nan and truth values are none.

    >>> is_number(3), is_number(np.array(0.5)), is_number(np.ones(2)), is_number(np.nan), is_number("3")
    (True, True, False, False, False)
    """
    if isinstance(x, np.ndarray):
        return x.shape == () and x.dtype.kind in "fiu" and not np.isnan(x)
    return (is_whole(x) or isinstance(x, float | np.floating)) and not np.isnan(x)


def described(x: Any) -> str:
    """A short description of something that should be a number.

    >>> described(np.ones(2)), described("2"), described(None)
    ('an array of shape (2,)', 'a str', 'a NoneType')
    """
    if isinstance(x, np.ndarray):
        return f"an array of shape {x.shape}" if x.dtype.kind in "fiu" else f"an array of {x.dtype}"
    return f"a {type(x).__name__}"


def as_float(x: Any) -> float | None:
    """A real number, or an array of one, as a number of Python's; `None` for anything else.

    >>> as_float(np.ones((1, 1))), as_float(2), as_float(np.ones(2)), as_float("2")
    (1.0, 2.0, None, None)
    """
    array = np.asarray(x)
    return float(array.item()) if array.size == 1 and array.dtype.kind in "fiu" else None


def takes(f: Callable[..., Any], *arguments: Any) -> bool:
    """True if a function can be called with these; of one that does not say what it takes, yes.

    >>> takes(lambda x, y: x, 1), takes(lambda x, y=0: x, 1), takes(min, 1)
    (False, True, True)
    """
    try:
        signature = inspect.signature(f)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind(*arguments)
    except TypeError:
        return False
    return True


def names_of(f: Callable[..., Any]) -> str:
    """The names of what a function takes.

    >>> names_of(lambda x, *rest, y=0: x), names_of(min)
    ('(x, *rest, y)', 'other arguments')
    """
    try:
        parameters = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):
        return "other arguments"
    return f"({', '.join([_STARS.get(p.kind, '') + p.name for p in parameters])})"


_STARS: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def generator(rng: Any) -> np.random.Generator:
    """A generator of a generator or a seed; a new one of `None`.

    Raises
    ------
    OptionError
        If it is none of them.

    >>> rng = generator(0)
    >>> generator(rng) is rng, rng.integers(10)
    (True, np.int64(8))
    """
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise OptionError(
            f"rng={rng!r} is no source of random numbers",
            "what is drawn comes from a generator of NumPy's, or from one that is made of a seed",
            "give `np.random.default_rng(seed)`, or a whole number from 0 on",
            calling_place(),
        ) from None


non_differentiable(is_number, takes)
