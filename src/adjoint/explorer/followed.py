"""One run, line by line: the value of each name right after it is assigned, and the cotangent that comes back to it.

An observer looks on at a recording of the call (`recording.observer`). So values and cotangents are those of the
program as it stands, whatever it does: branches, loops, callees, stores.
"""

from __future__ import annotations

import ast
import operator
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from types import FrameType, ModuleType
from typing import Any

import numpy as np

from ..errors import AdjointError, Place, Site, calling_site
from ..origin import is_users
from ..recording.observer import RETURNED, YIELDED, Observer, Operation, handed_on
from ..recording.places import gather_cotangent, place, scatter_cotangent
from ..tangents import Unknown
from .shown import DEEP, Shown, shown
from .sources import Key, Sources
from .stored import may_store, stored_by

GIVEN = (RETURNED, YIELDED)
"""Names of what a function gives; others are those of its program."""
KEPT = 4
"""Of a name that a line assigns often, so many of the first and of the last values are shown."""
STORES = (operator.setitem, operator.delitem, setattr, delattr)


UNCHANGING = frozenset([float, int, complex, bool, str, bytes, type(None), np.float64, np.int64, np.bool_])
PLAIN = frozenset([int, bool, str, bytes, type(None), range, slice, np.int64, np.bool_])
ENTRIES, ITEMS = 10_000, 64
"""Of arrays with so many entries, and containers of so many items, a copy is kept; of others their text."""
NO_COPY = object()


class Moment:
    """A value that a name is given on a line, and its cotangent, once the reverse has come there. Each is a visit.

    Most are of a loop, and not shown in the end: so the text of a value is made when it is asked for.
    """

    __slots__ = ("_held", "_told", "bar", "visit")

    def __init__(self, visit: int, value: Any) -> None:
        self.visit = visit
        self.bar: Shown | None = None
        self._held = copied(value)
        self._told: Shown | None = shown(value) if self._held is NO_COPY else None

    @property
    def value(self) -> Shown:
        """The value as text."""
        if self._told is None:
            self._told = shown(self._held)
        return self._told

    def forget(self) -> None:
        """Let go of the value: the recording holds all moments until its end."""
        self._held = self._told = None


def copied(value: Any, level: int = 0) -> Any:
    """A copy of a value, or the value itself if it does not change; `NO_COPY` where its text is made as quickly."""
    kind = type(value)
    if kind in UNCHANGING:
        return value
    if kind is np.ndarray:
        return NO_COPY if value.size > ENTRIES or value.dtype.hasobject else value.copy()
    if kind not in (list, tuple, dict) or len(value) > ITEMS or level == DEEP:
        return NO_COPY
    items = [copied(item, level + 1) for item in (value.values() if kind is dict else value)]
    keys = [copied(key, level + 1) for key in value] if kind is dict else items
    if any([x is NO_COPY for x in (*items, *keys)]):
        return NO_COPY
    return dict(zip(keys, items, strict=True)) if kind is dict else kind(items)


@dataclass(eq=False)
class Track:
    """Values that a name is given on a line, at the first visits and the last ones; several statements may do so."""

    name: str
    visits: int = 0
    plain: bool = True
    """True if no value has been a float, an array of them or what holds others: a count, a text has no cotangent where
    nothing flows to it."""
    first: list[Moment] = field(default_factory=list)
    last: deque[Moment] = field(default_factory=lambda: deque(maxlen=KEPT))

    def note(self, value: Any) -> Moment:
        """Note one more visit."""
        self.visits += 1
        self.plain = self.plain and is_plain(value)
        moment = Moment(self.visits, value)
        if len(self.first) < KEPT:
            self.first.append(moment)
        else:
            if len(self.last) == KEPT:
                self.last[0].forget()
            self.last.append(moment)
        return moment

    def keeps(self, moment: Moment) -> bool:
        """True if a moment is one of the first or the last ones."""
        return moment.visit <= KEPT or moment.visit > self.visits - KEPT

    def moments(self) -> Iterator[Moment]:
        """Those that are kept, in their order."""
        yield from self.first
        yield from self.last


