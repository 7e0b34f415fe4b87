"""One run, line by line: the value of each name after the line, and the cotangent that comes back to it.

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
from types import FrameType
from typing import Any

from ..errors import AdjointError, Place, Site, calling_site
from ..origin import is_users
from ..recording.observer import RETURNED, Observer, Operation, handed_on
from ..recording.places import deposit, place, withdraw
from ..tangents import is_whole
from .shown import Shown, shown
from .sources import Key, Sources
from .stored import stored_by

KEPT = 4
"""Of a line that runs often, so many of its first and of its last visits are shown."""
STORES = (operator.setitem, operator.delitem, setattr, delattr)


@dataclass(eq=False)
class Moment:
    """A value at one visit of a line, and its cotangent, once the reverse has come there."""

    visit: int
    value: Shown
    bar: Shown | None = None


@dataclass(eq=False)
class Track:
    """Values of a name at a line, at the first visits and the last ones."""

    name: str
    visits: int = 0
    first: list[Moment] = field(default_factory=list)
    last: deque[Moment] = field(default_factory=lambda: deque(maxlen=KEPT))

    def note(self, value: Any) -> Moment:
        """Note one more visit."""
        self.visits += 1
        moment = Moment(self.visits, shown(value))
        if len(self.first) < KEPT:
            self.first.append(moment)
        else:
            self.last.append(moment)
        return moment

    def moments(self) -> Iterator[Moment]:
        """Those that are kept, in their order."""
        yield from self.first
        yield from self.last


class Follower(Observer):
    """Looks on at one run, and notes values and cotangents by lines."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.tracks: dict[Key, dict[str, Track]] = {}
        self.ran: dict[Key, int] = {}
        """Number of operations that ran on a line."""
        self.functions: dict[Any, Any] = {}
        """The functions of the user's that ran, by their code."""
        self.called: dict[Any, list[Key]] = {}
        """The lines that call them."""
        self.visited: set[Key] = set()
        """The lines that Python came to."""
        self._places: dict[tuple[int, int], tuple[Any, Place | None]] = {}

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
        return any(self.has_run(inner) for inner in self.sources.opened(key))

    def entered(self, f: Any, refusals: list[AdjointError]) -> None:
        super().entered(f, refusals)
        at = self._at(calling_site())
        if at is not None:
            callers = self.called.setdefault(f.__code__, [])
            callers += [key] if (key := self.sources.key(at.filename, at.span[0])) not in callers else []
        if f.__code__ not in self.functions:
            self.functions[f.__code__] = f
            with suppress(AdjointError):  # of a function that has no text, lines stand for themselves
                self.sources.add(f)

    def ended(self, site: Site | None, role: str, value: Any) -> Any:
        self._at(site)
        return _nothing

    def named(self, site: Site | None, name: str, value: Any) -> Any:
        at = self._at(site)
        if at is None or name != RETURNED and not self.sources.has_name(at.filename, name):
            return handed_on
        key = self.sources.key(at.filename, at.span[0])
        track = self.tracks.setdefault(key, {}).setdefault(name, Track(name))
        return _noting(track.note(value), value)

    def done(self, operation: Operation, back: Any) -> Any:
        at = self._at(operation.site)
        if at is None:
            return back
        stored = [(value, name, _place(value)) for value, name in self._stored(operation, at)]
        if not stored:
            return back
        key = self.sources.key(at.filename, at.span[0])
        tracks = self.tracks.setdefault(key, {})
        noted = [(tracks.setdefault(name, Track(name)).note(value), own) for value, name, own in stored]

        def stored_back(sweep: Any, y_bar: Any) -> Any:
            for moment, own in noted:
                if own is not None:
                    found = withdraw(sweep, own, None)
                    _note(moment, found)
                    deposit(sweep, own, found)
            return back(sweep, y_bar)

        return stored_back

    def _stored(self, operation: Operation, at: Place) -> Iterator[tuple[Any, str]]:
        """Values that an operation stores into, in the words of the program."""
        if operation.args and operation.callee in STORES:
            yield operation.args[0], _owner(self.sources.statement(at.filename, at.span)) or "what is stored into"
        elif (call := self.sources.call(at.filename, at.span)) is not None:
            yield from stored_by(operation, call)

    def _at(self, site: Site | None) -> Place | None:
        """The place of a site in a file of the user's."""
        if site is None:
            return None
        key = id(site.code), site.lasti
        if key not in self._places:
            at = site.place() if is_users(site.code.co_filename) else None
            self._places[key] = site.code, at
        at = self._places[key][1]
        if at is not None:
            line = self.sources.key(at.filename, at.span[0])
            self.ran[line] = self.ran.get(line, 0) + 1
        return at


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


def _noting(moment: Moment, value: Any) -> Any:
    """A `back` that notes the cotangent of a value, and hands it on."""
    own = _place(value)

    def noting_back(sweep: Any, y_bar: Any) -> tuple[None, Any]:
        received = withdraw(sweep, own, y_bar)
        if not is_whole(value):
            _note(moment, received)
        return None, deposit(sweep, own, received)

    return noting_back


def _note(moment: Moment, bar: Any) -> None:
    moment.bar = None if bar is None else shown(bar)


def _nothing(sweep: Any, y_bar: Any) -> Any:
    return None, None


__all__ = ["RETURNED", "Follower", "Moment", "Track"]
