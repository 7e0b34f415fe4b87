"""One thing that can change: what it holds now, and how that is put back in place."""

from __future__ import annotations

import array
import copy
import io
import random
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..cells import has_contents


class Missing:
    pass


MISSING: Any = Missing()


class Holder:
    """Something that can change: how what it holds is read and written, and what that was."""

    __slots__ = ("parts", "read", "write")

    def __init__(self, read: Callable[[], list[Any]], write: Callable[[list[Any]], None]) -> None:
        self.read, self.write, self.parts = read, write, read()

    def put_back(self) -> None:
        """Let it hold what it did; what holds that still is not touched, for somebody may be iterating over it."""
        now = self.read()
        if len(now) != len(self.parts) or any(a is not b for a, b in zip(now, self.parts, strict=True)):
            self.write(self.parts)


def memory_of(x: Any) -> tuple[Callable[[Any], Any], Any] | None:
    """The function that puts the numbers and characters of something back, and what they are."""
    if isinstance(x, random.SystemRandom):
        return None
    if isinstance(x, np.random.Generator):
        bits: Any = x.bit_generator
        return lambda state: setattr(bits, "state", state), copy.deepcopy(bits.state)
    if isinstance(x, np.random.RandomState):
        return x.set_state, x.get_state()
    if isinstance(x, random.Random):
        return x.setstate, x.getstate()
    if isinstance(x, bytearray | array.array):
        return lambda then: x.__setitem__(slice(None), then), x[:]
    if isinstance(x, io.StringIO | io.BytesIO) and not x.closed:
        return x.__setstate__, x.__getstate__()  # type: ignore[union-attr]
    return None


def slots_of(cls: type) -> list[tuple[str, Any]]:
    """The slots of the objects of a class, by their descriptors."""
    return [
        (name, slot)
        for base in cls.__mro__
        if "__slots__" in vars(base)
        for name, slot in vars(base).items()
        if isinstance(slot, types.MemberDescriptorType)
    ]


def of_slots(x: Any, slots: list[tuple[str, Any]]) -> Holder:
    def value(slot: Any) -> Any:
        try:
            return slot.__get__(x)
        except AttributeError:
            return MISSING

    def write(parts: list[Any]) -> None:
        for (_, slot), part in zip(slots, parts, strict=True):
            if part is not MISSING:
                slot.__set__(x, part)
            elif value(slot) is not MISSING:
                slot.__delete__(x)

    return Holder(lambda: [value(slot) for _, slot in slots], write)


def of_cell(cell: Any) -> Holder:
    def write(parts: list[Any]) -> None:
        if parts[0] is not MISSING:
            cell.cell_contents = parts[0]
        elif has_contents(cell):
            del cell.cell_contents

    return Holder(lambda: [cell.cell_contents if has_contents(cell) else MISSING], write)


def set_all(x: Any, names: tuple[str, ...], parts: list[Any]) -> None:
    for name, part in zip(names, parts, strict=True):
        setattr(x, name, part)


def bind_all(scope: dict[str, Any], names: tuple[str, ...], parts: list[Any]) -> None:
    for name, part in zip(names, parts, strict=True):
        if part is not MISSING:
            scope[name] = part
        else:
            scope.pop(name, None)
