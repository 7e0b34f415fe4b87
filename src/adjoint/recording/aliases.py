"""Array arguments whose memory the program can reach in other ways as well.

Without stores such an argument is a variable of its own: `gradient(lambda x: x @ w, w)` is `w`. So the program is given
a view of it, at which the search for an owner ends, unless something was stored into the memory: then it is one
variable, by all of its names.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import NotDifferentiableError
from ..rules.registry import non_differentiable
from ..runtime.owners import CLOSED, Array, reached
from ..tangents.windows import owner_of
from .memory import watched
from .places import LEAVES, Extended, Held, Placed, fields_dict, place

_CLOSED = CLOSED | LEAVES
MAX_REACHED = 500
"""Objects that a function may reach until its arguments count as such that are met elsewhere."""


def told_apart(f: Any, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[Any]]:
    """The arguments, with views for the arrays that are met elsewhere; and these views, with what tells whether their
    memory has been stored into."""
    arrays = [i for i, x in enumerate(args) if type(x) is np.ndarray]
    if not arrays:
        return args, []
    others, seen = reached(f, closed=_CLOSED, at_most=MAX_REACHED)
    far = len(seen) > MAX_REACHED
    owners = {} if far else {i: {id(owner_of(a)) for a in arrays_at(place(x))} for i, x in enumerate(args)}
    found = list(args)
    views: list[Any] = []
    for i in arrays:
        owner = owner_of(args[i])
        if far or id(owner) in others or any(id(owner) in own for j, own in owners.items() if j != i):
            found[i] = apart(args[i])
            views.append((found[i], watched(owner)))
    return tuple(found), views


class _Given(threading.local):
    originals: dict[int, tuple[Array, Array]] = {}


_given = _Given()


def begin_originals(pairs: Sequence[tuple[Array, Array]]) -> Any:
    """Begin a run that is given views of these arrays, as pairs; gives what was noted before."""
    outer = _given.originals
    if pairs:
        _given.originals = {**outer, **{id(view): (view, original) for view, original in pairs}}
    return outer


def end_originals(outer: Any) -> None:
    """Go back to what was noted before."""
    _given.originals = outer


def itself(x: Any) -> Any:
    """The array of which a program was given a view; anything else as it is."""
    if not _given.originals or not isinstance(x, np.ndarray):
        return x
    return _given.originals.get(id(x), (x, x))[1]


def apart(x: Array) -> Array:
    """The same memory as an array that is the base of its views: those of a view would have the base of `x`."""
    return np.lib.stride_tricks.as_strided(x)


def still_apart(views: list[Any]) -> dict[int, Array]:
    """Those into whose memory nothing was stored, by identity."""
    return {id(view): view for view, stores in views if not stores[0]}


def shared_holders(places: Sequence[Any], others: Sequence[Any]) -> set[int]:
    """By identity, the containers, the objects and the arrays in them that are met at several of these places, or in
    one of the `others`. Arrays that are arguments are told apart."""
    held = [at for at in places if at is not None and not isinstance(at, np.ndarray)]
    if not held or len(held) + len(others) < 2:
        return set()
    found = [set(holders_at(at)) for at in held]
    shared = {key for i, own in enumerate(found) for other in found[:i] for key in own & other}
    return shared | held_by(others) & set[int]().union(*found)


def held_by(values: Iterable[Any]) -> set[int]:
    """By identity, what values are, hold and capture, and the owners of arrays in them; nothing of an array that is one
    of the values. What functions read of their modules does not count."""
    owners, seen = reached(*[x for x in values if not isinstance(x, np.ndarray)], closed=_CLOSED, named=False)
    return owners | seen


def holders_at(at: Any) -> Iterator[int]:
    """By identity, who holds the cotangents of what is at a place."""
    for part in places_in(at):
        if isinstance(part, np.ndarray):
            yield id(owner_of(part))
        elif isinstance(part, Placed):
            continue
        elif part.kind == "cells":
            yield from [id(p[0]) for p in part.places]
        elif part.kind == "fields":
            yield from [id(slot[1]) for slot in part.slots]
        else:
            yield id(part.holder)


def check_shared(shared: set[int], memory: Container[int], slots: Mapping[int, Any]) -> None:
    """Raise where something flows to what is part of several arguments: to which of them is not known. Asked are the
    owners that have `memory`, and the `slots` of holders."""
    if any([key in memory or _flows(slots.get(key)) for key in shared]):
        raise of_several_arguments()


def of_several_arguments() -> NotDifferentiableError:
    """The error that says this."""
    return NotDifferentiableError(
        "a list, a dict or an object is part of several arguments, and what flows to it belongs to one of them",
        "the program is recorded, which tells what it reads by the object and not by the argument",
        "give each argument one of its own: `copy.deepcopy`; an object may keep one of an earlier call",
        None,
    )


def _flows(slots: Any) -> bool:
    return slots is not None and any([d is not None for d in (slots.values() if isinstance(slots, dict) else (slots,))])


def put_back(x: Any, originals: dict[int, Any], seen: set[int] | None = None) -> Any:
    """The same with the arrays themselves in the places of their views."""
    seen = set() if seen is None else seen
    if id(x) in originals:
        return originals[id(x)]
    if type(x) in LEAVES or isinstance(x, np.ndarray) or id(x) in seen:
        return x
    seen.add(id(x))
    if isinstance(x, tuple):
        items = [put_back(item, originals, seen) for item in x]
        if all(a is b for a, b in zip(x, items, strict=True)):
            return x
        return type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    if isinstance(x, list | deque):
        for i, item in enumerate(x):
            if (y := put_back(item, originals, seen)) is not item:
                x[i] = y
    elif isinstance(x, dict):
        for key, item in x.items():
            if (y := put_back(item, originals, seen)) is not item:
                x[key] = y
    else:
        put_back(fields_dict(x) or (), originals, seen)
    return x


def put_back_in(holders: Sequence[Any], originals: dict[int, Any]) -> None:
    """The same of what stands in holders itself, or in tuples there."""
    for x in holders:
        if isinstance(x, list | deque):
            pairs: Iterable[tuple[Any, Any]] = enumerate(x)
        elif isinstance(x, type):
            pairs = vars(x).items()
        else:
            x = x if isinstance(x, dict) else fields_dict(x) or {}
            pairs = x.items()
        for key, item in [(key, item) for key, item in pairs if type(item) in (np.ndarray, tuple)]:
            if (y := put_back(item, originals)) is not item:
                setattr(x, key, y) if isinstance(x, type) else x.__setitem__(key, y)


def keep_flags(pairs: Sequence[tuple[Array, Array]]) -> None:
    """Let arrays be as writable, and of such a shape, as the views that stood for them have become."""
    for view, x in pairs:
        if view.flags.writeable != x.flags.writeable:
            x.flags.writeable = view.flags.writeable
        if view.shape != x.shape:
            x.shape = view.shape


def arrays_at(at: Any) -> list[Array]:
    """The arrays at a place."""
    return [part for part in places_in(at) if isinstance(part, np.ndarray)]


def places_in(at: Any) -> list[Any]:
    """A place and those in it, which may be part of several others: each is looked at once."""
    found: list[Any] = []
    seen: set[int] = set()
    todo = [at]
    while todo:
        at = todo.pop()
        if isinstance(at, np.ndarray):
            found.append(at)
        elif isinstance(at, Placed | Held) and id(at) not in seen:
            seen.add(id(at))
            found.append(at)
            inner = [p[2] for p in at.places] if isinstance(at, Held) and at.kind == "cells" else at.places
            todo += [p for p in inner if p is not None]
        elif isinstance(at, Extended):
            todo += [at.place, *at.places]
    return found


non_differentiable(shared_holders, check_shared, held_by)
non_differentiable(begin_originals, end_originals, itself)
non_differentiable(apart, put_back, still_apart, arrays_at, places_in)
