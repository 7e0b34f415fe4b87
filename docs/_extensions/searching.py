"""The search of a site that is built again: Sphinx forgets the index entries of pages that it does not write anew."""

from __future__ import annotations

from collections.abc import Iterator
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


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen where pages have been written, and the search has not."""
    app.connect("html-collect-pages", remember)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
