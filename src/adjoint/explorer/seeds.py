"""Cotangents that a reverse begins with: 1 in each entry of the result, and what they make the cotangents those of."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..finite.structure import cotangent_like, leaves


def seed_for(y: Any) -> Any:
    """1 in each entry of a result."""
    return 1.0 if isinstance(y, float) else cotangent_like(y, lambda leaf: np.ones_like(leaf)[()])


def summed(y: Any) -> str:
    """The number that cotangents are derivatives of, in words, if they begin with 1; "" if there is none.

    >>> summed(2.0), summed(1j), summed(True)
    ('the result', 'the real part of the result', '')
    >>> summed(np.ones(3)), summed((1.0, [2.0]))
    ("the sum of the result's entries", "the sum of the result's numbers")
    """
    found = [leaf for _, leaf in leaves(y, integers=True)]
    if not found:
        return ""
    parts = "real parts" if any(np.iscomplexobj(leaf) for leaf in found) else ""
    if len(found) == 1 and np.size(found[0]) == 1:
        return "the real part of the result" if parts else "the result"
    return f"the sum of the result's {parts or ('entries' if found[0] is y else 'numbers')}"


def words_of(y: Any) -> str:
    """The cotangent that a reverse begins with, in words.

    >>> words_of(2.0)
    '1: cotangents are derivatives of the result'
    >>> words_of(np.ones(3))
    "1 in each entry: cotangents are derivatives of the sum of the result's entries"
    >>> words_of("a")
    'nothing: the result has no derivative'
    """
    of = summed(y)
    if not of:
        return "nothing: the result has no derivative"
    if of.endswith("the result"):
        return f"1: cotangents are derivatives of {of}"
    return f"1 in each entry: cotangents are derivatives of {of}"
