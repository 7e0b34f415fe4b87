"""Derivatives that are lost in a recording: in objects that code which is not looked into was given numbers with.

Such code may keep what it is given, and what is read from there later may be made of it. What has met in it is one
*loss*: a cotangent that flows to anything read from one of its objects is not known any more, and neither is that of
anything the others were given. So nothing is refused before it reaches what is differentiated: data of other libraries
are constants, and only a derivative that would have to go through such code is an error.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..errors import NotDifferentiableError, calling_place
from ..rules.registry import non_differentiable
from ..tangents.data import holds_data
from ..tangents.fields import record_fields
from ..tangents.structural import Tangent, class_of, fields_of
from ..tangents.tables import CHANGED, is_table, part
from ..tangents.tuples import tuple_like
from ..tangents.unknown import Unknown, refused
from ..tangents.windows import owner_of
from .memory import watched
from .places import parts_of, scatter_cotangent
from .sweep import Sweep


class Loss:
    """Objects that have met in code that is not looked into."""

    __slots__ = ("changed", "given", "handed", "into", "seen")

    def __init__(self) -> None:
        self.into: Loss | None = None
        self.changed = False
        """True if something may have been stored into a labelled array here."""
        self.seen: dict[int, tuple[Any, list[int], Unknown]] = {}
        """The memory of arrays that were read from what has met: the owner, how often something was stored into it
        since, and what flows to it then."""
        self.given: dict[Any, tuple[Any, Unknown]] = {}
        """The places of what can be stored into, and may be kept as it is; with what flows to each, if anything does:
        the refusal of the last call that it was given to. By identity: most are given to one call after the other."""
        self.handed: dict[int, Any] = {}
        """The arrays that were given as they are."""

    def root(self) -> Loss:
        """The loss that this has become one with."""
        found = self
        while found.into is not None:
            found = found.into
        return found

    def give(self, places: Iterable[Any], d: Unknown) -> None:
        """Note what was given, and what flows to it."""
        for at in places:
            self.given.update((key, (part, d)) for key, part in parts_of(at))
            if isinstance(at, np.ndarray):
                self.handed[id(at)] = at

    def join(self, other: Loss) -> None:
        """Become one with another."""
        one, into = self.root(), other.root()
        if one is not into:
            one.into = into
            into.given.update(one.given)
            into.handed.update(one.handed)
            into.seen.update(one.seen)
            into.changed = into.changed or one.changed

    def is_reached(self, sweep: Sweep) -> bool:
        """Tell whether a cotangent has come here."""
        slots = sweep.slots.get(id(self.root()))
        return slots is not None and "lost" in slots

    def reach(self, sweep: Sweep) -> None:
        """Let a cotangent come to here, and so to all that is kept here."""
        root = self.root()
        if not self.is_reached(sweep):
            sweep.put_slots(root, {"lost": True})
        if sweep.lost is None:
            for at, d in (*root.given.values(), *[(owner, d) for owner, stores, d in root.seen.values() if stores[0]]):
                scatter_cotangent(sweep, at, d)

    def read(self, a: np.ndarray[Any, Any], d: Unknown) -> None:
        """Note that an array was read from here: what is stored into it may be seen here."""
        owner, seen = owner_of(a), self.root().seen
        if id(owner) not in seen and owner.dtype.kind in "fc":
            seen[id(owner)] = owner, watched(owner), d

    def is_changed(self) -> bool:
        """Tell whether labelled arrays here may hold other numbers than when they were made."""
        root = self.root()
        return root.changed or any([stores[0] for _, stores, _ in root.seen.values()])

    def arrays(self) -> list[Any]:
        """The arrays that may share memory with what has met here."""
        root = self.root()
        return [
            *root.handed.values(),
            *[owner for owner, *_ in root.seen.values()],
        ]


class _Lost(threading.local):
    found: dict[Any, tuple[Any, Loss]] | None = None
    outside: list[tuple[Any, Loss]] = []


_lost = _Lost()


def begin_lost() -> Any:
    """Begin with nothing lost; gives what was lost before."""
    outer = _lost.found, _lost.outside
    _lost.found, _lost.outside = {}, []
    return outer


def end_lost(outer: Any) -> list[tuple[Any, Loss]]:
    """Go back to what was lost before; gives the objects read that the program has not made."""
    outside = _lost.outside
    _lost.found, _lost.outside = outer
    return outside


def asked_of(x: Any, outside: list[tuple[Any, Loss]], sweep: Sweep) -> Unknown | None:
    """The cotangent of an argument that holds such an object, to which something has flowed; None of any other."""
    reached = [held for held, loss in outside if not _is_constant(type(held)) and loss.is_reached(sweep)]
    found = next((held for held in reached if _holds(x, held, set())), None)
    if found is None:
        return None
    cls = type(found)
    return refused(
        NotDifferentiableError(
            f"a derivative by an argument is asked for that is or holds a `{cls.__module__}.{cls.__qualname__}`",
            "what it holds is out of sight, so that its cotangent has no form",
            "hand over an array or a list, or differentiate by other arguments (`argnums`)",
            calling_place(),
        )
    )


def _is_constant(cls: type) -> bool:
    """Tell whether objects of a class have no cotangent as arguments: data of a library, and iterators, once used
    up."""
    return holds_data(cls) or hasattr(cls, "__next__")


def _holds(x: Any, held: Any, seen: set[int]) -> bool:
    """Tell whether an object is in a value, or is the value."""
    if x is held:
        return True
    if id(x) in seen or isinstance(x, str | bytes | int | float | complex | np.ndarray | type):
        return False
    seen.add(id(x))
    if isinstance(x, dict):
        return any([_holds(item, held, seen) for item in dict.values(x)])
    if isinstance(x, list | tuple | set | frozenset | deque):
        return any([_holds(item, held, seen) for item in x])
    return any([_holds(item, held, seen) for item in (record_fields(x) or {}).values()])


def _key(x: Any) -> Any:
    return (type(x), x) if isinstance(x, bytes | str) else id(x)


def note_lost(x: Any, loss: Loss) -> None:
    """Note that numbers may be in `x`: all that this is noted of is one."""
    if _lost.found is None or x is None or isinstance(x, bool) or isinstance(x, bytes | str) and not x:
        return
    known = _lost.found.get(_key(x))
    if known is None or isinstance(x, bytes | str):
        _lost.found[_key(x)] = x, loss  # who has an id must be kept
    else:
        loss.join(known[1])


def losses_in(values: Iterable[Any]) -> list[Loss]:
    """Losses in some of these values."""
    found = _lost.found
    return [known[1] for x in values if (known := found.get(_key(x))) is not None] if found else []


class LostData:
    """Objects of libraries of data that a result is or holds, into which numbers may have gone."""

    def __init__(self, y: Any) -> None:
        self.lost = {id(x): (x, losses_in((x,))) for x in _data_in(y)} if _lost.found else {}
        self.changed = {key for key, (_, losses) in self.lost.items() if any([loss.is_changed() for loss in losses])}

    def __bool__(self) -> bool:
        return any([losses for _, losses in self.lost.values()])

    def reach_hidden(self, sweep: Sweep) -> None:
        """Let a cotangent come to all that have none themselves."""
        for x, losses in self.lost.values():
            for loss in () if is_table(x) else losses:
                loss.reach(sweep)

    def reach(self, sweep: Sweep, d: Any, x: Any) -> Any:
        """Let the cotangents of labelled arrays in `x` come to what went into them; gives `d`, in which those of arrays
        that were changed are not known."""
        if d is None or isinstance(d, np.ndarray | float):
            pass
        elif isinstance(d, dict) and isinstance(x, dict):
            return {key: self.reach(sweep, item, x.get(key)) for key, item in d.items()}
        elif isinstance(d, list | tuple) and isinstance(x, list | tuple):
            items = [self.reach(sweep, item, of) for item, of in zip(d, x, strict=False)]
            return items if isinstance(d, list) else tuple_like(type(d), items)
        elif type(d) is Tangent:
            own = record_fields(x) or {}
            return Tangent(class_of(d), {k: self.reach(sweep, item, own.get(k)) for k, item in fields_of(d).items()})
        _, losses = self.lost.get(id(x), (None, ()))
        if d is None or id(x) not in self.changed or not np.any(part(d)):
            return d  # what a call has made that is not looked into asks for this itself
        for loss in losses:
            loss.reach(sweep)
        return Unknown(*CHANGED)


def _data_in(y: Any) -> Iterator[Any]:
    """The objects of libraries of data in a value, which may hold itself."""
    seen, todo = set[int](), [y]
    while todo:
        x = todo.pop()
        if id(x) in seen or isinstance(x, str | bytes | int | float | complex | np.ndarray | type):
            continue
        seen.add(id(x))
        if holds_data(type(x)):
            yield x
        elif isinstance(x, dict):
            todo += dict.values(x)
        elif isinstance(x, list | tuple | set | frozenset | deque):
            todo += x
        else:
            todo += (record_fields(x) or {}).values()


def note_outside(x: Any) -> Loss:
    """Note that something is read from an object that the program has not made: it may be of an argument."""
    loss = Loss()
    if _lost.found is not None:
        _lost.found[_key(x)] = x, loss
        _lost.outside.append((x, loss))
    return loss


def is_any_lost() -> bool:
    """Tell whether numbers have gone anywhere at all from where nothing is known of them."""
    return bool(_lost.found)


non_differentiable(begin_lost, end_lost, note_lost, note_outside, asked_of, losses_in, LostData, is_any_lost)
