"""Where a pass makes a copy of an array, so that a store cannot be seen from elsewhere: at a call that stores (which
then gives a new array), or at one of these."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.nodes import Call, Loop, Var


@dataclass(frozen=True, slots=True)
class CopyOnEntry:
    """What a loop starts a carried array with: it works on a copy."""

    loop: Loop
    i: int


@dataclass(frozen=True, slots=True)
class CopyCollected:
    """What a loop collects: at the end of a round, a copy."""

    loop: Loop
    i: int


@dataclass(frozen=True, slots=True)
class CopyBeforeUpdate:
    """What a loop collects of an array that changes later in the round: a copy from where it is made."""

    loop: Loop
    i: int
    array: Var


@dataclass(frozen=True, slots=True)
class CopyArgument:
    """What a call is given, or the part of it that the call gives: a copy."""

    call: Call
    array: Var


Site = Call | CopyOnEntry | CopyCollected | CopyBeforeUpdate | CopyArgument

__all__ = ["CopyBeforeUpdate", "CopyArgument", "CopyCollected", "Site", "CopyOnEntry"]
