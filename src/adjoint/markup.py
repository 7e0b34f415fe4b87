"""HTML of texts: everything that comes from outside is escaped, and shows what it hides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
"""Characters that are not seen, or turn around what is."""


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
    if isinstance(text, Html):
        return text
    seen = _HIDDEN.sub(lambda found: f"⟨{ord(found[0]):04X}⟩", str(text))
    return Html("".join([_ESCAPES.get(c, c) for c in seen]))


def element(tag: str, *content: object, **attributes: object) -> Html:
    """An element: its content and the values of its attributes are escaped, unless they are HTML. Of an attribute's
    name `_` at the end is left out, and `_` within is `-`; those that are None or False are.

    >>> element("a", "1 < 2", class_="x", data_k="k", hidden=None)
    '<a class="x" data-k="k">1 &lt; 2</a>'
    """
    given = [
        f" {name.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escaped(value)}"')
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
