"""A line of the source with what is known of it: values, cotangents, ends, time and memory."""

from __future__ import annotations

from itertools import chain
from unicodedata import normalize

from ..markup import Html, element, joined, prose
from .exploration import Findings
from .extent import Extent
from .followed import GIVEN, Moment, Track
from .programs import FORWARD, REVERSE, Unit
from .sources import Key
from .words import of_bytes, of_seconds

NOTED = 1024
"""Fewer bytes are not told of: the tracer's own are as many."""
MARK = "\u0304"
"""The line above a letter."""


class Lines:
    """Facts on lines, ready for a page of an extent."""

    def __init__(self, found: Findings, extent: Extent) -> None:
        self.found = found
        self.extent = extent
        self.nothing = "nothing flows back" if found.error is None else "no derivative"
        self.ends: dict[Key, list[str]] = {}
        self.asked: dict[Key, list[str]] = {}
        """Comparisons, tests and keys, in which nothing is lost."""
        self._made: dict[Unit, set[Key]] = {}
        self._calls: dict[Key, list[int]] = {}
        """The functions of the page that a line calls, by their places on it."""
        for i, unit in enumerate(found.units):
            for key in found.followed.called.get((unit.filename, unit.first), []):
                self._calls.setdefault(key, []).append(i)
        for end in found.explanation.ends:
            if end.place is not None:
                names = " and ".join([f"`{name}`" for name in end.arguments])
                if end.loses:
                    self._end(end.place, f"the derivative by {names} ends at `{end.code}`: {end.why}")
                else:
                    self._end(end.place, f"`{end.code}` asks about {names}: {end.why}, and none is lost", self.asked)
        for refusal in found.explanation.refused:
            if refusal.place is not None:
                self._end(refusal.place, f"refused: {refusal.what}: {refusal.why}")
        seconds = found.profile.seconds if found.profile is not None else {}
        self.longest = max(seconds.values(), default=0.0)

    def _end(self, place: object, text: str, into: dict[Key, list[str]] | None = None) -> None:
        key = self.found.sources.key(place.filename, place.span[0])  # type: ignore[attr-defined]
        (self.ends if into is None else into).setdefault(key, []).append(self.extent.short(text))

    def keys_of(self, unit: Unit, first: int, last: int) -> set[str]:
        """The keys of lines of a function."""
        return {str(self.found.sources.key(unit.filename, line)) for line in range(first, last + 1)}

    def row(self, unit: Unit, number: int, text: str, code: Html) -> Html:
        """A line as a row: the first one of a statement has what is known of it."""
        key = self.found.sources.key(unit.filename, number)
        leads = key.line == number
        known = [*self._facts(key), *self._called(key, unit), *self._ended(key)] if leads else []
        indent = len(text) - len(text.lstrip())
        state = "" if leads and self._ran(key) or not text.strip() or not leads else "still"
        return element(
            "div",
            element("span", number, class_="no", aria_hidden="true"),
            element("code", code if text.strip() else Html("&nbsp;")),
            self._bars(unit, key) if leads else "",
            element("div", *known, class_="facts") if known else "",
            element("template", *self._details(unit, key)) if leads and text.strip() else "",
            class_=f"row {state}".strip(),
            style=f"--i:{min(indent, 24)}ch",
            data_k=str(key) if text.strip() else None,
            data_kept=" ".join([f"{i}:{name}" for i, name in self._kept_for(key)]) or None,
        )

    def _ran(self, key: Key) -> bool:
        return self.found.followed.has_run(key)

    # ---- in the line

    def _facts(self, key: Key) -> list[Html]:
        return [self._fact(track) for track in self._tracks(key)]

    def _tracks(self, key: Key) -> list[Track]:
        return self.extent.few(self.found.followed.tracks.get(key, {}).values())

    def _fact(self, track: Track) -> Html:
        told = _told(track)
        words = f"×{track.visits}" if told.visit == track.visits else f"{told.visit} of {track.visits}"
        title = f"assignment {told.visit} of {track.visits}"
        has_bar = self.found.error is None and (told.bar is not None or not track.plain)
        bar = "–" if told.bar is None else told.bar.short
        return element(
            "span",
            element("span", element("b", self._name(track)), " ", told.value.short, " ", class_="v"),
            element("span", element("b", self.extent.short(_bar_name(track.name))), " ", bar, " ", class_="d")
            if has_bar
            else "",
            element("span", words, class_="times", title=title) if track.visits > 1 else "",
            class_="fact",
        )

    def _name(self, track: Track) -> str:
        return self.extent.short(f"{track.name}s" if track.name in GIVEN else track.name)

    def _ended(self, key: Key) -> list[Html]:
        return [element("span", "⊣ ", prose(text), class_="end") for text in self.extent.few(self.ends.get(key, []))]

    def _called(self, key: Key, unit: Unit) -> list[Html]:
        units = self.found.units
        return [
            element(
                "a",
                f"→ {self.extent.short(units[i].name)}",
                href=f"#u{i}",
                class_="to",
                title="to the function that is called",
            )
            for i in self._calls.get(key, [])
            if units[i] is not unit
        ]

    def _bars(self, unit: Unit, key: Key) -> Html | str:
        """Two strokes, as long as the forward and the reverse half of the line take."""
        p = self.found.profile
        if p is None or not self.longest or self.is_of_none(unit, key):
            return ""
        strokes = []
        for half, cls in ((FORWARD, "f"), (REVERSE, "b")):
            part = p.seconds.get((key, half), 0.0) / self.longest
            strokes.append(element("i", class_=cls, style=f"width:{100 * part:.1f}%") if part > 0.01 else "")
        return element("span", *strokes, class_="bars", aria_hidden="true")

    # ---- in the drawer

    def _details(self, unit: Unit, key: Key) -> list[Html]:
        parts = [element("h4", f"{self.extent.short(unit.name)}, line {key.line}")]
        parts += [element("p", prose(text), class_="note") for text in self.extent.few(self.asked.get(key, []))]
        parts += [*self._kept(key), *self._near(key), *self._seconds(unit, key)]
        if not self._ran(key) and len(parts) == 1:
            parts.append(element("p", "Nothing of this line was seen to run.", class_="note"))
        rows = list(chain.from_iterable([self._visits(track) for track in self._tracks(key)]))
        shown = [element("div", element("table", element("tbody", *rows)))] if rows else []
        return [element("div", *parts, class_="said"), *shown]

    def _visits(self, track: Track) -> list[Html]:
        moments = list(track.moments()) if self.extent.visits else [_told(track)]
        rows, before = [], 0
        for moment in moments:
            if before and moment.visit != before + 1:
                rows.append(element("tr", element("td", "⋯", colspan="4")))
            before = moment.visit
            none = "–" if track.plain else element("em", self.nothing)
            bar = none if moment.bar is None else _cell(moment.bar)
            cells = [element("code", self._name(track)), f"{moment.visit} of {track.visits}", _cell(moment.value), bar]
            rows.append(element("tr", *[element("td", cell) for cell in cells]))
        return rows

    def _kept_for(self, key: Key) -> list[tuple[int, str]]:
        """Names that the reverse of a line reads of the forward run, each with the function in whose text it is."""
        units = enumerate(self.found.units)
        return self.extent.few((i, name) for i, unit in units for name in unit.kept.get(key, ()))

    def _kept(self, key: Key) -> list[Html]:
        kept = self._kept_for(key)
        if not kept:
            return []
        sizes = self.found.sizes
        words = [
            joined(
                [element("code", name, class_="m"), f" ({of_bytes(sizes[name])})" if not i and name in sizes else ""]
            )
            for i, name in kept
        ]
        inner = joined([word if i == 0 else joined([", ", word]) for i, word in enumerate(words)])
        return [element("p", "Its reverse half reads what the forward half keeps: ", inner, ".")]

    def _near(self, key: Key) -> list[Html]:
        """The lines whose rows are lit for one that has none in the reverse half."""
        others = [f"{other.line}" for other in self.extent.few(self.found.near.get(key, ()))]
        if not others:
            return []
        *rest, last = others
        lines = f"lines {', '.join(rest)} and {last}" if rest else f"line {last}"
        return [element("p", f"The reverse half has no row of this line: near to it are those of {lines}.")]

    def _seconds(self, unit: Unit, key: Key) -> list[Html]:
        p = self.found.profile
        if p is None or self.is_of_none(unit, key):
            return []
        parts = []
        for half in (FORWARD, REVERSE):
            at = key, half
            if at not in p.seconds:
                continue
            own, traced = of_seconds(p.seconds[at]), of_seconds(p.traced[at])
            told = own if own == traced else f"{own} (under the tracer {traced})"
            words = [told] if p.seconds[at] >= 5e-8 else ["no time that can be told"]
            if p.peak.get(at, 0.0) >= NOTED:
                words.append(f"up to {of_bytes(p.peak[at])} more in use meanwhile")
            if abs(p.grown.get(at, 0.0)) >= NOTED:
                more = p.grown[at] > 0
                words.append(f"{of_bytes(abs(p.grown[at]))} {'more' if more else 'less'} in use afterwards")
            parts.append(element("p", element("b", half, class_=half), f": {', '.join(words)}"))
        return parts

    def is_of_none(self, unit: Unit, key: Key) -> bool:
        """True if nothing in the derivative is made of a line: what runs there, the end of a function, is of none."""
        return unit.way == "transformed" and key not in self._made_of(unit)

    def _made_of(self, unit: Unit) -> set[Key]:
        """The lines that something in the derivative is made of."""
        if unit not in self._made:
            self._made[unit] = {key for row in unit.derivative for key in row.keys}
        return self._made[unit]


def _cell(x: object) -> Html:
    short, whole = x.short, x.whole  # type: ignore[attr-defined]
    return element("code", whole or short)


def _last(track: Track) -> Moment:
    return track.last[-1] if track.last else track.first[-1]


def _told(track: Track) -> Moment:
    """The last visit to which something flows back, if there is one: after the last round of a loop nothing may."""
    return next((m for m in reversed([*track.moments()]) if m.bar is not None), _last(track))


def _bar_name(name: str) -> str:
    """A name with a bar, as cotangents are written: over one letter, else behind."""
    if len(name) == 1 and name.isalpha() or name in GIVEN:
        return normalize("NFC", f"{'y' if name in GIVEN else name}{MARK}")
    return f"{name}_bar" if name.replace(".", "").isidentifier() else "bar"
