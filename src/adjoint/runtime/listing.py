"""Generators that call themselves, as functions that give lists: where that makes no difference."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ..frontend.listing import listing_of
from ..ir.types import Fn
from .typeof import function_of


def listing(function: Any) -> FunctionType | None:
    """The function that gives a list of what a generator gives; None if there is none, or if it captures something."""
    if isinstance(function, Fn):
        function = None if function.captures else function_of(function)
    return None if function is None else listing_of(function)
