"""The pages that are offered as notebooks have cells that are Python, and all that the page has."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "quickstart.md", *sorted(DOCS.glob("tutorials/*.md")), *sorted(DOCS.glob("course/*.md"))]


@pytest.fixture(scope="module")
def notebooks() -> Any:
    pytest.importorskip("myst_nb")
    spec = importlib.util.spec_from_file_location("notebooks", DOCS / "_extensions" / "notebooks.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "index.md"], ids=lambda page: page.stem)
def test_cells_are_python(page: Path, notebooks: Any) -> None:
    text = page.read_text("utf-8")
    cells = notebooks.notebook_of(text).cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    of_blocks = "{code-cell}" not in text
    assert len(code) >= text.count("\n```python\n" if of_blocks else "\n```{code-cell}") > 0
    for source in code:
        compile(source, str(page), "exec")
        assert not source.startswith(">>>")
    assert not of_blocks or not [cell for cell in cells if cell.cell_type == "markdown" and ">>> " in cell.source]


def test_indices_stay_in_code(notebooks: Any) -> None:
    """`back[1](2.0)` looks like a link."""
    page = "A [page](page.md).\n\n```python\n>>> f(x)[1](2.0)\n3.0\n```\n"
    assert [cell.source for cell in notebooks.notebook_of(page).cells] == ["A page.", "f(x)[1](2.0)"]


COLUMNS = 84
"""What stands between both sidebars of a screen that is 1200 pixels wide."""


def cut(text: str) -> list[str]:
    """Lines of code cells that are too long to be seen whole."""
    cells = re.findall(r"^```{code-cell}[^\n]*\n(.*?)^```$", text, re.M | re.S)
    return [line for cell in cells for line in cell.splitlines() if len(line) > COLUMNS]


def test_code_is_seen_whole() -> None:
    assert cut(f"{'x' * 90}\n```{{code-cell}} ipython3\n{'y' * 84}\n{'z' * 85}\n```\n") == ["z" * 85]
    pages = [DOCS / "quickstart.md", *DOCS.glob("tutorials/*.md")]
    assert {page.name: lines for page in pages if (lines := cut(page.read_text("utf-8")))} == {}
