"""Notes of a run about the results that it stores: those of earlier calls are refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import MutationError
from .changes import in_order


def no_notes() -> list[Any]:
    """Notes of the numbers whose results a run has stored where others see them: none yet."""
    return []


def note(notes: list[Any], number: Any) -> None:
    """Note a number whose result is stored."""
    notes.append(in_order(number) if isinstance(number, np.ndarray) else number)


def check_noted(notes: list[Any], number: Any, final: bool, place: Any) -> None:
    """Refuse the result of a number that this run has not stored: one of an earlier call has no derivative in it. That
    is `final` where a recording would not compute it anew."""
    if number is None and notes or any([_is_alike(number, noted) for noted in notes]):
        return
    error = MutationError(
        "what the program holds is the result of an earlier call with the same number",
        "what an earlier call has stored has no derivative in this one",
        "empty what remembers results before the call, or call the function that does not remember",
        place,
    )
    error.final = final
    raise error


def _is_alike(a: Any, b: Any) -> bool:
    if isinstance(a, int | float | complex | np.ndarray | np.generic):
        return np.shape(a) == np.shape(b) and bool(np.allclose(a, b, equal_nan=True))
    return type(a) is type(b) and bool(a == b)
