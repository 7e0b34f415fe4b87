"""Expressions as text, and how tightly they bind."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from .kernel import Reg

DTYPES = {"f": "np.float64", "i": "np.int64", "b": "np.bool_"}
ZEROS = {"f": "0.0", "i": "0", "b": "False"}


@dataclass(frozen=True, slots=True)
class Text:
    """An expression that stands where it is used: how tightly it binds, which registers that vary it reads, and whether
    it reads memory."""

    text: str
    level: int
    varying: frozenset[Reg] = frozenset()
    loads: bool = False


ATOM, POWER, UNARY, PRODUCT, SUM, TEST, NOT, LOGICAL, TERNARY = 9, 8, 7, 6, 5, 4, 3, 2, 1
"""How tightly expressions bind."""
LEFT = (PRODUCT, SUM)
"""Those that are read from the left."""


@functools.cache
def level_of(form: str) -> int:
    """The precedence of an operation, by how it is written."""
    if " if " in form:
        return TERNARY
    if form.endswith(")"):
        return ATOM
    for level, signs in (
        (LOGICAL, (" and ", " or ")),
        (NOT, ("not ",)),
        (TEST, ("=", "<", ">")),
        (SUM, (" + ", " - ")),
    ):
        if any(sign in form for sign in signs):
            return level
    return POWER if "**" in form else PRODUCT if " " in form else UNARY if form[0] in "+-" else ATOM


def from_the_end(start: str, stop: str, by: int) -> str:
    """The bounds of a range, run through the other way round.

    >>> from_the_end("0", "n", 1), from_the_end("k", "n", 2), from_the_end("n", "0", -1)
    ('n - 1, -1, -1', 'k + (n - k - 1) // 2 * 2, k - 1, -2', 'n - (n - 0 - 1) // 1 * 1, n + 1, 1')
    """
    if by == 1:
        return f"{stop} - 1, {'-1' if start == '0' else f'{start} - 1'}, -1"
    if by > 0:
        return f"{start} + ({stop} - {start} - 1) // {by} * {by}, {start} - 1, -{by}"
    return f"{start} - ({start} - {stop} - 1) // {-by} * {-by}, {start} + 1, {-by}"
