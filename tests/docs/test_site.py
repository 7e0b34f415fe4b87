"""The built site, read as files and by a browser. `make docs` builds it, and `SITE` says where it is."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from docs.browser import ROOT, built, chromium, faults, heavy, pages, unfound, wide_tables
from docs.links import Page, broken

from adjoint import errors

FILE = Path(__file__).with_name("queries.toml")
QUERIES = {query["words"]: query["page"] for query in tomllib.loads(FILE.read_text(encoding="utf-8"))["query"]}


def test_no_link_leads_nowhere() -> None:
    assert broken(built()) == []


def test_each_error_names_a_place_on_a_page() -> None:
    """Kinds that are no `AdjointError` are warnings, which have a section and no page of their own."""
    kinds = [kind for name in errors.__all__ if issubclass(kind := getattr(errors, name), errors.AdjointError)]
    pages_of = [kind("it cannot be done").page.partition("#") for kind in kinds]
    places = {page: Page(built() / page).places for page, *_ in pages_of}
    assert len(pages_of) > 20 and [place for page, _, place in pages_of if place not in places[page]] == []


def test_no_page_is_too_heavy() -> None:
    assert heavy(built()) == {}


def test_tutorials_can_be_taken_along() -> None:
    """Each offers a notebook without outputs, with the code of the page, and its source."""
    site = built()
    for source in [*(ROOT / "docs" / "tutorials").glob("*.md"), ROOT / "docs" / "quickstart.md"]:
        page = site / source.relative_to(ROOT / "docs").with_suffix(".html")
        text = source.read_text(encoding="utf-8")
        cells = [
            re.sub(r"\A(:.*\n)+\n*", "", code)
            for code in re.findall(r"^```{code-cell}[^\n]*\n(.*?)^```$", text, re.M | re.S)
        ]
        if not cells:
            continue
        for name in (f"{source.stem}.ipynb", source.name):
            assert f'href="{name}"' in page.read_text(encoding="utf-8")
        notebook = json.loads(page.with_suffix(".ipynb").read_text(encoding="utf-8"))
        found = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        assert ["".join(cell["source"]) for cell in found] == [cell.strip() for cell in cells]
        assert all(cell["outputs"] == [] for cell in found)
        assert page.with_suffix(".md").read_text(encoding="utf-8") == text


def test_each_name_of_the_reference_has_a_summary() -> None:
    """In the tables of the overview, where a name has one cell and its summary the other."""
    rows = [
        (path.stem, row)
        for path in sorted((built() / "api").glob("*.html"))
        for table in re.findall(r'<table class="autosummary.*?</table>', path.read_text(encoding="utf-8"), re.S)
        for row in re.findall(r"<tr.*?</tr>", table, re.S)
    ]
    assert rows
    texts = {row: re.sub(r"<.*?>", "", row.rpartition("<td>")[2]).strip() for _, row in rows}
    assert [(page, re.sub(r"<.*?>", "", row).strip()) for page, row in rows if not texts[row]] == []


@pytest.mark.parametrize("part", [0, 1])
def test_pages_ask_for_nothing_else_and_fit_on_a_telephone(part: int) -> None:
    """Opened as files: no errors on the console, no request to anywhere else, no scrolling sideways."""
    site = built()
    with chromium() as browser:
        assert faults(browser, site, pages(site)[part::2]) == []


def test_tables_of_rules_fit_on_a_screen() -> None:
    """All of a row is seen at once, without scrolling the table."""
    site = built()
    some = sorted((site / "supported").glob("*.html"))
    assert some
    with chromium() as browser:
        assert wide_tables(browser, site, some) == {}


def test_the_search_finds_what_newcomers_ask_for() -> None:
    site = built()
    assert len(QUERIES) >= 12
    with chromium() as browser:
        assert unfound(browser, site, QUERIES) == {}
