"""The table of everyday programs, which `everyday.py` measures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}
"""Programs that give a number, by their names, with what they are called with."""


def program(*args: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Note a program and its arguments."""

    def noted(f: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[f.__name__] = f, args
        return f

    return noted
