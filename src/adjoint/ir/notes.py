"""Notes of a run about the results that it stores: those of earlier calls are refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import MutationError, Place
from .changes import in_order


def no_notes() -> list[Any]:
    """Notes of a run: the questions by which it has found results of earlier calls, and the numbers whose results it
    has stored where others see them; none yet."""
    return [set()]


def note(noted: list[Any], number: Any) -> None:
    """Note a number whose result is stored."""
    noted.append(in_order(number) if isinstance(number, np.ndarray) else number)


def note_answer(noted: list[Any], question: int, number: Any, answer: Any, when: bool) -> None:
    """Note that a number is one that others hold, if the `answer` is `when`, and that this run has not stored it."""
    if bool(np.all(answer)) is when and not any([_is_alike(number, x) for x in noted[1:]]):
        noted[0].add(question)


def check_noted(noted: list[Any], question: int, final: bool, place: Place | None) -> None:
    """Refuse the result of a number that this run has not stored: one of an earlier call has no derivative in it. That
    is `final` where a recording would not compute it anew."""
    if question in noted[0]:
        error = earlier_result(place)
        error.final = final
        raise error


def earlier_result(place: Place | None) -> MutationError:
    """The refusal of what an earlier call has stored."""
    return MutationError(
        "what the program holds is the result of an earlier call with the same number",
        "what an earlier call has stored has no derivative in this one",
        "empty what remembers results before the call, or call the function that does not remember",
        place,
    )


def _is_alike(a: Any, b: Any) -> bool:
    if isinstance(a, int | float | complex | np.ndarray | np.generic):
        return np.shape(a) == np.shape(b) and bool(np.allclose(a, b, equal_nan=True))
    return type(a) is type(b) and bool(a == b)
