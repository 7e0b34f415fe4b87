"""Time and memory of each line's forward and reverse half: the generated program under a tracer.

Python's tracer is told of each line that begins. Between two of them lies the time of a line, with what it calls. Of a
line that runs within itself, as in recursion, that counts once: for the outermost of its visits. The tracer costs more
than a short line does; what it costs is measured on a program that does nothing, and taken off. The rest of what it
slows down (each call within a line) stays: so lines share the time of their half without a tracer, in the proportions
that were traced.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

from ..codegen.load import whence
from ..pause import paused
from .sources import Key, Sources

Halves = dict[CodeType, str]
Places = dict[int, list[tuple[Key, ...]]]
"""By the identity of code, the lines of the user's that take the time of its lines, by their numbers."""
Cost = dict[tuple[Key, str], float]
"""By line and half."""


@dataclass(eq=False)
class Placed:
    """A rule as it runs under a tracer: its lines are numbers of the places that they come from, in both halves."""

    rule: FunctionType
    code: CodeType
    keys: list[tuple[Key, ...]]
    """By the numbers, the line of a place, and those of the calls where its function is written out."""
    halves: Halves


@contextmanager
def in_place(placed: Sequence[Placed]) -> Iterator[None]:
    """The rules with their places as code."""
    before = [(each.rule, each.rule.__code__) for each in placed]
    try:
        for each in placed:
            each.rule.__code__ = each.code
        yield
    finally:
        for rule, code in before:
            rule.__code__ = code


BUDGET, RUNS = 0.6, 15
"""Seconds for all runs of one kind, and the most that there are."""


@dataclass
class Profile:
    """Measurements: seconds and bytes by line and half, and of the whole call."""

    runs: int = 0
    tracer: float = 0.0
    """Seconds that the tracer takes for each line; they are taken off."""
    traced: Cost = field(default_factory=dict)
    """Seconds under the tracer, less its own."""
    seconds: Cost = field(default_factory=dict)
    """Seconds, scaled to what the half takes without a tracer."""
    grown: Cost = field(default_factory=dict)
    """Bytes that were in use after the line and not before, over all its visits."""
    peak: Cost = field(default_factory=dict)
    """Bytes more than before that were in use while the line ran, at most."""
    plain: float = 0.0
    forward: float = 0.0
    reverse: float = 0.0
    """Seconds of the function alone, of the forward half and of the reverse half, without a tracer."""

    @property
    def of_runs(self) -> str:
        """Name of the figures, in words."""
        return "figures of one run" if self.runs == 1 else f"medians of {self.runs} runs"


