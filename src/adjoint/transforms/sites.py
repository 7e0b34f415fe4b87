"""Places at which a pass copies an array, so that a store cannot be seen from elsewhere: at a call that stores (which
then gives a new array), or at one of these."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.nodes import Call, Loop, Var


@dataclass(frozen=True, slots=True)
class CopyOnEntry:
    """A copy of the array that a loop starts with."""

    loop: Loop
    i: int


@dataclass(frozen=True, slots=True)
class CopyCollected:
    """A copy of what a loop collects, at the end of a round."""

    loop: Loop
    i: int


@dataclass(frozen=True, slots=True)
class CopyBeforeUpdate:
    """A copy of what a loop collects of an array that changes later in the round: a copy from where it is made."""

    loop: Loop
    i: int
    array: Var


@dataclass(frozen=True, slots=True)
class CopyArgument:
    """A copy of what a call is given, or of the part of it that the call gives."""

    call: Call
    array: Var


Site = Call | CopyOnEntry | CopyCollected | CopyBeforeUpdate | CopyArgument

__all__ = ["CopyBeforeUpdate", "CopyArgument", "CopyCollected", "Site", "CopyOnEntry"]
