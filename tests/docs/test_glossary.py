"""The glossary is sorted, and has the words of the field; those of the inside stand in the design."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def words(text: str) -> list[str]:
    """The words of the last table of a page."""
    return re.findall(r"^\| ([^|]+?) \|", text.rpartition("| --- | --- | --- |")[2], re.M)


def unsorted(found: list[str]) -> list[str]:
    """The words that stand after one that follows them in the alphabet."""
    return [b for a, b in zip(found, found[1:], strict=False) if a.lower() > b.lower()]


def test_both_tables_are_sorted_and_share_no_word() -> None:
    field = words((DOCS / "glossary.md").read_text("utf-8"))
    inside = words((DOCS / "design" / "index.md").read_text("utf-8"))
    assert len(field) > 25 and len(inside) > 10
    assert unsorted(field) == unsorted(inside) == []
    assert {*field} & {*inside} == set() and "SSA" in inside and "pullback" in field


def test_a_word_out_of_place_is_found() -> None:
    assert unsorted(["adjoint", "IR", "guard", "sweep"]) == ["guard"]
