"""One run of a recorded pullback: the cotangents of all places of the program, made at the first contribution.

A number has its cotangent by value, in a variable of the reverse program. What can change (an array, a list, an object,
a shared variable) has one for each of its *places*, here, by the identity of who holds the place. To store or load such
a thing moves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from ..rules.registry import non_differentiable
from ..tangents import Unknown, accumulate, tuple_like
from ..tangents.fields import is_carried_whole
from ..tangents.unknown import unknown_records
from ..tangents.windows import DIFFERENTIABLE, Array, Memory, add_to, owner_of, take_from
from .memory import owner_among, twins


class Sweep:
    """The cotangents of places: of the memory of arrays, and of the slots of everything else."""

    __slots__ = ("apart", "arrays", "generators", "partials", "read", "slots", "stored_before", "unknown", "windows")

    lost: Any = None
    """Observer that is told of each call that is not looked into, in place of what it would give: `lost(call,
    flows)`."""

    def __init__(self, apart: dict[int, Array] | None = None, partials: dict[int, Any] | None = None) -> None:
        self.apart = {**(apart or {}), **twins()}
        self.partials = {} if partials is None else partials
        self.arrays: dict[int, Memory] = {}
        self.unknown: dict[int, tuple[Array, Unknown]] = {}
        self.windows: dict[int, tuple[Array, Memory, Array]] = {}
        self.slots: dict[int, Any] = {}
        self.generators: dict[int, Any] = {}
        self.read: dict[tuple[int, Any], Any] = {}
        """Entries of dicts that were read under numbers: the dict and the value, by its identity and the key."""
        self.stored_before: frozenset[Any] = frozenset()
        """Those of which it is known that an earlier call has stored them."""

    # ---- slots

    def add(self, holder: Any, slot: Any, d: Any) -> None:
        """Add to the cotangent of one slot of a holder."""
        if d is None:
            return
        slots = self.slots.get(id(holder))
        if slots is None:
            slots = self.slots[id(holder)] = {}
        old = slots.get(slot)
        slots[slot] = d if old is None else accumulate(old, d)

    def take(self, holder: Any, slot: Any) -> Any:
        """The cotangent of a slot, which is zero afterwards."""
        slots = self.slots.get(id(holder))
        return None if slots is None else slots.pop(slot, None)

    def take_each(self, holder: Any, which: Sequence[Any]) -> Sequence[Any]:
        """The cotangents of some slots of a holder, which are zero afterwards; none at all if all are zero."""
        slots = self.slots.get(id(holder))
        return [slots.pop(slot, None) for slot in which] if slots else ()

    def take_slots(self, holder: Any) -> dict[Any, Any]:
        """The cotangents of all slots of a holder, which are zero afterwards."""
        slots: Any = self.slots.pop(id(holder), {})
        if type(slots) is Everywhere:
            self.slots[id(holder)] = slots
        return slots  # type: ignore[no-any-return]

    def put_slots(self, holder: Any, slots: dict[Any, Any]) -> None:
        """Let the slots of a holder, all zero, have these cotangents."""
        if slots and type(self.slots.get(id(holder))) is not Everywhere:
            self.slots[id(holder)] = slots

    # ---- arrays

    def owner(self, a: Array) -> Array:
        """Whose memory an array is, for this sweep: some views of it may be told apart."""
        return owner_of(a) if not self.apart else owner_among(a, self.apart)

    def shadow(self, a: Array) -> Any:
        """The shadow of an array, to add to or to read; None if all of it is zero so far, an `Unknown` if one in it is
        not known."""
        if self.unknown and (lost := self.unknown.get(id(self.owner(a)))) is not None:
            return lost[1]
        if a.base is None:
            found = self.arrays.get(id(a))
            return None if found is None else found.main
        owner = self.owner(a)
        memory = self.arrays.get(id(owner))
        if memory is None:
            return None
        return memory.main if a is owner else self.window(memory, a)

    def window(self, memory: Memory, a: Array) -> Array:
        """The shadow of a view; it is made once, for as long as the shadow of its owner is the same."""
        known = self.windows.get(id(a))
        if known is None or known[0] is not a or known[1] is not memory:
            known = self.windows[id(a)] = a, memory, memory.window(a)
        return known[2]

    def made_shadow(self, a: Array) -> Array:
        """The shadow of an array, made if need be."""
        if a.base is None:
            found = self.arrays.get(id(a))
            if found is not None:
                return found.main
        owner = self.owner(a)
        memory = self.arrays.get(id(owner))
        if memory is None:
            memory = self.arrays[id(owner)] = Memory(owner)
        return memory.main if a is owner else self.window(memory, a)

    def add_array(self, a: Array, d: Any) -> None:
        """Add to the cotangents of an array's items."""
        if d is None or a.dtype.kind not in DIFFERENTIABLE and type(d) is not Unknown:
            return
        if type(d) is not Unknown:
            add_to(self.made_shadow(a), d)
        elif not d.lets_through(a):
            owner = self.owner(a)
            self.unknown[id(owner)] = owner, d

    def take_array(self, a: Array) -> Any:
        """The cotangents of an array's items, which are zero afterwards; None if they are zero already. Those of which
        one is not known are not either."""
        owner = self.owner(a)
        if a.dtype.kind == "V" and id(owner) in self.arrays:  # a field of it was read
            self.unknown[id(owner)] = owner, unknown_records()
        if self.unknown and (lost := self.unknown.get(id(owner))) is not None:
            if a is owner and type(self.slots.get(id(owner))) is not Everywhere:
                del self.unknown[id(owner)]
                self.arrays.pop(id(owner), None)
            return lost[1]
        if a is owner:
            memory = self.arrays.pop(id(owner), None)
            return None if memory is None else memory.main
        memory = self.arrays.get(id(owner))
        return None if memory is None else take_from(memory.window(a))

    def move_array(self, owner: Array, a: Array, stored: Array) -> None:
        """Let an array have the cotangents that its items have under the name of another owner of its memory, where
        these were `stored`."""
        if self.unknown and (lost := self.unknown.get(id(owner))) is not None:
            self.add_array(a, lost[1])
        elif (memory := self.arrays.get(id(owner))) is not None:
            window = memory.window(a)
            d = np.where(stored, window, 0)
            np.copyto(window, 0, where=stored)
            self.add_array(a, d)

    # ---- sweeps

    def add_scaled(
        self, other: Sweep, by: Any, only: frozenset[str] | None = None, without: tuple[int, ...] = ()
    ) -> tuple[int, ...]:
        """Add the cotangents of another sweep, multiplied by a number: of holders that have only slots of these names,
        or of all but some holders. Gives the holders, by their identity."""
        chosen = [
            key for key, found in other.slots.items() if key not in without and (only is None or found.keys() <= only)
        ]
        for key in chosen:
            slots = self.slots.get(key)
            if slots is None:
                slots = self.slots[key] = {}
            for slot, d in other.slots[key].items():
                slots[slot] = add(slots.get(slot), scaled(d, by))
        for key, memory in other.arrays.items() if only is None else ():
            own = self.arrays.get(key)
            if own is None:
                own = self.arrays[key] = Memory(memory.owner)
            own.add_scaled(memory, by)
        if only is None:
            self.unknown.update(other.unknown)
        return tuple(chosen)


