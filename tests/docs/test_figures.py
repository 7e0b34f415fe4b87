"""Figures of the pages are those that the benchmarks found, within a third."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FIGURES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("figures.toml").read_text("utf-8"))["figure"]
RESULTS = ROOT / "benchmarks" / "results"
TOLERANCE = 1 / 3
ANYTHING = r"[^|\n]*?"
NUMBER = r"(\d[\d,]*(?:\.\d+)?)"


def measured(figure: dict[str, Any]) -> float:
    """The number in the row of a table of results, in the column that is named or the second."""
    lines = (RESULTS / figure["file"]).read_text(encoding="utf-8").splitlines()
    head = next(cells_of(line) for line in lines if line.startswith("|"))
    row = next(cells_of(line) for line in lines if line.startswith(f"| {figure['row']} |"))
    return float(row[head.index(figure.get("column", "measured"))].split()[0]) * figure.get("scale", 1)


def cells_of(line: str) -> list[str]:
    """The cells of a row."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def said(figure: dict[str, Any], text: str) -> float:
    """The number that a page gives in the words around it, which stand there once."""
    before, after = (re.escape(part).replace("…", ANYTHING) for part in figure["words"].split("{}"))
    (found,) = re.findall(before + NUMBER + after, text)
    return float(found.replace(",", ""))


def off(figure: dict[str, Any], text: str) -> str:
    """What is wrong with a figure, or nothing."""
    page, result = said(figure, text), measured(figure)
    far = abs(page - result) > TOLERANCE * result
    return f"{figure['page']}: {figure['words']!r} says {page:g}, {figure['file']} has {result:g}" if far else ""


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: f"{figure['file']}:{figure['row']}")
def test_pages_say_what_was_measured(figure: dict[str, Any]) -> None:
    assert off(figure, (ROOT / figure["page"]).read_text(encoding="utf-8")) == ""


def test_a_figure_of_an_older_run_is_found() -> None:
    (figure,) = (f for f in FIGURES if f["row"] == "reversed in structure: programs")
    before, after = figure["words"].split("{}")
    right, older = round(measured(figure)), round(0.6 * measured(figure))
    assert off(figure, f"{before}{right}{after}") == ""
    assert f"says {older}" in off(figure, f"{before}{older}{after}")
    with pytest.raises(ValueError):
        off(figure, "words that are not there")


def test_many_are_compared() -> None:
    assert len(FIGURES) >= 60 and {"README.md", "docs/performance.md"} <= {figure["page"] for figure in FIGURES}
