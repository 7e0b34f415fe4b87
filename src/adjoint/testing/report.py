"""The differences, as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..errors import AdjointError


class Difference(NamedTuple):
    """One finding: where, what kind, and the two sides that should agree."""

    place: str
    kind: str
    analytic: str
    numeric: str
    error: str = ""


class GradientMismatch(AdjointError, AssertionError):
    """A pullback or rule broke one of its conditions; the message is a table of what differs.

    `differences` holds its rows as named tuples of place, kind, analytic, numeric and error.

    Examples
    --------
    >>> print(GradientMismatch("f", [Difference("args[0]", "derivative", "2.0", "3.0", "1.0")]))
    the derivative of f is wrong:
      place    kind        analytic  numeric  error
      args[0]  derivative  2.0       3.0      1.0
    """

    def __init__(self, name: str, differences: Iterable[Difference]) -> None:
        self.name = name
        self.differences = list(differences)
        super().__init__(f"the derivative of {name} is wrong:\n{tabulate(self.differences)}")

    def __reduce__(self) -> tuple[type[GradientMismatch], tuple[str, list[Difference]]]:
        return type(self), (self.name, self.differences)


def tabulate(differences: list[Difference]) -> str:
    """The differences as aligned columns under their names."""
    rows = [Difference._fields, *differences]
    widths = [max(len(row[i]) for row in rows) for i in range(len(Difference._fields))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join("  " + line.rstrip() for line in lines)
