"""Lists of arrays that loops make, arrays that branches choose or rounds bind anew: they are copies, which is right as
long as neither an array nor the copy of it is stored into while the other one may be read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from .arrays import located
from .kernel import Buf
from .values import Arr, CannotCompile
from .writer import Writer

Mark = tuple[int, int]
"""How many links and stores there are."""


class Links:
    """The arrays in each list, and which buffers have been stored into, in the order of the program."""

    def __init__(self, w: Writer) -> None:
        self.w = w
        self.links: list[tuple[Buf, Buf]] = []
        self.stores: list[Buf] = []

    def link(self, item: Any, items: Buf) -> None:
        """An array is copied into a list."""
        if isinstance(item, Arr):
            found = located(self.w, item).buf
            assert found is not None
            self.links.append((found, items))

    def store(self, buf: Buf) -> None:
        """A buffer is stored into."""
        self.stores.append(buf)
        if any(buf in link for link in self.links):
            raise CannotCompile(
                "a store into an array that is in a list, too, or that a branch has chosen or a loop gives another "
                "array in its next round, or into its copy there"
            )

    def mark(self) -> Mark:
        """A mark of where a round, or a try at a loop, begins."""
        return len(self.links), len(self.stores)

    def reset(self, mark: Mark) -> None:
        """Forget what came after."""
        del self.links[mark[0] :], self.stores[mark[1] :]

    def end_of_round(self, mark: Mark, made: Collection[Buf], carried: Sequence[tuple[Any, Any]]) -> None:
        """Drop what a round has made, unless it is carried on, perhaps as a copy of it (these are pairs).

        All else the next round meets again, where what comes first stores into what this one has put into lists.
        """
        on = {r.buf: p.buf for p, r in carried if isinstance(r, Arr)}
        kept = [(on.get(b, b), items) for b, items in self.links[mark[0] :] if b not in made or b in on]
        self.links[mark[0] :] = kept
        for buf in self.stores[mark[1] :]:
            if any(buf in link for link in kept):
                self.store(buf)
