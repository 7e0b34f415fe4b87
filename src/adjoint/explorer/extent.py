"""The extent of a page: how much of what was found is on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Extent:
    """The lines of the function that are shown, and how much of each; None stands for all."""

    lines: tuple[int, int] | None = None
    visits: bool = True
    """False if of each line the last visit alone is shown."""
    characters: int | None = None
    """Of a text so many are shown."""
    rows: int | None = None
    """Of one statement so many are shown in each pane, and of a table or a list so many in all."""

    def short(self, text: str) -> str:
        """A text, with how many characters it has where it ends early.

        >>> Extent(characters=3).short("abcdef"), Extent().short("abcdef")
        ('abc… 6 characters', 'abcdef')
        """
        n = self.characters
        return text if n is None or len(text) <= n else f"{text[:n]}… {len(text):,} characters"

    def few(self, items: Iterable[T]) -> list[T]:
        """The first ones of a list."""
        return [*islice(items, self.rows)]
