"""Spelling of what a program holds in generated source: data only as plain literals, names only where they are some.

Whatever puts text together goes through here, so that no field, key, string or name of a function is ever read as code.
"""

from __future__ import annotations

import itertools
import keyword
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Any

KEYWORDS = frozenset(keyword.kwlist) | {"__debug__"}


def is_name(text: Any) -> bool:
    """Tell whether `text` can stand in source as a name, and means itself there: Python reads names in their normal
    form.

    >>> is_name("x"), is_name("class"), is_name("<lambda>"), is_name("\\N{LATIN SMALL LIGATURE FI}")
    (True, False, False, False)
    """
    if type(text) is not str or not text.isidentifier() or text in KEYWORDS:
        return False
    return text.isascii() or unicodedata.normalize("NFKC", text) == text


def identifier(text: str) -> str:
    """A valid identifier that resembles `text`.

    >>> identifier("<lambda>"), identifier("class"), identifier("2d")
    ('lambda_', 'class_', '_2d')
    """
    if is_name(text):
        return text
    text = re.sub(r"\W", "", unicodedata.normalize("NFKC", str.__str__(text))) or "value"
    if text[0].isdigit():
        text = "_" + text
    return text if is_name(text) else text + "_" if is_name(text + "_") else "value"


def plain(value: Any) -> str | None:
    """The literal of a number, a string, bytes or a constant of Python, or None if there is none that is exact.

    >>> plain(-1.5), plain("it's"), plain(float("inf")), plain([])
    ('-1.5', '"it\\'s"', None, None)
    """
    kind = type(value)
    if value is None or kind in (bool, str, bytes):
        return repr(value)
    if value is Ellipsis:
        return "..."
    if kind is int:
        return repr(value) if abs(value) < 10**40 else None
    return repr(value) if kind is float and math.isfinite(value) else None


def quoted(text: str) -> str:
    """The literal of a string; of one of a class of its own, that of its characters.

    >>> quoted("it's")
    '"it\\'s"'
    """
    return str.__repr__(text)


def attribute(owner: str, name: str) -> str:
    """An attribute of what the expression `owner` gives, whatever it is called.

    >>> attribute("x", "rate"), attribute("x", "a b"), attribute("x", "class")
    ('x.rate', "getattr(x, 'a b')", "getattr(x, 'class')")
    """
    return f"{owner}.{name}" if is_name(name) else f"getattr({owner}, {quoted(name)})"


def keyword_argument(name: str, value: str) -> str:
    """An argument by name, whatever that is.

    >>> keyword_argument("rate", "x"), keyword_argument("a b", "x")
    ('rate=x', "**{'a b': x}")
    """
    return f"{name}={value}" if is_name(name) else f"**{{{quoted(name)}: {value}}}"


def with_article(noun: str) -> str:
    """A noun with its article.

    >>> with_article("int"), with_article("float")
    ('an int', 'a float')
    """
    return f"{'an' if noun[:1] in 'aeioAEIO' else 'a'} {noun}"


def uncalled(f: Any) -> tuple[str, str]:
    """An object in words that is no function, and the way to give one; `_uncalled_` of its class says them.

    >>> uncalled(3.5), uncalled([0.0] * 100)[0]
    (('3.5', 'pass the function itself, `f`, and not what it gives, `f(x)`'), 'a list')
    """
    if own := getattr(f, "_uncalled_", None):
        return own[0], own[1]
    text = repr(f)
    words = with_article(type(f).__name__) if len(text) > 100 or "\n" in text else text
    if callable(getattr(f, "fun", None)):  # an `Objective` or `Residuals`
        return words, "pass its function, `.fun`"
    return words, "pass the function itself, `f`, and not what it gives, `f(x)`"


def said(text: str) -> str:
    """Text on one line, without what ends a comment or a docstring.

    >>> print(said('f\\nimport os'), said('\"\"\"'), said("a\\\\"))
    f import os ''' a/
    """
    line = " ".join(str.__str__(text).split()).replace('"', "'").replace("\\", "/")
    return "".join(c if c.isprintable() else "?" for c in line)


_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def without_addresses(text: str) -> str:
    """A text without addresses in memory, which are others in each run.

    >>> without_addresses("(<function f at 0x7f14ee53b5d0>, 1)")
    '(<function f>, 1)'
    """
    return _ADDRESS.sub("", text)


def suffixed(base: str, free: Callable[[str], bool]) -> str:
    """The first of `base`, `base_1`, `base_2`, ... for which `free` holds.

    >>> suffixed("x", lambda name: name not in {"x", "x_1"})
    'x_2'
    """
    return next(filter(free, numbered(base)))


def numbered(base: str, mark: str = "_") -> Iterator[str]:
    """A name, then the same with numbers."""
    yield base
    for count in itertools.count(1):
        yield f"{base}{mark}{count}"


class Pool:
    """Names of one piece of source, all different: none is one of those that are taken.

    >>> pool = Pool({"x", "dx"})
    >>> pool.new("dx"), pool.new("dx"), pool.new("a b"), pool.new("None")
    ('dx_1', 'dx_2', 'ab', 'None_')
    """

    def __init__(self, taken: Iterable[str] = (), mark: str = "_") -> None:
        self._taken = set(taken)
        self._mark = mark
        self._next: dict[str, Iterator[str]] = {}  # no name is given back, so those that came before stay taken

    def new(self, wanted: str) -> str:
        """The name that is wanted, or one like it, which is taken from now on."""
        base = identifier(wanted)
        ahead = self._next.setdefault(base, numbered(base, self._mark))
        name = next(name for name in ahead if name not in self._taken)
        self._taken.add(name)
        return name

    def take(self, names: Iterable[str]) -> None:
        """Let names be taken."""
        self._taken.update(names)
