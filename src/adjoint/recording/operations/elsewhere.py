"""Iterators that were made outside of the program and go on while it runs: what they read may be what it has stored.

Of iterators of lists it is known where their items come from. What others give may be made of all that they reach:
which of that, nobody knows, and a cotangent that would have to flow there is refused.
"""

from __future__ import annotations

import gc
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...errors import UnsupportedSyntaxError, calling_place
from ...rules.registry import non_differentiable
from ...runtime.hidden import stores
from ...tangents.unknown import refused
from ..observer import refuse
from ..places import deposit, place, withdraw
from ..sweep import Sweep, is_valued
from .base import NOTHING, Back, Record, Result, handles_methods, is_nonzero, nothing, read_slot, with_first
from .contents import contents_of
from .items import read_item
from .opaque import places_behind
from .stored import apart_from, identities_in
from .streams import Filtered, Mapped, Pair, Stream, Zipped

_LIST_ITERATOR: Any = type(iter([]))
_ENGINES = ("builtins", "itertools", "collections")
"""Where the classes of what leads from an iterator to what it reads are from."""


def drawn(record: Record, k: int, x: Any) -> Result:
    """The next item of such an iterator."""
    if isinstance(x, np.flatiter):
        at = x.index
        next(x)
        return read_item(record, k, x.base, tuple(map(int, np.unravel_index(at, x.base.shape))))
    if type(x) is _LIST_ITERATOR:
        _, (source,), at = (*x.__reduce__(), 0)[:3]
        y: Any = next(x)
        return read_slot(y, source, at) if isinstance(source, list) else (y, nothing)
    if isinstance(x, zip | map | filter):
        stream = as_stream(x)
        return stream.step(record, k)
    return _going_on(x, x.__next__)


def _going_on(x: Any, how: Any, *given: Any) -> Result:
    """`how(*given)`, which lets an iterator go on."""
    functions, values = _reached(x)
    storing = any(map(stores, functions))
    before = [contents_of(v) for v in values] if storing else None
    places = [place(v) for v in values] + [p for f in functions for p in places_behind(f)]
    try:
        y = how(*given)
    finally:
        if storing and before != [contents_of(v) for v in values]:
            refuse(_made_elsewhere(x))
    return y, _unknown_of(_made_elsewhere(x), y, places, given)


@handles_methods(types.GeneratorType, "send")
def _send(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    y, back = _going_on(self, self.send, *args)
    return y, with_first(back)


for _cls in (types.GeneratorType, _LIST_ITERATOR, np.flatiter, zip, map, filter, enumerate, reversed):
    handles_methods(_cls, "__next__")(lambda record, k, self, args, kwargs: drawn(record, k, self))


def as_stream(x: Any) -> Stream:
    """What `zip`, `map` and `filter` do is done anew: all that they keep is the iterators that they run through."""
    _, given, *strict = x.__reduce__()
    streams: list[Stream] = [ByDrawing(it) for it in (given if isinstance(x, zip) else given[1:])]
    if isinstance(x, zip):
        return Zipped(streams, bool(strict))
    return Mapped(given[0], streams) if isinstance(x, map) else Filtered(given[0], streams[0])


class ByDrawing(Stream):
    """Over an iterator that was made outside."""

    def __init__(self, iterator: Any) -> None:
        self.asked = iterator

    def step(self, record: Record, k: int) -> Pair:
        return drawn(record, k, self.asked)


def _unknown_of(error: UnsupportedSyntaxError, y: Any, places: list[Any], given: Any) -> Back:
    """The reverse of what gave `y`, which may be made of anything at these places and of what was `given`."""
    places = places + [place(v) for v in given]
    at = apart_from(place(y), {identity for p in places for identity in identities_in(p)}) if not is_valued(y) else None
    if at is None and not is_valued(y):
        return nothing
    unknown = refused(error)

    def unknown_back(sweep: Sweep, y_bar: Any) -> Any:
        if not is_nonzero(withdraw(sweep, at, y_bar)):
            return NOTHING
        for p in places:
            deposit(sweep, p, unknown)
        return (None, *[unknown if is_valued(v) else None for v in given], *NOTHING[:8])

    return unknown_back


def _reached(x: Any) -> tuple[list[types.FunctionType], list[Any]]:
    """The functions that an iterator runs, and the values that it reads from."""
    functions: list[types.FunctionType] = []
    values: list[Any] = []
    seen = {id(x): x}
    for found in _behind(x, seen):
        (functions if type(found) is types.FunctionType else values).append(found)
    return functions, values


def _behind(x: Any, seen: dict[int, Any]) -> Iterator[Any]:
    for found in gc.get_referents(x):
        if id(found) in seen or isinstance(found, type | types.ModuleType | types.CodeType | str | int | float):
            continue
        seen[id(found)] = found
        if isinstance(found, types.FunctionType | list | dict | set | np.ndarray):
            yield found
        elif type(found).__module__ in _ENGINES:
            yield from _behind(found, seen)
        else:
            yield found


def _made_elsewhere(x: Any) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"a derivative goes through a `{type(x).__name__}` that was made outside of the program",
        "it goes on while the program runs, and what it reads and stores then is not followed",
        "make it inside (`zip`, `map`, a generator expression), or hand over a list",
        calling_place(),
    )


non_differentiable(_reached, _made_elsewhere)
