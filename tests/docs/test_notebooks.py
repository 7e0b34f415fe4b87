"""The pages that are offered as notebooks have cells that are Python, and all that the page has."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from interop.needed import needed
from tools.kernels import run_all

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


@pytest.mark.parametrize("name", [page.stem for page in PAGES if page.parent.name == "course" and page.stem != "index"])
def test_the_course_runs_to_its_end(name: str, notebooks: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by "Run All", in a folder where nothing else is; what is to raise raises, and nothing else does."""
    made = notebooks.notebook_of(
        (DOCS / f"course/{name}.md").read_text("utf-8"), notebooks.engines(f"course/{name}")[:-1]
    )
    run_all(made, tmp_path, monkeypatch)
    raised = {cell.id for cell in made.cells for output in cell.get("outputs", []) if output.output_type == "error"}
    assert raised == {cell.id for cell in made.cells if "raises-exception" in cell.metadata.get("tags", [])}


def test_a_cell_that_raises_is_found(notebooks: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page imports is written by its notebook, and an error that no output shows stops it."""
    page = (DOCS / "course/extensions.md").read_text("utf-8")
    with pytest.raises(needed("nbclient").exceptions.CellExecutionError, match="No module named 'tiny'"):
        run_all(notebooks.notebook_of(page), tmp_path, monkeypatch)
    with pytest.raises(needed("nbclient").exceptions.CellExecutionError, match="ZeroDivisionError"):
        run_all(notebooks.notebook_of("```python\n>>> x = 0\n>>> 1 / x\n1\n```\n"), tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("page", "files"),
    [("course/ir", ["tiny.py"]), ("course/extensions", ["tiny.py", "tiny_extensions.py"]), ("course/beyond", [])],
)
def test_engines_are_offered_beside_their_pages(page: str, files: list[str], notebooks: Any, tmp_path: Path) -> None:
    app = SimpleNamespace(env=SimpleNamespace(doc2path=lambda page: str(DOCS / f"{page}.md")), outdir=str(tmp_path))
    context = {"body": "<h1>Title</h1>"}
    notebooks.offer(app, page, "page.html", context, object())
    assert re.findall(r'href="(.*?)"', context["body"])[2:] == files
    for name in files:
        assert (tmp_path / "course" / name).read_bytes() == (DOCS.parent / "examples" / name).read_bytes()
    made = json.loads((tmp_path / f"{page}.ipynb").read_text("utf-8"))["cells"]
    assert [cell["cell_type"] for cell in made if ".write_text(source" in "".join(cell["source"])] == ["code"] * len(
        files[:-1]
    )


def test_a_file_of_the_reader_is_kept(notebooks: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (engine,) = notebooks.engines("course/ir")
    cell = notebooks.notebook_of("# One\n\n```python\nimport tiny\n```\n", [engine]).cells[2]
    exec(cell.source, {})
    assert Path("tiny.py").read_text("utf-8") == engine.read_text("utf-8")
    Path("tiny.py").write_text("mine = 1\n", "utf-8")
    exec(cell.source, {})
    assert Path("tiny.py").read_text("utf-8") == "mine = 1\n"


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
