"""Faults that are planted in a site of one page are found: the tests of the real one would not pass over them."""

from __future__ import annotations

from pathlib import Path

import pytest
from docs.browser import chromium, faults, heavy, pages, unfound, wide_tables
from docs.links import broken

HEAD = (
    "<!doctype html><meta name='viewport' content='width=device-width'><title>planted</title><h1 id='top'>planted</h1>"
)
GOOD = "<p><a href='#top'>up</a> <a href='index.html#top'>here</a> <a href='https://example.org/'>away</a></p>"
WIDE = f"<table><tr>{'<td>a_cell_of_its_own</td>' * 12}</tr></table>"


SEARCH = """<!doctype html><title>planted</title><div id="search-results"><ul></ul></div><script>
for (const name of ["one", "two", "three", "four"])
    document.querySelector("ul").innerHTML += `<li><a href="${name}.html?highlight=x#place">${name}</a></li>`;
const title = document.createElement("h2");
title.innerText = "Search Results";
Search = { title };
</script>"""
"""The page of a search that gives four answers to anything."""


def planted(folder: Path, body: str) -> Path:
    """A site of one page."""
    (folder / "index.html").write_text(HEAD + body, encoding="utf-8")
    return folder


def test_a_good_page_has_no_faults(tmp_path: Path) -> None:
    site = planted(tmp_path, GOOD)
    assert broken(site) == []
    with chromium() as browser:
        assert faults(browser, site, pages(site)) == []


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("<a href='nowhere.html'>there</a>", "index.html: no nowhere.html"),
        ("<a href='#nowhere'>there</a>", "index.html: no place #nowhere"),
        ("<img src='nowhere.png'>", "index.html: no nowhere.png"),
    ],
)
def test_a_broken_link_is_found(tmp_path: Path, body: str, line: str) -> None:
    assert broken(planted(tmp_path, GOOD + body)) == [line]


def test_what_only_a_browser_sees_is_found(tmp_path: Path) -> None:
    bodies = {
        "<script src='https://cdn.example.org/x.js'></script>": "asks for https://cdn.example.org/x.js",
        "<link rel='stylesheet' href='nowhere.css'>": "does not get",
        WIDE: "scrolls sideways",
        "<script>console.error('planted')</script>": "index.html: planted",
        "<script>throw new Error('thrown')</script>": "thrown",
    }
    with chromium() as browser:
        for body, expected in bodies.items():
            site = planted(tmp_path, GOOD + body)
            assert any(expected in line for line in faults(browser, site, pages(site))), body


def test_a_heavy_page_is_found(tmp_path: Path) -> None:
    site = planted(tmp_path, GOOD + "x" * 1000)
    assert heavy(site) == {}
    assert heavy(site, limit=1000) == {"index.html": (site / "index.html").stat().st_size}


def test_a_wide_table_is_found_also_where_it_scrolls_within(tmp_path: Path) -> None:
    cells = "<td>a_cell_of_its_own_that_is_long</td>" * 12
    bodies = {
        "<article><table><tr><td>narrow</td></tr></table></article>": False,
        f"<article><div style='overflow: auto'><table><tr>{cells}</tr></table></div></article>": True,
    }
    with chromium() as browser:
        for body, wide in bodies.items():
            site = planted(tmp_path, GOOD + body)
            assert bool(wide_tables(browser, site, pages(site))) is wide


def test_a_page_that_the_search_gives_too_late_is_found(tmp_path: Path) -> None:
    (tmp_path / "search.html").write_text(SEARCH, encoding="utf-8")
    answers = ["one.html", "two.html", "three.html", "four.html"]
    with chromium() as browser:
        assert unfound(browser, tmp_path, {"first": "one.html", "third": "three.html"}) == {}
        assert unfound(browser, tmp_path, {"fourth": "four.html", "none": "five.html"}) == {
            "fourth": answers,
            "none": answers,
        }
