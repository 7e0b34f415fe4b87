"""Functions that call themselves, and what all of their calls in a program share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .kernel import Block, Buf, Reg, Stack

ROLES = "recursive", "taped", "reversed"
"""What a routine can be in a program: as it is, with a tape, and backwards."""


@dataclass(eq=False, slots=True)
class Routine:
    """A function that calls itself: scalars and buffers come in, of which it only reads, and scalars come out."""

    name: str
    params: tuple[Reg | Buf, ...]
    body: Block
    """Its results are what comes out."""

    def named(self, role: str) -> str:
        """The function that it is in a program, for one of the `ROLES`."""
        return f"{self.name}_{role}"


@dataclass(eq=False, slots=True)
class Plan:
    """The part that all calls of a differentiated program share: the tape, with the kinds of what it keeps of a call,
    the parameters that vary, and the stacks of the reverse sweeps."""

    tape: Buf
    kinds: str
    varying: dict[Routine, tuple[Reg | Buf, ...]]
    stacks: list[Stack] = field(default_factory=list)

    def places(self, outs: Sequence[Reg]) -> list[int]:
        """The places on the tape where the results of a call are kept: one kind after the other."""
        kinds = [out.kind for out in outs]
        return [self.kinds.index(kind) + kinds[:k].count(kind) for k, kind in enumerate(kinds)]