def scaled(d: Any, by: Any) -> Any:
    """A cotangent multiplied by a number.

    >>> scaled((1.5, None), 2.0)
    (3.0, None)
    """
    if d is None:
        return None
    if isinstance(d, tuple):
        items = [scaled(item, by) for item in d]
        return tuple_like(type(d), items)
    if isinstance(d, list):
        return [scaled(item, by) for item in d]
    if isinstance(d, dict):
        return {key: scaled(item, by) for key, item in d.items()}
    return d * by


def add(a: Any, b: Any) -> Any:
    """The sum of two cotangents of a value."""
    if b is None:
        return a
    if a is None:
        return b
    if type(a) is float and type(b) is float:
        return a + b
    return accumulate(a, b)


class Everywhere:
    """The cotangents of all slots of a holder, each of which is not known and stays so."""

    __slots__ = ("d",)

    def __init__(self, d: Unknown) -> None:
        self.d = d

    def __len__(self) -> int:
        return 1

    def __contains__(self, slot: Any) -> bool:
        return True

    def __setitem__(self, slot: Any, d: Any) -> None:
        """Nothing is kept of what is added to what is not known."""

    def get(self, slot: Any, default: Any = None) -> Any:
        """The cotangent of a slot."""
        return self.d

    pop = get

    def items(self) -> Any:
        """Refuse: it is not known which slots there are."""
        self.d.refuse()

    keys = values = items


_NEVER = frozenset([bool, str, bytes, type(None), type, list, dict, set, np.ndarray, FunctionType, ModuleType])


def is_valued(x: Any) -> bool:
    """Tell whether a value has a cotangent by value: a number, a tuple with one, or what is `carry_whole`."""
    cls = type(x)
    if cls is float or cls is int or cls is np.float64 or cls is complex:
        return True
    if cls is tuple:
        return any(map(is_valued, x))
    if cls in _NEVER:
        return False
    if isinstance(x, np.generic):
        return x.dtype.kind in DIFFERENTIABLE
    if isinstance(x, int | float | complex) or isinstance(x, tuple) and any(map(is_valued, x)):
        return True
    return is_carried_whole(x)


non_differentiable(is_valued)
