"""Parts that operations on containers share: slots of sequences whose items move, and items on their way into a
container."""

from __future__ import annotations

import gc
import itertools
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

from ...tangents import tuple_like
from ..sweep import Everywhere, Sweep, add
from .base import METHODS, NOTHING, Back, Record, Result, adapting, nothing, unfinished
from .calls import invoke
from .iteration import stream_of

Args = tuple[Any, ...]
Kwargs = dict[str, Any]
Give = Callable[[Sweep, Any], Any]
"""Function that hands a list of cotangents, one for each item, to whose the items were; gives what of them is by
value."""


# ---- slots that move


class Shifted:
    """The slots of a sequence, all positions of which can move together at no cost: what a sweep asks of a dict."""

    __slots__ = ("origin", "own")

    def __init__(self, slots: dict[Any, Any]) -> None:
        self.own = slots
        self.origin = 0

    def __len__(self) -> int:
        return len(self.own)

    def _key(self, slot: Any) -> Any:
        return slot - self.origin if isinstance(slot, int) else slot

    def __setitem__(self, slot: Any, d: Any) -> None:
        self.own[self._key(slot)] = d

    def get(self, slot: Any, default: Any = None) -> Any:
        """The cotangent of a slot."""
        return self.own.get(self._key(slot), default)

    def pop(self, slot: Any, default: Any = None) -> Any:
        """The same; it is zero afterwards."""
        return self.own.pop(self._key(slot), default)

    def items(self) -> list[Any]:
        """All slots and their cotangents."""
        origin = self.origin
        return [(s + origin if isinstance(s, int) else s, d) for s, d in self.own.items()]


def moved(sweep: Sweep, holder: Any, by: int) -> None:
    """All positions of a sequence move, which costs nothing from the second time on."""
    slots: Any = sweep.slots.get(id(holder))
    if not slots or not by or type(slots) is Everywhere:
        return
    if type(slots) is not Shifted:
        slots = Shifted(slots)
        sweep.slots[id(holder)] = slots
    slots.origin += by


def remapped(sweep: Sweep, holder: Any, position: Callable[[int], int]) -> None:
    """Each position becomes another one; as long as there are slots that are not zero."""
    slots: Any = sweep.take_slots(holder)
    if slots and type(slots) is not Everywhere:
        sweep.put_slots(holder, {position(s) if isinstance(s, int) else s: d for s, d in slots.items()})


def spread(sweep: Sweep, holder: Any, first: int, by: int) -> None:
    """Positions from `first` on move; those in between, if `by` is negative, are zero already.

    Where nothing stays in its place this costs nothing, otherwise as much as there are slots that are not zero.
    """
    if first + min(by, 0) <= 0:
        moved(sweep, holder, by)
    elif by:
        remapped(sweep, holder, lambda s: s + by if s >= first else s)


def handed(sweep: Sweep, y: Any, holder: Any, places: Any) -> None:
    """The slots of a new sequence are those of these places of another one."""
    for i, d in sweep.take_slots(y).items():
        if isinstance(i, int):
            sweep.add(holder, places[i], d)


def bars_of(sweep: Sweep, y: Any, n: int) -> list[Any]:
    """The cotangents of the items of a new sequence."""
    slots = sweep.take_slots(y)
    return [slots.get(i) for i in range(n)]


def as_tuple(cls: Any, bars: Iterable[Any]) -> Any:
    """The cotangent of a tuple of this class."""
    bars = tuple(bars)
    if all([bar is None for bar in bars]):
        return None
    return tuple_like(cls, bars)


# ---- operands


def only(n: int, i: int, d: Any) -> Args:
    """The cotangents of `n` operands (and None in front), all zero but that of operand `i`, counted from 1."""
    return (*(None,) * i, d, *(None,) * (n - i))


def operand_of(args: Args, kwargs: Kwargs, position: int, name: str) -> int | None:
    """The place of the argument that a parameter has got, counted from 0; None if it has its default."""
    if len(args) > position:
        return position
    return len(args) + list(kwargs).index(name) if name in kwargs else None


def pure(cls: type, *names: str) -> None:
    """Declare methods through which nothing flows."""
    for name in names:
        METHODS[cls, name] = _pure(getattr(cls, name))


