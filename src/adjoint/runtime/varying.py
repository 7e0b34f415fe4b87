"""Fields that vary: what the programs of one kind of call have found in the fields of their arguments.

A program is made for the types of the fields that it reads. Where few fields vary, each combination has its own
program; where many do, the next program is made for what they are joined to.
"""

from __future__ import annotations

import math
from typing import Any

from ..ir.lattice import join
from ..ir.types import FLOAT, INT, NONE, UNKNOWN, OneOf, Type

Path = tuple[int | str, ...]
"""A parameter, and the names of fields from there on."""

MAX_PROGRAMS = 6
"""Number of programs that may be made for the combinations of fields that vary."""
MAX_PATHS = 500
MAX_OPTIONS = 3
"""How many values an option may turn out to have before programs are made for any."""

_JOINED = frozenset([INT, FLOAT, NONE])
"""Types whose join says all that a program needs."""


Joined = dict[Path, tuple[Type, Type]]
"""By its path what a program takes a field to be that varies, and what its guard asks."""


class Varying:
    """The types that fields were found to have, by their paths."""

    def __init__(self) -> None:
        self.kinds: dict[Path, list[Type]] = {}
        self.places: dict[int, Path] = {}
        self.options: dict[Any, list[Any]] = {}
        self.captured: set[int] = set()
        """The objects that functions capture, or find by global names, and hand on, by identity."""
        self.joins = self.is_settled = False
        self.joined: Joined = {}

    def begin(self, examples: tuple[Any, ...], settled: Joined | None) -> Joined:
        """Another program is made, for arguments as these; one that has to be for all that an earlier one is for takes
        the fields as `settled` there."""
        self.places = {id(x): (i,) for i, x in enumerate(examples)}
        self.joins = math.prod(map(len, self.kinds.values())) > MAX_PROGRAMS
        self.is_settled, self.joined = settled is not None, settled or {}
        return self.joined

    def is_option(self, place: Any, value: Any) -> bool:
        """Note the value of a flag or a text, and tell whether programs are made for it: as long as few are found."""
        if place not in self.options and len(self.options) >= MAX_PATHS:
            return False
        found = self.options.setdefault(place, [])
        if value not in found:
            found.append(value)
        return len(found) <= MAX_OPTIONS

    def joined_field(self, owner: Any, name: str, value: Any, t: Type) -> tuple[Type, Type] | None:
        """Note the type of a field; what it is joined to, if it is."""
        if (place := self.places.get(id(owner))) is None:
            return None
        path = (*place, name)
        self.places.setdefault(id(value), path)
        if path not in self.kinds and len(self.kinds) >= MAX_PATHS:
            return None
        kinds = self.kinds.setdefault(path, [])
        if t not in kinds:
            kinds.append(t)
        if self.joins and len(kinds) > 1 and not self.is_settled:
            self.joined[path] = _joined(kinds)
        return self.joined.get(path)


def _joined(kinds: list[Type]) -> tuple[Type, Type]:
    """The type that several are joined to, and the question about a value: numbers, or None; else it may be
    anything."""
    if not _JOINED.issuperset(kinds):
        return UNKNOWN, UNKNOWN
    first, *others = kinds
    for other in others:
        first = join(first, other)
    return first, OneOf(tuple(kinds))
