"""Lines of Python and of the IR as HTML, with keywords, strings and comments told apart, and kept values marked."""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from collections.abc import Iterable

from ..markup import Html, element, escaped, joined

Piece = tuple[int, int, str]
"""A piece of a line: its columns, and its class."""

_WORDS = re.compile(
    r"(?P<c>\#.*)|(?P<s>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<n>\b\d[\w.]*)|%\d+|(?P<w>\b[A-Za-z_]\w*)"
)
_ALSO = frozenset(["yield", "collect", "with", "until", "test", "do", "function", "return"])


def pieces_of_source(lines: list[str]) -> list[list[Piece]]:
    """The pieces of the lines of a function, whose strings may run over several lines."""
    found: list[list[Piece]] = [[] for _ in lines]
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline):
            cls = _class_of(token)
            (first, start), (last, end) = token.start, token.end
            for line in range(first, min(last, len(lines)) + 1) if cls else ():
                text = lines[line - 1]
                found[line - 1].append((start if line == first else 0, end if line == last else len(text), cls))
    except (tokenize.TokenError, SyntaxError):
        return [pieces_of_line(line) for line in lines]
    return found


_STRINGS = {"STRING", "FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END"}


def _class_of(token: tokenize.TokenInfo) -> str:
    name = tokenize.tok_name[token.type]
    if name == "NAME":
        return "k" if keyword.iskeyword(token.string) else ""
    return "s" if name in _STRINGS else "c" if name == "COMMENT" else "n" if name == "NUMBER" else ""


def pieces_of_line(line: str, ir: bool = False) -> list[Piece]:
    """The pieces of one line that stands for itself."""
    found = []
    for match in _WORDS.finditer(line):
        cls = match.lastgroup or ""
        if cls == "w":
            cls = "k" if keyword.iskeyword(match[0]) or ir and match[0] in _ALSO else ""
        if cls:
            found.append((match.start(), match.end(), cls))
    return found


def colored(line: str, pieces: Iterable[Piece], marks: Iterable[tuple[int, int, str]] = ()) -> Html:
    """A line with its pieces, and with marks for the values that are kept: ``(column, length, name)``.

    >>> colored("x = 1", [(4, 5, "n")], [(0, 1, "x")])
    '<i class="m" data-r="x">x</i> = <span class="n">1</span>'
    """
    spans = [(start, start + n, name, True) for start, n, name in marks]
    marked = list(spans)
    spans += [(a, b, cls, False) for a, b, cls in pieces if not any(a < end and start < b for start, end, *_ in marked)]
    out, at = [], 0
    for start, end, name, is_mark in sorted(spans):
        if start < at:
            continue
        text = line[start:end]
        inner = element("i", text, class_="m", data_r=name) if is_mark else element("span", text, class_=name)
        out += [escaped(line[at:start]), inner]
        at = end
    return joined([*out, line[at:]])