def _pure(function: Any) -> Any:
    def handler(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
        return function(self, *args, **kwargs), nothing

    return handler


def behind(proxy: Any) -> Any:
    """The mapping that a `MappingProxyType` shows."""
    return gc.get_referents(proxy)[0] if isinstance(proxy, types.MappingProxyType) else proxy


# ---- calls within an operation


def called(k: int, f: Any, args: Args, backs: list[Back]) -> Any:
    """The result of a call; what reverses it is added to `backs`, also if it does not come to its end."""
    steps: list[Any] = []
    try:
        y, back = invoke(steps.append, k, f, args, {})
        steps.append((k, back))
    finally:
        if steps:
            backs.append(in_turn(steps))
    return y


def in_turn(steps: list[Any]) -> Back:
    """The reverse of a few steps as one, with the same operands."""
    if len(steps) == 1:
        back: Back = steps[0][1]
        return back

    def turn_back(sweep: Sweep, y_bar: Any) -> Any:
        bars: list[Any] = []
        for step in reversed(steps):
            found = step[1](sweep, y_bar)
            y_bar, more = found[0], found[1:]
            bars = [add(a, b) for a, b in itertools.zip_longest(bars, more)]
        return (None, *bars)

    return turn_back


def unheard(record: Record) -> Record:
    """Record in which what is within an operation writes its steps down: they have other operands, all of them
    objects."""
    return adapting(record, lambda back: lambda sweep, y_bar: (back(sweep, y_bar)[0], *NOTHING))


# ---- items


def gathered(
    record: Record, k: int, x: Any, at: int, direct: bool = False, check: Callable[[Any], Any] = id
) -> tuple[list[Any], Give]:
    """All items of operand `at`, as a list of its own, and what gives their cotangents back; `direct` if a list is read
    as it is, whatever its class makes of iteration; `check` is given the iterator."""
    if type(x) is list:
        return x.copy(), _giving(x)
    if direct and isinstance(x, list):
        return list.copy(x), _giving(x)
    if type(x) is tuple:
        return list(x), lambda sweep, bars: as_tuple(tuple, bars)
    items: list[Any] = []
    drawn = Drawn(x, False, check)

    def unended(sweep: Sweep, y_bar: Any) -> Any:
        return (*NOTHING[:at], drawn.give(sweep, lambda i: None), *NOTHING)

    drawn.into(record, k, items.append, unended)
    return items, lambda sweep, bars: drawn.give(sweep, lambda i: bars[i])


def _giving(holder: Any) -> Give:
    def give(sweep: Sweep, bars: Any) -> None:
        for i, d in enumerate(bars):
            if d is not None:
                sweep.add(holder, i, d)

    return give


def is_iterable(x: Any) -> bool:
    """Tell whether it has items."""
    return hasattr(type(x), "__iter__") or hasattr(type(x), "__getitem__")


class Drawn:
    """The items of an iterable that a container takes in place.

    Each is taken as soon as it comes, for what gives them may look at the container meanwhile; the reverse goes back
    in the same way, item by item.
    """

    def __init__(self, source: Any, at_once: bool, check: Callable[[Any], Any] = id) -> None:
        self.source = source
        self.at_once = at_once
        self.check = check
        self.count = 0
        self.steps: list[Any] = []
        self.first: Back = nothing
        self.inner: Give | None = None

    def into(self, record: Record, k: int, put: Callable[[Any], Any], back: Back) -> None:
        """Give each item to `put`; should that not come to its end, `back` reverses what was done. An iterator that
        nobody else has ends here, and not with what reverses it."""
        source, self.source = self.source, None
        try:
            if self.at_once:
                items, self.inner = gathered(record, k, source, 2, sys.version_info >= (3, 13))
                for y in items:
                    self.count += 1
                    put(y)
                return
            stream, self.first = stream_of(self.steps.append, k, source)
            self.check(stream)
            while True:
                try:
                    y, item_back = stream.step(self.steps.append, k)
                except StopIteration:
                    break
                self.steps.append((0, item_back, self.count))
                self.count += 1
                put(y)
        except BaseException:
            record((k, unfinished(back)))
            raise

    def give(self, sweep: Sweep, taken: Callable[[int], Any]) -> Any:
        """The reverse: `taken(i)` is the cotangent that the container has of item `i`. Gives that of the source."""
        if self.inner is not None:
            bars = [taken(i) for i in reversed(range(self.count))]
            return self.inner(sweep, bars[::-1])
        for step in reversed(self.steps):
            step[1](sweep, taken(step[2]) if len(step) == 3 else None)
        return self.first(sweep, None)[1]


def is_written(x: Any, *names: str) -> bool:
    """Tell whether the class of an object has one of these methods in Python."""
    return any([isinstance(getattr(type(x), name, None), types.FunctionType) for name in names])
