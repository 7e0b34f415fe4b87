"""HTML of texts: everything that comes from outside is escaped, and shows what it hides."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from .joiners import JOINERS, is_seen

_UNSEEN = {"Cc", "Cf", "Cn", "Cs", "Zl", "Zp"}
"""Categories of characters that are not seen, or turn around what is."""
_FILLERS = {0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}
_FILLERS |= {*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
"""Letters and marks that are not seen either: fillers, joiners, and what selects a variant of a letter."""


class _Table(dict[int, str]):
    """The table by which `str.translate` puts characters: it learns what each one is where it is met first."""

    def __missing__(self, code: int) -> str:
        c = chr(code)
        hides = c not in f"\t\n{JOINERS}" and (unicodedata.category(c) in _UNSEEN or code in _FILLERS)
        self[code] = f"⟨{code:04X}⟩" if hides else c
        return self[code]


_JOINER = re.compile(f"[{JOINERS}]")


def _with_joiners(text: str) -> str:
    """A text in which joiners are written by their number, but for those that change what is seen."""
    if text.isascii():
        return text
    return _JOINER.sub(lambda m: m[0] if is_seen(text, m.start()) else f"⟨{ord(m[0]):04X}⟩", text)


_SEEN = _Table()
_ESCAPED = _Table({ord(c): s for c, s in zip("&<>\"'", ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"], strict=True)})


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def escaped(text: object) -> Html:
    """Any text as HTML, also within quotes; characters that hide are written by their number.

    >>> escaped('<b> & "c"')
    '&lt;b&gt; &amp; &quot;c&quot;'
    >>> escaped("a\\u202eb")
    'a⟨202E⟩b'
    """
    return text if isinstance(text, Html) else Html(_with_joiners(str(text)).translate(_ESCAPED))


def seen(text: str) -> str:
    """Any text with the characters that hide written by their number; nothing else is changed.

    >>> seen("<a>\\u061cb")
    '<a>⟨061C⟩b'
    """
    return _with_joiners(text).translate(_SEEN)


def element(tag: str, *content: object, **attributes: object) -> Html:
    """An element: its content is escaped, unless it is HTML, and the values of its attributes are in any case. Of an
    attribute's name `_` at the end is left out, and `_` within is `-`; those that are None or False are.

    >>> element("a", "1 < 2", class_="x", data_k="k", hidden=None)
    '<a class="x" data-k="k">1 &lt; 2</a>'
    """
    given = [
        f" {name.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escaped(str(value))}"')
        for name, value in attributes.items()
        if value is not None and value is not False
    ]
    return Html(f"<{tag}{''.join(given)}>{''.join([escaped(part) for part in content])}</{tag}>")


def joined(parts: Iterable[object]) -> Html:
    """Parts one after the other."""
    return Html("".join([escaped(part) for part in parts]))


def prose(text: object) -> Html:
    """Text in which code stands between backticks.

    >>> prose("`a < b` is a test")
    '<code>a &lt; b</code> is a test'
    """
    if isinstance(text, Html):
        return text
    parts = str(text).split("`")
    if len(parts) % 2 == 0:  # one is left over
        parts[-2:] = ["`".join(parts[-2:])]
    return joined([element("code", part) if i % 2 else part for i, part in enumerate(parts)])


def table(head: Sequence[object], rows: Iterable[Sequence[object]], caption: object = "") -> Html:
    """A table as a notebook shows it: a head, rows, and a caption above, if there is one.

    >>> table(["x"], [["1 < 2"]])
    '<table><thead><tr><th scope="col">x</th></tr></thead><tbody><tr><td>1 &lt; 2</td></tr></tbody></table>'
    """
    top = element("caption", caption, style="text-align:left") if caption else ""
    heads = element("tr", *[element("th", cell, scope="col") for cell in head])
    body = [element("tr", *[element("td", cell) for cell in row]) for row in rows]
    return element("table", top, element("thead", heads), element("tbody", *body))


def code(text: object) -> Html:
    """A program as text, as it is."""
    return element("pre", element("code", text))