class Tracer:
    """Charges lines with what a meter says between them."""

    def __init__(self, halves: Halves, sources: Sources, places: Places | None = None) -> None:
        self.halves = halves
        self._places = places or {}
        self._met: dict[int, tuple[CodeType, str | None]] = {}
        """Code that ran, with its half, by identity: Python hashes all of a code object, each time."""
        self.sources = sources
        self.charged: Cost = {}
        self.whole: dict[str, float] = {}
        """By half, what was charged to lines that are not within another one."""
        self.times: Cost = {}
        """The number of times that something was charged, by line and half."""
        self.outer: dict[str, int] = {}
        """By half, how many lines ran that are not within another one."""
        self._keys: dict[tuple[int, int], tuple[Key, ...]] = {}
        self._open: dict[FrameType, list[Any]] = {}
        self._visits: dict[tuple[Key, str], int] = {}
        """By line and half, how often it is open: more than once in recursion."""

    def run(self, f: Callable[[], Any]) -> Any:
        """`f()` under the tracer."""
        before = sys.gettrace()
        sys.settrace(self._entered)
        try:
            return f()
        finally:
            sys.settrace(before)

    def _entered(self, frame: FrameType, event: str, arg: Any) -> Any:
        if self.half(frame.f_code) is None:
            return None
        self.begin(frame)
        return self._within

    def _within(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            self.end(frame)
            self.begin(frame)
        elif event == "return":
            self.end(frame)
        return self._within

    def half(self, code: CodeType) -> str | None:
        """The half that code is of; None of code that is of none."""
        found = self._met.get(id(code))
        if found is None:
            found = self._met[id(code)] = code, self.halves.get(code)
        return found[1]

    def keys(self, frame: FrameType) -> tuple[Key, ...]:
        """The user's line that a frame is at, and those that call it where it is written out."""
        at = id(frame.f_code), frame.f_lineno
        if at not in self._keys:
            places = self._places.get(id(frame.f_code))
            self._keys[at] = self._key(frame) if places is None else places[frame.f_lineno]
        return self._keys[at]

    def _key(self, frame: FrameType) -> tuple[Key, ...]:
        filename, line = frame.f_code.co_filename, frame.f_lineno
        origin = whence(filename, line)
        if origin is None:
            return (self.sources.key(filename, line),)
        return () if origin[1] is None else (self.sources.key(origin[0], origin[1].line),)

    def begin(self, frame: FrameType) -> None:
        """A line begins."""
        raise NotImplementedError

    def end(self, frame: FrameType) -> None:
        """The line that began last in a frame comes to its end."""
        raise NotImplementedError

    def open(self, frame: FrameType, *found: Any) -> None:
        """Note that a line begins in a frame, and what the meter says."""
        half = self.half(frame.f_code) or ""
        places = [(key, half) for key in self.keys(frame)]
        for at in places:
            self._visits[at] = self._visits.get(at, 0) + 1
        self._open[frame] = [half, places, *found]

    def close(self, frame: FrameType, cost: float) -> None:
        """Add to what a line costs, unless it runs within another visit of it, which is charged with that too."""
        half, places, *_ = self._open[frame]
        if len(self._open) == 1:
            self.whole[half] = self.whole.get(half, 0.0) + cost
            self.outer[half] = self.outer.get(half, 0) + 1
        for at in places:
            self._visits[at] -= 1
            if not self._visits[at]:
                self.charged[at] = self.charged.get(at, 0.0) + cost
                self.times[at] = self.times.get(at, 0.0) + 1.0
        del self._open[frame]


class Toll(NamedTuple):
    """Seconds that the tracer takes for a line: the most that the line itself is charged with, and all of them, which a
    line is charged with for each one that runs within it."""

    own: float = 0.0
    whole: float = 0.0


class Clock(Tracer):
    """Charges lines with seconds, less what the tracer takes for those within."""

    def __init__(self, halves: Halves, sources: Sources, toll: Toll, places: Places | None = None) -> None:
        super().__init__(halves, sources, places)
        self.toll = toll
        self.events = 0

    def begin(self, frame: FrameType) -> None:
        found = [self.events, 0.0]
        self.open(frame, found)
        found[1] = time.perf_counter()

    def end(self, frame: FrameType) -> None:
        now = time.perf_counter()
        if frame not in self._open:
            return
        *_, (events, began) = self._open[frame]
        self.close(frame, now - began - self.toll.whole * (self.events - events))
        self.events += 1


class Scales(Tracer):
    """Charges lines with bytes that stay, and notes how many more there were meanwhile."""

    def __init__(self, halves: Halves, sources: Sources, places: Places | None = None) -> None:
        super().__init__(halves, sources, places)
        self.peak: Cost = {}

    def begin(self, frame: FrameType) -> None:
        now, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        self.open(frame, now, now)

    def end(self, frame: FrameType) -> None:
        now, peak = tracemalloc.get_traced_memory()
        for held in self._open.values():
            held[-1] = max(held[-1], peak)
        if frame not in self._open:
            return
        _, places, began, highest = self._open[frame]
        for at in places:
            self.peak[at] = max(self.peak.get(at, 0.0), highest - began)
        self.close(frame, now - began)


def toll_of_tracer() -> Toll:
    """The toll of the tracer, from a loop of lines that do nothing: under it and without."""
    text = "def nothing():\n    for i in range(50):\n" + "        x = 0\n" * 4
    scope: dict[str, Any] = {}
    exec(compile(text, "<adjoint nothing>", "exec"), scope)
    nothing = scope["nothing"]
    charged, traced, plain = [], [], []
    for _ in range(9):
        clock = Clock({nothing.__code__: "forward"}, Sources(), Toll())
        traced.append(_timed(lambda: clock.run(nothing))[1])  # noqa: B023
        charged.append(sum(clock.charged.values()))
        plain.append(_timed(nothing)[1])
    least = min(plain)
    return Toll(*[max(min(found) - least, 0.0) / clock.events for found in (charged, traced)])


@paused
def _timed(f: Callable[[], Any]) -> tuple[Any, float]:
    began = time.perf_counter()
    y = f()
    return y, time.perf_counter() - began


def measured(
    call: Callable[[], Any],
    pull: Callable[[], tuple[Any, Any]],
    seed: Any,
    halves: Halves,
    sources: Sources,
    kept: Any,
    placed: Sequence[Placed] = (),
    runs: int = RUNS,
) -> Profile:
    """The profile of a derivative.

    Parameters
    ----------
    call : runs the function alone.
    pull : gives `(y, back)`.
    seed : the cotangent that `back` is given.
    halves : the code of the generated program, each with the half that it is.
    kept : makes a context in which a run leaves nothing behind.
    placed : rules that tell their places to the tracer.
    runs : so many at most.
    """

    def both() -> None:
        pull()[1](seed)

    def quiet(f: Callable[[], Any]) -> Any:
        with kept():
            return f()

    halves = halves | {code: half for each in placed for code, half in each.halves.items()}
    places = {id(code): each.keys for each in placed for code in each.halves}
    toll = toll_of_tracer()
    profile = Profile(tracer=toll.whole)
    times: dict[tuple[Key, str], list[float]] = {}
    wholes: dict[str, list[float]] = {}
    totals: list[tuple[float, float, float]] = []
    began = time.perf_counter()
    while profile.runs < runs and (profile.runs < 1 or time.perf_counter() - began < BUDGET):
        clock = Clock(halves, sources, toll, places)
        with kept(), in_place(placed):
            paused(clock.run)(both)
        for at, seconds in clock.charged.items():
            times.setdefault(at, []).append(seconds)
        for half, seconds in clock.whole.items():
            wholes.setdefault(half, []).append(seconds)
        with kept():
            plain = _timed(call)[1]
        totals.append((plain, *quiet(lambda: _halves(pull, seed))))
        profile.runs += 1
    profile.plain, profile.forward, profile.reverse = (median(column) for column in zip(*totals, strict=True))
    untraced = {"forward": profile.forward, "reverse": profile.reverse}
    whole = {half: median(found) for half, found in wholes.items()}
    own = {half: own_toll(seconds, untraced[half], clock.outer[half], toll) for half, seconds in whole.items()}
    profile.traced = {
        at: max(median(found) - own.get(at[1], toll.own) * clock.times.get(at, 1.0), 0.0) for at, found in times.items()
    }
    whole = {half: seconds - own[half] * clock.outer[half] for half, seconds in whole.items()}
    profile.seconds = scaled(profile.traced, whole, untraced)
    scales = Scales(halves, sources, places)
    with kept(), in_place(placed):
        _weigh(both, scales)
    profile.grown, profile.peak = scales.charged, scales.peak
    return profile


def own_toll(traced: float, untraced: float, lines: int, toll: Toll) -> float:
    """Seconds of a half's lines that are the tracer's, each: with them the half takes as long as without a tracer, or
    they are the most that the tracer takes.

    >>> own_toll(5.0, 3.0, 10, Toll(0.5)), own_toll(5.0, 3.0, 2, Toll(0.5)), own_toll(2.0, 3.0, 10, Toll(0.5))
    (0.2, 0.5, 0.0)
    """
    return min(max((traced - untraced) / lines, 0.0), toll.own)


def scaled(traced: Cost, wholes: dict[str, float], untraced: dict[str, float]) -> Cost:
    """Times of lines as parts of what their halves take without a tracer.

    Where the lines take less than that under the tracer they stay as they are: the rest is of no line.

    >>> from adjoint.explorer.sources import Key
    >>> scaled({(Key(0, 1), "forward"): 3.0, (Key(0, 2), "reverse"): 1.0}, {"forward": 6.0, "reverse": 1.0},
    ...        {"forward": 2.0, "reverse": 5.0})
    {(Key(file=0, line=1), 'forward'): 1.0, (Key(file=0, line=2), 'reverse'): 1.0}
    """
    parts = {half: min(1.0, untraced[half] / whole) for half, whole in wholes.items() if whole > 0.0}
    return {(key, half): seconds * parts.get(half, 1.0) for (key, half), seconds in traced.items()}


def _halves(pull: Callable[[], Any], seed: Any) -> tuple[float, float]:
    (_, back), forward = _timed(pull)
    return forward, _timed(lambda: back(seed))[1]


def _weigh(both: Callable[[], None], scales: Scales) -> None:
    """One run in which Python notes what is allocated."""
    was_on = tracemalloc.is_tracing()
    if not was_on:
        tracemalloc.start(1)
    try:
        scales.run(both)
    finally:
        if not was_on:
            tracemalloc.stop()
