"""The built site, and what a browser makes of its pages: errors, requests, width, answers of the search."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

ROOT = Path(__file__).parents[2]
SITE = Path(os.environ.get("SITE", ROOT / "site")).resolve()
"""Where `make docs` has built it."""
REQUIRED = "site" in os.environ.get("ADJOINT_REQUIRE", "").split(",")
NARROW = {"width": 360, "height": 740}
WIDE = {"width": 1200, "height": 800}
TABLES = """() => [...document.querySelectorAll("article table")]
    .map(table => table.offsetWidth - table.parentElement.clientWidth).filter(over => over > 0)"""
MEASURED = """() => {
    // The document, and what holds its heading: themes let a part as wide as the screen scroll in place of the page.
    let wider = 0;
    for (let e = document.querySelector("h1") || document.body; e; e = e.parentElement)
        if (e.clientWidth) wider = Math.max(wider, e.scrollWidth - e.clientWidth);
    return wider;
}"""


def missing(what: str) -> None:
    """Skip where something is not there, or fail where `ADJOINT_REQUIRE=site` says that it has to be."""
    if REQUIRED:
        pytest.fail(f"{what}, and ADJOINT_REQUIRE names the site")
    pytest.skip(what)


def built() -> Path:
    """The folder of the site."""
    if not (SITE / "index.html").exists():
        missing(f"no site in {SITE}: `make docs` builds it")
    return SITE


def pages(site: Path) -> list[Path]:
    """All pages of a site; the theme leaves a template among its files."""
    return sorted(path for path in site.rglob("*.html") if "_static" not in path.relative_to(site).parts)


@contextmanager
def chromium() -> Iterator[Any]:
    """The system's browser."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        missing("no Chromium on this machine")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("no playwright in this environment")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def faults(browser: Any, site: Path, some: list[Path]) -> list[str]:
    """What is wrong with pages when they are opened as files on a narrow screen, a line for each fault."""
    found: list[str] = []
    page = browser.new_page(viewport=NARROW)
    here = ""

    def asked(request: Any) -> None:
        if not request.url.startswith((site.as_uri() + "/", "data:")):
            found.append(f"{here}: asks for {request.url}")

    def said(message: Any) -> None:
        if message.type == "error":
            found.append(f"{here}: {message.text}")

    page.on("request", asked)
    page.on("requestfailed", lambda request: found.append(f"{here}: does not get {request.url}"))
    page.on("console", said)
    page.on("pageerror", lambda error: found.append(f"{here}: {error}"))
    for path in some:
        here = path.relative_to(site).as_posix()
        page.goto(path.as_uri())
        if wider := page.evaluate(MEASURED):
            found.append(f"{here}: scrolls sideways by {wider} px")
    page.close()
    return found


def heavy(site: Path, limit: int = 400_000) -> dict[str, int]:
    """The pages that have more than so many bytes."""
    return {path.name: size for path in pages(site) if (size := path.stat().st_size) > limit}


def wide_tables(browser: Any, site: Path, some: list[Path]) -> dict[str, list[int]]:
    """The pages with tables that have to be scrolled on a screen of the usual width: the pixels that they lack."""
    page = browser.new_page(viewport=WIDE)
    found = {}
    for path in some:
        page.goto(path.as_uri())
        if over := page.evaluate(TABLES):
            found[path.relative_to(site).as_posix()] = over
    page.close()
    return found


def answers(browser: Any, site: Path, words: str) -> list[str]:
    """The pages that the search gives for some words, best first, as paths from the site's folder."""
    page = browser.new_page()
    page.goto(f"{(site / 'search.html').as_uri()}?q={quote(words)}")
    page.wait_for_function("Search.title?.innerText === 'Search Results'")
    links = page.eval_on_selector_all("#search-results li a", "all => all.map(a => a.href)")
    page.close()
    return list(
        dict.fromkeys(link.partition("#")[0].partition("?")[0].removeprefix(site.as_uri() + "/") for link in links)
    )


def unfound(browser: Any, site: Path, queries: dict[str, str]) -> dict[str, list[str]]:
    """The queries whose page is not among the first three answers, with what the search gives in its place."""
    found = {words: answers(browser, site, words) for words in queries}
    return {words: found[words] for words, page in queries.items() if page not in found[words][:3]}