def is_plain(value: Any) -> bool:
    """Tell whether a value need not carry a derivative: an integer, a text, an array of texts or truth values. An array
    of integers has a cotangent of zeros where nothing flows to it, as an array of floats has."""
    return type(value) in PLAIN or isinstance(value, np.ndarray) and value.dtype.kind not in "iufcO"


class Spot:
    """A place that runs, with what is known of it once for all: its line, and the call that is written there."""

    __slots__ = ("call", "harmless", "key", "place", "tracks")

    def __init__(self, place: Place, sources: Sources) -> None:
        self.place = place
        self.key = sources.key(place.filename, place.span[0])
        self.call = sources.call(place.filename, place.span)
        self.harmless: Any = None
        """The function that ran here last, if it stores into nothing."""
        self.tracks: dict[str, Track | None] = {}
        """By names that are bound here; None for one that a recording makes."""


class Follower(Observer):
    """Looks on at one run, and notes values and cotangents by lines."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.tracks: dict[Key, dict[str, Track]] = {}
        self.ran: set[Key] = set()
        """The lines that operations ran on."""
        self.functions: dict[int, Any] = {}
        """The functions of the user's that ran, by the identity of their code: Python hashes all of a code object."""
        self.called: dict[tuple[str, int], list[Key]] = {}
        """The lines that call them, by their files and first lines."""
        self.visited: set[Key] = set()
        """The lines that Python came to."""
        self._spots: dict[tuple[int, int], tuple[Any, Spot | None]] = {}

    def watched(self, f: Callable[[], Any]) -> Any:
        """`f()`, with a note of each line of the user's that Python comes to: what computes nothing runs too.

        Tracing a plain run is quick: of a recording, Python would stop at each function that records.
        """
        lines: set[tuple[str, int]] = set()

        def within(frame: FrameType, event: str, arg: Any) -> Any:
            if event == "line":
                lines.add((frame.f_code.co_filename, frame.f_lineno))
            return within

        users: dict[str, bool] = {}

        def entered(frame: FrameType, event: str, arg: Any) -> Any:
            name = frame.f_code.co_filename
            if name not in users:
                users[name] = is_users(name)
            return within(frame, "line", arg) if users[name] else None

        before = sys.gettrace()
        sys.settrace(entered)
        try:
            return f()
        finally:
            sys.settrace(before)
            self.visited |= {self.sources.key(name, line) for name, line in lines}

    def has_run(self, key: Key) -> bool:
        """True if a line ran; of one that only opens a block (`else:`), if a line in that did."""
        if key in self.ran or key in self.tracks or key in self.visited:
            return True
        return any(self.has_run(inner) for inner in self.sources.opened(key) if inner != key)  # or on the same line

    def entered(self, f: Any, refusals: list[AdjointError]) -> None:
        super().entered(f, refusals)
        spot, code = self._at(calling_site()), f.__code__
        if spot is not None:
            callers = self.called.setdefault((code.co_filename, code.co_firstlineno), [])
            callers += [spot.key] if spot.key not in callers else []
        if id(code) not in self.functions:
            self.functions[id(code)] = f
            with suppress(AdjointError):  # of a function that has no text, lines stand for themselves
                self.sources.add(f)
                self._spots.clear()  # lines may be of statements now

    def ended(self, site: Site | None, role: str, value: Any) -> Any:
        self._at(site)
        return _nothing

    def named(self, site: Site | None, name: str, value: Any) -> Any:
        spot = self._at(site)
        if spot is None:
            return handed_on
        if name not in spot.tracks:
            of_program = name in GIVEN or self.sources.has_name(spot.place.filename, name)
            spot.tracks[name] = self._track(spot, name) if of_program else None
        track = spot.tracks[name]
        return handed_on if track is None else _noting(track, track.note(value), value)

    def _track(self, spot: Spot, name: str) -> Track:
        return self.tracks.setdefault(spot.key, {}).setdefault(name, Track(name))

    def done(self, operation: Operation, back: Any) -> Any:
        spot = self._at(operation.site)
        if spot is None:
            return back
        if operation.callee is setattr and isinstance(operation.args[0], type | ModuleType):
            return self._stored_for_all(operation, spot, back)
        stored = [(value, self._track(spot, name), _place(value)) for value, name in self._stored(operation, spot)]
        if not stored:
            return back
        noted = [(track, track.note(value), own) for value, track, own in stored]

        def stored_back(sweep: Any, y_bar: Any) -> Any:
            for track, moment, own in noted:
                if own is not None and track.keeps(moment):
                    found = gather_cotangent(sweep, own, None)
                    _note(moment, found)
                    scatter_cotangent(sweep, own, found)
            return back(sweep, y_bar)

        return stored_back

    def _stored_for_all(self, operation: Operation, spot: Spot, back: Any) -> Any:
        """The `back` of a store into a class or a module: these have no cotangent, what is stored has one."""
        owner, name, value = operation.args
        track = self._track(spot, f"{owner.__name__}.{name}")
        moment, own, last = track.note(value), _place(value), len(operation.operands)

        def stored_back(sweep: Any, y_bar: Any) -> Any:
            d = [*back(sweep, y_bar)]
            if track.keeps(moment) and len(d) > last:
                received = gather_cotangent(sweep, own, d[last])
                _note(moment, received)
                d[last] = scatter_cotangent(sweep, own, received)
            return d

        return stored_back

    def _stored(self, operation: Operation, spot: Spot) -> Iterator[tuple[Any, str]]:
        """Values that an operation stores into, in the words of the program."""
        callee = operation.callee
        if callee is spot.harmless:
            return
        if operation.args and callee in STORES:
            node = self.sources.statement(spot.place.filename, spot.place.span)
            yield operation.args[0], _owner(node) or "what is stored into"
        elif spot.call is None or not may_store(callee):
            spot.harmless = callee
        else:
            yield from stored_by(operation, spot.call)

    def _at(self, site: Site | None) -> Spot | None:
        """The place of a site in a file of the user's."""
        if site is None:
            return None
        key = id(site.code), site.lasti
        if key not in self._spots:
            at = site.place() if is_users(site.code.co_filename) else None
            spot = None if at is None else Spot(at, self.sources)
            self._spots[key] = site.code, spot
            self.ran |= set() if spot is None else {spot.key}
        return self._spots[key][1]


