"""Texts and whole numbers that a recording makes of numbers: what a table holds under them belongs to these numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..rules.registry import non_differentiable
from .given import memo

_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+|nan|inf)", re.IGNORECASE)

MADE = frozenset([str, bytes, int, tuple])
"""Classes of what is noted."""


def note_made(y: Any, values: Iterable[Any], whole: bool) -> bool:
    """Note a text or a whole number, or those in a tuple, if made of numbers, or of what was; tell whether it was.

    Of what a function of the user's gives, which may be a label, not the `whole` is noted, but the numbers in it."""
    if not any(map(_is_of_numbers, values)):
        return False
    made: set[Any] = memo().setdefault("made", set())
    for part in y if type(y) is tuple else (y,):
        if isinstance(part, str | bytes | int):
            made.update([*_numbers_in(part), *([part] if whole else [])])
    return True


def _is_of_numbers(x: Any) -> bool:
    if isinstance(x, tuple | list):
        return any(map(_is_of_numbers, x))
    if isinstance(x, str | bytes):
        return is_made(x)
    return isinstance(x, float | complex | np.inexact) or isinstance(x, np.ndarray) and x.dtype.kind in "fc"


def _numbers_in(x: Any) -> list[str]:
    """The numbers that are written in a text, but for whole ones."""
    return _NUMBER.findall(x) if isinstance(x, str) else []


def is_made(x: Any) -> bool:
    """Tell whether a text or a whole number is one that was made of numbers, or a text holds one."""
    made: set[Any] = memo().get("made", set())
    return bool(made) and (x in made or not made.isdisjoint(_numbers_in(x)))


def is_text(key: Any) -> bool:
    """Tell whether a key is a text that was made of numbers, or holds one."""
    return any(map(is_text, key)) if isinstance(key, tuple) else isinstance(key, str) and is_made(key)


non_differentiable(note_made, is_made, is_text)
