"""Links within a built site: whether the page that each names is there, and the place on it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from docs.browser import pages


class Page(HTMLParser):
    """The links of a page, and the names of the places on it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where a tag leads, and what it is called."""
        named = dict(attrs)
        self.places |= {value for key in ("id", "name") if (value := named.get(key))}
        for key in ("href", "src"):
            if value := named.get(key):
                self.links.append(value)


def broken(site: Path) -> list[str]:
    """The links of a site that lead nowhere within it, a line for each."""
    read = {path: Page(path) for path in pages(site)}
    found = []
    for path, page in read.items():
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            place = unquote(parts.fragment)
            if not target.is_file():
                found.append(f"{path.relative_to(site)}: no {link}")
            elif place and target in read and place not in read[target].places:
                found.append(f"{path.relative_to(site)}: no place {link}")
    return found