def _owner(node: Any) -> str | None:
    """Target that a statement stores into, as it is written."""
    if node is None:
        return None
    targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else [getattr(node, "target", node)]
    found = [t for target in targets for t in ast.walk(target) if isinstance(t, ast.Attribute | ast.Subscript)]
    return ast.unparse(found[0].value) if found else None


def _place(value: Any) -> Any:
    """The place of a value; None where it has its cotangent by value, and of what is not looked into."""
    try:
        return place(value)
    except AdjointError:
        return None


def _noting(track: Track, moment: Moment, value: Any) -> Any:
    """A `back` that notes the cotangent of a value, and hands it on."""
    own = _place(value)

    def noting_back(sweep: Any, y_bar: Any) -> tuple[None, Any]:
        if not track.keeps(moment):
            return None, y_bar
        received = gather_cotangent(sweep, own, y_bar)
        if not has_none(value, received):
            _note(moment, received)
        return None, scatter_cotangent(sweep, own, received)

    return noting_back


def has_none(value: Any, bar: Any) -> bool:
    """Tell whether a value has no cotangent: a truth value, or an integer by which no derivative is known."""
    return isinstance(value, bool | np.bool_) or isinstance(bar, Unknown) and is_plain(value)


def _note(moment: Moment, bar: Any) -> None:
    moment.bar = None if bar is None else shown(bar)


def _nothing(sweep: Any, y_bar: Any) -> Any:
    return None, None


__all__ = ["GIVEN", "Follower", "Moment", "Track"]
