"""What the search of the site knows beside the words of pages: index entries, what errors say, and other words.

Sphinx forgets the index entries of pages that it does not write anew when a site is built again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError


def remember(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Give the search the entries of all pages, where it has none; no page is made for it."""
    indexer = getattr(app.builder, "indexer", None)
    if indexer is not None:  # a builder without a search has none
        entries = entries_of(indexer)
        for page, of_page in app.env.get_domain("index").entries.items():  # type: ignore[attr-defined]
            singles = {(value, target, main) for kind, value, target, main, _ in of_page if kind == "single"}
            entries.setdefault(page, sorted(singles))
        page = "troubleshooting"
        texts = [Path(app.env.doc2path(page)), Path(app.srcdir).parent / "tests" / "diagnostics" / "messages.txt"]
        said = {said for text in texts if text.exists() for said in messages(text.read_text("utf-8"))}
        entries[page] = sorted({*entries.get(page, []), *[(phrase, kind.lower(), "main") for kind, phrase in said]})
        for word, page in OTHER_WORDS.items():
            entries[page] = sorted({*entries.get(page, []), (word, "", "main")})
    yield from ()


def entries_of(indexer: Any) -> dict[str, Any]:
    """The entries of an indexer, which Sphinx keeps under a private name.

    >>> entries_of(object())
    Traceback (most recent call last):
    sphinx.errors.ExtensionError: Sphinx's IndexBuilder has no `_index_entries`: the search would lack names
    """
    entries: dict[str, Any] | None = getattr(indexer, "_index_entries", None)
    if entries is None:
        raise ExtensionError("Sphinx's IndexBuilder has no `_index_entries`: the search would lack names")
    return entries


OTHER_WORDS = {
    "cost": "performance",
    "ODE": "tutorials/ode_parameters",
    "reverse mode": "glossary",
    "sigma": "quickstart",
    "speed": "performance",
}
"""Words of readers for what pages call by others, or by many words."""
MESSAGE = re.compile(r"^(\w+(?:Error|Warning)): (.*)$((?:\n(?!\n|help: ).*)*)", re.MULTILINE)
BETWEEN = re.compile(r"`[^`]*`|'[^']*'|[,:;()]|[+-]?\d\S*")


def messages(text: str) -> Iterator[tuple[str, str]]:
    """What errors say, and why, in phrases without names and numbers: that is what a reader looks for.

    >>> list(messages("NoRuleError: there is no rule for `f`, which meets a value\\n  a.py:2\\nwhy: it is in C"))
    [('NoRuleError', 'there is no rule for'), ('NoRuleError', 'which meets a value'), ('NoRuleError', 'it is in C')]
    """
    for kind, what, rest in MESSAGE.findall(text):
        for part in (what, *re.findall(r"^why: (.*)$", rest, re.MULTILINE)):
            phrases = [phrase.strip(" .") for phrase in BETWEEN.split(part)]
            yield from [(kind, phrase) for phrase in phrases if phrase.count(" ") > 1]


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen where pages have been written, and the search has not."""
    app.connect("html-collect-pages", remember)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
