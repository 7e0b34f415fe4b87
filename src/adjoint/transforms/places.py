"""Places of statements that are written for another one: `map` as a loop, `extend` as one that appends.

They are made anew whenever the program is. What runs have shown of them is kept by their place, so that it is found
again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir.nodes import Statement, blocks_of


class Places:
    """Places of such statements, by identity; the statement that is being read, and how many were written for it."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Statement, Any]] = {}
        self.now: Statement | None = None
        self.written: dict[int, int] = {}

    def enter(self, s: Statement) -> Statement | None:
        """Read a statement; gives the one that is read around it."""
        outer, self.now = self.now, s
        self.written[id(s)] = 0
        return outer

    def leave(self, outer: Statement | None) -> None:
        """Go on with the statement around."""
        self.now = outer

    def tell(self, statements: Sequence[Statement]) -> None:
        """Note the places of statements that are written for the one which is being read."""
        owner = self.now
        first = self.written.get(id(owner), 0)
        self.written[id(owner)] = first + len(statements)
        todo: list[Any] = [(s, (self.of(owner), i)) for i, s in enumerate(statements, first)]
        while todo:
            s, place = todo.pop()
            self.known[id(s)] = s, place
            inner = [c for block in blocks_of(s) for c in block.statements]
            todo += [(c, (place, i)) for i, c in enumerate(inner)]

    def of(self, s: Any) -> Any:
        """Name a statement from one program to the next."""
        found = self.known.get(id(s))
        return s if found is None else found[1]
