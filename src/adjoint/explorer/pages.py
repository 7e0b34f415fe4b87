"""The page of an exploration, as large as it may be, and how it is shown and saved."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import OptionError, calling_place
from ..markup import Html, element
from .exploration import Findings, explored
from .extent import Extent
from .page import page

LIMIT = 1_000_000
"""So many bytes a page has at most."""
CHARACTERS, ROWS, LEAST = 1000, 200, 100
"""Of what is too large so much of a text is shown, and of a statement or a table; and so much of a text at least."""


class Exploration:
    """A page on the derivative of one call, which `explore` gives.

    Attributes
    ----------
    html : the page, as text.
    refused : the sentence that says why there is no derivative; empty if there is one.
    """

    def __init__(self, name: str, lines: int, html: str, refused: str = "") -> None:
        self.name = name
        self.html = html
        self.refused = refused
        self._lines = lines

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file; gives its path."""
        file = Path(path)
        if not file.parent.is_dir():
            raise FileNotFoundError(
                f"there is no folder {str(file.parent)!r} for the page; make it first, or write to one that is there"
            )
        file.write_text(self.html, encoding="utf-8")
        return file

    def __repr__(self) -> str:
        size = len(self.html.encode()) / 1000
        return f"<exploration of {self.name}: {self._lines} lines, {size:.0f} kB>"

    def _repr_html_(self) -> str:
        """A frame of its own: the page's style and script do not reach the notebook's."""
        return framed(self.html, f"exploration of {self.name}")


def framed(html: str, title: str) -> Html:
    """A page within another one, which it cannot touch."""
    return element(
        "iframe",
        srcdoc=html,
        title=title,
        sandbox="allow-scripts",
        style="width:100%;height:46rem;border:1px solid #8884;border-radius:8px",
    )


def explored_page(
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    lines: tuple[int, int] | None,
    cotangent: tuple[Any, bool],
    profile: bool,
    progress: bool,
) -> Exploration:
    """The page of a call, at most of `LIMIT` bytes."""
    found = explored(f, args, kwargs, *cotangent, profile, progress)
    unit = found.units[0]
    end = unit.first + len(unit.source) - 1
    if lines is not None and (lines[0] > end or lines[1] < unit.first):
        raise OptionError(
            f"the option `lines` is {lines!r}",
            f"`{unit.name}` has lines {unit.first} to {end}",
            f"write `lines=({unit.first}, {end})`, or leave it off for all lines",
            calling_place(),
        )
    text = fitting(found, None if lines is None else (lines[0], lines[1]))
    return Exploration(found.name, len(unit.source), text, "" if found.error is None else found.error.what)


def fitting(found: Findings, lines: tuple[int, int] | None, limit: int = LIMIT) -> str:
    """The fullest page that fits: with long texts cut short, with fewer values, without other functions, with fewer
    lines, and at last with shorter texts."""
    unit = found.units[0]
    end = unit.first + len(unit.source) - 1
    said = []
    if lines is not None:
        said.append(
            f"Of `{unit.name}`, lines {max(lines[0], unit.first)} to {min(lines[1], end)} are shown, as `lines` asks "
            f"for; it has lines {unit.first} to {end}."
        )
    extent = Extent(lines)
    if _fits(text := page(found, " ".join(said), extent), limit):
        return text
    extent = replace(extent, characters=CHARACTERS, rows=ROWS)
    said.append(f"Of a text {CHARACTERS:,} characters are shown at most, and of a statement {ROWS} rows.")
    if _fits(text := page(found, " ".join(said), extent), limit):
        return text
    extent = replace(extent, visits=False)
    last_alone = "Of each variable on a line the last value alone is shown."
    if _fits(text := page(found, " ".join([*said, last_alone]), extent), limit):
        return text
    found.left_out += [other.name for other in found.units[1:]]
    del found.units[1:]
    first, last = lines or (unit.first, end)
    return _with_fewer_lines(found, extent, max(first, unit.first), min(last, end), limit)


def _with_fewer_lines(found: Findings, extent: Extent, first: int, last: int, limit: int) -> str:
    """The page with as many of the lines as fit, from the first one on."""
    unit = found.units[0]
    end = unit.first + len(unit.source) - 1
    while True:
        cut = (
            f"The page would be larger than {limit / 1e6:g} MB: of `{unit.name}` lines {first} to {last} are shown, of "
            f"{unit.first} to {end}. Write `lines=(first, last)` for others."
        )
        extent = replace(extent, lines=(first, last))
        text = page(found, cut, extent)
        if _fits(text, limit):
            return text
        if last > first:
            room = limit / len(text.encode())  # lines have about the same size
            last = first + min(int((last - first) * 0.95 * room), last - first - 1)
        elif extent.rows:
            extent = replace(extent, characters=max((extent.characters or 0) // 2, LEAST), rows=extent.rows // 2)
        else:
            return text


def _fits(text: str, limit: int) -> bool:
    return len(text.encode()) <= limit
