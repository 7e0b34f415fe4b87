"""Iterators that were made outside of the program and go on while it runs: what they read may be what it has stored.

Of iterators of lists it is known where their items come from. What others give may be made of all that they reach:
which of that, nobody knows, and a cotangent that would have to flow there is refused.
"""

from __future__ import annotations

import io
import sys
import types
from collections import deque
from typing import Any

import numpy as np

from ...errors import UnsupportedSyntaxError, calling_place
from ...rules.registry import non_differentiable
from ..observer import refuse
from ..places import LEAVES, gather_cotangent, place
from ..reached import Reach, reach_of
from ..sweep import Sweep, is_valued
from .base import NOTHING, Record, Result, handles_methods, is_nonzero, nothing, read_slot, with_first
from .contents import contents_of
from .items import read_item
from .stored import apart_from
from .streaming import Pair, Stream
from .streams import Filtered, Mapped, Zipped

_LIST_ITERATOR: Any = type(iter([]))
_CONSTANT = frozenset(
    [
        *map(type, (iter(range(1)), iter(range(1 << 70)), iter(""), iter("\u00e9"), iter(b""), iter(bytearray()))),
        *(io.TextIOWrapper, io.StringIO, io.BytesIO, io.FileIO, io.BufferedReader, io.BufferedRandom),
    ]
)
"""Classes of iterators that give nothing a derivative can flow to."""


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
    if type(x) in _CONSTANT and not given:
        return how(), nothing
    reach = reach_of(x, _made_elsewhere)
    for v in given:
        reach.add(v)
    storing = reach.stores()
    before = _contents(reach) if storing else None
    try:
        y = how(*given)
    finally:
        if storing and before != _contents(reach):
            refuse(_made_elsewhere(x))
    at = None if type(y) in LEAVES else apart_from(place(y), reach.held.keys())
    if type(y) is not np.ndarray or y.base is not None or sys.getrefcount(y) > 2:
        reach.add(y)  # the iterator may keep it
    losses = reach.losses()
    if at is None and not is_valued(y):
        return y, nothing
    valued = [is_valued(v) for v in given]

    def unknown_back(sweep: Sweep, y_bar: Any) -> Any:
        if not is_nonzero(gather_cotangent(sweep, at, y_bar)):
            return NOTHING
        reach.mark(sweep)
        for loss in losses:
            loss.reach(sweep)
        return (None, *[reach.unknown if v else None for v in valued], *NOTHING[:8])

    return y, unknown_back


def _contents(reach: Reach) -> Any:
    return [contents_of(v, 0) for v in reach.held.values() if isinstance(v, list | dict | deque | set | np.ndarray)]


@handles_methods(types.GeneratorType, "send")
def _send(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    y, back = _going_on(self, self.send, *args)
    return y, with_first(back)


for _cls in (types.GeneratorType, _LIST_ITERATOR, np.flatiter, zip, map, filter, enumerate, reversed):
    handles_methods(_cls, "__next__")(lambda record, k, self, args, kwargs: drawn(record, k, self))


def as_stream(x: Any) -> Stream:
    """Streams in place of `zip`, `map` and `filter`: all that they keep is the iterators that they run through."""
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


def _made_elsewhere(x: Any) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"a derivative goes through a `{type(x).__name__}` that was made outside of the program",
        "it goes on while the program runs, and what it reads and stores then is not followed",
        "make it inside (`zip`, `map`, a generator expression), or hand over a list",
        calling_place(),
    )


non_differentiable(_contents, _made_elsewhere)
