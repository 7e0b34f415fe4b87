"""Liveness while a program is lowered: the variables that are read behind a statement, and the memory seen there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..ir.nodes import Atom, Block, Loop, Var, free_variables
from .objects import Field, Heap
from .values import Arr, arrays_in


class Ahead:
    """The blocks around the statement of one function that is being lowered, with how far each has come.

    `args` are the function's: whoever has called it may read them again.
    """

    def __init__(self, args: Sequence[Any], result: Atom) -> None:
        self.args, self.result = args, result
        self.blocks: list[tuple[Block, bool]] = []
        self.places: list[int] = []

    @contextmanager
    def within(self, block: Block, again: bool) -> Iterator[None]:
        """Lower a block meanwhile, whose statements may be run `again`, as those of a loop."""
        self.blocks.append((block, again))
        self.places.append(0)
        try:
            yield
        finally:
            self.blocks.pop()
            self.places.pop()

    def at(self, i: int) -> None:
        """Statement `i` of the innermost block comes next."""
        self.places[-1] = i

    def read(self) -> set[Any]:
        """The variables that are read behind the statement, or before it in another round."""
        found: set[Any] = {self.result}
        for (block, again), i in zip(self.blocks, self.places, strict=True):
            found.update(free_variables(Block((), block.statements[i + 1 :], block.results)))
            if again:
                found.update(free_variables(block))
        return found


def reads_carried(s: Loop, i: int) -> bool:
    """Tell whether the rounds of a loop read variable `i` of those that it carries."""
    blocks = [block for block in (s.body, s.cond) if block is not None]
    rounds = [Block((), block.statements, block.results) for block in blocks]
    return any([blocks[j].params[i] in free_variables(block) for j, block in enumerate(rounds)])


def seen_elsewhere(ahead: Ahead, env: dict[Var, Any], heap: Heap, s: Loop, carried: Sequence[Field]) -> list[Any]:
    """The memory of what is read in a loop or behind it in another way than by what the loop carries."""
    names = ahead.read().union(*[free_variables(block) for block in (s.body, s.cond) if block is not None])
    values = [env[v] for v in names if v in env]
    fields = [x.fields[name] for x in heap.objects for name in x.fields if (x, name) not in carried]
    known = frozenset(map(id, heap.objects))
    return [memory_of(a) for a in arrays_in((*ahead.args, *values, *fields), known)]


def memory_of(a: Arr) -> Any:
    """The identity of the memory of an array: its buffer, or the array itself where it has none yet."""
    while a.buf is None and a.base is not None:
        a = a.base[0]
    return a.buf if a.buf is not None else id(a)
